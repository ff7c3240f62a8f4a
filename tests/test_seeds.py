"""The lists in seeds.md: every test that they name exists. Also the tests that no other file has."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import AnomalyError, Tensor, detect_anomaly, grad, memory, rule
from tests.tensorgrad.cases import every_case

HERE = Path(__file__).parent
SECTIONS = (HERE / "seeds.md").read_text(encoding="utf-8").split("\n## ")[1:]
TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def table(section):
    """Return [(request, answer)] of a section's table."""
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def defined(path):
    return {node.name for node in ast.walk(ast.parse((HERE / path).read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section[:3])
def test_every_line_has_an_answer(section):
    title, found = section.splitlines()[0], table(section)
    assert title.endswith(f": {len(found)} lines")
    for asked, where in found:
        assert asked and (TEST.search(where) or len(where.split()) >= 4 or where == "Later."), f"{title}: {asked}"
    assert len(set(asked for asked, _ in found)) == len(found)


def test_every_test_that_is_named_exists():
    named = {match.groups() for section in SECTIONS for match in TEST.finditer(section)}
    functions = {path: defined(path) for path in {path for path, _ in named}}
    assert len(named) > 100
    assert not [f"{path}::{name}" for path, name in sorted(named) if name not in functions[path]]


def test_every_test_of_this_file_is_named():
    named = {name for section in SECTIONS for path, name in TEST.findall(section) if path == "test_seeds.py"}
    about_the_lists = {
        "test_every_line_has_an_answer",
        "test_every_test_that_is_named_exists",
        "test_every_test_of_this_file_is_named",
    }
    assert {name for name in defined("test_seeds.py") if name.startswith("test_")} - about_the_lists == named


# Requests

ASKED = {
    "000": "add sub mul div neg matmul transpose sum mean max relu sigmoid tanh softmax gelu mse cross_entropy bce "
    "reshape squeeze unsqueeze log exp pow",
    "001": "add cross_entropy flatten matmul relu getitem sigmoid softmax sum tanh linear conv2d max_pool2d",
    "002": "add mul matmul sum",
    "003": "relu linear cross_entropy leaky_relu huber_loss",
    "004": "flatten reshape permute swapaxes broadcast_to sum mean getitem take gather index_select scatter_add index_add "
    "concatenate narrow "
    "add sub mul scale abs sqrt clamp maximum minimum relu exp log reciprocal safe_log sigmoid tanh softplus linear matmul bmm "
    "conv conv2d conv_transpose conv_transpose2d max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d "
    "smooth_max_pool1d smooth_max_pool2d smooth_max_pool3d layer_norm batch_norm multi_head_attention softmax log_softmax mse_loss",
}


@pytest.mark.parametrize("section", ASKED)
def test_every_function_that_is_asked_for_is_public_and_tested(section):
    names = ASKED[section].split()
    assert section != "000" or len(names) == 24
    written = "".join(path.read_text(encoding="utf-8") for path in sorted((HERE / "tensorgrad" / "cases").glob("*.py")))
    tried = {id(case.function) for case in every_case()}
    for name in names:
        f = getattr(tg, name)
        assert id(f) in tried or re.search(rf"\b{f.__name__}\b", written), f"{name} has no case"


def test_derivatives_at_kinks():
    def slope(f, *point, **options):
        tensors = [Tensor(x) for x in point]
        return [g.tolist() for g in grad(f(*tensors, **options).sum(), tensors)]

    assert slope(tg.relu, 0.0) == slope(tg.abs, 0.0) == [0.0]
    assert slope(tg.sqrt, 0.0) == [np.inf] and slope(tg.sqrt, [0.0, 4.0], total=True) == [[0.0, 0.25]]
    assert slope(tg.clamp, [0.0, 0.5, 1.0], min=0.0, max=1.0) == [[1.0, 1.0, 1.0]]
    assert slope(tg.clamp, [0.0, 0.5, 1.0], min=0.0, max=1.0, total=True) == [[0.0, 1.0, 0.0]]
    assert slope(tg.maximum, 2.0, 2.0) == slope(tg.minimum, 2.0, 2.0) == [0.5, 0.5]
    assert slope(tg.max, [3.0, 1.0, 3.0]) == [[0.5, 0.0, 0.5]]


def saved(t):
    """Return the names of the inputs whose arrays the function that made t saved for its vjps."""
    return set(t.node.rule.saved(t.node))


def test_what_functions_save():
    x, y = Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])
    assert saved(x + y) == set() and saved(tg.sum(x)) == set() and saved(-x) == set()
    assert saved(tg.exp(x)) == saved(tg.tanh(x)) == saved(tg.relu(x)) == saved(tg.softmax(x)) == {"y"}
    assert saved(tg.sin(x)) == {"x"} and saved(x * 2.0) == set()
    assert len(saved(x * y)) == 2 and len(saved(x * y.detach())) == 1


def test_a_network_saves_the_arrays_of_the_figure():
    images, W = Tensor([[1.0, -2.0, 3.0]], keep_grad=False), Tensor(np.ones((2, 3)))
    b = Tensor(np.zeros(2))
    hidden = tg.relu(images * 1.0)
    logits = tg.linear(hidden, W, b)
    loss = tg.cross_entropy(logits, np.array([1]))
    assert hidden.node is None  # the batch needs no gradient, so its relu is not recorded
    assert logits.inputs == (W.node, b.node) and [a.shape for a in logits.node.rule.saved(logits.node).values()] == [(1, 3)]
    assert loss.inputs == (logits.node,)
    inputs_of_all = Tensor([[1.0, -2.0, 3.0]], name="x")
    hidden = tg.relu(inputs_of_all)
    logits = tg.linear(hidden, W, b)
    assert hidden.inputs == (inputs_of_all.node,) and saved(hidden) == {"y"}
    assert len(logits.inputs) == 3 and len(saved(logits)) == 2  # three inputs, of which the bias is not saved


def test_the_memory_report_has_the_columns_of_the_three_pictures():
    x, W = Tensor(np.ones((4, 8)), keep_grad=False), Tensor(np.ones((8, 8)))
    told = str(memory(tg.tanh(tg.tanh(x @ W) @ W).sum()))
    for word in ("saved", "avoided", "live", "freed", "matmul", "tanh", "sum"):
        assert word in told


def test_options_of_a_function_are_stored_in_its_node():
    x = Tensor([[1.0, 2.0]])
    y = tg.sum(x, axis=1, keepdims=True)
    assert dict(zip(y.rule.option_names, y.node.options)) == {"axis": 1, "keepdims": True}
    x = Tensor([-2.0, 3.0])
    assert grad(tg.leaky_relu(x, 0.1).sum(), x).tolist() == [0.1, 1.0]
    assert grad(tg.huber_loss(x, np.zeros(2), reduction="sum", delta=0.5), x).tolist() == [-0.5, 0.5]


def test_a_function_of_many_inputs_is_one_node():
    xs = [Tensor([float(i)]) for i in range(9)]
    y = tg.concatenate(xs)
    assert len(y.inputs) == 9
    (y * np.arange(9.0)).sum().backward()
    assert [x.grad.item() for x in xs] == list(range(9))


def test_no_vjp_undoes_broadcasting():
    x, b = Tensor(np.ones((3, 4))), Tensor(np.ones(4))
    for y in (x + b, x * b, x - b, tg.maximum(x, b)):
        assert [np.shape(G) for G in y.node.rule.contributions(y.node, np.ones((3, 4)))] == [(3, 4), (3, 4)]
    (x * b).sum().backward()
    assert b.grad.shape == (4,)


def test_a_rule_of_your_own():
    @rule(lambda G, x: G * 3 * x * x)
    def cubed(x):
        return x**3

    x = Tensor([1.0, 2.0])
    y = cubed(x)
    assert y.rule is cubed
    (slope,) = grad(y.sum(), [x], create_graph=True)
    assert slope.tolist() == [3.0, 12.0] and grad(slope.sum(), x).tolist() == [6.0, 12.0]


def test_every_result_from_a_variable_has_a_node():
    X = Tensor([[1.0, 2.0], [3.0, 4.0]])
    for y in (X[0], X + X, X.T, X[:, ::-1], X * 1, X.reshape(4), X.sum(), +X, next(iter(X))):
        assert type(y) is Tensor and y.node is not None


# Losses


SCORES = np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
CLASSES = np.array([1, 0])


def test_cross_entropy_is_softmax_minus_one_hot():
    expected = np.exp(SCORES) / np.exp(SCORES).sum(axis=1, keepdims=True) - np.eye(3)[CLASSES]
    for reduction, factor in (("mean", 0.5), ("sum", 1.0)):
        for targets in (CLASSES, np.eye(3)[CLASSES]):  # classes, or one-hot probabilities
            x = Tensor(SCORES)
            (tg.cross_entropy(x, targets, reduction=reduction) * 7.0).backward()
            np.testing.assert_allclose(x.grad, 7.0 * factor * expected)
    x = Tensor(SCORES)
    assert tg.cross_entropy(x, CLASSES, reduction="none").shape == (2,)


def test_cross_entropy_stays_finite():
    x = Tensor([[1000.0, 0.0, -1000.0]])
    loss = tg.cross_entropy(x, np.array([2]))
    loss.backward()
    assert loss.item() == 2000.0 and x.grad.tolist() == [[1.0, 0.0, -1.0]]
    assert np.isfinite(tg.log_softmax(x).data).all()


def test_mse_gives_both_gradients():
    y, t = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[0.0, 2.5], [3.0, 1.0]])
    tg.mse_loss(y, t).backward()
    np.testing.assert_allclose(y.grad, 2 / 4 * (y.data - t.data))
    np.testing.assert_allclose(t.grad, -y.grad)


def test_softmax_never_makes_its_jacobian():
    x = Tensor(np.zeros((1, 20_000)))  # the Jacobian would take 3.2 GB
    y = tg.softmax(x)
    y.backward(np.arange(20_000.0)[None])
    assert x.grad.shape == x.shape and abs(x.grad.sum()) < 1e-9


# Layers


def test_dropout_scales_in_training_and_not_at_all_otherwise():
    x = Tensor(np.ones(10_000))
    y = tg.dropout(x, 0.25, training=True)
    assert set(np.unique(y.data)) == {0.0, 1 / 0.75} and abs(y.data.mean() - 1) < 0.05
    y.sum().backward()
    assert np.array_equal(x.grad, y.data)
    assert tg.dropout(x, 0.25, training=False).tolist() == x.tolist()


def test_batch_norm_builds_a_graph_and_its_running_mean_moves_by_the_momentum():
    mean, variance = np.zeros(2), np.ones(2)
    x = Tensor(np.arange(24.0).reshape(3, 2, 2, 2))
    y = tg.batch_norm(x, mean, variance, training=True, momentum=0.1)
    assert y.node is not None
    np.testing.assert_allclose(mean, 0.1 * x.data.mean(axis=(0, 2, 3)))
    np.testing.assert_allclose(y.data.mean(axis=(0, 2, 3)), 0, atol=1e-12)
    y = tg.batch_norm(x, mean, variance)
    np.testing.assert_allclose(y.data, (x.data - mean[:, None, None]) / np.sqrt(variance[:, None, None] + 1e-5))


def test_convolutions_without_a_batch():
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 4, 5)), rng.standard_normal((3, 2, 2, 3))
    y = tg.conv2d(x, w, stride=2, padding=1)
    assert y.shape == (3, 3, 3)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    np.testing.assert_allclose(y[1, 2, 1], (padded[:, 4:6, 2:5] * w[1]).sum())
    back = tg.conv_transpose2d(y, w, stride=2, padding=1, output_padding=(0, 0))
    assert back.shape == (2, 4, 5)
    assert tg.conv(rng.standard_normal((2, 7)), rng.standard_normal((3, 2, 3))).shape == (3, 5)
    assert tg.conv_transpose(rng.standard_normal((2, 7)), rng.standard_normal((2, 3, 3))).shape == (3, 9)


def test_pooling():
    x = np.arange(16.0).reshape(1, 4, 4)
    assert tg.max_pool2d(x, 2).tolist() == [[[5.0, 7.0], [13.0, 15.0]]]
    assert tg.max_pool2d(x, 2, padding=1).tolist() == [[[0.0, 2.0, 3.0], [8.0, 10.0, 11.0], [12.0, 14.0, 15.0]]]
    assert tg.max_pool2d(x - 9, 2, padding=1, total=True).tolist() == [[[0.0, 0.0, 0.0], [0.0, 1.0, 2.0], [3.0, 5.0, 6.0]]]
    assert tg.max_pool2d(x - 9, 2, padding=1)[0, 0].tolist() == [-9.0, -7.0, -6.0]
    assert tg.avg_pool2d(x, 2).tolist() == [[[2.5, 4.5], [10.5, 12.5]]]
    assert tg.avg_pool2d(x, 2, padding=1)[0, 0, 0] == 0.0 and tg.avg_pool2d(x, 2, padding=1)[0, 2, 2] == 15 / 4  # padding is counted
    np.testing.assert_allclose(tg.smooth_max_pool2d(x, 2)[0, 0, 0], np.log(np.exp([0.0, 1.0, 4.0, 5.0]).sum()))
    for d, size in ((1, (8,)), (3, (4, 4, 4))):
        for name in ("max_pool", "avg_pool", "smooth_max_pool"):
            assert getattr(tg, f"{name}{d}d")(np.ones((2, *size)), 2).shape == (2, *[n // 2 for n in size])


# Shapes and indices


def test_axes_are_exchanged():
    x = np.arange(24.0).reshape(2, 3, 4)
    assert tg.transpose(x[0]).shape == (4, 3) and tg.permute(x, (1, 2, 0)).shape == (3, 4, 2)
    assert tg.permute(x, (2, 0, 1)).shape == (4, 2, 3) and Tensor(x).mT.shape == (2, 4, 3)
    deep = np.zeros((2, 3, 4, 5))
    for depth in range(3):
        assert tg.swapaxes(deep, depth, depth + 1).shape == np.swapaxes(deep, depth, depth + 1).shape


def test_the_total_variants_give_0_outside():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    y = tg.take(x, [1, 5, 2, 1], axis=0, total=True)
    assert y.tolist() == [[3.0, 4.0], [0.0, 0.0], [0.0, 0.0], [3.0, 4.0]]
    y.sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0], [2.0, 2.0]]
    assert tg.take(x, 9, total=True).tolist() == 0.0
    with pytest.raises(IndexError):
        tg.take(x, [5], axis=0)


def test_scattering_adds():
    x = Tensor([1.0, 2.0, 3.0])
    assert tg.index_add(x, 0, [1, 1], np.array([10.0, 20.0])).tolist() == [1.0, 32.0, 3.0]
    rows = Tensor(np.zeros((3, 2)))
    v = Tensor([[1.0, 2.0], [3.0, 4.0]])
    y = tg.index_add(rows, 0, [2, 2], v)
    assert y.tolist() == [[0.0, 0.0], [0.0, 0.0], [4.0, 6.0]]
    y.backward([[1.0, 1.0], [1.0, 1.0], [5.0, 7.0]])
    assert v.grad.tolist() == [[5.0, 7.0], [5.0, 7.0]]


# Numbers that are not finite


def test_nan_and_inf_are_found():
    t = Tensor([1.0, np.nan, np.inf])
    assert np.isnan(t).tolist() == [False, True, False] and np.isinf(t).tolist() == [False, False, True]
    x = Tensor([1.0, 0.0], name="x")
    with detect_anomaly(), pytest.raises(AnomalyError, match="log"):
        tg.log(x)
    with detect_anomaly():
        z = tg.sqrt(x).sum()
        with pytest.raises(AnomalyError, match="sqrt"):
            z.backward()

"""Clipping of gradients has PyTorch's numbers; the gradient report says what each layer does."""

import numpy as np
import pytest

from tensorgrad import Tensor, nn, optim
from tests.each import each

GRADS = [np.array([[3.0, -4.0], [0.0, 12.0]]), np.array([0.5, 0.0])]


def parameters(dtype="float64", grads=GRADS):
    found = [Tensor(np.ones(np.shape(g)), dtype=dtype, name=f"w{i}") for i, g in enumerate(grads)]
    for p, g in zip(found, grads):
        p.grad = np.array(g)
    return [*found, Tensor([7.0])]  # the last has no gradient


def test_the_common_norm_of_all_gradients_gets_a_bound():
    ps = parameters()
    before = optim.clip_grad_norm_(ps, 1.0)
    assert before == pytest.approx(np.sqrt(169.25))
    assert np.sqrt(sum((p.grad**2).sum() for p in ps[:2])) == pytest.approx(1.0, rel=1e-6)


@each("kind, norm", [(1, 19.5), (2, np.sqrt(169.25)), (3, 1819.125 ** (1 / 3)), (float("inf"), 12.0)])
def test_the_norm_of_all_entries_is_that_of_one_long_vector(kind, norm):
    ps = parameters()
    assert optim.clip_grad_norm_(ps, norm / 2, kind) == pytest.approx(norm)
    for p, g in zip(ps, GRADS):
        np.testing.assert_allclose(p.grad, g / 2, rtol=1e-6)


@each("clip, expected", [(lambda p: optim.clip_grad_norm_([p], 3.0), 3.0), (lambda p: optim.clip_grad_value_([p], 5.0), 5.0)])
def test_a_gradient_that_may_be_differentiated_is_replaced_and_its_array_stays(clip, expected):
    w = Tensor([3.0])
    (w * w).sum().backward(create_graph=True)
    grad = w.grad
    clip(w)
    assert w.grad == pytest.approx([expected], rel=1e-6) and grad.data == [6.0]


def test_smaller_gradients_stay_as_they_are():
    ps = parameters()
    optim.clip_grad_norm_(ps, 100.0)
    optim.clip_grad_value_(ps, 100.0)
    for p, g in zip(ps, GRADS):
        np.testing.assert_array_equal(p.grad, g)


@pytest.mark.torch
@each("dtype", ["float32", "float64"])
@each("kind", [2.0, 1.0, 3.5, float("inf")])
def test_clipping_equals_pytorch(kind, dtype):
    torch = pytest.importorskip("torch")
    theirs = [torch.ones(g.shape, dtype=getattr(torch, dtype)) for g in GRADS]
    for p, g in zip(theirs, GRADS):
        p.grad = torch.tensor(g, dtype=p.dtype)
    ours = parameters(dtype)
    tolerance = 1e-6 if dtype == "float32" else 1e-12
    total = torch.nn.utils.clip_grad_norm_(theirs, 2.5, kind).item()
    assert optim.clip_grad_norm_(ours, 2.5, kind) == pytest.approx(total, rel=tolerance)
    for p, q in zip(ours, theirs):
        np.testing.assert_allclose(p.grad, q.grad.numpy(), rtol=tolerance)
    optim.clip_grad_value_(ours, 0.2), torch.nn.utils.clip_grad_value_(theirs, 0.2)
    for p, q in zip(ours, theirs):
        np.testing.assert_allclose(p.grad, q.grad.numpy(), rtol=tolerance)


def test_the_norm_neither_overflows_nor_underflows_in_float32():
    assert optim.clip_grad_norm_(parameters("float32", [np.full(4, 1e30)]), 1e31) == pytest.approx(2e30)
    assert optim.clip_grad_norm_(parameters("float32", [np.full(4, 1e-30)]), 1.0) == pytest.approx(2e-30)


def test_a_gradient_that_may_not_be_written_to_is_replaced():
    p = Tensor([1.0])
    grad = np.array([4.0])
    grad.setflags(write=False)
    p.grad = grad
    optim.clip_grad_norm_([p], 1.0)
    assert grad == [4.0] and p.grad[0] == pytest.approx(1.0)


@each("bad, clipped", [(np.nan, [np.nan, np.nan]), (np.inf, [0.0, np.nan])])
def test_without_the_error_a_norm_that_is_not_finite_scales_as_in_pytorch(bad, clipped):
    p = Tensor([1.0, 1.0])
    p.grad = [1.0, bad]
    np.testing.assert_equal(optim.clip_grad_norm_([p], 1.0, error_if_nonfinite=False), bad)
    np.testing.assert_equal(p.grad, clipped)


@each(
    "call, message",
    [
        (lambda: optim.clip_grad_norm_([Tensor([1.0])], "a"), "clip_grad_norm_: max_norm='a' is not a number"),
        (lambda: optim.clip_grad_norm_([Tensor([1.0])], -1), "max_norm must be 0 or more"),
        (lambda: optim.clip_grad_norm_([3], 1), "clip_grad_norm_: parameters=3 is not a Tensor"),
        (lambda: optim.clip_grad_value_(3, 1), "clip_grad_value_: 3 is not a list of parameters"),
        (lambda: optim.clip_grad_value_([], -1), "clip_grad_value_: clip_value=-1 is out of range"),
        (
            lambda: optim.clip_grad_norm_(parameters(grads=[[1.0], [np.nan]]), 1),
            "gradient of w1 has the norm nan; no gradient was changed",
        ),
        (lambda: optim.GradientReport(3), "GradientReport: 3 is not a module"),
        (lambda: optim.GradientReport([3]), r"GradientReport: \[3\] is not a module"),
    ],
    ids=lambda x: None,
)
def test_bad_input_is_refused(call, message):
    with pytest.raises((TypeError, ValueError, FloatingPointError), match=message):
        call()


# The report


def reported():
    w, b, v = Tensor([3.0, 4.0]), Tensor([0.0]), Tensor([1.0, 1.0])
    w.grad, b.grad = [0.0, 0.5], [0.0]
    sgd = optim.SGD([w, b, v], lr=0.1)
    with optim.GradientReport([("one.w", w), ("one.b", b), ("two", v)]) as report:
        sgd.step()
    return report


def test_the_report_has_a_row_for_each_layer():
    one, two = reported().rows
    assert (one.layer, one.numbers, one.weight, one.gradient) == ("one", 3, 5.0, 0.5)
    assert one.zeros == pytest.approx(2 / 3) and one.update == pytest.approx(0.05) and one.ratio == pytest.approx(0.01)
    assert (two.layer, two.gradient, two.zeros, two.update) == ("two", None, None, 0)


def test_parameters_of_the_model_itself_are_one_layer_with_the_name_of_its_class():
    layer = nn.Linear(2, 3)
    layer(np.ones((1, 2))).sum().backward()
    assert [(row.layer, row.numbers) for row in optim.GradientReport(layer).rows] == [("Linear", 9)]


def test_the_report_prints_as_a_table():
    assert str(reported()).splitlines() == [
        "layer  numbers  |weight|  |gradient|  zeros  |update|  update/weight",
        "one          3         5         0.5   67 %      0.05           0.01",
        "two          2     1.414           –      –         0              0",
        "two: no gradient: the loss does not depend on it, or it is frozen, or backward() was not called",
    ]


def report_of(learnt, loss, lr=0.1):
    """Return the lines below the table, for layers a, b, ..., of which the optimiser has those in `learnt`."""
    layers = {name: Tensor([2.0, 3.0]) for name in "abcdefg"}
    loss(layers).backward()
    sgd = optim.SGD([layers[name] for name in learnt], lr=lr)
    with optim.GradientReport([(f"{name}.w", w) for name, w in layers.items()]) as report:
        sgd.step()
    return str(report).splitlines()[8:]


def test_the_report_says_which_layers_do_not_learn_and_why():
    every = lambda layers: sum((w.sum() for w in layers.values()), 0 * layers["a"].sum())
    assert report_of("abcdefg", every) == []
    assert report_of("bcdefg", every) == ["a: a gradient, but no update: are its parameters in the optimiser?"]
    assert report_of("a", every) == ["b, c, d, e, f and others: a gradient, but no update: are its parameters in the optimiser?"]
    assert report_of("abcdefg", every, lr=0.0) == []  # no layer moves: that is the learning rate
    dead = lambda layers: every({**layers, "b": layers["b"] * 0})
    assert report_of("abcdefg", dead) == ["b: all gradients are 0, so it does not learn"]

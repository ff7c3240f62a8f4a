"""Statements of arrays: boxes for the names of the program, one heavy function in each, and the totals of the engine."""

import io
import json
import random

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Graph, Trace, backpropagation, scope
from scalargrad.statements.statement_graph import statements
from tensorgrad import Tensor
from tensorgrad.statements.statement import ArrayStatement, is_light
from viz.page.scalar_graphs import entries
from viz.text.formatter import UNICODE

R = np.random.default_rng(0)
X, Y = R.normal(size=(4, 3)), R.normal(size=(4, 2))


def perceptron():
    w1, b1, w2, b2 = Tensor(R.normal(size=(3, 5))), Tensor(np.zeros(5)), Tensor(R.normal(size=(5, 2))), Tensor(np.zeros(2))
    h = np.tanh(X @ w1 + b1)
    out = h @ w2 + b2
    loss = ((out - Y) ** 2).mean()
    return loss


def logistic_regression():
    w, b, t = Tensor(R.normal(size=3)), Tensor(0.1), np.array([1.0, 0, 1, 0])
    p = 1 / (1 + np.exp(-(X @ w + b)))
    loss = -(t * np.log(p) + (1 - t) * np.log(1 - p)).mean()
    return loss


def layer_norm():
    x, gain, shift = Tensor(X), Tensor(np.ones(3)), Tensor(np.zeros(3))
    mean = x.mean(axis=-1, keepdims=True)
    var = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    y = gain * (x - mean) / np.sqrt(var + 1e-5) + shift
    return (y**3).sum()


def assignment():
    d, c = Tensor(X), Tensor(Y)
    a = tg.softmax(-5 * d, axis=1)
    return (a.T @ c).sum()


def unnamed_layers():
    x, w1, w2 = Tensor(X), Tensor(R.normal(size=(3, 5))), Tensor(R.normal(size=(5, 2)))
    return (tg.relu(tg.relu(x @ w1) @ w2) + 0.5).sum()


def convolution():
    image, k, b = R.normal(size=(1, 1, 5, 5)), Tensor(R.normal(size=(2, 1, 3, 3))), Tensor(np.zeros(2))
    a = tg.relu(tg.conv2d(image, k, b))
    return (a * a).mean()


def written(program):
    """{name: formula} of the boxes of a program."""
    trace = Trace(program, detail="statements")
    return {trace.names[y]: UNICODE.formula(trace.on.written(y)) for y in trace.graph.variables if y.inputs}


# fmt: off
@pytest.mark.parametrize("program, formulas", [
    (perceptron, {
        "h": "tanh(matmul(X, w₁) + b₁)", "out": "matmul(h, w₂) + b₂", "loss": "mean((out − Y)²)",
    }),
    (logistic_regression, {  # the axes that a product with a vector adds are not in the program either
        "v1": "matmul(X, w)", "p": "1/(1 + exp(−(v₁ + b)))",
        "v2": "[0, 1, 0, 1]·log(1 − p)", "loss": "−mean(t·log(p) + v₂)",
    }),
    (layer_norm, {
        "mean": "mean(x, axis=-1, keepdims=True)", "var": "mean((x − mean)², axis=-1, keepdims=True)",
        "y": "gain·(x − mean)/sqrt(var + 1e−05) + shift", "z": "sum(y³)",
    }),
    (unnamed_layers, {"v1": "relu(matmul(x, w₁))", "z": "sum(relu(matmul(v₁, w₂)) + 0.5)"}),
    (assignment, {"a": "softmax(−5·d, axis=1)", "z": "sum(matmul(aᵀ, c))"}),  # a rule in a file of compositions
    (convolution, {"a": "relu(conv2d(image, k, b))", "z": "mean(a·a)"}),
])
def test_a_name_of_the_program_is_a_box_with_its_formula(program, formulas):
    assert written(program) == formulas
# fmt: on


def test_an_arrow_has_the_contribution_of_the_whole_formula_in_symbols():
    trace = Trace(perceptron, detail="statements")
    (h,) = [v for v, name in trace.names.items() if name == "h"]
    said = {trace.names[x]: UNICODE.formula(trace.on.partial(h, slot).symbol) for slot, x in enumerate(h.inputs)}
    assert said == {"w1": "Xᵀ (d loss/dh·(1 − h·h))", "b1": "d loss/dh·(1 − h·h)"}


def test_contributions_over_two_paths_are_added_and_products_of_matrices_are_kept_apart():
    def gate():
        h, z, c, w = (Tensor(R.normal(size=(3, 3))) for _ in range(4))
        new = (1 - z) * h + z * c
        out = (z * h) @ w
        return (new * out).sum()

    trace = Trace(gate, detail="statements")
    named = {name: v for v, name in trace.names.items()}
    said = lambda y, x: UNICODE.formula(trace.on.partial(named[y], [*named[y].inputs].index(named[x])).symbol)
    total = UNICODE.formula(trace.total(named["new"]))
    assert said("new", "z") == f"{total}·c − {total}·h"
    assert said("out", "z") == f"({UNICODE.formula(trace.total(named['out']))} wᵀ)·h"


def test_what_a_sum_or_a_mean_passes_on_is_written_for_each_entry():
    def program():
        out, shift = Tensor(Y), Tensor(0.3)
        near = 3 * ((out - X[:, :2]) ** 2).mean()
        far = -(Y * (out - shift)).sum()
        level = (out + shift).mean(axis=0).sum()
        return near * far + level

    trace = Trace(program, detail="statements")
    named = {name: v for v, name in trace.names.items()}
    said = {(x, y): UNICODE.formula(trace.on.partial(named[y], [*named[y].inputs].index(named[x])).symbol)
            for x in ("out", "shift") for y in ("near", "far", "level") if named[x] in named[y].inputs}  # fmt: skip
    assert said == {
        ("out", "near"): "dz/d near·3·2·(out − array 4×2)/8",
        ("out", "far"): "−dz/d far·Y",
        ("out", "level"): "dz/d level/4, repeated along the summed axes",
        ("shift", "far"): "−(−dz/d far·Y)",
        ("shift", "level"): "dz/d level/4, repeated along the summed axes",
    }
    passed = lambda x, y: trace.computed[named[y]].number * trace.on.vjp(named[y], [*named[y].inputs].index(named[x]))
    near, far = (trace.computed[named[y]].number for y in ("near", "far"))
    np.testing.assert_allclose(passed("out", "near"), near * 3 * 2 * (Y - X[:, :2]) / 8)
    np.testing.assert_allclose(passed("out", "far"), -far * Y)
    assert trace.on.repeats(named["far"], 1) and not trace.on.repeats(named["far"], 0)


def test_what_is_repeated_within_a_box_is_summed_in_what_it_passes_on():
    def program():
        w, b = Tensor([1.0, 2.0]), Tensor(R.normal(size=(2, 2)))
        spread = b.T @ ((3 * w)[:, None] * b)
        return (spread @ b).sum()

    trace = Trace(program, detail="statements")
    named = {name: v for v, name in trace.names.items()}
    spread, slot = named["spread"], [trace.names[x] for x in named["spread"].inputs].index("w")
    said = UNICODE.formula(trace.on.partial(spread, slot).symbol)
    assert said == "(((b dz/d spread)·b), summed along the repeated axes)·3"
    b, total = trace.on.data(named["b"]), trace.computed[spread].number
    np.testing.assert_allclose(trace.computed[named["w"]].number, ((b @ total) * b).sum(axis=1) * 3)


LIGHT = (
    lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - 0.5 * b, lambda a, b: np.tanh(a), lambda a, b: tg.relu(a) + 0.1,
    lambda a, b: a / (1 + b * b), lambda a, b: a.mean(axis=0), lambda a, b: a.T, lambda a, b: a.sum(axis=1, keepdims=True) * b,
    lambda a, b: a[::-1], lambda a, b: np.sqrt(a * a + 1), lambda a, b: tg.concatenate([a, b])[1:4],
)  # fmt: skip
HEAVY = (lambda a, b: a @ b, lambda a, b: tg.softmax(a, axis=-1), lambda a, b: a @ b.T)


def random_program(seed):
    """A graph of arrays of 3×3, some of which have names, some several uses."""
    dice, numbers = random.Random(seed), np.random.default_rng(seed)
    made = [Tensor(numbers.normal(size=(3, 3)), name=f"x{k}") for k in range(3)]
    for k in range(dice.randint(4, 10)):
        function = dice.choice(LIGHT if dice.random() < 0.7 else HEAVY)
        y = function(*dice.choices(made[-4:], k=2))
        y = y + np.zeros((3, 3))  # the mean over an axis is a vector
        if dice.random() < 0.2:
            y.name = f"y{k}"
        made.append(y)
    return sum((v * v for v in made[-2:]), start=made[0]).mean(), made[:3]


@pytest.mark.parametrize("many", [40, pytest.param(200, marks=pytest.mark.sweep)])
def test_totals_are_those_of_the_engine_on_random_programs(many):
    folded = 0
    for seed in range(many):
        z, leaves = random_program(seed)
        found = statements(z)
        whole, totals = backpropagation(z), backpropagation(found.z)
        for y, there in found.variable.items():
            np.testing.assert_allclose(totals[there], whole[y], rtol=1e-9, atol=1e-12, err_msg=f"seed {seed}")
        folded += len(Graph(z).variables) - len(found.variable)
        rules = [y.rule for y in found.variable.values() if isinstance(y.rule, ArrayStatement)]
        assert all(sum(not is_light(v.rule) for v in rule.operations) <= 1 for rule in rules), f"seed {seed}: two heavy functions"
    assert folded > 3 * many


def test_a_box_opens_into_its_operations():
    assert written(perceptron).keys() == {"h", "out", "loss"}
    opened = Trace(perceptron, detail="statements", opened="h")
    assert [y.rule.name for y in opened.graph.variables if y.inputs][:3] == ["matmul", "add", "tanh"]


def test_every_picture_shows_statements():
    assert "matmul(h, w₂) + b₂" in viz.draw(perceptron).svg  # the default above ten variables
    assert "matmul(h, w₂) + b₂" not in viz.draw(perceptron, detail="operations").svg
    assert len(Trace(perceptron, detail=None).names) == 7 and len(Trace(perceptron).names) == 12
    text = io.StringIO()
    viz.walk(perceptron, text)
    assert "tanh(matmul(X, w₁) + b₁)" in text.getvalue()
    data = json.loads(Trace(perceptron, detail="statements").to_json())
    assert [v["function"] for v in data["variables"] if v["function"]] == ["matmul → tanh", "matmul → add", "mean"]
    assert "tanh(matmul" in viz.mermaid(perceptron) and "matmul" in viz.handout(perceptron).html


def test_modules_keep_their_scopes_and_operations():
    def model():
        x = Tensor(X)
        for layer in range(2):
            with scope(f"layer{layer}"):
                x = np.tanh(x * 0.5 + 0.1) * x - x
        return x.sum()

    assert Trace(model, detail=None).statements is None


def test_a_released_graph_folds_what_is_left_of_it():
    z, _ = random_program(3)
    expected = {name: q.number for name, q in named_totals(z)}
    z.backward()
    for name, total in named_totals(z):
        np.testing.assert_allclose(total.number, expected[name])


def test_what_is_lost_stays_as_it_is():
    def trained():
        z, _ = random_program(5)
        z.backward()
        return z

    found = statements(trained())  # the arrays of the leaves are gone
    assert not any(isinstance(y.rule, ArrayStatement) for y in found.variable.values())
    assert viz.draw(trained(), detail="statements").svg


def named_totals(z):
    trace = Trace(z, detail="statements")
    return [(trace.names[v], q) for v, q in trace.computed.items() if trace.names[v][0] == "x"]


def test_what_a_user_wrote_as_one_function_stays_a_box():
    @tg.function
    def matmul(a, b):
        return (a * b).sum()

    def program():
        a, b = Tensor(X), Tensor(X)
        return np.exp(matmul(a * 2, b) * 0.1)

    trace = Trace(program, detail="statements")
    assert "matmul" in {y.rule.name for y in trace.graph.variables if y.inputs}


def test_a_vector_that_matmul_makes_a_column_of_has_the_shape_that_the_program_has():
    def step():
        W, b, r, h = Tensor(R.normal(size=(3, 5))), Tensor(np.zeros(3)), Tensor(np.ones(3)), Tensor(np.ones(3))
        out = np.tanh(W @ np.concatenate([r * h, [1.0, -0.5]]) + b)
        chosen = np.tanh(W @ np.where(np.arange(5) > 2, np.concatenate([r * h, [1.0, -0.5]]), 0.0) + b)
        return (out * chosen).sum() + (np.concatenate([h, r])[:5] @ W.T).sum()

    trace = Trace(step, detail="statements")
    shapes = {trace.names[v]: v.shape for v in trace.graph.variables if v.inputs}
    assert (5,) in shapes.values() and not any(1 in shape for shape in shapes.values())
    assert not any(v.rule.name == "reshape" for v in trace.graph.variables if v.inputs)


def formulas_of(f):
    trace = Trace(f, detail="statements")
    return [UNICODE.formula(trace.on.written(v)) for v in trace.graph.variables if v.inputs]


def test_plain_arrays_have_the_names_of_the_program():
    w, target, other = Tensor(np.ones(3)), np.array([1.0, -2.0, 0.5, 0.0]), np.ones((3, 3))

    def loss():
        mask = np.array([1.0, 0.0, 1.0, 1.0])
        alpha = np.linalg.solve(Tensor(np.eye(3)) * w, [0.1, 0.2, 0.3])
        return ((X @ w - target) ** 2 * mask).mean() + np.dot(np.arange(3.0), alpha)

    found = formulas_of(loss)
    assert "mean((matmul(X, w) − target)²·mask)" in " ".join(found) and other is not None
    assert "[0, 1, 2]" in " ".join(found)  # nobody gave it a name


def test_a_plain_array_of_which_another_variable_has_the_name_is_written_in_full():
    y, once, again = np.array([0.5, -0.5]), np.array([3.0, -4.0]), np.array([3.0, -4.0])
    w = Tensor([1.0, 2.0])

    def loss():
        def predict():
            y = np.tanh(w)
            return y

        return ((predict() - [0.5, -0.5]) ** 2).sum() + (w * once * again).sum()

    found = " ".join(formulas_of(loss))
    assert "(y − [0.5, −0.5])²" in found and "once" not in found and "[3, −4]" in found and y is not None


def rows_of_the_data():
    inputs, w, loss = np.array([[1.0, 2.0], [0.5, -1.0], [0.5, -1.0]]), Tensor([0.5, 2.0]), 0
    for k in range(2):
        loss = loss + np.tanh(inputs[k] @ w)
    return loss, np.tanh(inputs[2] @ w)


def test_an_item_of_an_array_has_its_place_for_a_name_if_no_other_item_is_alike():
    formulas = lambda make: [
        UNICODE.formula(t.on.written(v)) for t in [Trace(make, detail="statements")] for v in t.graph.variables if v.rule
    ]
    assert any("matmul(inputs[0], w)" in formula for formula in formulas(lambda: rows_of_the_data()[0]))
    assert not any("inputs[" in formula for formula in formulas(lambda: rows_of_the_data()[1]))


def test_the_result_that_is_an_entry_of_an_array_has_one_name():
    def make():
        rank = Tensor([0.5, 2.0]) * 3
        return rank[1]

    trace = Trace(make)
    of_entries = entries(trace)
    assert of_entries.trace.names[of_entries.trace.graph.z] == "z"
    assert {of_entries.trace.names[x] for x in of_entries.inputs} <= {"v1[0]", "v1[1]"}

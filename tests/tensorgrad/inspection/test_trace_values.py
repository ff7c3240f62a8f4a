"""Traces of tensors: every executed line of the tutorial's loop, and of every other schedule."""

import copy
import gc
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensorgrad as tg
from scalargrad import Graph, Trace, Value, backpropagation
from scalargrad.formulas.notations import LATEX, MATHML, PRETTY
from scalargrad.formulas.symbols import Name, render
from scalargrad.tracing import schedules
from scalargrad.tracing.gathering import steps
from tensorgrad import Tensor, nn
from tensorgrad.inspection.formulas import renamed
from tensorgrad.inspection.forward_values import forward_values
from tests.each import each, swept
from tests.examples import at_most
from tests.tensorgrad.case import assert_close
from tests.tensorgrad.cases import every_case
from tutorial.graphs.matrices import fan_out, product

SCHEDULES = [
    *[(name, {}) for name, schedule in schedules.SCHEDULES.items() if not schedule.along_paths],
    ("counting", {"queue": "lifo"}),
    ("counting", {"queue": "random", "seed": 3}),
]

UNREADABLE = r"dz/dy|<\w|object at|array\(|slice\(|None, None"  # in a formula


def traced(v, **options):
    return Trace(v["z"], names={}, **options)


def index(trace, act, x, nth=0):
    return [i for i, s in enumerate(trace) if s.act == act and s.x is x.node][nth]


def written(formula):
    return render(formula, PRETTY)


# The tutorial's example


@each("schedule, options", SCHEDULES, ids=str)
def test_the_total_is_the_sum_of_the_contributions(schedule, options):
    v = fan_out()
    total = traced(v, schedule=schedule, **options).computed[v["B"]]
    assert set(written(total.symbol).split(" + ")) == {"G_BC", "G_BE"}
    assert total.number.tolist() == [[6, 6], [13, 13]]


def test_the_shorter_example():
    v = product()
    computed = traced(v).computed
    assert {name: computed[x].number.tolist() for name, x in v.items()} == {
        "z": 1, "C": [[1, 1], [1, 1]], "A": [[2, 4], [2, 4]], "B": [[5, 5], [12, 12]],
    }  # fmt: skip


def test_equation_1_in_three_forms_with_a_question_mark_for_each_unknown_factor():
    v = fan_out()
    trace = traced(v)
    chain_rule, symbols, numbers = map(written, trace.equation(index(trace, "insert", v["B"])))
    assert (chain_rule, symbols) == ("G_BC + G_BE", "Aᵀ dz/dC + dz/dE")
    assert numbers == "[[5, 5], [12, 12]] + [[1, 1], [1, 1]]"
    _, symbols, numbers = map(written, trace.equation(index(trace, "partial", v["B"])))
    assert (symbols, numbers) == ("Aᵀ dz/dC + ?", "? + ?")


def test_the_steps_are_those_of_the_pseudocode_and_say_what_each_line_found():
    v = fan_out()
    trace = traced(v)
    at_B = [s for s in trace if s.x is v["B"].node]
    assert [s.line for s in at_B] == [7, 9, 13, 14, 15, 13, 14, 15, 17]
    partial, upstream, term = at_B[2].partial, at_B[3].upstream, at_B[4].term
    assert partial.number is None and written(partial.symbol) == "Aᵀ dz/dC"
    assert written(upstream.symbol) == "dz/dC" and upstream.number.tolist() == [[1, 1], [1, 1]]
    assert written(term.symbol) == "G_BC" and term.number.tolist() == [[5, 5], [12, 12]]
    assert trace[0].computed == {} and list(trace[-1].computed) == trace.graph.order
    start = trace.computed[v["z"]]
    assert (start.number.tolist(), start.symbol) == (1, 1)


def test_an_order_of_your_own_is_followed_for_tensors():
    v = fan_out()
    order = [v[name] for name in "zWCAEBD"]
    trace = traced(v, order=order)
    assert [trace.names[x] for x in trace.graph.order] == list("zWCAEBD")
    assert trace.computed[v["B"]].number.tolist() == [[6, 6], [13, 13]]


def test_several_edges_between_two_variables_are_numbered():
    A = Tensor([[1.0, 2.0], [3.0, 4.0]], name="A")
    C = A @ A
    C.name = "C"
    z = C.sum()
    total = Trace(z).computed[A]
    assert written(total.symbol) == "G_AC,1 + G_AC,2"
    assert render(total.symbol, LATEX) == "G_{AC,1} + G_{AC,2}"
    assert "<mi>A</mi><mi>C</mi><mo>,</mo><mn>2</mn>" in render(total.symbol, MATHML)
    z.backward()
    np.testing.assert_allclose(total.number, A.grad)


def test_the_schedules_know_the_vjp_of_each_edge():
    v = product()
    on, C = traced(v).on, v["C"].node
    assert on.as_made(C, 0, on.partial(C, 0)) and not on.as_made(C, 0, on.partial(C, 1))


def test_long_names_are_told_apart():
    hidden, weights = Tensor([[1.0]], name="hidden"), Tensor([[2.0]], name="w1")
    out = hidden @ weights
    out.name = "out"
    assert [written(Trace(out).ratio(out.node, slot)) for slot in (0, 1)] == ["G_hidden,out", "G_w₁,out"]


# Equal to the fast loop


FUNCTIONS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (b * b + 1),
    "tanh": lambda a, b: a.tanh(),
    "matmul": lambda a, b: (a + np.zeros((3, 3))) @ (b + np.zeros((3, 3))),
    "constant": lambda a, b: 2 * a + np.ones(3),
}


def random_graph(draw):
    """Draw a graph of a few matrices and vectors that uses variables several times and broadcasts them."""
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    made = [Tensor(rng.uniform(0.5, 1.5, shape)) for shape in ((3, 3), (3, 3), (3,), (1, 3), ())]
    for _ in range(draw(st.integers(1, 8))):
        a, b = (made[draw(st.integers(0, len(made) - 1))] for _ in "ab")
        made.append(FUNCTIONS[draw(st.sampled_from(list(FUNCTIONS)))](a, b))
    z = made[-1].sum()
    for x in made[-3:-1]:
        z = z + x.sum()
    return z, made[:5]


@at_most(40)
@given(st.data())
def test_every_schedule_gives_what_backward_gives(data):
    z, leaves = random_graph(data.draw)
    graph = Graph(z)
    found = [backpropagation(z)] + [Trace(z, names={}, schedule=s, **o).computed for s, o in SCHEDULES]
    z.backward()
    for x in leaves:
        if x.node not in graph.children:
            assert x.grad is None
            continue
        for computed in found:
            number = getattr(computed[x], "number", computed[x])
            assert number.shape == x.shape
            np.testing.assert_allclose(number, x.grad, rtol=1e-12, atol=1e-12)


_ONE_OF_EACH = {case.name: case for case in every_case()}


@swept("case", _ONE_OF_EACH.values(), every=9, ids=lambda case: case.name)
def test_every_rule_is_traced_and_its_formula_written(case):
    tensors = [Tensor(a, name=f"in{i}") for i, a in enumerate(case.arrays())]
    z = case.loss(tensors)
    trace = Trace(z, names={})
    assert trace.graph.order[1:]
    for y in trace.graph.variables:
        call = written(trace.on.written(y)) if y.rule else ""
        assert not re.search(UNREADABLE, call), call
        for slot in range(len(y.inputs)):
            formula = written(trace.on.partial(y, slot).symbol)
            assert formula and not re.search(UNREADABLE, formula), f"{y.rule.name}: {formula}"
    trace.to_json()
    z.backward()
    found = [t for t in tensors if t.node in trace.graph.children]
    assert_close([trace.computed[t].number for t in found], [t.grad for t in found], 1e-10, f"{case.name}, traced")


def test_float32_stays():
    x = Tensor(np.ones((2, 3), np.float32), name="x")
    assert backpropagation((x * 2).sum())[x].dtype == np.float32
    assert Trace((x * np.arange(3)).sum()).computed[x].number.dtype == np.float32


def test_poles_are_silent():
    x = Tensor([0.0, 1.0], name="x")
    assert Trace(x.log().sum()).computed[x].number.tolist() == [np.inf, 1]


def test_a_long_chain():
    x = Tensor([1.0, 2.0], name="x")
    y = x
    for _ in range(3000):
        y = y + 1
    assert backpropagation(y.sum())[x].tolist() == [1, 1]


def test_a_trace_changes_nothing_and_backward_still_runs():
    v = fan_out()
    trace = traced(v)
    assert all(x.grad is None for x in v.values())
    v["z"].backward()
    assert v["B"].grad.tolist() == [[6, 6], [13, 13]]
    assert trace.computed[v["B"]].number.tolist() == [[6, 6], [13, 13]]


# Refusals


def test_a_released_graph_is_traced_as_before():
    v = fan_out()
    before = traced(v)
    v["z"].backward()
    after = traced(v)
    assert [s.act for s in after] == [s.act for s in before] and v["C"].node.released
    assert all(np.array_equal(after.computed[x].number, before.computed[x].number) for x in before.computed)
    assert Trace(v["z"], steps=steps).computed[v["B"]].number.tolist() == [[6, 6], [13, 13]]
    assert after.on.zoom(v["C"].node, np.ones((2, 2))).graph.variables  # the page opens the function
    with pytest.raises(RuntimeError, match="released"):
        backpropagation(v["z"])
    with pytest.raises(RuntimeError, match="released"):
        v["z"].backward()


def test_a_graph_of_which_only_a_part_was_released_is_traced():
    v = fan_out()
    later = v["C"] * 2
    v["z"].backward()
    assert Trace(later.sum()).computed[v["B"]].number.tolist() == [[10, 10], [24, 24]]


@each("function", [
    lambda x: tg.max_pool2d(tg.conv2d(x, np.ones((1, 1, 2, 2))), 2), lambda x: tg.cross_entropy(x.reshape(5, 5), np.arange(5)),
    lambda x: tg.dropout(x, 0.5, training=True, rng=np.random.default_rng(1)), lambda x: np.concatenate([x, x * 2])[np.array([0, 1, 0])],
    tg.function(lambda x: x * x + 1),
])  # fmt: skip
def test_what_each_function_saved_is_computed_again(function):
    x = Tensor(np.random.default_rng(0).standard_normal((1, 1, 5, 5)))
    z = (function(x) * 2).sum()
    totals = lambda: [np.asarray(step.total.number).tolist() for step in Trace(z) if step.total]
    before = totals()
    z.backward()
    assert totals() == before


def test_what_is_lost_is_not_computed_again():
    x = Tensor(np.ones(50))
    z = (tg.dropout(x, 0.5, training=True, rng=np.random.default_rng(0)) * 2).sum()
    z.backward()
    lost = r"Trace: .* was released by an earlier backward pass and cannot be computed again from what is left; .*retain_graph=True"
    with pytest.raises(RuntimeError, match=lost):
        Trace(z)


def test_a_trace_starts_at_one_number():
    v = fan_out()
    with pytest.raises(
        ValueError, match=r"^Trace: z must be a scalar, but W has shape \(2, 2\); trace its \.sum\(\), or \(z \* upstream\)\.sum\(\)"
    ):
        Trace(v["W"])
    assert Trace(Tensor([[3.0]], name="x") * 2).iterations == 1  # one number, whatever its shape


def test_the_paths_between_tensors_are_not_numbers():
    with pytest.raises(ValueError, match=r"zoom\(z\)\.z"):
        traced(fan_out(), schedule="paths")


# What variables hold


def test_freed_arrays_are_computed_again():
    A, B, D = Tensor([[3, 7], [2, 5]]), Tensor([[2, 0], [0, 4]]), Tensor([[5, 3], [1, 9]], keep_grad=False)

    def z_of(a, b):
        return ((a @ b) * 2 + D).sum()

    z = z_of(A, B)
    nodes = Graph(z).variables
    assert [x.data is None for x in nodes] == [False, False, True, True, True, False]
    assert [array.tolist() for array in forward_values(nodes).values()][2:] == [
        [[6, 28], [4, 20]],
        [[12, 56], [8, 40]],
        [[17, 59], [9, 49]],
        134,
    ]


def test_arrays_that_backward_released_are_computed_again_if_the_result_can_be_compared():
    A, B = Tensor([[3.0, 7.0]]), Tensor([[2.0], [1.0]])
    z = ((A @ B).tanh() * 2 + A).sum()
    before = [array.tolist() for array in forward_values(Graph(z).variables).values()]
    z.backward()
    nodes = Graph(z).variables
    assert [array.tolist() for array in forward_values(nodes).values()] == before
    end = z.node
    del z
    gc.collect()
    assert end.data is None and [array is None for array in forward_values(nodes).values()] == [x.inputs != () for x in nodes]


def test_a_random_mask_that_backward_dropped_is_freed_and_not_drawn_anew():
    x = Tensor(np.ones(50))
    z = (tg.dropout(x, 0.5, training=True, rng=np.random.default_rng(0)) * 2).sum()
    z.backward()
    found = forward_values(Graph(z).variables)
    assert [array is None for array in found.values()] == [False, True, True, False]


def test_a_leaf_that_is_not_referenced_is_found_among_saved_arrays_or_is_freed():
    z = (Tensor([[3.0, 7.0]]) @ Tensor([[2.0], [1.0]])).sum()
    gc.collect()
    assert [array.tolist() for array in forward_values(Graph(z).variables).values()] == [[[3, 7]], [[2], [1]], [[13]], 13]
    z = Tensor([[3.0, 7.0]]) @ Tensor([2.0, 1.0])  # the product saves the vector as a column
    gc.collect()
    assert next(x for x in forward_values(Graph(z).variables).values() if x.shape == (2,)).tolist() == [2, 1]
    z = (Tensor([1.0, 2.0]) + 1).sum()
    gc.collect()
    *lost, last = forward_values(Graph(z).variables).values()
    assert lost == [None, None] and last == 5


# Formulas


@each(
    "formula, expected",
    [
        ("dz/dC Bᵀ", "d loss/dH W₁ᵀ"),
        ("Aᵀ dz/dC", "Xᵀ d loss/dH"),
        ("dz/dy in the shape of A", "d loss/dH in the shape of X"),
        ("dz/dy · y (1 - y²)", "d loss/dH · H (1 - H²)"),
        ("Bad, a BA, dz/dy[A]", "Bad, a BA, d loss/dH[X]"),
        ("dz/dA A_ij", "d loss/dX A_ij"),
        ("c Aᵀ", "2 Xᵀ"),
    ],
)
def test_a_rules_formula_takes_the_names_of_the_graph(formula, expected):
    assert written(renamed(formula, {"A": Name("X"), "B": Name("W1"), "c": 2}, Name("H"), "loss")) == expected


def test_the_article_is_not_a_variable():
    known = {"a": Name("x"), "b": Name("w")}
    assert written(renamed("dz/dy b, summed over a whole axis of a", known, Name("y"), "z")) == "dz/dy w, summed over a whole axis of x"


def test_names_are_replaced_all_at_once():
    known = {"A": Name("B"), "B": Name("A")}  # the user calls the left factor B
    assert written(renamed("dz/dC Bᵀ A", known, Name("C"), "z")) == "dz/dC Aᵀ B"


def test_elementwise_formulas_come_from_the_row():
    x, b = Tensor([1.0, 2.0], name="x"), Tensor([3.0], keep_grad=False, name="b")
    y = (x * b).tanh()
    y.name = "y"
    z = y.sum()
    trace = Trace(z, names={y.inputs[0]: "s"})
    formulas = [written(trace.on.partial(y, 0).symbol) for y in trace.graph.variables[1:3]]
    assert formulas == ["dz/ds·b", "dz/dy·(1 − y·y)"]
    assert [written(trace.on.written(y)) for y in trace.graph.variables[1:]] == ["x·b", "tanh(s)", "sum(y)"]


def test_options_are_written_where_they_are_not_the_usual_ones():
    x = Tensor([[1.0, 2.0]], name="x")
    trace = Trace(x.sum(axis=1, keepdims=True))
    assert written(trace.on.written(trace.graph.z)) == "sum(x, axis=1, keepdims=True)"
    y = x[:, 1:2]
    assert written(Trace(y).on.written(y.node)) == "x[:, 1:2]"


def test_a_negative_contribution():
    a, b = Tensor([1.0], name="a"), Tensor([2.0], name="b")
    y = a - b
    y.name = "y"
    assert [written(Trace(y).on.partial(y.node, slot).symbol) for slot in (0, 1)] == ["dy/dy", "−dy/dy"]


# JSON


def test_json_holds_arrays_as_nested_lists_with_their_shape():
    v = fan_out()
    trace = json.loads(traced(v).to_json())
    by_name = {x["name"]: x for x in trace["variables"]}
    assert (by_name["C"]["data"], by_name["C"]["shape"]) == ([[6, 28], [4, 20]], [2, 2])
    assert (by_name["z"]["data"], by_name["z"]["shape"]) == (82, [])
    assert by_name["C"]["formula"]["text"] == "matmul(A, B)"
    terms = [s["term"] for s in trace["steps"] if s["act"] == "add" and s["x"] == trace["variables"].index(by_name["B"])]
    assert [(t["text"], t["number"], t["shape"]) for t in terms] == [
        ("G_BC", [[5, 5], [12, 12]], [2, 2]),
        ("G_BE", [[1, 1], [1, 1]], [2, 2]),
    ]
    last = {trace["variables"][i["variable"]]["name"]: i["total"] for i in trace["insertions"]}["B"]
    assert (last["text"], last["number"]) == ("G_BC + G_BE", [[6, 6], [13, 13]])
    assert {(e["partial"]["number"], e["partial"]["text"]) for e in trace["edges"]} >= {(None, "Aᵀ dz/dC"), (None, "dz/dC Bᵀ")}
    written = render(traced(v).on.partial(v["C"].node, 1).symbol, MATHML)
    assert re.fullmatch("<mrow>.*<mtext>ᵀ\N{NO-BREAK SPACE}</mtext><mfrac>.*</mrow>", written)


def test_json_of_large_arrays_says_their_range_and_special_numbers_are_strings():
    x = Tensor(np.linspace(-1, 1, 10_001), name="x")
    found = json.loads(Trace((x * np.inf).sum()).to_json())["variables"]
    assert found[0] == {**found[0], "data": None, "shape": [10_001], "range": [-1, 1]}
    assert found[1]["range"] == ["nan", "nan"] and found[2]["data"] == "nan"


def test_the_json_of_numbers_has_no_shapes():
    x = Value(3, name="x")
    found = Trace(x * x, names={}).to_dict()
    assert found["version"] == 1 and found["edges"][0]["partial"]["number"] == 3
    assert not any("shape" in v for v in found["variables"])


def test_a_trace_of_a_function_has_the_arrays_of_all_leaves_that_it_uses():
    """Also of those whose tensors no call of Tensor has made: a copied module's. The function returns z alone."""

    def loss():
        layer = copy.deepcopy(nn.Linear(2, 3, dtype="float64"))
        return layer(np.ones((4, 2))).sum()

    trace = Trace(loss)
    assert all(trace.on.data(v) is not None for v in trace.graph.variables)

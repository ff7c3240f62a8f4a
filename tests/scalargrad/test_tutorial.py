"""The tutorial's Figure 1: its seven printed steps, its order and its final dictionary, in symbols and in numbers.

The steps are compared with the list in the tutorial itself (tutorial_steps.txt), not with an earlier run.
"""

import re
from fractions import Fraction
from pathlib import Path

from scalargrad import Graph, Trace, backpropagation, topological_order
from scalargrad.formulas.notations import LATEX, TEXT
from scalargrad.formulas.symbols import Ratio, evaluate, render
from tests.each import each
from tests.scalargrad.graphs import figure1

ORDER = ["z", "y2", "y1", "x2", "x1", "x3", "x4"]
BY_HAND = {  # z = x1·(x1 + x2 + x3 + x4) + x4², differentiated on paper
    "z": lambda x1, x2, x3, x4: 1,
    "y2": lambda x1, x2, x3, x4: 1,
    "y1": lambda x1, x2, x3, x4: x1,
    "x2": lambda x1, x2, x3, x4: x1,
    "x1": lambda x1, x2, x3, x4: 2 * x1 + x2 + x3 + x4,
    "x3": lambda x1, x2, x3, x4: x1,
    "x4": lambda x1, x2, x3, x4: x1 + 2 * x4,
}
POINTS = [(3, 1, -2, 4), (0, 0, 0, 0), (Fraction(1, 3), Fraction(-2, 7), 5, Fraction(9, 4)), (0.5, -1.25, 8.0, 0.0)]


def traced(numbers=POINTS[0]):
    v = figure1(numbers)
    return v, Trace(v["z"], order=[v[name] for name in ORDER])


def printed_list():
    """Return the seven items of the tutorial's list, each without its white space."""
    text = (Path(__file__).parent / "tutorial_steps.txt").read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [bare(item) for item in re.split(r"\n(?=\d\. )", text.strip())]


def bare(text):
    return re.sub(r"\s", "", text)


def dictionary(trace, computed):
    entries = (f"{render(trace.total(x), LATEX)} : {render(q.symbol, LATEX)}" for x, q in computed.items())
    return rf"\{{{', '.join(entries)}\}}"


def item(trace, i):
    """Return the list item of the iteration that ends with step i. The trace gives its `calculate` and its chain rule."""
    step, first = trace[i], next(s for s in trace.steps if s.iteration == trace[i].iteration)
    partials = (f"{render(trace.ratio(t.y, t.slot), LATEX)} = {render(t.partial.symbol, LATEX)}" for t in trace.terms(i))
    chain_rule, symbols, _ = trace.equation(i)
    rule = [trace.total(step.x), chain_rule, symbols, step.total.symbol]
    return f"""{step.iteration}. current node: {LATEX.name(trace.names[step.x])}
        computed = {dictionary(trace, first.computed)}
        calculate: {" and ".join(partials)}
        invoke chain rule: {" = ".join(render(formula, LATEX) for formula in rule)}"""


def test_the_seven_printed_steps_are_those_of_the_tutorial():
    _, trace = traced()
    ours = [item(trace, i) for i, step in enumerate(trace.steps) if step.act == "insert"]
    ours.append(f"7. Final output: {dictionary(trace, trace.computed)}")
    assert list(map(bare, ours)) == printed_list()


def test_the_order_of_the_tutorial_is_legal_and_is_kept():
    v = figure1()
    order = [v[name] for name in ORDER]
    assert topological_order(v["z"], order) == order
    assert [x.name for x in backpropagation(v["z"], order)] == ORDER


def test_the_final_dictionary_in_plain_text():
    _, trace = traced()
    assert {x.name: str(q.symbol) for x, q in trace.computed.items()} == {
        "z": "1", "y2": "1", "y1": "x1", "x2": "x1", "x1": "y1 + x1", "x3": "x1", "x4": "x1 + 2*x4",
    }  # fmt: skip


@each("numbers", POINTS, ids=str)
def test_each_total_derivative_is_the_one_found_by_hand(numbers):
    v, trace = traced(numbers)
    by_hand = {name: derivative(*numbers) for name, derivative in BY_HAND.items()}
    assert {x.name: q.number for x, q in trace.computed.items()} == by_hand
    assert {x.name: d for x, d in backpropagation(v["z"]).items()} == by_hand
    v["z"].backward()
    assert {name: x.grad for name, x in v.items()} == by_hand


@each("numbers", POINTS, ids=str)
def test_every_formula_of_every_step_stands_for_its_number(numbers):
    v, trace = traced(numbers)
    data = {name: x.data for name, x in v.items()}
    for step in trace.steps:
        for q in (step.partial, step.upstream, step.term, step.total):
            assert q is None or evaluate(q.symbol, data) == q.number == eval(render(q.symbol, TEXT), dict(data))


def test_there_are_46_steps_and_they_walk_the_pseudocode():
    v, trace = traced()
    lines = [1, 3, 5]
    for name in ORDER[1:]:
        lines += [7, 9, *[13, 14, 15] * len(trace.graph.children[v[name]]), 17]
    assert [step.line for step in trace.steps[:-1]] == lines
    assert len(lines) == 45 and len(trace) == 46 and trace[-1].act == "done"
    assert trace.iterations == 6


def test_the_children_of_x1_are_z_and_y1_in_that_order():
    v, _ = traced()
    assert [edge.child.name for edge in Graph(v["z"]).children[v["x1"]]] == ["z", "y1"]
    assert [edge.child.name for edge in Graph(v["z"]).children[v["x4"]]] == ["y1", "y2"]


def test_equation_2_holds_in_its_three_forms():
    v, trace = traced()
    i = next(i for i, s in enumerate(trace.steps) if s.act == "insert" and s.x is v["x1"])
    chain_rule, symbols, numbers = map(render, trace.equation(i))
    assert chain_rule == "dz/dz*∂z/∂x1 + dz/dy1*∂y1/∂x1"
    assert symbols == "1*y1 + x1*1"
    assert numbers == "1*6 + 3*1"
    assert trace[i].total == (9, trace[i].total.symbol) and str(trace[i].total.symbol) == "y1 + x1"


def test_a_factor_that_is_not_known_yet_is_a_question_mark():
    v, trace = traced()
    i = next(i for i, s in enumerate(trace.steps) if s.act == "add" and s.x is v["x1"])
    assert render(trace.equation(i)[1]) == render(trace.equation(i - len(trace))[1]) == "1*y1 + ?*?"


def test_figure_1_has_seven_variables_and_eight_edges():
    v, trace = traced()
    assert len(trace.graph.variables) == 7
    assert sum(map(len, trace.graph.children.values())) == 8
    assert {edge.child.name + x.name for x in v.values() for edge in trace.graph.children[x]} == {
        "zx1", "zy1", "zy2", "y1x1", "y1x2", "y1x3", "y1x4", "y2x4",
    }  # fmt: skip


def test_the_theorem_holds_at_every_variable_of_the_final_dictionary():
    v, trace = traced(POINTS[2])
    total = {x: q.number for x, q in trace.computed.items()}
    for x, edges in trace.graph.children.items():
        if x is not v["z"]:
            assert total[x] == sum(total[y] * y.partials[slot] for y, slot in edges)


def test_ratios_name_partial_and_total_derivatives_differently():
    v, trace = traced()
    assert render(trace.total(v["x1"])) == "dz/dx1"
    assert render(Ratio("∂", "z", "x1")) == render(trace.ratio(v["z"], 0)) == "∂z/∂x1"

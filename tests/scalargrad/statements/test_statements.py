"""Graphs of statements: the same derivatives as those of operations, formulas as a person writes them, and few boxes."""

import copy
import math
import pickle
import random
from collections import Counter
from fractions import Fraction

import pytest

from scalargrad import Graph, Trace, Value, backpropagation, check, cos, exp, function, log, scope, sin, tanh
from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.symbols import Name, Ratio, Symbol, evaluate, names_in, render
from scalargrad.statements.statement import Statement, length, uses_by
from scalargrad.statements.statement_graph import statements
from scalargrad.user_names.function_result import result_of
from tests.each import swept
from tests.scalargrad.graphs import FUNCTIONS
from tests.scalargrad.statements.programs import SIZES, at_infinity, newton, perceptron, spring


def made(program):
    return result_of(program)[0]


def written(found):
    """The formulas of a graph of statements, as people read them."""
    trace = Trace(found.z, names=found.names)
    return {trace.names[y]: render(trace.on.written(y), PRETTY) for y in trace.graph.variables if y.inputs}


def partials(found, y):
    """{x: ∂y/∂x} for the variable of this name, as people read it."""
    trace = Trace(found.z, names=found.names)
    (y,) = [v for v, name in trace.names.items() if name == y]
    return {trace.names[x]: render(trace.on.partial(y, slot).symbol, PRETTY) for slot, x in enumerate(y.inputs)}


def same_totals(z, found):
    whole, folded = backpropagation(z), backpropagation(found.z)
    for y, there in found.variable.items():
        assert folded[there] == pytest.approx(whole[y], rel=1e-9, abs=1e-12, nan_ok=True)
    assert set(found.variable.values()) == set(Graph(found.z).variables)


@swept("program", SIZES, every=3, ids=lambda program: program.__name__)
def test_programs_of_lectures_have_few_boxes_and_the_same_derivatives(program):
    root = made(program)
    found = statements(root)
    assert (len(Graph(root).variables), len(found.variable)) == SIZES[program]
    same_totals(root, found)


def random_program(seed):
    """A random graph of Fractions, in which about half of the variables have names."""
    dice = random.Random(seed)
    variables = [Value(Fraction(dice.randint(-8, 8), dice.randint(1, 4)), name=f"x{i}") for i in range(4)]
    for i in range(dice.randint(3, 30)):
        arity, apply = dice.choice([*FUNCTIONS.values()])
        variables.append(apply(*(dice.choice(variables[-8:]) for _ in range(arity))))
        if dice.random() < 0.5:
            variables[-1].name = f"y{i}"
    return variables[-1]


def item_response():
    ability, level, total = Value(0.5), Value(1.2), 0
    for k, right in enumerate([1, 1, 0, 1, 0]):
        p = 1 / (1 + exp(-level * (ability - k)))
        total += right * log(p) + (1 - right) * log(1 - p)
    return -total


def sparse_rows():
    u, v, w = Value(1.0), Value(2.0), Value(-1.0)
    rows = [sum(m * x for m, x in zip(row, (u, v, w))) for row in ([0, 2, 0], [1, 0, 0], [0, 0, 0])]
    ratio = 0 / w + rows[0] / (1 + rows[1] * rows[1])
    return exp(-ratio) + 0 * rows[2]


@swept("root", [item_response, sparse_rows, *SIZES, *map(random_program, range(20))], every=3)
def test_the_formula_of_a_box_names_what_arrows_come_from(root, monkeypatch):
    monkeypatch.setattr("scalargrad.statements.statement.brief", lambda terms, shapes: terms)  # what "…" stands for is written, too
    found = statements(made(root) if callable(root) else root)
    for y in found.variable.values():
        symbols = [Name(found.names[x]) for x in y.inputs]
        if y.inputs and getattr(y.rule, "times", 1) == 1:
            formulas = [y.rule(*symbols), *([y.rule.abbreviated(symbols)] if isinstance(y.rule, Statement) else [])]
            assert [names_in(formula) for formula in formulas] == [{x.name for x in symbols}] * len(formulas), found.names[y]


@pytest.mark.parametrize("many", [40, pytest.param(200, marks=pytest.mark.sweep)])
def test_random_programs_have_exactly_the_same_derivatives(many):
    folded = 0
    for seed in range(many):
        root = random_program(seed)
        found = statements(root)
        whole, totals = backpropagation(root), backpropagation(found.z)
        assert {y: totals[there] for y, there in found.variable.items()} == {y: whole[y] for y in found.variable}, seed
        folded += len(whole) - len(totals)
        for y in found.variable.values():
            if isinstance(y.rule, Statement):
                numbers = [x.data for x in y.inputs]
                assert y.rule.evaluate(*numbers) == y.data
                assert y.rule.partials_at(range(len(y.inputs)), numbers, y.data) == y.partials
    assert folded > 2 * many


@swept("program", SIZES, every=4, ids=lambda program: program.__name__)
def test_a_partial_that_is_written_has_the_value_of_its_number(program):
    found = statements(made(program))
    trace = Trace(found.z, names=found.names)
    for y in trace.graph.variables:
        for slot in range(len(y.inputs)):
            number, formula = trace.on.partial(y, slot)
            if isinstance(formula, Symbol) and not isinstance(formula, Ratio):  # else the number alone is shown
                point = {trace.names[v]: v.data for v in (y, *y.inputs)}
                assert float(evaluate(formula, point)) == pytest.approx(number, rel=1e-9, nan_ok=True)
                if isinstance(y.rule, Statement):
                    assert length(formula) <= 60


def test_the_gradient_check_verifies_the_chain_rule_within_each_box():
    found = statements(made(perceptron))
    assert check(found.z)


def test_a_statement_is_a_name_of_the_program():
    found = statements(made(perceptron))
    assert written(found) == {
        "h1": "tanh(w₁₁·0.5 + w₁₂·(−1) + b₁)",
        "h2": "tanh(w₂₁·0.5 + w₂₂·(−1) + b₂)",
        "out": "v₁·h₁ + v₂·h₂ + c",
        "loss": "(out − 1)²",
    }
    assert partials(found, "h1") == {"w11": "0.5·(1 − h₁²)", "w12": "−(1 − h₁²)", "b1": "1 − h₁²"}


def test_a_name_without_operations_of_its_own_stays_the_variable_that_it_was():
    x, y = Value(3, name="x"), Value(2, name="y")
    p = x * y
    p.name = "p"
    found = statements(p * p)
    assert found.variable[p] is p and found.z.inputs == (p, p) and found.z is found.variable[Graph(found.z).z]


def test_a_sum_that_a_loop_accumulates_is_one_sum():
    def program():
        x, total = Value(2.0), 0
        for k in range(3):
            total = total + x**k
        return total

    assert written(statements(made(program))) == {"total": "x⁰ + x + x²"}


def test_numbers_under_a_line_are_one_fraction():
    def program():
        p1, p2 = Value(0.5), Value(0.25)
        loss = -(log(p1) + log(p2)) / 3
        return loss

    assert partials(statements(made(program)), "loss") == {"p1": "−1/(3·p₁)", "p2": "−1/(3·p₂)"}


def test_a_long_formula_is_cut_at_its_heaviest_argument_and_all_of_its_shape():
    def program():
        a, b, c, d = Value(0.1), Value(0.2), Value(0.3), Value(0.4)
        result = tanh(sin(a * b) + c * exp(d)) * tanh(sin(c * d) + a * exp(b))
        return result

    assert written(statements(made(program))) == {"v1": "tanh(sin(a·b) + c·exp(d))", "v2": "tanh(sin(c·d) + a·exp(b))", "result": "v₁·v₂"}


def test_a_line_of_the_program_is_cut_later_than_what_has_no_name():
    """The density of a normal distribution is one line of a lecture, and the terms of a sum of many lines are boxes."""

    def density():
        x, mu, s, p = Value(0.4), Value(1.0), Value(2.0), Value(0.3)
        a = p * exp(-((x - mu) ** 2) / (2 * s**2))
        return a * a

    def unnamed():
        x, mu, s, p = Value(0.4), Value(1.0), Value(2.0), Value(0.3)
        return sin(p * exp(-((x - mu) ** 2) / (2 * s**2)))

    assert written(statements(made(density)))["a"] == "p·exp(−(x − μ)²/(2·s²))"
    assert len(written(statements(made(unnamed)))) > 1


def test_a_program_of_one_line_is_more_than_one_box():
    def expression():
        w1, w2, x, b, v, c = map(Value, (0.3, 0.2, 1.0, 0.1, 0.7, 0.0))
        z = (tanh(w1 * 0.5 + w2 * x + b) * v + c - 1) ** 2
        return z

    assert len(written(statements(made(expression)))) == 2


def test_an_argument_like_one_that_has_a_name_stays_in_the_formula_unless_they_are_terms():
    def gain():
        q, r, p = Value(0.1), Value(0.2), Value(1.0)
        p = p + q
        k = p / (p + r)
        return k * p

    assert written(statements(made(gain)))["k"] == "p₁/(p₁ + r)"


def test_if_one_term_is_a_box_all_terms_of_its_shape_are():
    def program():
        l1, l2, l3 = Value(0.1), Value(0.2), Value(0.3)
        e = exp(l1)
        p = e / (e + exp(l2) + exp(l3))
        return p

    assert written(statements(made(program))) == {"e": "exp(l₁)", "v1": "exp(l₂)", "v2": "exp(l₃)", "p": "e/(e + v₁ + v₂)"}


def test_a_long_sum_of_one_shape_shows_its_first_and_its_last_term():
    def neuron():
        weights, inputs, b = [Value(0.1 * k) for k in range(9)], [Value(0.2 * k) for k in range(9)], Value(1.0)
        s = b
        for w, x in zip(weights, inputs):
            s = s + w * x
        return tanh(s)

    assert written(statements(made(neuron)))["s"] == "b + weights[0]·inputs[0] + … + weights[8]·inputs[8]"


def test_a_variable_that_another_scope_uses_is_a_box():
    def first(x):
        with scope("first"):
            return sin(x) * 2

    with scope("second"):
        root = cos(first(Value(0.5, name="x"))) + 1
    found = statements(root)
    assert list(written(found).values()) == ["sin(x)·2", "cos(v₁) + 1"]
    assert [v.scope for v in found.variable.values()] == [("second",), ("second", "first"), ("second",)]


def test_a_number_that_is_not_finite_stands_in_a_box_of_its_own():
    root = made(at_infinity)
    whole, folded = backpropagation(root), backpropagation(statements(root).z)
    assert math.isnan(whole[Graph(root).variables[0]]) == math.isnan(folded[Graph(root).variables[0]])


def test_a_function_that_has_no_formula_stands_in_a_box_of_its_own():
    @function(partials=lambda x: [math.cos(x)])
    def by_hand(x):
        return math.sin(x)

    x = Value(0.5, name="x")
    root = by_hand(x * 2) * 3
    found = statements(root)
    same_totals(root, found)
    assert len(found.variable) == 4


def test_fractions_stay_fractions():
    x = Value(Fraction(1, 3), name="x")
    root = (x * 2 + 1) / x
    assert statements(root).z.partials == (Fraction(-9),)


def test_a_deep_chain_is_folded_without_recursion():
    x = root = Value(1.0)
    for _ in range(600):
        root = root * 0.9999 + 0.0001
    found = statements(root)
    assert len(found.variable) < 500
    assert backpropagation(found.z)[x] == pytest.approx(backpropagation(root)[x])


def test_what_a_statement_takes_is_counted_as_the_program_does():
    """The spring takes k and m once in each of its 20 passes, of which two statements show 18; Newton's method takes a in 4 passes."""
    for program, uses in ((spring, {"k": 20, "m": 20, "v_0": 1, "x_0": 2}), (newton, {"a": 4, "x_0": 4})):
        root = made(program)
        found, counted, times = statements(root), set(), Counter()
        for y in Graph(found.z).variables:
            for x, many in uses_by(y, counted):
                times[found.names[x]] += many
        whole = Graph(root)
        assert times.items() >= uses.items()
        assert times == {found.names[found.variable[x]]: len(whole.children[x]) for x in found.variable if whole.children[x]}


def test_a_graph_of_statements_can_be_copied_and_pickled():
    found = statements(made(perceptron))
    for again in (copy.deepcopy(found.z), pickle.loads(pickle.dumps(found.z))):
        assert [*backpropagation(again).values()] == [*backpropagation(found.z).values()]
        assert again.rule.evaluate(0.5) == 0.25

"""Expressions: only arithmetic and the table's functions are read, and what cannot be read is pointed at in one line."""

from fractions import Fraction

import pytest

from scalargrad import Graph, Value, rules
from tests.each import each
from tutorial.cli.shared.expression import CONSTANTS, FUNCTIONS, LONGEST, ExpressionError, graph_of, number


def refusal(text, **values):
    with pytest.raises(ExpressionError) as caught:
        graph_of(text, values)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_one_expression_is_one_function_for_each_operation_and_a_long_sum_is_one_function():
    z = graph_of("x1*(x1+x2+x3+x4)+x4**2", {"x1": 3, "x2": 1, "x3": -2, "x4": 4})
    assert z.data == 34
    assert [(v.name, v.rule.name) for v in Graph(z).variables if v.inputs] == [("y1", "sum"), ("y2", "mul"), ("y3", "pow"), ("z", "add")]


def test_several_lines_are_one_function_each_so_figure_1_has_seven_variables_and_eight_edges():
    z = graph_of("y1 = x1 + x2 + x3 + x4; y2 = x4**2; z = x1*y1 + y2", {"x1": 3, "x2": 1, "x3": -2, "x4": 4})
    graph = Graph(z)
    assert len(graph.variables) == 7
    assert sum(map(len, graph.children.values())) == 8
    z.backward()
    assert {v.name: v.grad for v in graph.variables} == {"x1": 9, "x2": 3, "x3": 3, "x4": 11, "y1": 3, "y2": 1, "z": 1}


def test_names_of_the_user_are_never_taken_for_results():
    z = graph_of("y1*z + y1*y1", {"y1": 2, "z": 3})
    names = [v.name for v in Graph(z).variables]
    assert len(set(names)) == len(names)
    assert z.data == 10


@each("name", sorted(FUNCTIONS))
def test_every_function_of_the_table_can_be_written(name):
    row = FUNCTIONS[name]
    names = ["a", "b", "c"][: len(row.partials) or 3]
    z = graph_of(f"{name}({', '.join(names)})", dict(zip(names, (1.0, 0.5, 0.75))))
    assert z.data == row(*(1.0, 0.5, 0.75)[: len(names)])


@each(
    ("text", "where", "what"),
    [
        ("x*(x + 1", "column 3 of \"x*(x + 1\", at '(x + 1'", "never closed"),
        ("x + foo(x)", "column 5", "unknown function foo; the functions are abs, acos"),
        ("x + y", "column 5", "y has no value; add y=1"),
        ("2 x", "column 3", "invalid syntax; write 2*x for a product"),
        ("2x", "column 1", "write 2*x for a product"),
        ("x²", "column 2", "write x**2 for a power"),
        ("x^2", "column 1", "write ** for a power: x**2"),
        ("x @ x", "column 1", "cannot read 'x @ x'"),
        ("exp(x, 2)", "column 1", "exp takes 1 number, got 2"),
        ("exp()*x", "column 1", "exp takes numbers in brackets"),
        ("y = x + 1; 3 + ; y", 'column 4 of "3 +", at its end', "invalid syntax"),
        ("x; y = x", 'of "x"', "expected name = expression"),
        ("x = 2; x*x", 'of "x = 2"', "x has a value already"),
        ("np.sin(x)", "column 1", "write sin(...) instead of np.sin(...)"),
        ("x*math.arctan(x)", "column 3", "write atan(...) instead of math.arctan(...)"),
        ("x.sin()", "column 1", "write sin(...) instead of x.sin(...)"),
        ("np.pi*x", "column 1", "write pi instead of np.pi"),
        ("x.data", "column 1", "a name cannot contain a dot; write a function or a variable instead of x.data"),
        ("sin x", "column 5", "invalid syntax; write sin(x)"),
        ("2*ln x", "column 6", "invalid syntax; write log(x)"),
        ("sin*x", "column 1", "sin is a function; write sin(x)"),
        ("ln(x)", "column 1", "write log(...) instead of ln(...)"),
        ("lambda*x", "column 9", "lambda is a keyword of Python and cannot be a name; write for example lambda_"),
        ("x*class", "", "class is a keyword of Python and cannot be a name; write for example class_"),
        ("2·x", "column 2", "instead of · write 2*x"),
        ("x − 1", "column 3", "instead of − write x - 1"),
        ("√x", "column 1", "instead of √ write sqrt(x)"),
        ("|x|", "column 1", "instead of | write abs(x)"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text, where, what):
    said = refusal(text, x=3)
    assert where in said
    assert what in said


@each(
    "text",
    [
        "__import__('os').system('true') + x",
        "x.__class__",
        "x.data",
        "[x for x in (1, 2)]",
        "(lambda: x)()",
        "x if x else 1",
        "f'{x}'",
        "x[0]",
        "(y := x)",
        "print(x)",
        "eval('x')",
        "x or 1",
        "x < 1",
        "'a' * x",
        "1j * x",
        "True * x",
        "exp(*[x])",
        "clamp(x, min=0, max=1)",
        "import os; x",
        "del x; x",
        "x += 1; x",
    ],
)
def test_nothing_else_is_ever_evaluated(text):
    refusal(text, x=3)


def test_a_value_that_is_not_used_is_an_error():
    assert "y is not in the expression" in refusal("x + 1", x=1, y=2)


@pytest.mark.parametrize("text", ["", " ; ", "3 + 4", "pi"])
def test_an_expression_without_a_variable_is_an_error(text):
    refusal(text)


@pytest.mark.parametrize("text", ["(" * 300 + "x" + ")" * 300, "-" * 9_000 + "x", "x" + "*x" * 4_500, "x" * (LONGEST + 1)])
def test_an_expression_that_is_too_deep_or_too_long_is_an_error_and_not_a_crash(text):
    refusal(text, x=1)


def test_a_tower_of_powers_does_not_take_for_ever():
    assert graph_of("9**9**9*x", {"x": 1}).data == float("inf")


def test_pi_and_e_are_known_unless_they_are_given():
    assert graph_of("pi*x", {"x": 1}).data == CONSTANTS["pi"]
    assert graph_of("e*x", {"x": 2, "e": 5}).data == 10


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), ("-2", -2), ("0.5", 0.5), ("1e-3", 1e-3), ("1/3", Fraction(1, 3)), ("-1/3", Fraction(-1, 3))]
)
def test_numbers_are_read_exactly(text, value):
    assert number(text) == value
    assert type(number(text)) is type(value)


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "-inf", "1/0", "1/", "1e999", "0x10", "3 4", "1j"])
def test_what_is_not_a_finite_number_is_refused(text):
    with pytest.raises(ValueError):
        number(text)


def test_fractions_stay_exact_through_an_expression():
    z = graph_of("x*x/3", {"x": Fraction(1, 2)})
    z.backward()
    assert z.data == Fraction(1, 12)
    assert isinstance(z, Value) and rules.div is Graph(z).variables[-1].rule.row


@pytest.mark.parametrize("text", [["x"], {"x": 1}, None, 3])
def test_an_expression_is_text(text):
    with pytest.raises(TypeError, match="^graph_of: .* is not the text of an expression"):
        graph_of(text, {})

"""Every row of the table of rules: right by finite differences, exact where it can be, printed as it computes, equal to sympy.

A row needs a line in oracles.py; a row without one fails.
"""

import ast
import itertools
import operator
from fractions import Fraction as F
from xml.etree import ElementTree

import pytest
import sympy

import scalargrad as sg
from scalargrad import Value, hessian, program, rules, value_and_grad
from scalargrad.formulas.notations import LATEX, MATHML, PRETTY, TEXT
from scalargrad.formulas.symbols import Name, evaluate, render
from scalargrad.rule import VariadicRow
from tests.each import each, swept
from tests.scalargrad import oracles
from tests.scalargrad.oracles import oracle

# fmt: off
_EXACT = {  # computed on paper: inputs, value, partials
    "add": [((F(1, 3), F(2, 5)), F(11, 15), (1, 1))],
    "sub": [((F(1, 3), F(2, 5)), F(-1, 15), (1, -1))],
    "mul": [((F(1, 3), F(2, 5)), F(2, 15), (F(2, 5), F(1, 3)))],
    "div": [((F(1, 3), F(2, 5)), F(5, 6), (F(5, 2), F(-25, 12)))],
    "neg": [((F(1, 3),), F(-1, 3), (-1,))],
    "pow": [((F(2, 3), 3), F(8, 27), (F(4, 3),)), ((F(2, 3), -2), F(9, 4), (F(-27, 4),)), ((F(2, 3), 0), 1, (0,)), ((F(0), 1), 0, (1,))],
    "square": [((F(-2, 3),), F(4, 9), (F(-4, 3),))],
    "reciprocal": [((F(-2, 3),), F(-3, 2), (F(-9, 4),))],
    "relu": [((F(1, 3),), F(1, 3), (1,)), ((F(-1, 3),), 0, (0,))],
    "abs": [((F(1, 3),), F(1, 3), (1,)), ((F(-1, 3),), F(1, 3), (-1,))],
    "sign": [((F(-1, 3),), -1, (0,))],
    "maximum": [((F(1, 3), F(1, 2)), F(1, 2), (0, 1)), ((F(1, 3), F(1, 3)), F(1, 3), (F(1, 2), F(1, 2)))],
    "minimum": [((F(1, 3), F(1, 2)), F(1, 3), (1, 0)), ((F(1, 3), F(1, 3)), F(1, 3), (F(1, 2), F(1, 2)))],
    "fmax": [((F(1, 3), F(1, 2)), F(1, 2), (0, 1)), ((F(1, 3), F(1, 3)), F(1, 3), (F(1, 2), F(1, 2)))],
    "fmin": [((F(1, 3), F(1, 2)), F(1, 3), (1, 0)), ((F(1, 3), F(1, 3)), F(1, 3), (F(1, 2), F(1, 2)))],
    "copysign": [((F(1, 3), F(-1, 2)), F(-1, 3), (-1, 0)), ((F(-1, 3), 2), F(1, 3), (-1, 0)), ((2, -0.0), -2, (-1, 0))],
    "where": [((1, F(1, 3), F(1, 2)), F(1, 3), (0, 1, 0)), ((0, F(1, 3), F(1, 2)), F(1, 2), (0, 0, 1))],
    "clamp": [((F(1, 3), 0, 1), F(1, 3), (1, 0, 0)), ((F(-1, 3), F(-1, 9), 1), F(-1, 9), (0, 1, 0))],
    "clamp_open": [((F(1, 3), 0, 1), F(1, 3), (1, 0, 0)), ((F(4, 3), 0, F(8, 7)), F(8, 7), (0, 0, 1))],
    "leaky_relu": [((F(-1, 3), F(1, 2)), F(-1, 6), (F(1, 2), F(-1, 3)))],
    "floor": [((F(-1, 3),), -1, (0,))], "ceil": [((F(-1, 3),), 0, (0,))], "trunc": [((F(-7, 3),), -2, (0,))],
    "round": [((F(-5, 3),), -2, (0,))],
    "floor_divide": [((F(-7, 3), F(1, 2)), -5, (0, 0)), ((-7, 2), -4, (0, 0))],
    "remainder": [((F(-7, 3), F(1, 2)), F(1, 6), (1, 5)), ((F(-7), 3), 2, (1, 3))],
    "fmod": [((F(-7, 3), F(1, 2)), F(-1, 3), (1, 4)), ((F(-7), 3), -1, (1, 2))],
    "sum": [((F(1, 3), F(1, 2), 2), F(17, 6), (1, 1, 1))],
    "dot": [((F(1, 3), F(1, 2), 3, F(2, 5), F(1, 7)), F(47, 35), (3, F(2, 5), F(1, 3), F(1, 2), 1))],
    "max": [((F(1, 3), F(1, 2), 0), F(1, 2), (0, 1, 0)), ((F(1, 3), F(1, 3), F(1, 3)), F(1, 3), (F(1, 3), F(1, 3), F(1, 3)))],
}
# fmt: on

NUMBER = {row.name: getattr(rules, row.name) for row in rules.TABLE}
EVERY_ROW = each("row", rules.TABLE, ids=lambda row: row.name)


def points(row):
    return oracle(row).points


def partials(row, args):
    return row.partials_at(range(len(args)), args, row(*args))


def slope(f, args, slot, h=1e-3):
    """∂f/∂args[slot] from five points: wrong by h⁴ only."""

    def at(step):
        return f(*args[:slot], args[slot] + step, *args[slot + 1 :])

    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def test_the_table_holds_every_row_once_and_each_has_a_name_in_the_package():
    names = [row.name for row in rules.TABLE]
    assert len(names) == len(set(names)) == len(oracles.ORACLES) and set(_EXACT) <= set(names)
    for row in rules.TABLE:
        assert getattr(rules, row.name) is row
        assert row.option_of or getattr(getattr(sg, row.name), "row", getattr(sg, row.name)) is row


@EVERY_ROW
def test_partials_agree_with_finite_differences(row):
    for args in points(row):
        for slot, partial in enumerate(partials(row, args)):
            assert partial == pytest.approx(slope(row, args, slot), rel=1e-8, abs=1e-9), f"{row.name}: ∂y/∂(input {slot}) at {args}"


@EVERY_ROW
def test_second_derivatives_agree_with_finite_differences_of_the_first(row):
    for args in points(row):
        second = hessian(row, *args)
        for i, j in itertools.product(range(len(args)), repeat=2):
            expected = slope(lambda *a, i=i: partials(row, a)[i], args, j)
            assert second[i][j] == pytest.approx(expected, rel=1e-7, abs=1e-8), f"{row.name}: ∂²y/∂{i}∂{j} at {args}"
            assert second[i][j] == pytest.approx(second[j][i], rel=1e-12, abs=1e-15)


@each("name", _EXACT)
def test_rational_rows_are_exact_on_fractions(name):
    for args, value, expected in _EXACT[name]:
        y = NUMBER[name](*args)
        found = NUMBER[name].partials_at(range(len(expected)), args, y)
        assert y == value and type(y) in (int, F), f"{name}{args}"
        assert found == expected and {type(p) for p in found} <= {int, F, bool}, f"{name}: the partials at {args} are {found}"


@swept("name", _EXACT, every=4)
def test_rational_rows_are_exact_on_ints_beside_a_fraction(name):
    """Every position a Fraction, a plain int or a variable that holds an int, as long as one is a Fraction."""
    row, exact = NUMBER[name], {int, F, bool}
    count = len(_EXACT[name][0][0])
    for kinds, signs in itertools.product(itertools.product("fiv", repeat=count), itertools.product((-1, 1), repeat=count)):
        if "f" not in kinds or count > 2 and -1 in signs:
            continue
        numbers = [sign * (F(2 * k + 1, 3) if kind == "f" else k + 2) for k, (kind, sign) in enumerate(zip(kinds, signs))]
        if name == "pow":
            numbers[1] = F(numbers[1].numerator) if kinds[1] == "f" else numbers[1]  # other exponents give roots
        point = [x for x, kind in zip(numbers, kinds) if kind != "i"]

        def f(*xs, kinds=kinds, numbers=numbers):
            rest = iter(xs)
            return row(*[x if kind == "i" else next(rest) for x, kind in zip(numbers, kinds)])

        skipped = [i for i, _ in enumerate(point) if name == "pow" and i == len(point) - 1 and kinds[1] != "i"]  # y · log a
        y, slopes = value_and_grad(f, *point)
        assert type(y) in exact, f"{name}{numbers} = {y!r}"
        assert repr(program(lambda xs: f(*xs), point)(point)) == repr((y, (slopes,)))
        second = hessian(f, *point)
        for i, slope in enumerate(slopes):
            assert i in skipped or {type(slope), *(type(x) for j, x in enumerate(second[i]) if j not in skipped)} <= exact, (
                f"{name}{numbers}: ∂y/∂(input {i}) = {slope!r}, and its derivatives are {second[i]}"
            )


def test_a_quotient_of_ints_alone_is_a_float_as_in_python():
    y = Value(1) / 3
    assert (y.data, y.partials) == (1 / 3, (1 / 3,)) and type(y.partials[0]) is float


def test_fractions_stay_exact_through_sums_and_quotients_by_an_int():
    a = Value(F(1, 3))
    for z, expected in ((a / 3, F(1, 3)), (a + a / 2, F(3, 2)), ((a + a + a) / 3, 1), (2 ** F(-1) * a, F(1, 2))):
        assert sg.grad(z, a) == expected and type(sg.grad(z, a)) in (int, F)
        assert sg.grad(z, a, create_graph=True) == expected


@each(("name", "args", "expected"), oracles.KINKS, ids=lambda x: x if isinstance(x, str) else None)
def test_kinks_are_as_the_docstrings_say(name, args, expected):
    assert partials(NUMBER[name], args) == expected, f"{name} at {args}"


def test_every_row_with_a_kink_says_so_and_is_pinned():
    assert {row.name for row in rules.TABLE if row.kinks} == {name for name, _, _ in oracles.KINKS} | {"where"}
    assert all(row.kinks in row.__doc__ for row in rules.TABLE)


# What is printed


def names_of(args):
    return [f"x{i}" for i in range(1, len(args) + 1)]


def printed(row, args, slot, notation=TEXT):
    return render(row.partial(slot, [Name(n) for n in names_of(args)], Name("y")), notation)


@EVERY_ROW
def test_the_printed_partial_evaluated_as_python_is_the_number(row):
    for args in points(row):
        values = {**NUMBER, **dict(zip(names_of(args), args)), "y": row(*args)}
        for slot, partial in enumerate(partials(row, args)):
            text = printed(row, args, slot)
            assert eval(text, dict(values)) == partial, f"{row.name}: {text} at {args}"


@each(("name", "args", "expected"), oracles.KINKS, ids=lambda x: x if isinstance(x, str) else None)
def test_the_printed_partial_is_the_number_at_kinks_too(name, args, expected):
    """In IEEE arithmetic: Python's own division has no inf."""
    row = NUMBER[name]
    formulas = [row.partial(slot, [*map(Name, names_of(args))], Name("y")) for slot in range(len(args))]
    values = {**dict(zip(names_of(args), args)), "y": row(*args)}
    assert tuple(evaluate(formula, values) for formula in formulas) == expected


@EVERY_ROW
def test_the_printed_function_evaluated_as_python_is_the_value(row):
    for args in points(row):
        text = render(row(*map(Name, names_of(args))), TEXT)
        assert eval(text, {**NUMBER, **dict(zip(names_of(args), args))}) == row(*args), f"{row.name}: {text}"


@EVERY_ROW
@each("notation", [TEXT, PRETTY, LATEX, MATHML], ids=lambda n: type(n).__name__)
def test_every_notation_writes_every_row(row, notation):
    for args in points(row):
        formula = row(*map(Name, names_of(args)))
        for text in [render(formula, notation), *(printed(row, args, slot, notation) for slot in range(len(args)))]:
            assert text and "object at" not in text and "Fraction(" not in text
            if notation is MATHML:
                ElementTree.fromstring(f"<math>{text}</math>")
            if notation is LATEX:
                assert text.count("{") == text.count("}") and text.count(r"\left") == text.count(r"\right")


# Against sympy


CONSTANTS = [2 / sympy.sqrt(sympy.pi), sympy.sqrt(2) / 2, 1 / sympy.sqrt(2 * sympy.pi), sympy.Rational(1, 2)]
CONSTANTS += [sympy.log(2), sympy.log(10), 2 * sympy.sqrt(2 / sympy.pi), sympy.Rational("0.044715"), 3 * sympy.Rational("0.044715")]
CONSTANTS += [sympy.pi, sympy.Rational("0.15")]


class Exact(ast.NodeTransformer):
    """The printed formula as sympy understands it: a comparison is 1 or 0, a rounded constant the number that it rounds."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        name = {ast.Lt: "Lt", ast.LtE: "Le", ast.Gt: "Gt", ast.GtE: "Ge", ast.Eq: "Eq"}[type(node.ops[0])]
        relation = ast.Call(ast.Name(name, ast.Load()), [node.left, *node.comparators], [])
        return ast.Call(ast.Name("holds", ast.Load()), [relation], [])

    def visit_Constant(self, node):
        if isinstance(node.value, int):
            return ast.Call(ast.Name("Integer", ast.Load()), [node], [])
        i = next(i for i, c in enumerate(CONSTANTS) if float(c) == node.value)
        return ast.Subscript(ast.Name("CONSTANTS", ast.Load()), ast.Constant(i), ast.Load())


def holds(relation):
    return sympy.Piecewise((1, relation), (0, True))


SPEAKS_SYMPY = {
    **{name: getattr(sympy, name) for name in ["Lt", "Le", "Gt", "Ge", "Eq", "Integer"]},
    **{name: oracle.definition for name, oracle in oracles.ORACLES.items()},
    "holds": holds,
    "CONSTANTS": CONSTANTS,
}


@swept("row", rules.TABLE, every=20, ids=lambda row: row.name)
def test_the_printed_partial_is_proved_equal_to_sympys_derivative(row):
    definition, regions = oracle(row).definition, oracle(row).regions
    for region in regions:
        xs = sympy.symbols(names_of(region), real=True)
        y = definition(*xs)
        for slot, x in enumerate(xs):
            tree = ast.fix_missing_locations(Exact().visit(ast.parse(printed(row, region, slot), mode="eval")))
            ours = eval(compile(tree, "<printed partial>", "eval"), {**SPEAKS_SYMPY, **{x.name: x for x in xs}, "y": y})
            put_in = dict(zip(xs, region))
            difference = (sympy.sympify(ours) - sympy.diff(y, x)).subs(put_in)
            assert sympy.simplify(difference) == 0, f"{row.name}: ∂y/∂{x} on {region}: {printed(row, region, slot)}"


@each("x", [1e-300, 1e-20, 1e-9, 1e-8, 1e-5, 1e-3, 0.05, 0.1499999, 0.15, 0.2])
def test_the_series_of_sinc_is_right_to_the_last_bits_in_value_slope_and_curvature(x):
    t = sympy.Symbol("t")
    y = sympy.sin(sympy.pi * t) / (sympy.pi * t)
    for sign in (1, -1):
        at = sympy.Float(sign * x, 60)
        (partial,) = partials(rules.sinc, (sign * x,))
        assert partial == pytest.approx(float(sympy.diff(y, t).evalf(400, subs={t: at}, maxn=2000)), rel=2e-14)
        ((second,),) = hessian(rules.sinc, sign * x)
        assert second == pytest.approx(float(sympy.diff(y, t, 2).evalf(400, subs={t: at}, maxn=2000)), rel=2e-13)


# Operators written out for speed


PAIRS = [(2.5, -4.0), (2, -4), (7, 3), (F(2, 3), F(-5, 4)), (2.5, 3), (3, F(1, 2)), (0.0, 2), (-1, 2.0), (1.5, 0)]
OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow}


class Other:
    def __rpow__(self, base):
        return base


FRACTION_POWERS_ARE_FLOATS = type(F(2, 3) ** Other()) is float  # Fraction ** anything goes by way of float before Python 3.13


def same(y, row, inputs, args):
    """y is `row` of `args`, and its partials in its inputs are the row's."""
    numbers = [getattr(a, "data", a) for a in args]
    value = row.value(*numbers) if 0 not in numbers[1:] else row(*numbers)
    assert y.rule.name == row.name
    assert (y.data, type(y.data)) == (value, type(value)) or y.data != y.data
    assert [x is i for x, i in zip(y.inputs, inputs, strict=True)] == [True] * len(inputs)
    slots = [i for i, a in enumerate(args) if isinstance(a, Value)]
    expected = row.partials_at(slots, numbers, value)
    assert [(a, type(a)) for a in y.partials] == [(b, type(b)) for b in expected] or any(b != b for b in expected)
    assert all(a is b or a == b for a, b in zip(y.arguments, args, strict=True))


@each("name", OPERATORS)
@each("pair", PAIRS, ids=str)
def test_operators_are_their_rows(name, pair):
    (a, b), row = pair, NUMBER[name]
    x, y = Value(a), Value(b)
    same(OPERATORS[name](x, y), row, (x, y), (x, y))
    same(OPERATORS[name](x, b), row, (x,), (x, b))
    if not (name == "pow" and type(a) is F and FRACTION_POWERS_ARE_FLOATS):
        same(OPERATORS[name](a, y), row, (y,), (a, y))
    same(OPERATORS[name](x, x), row, (x, x), (x, x))


OPTIONS = {"sqrt_total": ("sqrt", {"total": True}), "gelu_tanh": ("gelu", {"approximate": "tanh"})}


@each("number", [2.5, -2.5, 0.0, 3, -3, 0, F(2, 3), F(-2, 3)], ids=str)
def test_unary_operators_and_methods_are_their_rows(number):
    x = Value(number)
    same(-x, rules.neg, (x,), (x,))
    same(abs(x), rules.abs, (x,), (x,))
    for row in rules.TABLE:
        if len(row.partials) == 1:
            name, options = OPTIONS.get(row.name, (row.name, {}))
            y = getattr(x, name)(**options)
            expected = row(x)
            assert y.rule.name == row.name
            assert [y.data, *y.partials] == pytest.approx([expected.data, *expected.partials], rel=0, abs=0, nan_ok=True)


def test_an_nary_row_takes_any_number_of_inputs():
    for row in rules.TABLE:
        if isinstance(row, VariadicRow):
            xs = [Value(float(i)) for i in range(1, 8)]
            y = row(*xs)
            assert y.inputs == tuple(xs) and len(y.partials) == 7
            assert y.partials == pytest.approx([slope(row, [x.data for x in xs], i) for i in range(7)], abs=1e-9)

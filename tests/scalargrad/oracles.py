"""What each row of the table of rules is tested against: one line a row, or two. A row without a line fails.

`points` are inputs at which the row is smooth. `definition` is its function in sympy, and `regions` are where that is smooth:
lists of expressions in real u, v and positive p, q that replace the inputs; with the kinks they cover all numbers.
`kinks` are inputs at which the derivative is a choice, each with the partials that the row chooses.
"""

import math
import operator
from collections.abc import Callable
from fractions import Fraction as F
from typing import NamedTuple

import sympy

from scalargrad import rules


class Oracle(NamedTuple):
    points: list
    definition: Callable
    regions: list
    kinks: list = []


inf = math.inf
CIRCLE, OPEN = [(-0.7,), (0.0,), (0.35,)], [(-2.5,), (-0.3,), (0.8,), (3.0,)]
ALL, RIGHT = [(-3.0,), (-0.4,), (0.0,), (2.0,)], [(0.2,), (1.0,), (7.5,)]
STEPS = [(-2.4,), (-0.3,), (0.8,), (3.1,)]

u, v, w = sympy.symbols("u v w", real=True)
p, q = sympy.symbols("p q", positive=True)
ONE, POSITIVE, TWO = [[u]], [[p]], [[u, v]]
inside = p / (1 + p)  # any number between 0 and 1
BETWEEN = [[inside], [-inside]]
SIDES = [[p], [-p]]
APART = [[u, u + p], [u + p, u]]
CLAMPED = [[u + p, u, u + p + q], [u - p, u, u + q], [u + p + q, u, u + p], [v, v + p + q, v + p], [v + p, v + p + q, v]]


def sympy_clamp(x, low, high):
    return sympy.Min(sympy.Max(x, low), high)


def sympy_dot(*wxb):
    n = len(wxb) // 2
    return sum(a * b for a, b in zip(wxb[:n], wxb[n:])) + sum(wxb[2 * n :])


def sympy_floor(x):
    """Return the largest integer up to x, for an x that is not an integer, as a formula that sympy can differentiate."""
    return x - sympy.Rational(1, 2) + sympy.atan(sympy.cot(sympy.pi * x)) / sympy.pi


def sympy_trunc(x):
    return sympy.Piecewise((sympy_floor(x), x > 0), (-sympy_floor(-x), True))


# fmt: off
ORACLES = {
    "add": Oracle([(2.0, -3.0)], operator.add, TWO),
    "sub": Oracle([(2.0, -3.0)], operator.sub, TWO),
    "mul": Oracle([(2.0, -3.0), (0.0, 4.0)], operator.mul, TWO),
    "div": Oracle([(2.0, -3.0), (0.0, 0.5)], operator.truediv, [[u, p], [u, -p]]),
    "neg": Oracle(OPEN, operator.neg, ONE),
    "pow": Oracle([(2.0, 3.0), (0.5, -1.5), (3.0, 0.0), (1.0, 2.0)], operator.pow, [[p, q], [p, -q]],
        kinks=[((0.0, 0.0), (0, 0)), ((0.0, 2.0), (0.0, 0)), ((0.0, 1.0), (1.0, 0)), ((0.0, 0.5), (inf, 0)), ((0, 0), (0, 0)),
               ((3.0, 0.0), (0.0, math.log(3.0)))]),
    "square": Oracle(ALL, lambda x: x * x, ONE),
    "reciprocal": Oracle(OPEN, lambda x: 1 / x, SIDES),
    "sqrt": Oracle(RIGHT, sympy.sqrt, POSITIVE, kinks=[((0.0,), (inf,)), ((0,), (inf,))]),
    "sqrt_total": Oracle(RIGHT, sympy.sqrt, POSITIVE, kinks=[((0.0,), (0,)), ((-1.0,), (0,))]),
    "cbrt": Oracle(OPEN, lambda x: sympy.sign(x) * sympy.Abs(x) ** sympy.Rational(1, 3), SIDES, kinks=[((0.0,), (inf,)), ((0,), (inf,))]),
    "hypot": Oracle([(1.0, 2.0), (-3.0, 0.0), (0.5, -4.0)], lambda a, b: sympy.sqrt(a**2 + b**2), [[p, u], [-p, u], [u, p], [u, -p]],
        kinks=[((0.0, 0.0), (0.0, 0.0)), ((0, 0), (0, 0))]),
    "exp": Oracle(ALL, sympy.exp, ONE),
    "expm1": Oracle(ALL, lambda x: sympy.exp(x) - 1, ONE),
    "log": Oracle(RIGHT, sympy.log, POSITIVE),
    "log1p": Oracle([(-0.5,), (0.0,), (4.0,)], lambda x: sympy.log(1 + x), [[p - 1]]),
    "rsqrt": Oracle(RIGHT, lambda x: 1 / sympy.sqrt(x), POSITIVE),
    "exp2": Oracle(ALL, lambda x: 2**x, ONE),
    "log2": Oracle(RIGHT, lambda x: sympy.log(x, 2), POSITIVE),
    "log10": Oracle(RIGHT, lambda x: sympy.log(x, 10), POSITIVE),
    "logaddexp": Oracle([(1.0, -2.0), (0.5, 0.5), (-3.0, 7.0)], lambda a, b: sympy.log(sympy.exp(a) + sympy.exp(b)), TWO,
        kinks=[((inf, inf), (0.5, 0.5)), ((-inf, -inf), (0, 0))]),
    "logaddexp2": Oracle([(1.0, -2.0), (0.5, 0.5), (-3.0, 7.0)], lambda a, b: sympy.log(2**a + 2**b) / sympy.log(2), TWO,
        kinks=[((inf, inf), (0.5, 0.5)), ((-inf, -inf), (0, 0))]),
    "xlogy": Oracle([(2.0, 3.0), (0.0, 0.5), (-1.5, 2.0)], lambda a, b: a * sympy.log(b), [[u, p]],
        kinks=[((0.0, 0.0), (0, 0)), ((0.0, -1.0), (0, 0))]),
    "sin": Oracle(ALL, sympy.sin, ONE),
    "cos": Oracle(ALL, sympy.cos, ONE),
    "tan": Oracle(CIRCLE, sympy.tan, ONE),
    "asin": Oracle(CIRCLE, sympy.asin, BETWEEN, kinks=[((1.0,), (inf,)), ((-1.0,), (inf,))]),
    "acos": Oracle(CIRCLE, sympy.acos, BETWEEN, kinks=[((1.0,), (-inf,)), ((-1.0,), (-inf,))]),
    "atan": Oracle(ALL, sympy.atan, ONE),
    "sinh": Oracle(ALL, sympy.sinh, ONE),
    "cosh": Oracle(ALL, sympy.cosh, ONE),
    "tanh": Oracle(ALL, sympy.tanh, ONE),
    "asinh": Oracle(ALL, sympy.asinh, ONE),
    "acosh": Oracle([(1.5,), (4.0,)], sympy.acosh, [[p + 1]], kinks=[((1.0,), (inf,))]),
    "atanh": Oracle(CIRCLE, sympy.atanh, BETWEEN),
    "atan2": Oracle([(1.0, 2.0), (-1.0, -2.0), (3.0, 0.0)], sympy.atan2, TWO),
    "sinc": Oracle([(0.0,), (1e-3,), (-0.149,), (0.151,), (0.3,), (-2.5,)],
        lambda x: sympy.sin(sympy.pi * x) / (sympy.pi * x), [[p + sympy.Rational(3, 20)], [-p - sympy.Rational(3, 20)]]),
    "sigmoid": Oracle(ALL, lambda x: 1 / (1 + sympy.exp(-x)), ONE),
    "relu": Oracle(OPEN, lambda x: sympy.Max(x, 0), SIDES, kinks=[((0,), (0,)), ((0.0,), (0,)), ((-0.0,), (0,))]),
    "softplus": Oracle(OPEN, lambda x: sympy.log(1 + sympy.exp(x)), ONE),
    "erf": Oracle(ALL, sympy.erf, ONE),
    "gelu": Oracle(ALL, lambda x: x * (1 + sympy.erf(x / sympy.sqrt(2))) / 2, ONE),
    "gelu_tanh": Oracle(ALL, lambda x: x / (1 + sympy.exp(-2 * sympy.sqrt(2 / sympy.pi) * (x + sympy.Rational("0.044715") * x**3))), ONE),
    "silu": Oracle(ALL, lambda x: x / (1 + sympy.exp(-x)), ONE),
    "leaky_relu": Oracle([(-2.5, 0.1), (3.0, 0.1)], lambda x, slope: sympy.Max(x, 0) + slope * sympy.Min(x, 0), [[p, u], [-p, u]],
        kinks=[((0.0, 0.25), (0.25, 0.0))]),
    "elu": Oracle([(-2.5, 0.7), (3.0, 0.7)],
        lambda x, alpha: sympy.Piecewise((x, x > 0), (alpha * (sympy.exp(x) - 1), True)), [[p, u], [-p, u]],
        kinks=[((0.0, 0.25), (0.25, 0.0))]),
    "abs": Oracle(OPEN, sympy.Abs, SIDES, kinks=[((0.0,), (0,)), ((-0.0,), (0,))]),
    "sign": Oracle(OPEN, sympy.sign, SIDES, kinks=[((0.0,), (0,))]),
    "maximum": Oracle([(1.0, 2.0), (2.0, -1.0)], sympy.Max, APART,
        kinks=[((2.0, 2.0), (0.5, 0.5)), ((0.0, -0.0), (0.5, 0.5)), ((3, 3), (F(1, 2), F(1, 2))), ((inf, inf), (0.5, 0.5))]),
    "minimum": Oracle([(1.0, 2.0), (2.0, -1.0)], sympy.Min, APART, kinks=[((2.0, 2.0), (0.5, 0.5))]),
    "fmax": Oracle([(1.0, 2.0), (2.0, -1.0)], sympy.Max, APART,
        kinks=[((2.0, 2.0), (0.5, 0.5)), ((math.nan, 2.0), (0, 1)), ((2.0, math.nan), (1, 0)), ((math.nan, math.nan), (0, 0))]),
    "fmin": Oracle([(1.0, 2.0), (2.0, -1.0)], sympy.Min, APART,
        kinks=[((2.0, 2.0), (0.5, 0.5)), ((math.nan, 2.0), (0, 1)), ((2.0, math.nan), (1, 0)), ((math.nan, math.nan), (0, 0))]),
    "copysign": Oracle([(1.0, 2.0), (-2.0, 1.0), (2.0, -1.0)],
        lambda a, b: sympy.Abs(a) * sympy.sign(b), [[p, q], [p, -q], [-p, q], [-p, -q]],
        kinks=[((0.0, -1.0), (0, 0)), ((2.0, 0.0), (1, 0)), ((2.0, -0.0), (-1, 0))]),
    "where": Oracle([(1, 2.0, 3.0), (0, 2.0, 3.0)],
        lambda c, a, b: sympy.Piecewise((b, sympy.Eq(c, 0)), (a, True)), [[p, u, v], [-p, u, v], [sympy.Integer(0), u, v]]),
    "clamp": Oracle([(0.5, 0.0, 1.0), (-1.0, 0.0, 1.0), (3.0, 0.0, 1.0), (0.5, 3.0, 1.0), (2.0, 3.0, 1.0)], sympy_clamp, CLAMPED,
        kinks=[((0.0, 0.0, 1.0), (1, 0, 0)), ((1.0, 0.0, 1.0), (1, 0, 0)), ((0.0, -inf, 0.0), (1, 0, 0))]),
    "clamp_open": Oracle([(0.5, 0.0, 1.0), (-1.0, 0.0, 1.0), (3.0, 0.0, 1.0), (0.5, 3.0, 1.0), (2.0, 3.0, 1.0)], sympy_clamp, CLAMPED,
        kinks=[((0.0, 0.0, 1.0), (0, 1, 0)), ((1.0, 0.0, 1.0), (0, 0, 1))]),
    "floor": Oracle(STEPS, sympy_floor, ONE, kinks=[((2.0,), (0,))]),
    "ceil": Oracle(STEPS, lambda x: -sympy_floor(-x), ONE, kinks=[((2.0,), (0,))]),
    "trunc": Oracle(STEPS, sympy_trunc, SIDES, kinks=[((2.0,), (0,))]),
    "round": Oracle(STEPS, lambda x: sympy_floor(x + sympy.Rational(1, 2)), ONE, kinks=[((2.5,), (0,))]),
    "floor_divide": Oracle([(7.0, 2.0), (-7.0, 2.5)], lambda a, b: sympy_floor(a / b), [[u, p], [u, -p]], kinks=[((4.0, 2.0), (0, 0))]),
    "remainder": Oracle([(7.0, 2.0), (-7.0, 2.5)], lambda a, b: a - b * sympy_floor(a / b), [[u, p], [u, -p]],
        kinks=[((4.0, 2.0), (1, -2.0))]),
    "fmod": Oracle([(7.0, 2.0), (-7.0, 2.5)], lambda a, b: a - b * sympy_trunc(a / b), [[q, p], [q, -p], [-q, p], [-q, -p]],
        kinks=[((4.0, 2.0), (1, -2.0))]),
    "sum": Oracle([(1.0,), (1.0, -2.0, 0.5)], lambda *xs: sum(xs), [[u], [u, v, w]]),
    "dot": Oracle([(1.0, 2.0), (1.0, -2.0, 0.5, 4.0), (1.0, -2.0, 0.5, 4.0, 3.0)], sympy_dot, [[u, v], [u, v, w, p], [u, v, w, p, q]]),
    "max": Oracle([(1.0, 3.0, 2.0), (5.0,), (-1.0, -2.0)],
        sympy.Max, [[u], *APART, [u, u + p, u + p + q], [u, u + p + q, u + p], [u + p + q, u, u + p], [u + p + q, u + p, u]],
        kinks=[((2.0, 2.0, 1.0), (0.5, 0.5, 0)), ((2.0, 2.0, 2.0, 2.0), (0.25,) * 4), ((inf, inf), (0.5, 0.5))]),
    "logsumexp": Oracle([(1.0, 3.0, 2.0), (5.0,), (-1.0, -1.0)], lambda *xs: sympy.log(sum(map(sympy.exp, xs))), [[u], [u, v, w]],
        kinks=[((-inf, -inf), (0.0, 0.0))]),
}
# fmt: on


def oracle(row):
    """Return the oracle of a row. AssertionError says what to add for a row that has none."""
    assert row.name in ORACLES, f"{row.name} has no points and no definition: add a line to ORACLES in {__file__}"
    return ORACLES[row.name]


KINKS = [(row.name, *kink) for row in rules.TABLE if row.name in ORACLES for kink in ORACLES[row.name].kinks]

"""Quick forms make the same variables as their rows, for ints, floats and Fractions."""

import itertools
import math
from fractions import Fraction

from scalargrad import Constant, Value, no_grad, rules
from scalargrad.fast.quick import QUICK
from tests.each import each

NUMBERS = [0, 1, -1, 2, -7, 10**400, 0.0, -0.0, 0.5, -2.5, 3.0, 710.0, 1e-310, 1e308, math.inf, -math.inf, math.nan]
NUMBERS += [Fraction(1, 3), Fraction(-7, 2), Fraction(4)]
OF_ONE = [row for row in rules.TABLE if row.name in QUICK]
OPERATORS = {
    "add": rules.add, "sub": rules.sub, "mul": rules.mul, "truediv": rules.div,
    "pow": rules.pow, "mod": rules.remainder, "floordiv": rules.floor_divide,
}  # fmt: skip


def seen(y):
    """All that can be seen of a variable that a function made; -0.0 is told from 0.0, and nan equals nan."""
    return repr(y.data), list(map(repr, y.partials)), repr(y.rule), type(y), [id(x) for x in y.inputs], repr(y.arguments)


@each("row", [row for row in OF_ONE if row is not rules.relu], ids=lambda row: row.name)
def test_a_function_of_one_number_makes_what_its_row_makes(row):
    for number in NUMBERS:
        x = Value(number)
        assert seen(getattr(x, row.name)()) == seen(Value.__apply__(row, [x])), number


def test_relu_of_a_float_is_a_float_also_where_its_row_gives_the_integer_0():
    for number in filter(lambda number: type(number) is float, NUMBERS):
        quick, row = Value(number).relu(), Value.__apply__(rules.relu, [Value(number)])
        assert quick.data == row.data or quick.data != quick.data and row.data != row.data
        assert quick.partials == row.partials and type(quick.data) is float


@each("name", OPERATORS)
def test_an_operator_makes_what_its_row_makes(name):
    row, call, reflected = OPERATORS[name], getattr(Value, f"__{name}__"), getattr(Value, f"__r{name}__")
    for a, b in itertools.product(NUMBERS, repeat=2):
        x, y = Value(a), Value(b)
        for other in (y, b, x):
            assert seen(call(x, other)) == seen(Value.__apply__(row, [x, other])), (a, b)
        assert seen(reflected(y, a)) == seen(Value.__apply__(row, [a, y])), (a, b)


def test_constants_record_nothing():
    c = Value(2.0, keep_grad=False)
    for name in QUICK:
        y = getattr(c, name)(*[3.0] * (name.startswith("__") and name not in ("__neg__", "__abs__")))
        assert type(y) is Constant and y.inputs == (), name


def test_under_no_grad_nothing_is_recorded():
    x = Value(2.0)
    with no_grad():
        for name in QUICK:
            y = getattr(x, name)(*[x] * (name.startswith("__") and name not in ("__neg__", "__abs__")))
            assert type(y) is Constant and y.inputs == (), name


def test_each_function_of_one_number_has_a_quick_form():
    assert {row.name for row in OF_ONE} == {row.name for row in rules.TABLE if len(row.partials) == 1 and not row.option_of}

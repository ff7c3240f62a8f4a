"""Faster: quick forms of the operators and of the functions of one number. Each makes the same variable as its row.

A row sorts its arguments, refuses what is not a number, and replaces arithmetic that raises. A quick form serves only plain numbers
for which Python's arithmetic does not raise, and leaves all else to the row. Tests compare the two.
"""

from functools import partial, wraps
from types import FunctionType

from scalargrad import modes, rules
from scalargrad.fast.value import Constant, Value
from scalargrad.numeric import PLAIN
from scalargrad.options import FUNCTIONS
from scalargrad.rule import Row, WithConstants

blank = partial(object.__new__, Value)  # quicker than object.__new__(Value)
REFUSED = ZeroDivisionError, OverflowError  # what Python's arithmetic raises where a row gives inf or nan
FIRST, SECOND = (0,), (1,)  # the place of the variable beside a plain number


def made(data, x1, d1, x2, d2, rule):
    """Return a variable that a function made, from the contents of its slots, without the checks of Value(...)."""
    y = blank()
    y._data = data
    y.grad = 0
    y._x1 = x1
    y._d1 = d1
    y._x2 = x2
    y._d2 = d2
    y.rule = rule
    y._mark = None
    if modes.active:
        y._in_modes()
    return y


def without_detours():
    """Return the names of the table as a formula of plain numbers needs them: exp is the function of a number, not the row."""
    names = dict(vars(rules))
    for name, thing in vars(rules).items():
        thing = thing.value if isinstance(thing, Row) else thing
        names[name] = with_names(thing, names) if isinstance(thing, FunctionType) else thing
    return names


def with_names(formula, names):
    """Return a formula of the table that looks up its functions in `names`; a function from elsewhere stays as it is.

    It rebinds the code object: so the formula stands once, in the table, and yet exp in it is math's and not the row, which first asks
    what its argument is. Measured: sin and sigmoid are 2 times as fast by it, pow 3 times, softplus, silu and gelu 5 times.
    """
    if getattr(formula, "__globals__", None) is not vars(rules):
        return formula
    return FunctionType(formula.__code__, names, formula.__name__, formula.__defaults__, formula.__closure__)


NAMES = without_detours()


def formulas(row):
    """Return the value and the partials of a row as functions of plain numbers."""
    return [with_names(formula, NAMES) for formula in (row.value, *row.partials)]


def of_one(row):
    """Return the method of a function of one number: x.exp()."""
    function = FUNCTIONS[row.name]
    value, slope = formulas(row)

    @wraps(function, updated=())
    def call(x, *others, **named):
        a = x._data
        if type(a) in PLAIN and not others and not named:
            try:
                y = value(a)
                return made(y, x, slope(a, y), None, None, row)
            except REFUSED:
                pass
        return function(x, *others, **named)

    return call


def of_two(row):
    """Return the two methods of an operator: x / other, and other / x."""
    value, in_a, in_b = formulas(row)

    def call(x, other):
        a, variable = x._data, isinstance(other, Value)
        b = other._data if variable else other
        if type(a) in PLAIN and type(b) in PLAIN:
            try:
                y = value(a, b)
                if variable:
                    return made(y, x, in_a(a, b, y), other, in_b(a, b, y), row)
                return made(y, x, in_a(a, b, y), None, None, WithConstants(row, (a, b), FIRST))
            except REFUSED:
                pass
        return row(x, other)

    def reflected(x, other):
        b = x._data
        if type(other) in PLAIN and type(b) in PLAIN:
            try:
                y = value(other, b)
                return made(y, x, in_b(other, b, y), None, None, WithConstants(row, (other, b), SECOND))
            except REFUSED:
                pass
        return row(other, x)

    return call, reflected


# The operators that every loop is full of do not call the formulas of their rows. The first two do not even call made().


def add(x, other):
    if type(other) is Value:
        y = blank()
        try:
            y._data = x._data + other._data
        except OverflowError:
            return rules.add(x, other)
        y.grad = 0
        y._x1 = x
        y._x2 = other
        y._d1 = y._d2 = 1
        y.rule = rules.add
        y._mark = None
        if modes.active:
            y._in_modes()
        return y
    return any_add(x, other)


def mul(x, other):
    if type(other) is Value:
        y = blank()
        y._d2 = a = x._data
        y._d1 = b = other._data
        try:
            y._data = a * b
        except OverflowError:
            return rules.mul(x, other)
        y.grad = 0
        y._x1 = x
        y._x2 = other
        y.rule = rules.mul
        y._mark = None
        if modes.active:
            y._in_modes()
        return y
    return any_mul(x, other)


def sub(x, other):
    if type(other) is Value:
        try:
            return made(x._data - other._data, x, 1, other, -1, rules.sub)
        except OverflowError:
            pass
    return any_sub(x, other)


def neg(x):
    return made(-x._data, x, -1, None, None, rules.neg)


def relu(x):
    a = x._data
    if type(a) is not float:
        return rules.relu(x)
    return made(a, x, 1, None, None, rules.relu) if a > 0 else made(0.0 if a <= 0 else a, x, 0, None, None, rules.relu)


(any_add, radd), (any_sub, rsub), (any_mul, rmul) = map(of_two, (rules.add, rules.sub, rules.mul))

QUICK = {row.name: of_one(row) for row in rules.TABLE if len(row.partials) == 1 and not row.option_of}
QUICK |= {"__add__": add, "__radd__": radd, "__sub__": sub, "__rsub__": rsub, "__mul__": mul, "__rmul__": rmul}
for operator, row in ("truediv", rules.div), ("pow", rules.pow), ("mod", rules.remainder), ("floordiv", rules.floor_divide):
    QUICK[f"__{operator}__"], QUICK[f"__r{operator}__"] = of_two(row)
QUICK |= {"__neg__": neg, "__abs__": QUICK["abs"], "relu": wraps(QUICK["relu"], updated=())(relu)}

for name, method in QUICK.items():
    setattr(Constant, name, getattr(Value, name))  # where only constants meet nothing is recorded: they keep the long way
    setattr(Value, name, method)

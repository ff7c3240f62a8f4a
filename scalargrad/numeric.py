"""Plain numbers that never raise: where Python's arithmetic gives up, these give inf or nan, as IEEE 754 does.

Knows int, float and Fraction, and nothing of graphs. An array (anything with `__array_namespace__`) is handed to its
own library, so the formulas that use these functions also run on arrays.
"""

import math
import operator
from fractions import Fraction
from numbers import Integral, Rational, Real

Number = int | float | Fraction

inf = math.inf
nan = math.nan

PLAIN = frozenset({int, float, Fraction})
LARGEST_EXACT_POWER = 1 << 16  # bits; a longer exact power is useless and could take very long


def plain(x):
    """Return x as an int, float or Fraction; NumPy scalars and bools too. Raise TypeError if x is not a real number."""
    if type(x) in PLAIN:
        return x
    if isinstance(x, Integral) or type(x).__name__ == "bool":  # NumPy's bool is not registered as a number
        return int(x)
    if isinstance(x, Rational):
        return Fraction(x)
    if isinstance(x, Real):
        return float(x)
    raise TypeError(type(x).__name__)


def divide(a, b):
    """Return a / b, where 1 / 0 is inf, -1 / 0 is -inf and 0 / 0 is nan."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return nan
        return math.copysign(inf, math.copysign(1, b) * (1 if a > 0 else -1))
    except OverflowError:
        return divide(_as_float(a), _as_float(b))


def held(operation):
    """Return `operation` for which an int or Fraction too large for a float counts as inf beside a float."""

    def kernel(a, b):
        try:
            return operation(a, b)
        except OverflowError:
            return operation(_as_float(a), _as_float(b))

    return kernel


def add_product(total, a, b):
    """Return total + a · b, where an int or Fraction too large for any float counts as inf beside a float."""
    return held(operator.add)(total, held(operator.mul)(a, b))


def power(a, b):
    """Return a ** b, where 0 ** -1 and an overflow are inf, and a negative base with a fractional exponent gives nan."""
    if type(b) is Fraction and b.denominator == 1:
        b = b.numerator
        a = Fraction(a) if b < 0 and type(a) is int else a  # 2 ** -1 is a float, but exact with a Fraction
    if type(b) is int and type(a) in (int, Fraction) and abs(b) * _bits(a) > LARGEST_EXACT_POWER:
        a = _as_float(a)
    try:
        y = a**b
    except ZeroDivisionError:
        return math.copysign(inf, a) if b % 2 == 1 else inf
    except OverflowError:  # of the result, or of an int that no float can hold
        size = 1.0 if abs(a) == 1 else inf if (abs(a) > 1) == (b > 0) else 0.0
        return -size if a < 0 and b % 2 == 1 else size
    return nan if type(y) is complex else y


def _bits(a):
    return max(a.numerator.bit_length(), a.denominator.bit_length()) - 1


def _as_float(a):
    try:
        return float(a)
    except OverflowError:
        return inf if a > 0 else -inf


class Unknown:
    """A number that is not known yet: a formula stands where a number may stand."""

    __slots__ = ()


def never_raising(operation):
    """Return `operation` as the two methods of an operator between an Ieee and a number: x + 1 and 1 + x."""
    return lambda a, b: Ieee(operation(a.data, bare(b))), lambda b, a: Ieee(operation(bare(a), b.data))


def comparing(operation):
    """Return a comparison as a method of Ieee."""
    return lambda a, b: operation(a.data, bare(b))


class Ieee:
    """A number whose arithmetic never raises. A formula that Python's arithmetic refuses is evaluated on such numbers."""

    __slots__ = ("data",)

    def __init__(self, data):
        self.data = data

    __add__, __radd__ = never_raising(held(operator.add))
    __sub__, __rsub__ = never_raising(held(operator.sub))
    __mul__, __rmul__ = never_raising(held(operator.mul))
    __truediv__, __rtruediv__ = never_raising(divide)
    __pow__, __rpow__ = never_raising(power)
    __lt__, __le__, __gt__, __ge__, __eq__ = map(comparing, (operator.lt, operator.le, operator.gt, operator.ge, operator.eq))
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self):
        return Ieee(-self.data)

    def __bool__(self):
        return bool(self.data)

    @staticmethod
    def __apply__(row, args):
        return Ieee(row(*map(bare, args)))


def bare(x):
    """Return the number of an Ieee, and anything else as it is."""
    return x.data if type(x) is Ieee else x


def total(function, *, at=None, on_array=None):
    """Return a function of `math` that never raises: `at` gives its values at poles; elsewhere outside its domain it is nan."""
    name, poles = function.__name__, at or {}

    def kernel(x):
        if hasattr(x, "__array_namespace__"):
            return (on_array or getattr(x.__array_namespace__(), name))(x)
        try:
            return function(x)
        except OverflowError:
            return kernel(inf if x > 0 else -inf)
        except ValueError:
            return poles.get(x, nan)

    kernel.__name__ = name
    return kernel


def of_two(function, name=None):
    """Return a function of two numbers that never raises: nan where it has no value; too large a number counts as inf."""
    name = name or function.__name__

    def kernel(a, b):
        for x in (a, b):
            if hasattr(x, "__array_namespace__"):
                return getattr(x.__array_namespace__(), name)(a, b)
        try:
            return function(a, b)
        except OverflowError:
            return kernel(_as_float(a), _as_float(b))
        except (ValueError, ZeroDivisionError):
            return nan

    kernel.__name__ = name
    return kernel


def to_whole(function):
    """Return a rounding function whose result has the type of its argument; inf and nan stay."""
    name = function.__name__

    def kernel(x):
        if hasattr(x, "__array_namespace__"):
            return getattr(x.__array_namespace__(), name)(x)
        return function(x) if type(x) is not float else float(function(x)) if math.isfinite(x) else x

    kernel.__name__ = name
    return kernel


def exact_fmod(a, b):
    if type(a) is float or type(b) is float:
        return math.fmod(a, b)
    return abs(a) % abs(b) * (1 if a >= 0 else -1)


def floor_divide(a, b):
    """Return a // b, where 1 // 0 is inf and 0 // 0 is nan."""
    for x in (a, b):
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().floor_divide(a, b)
    try:
        return a // b
    except ZeroDivisionError:
        return divide(a, b)
    except OverflowError:
        return floor_divide(_as_float(a), _as_float(b))


def erf_of_array(x):
    return x.__array_namespace__().vectorize(math.erf, otypes=[x.dtype])(x)


def sign(x):
    """Return -1, 0 or 1, or nan for nan."""
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__().sign(x)
    return x if x != x else (x > 0) - (x < 0)


def maximum(a, b):
    """Return the larger number, or nan if either is nan."""
    for x in (a, b):
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().maximum(a, b)
    return a if a >= b or a != a else b


def minimum(a, b):
    """Return the smaller number, or nan if either is nan."""
    for x in (a, b):
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().minimum(a, b)
    return a if a <= b or a != a else b


def fmax(a, b):
    """Return the larger number. If one is nan, return the other."""
    for x in (a, b):
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().fmax(a, b)
    return b if a != a or b > a else a


def fmin(a, b):
    """Return the smaller number. If one is nan, return the other."""
    for x in (a, b):
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().fmin(a, b)
    return b if a != a or b < a else a


def copysign(a, b):
    """Return |a| with the sign of b, in the type of a."""
    for x in (a, b):
        if hasattr(x, "__array_namespace__"):
            return x.__array_namespace__().copysign(a, b)
    return -abs(a) if math.copysign(1, _as_float(b)) < 0 else abs(a)


def where(condition, a, b):
    """Return a where the condition holds, else b."""
    if hasattr(condition, "__array_namespace__"):
        return condition.__array_namespace__().where(condition, a, b)
    return a if condition else b

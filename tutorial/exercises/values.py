"""Compare what a program gave with what is right, component by component, and write both in words.

A component is a value in a dictionary or an item of a tuple. Lists, arrays and sets are compared as wholes.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

TOLERANCE = 1e-9
MOST_ENTRIES, MOST_LETTERS = 24, 160  # of an array that is written in full; of any value
TYPE, SHAPE, MISSING, MORE, VALUE = "type", "shape", "missing", "more", "value"
PLAIN = {bool, int, float, str, Fraction}  # asked for first: `isinstance` takes long with an abstract class


class Difference(NamedTuple):
    """A component that is wrong, what was got and what is right. `entry` is the first wrong entry of an array, (1, 0)."""

    kind: str
    component: str
    got: Any
    expected: Any
    entry: tuple = ()


def difference(got, expected, tolerance=TOLERANCE) -> Difference | None:
    """Return the first difference, one of type or shape before others; None if the values agree.

    Exact types (int, Fraction, str, set) agree if they are equal, others up to the tolerance, relative to what is right or to 1.
    A nan agrees with a nan alone.

    >>> difference({"x": 4, "y": 2}, {"x": 4, "y": 3})
    Difference(kind='value', component='y', got=2, expected=3, entry=())
    >>> difference((0.1 + 0.2, 1), (0.3, 1)) is None
    True
    """
    found = list(differences(got, expected, tolerance=tolerance))
    return next((d for d in found if d.kind in (TYPE, SHAPE)), found[0] if found else None)


def differ(got, expected, tolerance=TOLERANCE) -> bool:
    """Return whether two values differ. It ends at the first component that does."""
    return next(differences(got, expected, tolerance=tolerance), None) is not None


def differences(got, expected, component="", tolerance=TOLERANCE) -> Iterator[Difference]:
    """Yield each component in which a value differs from the right one."""
    kind = type(expected)
    if got is expected or kind in PLAIN and type(got) is kind and got == expected:
        return
    if kind not in PLAIN and isinstance(expected, Mapping):
        yield from of_dictionaries(got, expected, component, tolerance)
    elif isinstance(expected, tuple):
        yield from of_tuples(got, expected, component, tolerance)
    elif is_array(expected):
        yield from of_arrays(got, expected, component, tolerance)
    elif not same_type(got, expected):
        yield Difference(TYPE, component, got, expected)
    elif not same(got, expected, tolerance):
        what = SHAPE if isinstance(expected, list) and len(got) != len(expected) else VALUE
        yield Difference(what, component, got, expected)


def of_dictionaries(got, expected, component, tolerance):
    if not isinstance(got, Mapping):
        yield Difference(TYPE, component, got, expected)
        return
    inside = f"{component} " if component else ""
    for key, right in expected.items():
        if key not in got:
            yield Difference(MISSING, f"{inside}{key}", None, right)
        elif (mine := got[key]) is not right:
            yield from differences(mine, right, f"{inside}{key}", tolerance)
    yield from (Difference(MORE, f"{inside}{key}", got[key], None) for key in got if key not in expected)


def of_tuples(got, expected, component, tolerance):
    if not isinstance(got, (tuple, list)):
        yield Difference(TYPE, component, got, expected)
    elif len(got) != len(expected):
        yield Difference(SHAPE, component, got, expected)
    else:
        for k, (mine, right) in enumerate(zip(got, expected)):
            yield from differences(mine, right, f"{component}[{k}]", tolerance)


def of_arrays(got, expected, component, tolerance):
    import numpy as np

    if not isinstance(got, (np.ndarray, np.generic)) or got.dtype.kind not in "fiub":
        yield Difference(TYPE, component, got, expected)
    elif got.shape != expected.shape:
        yield Difference(SHAPE, component, got, expected)
    else:
        mine, right = np.asarray(got), np.asarray(expected)
        if (mine == right).all():
            return
        exact = right.dtype.kind in "iub"
        scale = max(1.0, float(np.abs(right, dtype=float).max(initial=0, where=np.isfinite(right))))
        with np.errstate(invalid="ignore"):
            agrees = (mine == right) | (mine != mine) & (right != right)
            agrees |= np.abs(mine - right, dtype=float) <= (0 if exact else tolerance * scale)
        if not agrees.all():
            yield Difference(VALUE, component, mine, right, tuple(np.argwhere(~agrees)[0].tolist()))


def parts_in(value, most=math.inf) -> int:
    """Return how many values a value holds, with itself and those inside of them; of more than `most`, some number above it.

    >>> parts_in({"x": [1, 2], "y": 3})
    7
    """
    ahead, found = [value], 0
    while ahead and found <= most:
        one = ahead.pop()
        found += one.size if is_array(one) else 1
        if type(one) in PLAIN:
            continue
        if isinstance(one, Mapping):
            ahead += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            ahead += one
    return found


def same_type(got, expected):
    """Return whether a value that is neither a dictionary, a tuple nor an array is of the type of the right one."""
    if is_number(expected):
        return is_number(got)
    if isinstance(expected, list):
        return isinstance(got, (list, tuple))
    if isinstance(expected, (set, frozenset)):
        return isinstance(got, (set, frozenset))
    return type(got) is type(expected)


def same(got, expected, tolerance):
    """Return whether two values of one type agree."""
    if isinstance(expected, list):
        return len(got) == len(expected) and not any(
            mine is not right and differ(mine, right, tolerance) for mine, right in zip(got, expected)
        )
    if not isinstance(expected, float) or got == expected:
        return got == expected
    try:
        return abs(got - expected) <= tolerance * max(1.0, abs(expected)) or got != got and expected != expected
    except OverflowError:  # an integer that no float can hold
        return False


def is_number(x):
    return isinstance(x, (int, float, Fraction)) or is_array(x) and x.shape == () and x.dtype.kind in "fiub"


def is_array(x):
    numpy = sys.modules.get("numpy")  # where it was not imported, nothing is an array
    return numpy is not None and isinstance(x, (numpy.ndarray, numpy.generic))


# In words


def value_text(value, inside=False) -> str:
    """Return a value as messages write it, cut if it is long.

    >>> from fractions import Fraction
    >>> value_text({"x": Fraction(-7, 2), "y": [1.0, "z"]}), value_text("z")
    ("{'x': −7/2, 'y': [1, 'z']}", 'z')
    """
    text = in_full(value, inside)
    return text if inside or len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def in_full(value, inside):
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, str):
        return repr(value) if inside else value
    if is_array(value) and value.shape:
        return value_text(value.tolist(), inside) if value.size <= MOST_ENTRIES else f"an array of shape {value.shape}"
    if is_number(value):
        from viz.text.formatter import UNICODE  # not above: a process that only compares need not read it

        return UNICODE.number(value.item() if is_array(value) else value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{value_text(k, True)}: {value_text(v, True)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return bracketed(value)
    return f"a value of type {type(value).__name__}"


def bracketed(value):
    """Return a list, a tuple or a set as Python writes it. The items of a set stand in their order."""
    items = [value_text(x, True) for x in value]
    if isinstance(value, list):
        return f"[{', '.join(items)}]"
    if isinstance(value, tuple):
        return f"({', '.join(items)}{',' * (len(items) == 1)})"
    return "{" + ", ".join(sorted(items)) + "}" if items else "set()"


def pair(unlike: Difference):
    """Return two values that differ as two texts that differ: of large arrays the entry, of near numbers all digits."""
    texts = value_text(unlike.got), value_text(unlike.expected)
    if texts[0] != texts[1]:
        return texts
    values = (unlike.got, unlike.expected)
    where = ""
    if unlike.entry:
        values, where = tuple(x[unlike.entry] for x in values), f" at {list(unlike.entry)}"
        texts = tuple(f"{value_text(x)}{where}" for x in values)  # type: ignore[assignment]
    if texts[0] != texts[1]:
        return texts
    plain = (x.item() if is_array(x) and not x.shape else x for x in values)
    return tuple(f"{x if isinstance(x, Fraction) else repr(x)}"[:MOST_LETTERS] + where for x in plain)

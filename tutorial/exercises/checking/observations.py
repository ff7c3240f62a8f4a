"""What is wrong with a value, in sentences: its number, its shape, its type, or what takes its place."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from tutorial.exercises.values import (
    MISSING,
    MORE,
    MOST_LETTERS,
    SHAPE,
    TOLERANCE,
    TYPE,
    VALUE,
    Difference,
    difference,
    is_array,
    pair,
    value_text,
)

BY_HAND = "Compute this by hand. Where does your program first have another value?"
RETURN = "A function that prints does not return. Is there a `return`?"
SOMETIMES = "For other inputs it returns something. Which way through the function ends without `return`?"
QUOTES = "A key is a text here. Write its name between quotes."
NEARLY = 1e-4
NEAR = "The first digits are right. Is it a difference quotient, or a rounded number? A formula gives all digits."
ITERATORS = re.compile(r"generator|map|filter|zip|enumerate|reversed|range|deque|dict_(keys|values|items)|\w+_\w*iterator")
CALLABLE = ("function", "method", "builtin_function_or_method")
MOST_KEYS = 6
IN_WORDS = {
    bool: "a bool",
    int: "an integer",
    float: "a float",
    Fraction: "a fraction",
    str: "a string",
    list: "a list",
    tuple: "a tuple",
    set: "a set",
    frozenset: "a set",
    dict: "a dictionary",
}


class Observation(NamedTuple):
    """A heading, a sentence with its numbers, and a question that leads on, or "".

    `hinted` says whether the hints of the exercise can help: they say nothing about Python.
    """

    title: str
    said: str
    asked: str = ""
    hinted: bool = True


def observation(unlike: Difference, which, answer, right, printed="") -> Observation:
    """Return what is wrong with a component that is called `which`, of a whole answer.

    >>> from tutorial.exercises.values import difference
    >>> right = Fraction(71, 10)
    >>> observation(difference(7.1, right), "slope", 7.1, right).asked
    '7.1 is a float, so it is rounded. Keep fractions: write no float(), no 1.0.'
    """
    if is_rounded(unlike.got, unlike.expected):
        return of_rounding(unlike, which)
    if is_near(unlike.got, unlike.expected):
        return Observation(f"{which} is not exact", sentence(unlike, which), NEAR)
    if unlike.kind == TYPE:
        return of_type(unlike, which, printed)
    if unlike.kind == MISSING and answer and not answer.keys() & right.keys():
        quotes = QUOTES if not any(isinstance(key, str) for key in answer) and isinstance(next(iter(right)), str) else ""
        return Observation(
            "The keys are other ones", f"Your keys are {keys_in_words(answer)}; expected are {keys_in_words(right)}.", quotes, hinted=False
        )
    return Observation(heading(unlike, which), sentence(unlike, which), BY_HAND if unlike.kind == VALUE else "")


def heading(unlike: Difference, which):
    return {
        TYPE: f"{which} has the wrong type",
        SHAPE: f"{which} has the wrong shape",
        MISSING: f"{which} is missing",
        MORE: f"{which} should not be there",
        VALUE: f"{which} is wrong",
    }[unlike.kind]


def sentence(unlike: Difference, which):
    """Return the observation as a sentence with its numbers."""
    got, expected = quoted(unlike)
    if unlike.kind == MISSING:
        return f"{which} is missing. It should be {expected}."
    if unlike.kind == MORE:
        return f"{which} is {got}, which is not asked for."
    more = f" The first wrong entry is {list(unlike.entry)}." if unlike.entry else of_members(unlike.got, unlike.expected)
    if unlike.kind == SHAPE and is_array(unlike.expected):
        more = f" Its shape is {unlike.got.shape}, not {unlike.expected.shape}."
    return f"{which} is {got}. It should be {expected}.{more}"


def of_members(got, expected):
    """Return what a set of names lacks, and what is too many in it; "" for another thing."""
    if not isinstance(expected, set | frozenset) or not got or not expected:
        return ""
    parts = {"Missing": expected - got, "Too many": got - expected}
    return "".join(f" {what}: {', '.join(sorted(map(value_text, names)))[:MOST_LETTERS]}." for what, names in parts.items() if names)


def quoted(unlike: Difference):
    """Return what was got and what is right as two texts, strings between quotes."""
    texts = pair(unlike)
    values = zip((unlike.got, unlike.expected), texts)
    return tuple(repr(value[:MOST_LETTERS]) if isinstance(value, str) else text for value, text in values)


def keys_in_words(keys):
    """Return the first keys of a dictionary as text."""
    first = [value_text(key, True) for key in list(keys)[:MOST_KEYS]]
    return ", ".join(first) + (f" and {len(keys) - MOST_KEYS} more" if len(keys) > MOST_KEYS else "")


# Rounded numbers


def is_rounded(got: Any, expected: Any) -> bool:
    """Return whether floats stand where fractions or integers are right, to which they are equal but for rounding."""
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple) and len(got) == len(expected):
        rounded = [is_rounded(*both) for both in zip(got, expected)]
        return any(rounded) and all(found or mine == right for found, mine, right in zip(rounded, got, expected))
    if not isinstance(got, float) or not isinstance(expected, int | Fraction) or isinstance(expected, bool):
        return False
    return got != expected and abs(got - expected) <= TOLERANCE * max(1.0, abs(float(expected)))


def is_near(got: Any, expected: Any) -> bool:
    """Return whether a float has the first digits of the right one, but not all of them."""
    return isinstance(got, float) and isinstance(expected, float) and 0 < abs(got - expected) <= NEARLY * abs(expected)


def of_rounding(unlike, which):
    got, expected = pair(unlike)[0], value_text(unlike.expected)
    numbers = unlike.expected if isinstance(unlike.expected, list | tuple) else [unlike.expected]
    exact = "fractions" if any(isinstance(number, Fraction) for number in numbers) else "integers"
    whose = f"{got} is a float, so it is" if isinstance(unlike.got, float) else "Its numbers are floats, so they are"
    return Observation(
        f"{which} is rounded",
        f"{which} is {got}. It should be {expected}.",
        f"{whose} rounded. Keep {exact}: write no float(), no 1.0.",
        hinted=False,
    )


# Types


def of_type(unlike: Difference, which, printed) -> Observation:
    """Return what is wrong with a value of another type."""
    got, expected, title = unlike.got, unlike.expected, heading(unlike, which)
    if got is None and not unlike.component:
        return Observation("The program returned nothing", nothing(printed), RETURN, hinted=False)
    if not is_plain(got):
        return not_plain(type(got).__name__, expected, title, which)
    if isinstance(expected, set | frozenset) and isinstance(got, list | tuple) and has_members(got, expected):
        return Observation(title, f"The members are right, but it is {kind_of(got)}.", "Return a set.", hinted=False)
    if isinstance(got, list | tuple) and (place := place_in(got, expected)) is not None:
        return Observation(
            title, f"{which} is {kind_of(got)} of {len(got)}. Its item {place} is what is asked for.", "Return it alone.", hinted=False
        )
    if is_array(expected) and isinstance(got, list | tuple) and expected.shape:
        asked = "Make an array of it: np.array(…)." if shape_of(got) == expected.shape else ""
        return Observation(title, f"{which} is {kind_of(got)}, not an array.", asked, hinted=False)
    mine, right = quoted(unlike)
    asked = "Does this function have a `return`?" if got is None else ""
    return Observation(title, f"{which} is {in_words(got, mine)}. It should be {in_words(expected, right)}.", asked, hinted=False)


def shape_of(got):
    """Return the shape of the array that nested lists would make, as their first items say it.

    >>> shape_of([[1, 2, 3], [4, 5, 6]])
    (2, 3)
    """
    if isinstance(got, list | tuple):
        return (len(got), *(shape_of(got[0]) if got else ()))
    return got.shape if is_array(got) else ()


def place_in(got, expected):
    """Return the place of the right value in a list of values, or None."""
    return next((k for k, item in enumerate(got) if type(item) is type(expected) and difference(item, expected) is None), None)


def nothing(printed):
    lines = printed.strip().splitlines()
    return f"It printed {lines[0]}{' …' * (len(lines) > 1)}, and returned nothing." if lines else "It returned nothing."


def has_members(got, expected):
    """Return whether a list holds the members of a set."""
    return not any(map(is_array, got)) and all(x in got for x in expected) and all(x in list(expected) for x in got)


def in_words(value, text):
    """Return a value with its type: {1, 2}, a set."""
    return text if value is None else f"{text}, {kind_of(value)}"


def kind_of(value):
    """Return the type of a plain value in words.

    >>> kind_of(True), kind_of("z")
    ('a bool', 'a string')
    """
    if is_array(value):
        return "an array" if value.shape else "a number of NumPy"
    return next((text for kind, text in IN_WORDS.items() if isinstance(value, kind)), f"a value of type {type(value).__name__}")


def is_plain(value):
    return value is None or is_array(value) or isinstance(value, (*IN_WORDS, Mapping))


def not_plain(kind, right, title, which="The answer") -> Observation:
    """Return what is wrong with a value of a type that is not plain: an iterator, a function, an object of a class."""
    inside = isinstance(right, dict | tuple)
    is_it = f"{which} is {a(kind)}" + ", or it holds one" * inside
    if ITERATORS.fullmatch(kind):
        name = "set" if isinstance(right, set | frozenset) else "list"
        asked = f"Make a {name} of it: {name}(…)." if inside else f"Return a {name}: {name}(…)."
        return Observation(title, f"{is_it}.", asked, hinted=False)
    if kind in CALLABLE:
        return Observation(title, f"{is_it}.", "Is the function called? Brackets behind its name call it.", hinted=False)
    asked = "Return its number." if not inside else "Put its number there."
    return Observation(title, f"{is_it}, an object of a class.", asked, hinted=False)


def a(kind):
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"

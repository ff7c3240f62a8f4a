"""How the wrong values of a program lie to the right ones, the same on all inputs: the wrong sign, twice as much, always 0."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isclose
from typing import Any, NamedTuple

from tutorial.exercises.values import TOLERANCE, difference, is_array, is_number, value_text

FEWEST = 3  # wrong numbers from which a relation is told, and different right ones among them
LARGEST = 12  # denominator of a factor
NEAR = 1e-3  # of a number, or of 1 if it is smaller
HUGE = 1e300  # numbers that are not compared
SIGN, FACTOR = "M66", "M68"  # misconceptions


class Relation(NamedTuple):
    """What holds on all inputs, in a sentence, and the misconception if it shows one."""

    said: str
    id: str = ""


class Part(NamedTuple):
    """A component of one answer, what is right there, and the arguments."""

    got: Any
    right: Any
    arguments: Mapping


def relation(parts: Sequence[Part]) -> Relation | None:
    """Return what holds of all wrong parts, or None. `parts` are those of all probes.

    >>> relation([Part(-k, k, {}) for k in (2, 3, 5)]).said
    'On every input, each number has the wrong sign.'
    >>> relation([Part(0, k, {}) for k in (2, 3, 5)]).said
    'On every input, each number is 0.'
    >>> relation([Part(k, k * k, {"x": k}) for k in (2, 3, 5)]).said
    'On every input, the answer is x itself.'
    """
    wrong = [part for part in parts if difference(part.got, part.right)]
    if len(wrong) < 2:
        return None
    numbers = [pair for part in wrong for pair in number_pairs(part)] if all(map(is_numeric, wrong)) else []
    which = "each number" if len(wrong) == len(parts) else "each number that is wrong"
    whole = "the answer" if len(wrong) == len(parts) else "each wrong answer"
    found = of_arguments(wrong) or (of_numbers(numbers) if many(numbers) else None) or of_collections(wrong) or of_one_value(parts)
    if found is None and len(wrong) == len(parts) and all(isinstance(value, bool) for part in wrong for value in part[:2]):
        found = Relation("{whole} is the opposite of what is right")
    return found and found._replace(said=f"On every input, {found.said.format(which=which, whole=whole)}.")


def components(got, right, arguments) -> Iterator[tuple[str, Part]]:
    """Yield each component with its Part: of dictionaries and tuples those that both have."""
    if isinstance(right, Mapping) and isinstance(got, Mapping):
        for key in right:
            if key in got:
                yield from ((f"{key} {name}".rstrip(), part) for name, part in components(got[key], right[key], arguments))
    elif isinstance(right, tuple) and isinstance(got, list | tuple) and len(got) == len(right):
        for k, (mine, other) in enumerate(zip(got, right)):
            yield from ((f"[{k}]{name}", part) for name, part in components(mine, other, arguments))
    else:
        yield "", Part(got, right, arguments)


# Numbers


def is_numeric(part):
    both = part.got, part.right
    if all(isinstance(value, bool) for value in both):
        return False
    if all(is_array(value) and value.shape for value in both):
        return part.got.shape == part.right.shape and part.got.dtype.kind in "fiu"
    return all(map(is_number, both))


def number_pairs(part):
    """Yield the numbers of a part with the right ones, without those that are 0 for both."""
    pairs = zip(part.got.ravel().tolist(), part.right.ravel().tolist()) if is_array(part.right) and part.right.shape else [part[:2]]
    return [(g, r) for g, r in pairs if (g or r) and abs(g) < HUGE and abs(r) < HUGE]


def many(numbers):
    return len(numbers) >= FEWEST and len({float(right) for _, right in numbers}) >= FEWEST


def same(one, other):
    try:
        return isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    except OverflowError:  # an integer that no float can hold
        return False


def of_numbers(numbers) -> Relation | None:
    got, right = numbers[0]
    if all(same(g, r) for g, r in numbers):  # they are rounded
        return None
    if all(same(g, got) for g, _ in numbers):
        return Relation(f"{{which}} is {value_text(got)}")
    if all(same(g, -r) for g, r in numbers):
        return Relation("{which} has the wrong sign", SIGN)
    factor = Fraction(got / right).limit_denominator(LARGEST) if right else 0
    if factor not in (0, 1) and all(same(g, float(factor) * float(r)) for g, r in numbers):
        return Relation(f"{{which}} is {value_text(factor)} times what is right", FACTOR)
    if all(same(g * r, 1) for g, r in numbers):
        return Relation("{which} is 1 divided by what is right")
    if all(same(g - r, got - right) for g, r in numbers):
        more = "larger" if got > right else "smaller"
        return Relation(f"{{which}} is {more} than right by {value_text(abs(got - right))}")
    if all(same(g, int(r)) for g, r in numbers):
        return Relation("{which} is cut to an integer: its fraction is lost")
    if all(same(g, r * r) for g, r in numbers):
        return Relation("{which} is the square of what is right")
    if all(abs(g - r) <= NEAR * max(1, abs(r)) for g, r in numbers):
        return Relation(
            "{which} is near what is right, and not equal. A difference of two near values gives such numbers, and so does rounding"
        )
    return None


# Other values


def of_one_value(parts) -> Relation | None:
    """Return that all answers are one value, if it is not a number: of a number, more is said."""
    got, right = parts[0].got, parts[0].right
    if (
        not isinstance(got, bool | str | list | tuple | set | dict)
        or not any(difference(part.right, right) for part in parts)
        or any(difference(part.got, got) for part in parts)
    ):
        return None
    return Relation("the answer is the same")


def of_arguments(wrong) -> Relation | None:
    for name in wrong[0].arguments:
        given = [part.arguments.get(name) for part in wrong]
        if all(not difference(part.got, value) for part, value in zip(wrong, given)) and any(difference(given[0], x) for x in given):
            return Relation(f"{{whole}} is {name} itself")
    return None


def of_collections(wrong) -> Relation | None:
    return next((Relation(said) for said, holds in COLLECTIONS.items() if all(holds(part.got, part.right) for part in wrong)), None)


def is_list(value):
    return isinstance(value, list | tuple)


def arrays(*values):
    return all(map(is_array, values))


COLLECTIONS: dict[str, Callable] = {  # what is said: whether it holds of what was got and what is right
    "{whole} is empty": lambda got, right: isinstance(got, list | tuple | set | dict) and not got,
    "{whole} is the transpose of what is right": lambda got, right: (
        arrays(got, right) and got.ndim == right.ndim == 2 and got.shape == right.T.shape and not difference(got, right.T)
    ),
    "{whole} has the right numbers in another shape": lambda got, right: (
        arrays(got, right) and got.shape != right.shape and got.size == right.size and not difference(got.reshape(right.shape), right)
    ),
    "{whole} is the sum of what is right": lambda got, right: (
        is_array(right) and right.shape and is_number(got) and abs(got) < HUGE and same(got, right.sum())
    ),
    "{whole} is what is right, turned round": lambda got, right: (
        is_list(got) and isinstance(right, list) and not difference(list(got)[::-1], right)
    ),
    "{whole} has the right items in another order": lambda got, right: (
        is_list(got) and isinstance(right, list) and sorted(map(repr, got)) == sorted(map(repr, right))
    ),
    "{whole} is what is right, inside a list or a tuple": lambda got, right: (
        is_list(got) and len(got) == 1 and not difference(got[0], right)
    ),
    "{whole} is a text of what is right": lambda got, right: isinstance(got, str) and not isinstance(right, str) and got == str(right),
}

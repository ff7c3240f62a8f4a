"""Catch the impostors

Twelve engines compute derivatives. Three are right and nine are wrong, each in its own way. You do not see them. Give tests that tell them
apart.

`tests` is a list of at most three. A test is a tuple of three:

1. the lines of a graph. A line is an integer from −999 to 999, such as `"a = 2"`, or a function of two variables of earlier lines, with
   `+`, `-` or `*`. The result is `z`. There are at most 12 lines, and no number beyond 10¹⁵, derivatives included. `z` need not be the
   last one, and need not depend on all others,
2. the upstream gradient of $z$: the number with which the backward pass begins,
3. the gradients that you expect, for leaves on which $z$ depends.

An engine is accused if it gives another number than you expect. Each wrong engine must be accused by one of your tests, and no right
one by any.
"""
# meta: unit=F minutes=25 difficulty=4 kind=impostor chapter=museum-of-broken-engines given=wrong-number call=given_tests

# BEGIN SOLUTION
tests = [
    (
        ["a = 2", "b = 3", "h = a * b", "m = h * h", "z = h - m"],
        # ~ no-minus M66: ["a = 2", "b = 3", "h = a * b", "m = h * h", "z = h + m"],
        # ~ equal-factors M55: ["a = 3", "b = 3", "h = a + b", "m = h * h", "z = h - m"],
        # ~ one-child M03: ["a = 2", "b = 3", "h = a * b", "m = h * b", "z = h - m"],
        # ~ leaves M52: ["a = 2", "b = 3", "h = a * a", "m = a * b", "z = h - m"],
        # ~ other-way-round M54: ["a = 2", "b = 3", "h = a * b", "m = h * h", "z = m - h"],
        # ~ tree M53: ["a = 2", "b = 3", "c = 4", "h = a - b", "z = c * h"],
        5,
        # ~ starts-with-1 M05: 1,
        {"a": -165, "b": -110},
        # ~ no-minus M66: {"a": 195, "b": 130},
        # ~ equal-factors M55: {"a": -55, "b": -55},
        # ~ one-child M03: {"a": -30, "b": -50},
        # ~ leaves M52: {"a": 5, "b": -10},
        # ~ other-way-round M54: {"a": 165, "b": 110},
        # ~ tree M53: {"a": 20, "b": -20, "c": -5},
        # ~ starts-with-1 M05: {"a": -33, "b": -22},
    ),
    (
        ["a = 3", "b = 4", "y = a + b", "w = y * b", "z = y + a", "v = z * b"],
        # ~ no-dead-branch M23: ["a = 3", "b = 4", "y = a + b", "z = y + a", "v = z * b"],
        # ~ z-last M46: ["a = 3", "b = 4", "y = a + b", "w = y * b", "z = y + a"],
        # ~ tree M53: ["a = 3", "b = 4", "w = a * b", "z = a + b", "v = z * b"],
        1,
        {"a": 2, "b": 1},
        # ~ tree M53: {"a": 1, "b": 1},
    ),
]


# END SOLUTION
# MUTANT wrong-number M58
# tests = [
#     (["a = 3", "z = a * a"], 2, {"a": 6}),
# ]
# MUTANT too-many M59
# tests = [
#     (["a = 2", "b = 3", "h = a * b", "m = h * h", "z = h - m"], 5, {"a": -165}),
#     (["a = 2", "b = 3", "h = a * b", "m = h * h", "z = h - m"], 5, {"b": -110}),
#     (["a = 3", "b = 4", "y = a + b", "w = y * b", "z = y + a", "v = z * b"], 1, {"a": 2}),
#     (["a = 3", "b = 4", "y = a + b", "w = y * b", "z = y + a", "v = z * b"], 1, {"b": 1}),
# ]
# FRAME
def given_tests():
    return tests


# CHECK
from typing import NamedTuple

from tutorial.exercises.broken_engine.known_mistakes import (
    by_counting,
    depth_first,
    last_made,
    recursion,
    scattered,
    waits_for_dead_branches,
)
from tutorial.exercises.broken_engine.programs import Numbers
from tutorial.exercises.given_graphs import NoGraph, differ, leaves, read
from tutorial.exercises.probes.probe import Marks, Probe

MOST, LARGEST = 3, 999
TITLE = "Your tests do not tell the wrong engines from the right ones"
HINTS = (
    "First compute by hand what you expect, and check that no right engine is accused. Then ask of each mistake that you know: on which "
    "graph does it change a number?",
    "One graph can show many mistakes: variables that are used twice, by one function and by two; different factors; a difference; an "
    "upstream gradient that is not 1.",
    "For the second test think of lines that do not lead to z: one that uses an ancestor of z, and one that uses z. In the first, "
    "let a computed variable be an input of z and of what the second input of z is computed from.",
)
PREDICT = (
    "a = 2, b = 3, h = a · b, z = h - h · h, and the upstream gradient of z is 5. What is the gradient of a?",
    -165,
    {
        -33: "You left the upstream gradient out.",
        -110: "That is the gradient of b.",
        15: "You followed only the first h.",
        -180: "You followed only h · h.",
        -75: "h · h uses h twice, so its derivative is 2h.",
        -55: "That is the gradient of h. One more step leads from h to a.",
    },
)
ESCAPES = "{judged} One that escapes is wrong only "
SAID = {
    "wrong-number": "{judged} What you expect is not the gradient. Compute it once more, with all uses and with the upstream gradient.",
    "too-many": "{judged} More tests do not find more. Let one graph show several mistakes.",
    "starts-with-1": ESCAPES + "where the upstream gradient of z is not 1.",
    "no-minus": ESCAPES + "in the second input of a difference.",
    "equal-factors": ESCAPES + "where the factors of a product are different numbers.",
    "tree": ESCAPES + "where a variable is used more than once.",
    "one-child": ESCAPES + "where one function uses a variable twice.",
    "leaves": ESCAPES + "where a computed variable is used more than once.",
    "other-way-round": ESCAPES + "where a walk comes to a computed variable before all of its children.",
    "no-dead-branch": ESCAPES + "where a variable that z needs is also used by something that z does not need.",
    "z-last": ESCAPES + "where z is not made last.",
}
ASKED = dict.fromkeys(SAID, "Which mistake that you know would change no number in your tests?") | {
    "wrong-number": "How does z change with this leaf, over all of its uses?",
    "too-many": "Which two of your tests could be one?",
}


class Given(NamedTuple):
    """A test of the learner: a graph, the upstream gradient of its z, the gradients that are expected."""

    numbers: Numbers
    upstream: int
    expected: dict


def probes(random):
    """Yield the one question: which tests are they?"""
    yield Probe((), shown="tests")


# The engines: each returns {x: gradient} for a graph and an upstream gradient


def sorting(numbers, upstream):
    return scattered(numbers, numbers.order, upstream)


def counting(numbers, upstream):
    """Let a variable pass on when all its children that lead to z have reported."""
    return scattered(numbers, by_counting(numbers, {x: len(edges) for x, edges in numbers.children.items()}), upstream)


def gathering(numbers, upstream, some=lambda edges: edges):
    """Let each variable add up what some of its children bring."""
    total = {numbers.z: upstream}
    for x in numbers.order[1:]:
        total[x] = sum(total[y] * numbers.partials[y][slot] for y, slot in some(numbers.children[x]))
    return total


def walking(walk):
    return lambda numbers, upstream: scattered(numbers, list(walk(numbers.z, numbers.inputs)), upstream)


def with_partials(rule):
    """Return the engine that has rule(operator, values of the inputs, partials) in place of the partials."""

    def engine(numbers, upstream):
        wrong = Numbers(numbers.program)
        for y, inputs in wrong.inputs.items():
            wrong.partials[y] = rule(wrong.operators[y], [wrong.values[x] for x in inputs], wrong.partials[y])
        return scattered(wrong, wrong.order, upstream)

    return engine


def scaled(mistake):
    """Return the engine of a known mistake, whose numbers begin with 1."""
    return lambda numbers, upstream: {x: upstream * first for found in mistake(numbers, {}) for x, (first, *_) in found.items()}


RIGHT = sorting, counting, gathering
WRONG = {  # the name of the answer that lets it escape: the engine
    "tree": lambda numbers, upstream: gathering(numbers, upstream, lambda edges: edges[-1:]),
    "one-child": lambda numbers, upstream: gathering(numbers, upstream, lambda edges: list({y: (y, slot) for y, slot in edges}.values())),
    "leaves": walking(recursion),
    "other-way-round": walking(depth_first),
    "starts-with-1": lambda numbers, upstream: sorting(numbers, 1),
    "no-minus": with_partials(lambda operator, values, partials: (1, 1) if operator == "-" else partials),
    "equal-factors": with_partials(lambda operator, values, partials: tuple(values) if operator == "*" else partials),
    "no-dead-branch": scaled(waits_for_dead_branches),
    "z-last": scaled(last_made),
}


# The verdict


def judge(got, probe):
    """Return how many engines are accused, unless all wrong ones are and no right one is."""
    try:
        found = given(got)
    except NoGraph as wrong:
        return str(wrong)
    if len(found) > MOST:
        return f"There are {len(found)} tests. The most is {MOST}."
    escaped, mistaken = escaping(found), mistaken_in(found)
    if not escaped and mistaken is None:
        return None
    return counted(found, escaped) + (wrong_number(found, mistaken) if mistaken is not None else "")


def achieved(got, probe):
    """Return how many engines are accused."""
    found = given(got)
    return counted(found, escaping(found))


def counted(found, escaped):
    accused = sum(any(accuses(one, engine) for one in found) for engine in RIGHT)
    tests, caught = f"{len(found)} test{'s' * (len(found) != 1)}", len(WRONG) - len(escaped)
    return f"With {tests} you catch {caught} of {len(WRONG)} wrong engines, and accuse {accused} of {len(RIGHT)} right ones."


def wrong_number(found, k):
    right = sorting(found[k].numbers, found[k].upstream)
    x = next(x for x, number in found[k].expected.items() if differ(number, right[x]))
    return f" In test {k + 1} you expect {found[k].expected[x]} for {x}. The right engines give {right[x]}."


def named(got, probe):
    """Return the name of what is missing first."""
    try:
        found = given(got)
    except NoGraph:
        return None
    if len(found) > MOST:
        return "too-many"
    return "wrong-number" if mistaken_in(found) is not None else escaping(found)[0]


def escaping(found):
    """Return the names of the wrong engines that no test accuses."""
    return [name for name, engine in WRONG.items() if not any(accuses(one, engine) for one in found)]


def mistaken_in(found):
    """Return the place of the first test that accuses a right engine, or None."""
    return next((k for k, one in enumerate(found) if accuses(one, sorting)), None)


def accuses(one, engine):
    """Return whether an engine gives another number than a test expects."""
    total = engine(one.numbers, one.upstream)
    return any(differ(total.get(x) or 0, expected) for x, expected in one.expected.items())


def given(got):
    """Return the tests of a learner. Raises NoGraph."""
    if not isinstance(got, (list, tuple)) or len(got) > 100:
        raise NoGraph("tests must be a list of tests.")
    return [one_given(k, one) for k, one in enumerate(got[: MOST + 1], 1)] + [None] * (len(got) - MOST - 1)


def one_given(k, one):
    if not isinstance(one, (list, tuple)) or len(one) != 3:
        raise NoGraph(f"Test {k} must be a tuple of three: lines, upstream gradient, and a dictionary of gradients.")
    lines, upstream, expected = one
    try:
        numbers = read(lines)
    except NoGraph as wrong:
        raise NoGraph(f"Test {k}: {wrong}") from None
    if type(upstream) is not int or abs(upstream) > LARGEST:
        raise NoGraph(f"The upstream gradient of test {k} must be an integer of at most three digits.")
    if not isinstance(expected, dict) or not expected or not all(type(number) in (int, float) for number in expected.values()):
        raise NoGraph(f'Test {k} must expect gradients, such as {{"a": 6}}.')
    unknown = next((x for x in expected if x not in leaves(numbers)), None)
    if unknown is not None:
        raise NoGraph(
            f"Test {k} expects a gradient of {str(unknown)[:10]!r}. Its leaves on which z depends are {', '.join(leaves(numbers))}."
        )
    return Given(numbers, upstream, expected)


def marked(got, probe):
    """Return the first graph whose expected gradients are wrong, with these and the right ones; else the first graph."""
    try:
        found = given(got)[:MOST]
    except NoGraph:
        return None
    if not found:
        return None
    one = found[mistaken_in(found) or 0]
    right = sorting(one.numbers, one.upstream)
    return Marks(one.numbers.variables["z"], one.expected, {x: right[x] for x in one.expected}, steps=False)

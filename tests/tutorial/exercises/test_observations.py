"""What is said of a wrong value: of rounded numbers, of what is not returned, of other types, keys and shapes."""

from fractions import Fraction

import numpy as np

from tests.each import each
from tutorial.classroom.grading.runner import Runner
from tutorial.exercises.authored import find, read
from tutorial.exercises.checking.check import ALONE, check
from tutorial.exercises.checking.feedback import in_words
from tutorial.exercises.checking.observations import BY_HAND, observation
from tutorial.exercises.values import difference


class Node:
    pass


DEFAULT = "The default of seen in line {} is made once: what a call puts into it is there in the next call."


A = np.array([[1.0, 2.0], [3.0, 4.0]])
CASES = [
    (
        7.1,
        Fraction(71, 10),
        "slope is 7.1. It should be 71/10.",
        "7.1 is a float, so it is rounded. Keep fractions: write no float(), no 1.0.",
    ),
    ([0.1], [Fraction(1, 10)], "[1/10]", "Its numbers are floats, so they are rounded. Keep fractions: write no float(), no 1.0."),
    (2.9999999999999996, 3, "It should be 3.", "Keep integers: write no float(), no 1.0."),
    (3.000000000000007, Fraction(3), "It should be 3.", "Keep fractions: write no float(), no 1.0."),
    (7.2, Fraction(71, 10), "slope is 7.2. It should be 71/10.", BY_HAND),
    (7.1 * (1 + 1e-13), Fraction(71, 10), "slope is 7.1", "so it is rounded. Keep fractions"),
    (7.1 * (1 + 1e-7), Fraction(71, 10), "slope is 7.1", BY_HAND),
    (1e-13, 0, "slope is", "so it is rounded. Keep integers"),
    (1e-7, 0, "slope is", BY_HAND),
    (1000.5 * (1 + 1e-10), Fraction(2001, 2), "slope is", "so it is rounded. Keep fractions"),
    ([0.1, 7.2], [Fraction(1, 10), Fraction(71, 10)], "", BY_HAND),
    ([0.1, 3], [Fraction(1, 10), 4], "", BY_HAND),
    (None, 3, "It returned nothing.", "A function that prints does not return. Is there a `return`?"),
    (["b", "a"], {"a", "b"}, "The members are right, but it is a list.", "Return a set."),
    (["a"], {"a", "b"}, "slope is ['a'], a list. It should be {'a', 'b'}, a set.", ""),
    (["a", "b", "c"], {"a", "b"}, "slope is ['a', 'b', 'c'], a list. It should be {'a', 'b'}, a set.", ""),
    (["b", "a", "b"], {"a", "b"}, "The members are right, but it is a list.", "Return a set."),
    ("z", {"z"}, "slope is 'z', a string. It should be {'z'}, a set.", ""),
    (np.float64(1), {"z"}, "slope is 1, a number of NumPy. It should be {'z'}, a set.", ""),
    ("5", 5, "slope is '5', a string. It should be 5, an integer.", ""),
    ((x for x in "ab"), ["a", "b"], "slope is a generator.", "Return a list: list(…)."),
    ({}.keys(), {"a"}, "slope is a dict_keys.", "Return a set: set(…)."),
    (Node(), 3, "slope is a Node, an object of a class.", "Return its number."),
    (len, 3, "slope is a builtin_function_or_method.", "Is the function called? Brackets behind its name call it."),
    (A.tolist(), A, "slope is a list, not an array.", "Make an array of it: np.array(…)."),
    (A[0], A, "Its shape is (2,), not (2, 2).", ""),
    ({"Y1": 1, "Y2": 2}, {"y1": 1, "y2": 2}, "Your keys are 'Y1', 'Y2'; expected are 'y1', 'y2'.", ""),
    ({"y1": 1}, {"y1": 1, "y2": 2}, "y2 is missing. It should be 2.", ""),
    ({}, {"y1": 1}, "y1 is missing. It should be 1.", ""),
]


@each(("got", "right", "said", "asked"), CASES)
def test_what_is_said_of_a_wrong_value(got, right, said, asked):
    unlike = difference(got, right)
    found = observation(unlike, unlike.component or "slope", got, right)
    assert said in found.said and asked in found.asked and bool(asked) == bool(found.asked)
    assert found.hinted == (found.asked == BY_HAND or "missing" in found.said or "shape" in found.said)


def test_what_was_printed_in_place_of_a_return_is_said():
    assert observation(difference(None, 3), "slope", None, 3, "3\n4\n").said == "It printed 3 …, and returned nothing."


SUM = '''"""Sum

Statement.
"""
# meta: unit=A minutes=5 difficulty=1 chapter=none call=both


def both(notes):
    # BEGIN SOLUTION
    return [sum(notes)]
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = ("one", "two", "three")
SAID = {}


def probes(random):
    yield Probe(([2, 3],))
    yield Probe(([4],), shown="SHOWN")
'''


@each(("returned", "said"), [("map(int, notes)", "Return a list: list(…)."), ("Node", ""), ("Node()", "an object of a class.")])
def test_a_value_that_cannot_be_sent_is_told_as_here(returned, said):
    exercise, program = read("99", SUM), f"class Node: pass\ndef both(notes):\n    return {returned}\n"
    with Runner() as ask:
        elsewhere = check(exercise, program, ask=ask)
    here = check(exercise, program)
    assert (elsewhere.observed, elsewhere.asked) == (here.observed, here.asked)
    assert said in in_words(here) and "Hint" not in in_words(here, 3, ("one",))


def test_the_question_about_the_numbers_needs_the_numbers():
    exercise = read("99", SUM)
    assert check(exercise, "def both(notes): return [7 for _ in notes[:1]]").asked == BY_HAND
    assert check(exercise, "def both(notes): return [sum(notes) + (len(notes) < 2)]").asked == ""


def test_what_is_kept_from_an_earlier_call_is_found_by_a_call_alone():
    exercise, more = read("99", SUM), "notes, seen=[]):\n    seen.append(sum(notes))\n    return "
    assert check(exercise, f"def both({more}list(seen)").asked == f"{ALONE} {DEFAULT.format(1)}"
    assert check(exercise, f"def both({more}[len(seen)]").asked == DEFAULT.format(1)  # the first is wrong
    assert check(exercise, f"def both({more}[sum(notes) if notes[1:] else 0]").asked == DEFAULT.format(1)


def test_a_set_that_is_a_default_argument():
    program = """
def ancestors(z, inputs, seen=set()):
    for x in inputs[z]:
        if x not in seen:
            seen.add(x)
            ancestors(x, inputs)
    return set(seen)
"""
    with Runner() as ask:
        found = check(find("05"), program, ask=ask)
    assert found.state == "wrong" and found.asked == f"{ALONE} {DEFAULT.format(2)}" and not found.hinted


def test_the_right_value_inside_a_tuple_is_found():
    right = np.array([1.0, 2.0])
    found = observation(difference((right, 3), right), "The answer", (right, 3), right)
    assert (found.said, found.asked) == ("The answer is a tuple of 2. Its item 0 is what is asked for.", "Return it alone.")

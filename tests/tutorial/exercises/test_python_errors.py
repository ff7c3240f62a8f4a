"""What is said of an error: the learner's line with a caret, no call where it has no part, missing functions, exchanged keys."""

import pytest

from tests.each import each, swept
from tutorial.exercises import answers
from tutorial.exercises.authored import exercises, find, imports, read
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.feedback import in_words
from tutorial.exercises.checking.python_errors import ALLOWED, closed

SLOPE = find("00")
GET = "The file has no function `children`. It has `get_children`. Was it renamed?"


@each(
    ("program", "line", "source"),
    [
        ("def slope(f, x, h)\n    return 1\n", 1, "def slope(f, x, h)\n                  ^"),
        ("def slope(f, x, h):\n    if x = 1: return 1\n", 2, "    if x = 1: return 1\n       ^"),
        ("def slope(f, x, h):\n    if x:\n\treturn 1\n        return 2\n", 3, "        return 1\n        ^"),
        ("def slope(f, x, h):\n    return f(X) / h\n", 2, "    return f(X) / h\n             ^"),
        ("import fractions\nx = 1 / 0\n", 2, "x = 1 / 0"),
        ("def half(x):\n    return x / 0\nhalf(3)\n", 2, "    return x / 0"),
    ],
)
def test_the_line_stands_in_the_message_and_neither_a_call_nor_a_hint(program, line, source):
    found = check(SLOPE, program)
    assert (found.state, found.line, found.source) == ("crashed", line, source)
    shown = in_words(found, 3, ("a hint",))
    assert all("    " + text in shown for text in found.source.splitlines())
    assert "slope(f," not in shown.replace(found.source.splitlines()[0], "") and "Hint" not in shown


def test_an_error_of_a_call_has_its_line_and_its_call():
    found = check(SLOPE, "def slope(f, x, h):\n    return [][0]\n")
    assert found.source == "    return [][0]" and "slope(f, 2, 1/10)" in in_words(found) and "Hint 1" in in_words(found, 3, ("one",))


@each(
    ("error", "end"),
    [
        ("AssertionError: ", "AssertionError without a message."),
        (
            "SyntaxError: invalid syntax. Maybe you meant '==' instead of '='?",
            "SyntaxError: invalid syntax. Maybe you meant '==' instead of '='?",
        ),
        ("ValueError: No.", "ValueError: No."),
        ("ValueError: no", "ValueError: no."),
    ],
)
def test_a_sentence_ends_once(error, end):
    assert closed(error) == end


@each(
    ("number", "program", "state", "said"),
    [
        (
            "01",
            "def get_children(x, edges):\n    return []\n",
            "crashed",
            GET,
        ),
        ("00", "def Slope(f, x, h):\n    return 1\n", "crashed", "The file has no function `slope`. It has `Slope`. Was it renamed?"),
        ("00", "x = 3\n", "not started", "The file has no function `slope`."),
        ("01", "", "not started", "The file has no function `children`."),
    ],
)
def test_a_function_that_is_missing_may_be_renamed(number, program, state, said):
    found = check(find(number), program)
    assert (found.state, found.said) == (state, said)
    assert "Hint" not in in_words(found, 3, ("a hint",)) and "slope(f" not in in_words(found)


KEYS = """'''Title

Statement.
'''
# meta: unit=A minutes=5 difficulty=1 chapter=none call=at
def at(z, table):
    # BEGIN SOLUTION
    return table[z, "y"]
    # END SOLUTION
# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS, SAID = (), {}
probes = lambda random: [Probe(("z", {("z", "y"): 3}))]
"""


def test_a_key_in_the_other_order_is_named():
    found = check(read("99", KEYS), "def at(z, mine):\n    return mine['y', z]\n")
    assert (found.state, found.asked, found.hinted) == ("crashed", "mine has the key ('z', 'y').", False)
    assert check(read("99", KEYS), "def at(z, mine):\n    return mine['x', z]\n").asked == ""


@pytest.fixture
def few_calls(monkeypatch):
    monkeypatch.setattr(answers, "OF_PYTHON", 1)  # a tenth of the calls


def test_what_takes_too_long_may_loop_or_repeat(few_calls):
    found = check(find("05"), "def ancestors(z, inputs):\n    while True: len('')\n")
    assert found.state == "timeout" and "calls of functions." in found.observed
    assert found.asked == "Does every loop end? Is something computed again and again?"


@swept(
    ("number", "program", "said"),
    [
        ("00", "def slope(f, x, h):\n    return (np.array(f(x + h)) - f(x)) / h\n", "Write `import numpy as np` at the top of your file."),
        (
            "00",
            "def slope(f, x, h):\n    return (Fraction(f(x + h)) - f(x)) / h\n",
            "Write `from fractions import Fraction` at the top of your file.",
        ),
        ("00", "import torch_of_another\ndef slope(f, x, h):\n    return 1\n", ALLOWED),
        ("00", "def slope(f, x):\n    return f(x)\n", "The given program has: def slope(f, x, h)."),
        ("00", "def slope(f, x, h):\n    print(f(x))\n    return f(x) + slope(f, x, h)\n", "Where do the calls end?"),
        (
            "01",
            "def children(edges, x):\n    found = set()\n    found.append(x)\n    return found\n",
            "A list has append. A set has add and update.",
        ),
    ],
    every=3,
)
def test_the_advice_says_what_pythons_message_means(number, program, said):
    found = check(find(number), program)
    assert said in found.asked and said in in_words(found)


@pytest.mark.sweep
def test_every_error_of_a_call_says_what_is_right(few_calls):
    for program in ("def slope(f, x, h):\n    return [][0]\n", "def slope(f, x, h):\n    while True: f(x)\n"):
        found = check(SLOPE, program)
        assert " It should give slope: 3" in found.observed and "slope(f, 2, 1/10)" in in_words(found, 2)


@pytest.mark.sweep
def test_what_imports_a_package_and_takes_too_long_hears_what_may_be_imported(few_calls):
    found = check(SLOPE, "import pytest\ndef slope(f, x, h):\n    while True: f(x)\n")
    assert (found.state, found.asked) == ("timeout", f"To import pytest may take long. {ALLOWED}")
    assert "import" not in check(SLOPE, "import math\ndef slope(f, x, h):\n    while True: f(x)\n").asked


def test_what_the_given_program_imports_need_not_be_imported_again():
    for exercise in exercises():
        if exercise.frame and imports(exercise.given):
            program = exercise.solution
            for statement in imports(exercise.given):
                program = program.replace(statement, "", 1)
            found = check(exercise, program)
            assert found.state == "right" or found.asked.startswith("Write `from contextlib import contextmanager`"), found

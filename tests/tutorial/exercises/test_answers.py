"""A learner's program is run for each probe: values, errors with the learner's line, changed arguments, a bound of calls."""

import sys

import pytest

from tests.each import each
from tutorial.exercises.answers import NO_FUNCTION, TOO_LONG, answers


def one(program, *arguments, calls=100):
    (found,) = answers(program, "f", [arguments], [calls])
    return found


def test_each_call_gets_its_own_arguments_and_gives_its_own_value():
    found = answers("def f(x):\n    x.append(1)\n    return x", "f", [([],), ([2],)], [10, 10])
    assert [(answer.value, answer.changed) for answer in found] == [([1], "x"), ([2, 1], "x")]


@pytest.mark.parametrize(
    ("program", "error", "line"),
    [
        ("def f(x):\n    return g(x)\ndef g(x):\n    return 1 / 0", "ZeroDivisionError: division by zero", 4),
        ("def f(x):\n    return {}[x]", "KeyError: 3", 2),
        ("def f(:\n", "SyntaxError: invalid syntax", 1),
        ("import sys\nsys.exit(0)", "SystemExit: 0", 2),
        ("def f(x):\n    raise SystemExit", "SystemExit: ", 2),
        ("def f(x):\n    raise ValueError('a\\nb')", "ValueError: a b", 2),
        ("def f(x):\n    class W(Exception):\n        def __str__(self): exit()\n    raise W", "W: its message cannot be read", 4),
    ],
)
def test_an_error_has_its_type_its_message_and_the_learners_line(program, error, line):
    assert (one(program, 3).error, one(program, 3).line) == (error, line)


def test_a_program_without_the_function_says_so():
    assert one("g = 3").error == f"{NO_FUNCTION}: your program defines no f"
    assert one("f = 3").error == f"{NO_FUNCTION}: your program defines no f"


@pytest.mark.parametrize(
    "program",
    [
        "def f():\n    while True: g()\ndef g(): pass",
        "def f():\n    while True: len('')",
        "def f():\n    try:\n        while True: g()\n    except Exception:\n        return 3\ndef g(): pass",
        "def g(): pass\nwhile True: g()\n",
    ],
)
def test_calls_are_bounded_without_a_clock(program):
    assert one(program).error.startswith(TOO_LONG)
    assert sys.getprofile() is None


def test_calls_are_counted():
    assert one("def f(n):\n    return n and f(n - 1)", 50).calls == 51


@each("place", ["import large_library\n{f}", "def f():\n    import large_library\n    return large_library.count\n"])
def test_what_a_library_calls_while_it_is_imported_does_not_count(place, tmp_path, monkeypatch):
    library = "def one(k): return k\ncount = sum(one(1) for _ in range(200_000))\n"
    tmp_path.joinpath("large_library.py").write_text(library)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "large_library", raising=False)
    program = place.replace("{f}", "def f():\n    return large_library.count\n")
    assert one(program).value == 200_000
    assert one("import large_library\ndef f():\n    while True: large_library.one(1)").error.startswith(TOO_LONG)


def test_ctrl_c_is_not_an_answer():
    with pytest.raises(KeyboardInterrupt):
        one("def f():\n    raise KeyboardInterrupt")

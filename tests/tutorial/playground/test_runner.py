"""The runner of the playground: a learner's program gives its prints, its result, its error and its graphs."""

import sys
import weakref

import pytest

from tutorial.playground import build, runner


def run(source):
    """Return what `runner.run` found, with the printed text as `prints`."""
    said = []
    return runner.run(source, said.append) | {"prints": "".join(said)}


def test_the_last_expression_is_shown_and_its_graph_comes_first():
    found = run("from scalargrad import Value\nx = Value(3)\ny = x * x\nz = y + x\ny")
    assert found["value"] == "Value(9, name='y')"
    assert found["graphs"] == ["y", "z"]
    assert found["checked"] == "all 4 derivatives agree"
    assert found["error"] is None


def test_variables_are_called_as_in_the_program_within_functions_too():
    run("from scalargrad import Value\ndef loss(w):\n    hidden = w * w\n    return hidden + w\nz = loss(Value(3))")
    assert "hidden" in runner.page_of("z")["html"]


def test_an_expression_without_a_name_is_called_as_it_is_written():
    assert run("from scalargrad import Value\nx = Value(3)\nx * x + 1")["graphs"] == ["x * x + 1"]
    assert runner.page_of("x * x + 1")["why"] is None


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        ("x = (", 1, "'(' was never closed"),
        ("x = 1\nfor k in range(3):\n    y = x / k", 3, "ZeroDivisionError: division by zero"),
        ("valeu = 3\nprint(value)", 2, "NameError: name 'value' is not defined"),
        ("def f():\n    return g()\ndef g():\n    return [][1]\nf()", 4, "IndexError"),
        ("from scalargrad import log, Value\nx = Value(0)\nlog(x, 2, 3)", 3, "TypeError"),
        ("raise SystemExit(3)", 1, "SystemExit: 3"),
        ("input('your name?')", 1, "input() cannot ask anybody here"),
        ("class Odd:\n    def __repr__(self):\n        return 1 / 0\nOdd()", 3, "ZeroDivisionError"),
        ("def f():\n    return f()\nf()", 2, "RecursionError"),
    ],
)
def test_an_error_names_the_learners_own_line_and_none_of_ours(source, line, text):
    error = run(source)["error"]
    assert error["line"] == line
    assert text in error["text"]
    assert "runner.py" not in error["text"] and "scalargrad/" not in error["text"]


def test_a_hundred_thousand_prints_are_the_first_thousand_and_the_last_twenty():
    lines = run("for k in range(100_000):\n    print(k)")["prints"].splitlines()
    assert lines[:2] == ["0", "1"] and lines[999] == "999"
    assert lines[1000] == "… 98,980 lines are left out …"
    assert lines[1001:] == [str(k) for k in range(99_980, 100_000)]


def test_a_line_without_an_end_is_printed_too():
    assert run("print('a', end='')")["prints"] == "a"


def test_what_is_printed_before_an_error_is_kept():
    found = run("print('before')\n1 / 0")
    assert found["prints"] == "before\n" and found["error"]["line"] == 2


def test_a_large_graph_is_named_but_neither_checked_nor_played():
    found = run("from scalargrad import Value\nz = Value(1.0)\nfor _ in range(400):\n    z = z * 1.01")
    assert found["checked"].startswith("a graph of 401 variables")
    assert runner.page_of("z") == {"html": None, "why": "z has 401 variables. A graph of up to 300 is played here; make a smaller one."}


def test_the_last_programs_variables_are_released():
    run("from scalargrad import Value\nchain = [Value(1.0)]\nfor _ in range(50):\n    chain.append(chain[-1] * 1.01)\nz = chain[-1]")
    watches = [weakref.ref(v) for v in runner.last["chain"]]
    assert len(watches) == 51
    runner.release()
    assert all(watch() is None for watch in watches) and not runner.last and not runner.graphs


def test_programs_do_not_see_the_names_of_the_one_before():
    run("x = 3")
    assert run("x")["error"]["text"].endswith("NameError: name 'x' is not defined")


def test_a_module_that_the_page_lacks_is_told_with_what_to_do_here(monkeypatch):
    for name in ("numpy", "tensorgrad", "torch", "micrograd"):
        monkeypatch.setitem(sys.modules, name, None)  # as in a page without NumPy
    told = {name: run(f"import {name}")["error"]["text"] for name in ("numpy", "tensorgrad", "torch.nn", "micrograd.engine", "a_module")}
    assert all("python -m tutorial playground --numpy" in told[name] for name in ("numpy", "tensorgrad"))
    assert all("write `from scalargrad import Value`" in told[name] for name in ("torch.nn", "micrograd.engine"))
    assert "Python's own modules" in told["a_module"] and told["torch.nn"].startswith("Traceback")


MADE = "import viz\nfrom scalargrad import Value\nx = Value(3)\nz = x * x\n"


def test_a_drawing_or_a_player_on_the_last_line_is_shown_and_not_written():
    drawn, played, plain = (run(MADE + last) for last in ("viz.draw(z)", "viz.play(z)", "z"))
    assert "<svg" in drawn["picture"]["svg"] and drawn["value"] is None and drawn["graphs"] == ["z"]
    assert played["picture"]["html"].startswith("<iframe") and played["value"] is None
    assert plain["picture"] == {} and plain["value"] == "Value(9, name='z')"


def test_help_is_printed():
    assert "∂y/∂x = y" in run("from scalargrad import exp\nhelp(exp)")["prints"]


def test_a_long_line_and_a_long_value_are_cut():
    for found in (run("print('x' * 1_000_000)")["prints"], run("'x' * 1_000_000")["value"]):
        assert len(found) < 6_000 and found.rstrip().endswith("characters are left out")


def test_after_backward_the_gradients_that_the_program_has_are_checked():
    assert run(MADE + "z.backward()\nz")["checked"] == "all 4 derivatives agree, and so do the gradients in .grad"
    assert "but x.grad is 12, and dz/dx is 6: .grad adds up" in run(MADE + "z.backward()\nz.backward()\nz")["checked"]
    assert "but x.grad is 7, and dz/dx is 6" in run(MADE + "z.backward()\nx.grad += 1\nz")["checked"]
    assert run(MADE + "z.backward()\nx.grad = 0\nz")["checked"] == "all 4 derivatives agree"  # set to 0 for the next step


PROGRAMS = [example for example in build.examples() if example["group"] == "programs"]


@pytest.mark.parametrize("example", PROGRAMS, ids=lambda example: example["title"])
def test_every_example_runs_and_has_a_graph(example):
    found = run(example["text"])
    assert found["error"] is None and found["prints"] and found["graphs"]
    assert runner.page_of(found["graphs"][0])["html"]


def test_a_bar_of_progress_is_one_line_as_in_a_terminal():
    bar = "for k in range(3):\n    print('\\r' + '#' * k, k, end='')\n"
    source = f"{bar}print()\nprint('abc', end='')\nprint('\\rX')\nprint('no end', end='')"
    assert run(source)["prints"] == "## 2\nXbc\nno end"


def test_what_is_printed_over_takes_no_memory():
    said = []
    prints = runner.Prints(said.append)
    for k in range(2000):
        prints.write(f"\r{k}")
        assert len(prints.waiting) <= 10
    prints.close()
    assert said == ["1999"]

"""Cells of a chapter share their names, and each gives its prints, its value and its error with the learner's own lines."""

import pytest

from tutorial.playground import cells


def run(source, name="cell 1", shows=True):
    said = []
    return cells.run(source, name, shows, said.append) | {"prints": "".join(said)}


@pytest.fixture(autouse=True)
def forget():
    names = dict(cells.program.names)
    yield
    cells.ran.clear()
    cells.program.names.clear()
    cells.program.names.update(names)


def test_a_cell_sees_the_names_of_those_before_it():
    run("x = 3")
    assert run("print(x)\nx + 1", "cell 2") == {"error": None, "shown": {"text": "4"}, "prints": "3\n"}


def test_a_cell_whose_text_is_another_takes_back_what_its_former_text_did():
    f = "def f(x):\n    return 2 * x"
    run(f, "cell 1")
    run("y = 1", "a cell that is not shown")
    run("print = f = 3\ndel y\nz = 4", "cell 2")
    run("f, later = f + z, 6", "cell 3")
    assert run("print(f(y))", "cell 2")["prints"] == "2\n"
    assert "z" not in cells.program.names and "print" not in cells.program.names
    run(f.replace("2", "5"), "cell 1")
    assert run("f(later)", "cell 2")["shown"] == {"text": "30"}  # what later cells have made is there
    for k in (1, 2, 3):  # the same text goes on from where it was
        assert run("n = n + 1 if 'n' in globals() else 1\nn", "cell 3")["shown"] == {"text": str(k)}


def test_a_variable_is_drawn_and_a_page_is_played_only_if_that_is_asked_for():
    found = run("from scalargrad import Value\nz = Value(3) * 2\nz")
    assert "<svg" in found["shown"]["svg"]
    assert run("import viz\nviz.play(z)", "cell 2")["shown"]["html"].startswith("<iframe")
    assert run("z", "cell 3", shows=False)["shown"] == {}


def test_an_error_has_the_lines_of_this_cell_and_of_those_before_it():
    run("def half(x):\n    return x / 0", "cell 1")
    error = run("y = 1\nhalf(y)", "cell 2")["error"]
    assert error["line"] == 2
    assert 'File "cell 1", line 2, in half' in error["text"] and "program.py" not in error["text"]
    assert run("x = (", "cell 3")["error"]["line"] == 1
    long = run(f"int({'x' * 5000!r})", "cell 4")["error"]
    assert long["line"] == 1 and max(map(len, long["text"].split("\n"))) < 310


def test_what_a_cell_printed_before_an_error_is_kept():
    found = run("print('before')\n1 / 0")
    assert found["prints"] == "before\n" and found["error"]["line"] == 2

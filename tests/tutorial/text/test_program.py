"""Cells run one after the other, as in a notebook."""

import pytest

from tutorial.text.program import Program, Result


def test_a_cell_gives_what_it_printed_and_the_value_of_its_last_line():
    program = Program("a chapter")
    assert program.run("def f(x):\n    print('f')\n    return x + 1") == Result("", None)
    assert program.run("y = f(1)\nf(y)") == Result("f\nf\n", 3)
    assert program.run("y;") == Result("", None) and program.run("") == Result("", None)
    assert program.evaluate("y + 1") == "3" and program.evaluate("', '.join('ab')") == "a, b"


def test_variables_get_the_names_that_they_have_in_the_cell():
    program = Program("a chapter")
    program.run("from scalargrad import Value\nx, w = Value(1.0), Value(2.0)\ny = x * w")
    assert [v.name for v in (program.names["x"], program.names["w"], program.names["y"])] == ["x", "w", "y"]


def test_a_mistake_is_raised_with_the_line_of_the_cell(capsys):
    program = Program("a chapter")
    program.run("x = 0")
    with pytest.raises(ZeroDivisionError) as wrong:
        program.run("print('kept back')\n1 / x")
    last = wrong.traceback[-1]
    assert str(last.path) == "<a chapter, cell 2>" and capsys.readouterr().out == ""
    with pytest.raises(SyntaxError):
        program.run("1 +")

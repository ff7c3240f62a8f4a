"""python -m tutorial compare FILE: the result in the terminal, and what a file that fails or never ends does."""

import pytest

from tests.tutorial.exercises.broken_engine.engines import CLASS, FUNCTION, WRONG, without
from tutorial.cli.main import main

pytestmark = pytest.mark.processes  # the engine of the file runs in one of its own


@pytest.fixture
def compared(tmp_path, capfd):
    def compared(source, *options):
        path = tmp_path / "own.py"
        path.write_text(source, encoding="utf-8")
        return main(["compare", str(path), *options]), capfd.readouterr()

    return compared


def test_a_right_engine_ends_with_0_and_a_wrong_one_with_1(compared):
    code, shown = compared(CLASS)
    assert code == 0 and shown.out.startswith("No difference was found")
    code, shown = compared(WRONG["overwrites"])
    assert code == 1 and shown.out.startswith("The engine overwrites instead of adding") and "[M03]" in shown.out


def test_an_endless_loop_is_stopped_and_the_program_is_named(compared):
    code, shown = compared(without(FUNCTION, "    return", "    while order: pass\n    return"), "--seconds", "2")
    assert code == 1 and "did not end within 2 seconds" in shown.out and "z.backward()" in shown.out
    code, shown = compared("import time\nwhile True:\n    time.sleep(1)\n", "--seconds", "1")
    assert code == 1 and shown.out == "The file did not end within 1 seconds.\n"


def test_a_file_that_ends_python_or_raises_is_a_difference_with_the_files_own_line(compared):
    code, shown = compared("import os\n" + without(FUNCTION, "return computed", "os._exit(3)"))
    assert code == 1 and "ended Python (exit code 3)" in shown.out
    code, shown = compared("x = 1\n1 / 0")
    assert code == 1 and "line 2" in shown.out and "ZeroDivisionError" in shown.out and "child.py" not in shown.out
    code, shown = compared("def f(:")
    assert code == 1 and "SyntaxError" in shown.out


def test_a_file_without_an_engine_and_a_missing_file_end_with_2(compared, capfd):
    code, shown = compared("print('hello')")
    assert code == 2 and "def backprop(order, children, partial)" in shown.out and "hello" in shown.err
    assert main(["compare", "/nowhere/own.py"]) == 2
    assert "there is no file" in capfd.readouterr().err


def test_control_characters_of_an_engine_do_not_reach_the_terminal(compared):
    _, shown = compared(without(FUNCTION, "return computed", "raise ValueError('\\x1b[2J')"))
    assert "\x1b" not in shown.out and "ValueError" in shown.out


def test_the_page_of_the_difference_is_written(compared, tmp_path):
    path = tmp_path / "found.html"
    assert compared(WRONG["overwrites"], "-o", str(path))[0] == 1
    assert "got 1" in path.read_text(encoding="utf-8")
    assert compared(CLASS, "-o", "/nowhere/found.html")[0] == 2


def test_what_a_file_writes_to_the_descriptor_itself_is_left_out(compared):
    code, shown = compared("import os\nos.write(1, b'[1]\\nhello\\n')\n" + CLASS)
    assert code == 0 and "hello" not in shown.out

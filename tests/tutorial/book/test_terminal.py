"""The commands of a page run in a folder of the page, one after the other; a command that fails is a mistake of the page."""

import pytest

from tutorial.book.directives.terminal import Terminal
from tutorial.exercises.authored import find

pytestmark = pytest.mark.processes


@pytest.fixture
def terminal():
    made = Terminal()
    yield made
    made.close()
    assert not made.root.exists()


def test_a_student_sees_what_the_commands_print(terminal):
    assert terminal.shown("$ python -m tutorial exercises init mine")[1] == "The exercises are in mine. Next:"
    assert terminal.shown("$ cd mine") == ["$ cd mine"]
    assert "02_figure1.py" in terminal.shown("$ ls")
    asked = terminal.shown("$ python -m tutorial exercises predict 02 <<< 14")
    assert asked[0].endswith("predict 02") and asked[2] == "14" and asked[3].startswith("✗ 14 is not right")
    name, written = terminal.write("02", "only-y2")
    assert name == "02_figure1.py" and '"x4": 2 * x4' in written and "def figure1" not in written
    assert "  ✗ x4 is wrong" in terminal.shown("$ python -m tutorial exercises check 02")
    assert terminal.write("02", "solution")[1] == '        "x4": x1 + 2 * x4,'
    text = (terminal.here / "02_figure1.py").read_text(encoding="utf-8")
    assert text.startswith("# 02. Figure 1 on paper") and text.endswith(find("02").solution)


@pytest.mark.parametrize("command, why", [("python -m tutorial exercises check 99", "exit code 2"), ("rm -r .", "rm cannot run here")])
def test_a_command_that_fails_is_a_mistake_of_the_page(terminal, command, why):
    with pytest.raises(ValueError, match=why):
        terminal.shown(f"$ {command}")


def test_what_a_command_has_written_is_listed_as_one_sees_it(terminal):
    terminal.shown("$ python -m tutorial teach example class")
    terminal.shown("$ cd class")
    assert terminal.shown("$ ls")[:3] == ["$ ls", "student-01", "student-02"]

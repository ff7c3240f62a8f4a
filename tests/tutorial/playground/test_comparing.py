"""The playground compares the engine in a learner's program with the right one."""

import pytest

from tests.tutorial.exercises.broken_engine.engines import CLASS, FUNCTION, LOOP, WRONG, without
from tutorial.playground import build, runner
from tutorial.playground.comparing import DIFFERENCE, TOGETHER, compared


def found(source):
    said, tried = [], []
    return compared(source, said.append, tried.append) | {"prints": "".join(said), "tried": tried}


def test_a_difference_has_a_page_and_one_on_which_both_engines_step():
    result = found(WRONG["overwrites"])
    assert result["graphs"] == [DIFFERENCE, TOGETHER] and result["error"] is None
    assert result["value"].startswith("The engine overwrites instead of adding\n")
    assert "got 1" in runner.page_of(DIFFERENCE)["html"] and "is 2" in runner.page_of(DIFFERENCE)["html"]
    assert "should be" in runner.page_of(TOGETHER)["html"]
    assert result["tried"][0] == "z = Value(3)\nz.backward()"


def test_a_loop_of_steps_is_played_itself():
    assert found(LOOP)["graphs"] == [DIFFERENCE, TOGETHER]
    assert "The other loop" in runner.page_of(TOGETHER)["html"]


def test_a_right_engine_has_a_page_that_says_so():
    result = found(CLASS)
    assert result["graphs"] == ["result"] and "No difference was found" in runner.page_of("result")["html"]


def test_an_error_in_an_engine_marks_the_learners_line():
    result = found(without(FUNCTION, "computed[y] * ", "missing * "))
    assert result["error"]["line"] == 7 and "NameError" in result["error"]["text"] and "compare.py" not in result["error"]["text"]
    assert result["graphs"] == [DIFFERENCE] and "NameError" in runner.page_of(DIFFERENCE)["html"]


@pytest.mark.parametrize(
    ("source", "said"), [("print('hi')", "No engine was found"), ("x = (", "never closed"), ("raise SystemExit", "SystemExit")]
)
def test_a_program_without_an_engine_says_what_is_missing(source, said):
    result = found(source)
    assert said in result["error"]["text"] and result["graphs"] == []


def test_prints_are_shown_and_the_next_program_begins_without_the_pages():
    assert found("print('hi')\n" + FUNCTION)["prints"] == "hi\n"
    runner.run("x = 3", print)
    assert not runner.pages


ENGINES = [example for example in build.examples() if example["group"] != "programs"]


@pytest.mark.parametrize("example", ENGINES, ids=lambda example: example["title"])
def test_every_example_of_an_engine_is_compared_and_only_the_first_is_right(example):
    result = found(example["text"])
    assert result["error"] is None
    assert (result["graphs"] == ["result"]) == (example is ENGINES[0])

"""The playground checks an exercise of the book."""

import json

from tutorial.exercises.authored import find
from tutorial.playground import runner
from tutorial.playground.practice import FOUND, TOGETHER, checked


def test_the_same_mistake_is_told_in_more_detail_each_time_and_another_begins_anew():
    exercise, seen, texts = find("08"), "{}", []
    for name in ("overwrite", "overwrite", "no-upstream"):
        found = checked("08", exercise.wrong[name].program, seen, print)
        seen = found["seen"]
        texts.append(runner.page_of(FOUND)["html"])
    assert json.loads(seen) == {"overwrite": 2, "no-upstream": 1}
    assert ["You overwrote" in text for text in texts] == [False, True, False] and "You added" not in texts[2]
    assert found["graphs"] == [FOUND, TOGETHER] and runner.page_of(TOGETHER)["html"].startswith("<!doctype html>")


def test_a_right_program_forgets_nothing_of_the_mistakes_and_its_page_shows_what_it_printed():
    for printed in ("", "hello"):
        program = find("02").solution.replace("return", f"print({printed!r}, end='')\n    return")
        found = checked("02", program, '{"only-y2": 1}', print)
        assert (found["state"], found["seen"], found["line"]) == ("right", '{"only-y2": 1}', None)
        assert found["graphs"] == [FOUND] * bool(printed)
    assert "hello" in runner.page_of(FOUND)["html"]


def test_an_error_marks_the_learners_line_and_the_page_says_it():
    found = checked("02", "\ndef figure1(*x):\n    return missing", "{}", print)
    assert (found["state"], found["line"]) == ("crashed", 3)
    assert "name &#x27;missing&#x27; is not defined" in runner.page_of(FOUND)["html"]

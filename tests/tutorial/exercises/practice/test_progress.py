"""What a student has reached: attempts, what was solved once, and how often each misconception was met, also in another session."""

import pytest

from tests.each import each
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, RIGHT, TIMEOUT, WRONG, Verdict
from tutorial.exercises.practice.progress import NOW_WRONG, SOLVED, STATE, UNNAMED, Progress

FORGOT = Verdict(WRONG, "a sum", id="M03")
OTHER = Verdict(WRONG, "a product", id="M07")
NO_NAME = Verdict(WRONG, "something else")


@pytest.fixture
def progress(tmp_path):
    return Progress(tmp_path / STATE)


def met(progress):
    return progress.of["08"]["met"]


def test_each_new_program_is_an_attempt_and_the_same_one_again_is_none(progress):
    for program, verdict in (("a", FORGOT), ("a", FORGOT), ("b", FORGOT), ("a", FORGOT), ("c", Verdict(RIGHT, ""))):
        progress.record("08", program, verdict)
    entry = progress.of["08"]
    assert entry["attempts"] == 4, "a, b, a and c; the second a is the program that was checked before"
    assert entry["met"] == {"M03": 3}, "a right program meets no misconception"


def test_the_same_program_with_another_verdict_is_an_attempt(progress):
    """Its loop may have ended in time on a quicker machine."""
    progress.record("08", "a", Verdict(TIMEOUT, "too long"))
    progress.record("08", "a", FORGOT)
    assert progress.of["08"]["attempts"] == 2 and met(progress) == {UNNAMED: 1, "M03": 1}


def test_record_returns_how_often_the_misconception_was_met(progress):
    """By this number the hints become more: the first time is 1."""
    found = [
        progress.record("08", program, verdict) for program, verdict in zip("abcdab", (FORGOT, FORGOT, OTHER, NO_NAME, FORGOT, NO_NAME))
    ]
    assert found == [1, 2, 1, 1, 3, 2]
    assert met(progress) == {"M03": 3, "M07": 1, UNNAMED: 2}
    assert progress.record("08", "b", NO_NAME) == 2, "the same program again counts once"
    assert progress.record("09", "a", FORGOT) == 1, "each exercise counts for itself"


def test_what_is_recorded_is_there_in_the_next_session(progress):
    progress.record("08", "a", FORGOT)
    progress.entry("09")["hints"] = 2
    progress.record("10", "a", Verdict(RIGHT, ""))
    again = Progress(progress.path)
    assert again.of == progress.of and again.record("08", "b", FORGOT) == 2


@each(
    "states, shown",
    [
        ([], ""),
        ([WRONG], WRONG),
        ([RIGHT], SOLVED),
        ([WRONG, RIGHT], SOLVED),
        ([RIGHT, WRONG], NOW_WRONG),
        ([RIGHT, CRASHED], NOW_WRONG),
        ([RIGHT, TIMEOUT], NOW_WRONG),
        ([RIGHT, WRONG, RIGHT], SOLVED),
        ([RIGHT, NOT_STARTED], SOLVED),  # it was reset
        ([CRASHED, TIMEOUT], TIMEOUT),
    ],
)
def test_what_was_solved_stays_solved(states, shown, tmp_path_factory):
    progress = Progress(tmp_path_factory.mktemp("student") / STATE)
    for k, state in enumerate(states):
        progress.record("08", f"program {k}", Verdict(state, ""))
    assert progress.state("08") == shown and progress.solved("08") == (RIGHT in states)


@each("text", ["", "{", "[]", '{"schema": "another"}', '{"schema": "tutorial/state/v1"}'])
def test_a_file_that_cannot_be_read_counts_as_empty(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("student") / STATE
    path.write_text(text, encoding="utf-8")
    assert Progress(path).of == {} and Progress(path).state("08") == ""

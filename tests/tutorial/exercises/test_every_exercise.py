"""Every exercise: it passes its own test, its recording says the same, each known wrong answer has its page, and any value is judged.

Its known wrong answers run once. The default tests run those of a sample; `-m sweep` runs those of all.
"""

from html import escape

import numpy as np
import pytest

from tests.each import each
from tests.tutorial.classroom.recording.test_recording import compare
from tutorial.classroom import selftest
from tutorial.exercises.answers import Answer
from tutorial.exercises.authored import exercises
from tutorial.exercises.checking import check
from tutorial.exercises.checking.check import Asked, as_if
from tutorial.exercises.checking.feedback import in_words
from tutorial.exercises.checking.page import verdict_page
from tutorial.exercises.checking.verdict import RIGHT
from tutorial.exercises.probes.probe import Computed

SEED = 0  # of `known`, too
WITHOUT_GRAPH = ("09", "10", "16", "17", "18", "19", "22", "23", "24", "25", "26", "27", "32", "33", "35", "37", *map(str, range(40, 47)))


SAMPLE = {  # of each kind of exercise a quick one
    "02": "numbers",
    "07": "to be repaired, with a judge",
    "08": "to be repaired",
    "19": "arrays",
    "26": "with a judge",
    "34": "asks the check while it runs",
    "36": "shows what was achieved",
}


class Once(Asked):
    """Finds the verdict on each known wrong answer once."""

    def __init__(self, exercise, seed):
        super().__init__(exercise, seed)
        self.found = {}

    def verdict(self, found, lines):
        if not isinstance(found, Computed):  # what a known wrong answer gives
            return super().verdict(found, lines)
        if (id(found), lines) not in self.found:
            self.found[id(found), lines] = super().verdict(found, lines)
        return self.found[id(found), lines]


@each("exercise", exercises(), ids=lambda exercise: exercise.number)
def test_its_parts_are_whole_and_its_solution_is_right_and_in_no_text_that_a_student_gets(exercise):
    asked = Asked(exercise, SEED)
    assert [*selftest.faults_of_form(exercise), *selftest.faults_of_hints(exercise)] == []
    assert asked.verdict(asked.answers_of(exercise.solution), 0).state == RIGHT


@pytest.fixture(
    scope="module",
    params=[pytest.param(e, marks=[] if e.number in SAMPLE else pytest.mark.sweep) for e in exercises()],
    ids=lambda exercise: exercise.number,
)
def exercise(request):
    return request.param


@pytest.fixture(scope="module")
def asked(exercise):
    return Once(exercise, SEED)


@pytest.fixture(scope="module")
def known(exercise, asked):
    """The verdicts on the known wrong answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "Asked", lambda *about: asked)
        return check.known(exercise)


def test_it_has_no_fault(exercise, asked, monkeypatch):
    monkeypatch.setattr(selftest, "Asked", lambda *about: asked)
    assert not list(selftest.faults(exercise, (SEED,)))


def test_its_recording_says_of_every_known_answer_what_it_says_and_holds_no_solution(exercise, asked):
    compare(exercise, {SEED: asked})


def test_each_known_wrong_answer_has_a_page_and_the_first_its_graph(exercise, known):
    pages = []
    for verdict in known:
        pages.append(verdict_page(exercise, verdict, 2).html)
        assert escape(verdict.said) in pages[-1] and verdict.said in in_words(verdict, 2)
    assert ("<svg" in pages[0]) == (exercise.number not in WITHOUT_GRAPH)


def test_each_sentence_on_a_known_wrong_answer_can_be_said_of_a_program_that_acts_like_it(known):
    for verdict in known:
        found = as_if(verdict.said)
        assert found == verdict.said or found.startswith("Your program acts as if you ") and ".." not in found and ". ." not in found


GRAPH = {f"v{k}": [f"v{k + 1}"] * 60 for k in range(25)}
VALUES = [
    None,
    (None, [["z"]]),
    ["list", [{}]],
    10**4_200,
    "x" * 10**6,
    ["z", "x" * 10**6],
    float("nan"),
    "z",
    [],
    [["z"]],
    [{}],
    ["z"] * 1_900,
    [f"v{k}" for k in range(1_900)],
    {"z": None},
    {1: ["z"]},
    np.zeros((2, 3)),
    [np.zeros(2)],
    {"z": np.zeros(0)},
    GRAPH | {"z": ["v0"]},
    GRAPH | {"z": ["v0"], "v25": ["z"]},
    [(["a = 2", "z = a * a"], 1, {"a": np.zeros(3)})],
    [(["z = 1"],)],
    ((0,), ()),
    ((True,), (1,)),
]


def test_every_answer_is_judged(asked):
    """A judge meets what no honest program gives: it must neither raise nor take long."""
    for value in VALUES:
        found = [asked.bounded(k, Answer(value)) for k in range(len(asked.probes))]
        assert 0 < len(asked.verdict(found, 1).said) < 5_000, value

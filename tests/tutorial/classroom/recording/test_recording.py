"""A recorded exercise gives the same diagnosis as the authored one, word for word, and holds no solution.

That each recording does so for the first seed: test_every_exercise, which runs the known answers once.
"""

import json
import re

import pytest

from tests.each import each, swept
from tutorial.classroom.leaks import leaks
from tutorial.classroom.recording.read import SEEDS, asked
from tutorial.classroom.recording.write import judge_code, recording
from tutorial.exercises.authored import exercises, find, read_recording
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import Asked, check
from tutorial.exercises.checking.feedback import told
from tutorial.exercises.checking.page import together, verdict_page
from tutorial.exercises.checking.verdict import Verdict
from tutorial.exercises.practice.folder import program_to_write

VALUES = ("probe", "answer", "right", "difference")  # of a Verdict; its other fields are text
PROGRAMS = ("", "def f(:\n", "raise SystemExit", "import missing")


def compare(exercise, computed):
    """Check that a recording, made as students get it, says of every program what `computed` says, {seed: Asked}."""
    text = recording(exercise, computed, lambda exercise, seed: computed[seed])
    assert not list(leaks([("recording.jsonl", text.encode())]))
    recorded = read_recording(text)
    for seed, here in computed.items():
        there = asked(recorded, seed)
        for name, answers in here.known.items():
            lines = len(exercise.wrong[name].program.splitlines())
            assert words(there.verdict(answers, lines)) == words(here.verdict(answers, lines)), f"{name}, seed {seed}"
        for program in (exercise.solution, exercise.given, *PROGRAMS):
            assert words(there.check(program)) == words(here.check(program)), f"{program!r}, seed {seed}"


def words(verdict: Verdict):
    return {name: text for name, text in verdict._asdict().items() if name not in VALUES}


@pytest.mark.slow
@each("exercise", exercises(), ids=lambda exercise: exercise.number)
def test_a_recording_of_all_seeds_says_of_every_known_answer_what_the_exercise_says(exercise):
    compare(exercise, {seed: Asked(exercise, seed) for seed in SEEDS})


@swept("number, name", [("02", "direct-only"), ("08", "overwrite"), ("15", "copies-in-add"), ("36", "leaf")], every=2)
def test_a_recording_draws_the_same_page_and_has_the_same_hints(number, name):
    exercise = find(number)
    recorded = read_recording(recording(exercise, (0,)))._replace(path=exercise.path)
    name = name if name in exercise.wrong else next(iter(exercise.wrong))
    here = check(exercise, exercise.wrong[name].program)
    there = check(recorded, exercise.wrong[name].program, asked=asked)
    same = without_picture if exercise.needs_numpy else str  # a recording draws arrays without gradients
    assert (
        same(verdict_page(recorded, there, 2).html) == same(verdict_page(exercise, here, 2).html)
        and "<svg" in verdict_page(recorded, there).html
    )
    assert together(recorded, there) is None or number == "36"
    assert checks(recorded).predict == checks(exercise).predict
    assert told(there, 3, checks(recorded).hints) == told(here, 3, checks(exercise).hints)
    assert program_to_write(recorded) == program_to_write(exercise) and (recorded.recorded, exercise.recorded) == (True, False)


def without_picture(html):
    return re.sub(r"<figure.*?</figure>|min-width: \d+px", "", html, flags=re.S)


def test_a_recording_that_holds_other_values_says_something_else():
    exercise = find("02")
    recorded = read_recording(recording(exercise, (0,)))
    first, *lines = recorded.text.splitlines()
    texts = json.loads(first)
    texts["checks"]["said"]["only-y2"] = "{got}?"
    verdict = check(recorded._replace(text="\n".join([json.dumps(texts), *lines])), exercise.wrong["only-y2"].program, asked=asked)
    assert verdict.said == "14?"


def test_a_recording_knows_its_own_seeds_alone():
    recorded = read_recording(recording(find("02"), (0, 1)))
    assert check(recorded, "x = 1", seed=1, asked=asked).state == "not started"
    with pytest.raises(KeyError, match="has no seed 10"):
        asked(recorded, 10)
    with pytest.raises(NotImplementedError, match="probes for other numbers"):
        check(recorded, "x = 1")


def test_the_code_of_a_judge_is_all_that_it_needs_and_no_more():
    names: dict = {}
    exec(judge_code(find("36")), names)
    assert {"judge", "achieved", "named", "marked", "walk"} <= names.keys() and not {"graph", "SAID", "probes", "scene"} & names.keys()

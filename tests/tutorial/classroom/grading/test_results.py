"""Results as lines: the same results give the same bytes in whatever order they came, by student and exercise."""

import json
import random

from tests.tutorial.classroom.exports.results_for_tests import result
from tutorial.classroom.grading.results.results import LONGEST, lines_of, printable_text, scored
from tutorial.exercises.checking.verdict import Verdict


def test_the_same_results_in_any_order_give_the_same_bytes():
    results = [result(student, exercise, seed=seed) for student in ("bob", "ada") for exercise in ("10", "02", "09") for seed in "21"]
    text = lines_of(results)
    for seed in range(5):
        assert lines_of(random.Random(seed).sample(results, len(results))) == text
    keys = [(r["student"], r["exercise"], r["seed"]) for r in map(json.loads, text.splitlines())]
    assert keys == sorted(keys) and len(keys) == 12


def test_a_text_of_a_learner_is_cut_and_has_no_control_characters():
    text = printable_text("a\x1b[31m\n" + 2 * LONGEST * "b")
    assert text.isprintable() and len(text) <= LONGEST + len(r"\x1b\n")


def test_a_finding_says_all_that_a_verdict_knows():
    where = {"input": "f(3)", "got": "1", "expected": "2"}
    verdict = Verdict("crashed", "NameError", said="Line 3 raises NameError.", id="M03", name="overwrite", component="y1", line=3, **where)
    found = scored(verdict, 2)
    assert (found["state"], found["score"], found["max_score"]) == ("crashed", 0, 2)
    names = {"component": "y1", "misconception": "M03", "mistake": "overwrite", "message": "Line 3 raises NameError."}
    assert found["findings"] == [names | where | {"line": 3}]
    assert scored(Verdict("right", "Right"), 2) == {"state": "right", "score": 2, "max_score": 2, "findings": []}

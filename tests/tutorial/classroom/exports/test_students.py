"""A file of results is read one student at a time, and a file that does not say what each student reached is refused."""

import json

import pytest

from tests.each import each, swept
from tests.peak import peak_of
from tests.tutorial.classroom.exports.results_for_tests import UNGRADED, result, write_results
from tutorial.classroom.exports.forms import text
from tutorial.classroom.exports.students import Results

REFUSED = {  # what is wrong: the results, and a part of the message
    "interrupted": ([result("ada"), "{"], "line 2 of r.jsonl is not a result"),
    "another schema": ([result("ada", schema="other/v1")], "line 1"),
    "a score of text": ([result("ada", score="1")], "line 1"),
    "true points": ([result("ada", score=True, max_score=True)], "line 1"),
    "more points than there are": ([result("ada", score=9)], "line 1"),
    "points below 0": ([result("ada", score=-1)], "line 1"),
    "an ungraded 0": ([result("ada", state=UNGRADED, score=0)], "line 1"),
    "a new state": ([result("ada", state="maybe")], "line 1"),
    "a student twice": ([result("ada"), result("bob"), result("ada", "03")], "the results of ada stand in two places"),
    "an exercise twice": ([result("ada"), result("ada", seed="2")], "ada has two results for exercise 02"),
    "other points": ([result("ada"), result("bob", most=3)], "exercise 02 has 2 points at 3"),
    "nothing": ([], "there are no results"),
}


@each("what", REFUSED)
def test_a_file_that_does_not_say_what_each_student_reached_is_refused(what, tmp_path):
    results, said = REFUSED[what]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in results))
    with pytest.raises(ValueError, match=said):
        Results(path)


def test_a_student_with_an_ungraded_or_missing_result_has_no_total(tmp_path):
    results = [result("ada"), result("ada", "03", most=3), result("bob"), result("eve", state=UNGRADED), result("eve", "03", most=3)]
    found = Results(write_results(tmp_path / "r.jsonl", results))
    assert (found.count, found.without_total, found.exercises) == (3, 2, {"02": 2, "03": 3})
    assert {student.name: student.total(found.exercises) for student in found} == {"ada": 5, "bob": None, "eve": None}


@swept("form, most", [("csv", 0), ("canvas", 0), ("junit", 1000)], every=3)
def test_a_larger_class_needs_no_more_memory_but_for_the_names(form, most, tmp_path):
    """Names are kept, about 150 bytes each; a result needs more than 1,000, and is forgotten or becomes a case of at most as many bytes."""

    def peak(students):
        results = (result(f"s{k:05}", f"{n:02}") for k in range(students) for n in range(10))
        found = write_results(tmp_path / f"{students}.jsonl", results)
        return peak_of(lambda: sum(len(piece) for _, piece in pieces(form, Results(found))))

    peak(10)
    assert peak(200) - peak(50) < 150 * (400 + 10 * most)


def pieces(form, results):
    from tutorial.classroom.exports.forms import FORMS, Options

    return FORMS[form].files(results, Options())


def test_the_same_results_give_the_same_text(tmp_path):
    found = Results(write_results(tmp_path / "r.jsonl", [result("ada"), result("bob", state="wrong")]))
    assert all(text(form, found) == text(form, found) for form in ("csv", "canvas", "junit"))

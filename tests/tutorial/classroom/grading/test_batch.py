"""A run is a value: batches of it, graded in another process in any order, give the results of the whole class."""

import multiprocessing
import pickle

import pytest

from tutorial.classroom.grading.classes import batch
from tutorial.classroom.grading.classes.batch import Grader, Run, students_in
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.results.results import UNGRADED
from tutorial.exercises.authored import find

RUN = Run("practice", b"a secret of 16 bytes", "first", Bounds(seconds=3), ("02", "08"))


def grade(run, students, known=()):
    with Grader(run) as grader:
        return list(grader.results(students, known))


@pytest.fixture
def folder(tmp_path):
    for student, number in {"ada": "02", "bob": "08"}.items():
        (tmp_path / student).mkdir()
        (tmp_path / student / {"02": "02_figure1.py", "08": "08_backprop_dict.py"}[number]).write_text(find(number).solution)
    return tmp_path


@pytest.mark.processes
def test_batches_in_another_process_give_the_results_of_the_class(folder):
    students = students_in(folder)
    whole = grade(RUN, students)
    assert [(r["student"], r["exercise"], r["state"]) for r in whole] == [
        ("ada", "02", "right"),
        ("ada", "08", "not started"),
        ("bob", "02", "not started"),
        ("bob", "08", "right"),
    ]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        parts = pool.starmap(grade, [(pickle.loads(pickle.dumps(RUN)), [student]) for student in reversed(students)])
    assert [*parts[1], *parts[0]] == whole


def test_a_known_result_is_not_computed_again_unless_it_was_ungraded(folder, monkeypatch):
    whole = grade(RUN, students_in(folder))
    monkeypatch.setattr(batch, "Runner", None)  # a program that ran again would be ungraded
    assert grade(RUN, students_in(folder), whole) == whole
    again = grade(RUN, students_in(folder), [result | {"state": UNGRADED} for result in whole])
    assert [result["state"] for result in again] == [UNGRADED, "not started", "not started", UNGRADED]
    assert grade(RUN._replace(assignment="second"), students_in(folder), whole) != whole


def test_a_program_to_repair_that_is_still_the_given_one_is_not_a_mistake_of_the_student(folder):
    (folder / "ada" / "08_backprop_dict.py").write_text(f"# my notes\n{find('08').given}", encoding="utf-8")
    found = {(r["student"], r["exercise"]): r for r in grade(RUN, students_in(folder))}["ada", "08"]
    assert (found["state"], found["score"], found["findings"][0]["misconception"]) == ("not started", 0, "")

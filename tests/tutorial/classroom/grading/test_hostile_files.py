"""Whatever the file of one student holds, it ends in one result of this student, soon, and the next student is graded."""

import json
import os

import pytest

from tests.each import each, swept
from tutorial.classroom.grading import codec
from tutorial.classroom.grading.classes import batch
from tutorial.classroom.grading.classes.archive import overlooked
from tutorial.classroom.grading.classes.batch import Grader, Run
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.results.results import UNGRADED
from tutorial.classroom.grading.runner import answer_of
from tutorial.exercises.answers import Answer
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import Asked
from tutorial.exercises.checking.verdict import RIGHT
from tutorial.exercises.practice.notebook_programs import programs_in
from tutorial.exercises.syntax import same_statements, statements

FIGURE1, DEEP = find("02"), 90_000
RUN = Run("practice" if os.name != "posix" else "process", b"a secret of 16 bytes", bounds=Bounds(seconds=1), exercises=("02",))
FILES = {
    "minus signs": "x = " + "-" * DEEP + "1",
    "not": "x = " + "not " * (DEEP // 4) + "1",
    "brackets": "(" * DEEP,
    "attributes": "x" + ".a" * (DEEP // 2),
    "calls": "x" + "()" * (DEEP // 2),
    "a sum": "x = " + "1 + " * (DEEP // 4) + "1",
    "powers": "x = " + "1 ** " * (DEEP // 5) + "1",
    "functions": "x = " + "lambda: " * (DEEP // 8) + "1",
    "choices": "x = " + "1 if 1 else " * (DEEP // 12) + "1",
    "branches": "if 1:\n pass\n" + "elif 1:\n pass\n" * (DEEP // 16),
    "blocks": "".join(" " * k + "if 1:\n" for k in range(300)),
    "a return type": "def figure1() -> " + "-" * DEEP + "1: pass",
    "digits": "x = " + "9" * DEEP,
    "a hexadecimal number": "x = 0x" + "f" * DEEP,
    "a large power": "x = " + "9 ** 9 ** " * 100 + "9",
    "null bytes": "x = '\0'\n\0\0",
    "end of file": "\x1a",
    "empty lines": "\n" * DEEP,
    "form feeds": "\f" * DEEP,
    "escapes": "x = '" + "\\d" * (DEEP // 2) + "'",
    "many loops": "def figure1(*x):\n" + "    for i in x: x += i\n" * 3_000,
    "many lines": "def figure1(*x):\n" + "    x = 1\n" * 9_000,
    "recursion": "def figure1(*x): return figure1(*x)",
    "a string that does not end": "x = '" + "a" * DEEP,
    "a large file": "#" * 2_000_000,
    "a large program": "x = 1\n" * 100_000,
    "a large value": "def figure1(*x): return 10**4_000",
    "a larger value": "def figure1(*x): return {'y1': 10**30_000}",
    "many values": "def figure1(*x): return [0] * 500_000",
    "keys that are alike": "def figure1(*x): return {k * (2**61 - 1): 0 for k in range(2_000)}",
    "a long error": "def figure1(*x): raise KeyError('-' * 5_000_000)",
    "an error that is code": "def figure1(*x):\n class E(Exception):\n  def __str__(self): return '-' * 90_000 + '1'\n raise E",
}


def student(folder, name, content):
    (folder / name).mkdir(exist_ok=True)
    path = folder / name / "02_figure1.py"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path.parent


@pytest.fixture(scope="module")
def grader():
    with Grader(RUN) as made:
        yield made


@pytest.mark.processes
@each("name", FILES)
def test_a_file_ends_in_one_result_and_the_next_student_is_graded(name, tmp_path, grader):
    students = [student(tmp_path, "ada", FILES[name]), student(tmp_path, "bob", FIGURE1.solution)]
    first, second = grader.results(students)
    assert (first["student"], first["score"], first["state"] != UNGRADED) == ("ada", 0, True), first
    assert first["findings"][0]["message"].isprintable() and len(json.dumps(first)) < 20_000
    assert (second["student"], second["state"]) == ("bob", RIGHT)


def test_what_its_reader_cannot_bear_is_the_file_of_one_student(tmp_path, grader, monkeypatch):
    students = [student(tmp_path, "ada", "x = 1"), student(tmp_path, "bob", FIGURE1.solution)]
    program = batch.Folder.program
    monkeypatch.setattr(batch.Folder, "program", lambda folder, exercise: {"bob": program}[folder.path.name](folder, exercise))
    first, second = grader.results(students)
    assert (first["state"], first["score"]) == ("crashed", 0) and "KeyError" in first["findings"][0]["message"]
    assert second["state"] == RIGHT


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="this user may read any folder")
def test_a_folder_that_cannot_be_read_is_said(tmp_path, grader):
    folder = student(tmp_path, "ada", FIGURE1.solution)
    folder.chmod(0)
    (found,) = grader.results([folder])
    assert (found["state"], found["score"]) == ("crashed", 0) and "Permission denied" in found["findings"][0]["message"]
    assert "ada: the folder cannot be read" in next(overlooked(tmp_path))
    folder.chmod(0o700)


@swept("name", FILES, every=6)
def test_no_program_is_too_deep_to_be_compared(name):
    assert not same_statements(FILES[name], FIGURE1.given) and isinstance(statements(FILES[name]), list)


def test_a_notebook_of_empty_lines_is_read_in_time_that_grows_with_it():
    notebook = {"cells": [{"cell_type": "code", "source": "\n" * 400_000 + "x = '\ud800'\n%time\n  !ls"}]}
    assert programs_in(json.dumps(notebook), [FIGURE1]) == {}


def test_an_answer_with_many_more_parts_than_the_right_one_is_not_judged():
    asked = Asked(find("07"), 0)
    assert asked.bounded(0, Answer([f"v{k}" for k in range(100_000)])).error.startswith("TooLarge: the answer has more than")


def test_texts_of_a_process_are_cut():
    assert len(answer_of((None, "E: " + "x" * 10**6, None, "y" * 10**6, 0, "z" * 10**6, 0)).error) < 5_000


def test_keys_that_all_have_one_hash_are_refused():
    keys = ",".join(f'{{"int":"{k * (2**61 - 1):x}"}}' for k in range(1_000))
    with pytest.raises(codec.NotPlain, match="the same hash"):
        codec.loads(f'{{"set":[{keys}]}}'.encode())
    assert codec.loads(codec.dumps({k << 40 for k in range(1_000)})) == {k << 40 for k in range(1_000)}

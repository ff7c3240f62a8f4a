"""The notebook of an exercise runs from start to end, as it is given and with the solution, and says what is wrong as a check does."""

import json

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.each import each
from tutorial.classroom.notebooks import check as checking
from tutorial.classroom.notebooks.check import check
from tutorial.classroom.notebooks.write import notebook
from tutorial.exercises.authored import exercises, find
from tutorial.exercises.checking.check import check as verdict_on
from tutorial.exercises.practice.notebook_programs import programs_in
from tutorial.exercises.syntax import same_statements


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the cells of a notebook in IPython, its program replaced, and return what they print."""
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(checking, "seen", {})

    def run(text, program=None):
        given, last = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        for source in (given if program is None else program, last):
            assert shell.run_cell(source, store_history=True).success
        return capsys.readouterr().out

    yield run
    shell.history_manager.end_session()


def test_a_notebook_runs_as_it_is_given_with_a_wrong_answer_and_with_the_solution(run):
    exercise = find("02")
    text = notebook(exercise)
    assert run(text).startswith("Not started")
    wrong = exercise.wrong["only-y2"].program
    first, second = run(text, wrong), run(text, f"%time 1\n{wrong}")
    assert "x4 is 14. It should be 16." in first and "you followed y2 but not y1" in second and "you followed" not in first
    assert run(text, exercise.solution).startswith("Right")


@each("exercise", exercises(), ids=lambda exercise: exercise.number)
def test_what_is_taken_from_a_notebook_is_the_program(exercise):
    text = notebook(exercise)
    assert exercise.title in text and "{eval}" not in text
    for program in (exercise.solution, exercise.given):
        cells = json.loads(text)
        cells["cells"][1]["source"] = program
        (taken,) = programs_in(json.dumps(cells), [exercise]).values()
        if not same_statements(taken, program):  # it does not use all that it imports
            assert verdict_on(exercise, taken).state == verdict_on(exercise, program).state


def test_a_program_that_is_to_be_written_outside_of_functions_lets_the_check_run():
    given = find("02")._replace(given="raise NotImplementedError  # your code\n")
    _, cell, _, last = json.loads(notebook(given))["cells"]
    assert (cell["metadata"], last["metadata"]) == ({"tags": ["raises-exception"]}, {})


def test_outside_of_a_notebook_the_sources_must_be_named():
    with pytest.raises(RuntimeError, match="name the sources"):
        check("02")

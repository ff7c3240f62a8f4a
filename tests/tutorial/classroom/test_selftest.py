"""The test of an exercise finds each kind of fault in an exercise that has it. That ours have none: test_every_exercise."""

import json

import pytest

from tests.each import each
from tutorial.classroom.selftest import faults, secret_lines
from tutorial.cli.commands.teach import selftest as teach_selftest
from tutorial.cli.main import main
from tutorial.exercises.answers import answers as answers_of
from tutorial.exercises.authored import exercises, find, others, read


@pytest.mark.slow
@each("exercise", exercises(), ids=lambda exercise: exercise.number)
def test_an_exercise_has_no_fault_with_other_numbers(exercise):
    assert not list(faults(exercise, range(2, 22)))


def test_other_right_answers_are_other_programs():
    assert sum(len(others(exercise)) for exercise in exercises()) > 50
    assert all(program.strip() != exercise.solution.strip() for exercise in exercises() for program in others(exercise))


TEXT = '''"""Double

`double(x)` returns 2x.
"""
# meta: unit=A minutes=5 difficulty=1 chapter=none call=double


def double(x):
    # BEGIN SOLUTION
    doubled = x + x
    return doubled
    # ~ square M02: return x * x
    # ~ same M02: return x
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = ("One.", "Two.", "Three.")
SAID = {"square": "{got} is a square, expected {expected}.", "same": "{got}, expected {expected}."}


def probes(random):
    yield Probe((3,))
    yield Probe((random.randint(4, 9),))
'''
SECRET = "doubled = x + x"
FAULTS = {  # what the fault is called: what is changed in the text above
    "": ("", ""),
    "has no unit": ("unit=A ", ""),
    "has no statement": ("`double(x)` returns 2x.\n", ""),
    "the wrong answer same is the same program as the wrong answer square": ("return x\n", "return x * x\n"),
    "the misconception M00": ("square M02", "square M00"),
    "SAID has no sentence for the wrong answer same": (', "same": "{got}, expected {expected}."', ""),
    "there is no wrong answer tripled": ('SAID = {"', 'SAID = {"tripled": "3", "'),
    "it has 2 hints": (', "Three.")', ")"),
    f'hint 3 holds the line "{SECRET}"': ("Three.", SECRET),
    f'the given program holds the line "{SECRET}"': ("`double(x)` returns", f"`double(x)` returns\n\n    {SECRET}\n\n"),
    "the wrong answer same is right and gets no name (seed 0)": ("return x\n", "return 2 * x\n"),
    "the wrong answer same is wrong and gets the name square (seed 1)": ("return x\n", "return x**2\n"),
    "gets a sentence in which nothing of the input stands": ("{got} is a square, expected {expected}.", "That is a square."),
    "the solution takes 1 of 10 calls": ("Probe((3,))", "Probe((3,), calls=10)"),
}


@each("fault, change", FAULTS.items())
def test_a_fault_is_found(fault, change):
    assert change[0] in TEXT
    found = list(faults(read("99", TEXT.replace(*change)), range(3)))
    assert any(fault in text for text in found) if fault else not found, found


def test_the_solution_runs_at_each_tier_and_other_right_answers_and_no_answers_are_told_apart(monkeypatch):
    exercise = read("99", TEXT)
    refuses = lambda *asked: [answer._replace(value=0) for answer in answers_of(*asked)]
    assert "the solution is wrong at tier weak: The answer is 0. It should be 6. (seed 0)" in list(faults(exercise, asks={"weak": refuses}))
    given = exercise._replace(meta=exercise.meta | {"given": "same"}, given="def double(x):\n    return 2 * x\n")
    assert list(faults(given)) == ["the given program is right, not wrong"]
    monkeypatch.setattr("tutorial.classroom.selftest.others", lambda exercise: ["def double(x):\n    return 3 * x\n"])
    assert "the other right answer 1 is wrong: The answer is 9. It should be 6." in list(faults(exercise))
    monkeypatch.setattr("tutorial.classroom.selftest.NO_ANSWERS", ["def double(x):\n    return 2 * x\n"])
    assert "the program 'def double(x):\\n    return 2 * x\\n' is right" in list(faults(exercise))


@pytest.mark.sweep
def test_the_command_says_a_line_for_each_exercise_and_ends_with_1_if_there_is_a_fault(capsys, monkeypatch):
    assert main(["teach", "selftest", "2", "08", "--seeds", "2", "--tier", "process", "--jobs", "1"]) == 0
    *lines, summary = capsys.readouterr().out.splitlines()
    assert [line[:6] for line in lines] == ["ok 02 ", "ok 08 "]
    wrong = sum(len(find(number).wrong) for number in ("02", "08"))
    assert summary == f"2 exercises, {wrong} wrong answers, 2 seeds, tiers process: none with a fault"
    monkeypatch.setattr("tutorial.classroom.selftest.MISCONCEPTIONS", {})
    assert main(["teach", "selftest", "02", "--seeds", "1", "--tier", "none", "--jobs", "1"]) == 1
    assert "     the wrong answer only-y2 has the misconception M93, which does not exist\n" in capsys.readouterr().out
    monkeypatch.undo()
    monkeypatch.setattr("tutorial.classroom.recording.write.recording", lambda exercise, seeds: json.dumps([exercise.solution]))
    assert main(["teach", "selftest", "02", "--seeds", "1", "--tier", "none", "--jobs", "1"]) == 1
    assert 'what a student gets holds the line ""x4": x1 + 2 * x4," of a solution' in capsys.readouterr().out
    assert main(["teach", "selftest", "99"]) == main(["teach", "selftest", "--tier", "steel"]) == 2


def test_exercises_are_shared_out_among_processes():
    exercise = find("02")
    assert [found for _, found in teach_selftest.tested([exercise] * 3, str.upper, 2)] == ["02"] * 3


def test_what_is_secret_is_what_a_student_has_to_write():
    assert secret_lines(read("99", TEXT)) == [SECRET, "return doubled"]

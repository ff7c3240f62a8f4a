"""Every exercise: its solution is right, and each known wrong answer is wrong and gets its own name, its misconception and its sentence."""

import ast
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from tutorial.book.reading.chapter import Listing, Text
from tutorial.book.reading.chapter import find as find_chapter
from tutorial.exercises.authored import exercises, read
from tutorial.exercises.check import Asked, check, same_answer
from tutorial.exercises.checks import checks
from tutorial.exercises.verdict import CRASHED, NOT_STARTED, RIGHT, STATES, WRONG
from tutorial.misconceptions import MISCONCEPTIONS

EXERCISES = exercises()
WRONG_ANSWERS = [(exercise, name) for exercise in EXERCISES for name in exercise.wrong]
SEEDS = range(2, 22)
OTHERS = Path(__file__).parent / "others"

every = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.number)
every_wrong = pytest.mark.parametrize("exercise, name", WRONG_ANSWERS, ids=lambda x: x if isinstance(x, str) else x.number)


@cache
def asked_of(number):
    """Return the probes of an exercise with the answers to them: computed once for all tests of this process."""
    return Asked({exercise.number: exercise for exercise in EXERCISES}[number], 0)


@every
def test_the_solution_is_right(exercise):
    assert check(exercise, exercise.solution).state == RIGHT


@every
def test_the_given_program_is_not_right(exercise):
    found = check(exercise, exercise.given)
    assert found.state == (NOT_STARTED if exercise.kind == "write" else WRONG)


@every_wrong
def test_a_wrong_answer_is_wrong_and_gets_its_own_name_and_sentence(exercise, name):
    asked = asked_of(exercise.number)
    found = asked.verdict(asked.known[name], len(exercise.wrong[name].program.splitlines()))
    assert (found.state, found.id) == (WRONG, exercise.wrong[name].id), found
    assert found.name == name
    assert re.search(r"\d|Error", found.said) or checks(exercise).judge, found.said
    assert found.title and found.asked


@every
@pytest.mark.parametrize("program", ["", "pass\n", "def f(:\n", "'", "import missing", "raise SystemExit", "x = \0"])
def test_what_is_no_answer_is_not_right(exercise, program):
    assert check(exercise, program).state in (NOT_STARTED, CRASHED)


@every
def test_no_mark_is_left_in_a_program_and_wrong_answers_differ(exercise):
    programs = [exercise.solution, *(answer.program for answer in exercise.wrong.values())]
    assert len(set(programs)) == len(programs)
    assert not any(mark in program for program in (*programs, exercise.given) for mark in ("# ~", "#~", "# BEGIN", "# END"))
    assert exercise.statement and int(exercise.meta["minutes"]) > 0 and exercise.points in (1, 2, 3, 4)
    assert {wrong.id for wrong in exercise.wrong.values()} <= set(MISCONCEPTIONS)


@every
def test_three_hints_hold_no_line_of_the_solution(exercise):
    hints = checks(exercise).hints
    assert len(hints) == 3
    lines = secret_lines(exercise)
    assert not [line for line in lines for hint in hints if line in hint]


def secret_lines(exercise):
    """The lines of the solution that the learner has not got, but for the shortest."""
    given = {line.strip() for line in exercise.given.splitlines()}
    lines = {line.strip() for line in exercise.solution.splitlines()}
    return [line for line in lines - given if len(line) > 12]


@every
def test_every_wrong_answer_has_a_sentence_and_nothing_else_has_one(exercise):
    assert set(checks(exercise).said) == set(exercise.wrong)
    assert set(checks(exercise).asked) <= set(exercise.wrong)


@every
def test_wrong_answers_give_different_values(exercise):
    given = asked_of(exercise.number).known
    same = [pair for pair in combinations(given, 2) if all(map(same_answer, given[pair[0]], given[pair[1]]))]
    assert not same


@every
def test_the_solution_ends_far_below_its_calls(exercise):
    asked = asked_of(exercise.number)
    assert all(20 * answer.calls < probe.calls for answer, probe in zip(asked.right, asked.probes))


@pytest.mark.slow
@every
@pytest.mark.parametrize("seed", SEEDS)
def test_other_numbers_give_the_same_verdicts(exercise, seed):
    asked = Asked(exercise, seed)
    assert asked.verdict(asked.answers_of(exercise.solution), 1000).state == RIGHT
    for name, answers in asked.known.items():
        assert asked.verdict(answers, 1000).name == name


RIGHT_TOO = [
    (path.stem[1:], program) for path in sorted(OTHERS.glob("e*.py")) for program in path.read_text(encoding="utf-8").split("# ---\n")
]


@pytest.mark.parametrize("number, program", RIGHT_TOO, ids=lambda x: x if len(x) == 2 else "")
def test_another_right_answer_is_right(number, program):
    exercise = {exercise.number: exercise for exercise in EXERCISES}[number]
    found = check(exercise, program)
    assert found.state == RIGHT, found
    assert ast.dump(ast.parse(program)) != ast.dump(ast.parse(exercise.solution))


@pytest.mark.parametrize("exercise", [e for e in EXERCISES if e.meta["chapter"] != "none"], ids=lambda exercise: exercise.number)
def test_the_chapter_of_an_exercise_has_it_with_its_answer_folded(exercise):
    blocks = find_chapter(exercise.meta["chapter"]).blocks
    given, answer = blocks.index(Listing(exercise.given.rstrip(), "python")), Listing(exercise.solution.rstrip(), "python")
    folded = next(block for block in blocks[given:] if getattr(block, "argument", "") == "The answer")
    assert answer in folded.blocks
    assert any("What the check says of wrong answers" in block.markdown for block in folded.blocks if isinstance(block, Text))


TEXT = '''"""Title

Statement.
"""
# meta: minutes=5 chapter=one call=g given=b


def f(x):
    # BEGIN SOLUTION
    y = x
    # ~ a M01: y = 1
    #~ b M02: y = 2
    z = y
    # ~ b M02: z = 3
    # END SOLUTION
    return z


# BEGIN MUTANT c M03
#     z = 3
# END MUTANT
# BEGIN FRAME
def g(x):
    return f(x)


# END FRAME
# BEGIN CHECK
HINTS = ("", "", "")
# END CHECK
'''


def test_the_parts_of_a_file():
    found = read("01", TEXT)
    assert (found.title, found.statement, found.meta["chapter"], found.call, found.kind) == ("Title", "Statement.", "one", "g", "repair")
    assert found.solution == "def f(x):\n    y = x\n    z = y\n    return z\n"
    assert {name: (answer.id, [line.strip() for line in answer.program.splitlines()[1:-1]]) for name, answer in found.wrong.items()} == {
        "a": ("M01", ["y = 1", "z = y"]),
        "b": ("M02", ["y = 2", "z = 3"]),
        "c": ("M03", ["z = 3"]),
    }
    assert found.given == found.wrong["b"].program
    assert found.whole("x = 1\n") == "x = 1\n\n\ndef g(x):\n    return f(x)"
    assert read("01", TEXT.replace(" given=b", "")).given == "def f(x):\n    raise NotImplementedError  # your code\n    return z\n"
    assert set(STATES) >= {RIGHT, WRONG}

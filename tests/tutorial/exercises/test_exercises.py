"""Every exercise: its solution is right, and each known wrong answer is wrong and gets the name of its misconception."""

import pytest

from tutorial.book.reading.chapter import Listing, Text
from tutorial.book.reading.chapter import find as find_chapter
from tutorial.broken_engine.words import in_words
from tutorial.exercises.authored import exercises, read
from tutorial.exercises.check import check

EXERCISES = exercises()
WRONG = [(exercise, name) for exercise in EXERCISES for name in exercise.wrong]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.title)
def test_the_solution_is_right_and_the_given_program_is_not(exercise):
    assert check(exercise, exercise.solution).found is None
    assert check(exercise, exercise.given).found is not None


@pytest.mark.parametrize("exercise, name", WRONG, ids=lambda x: x if isinstance(x, str) else x.number)
def test_a_wrong_answer_is_wrong_and_is_named(exercise, name):
    found = check(exercise, exercise.wrong[name].program)
    assert found.found is not None and found.said is not None, in_words(found)
    assert found.said.id == exercise.wrong[name].id


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.title)
def test_wrong_answers_differ_from_each_other_and_no_mark_is_left(exercise):
    programs = [exercise.solution, *(answer.program for answer in exercise.wrong.values())]
    assert len(set(programs)) == len(programs)
    assert not any(mark in program for program in programs for mark in ("# ~", "#~", "# BEGIN", "# END"))
    assert exercise.statement and int(exercise.meta["minutes"]) > 0


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.title)
def test_an_empty_answer_a_pass_and_a_syntax_error_are_not_right(exercise):
    from tutorial.broken_engine.engines import NoEngine

    for program in ("", "pass\n", "def f(:\n"):
        try:
            found = check(exercise, program)
        except (NoEngine, SyntaxError):
            continue
        assert found.found is not None


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.title)
def test_the_chapter_of_an_exercise_has_it_with_its_answer_folded(exercise):
    blocks = find_chapter(exercise.meta["chapter"]).blocks
    given, answer = blocks.index(Listing(exercise.given.rstrip(), "python")), Listing(exercise.solution.rstrip(), "python")
    folded = blocks[given + 1]
    assert folded.argument == "The answer" and answer in folded.blocks
    assert any("makes a mistake that has a name" in block.markdown for block in folded.blocks if isinstance(block, Text))


TEXT = '''"""Title

Statement.
"""
# meta: minutes=5 chapter=one given=b


def f(x):
    # BEGIN SOLUTION
    y = x
    # ~ a M01: y = 1
    #~ b M02: y = 2
    # END SOLUTION
    return y


# BEGIN MUTANT c M03
#     y = 3
# END MUTANT
# BEGIN FRAME
def g():
    return f(0)


# END FRAME
'''


def test_the_parts_of_a_file():
    found = read("01", TEXT)
    assert (found.title, found.statement, found.meta["chapter"]) == ("Title", "Statement.", "one")
    assert found.solution == "def f(x):\n    y = x\n    return y\n"
    assert {name: (answer.id, answer.program.splitlines()[1].strip()) for name, answer in found.wrong.items()} == {
        "a": ("M01", "y = 1"),
        "b": ("M02", "y = 2"),
        "c": ("M03", "y = 3"),
    }
    assert found.given == found.wrong["b"].program
    assert found.whole("x = 1\n") == "x = 1\n\n\ndef g():\n    return f(0)"

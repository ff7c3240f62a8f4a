"""The file of an exercise is read in its parts. That it tests what it should: test_every_exercise."""

from random import Random

from tutorial.exercises.authored import exercises, read
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.verdict import RIGHT, STATES, WRONG
from tutorial.exercises.practice.folder import WIDTH, statement
from tutorial.reading.chapter import chapters


def test_the_chapter_of_an_exercise_exists():
    """That the chapter has it: test_every_chapter."""
    assert {exercise.meta["chapter"] for exercise in exercises()} <= {"none", *(chapter.name for chapter in chapters())}


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


# MUTANT c M03
#     z = 3
#     # ~ e M04: z = 4
# FRAME
def g(x):
    return f(x)


# CHECK
HINTS = ("", "", "")
'''


def test_the_parts_of_a_file():
    found = read("01", TEXT)
    assert (found.title, found.statement, found.meta["chapter"], found.call, found.kind) == ("Title", "Statement.", "one", "g", "repair")
    assert found.solution == "def f(x):\n    y = x\n    z = y\n    return z\n"
    assert {name: (answer.id, [line.strip() for line in answer.program.splitlines()[1:-1]]) for name, answer in found.wrong.items()} == {
        "a": ("M01", ["y = 1", "z = y"]),
        "b": ("M02", ["y = 2", "z = 3"]),
        "c": ("M03", ["z = 3"]),
        "e": ("M04", ["z = 4"]),
    }
    assert found.given == found.wrong["b"].program
    assert found.whole("x = 1\n") == "x = 1\n\n\ndef g(x):\n    return f(x)"
    assert read("01", TEXT.replace(" given=b", "")).given == "def f(x):\n    raise NotImplementedError  # your code\n    return z\n"
    assert set(STATES) >= {RIGHT, WRONG}


def test_reading_an_exercise_parses_no_wrong_answer(monkeypatch):
    """There are 1,482, and most processes that read exercises compare no program with them."""
    monkeypatch.setattr("tutorial.exercises.authored.digest", lambda program: program.index("the digest was asked for"))
    found = read.__wrapped__("01", TEXT)
    assert found.wrong and all(wrong.program for wrong in found.wrong.values())


def test_statements_are_plain_text_and_speak_of_nothing_that_a_student_does_not_have():
    for exercise in exercises():
        lines = statement(exercise)
        assert not [line for line in lines if "$" in line or "\\" in line or len(line) > WIDTH], exercise.number
        assert not [said for said in ("this chapter", "this book", "the program above") if said in " ".join(lines)], exercise.number


def test_where_a_frame_calls_the_learners_program_the_call_is_shown_as_the_learner_would_write_it():
    for exercise in exercises():
        probes = list(checks(exercise).probes(Random(0))) if exercise.frame else []
        assert all(probe.shown for probe in probes), exercise.number
        assert not [probe for probe in probes if f"{exercise.call}(" in probe.shown and f"def {exercise.call}(" in exercise.frame]


def test_no_misconception_collects_a_whole_unit_and_says_only_that_a_rule_is_wrong():
    """M29 is the number of old results. What it collected is told apart: a value for a slope, a sign, another rule, a missing factor."""
    found = [wrong.id for exercise in exercises() for wrong in exercise.wrong.values()]
    assert "M29" not in found and {"M64", "M65", "M66", "M67", "M68", "M69"} <= set(found)
    assert max(map(found.count, set(found))) < len(found) / 8


def test_a_line_of_another_right_program_may_have_a_wrong_one():
    other = "def f(x):\n    y = 2 * x\n    # ~ d M04: y = 3 * x\n    return y\n"
    found = read("01", TEXT, (other,)).wrong
    assert list(found) == ["c", "e", "a", "b", "d"] and found["d"].id == "M04"
    assert found["d"].program == "def f(x):\n    y = 3 * x\n    return y\n"


def test_in_the_place_of_a_line_a_wrong_answer_may_have_several_lines_or_none():
    marks = "    # ~ d M04: if x:\n    # ~ d M04:     y = 3\n"
    text = TEXT.replace("    #~ b", f"{marks}    #~ b").replace("    # END", "    # ~ d M04:\n    # END")
    assert read("01", text).wrong["d"].program == "def f(x):\n    if x:\n        y = 3\n    return z\n"


def test_a_wrong_answer_of_one_line_stands_behind_its_name():
    found = read("01", TEXT.replace("# FRAME", "# MUTANT d M04: y = 0\n# FRAME"))
    assert found.wrong["d"].program == "def f(x):\n    y = 0\n    return z\n" and found.frame.startswith("def g")


def test_of_each_prediction_wrong_numbers_are_known():
    for exercise in exercises():
        if asked := checks(exercise).predict:
            assert asked.wrong and not asked.said_of(asked.right), exercise.number
            assert all(said.endswith((".", "?")) for said in asked.wrong.values()), exercise.number
            assert len(set(asked.wrong.values())) == len(asked.wrong), exercise.number


def test_no_statement_lost_a_backslash():
    """In a docstring that is not raw, \\frac begins with a form feed and \\beta with a backspace."""
    assert [exercise.number for exercise in exercises() if set("\a\b\f\r\t\v") & set(exercise.statement)] == []

"""The frame of a program asks the check: the grader answers and counts, and a program that asks in its own way harms itself alone."""

import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from tutorial.classroom.grading import runner
from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation.tiers import tier_for_students
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.runner import Runner
from tutorial.exercises.answers import answers
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import Asked, check
from tutorial.exercises.checking.verdict import RIGHT

ATTACKS = Path(__file__).parent / "attacks"
ASKS = "def f(x):\n    return ask_the_check('double', x), ask_the_check('double', x + 1)"


def reply(k, question):
    name, x = question
    if name != "double":
        raise ValueError(f"there is no {name}")
    return 2 * x + k


def both(program, arguments, calls=100):
    """The answers in this process, and in one of its own."""
    limits = [calls] * len(arguments)
    with Runner() as ask:
        return answers(program, "f", arguments, limits, reply), ask(program, "f", arguments, limits, reply)


def test_a_question_is_answered_and_counted_in_any_process():
    for found in both(ASKS, [(3,), (5,)]):
        assert [(answer.value, answer.asked) for answer in found] == [((6, 8), 2), ((11, 13), 2)]


def test_arrays_pass_and_what_a_reply_calls_is_no_call_of_the_program():
    for (found,) in both(ASKS, [(np.arange(3.0),)]):
        assert [x.tolist() for x in found.value] == [[0, 2, 4], [2, 4, 6]] and found.calls == 3  # f, and the two questions


def test_a_question_that_is_refused_is_an_error_in_the_line_that_asked():
    for (found,) in both("def f(x):\n    return ask_the_check('half', x)", [(1,)]):
        assert (found.error, found.line) == ("ValueError: there is no half", 2)


def test_a_question_that_is_not_plain_is_an_error_of_the_program():
    with Runner() as ask:
        (found,) = ask("def f(x):\n    return ask_the_check(f)", "f", [(1,)], [100], reply)
    assert found.error.startswith("NotPlain: a function is not a plain value") and found.line == 2


def test_an_exercise_without_replies_answers_no_questions():
    with Runner() as ask:
        assert "answers no questions" in ask(ASKS, "f", [(1,)], [100])[0].error


def test_a_program_that_asks_without_an_end_has_taken_too_long(monkeypatch):
    monkeypatch.setattr(runner, "MOST_QUESTIONS", 5)
    with Runner() as ask:
        (found,) = ask("def f(x):\n    while True: ask_the_check('double', x)", "f", [(1,)], [10_000], reply)
    assert found.error == "TooLong: more than 5 calls of what is given"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot wait for a pipe")
def test_a_process_that_reads_nothing_does_not_hold_up_the_grader():
    with Runner() as ask:
        ask.start(program := "def f(x): return x").wait_until_ready()
        ask.bounds = ask.worker.bounds = Bounds(wait=0.5)  # only now: a busy machine needs longer to start a process
        ask.worker.process.process.send_signal(signal.SIGSTOP)
        (found,) = ask(program, "f", [(["x" * 2_000_000],)], [100])
    assert found.error.startswith("TooLong")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a server")
@pytest.mark.parametrize("number", ["17", "34"])
def test_the_exercises_that_ask_are_right_with_a_server(number):
    exercise, at = find(number), tier_for_students()
    server = Server(at, Bounds())
    with Runner(at, Bounds(), server) as ask:
        assert check(exercise, exercise.solution, ask=ask).state == RIGHT
    server.close()


def test_lines_that_a_program_has_written_for_later_questions_are_not_a_failure_of_ours():
    program = (ATTACKS / "answer_more_than_is_asked.py").read_text(encoding="utf-8")
    with Runner() as ask:
        assert ask(program, "figure1", [(1, 2, 3, 4)], [1000])[0].value["x1"] == 19
        assert ask(program, "figure1", [(1, 2, 3, 4)] * 2, [1000] * 2)[1].error == "Ended: it wrote more than its answers"
        assert ask("def f(x): return x", "f", [(1,)], [10])[0].value == 1


def test_the_check_of_exercise_17_does_not_say_which_function_it_has():
    asked, X, shapes = Asked(find("17"), 0), np.ones((2, 3)), {(), (2,), (3, 2), (2, 3)}  # those of f(X)
    for question, said in (
        (("f",), {"f takes X, and backward takes G and X"}),
        (("name",), {"f takes X, and backward takes G and X"}),
        (("backward", X), {"f takes X, and backward takes G and X"}),
        (("f", np.ones(4)), {"X needs the shape (2, 3), and has (4,)"}),
        (("backward", np.ones(7), X), {f"G needs the shape {shape}, and has (7,)" for shape in shapes}),
    ):
        found = set()
        for probe in asked.probes:
            with pytest.raises(ValueError) as refused:
                asked.checks.reply(question, probe)
            found.add(str(refused.value))
        assert found == said

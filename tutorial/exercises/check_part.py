"""What the CHECK part of an exercise says: its hints, the number to predict, the sentences of its wrong answers, its probes."""

import json
from collections.abc import Callable
from functools import lru_cache
from math import isclose
from typing import NamedTuple

from tutorial.exercises.authored import Exercise
from tutorial.exercises.values import TOLERANCE

HOOKS = ("judge", "named", "achieved", "marked", "reply")
FUNCTIONS = ("probes", "scene", *HOOKS)
CONSTANTS = ("hints", "said", "predict", "asked", "title", "tolerance", "uses")  # written as HINTS
SENTENCES = ("said", "asked")  # {the names of wrong answers, with spaces between them: what is said, or asked}
SCENE = "scene"  # the fact of a probe that holds its graph


class Prediction(NamedTuple):
    """The number that is predicted before the program is written, and of wrong numbers what one may have thought."""

    question: str
    right: float
    wrong: dict = {}

    def said_of(self, number) -> str:
        """Return what a wrong number tells of the thought behind it, or "".

        >>> from tutorial.exercises.authored import find
        >>> checks(find("02")).predict.said_of(14)
        'You followed only the path over y₂. x₄ is an input of y₁, too.'
        """
        return next((said for wrong, said in self.wrong.items() if isclose(wrong, number)), "")


class Checks(NamedTuple):
    """The names that a CHECK part defines.

    judge(got, probe)     what is wrong with an answer, in a sentence, or None
    named(got, probe)     the name of the known wrong answer to which a judged answer belongs, or None
    achieved(got, probe)  what a right answer shows, in a sentence
    scene(probe)          the graph of a probe, by default its fact SCENE; None if it has none
    marked(got, probe)    the Marks of an answer on a graph, or None
    predict               a question, the right number, and {a wrong number: what one may have thought}
    title                 the heading of what a judge says
    tolerance             how far a number may be from the right one, relative to it or to 1
    reply(question, probe)  what the check answers to ask_the_check(*question) of the frame; a ValueError says what is wrong with it
    uses                  the component of an answer that is the number of these questions
    """

    hints: tuple
    said: dict
    probes: Callable
    predict: Prediction | None = None
    asked: dict = {}
    judge: Callable | None = None
    named: Callable | None = None
    achieved: Callable | None = None
    scene: Callable = lambda probe: probe.facts.get(SCENE)
    marked: Callable | None = None
    title: str = ""
    tolerance: float = TOLERANCE
    reply: Callable | None = None
    uses: str = ""


def checks(exercise: Exercise) -> Checks:
    """Return what the CHECK part of an exercise defines, which can use the solution; or what its recording says.

    >>> from tutorial.exercises.authored import find
    >>> checks(find("02")).predict.right
    16
    """
    if exercise.recorded:
        return recorded_checks(exercise.text)
    return checks_in(exercise.text, exercise.path or f"exercise {exercise.number}")


@lru_cache
def checks_in(text, file) -> Checks:
    names: dict = {"__name__": "exercise"}
    exec(compile(text, file, "exec"), names)
    written_as = {name: name for name in FUNCTIONS} | {name: name.upper() for name in CONSTANTS}
    found = {field: names[name] for field, name in written_as.items() if name in names}
    return Checks(**found | {field: by_name(found[field]) for field in SENTENCES if field in found} | predicted(found.get("predict")))


def predicted(written) -> dict:
    """Return the field for what stands as PREDICT, or in a recording, whose names of numbers are texts."""
    if not written:
        return {}
    question, right, *wrong = written
    return {"predict": Prediction(question, right, {float(number): said for known in wrong for number, said in known.items()})}


def by_name(sentences) -> dict:
    """Return {name: sentence} of {names: sentence}: one sentence may serve several wrong answers.

    >>> by_name({"mean sum": "Which paths are there?"})
    {'mean': 'Which paths are there?', 'sum': 'Which paths are there?'}
    """
    return {name: said for names, said in sentences.items() for name in names.split()}


@lru_cache
def recorded_checks(text) -> Checks:
    """Return the checks of a recording. Its probes hold their scenes."""
    first = json.loads(text.partition("\n")[0])
    names: dict = {}
    exec(first["judge"], names)
    functions = {name: names[name] for name in HOOKS if name in names}
    constants: dict = {name: tuple(found) if isinstance(found, list) else found for name, found in first["checks"].items()}
    return Checks(**constants | functions | predicted(first["checks"]["predict"]), probes=no_probes)


def no_probes(random):
    """Refuse to make probes for other numbers."""
    raise NotImplementedError("only the exercises of teachers, which hold the solutions, have probes for other numbers")

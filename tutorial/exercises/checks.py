"""What the CHECK part of an exercise says: its hints, the number to predict, the sentences of its wrong answers, its probes."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tutorial.exercises.authored import Exercise

FUNCTIONS = ("probes", "judge", "named", "achieved", "scene", "marked")  # the other names are constants, HINTS


class Checks(NamedTuple):
    """The names that a CHECK part defines.

    judge(got, probe)     what is wrong with an answer, in a sentence, or None
    named(got, probe)     the name of the known wrong answer to which a judged answer belongs, or None
    achieved(got, probe)  what a right answer shows, in a sentence
    scene(probe)          the graph of a probe
    marked(got, probe)    the Marks of an answer on a graph, or None
    title                 the heading of what a judge says
    """

    hints: tuple
    said: dict
    probes: Callable
    predict: tuple = ()
    asked: dict = {}
    judge: Callable | None = None
    named: Callable | None = None
    achieved: Callable | None = None
    scene: Callable | None = None
    marked: Callable | None = None
    title: str = ""


def checks(exercise: Exercise) -> Checks:
    """Return what the CHECK part of an exercise defines. The part can use the solution.

    >>> from tutorial.exercises.authored import find
    >>> checks(find("02")).predict[1]
    16
    """
    return checks_in(exercise.text, exercise.path or f"exercise {exercise.number}")


@lru_cache
def checks_in(text, file) -> Checks:
    names: dict = {"__name__": "exercise"}
    exec(compile(text, file, "exec"), names)
    written_as = {field: field if field in FUNCTIONS else field.upper() for field in Checks._fields}
    return Checks(**{field: names[name] for field, name in written_as.items() if name in names})

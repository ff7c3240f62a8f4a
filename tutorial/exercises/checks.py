"""What the CHECK part of an exercise says: its hints, the number to predict, the sentences of its wrong answers, its probes."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tutorial.exercises.authored import Exercise

FUNCTIONS = ("probes", "judge", "scene")  # the other names are constants, HINTS


class Checks(NamedTuple):
    """The names that a CHECK part defines."""

    hints: tuple
    said: dict
    probes: Callable
    predict: tuple = ()
    asked: dict = {}
    judge: Callable | None = None
    scene: Callable | None = None


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

"""What a check found: one type for programs that were compared value by value and for engines that ran beside the right one."""

from typing import Any, NamedTuple

from tutorial.broken_engine.compare import Comparison
from tutorial.exercises.probe import Probe
from tutorial.exercises.values import Difference

RIGHT, WRONG, NOT_STARTED, CRASHED, TIMEOUT = STATES = ("right", "wrong", "not started", "crashed", "timeout")


class Verdict(NamedTuple):
    """What a check found.

    state      one of STATES
    title      the observation, as a heading; said: the sentences with the numbers; asked: a question that leads on, or ""
    id, name   the misconception and the name of the known wrong answer, or ""
    input      the call of the smallest probe that shows it, got and expected at its component `component`, all as text
    line       the learner's line that raised an error, from 1, or None
    about      what the probe is, in one clause, or ""
    probe, answer, difference    the same as values, where values were compared
    comparison                   what was found, where an engine was compared
    """

    state: str
    title: str
    said: str = ""
    asked: str = ""
    id: str = ""
    name: str = ""
    input: str = ""
    got: str = ""
    expected: str = ""
    component: str = ""
    line: int | None = None
    about: str = ""
    probe: Probe | None = None
    answer: Any = None
    difference: Difference | None = None
    comparison: Comparison | None = None

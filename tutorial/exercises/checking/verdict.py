"""What the check of a program found."""

from typing import Any, NamedTuple

from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.values import Difference

RIGHT, WRONG, NOT_STARTED, CRASHED, TIMEOUT = STATES = ("right", "wrong", "not started", "crashed", "timeout")


class Verdict(NamedTuple):
    """What a check found. All fields but line, hinted and the last four are text.

    state       one of STATES
    title       the observation, as a heading; observed: as sentences with numbers
    said        the rule that a known wrong answer breaks, with the numbers; else the same as `observed`
    asked       a question that leads on, or ""
    id, name    the misconception and the name of the known wrong answer, or ""
    input       the call of the smallest probe that shows it; about: what this probe is, in one clause, or ""
    got, expected    at its component `component`, which is "" where the answer has no components
    line        the learner's line that raised an error, from 1, or None; source: this line, with a caret below where it is known
    hinted      whether the hints of the exercise can help
    printed     what the program printed for this probe, or for the first one if it is right
    probe, answer, right, difference    the probe, the whole answer and the right one as values, and the first difference
    """

    state: str
    title: str
    observed: str = ""
    said: str = ""
    asked: str = ""
    id: str = ""
    name: str = ""
    input: str = ""
    about: str = ""
    got: str = ""
    expected: str = ""
    component: str = ""
    line: int | None = None
    printed: str = ""
    source: str = ""
    hinted: bool = True
    probe: Probe | None = None
    answer: Any = None
    right: Any = None
    difference: Difference | None = None

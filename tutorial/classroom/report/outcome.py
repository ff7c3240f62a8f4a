"""What a result says of a student and an exercise: one of seven outcomes. A sign repeats the colour of each."""

from typing import NamedTuple

from tutorial.classroom.grading.results.results import UNGRADED, first_finding
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, RIGHT, TIMEOUT, WRONG

NAMED, UNNAMED = "named", "unnamed"


class Kind(NamedTuple):
    """A kind of outcome in words, and its sign."""

    words: str
    sign: str


KINDS = {
    RIGHT: Kind("right", "✓"),
    NAMED: Kind("a known mistake", "✗"),
    UNNAMED: Kind("a mistake without a name", "?"),
    CRASHED: Kind("crashed", "!"),
    TIMEOUT: Kind("took too long", "…"),
    NOT_STARTED: Kind("not started", "·"),
    UNGRADED: Kind("ungraded", "∅"),
}


class Outcome(NamedTuple):
    """The kind of an outcome; for a known mistake its misconception, and the name of the wrong answer if it has one."""

    kind: str
    misconception: str = ""
    mistake: str = ""


def outcome(result) -> Outcome:
    """Return the outcome of a result.

    >>> outcome({"state": "wrong", "findings": [{"misconception": "M03", "mistake": "overwrite"}]})
    Outcome(kind='named', misconception='M03', mistake='overwrite')
    """
    if result["state"] != WRONG:
        return Outcome(result["state"])
    finding = first_finding(result)
    misconception, mistake = text(finding, "misconception"), text(finding, "mistake")
    return Outcome(NAMED, misconception, mistake) if misconception or mistake else Outcome(UNNAMED)


def text(finding, name) -> str:
    """Return a field of a finding, or "" if it is not there."""
    found = finding.get(name)
    return found if isinstance(found, str) else ""

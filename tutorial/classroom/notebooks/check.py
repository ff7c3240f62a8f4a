"""Check an exercise in a notebook: the program is what the cells that were run define."""

from collections.abc import Iterable

from tutorial.classroom.grading.runner import Runner
from tutorial.classroom.recording.read import asked
from tutorial.exercises.authored import find
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import check as verdict_on
from tutorial.exercises.checking.feedback import in_words
from tutorial.exercises.practice.notebook_programs import taken, without_magics

seen: dict = {}  # how often each mistake was found in this session


def check(number: str, sources: Iterable[str] | None = None) -> None:
    """Print the verdict on an exercise. `sources` are those of the cells that were run, which IPython knows.

    The first time a mistake is found, the observation is printed, then the rule, then the hints. Raises KeyError if there is no such
    exercise, and CheckerFailed if the process for the program cannot be started.

    >>> check("02", ["def figure1(x1, x2, x3, x4):\\n    raise NotImplementedError"])
    Not started
    <BLANKLINE>
    A part of the program is still to be written.
    """
    exercise = find(number)
    program = taken([without_magics(source) for source in (cells_run() if sources is None else sources)], exercise.frame)
    with Runner() as ask:
        verdict = verdict_on(exercise, program, ask=ask, asked=asked)
    kind = exercise.number, verdict.name or verdict.title
    seen[kind] = seen.get(kind, 0) + 1
    print(in_words(verdict, seen[kind], checks(exercise).hints))


def cells_run() -> list[str]:
    """Return the sources of the cells that were run, in their order. Raises RuntimeError outside of IPython."""
    try:
        from IPython import get_ipython

        return get_ipython().user_ns["In"]
    except (ImportError, AttributeError):
        raise RuntimeError("check: there are no cells; run this in a Jupyter notebook, or name the sources") from None

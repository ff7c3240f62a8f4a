"""Exercises on paper as the text of one HTML file, without a script: a page for each exercise, and then, if asked for, the solutions."""

from collections.abc import Iterable

from tutorial.classroom.on_paper.sheets import solution, task
from tutorial.classroom.on_paper.text import colours
from tutorial.exercises.authored import Exercise
from viz.document import asset, filled

HINT = " Each exercise starts on a new page."
WITH_SOLUTIONS = " The solutions come last: keep those pages."


def paper_page(exercises: Iterable[Exercise], solutions=False) -> str:
    """Return the text of the file.

    >>> from tutorial.exercises.authored import find
    >>> "Figure 1 on paper" in paper_page([find("02")])
    True
    """
    exercises = list(exercises)
    return filled(
        "handout.html",
        title="Exercises on paper",
        style="\n".join([asset("handout.css"), colours(), asset("paper.css", __package__)]),
        hint=HINT + WITH_SOLUTIONS * solutions,
        sheets="\n".join([*map(task, exercises), *(map(solution, exercises) if solutions else ())]),
    )

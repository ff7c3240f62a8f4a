"""Write the page of a verdict: the graph on which a program is wrong, with what it gave in red and what is right in green."""

from tutorial.exercises.authored import Exercise
from tutorial.exercises.verdict import NOT_STARTED, RIGHT, Verdict


def written_page(exercise: Exercise, verdict: Verdict, folder) -> str | None:
    """Write the page into the folder and return its path; None if nothing is wrong yet."""
    if verdict.state in (RIGHT, NOT_STARTED):
        return None
    from tutorial.exercises.page import page

    return page(exercise, verdict).save(folder / f"{exercise.number}.html")

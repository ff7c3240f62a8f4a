"""Write the page of a verdict: the graph on which a program is wrong, with what it gave in red and what is right in green."""

from tutorial.exercises.authored import Exercise
from tutorial.exercises.checks import checks
from tutorial.exercises.verdict import WRONG, Verdict


def written_page(exercise: Exercise, verdict: Verdict, folder) -> str | None:
    """Write the page into the folder and return its path; None if there is no graph to draw."""
    found = page_of(exercise, verdict)
    return found.save(folder / f"{exercise.number}.html") if found else None


def page_of(exercise, verdict):
    """Return the page of an engine that was compared, or the player of the graph of a probe."""
    if verdict.state != WRONG:
        return None
    if verdict.comparison is not None:
        from tutorial.broken_engine.page import page

        return page(verdict.comparison)
    scene = checks(exercise).scene
    if scene is None or verdict.probe is None:
        return None
    from viz.page.play import play

    return play(scene(verdict.probe))

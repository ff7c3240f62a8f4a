"""What a student reads after a check: first the observation and a question, the second time the rule, the third time a hint."""

from rich.text import Text

from tutorial.exercises.authored import Exercise
from tutorial.exercises.checks import checks
from tutorial.exercises.verdict import CRASHED, NOT_STARTED, RIGHT, TIMEOUT, WRONG, Verdict
from tutorial.misconceptions import MISCONCEPTIONS

MARKS = {RIGHT: ("ok", "bold green"), WRONG: ("x", "bold red"), CRASHED: ("x", "bold red"), TIMEOUT: ("x", "bold red")}
PENDING = (".", "dim")
FULL, EMPTY, DOTS = "●", "○", 10
RULE, HINT = 2, 3  # the time at which the rule, and a hint, are told


def heading(exercise: Exercise, solved, all) -> Text:
    """Return the first line of a report: number and title, and on the right what is solved."""
    left = f"{exercise.number} {exercise.title}"
    done = solved * DOTS // all
    right = f"{FULL * done}{EMPTY * (DOTS - done)}  {solved}/{all}   unit {exercise.meta.get('unit', '-')}"
    return Text.assemble((left, "bold"), " " * max(2, 80 - len(left) - len(right)), (right, "dim"))


def report(exercise: Exercise, verdict: Verdict, times: int, place: str) -> list[tuple[str, str]]:
    """Return the lines of a report with their styles. `times` says how often this misconception was met, `place` names the file."""
    mark, style = MARKS.get(verdict.state, PENDING)
    lines = [(f"{mark} {verdict.title}{at(verdict, place)}", style)]
    if verdict.state == RIGHT:
        return [*lines, (verdict.said, "")]
    for text in observation(verdict):
        lines += [(line, "") for line in text.splitlines()]
    if verdict.said and (verdict.state in (NOT_STARTED, CRASHED, TIMEOUT) or not verdict.id or times >= RULE):
        lines.append((verdict.said, ""))
    if verdict.id and times >= RULE:
        lines.append((f"It is a mistake to think that {MISCONCEPTIONS[verdict.id]}. [{verdict.id}]", ""))
    if verdict.asked:
        lines.append((verdict.asked, "italic"))
    if times >= HINT and verdict.state != NOT_STARTED and (hints := checks(exercise).hints):
        lines.append((f"Hint: {hints[min(times - HINT, len(hints) - 1)]}", "yellow"))
    return lines


def at(verdict: Verdict, place):
    """Return the learner's line, as an editor understands it."""
    return f"   {place}:{verdict.line}" if verdict.line else ""


def observation(verdict: Verdict):
    """Yield what was seen, in numbers."""
    if verdict.state == NOT_STARTED or not verdict.input:
        return
    about = f"   ({verdict.about})" if verdict.about else ""
    yield f"{verdict.input}{about}"
    if verdict.expected and verdict.state == WRONG:
        of = f"{derivative(verdict)}{verdict.component}: " if verdict.component else ""
        yield f"{of}got {verdict.got or 'nothing'}, expected {verdict.expected}"


def derivative(verdict: Verdict):
    """Return dz/d before the name of a variable of an engine."""
    found = verdict.comparison.found if verdict.comparison is not None else None
    return "dz/d" if found is not None and found.what == "derivative" else ""

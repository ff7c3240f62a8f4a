"""What a student reads after a check: first the observation and a question, the second time the rule, the third time a hint."""

from rich.text import Text

from tutorial.exercises.authored import Exercise
from tutorial.exercises.checks import checks
from tutorial.exercises.verdict import CRASHED, RIGHT, TIMEOUT, WRONG, Verdict
from tutorial.exercises.words import RULE, told
from tutorial.misconceptions import MISCONCEPTIONS

MARKS = {RIGHT: ("ok", "bold green"), WRONG: ("x", "bold red"), CRASHED: ("x", "bold red"), TIMEOUT: ("x", "bold red")}
PENDING = (".", "dim")
FULL, EMPTY, DOTS = "●", "○", 10


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
    if verdict.input:
        lines.append((f"{verdict.input}   ({verdict.about})" if verdict.about else verdict.input, ""))
    styles = {verdict.asked: "italic"}
    lines += [
        (text, styles.get(text, "yellow" if text.startswith("Hint") else "")) for text in told(verdict, times, checks(exercise).hints)
    ]
    if verdict.id and times >= RULE:
        lines.append((f"It is a mistake to think that {MISCONCEPTIONS[verdict.id]}. [{verdict.id}]", ""))
    return lines


def at(verdict: Verdict, place):
    """Return the learner's line, as an editor understands it."""
    return f"   {place}:{verdict.line}" if verdict.line else ""

"""An exercise as Markdown: the statement, the given program, the hints folded one in the other, and the folded answer."""

from tutorial.exercises.authored import BREAK, IMPOSTOR, REPAIR, WRITE, Exercise
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import known
from tutorial.misconceptions import MISCONCEPTIONS

TAGS = {WRITE: "Write", REPAIR: "Repair", BREAK: "Break", IMPOSTOR: "Catch impostors"}


def heading(exercise: Exercise) -> str:
    """Return what stands above an exercise: what the reader does, and how long it takes.

    >>> from tutorial.exercises.authored import find
    >>> heading(find("02"))
    'Write, 10 minutes'
    """
    return f"{TAGS[exercise.kind]}, {exercise.meta['minutes']} minutes"


def markdown(exercise: Exercise) -> str:
    """Return an exercise as Markdown of the book. What the wrong answers give is computed.

    >>> from tutorial.exercises.authored import find
    >>> [line for line in markdown(find("02")).splitlines() if "followed y2" in line]
    ['- dz/dx4 was 14, expected 16: you followed y2 but not y1.']
    """
    return f"""{exercise.statement}

```python
{exercise.given}```

{folded(checks(exercise).hints)}
{"" if exercise.recorded else answer(exercise)}"""


def answer(exercise: Exercise) -> str:
    """Return the solution and what the check says of the wrong answers, folded."""
    return f"""::::{{dropdown}} The answer
```python
{exercise.solution}```

What the check says of wrong answers. The line above each list names the mistake behind it, and is not a fact. (A report on a group of
learners names this mistake by the number in brackets. The other numbers come from the check's own tests.)

{wrong_answers(exercise)}
::::
"""


def folded(hints, k=1):
    """Return the hints from number k on, the next one folded in each."""
    if not hints:
        return ""
    fence = ":" * (2 + len(hints))
    return f"{fence}{{dropdown}} Hint {k}\n{hints[0]}\n\n{folded(hints[1:], k + 1)}{fence}\n"


def wrong_answers(exercise):
    """Return what the check says of the known wrong answers, in a list for each misconception. The given program is marked."""
    said: dict = {}
    for verdict in known(exercise):
        given = "The program above: " if verdict.name == exercise.meta.get("given") else ""
        said.setdefault(verdict.id, []).append(f"- {given}{verdict.said}")
    return "\n\n".join(
        f"{MISCONCEPTIONS[id][0].upper()}{MISCONCEPTIONS[id][1:]} [{id}]:\n\n" + "\n".join(lines) for id, lines in said.items()
    )

"""An exercise as Markdown: the statement, the given program, the hints folded one after the other, and the folded answer."""

from tutorial.exercises.authored import Exercise
from tutorial.exercises.check import check
from tutorial.exercises.checks import checks
from tutorial.misconceptions import MISCONCEPTIONS

TAGS = {"repair": "Repair", "write": "Write"}


def markdown(exercise: Exercise) -> str:
    """Return an exercise as Markdown of the book. What the wrong answers give is computed.

    >>> from tutorial.exercises.authored import find
    >>> [line for line in markdown(find("02")).splitlines() if "followed y2" in line]
    ['- dz/dx4 was 14, expected 16: you followed y2 but not y1.']
    """
    hints = "\n".join(f"::::{{dropdown}} Hint {k}\n{hint}\n::::\n" for k, hint in enumerate(checks(exercise).hints, 1))
    return f"""{exercise.statement}

```python
{exercise.given}```

{hints}
::::{{dropdown}} The answer
```python
{exercise.solution}```

{wrong_answers(exercise) if checks(exercise).probes else mistake_of(exercise)}
::::
"""


def mistake_of(exercise):
    """Return what is wrong with the given engine, with the smallest graph that shows it."""
    found = check(exercise, exercise.given)
    named = f"The given program makes a mistake that has a name: *{found.title}.* The smallest graph that shows it:"
    return f"{named}\n\n```python\n{found.input}\n```\n\n{found.said}"


def wrong_answers(exercise):
    """Return what the check says of the known wrong answers, under what those believe who give them."""
    said: dict = {}
    for wrong in exercise.wrong.values():
        found = check(exercise, wrong.program)
        said.setdefault(wrong.id, []).append((found.input, found.said))
    inputs = list(dict.fromkeys(input for answers in said.values() for input, _ in answers))
    listed = "\n\n".join(
        f"*{MISCONCEPTIONS[id][0].upper()}{MISCONCEPTIONS[id][1:]}* [{id}]\n\n" + "\n".join(f"- {text}" for _, text in answers)
        for id, answers in said.items()
    )
    return f"What the check says of wrong answers, for example for `{inputs[0]}`:\n\n{listed}"

"""An exercise as Markdown: the statement, the given program, and the folded answer."""

from tutorial.broken_engine.words import explanation, title
from tutorial.exercises.authored import Exercise
from tutorial.exercises.check import check


def markdown(exercise: Exercise) -> str:
    """Return an exercise as Markdown of the book. What is wrong with the given program is computed.

    >>> from tutorial.exercises.authored import find
    >>> [line for line in markdown(find("08")).splitlines() if "mistake" in line][0][51:94]
    '*The engine overwrites instead of adding.* '
    """
    return f"""{exercise.statement}

```python
{exercise.given}```

::::{{dropdown}} The answer
```python
{exercise.solution}```

{mistake_of(exercise)}
::::
"""


def mistake_of(exercise):
    """Return what is wrong with the given program, with the smallest graph that shows it."""
    compared = check(exercise, exercise.given)
    named = f"The given program makes a mistake that has a name: *{title(compared)}.* The smallest graph that shows it:"
    return f"{named}\n\n```python\n{compared.found.program}\n```\n\n{compared.said.said if compared.said else explanation(compared)}"

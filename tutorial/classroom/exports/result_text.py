"""What a result says, as text for another program: the exercise, the misconception, the message. Texts of students are data."""

from functools import lru_cache

from tutorial.classroom.grading.results.results import first_finding, printable_text
from tutorial.exercises.authored import files, find
from tutorial.exercises.checking.verdict import RIGHT

UNNAMED = "unnamed"  # a wrong answer that no known misconception explains
DETAILS = ("input", "got", "expected", "line")
UNKNOWN = ("", "other")


@lru_cache
def about(number) -> tuple[str, str]:
    """Return title and unit of an exercise. One that does not exist any more has no title.

    >>> about("02")
    ('Figure 1 on paper', 'A')
    >>> about("zz")
    ('', 'other')
    """
    if number not in files():
        return UNKNOWN
    exercise = find(number)
    return exercise.title, exercise.meta.get("unit", UNKNOWN[1])


def name_of(number) -> str:
    """Return the number and the title of an exercise."""
    return printable_text(f"{number} {about(number)[0]}".strip())


def misconception(result) -> str:
    """Return the misconception of a result that is not right, for example M03."""
    return text(first_finding(result).get("misconception")) or UNNAMED


def message(result) -> str:
    """Return in one line what a result says."""
    return text(first_finding(result).get("message")) or result["state"]


def details(result) -> str:
    """Return what a result says: the message, then in lines of their own the input, what was got and expected, and the line."""
    if result["state"] == RIGHT:
        return RIGHT
    found = first_finding(result)
    values = {name: text(found.get(name)) for name in DETAILS}
    return "\n".join([message(result), *(f"{name}: {value}" for name, value in values.items() if value)])


def text(value) -> str:
    """Return a value of a finding as a text without control characters, and not too long; "" for None."""
    return "" if value is None else printable_text(str(value))

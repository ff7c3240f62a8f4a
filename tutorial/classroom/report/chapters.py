"""The chapter of the book that an exercise belongs to, and the exercise's title."""

from functools import cache

from tutorial.exercises.authored import Exercise
from tutorial.exercises.authored import find as find_exercise
from tutorial.reading.chapter import find as find_chapter


@cache
def exercise(number) -> Exercise | None:
    """Return the exercise of a number, or None if this version of the package has none."""
    try:
        return find_exercise(number)
    except KeyError:
        return None


def title(number) -> str:
    found = exercise(number)
    return found.title if found else ""


@cache
def chapter(number) -> tuple[int, str] | None:
    """Return number and title of the chapter of an exercise, or None for an unknown exercise.

    >>> chapter("08"), chapter("24"), chapter("99")
    ((5, 'Backpropagation with a dictionary'), (20, 'Convolution'), None)
    """
    found = exercise(number)
    if found is None:
        return None
    known = find_chapter(found.meta["chapter"])
    return known.number, known.title


def in_words(chapter) -> str:
    """Return a chapter in words.

    >>> in_words((5, "Backpropagation with a dictionary"))
    'chapter 5, Backpropagation with a dictionary'
    """
    number, title = chapter
    return f"chapter {number}, {title}"

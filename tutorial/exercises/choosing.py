"""Choose exercises by words: their numbers, or the units in which they are."""

from tutorial.exercises.authored import Exercise, exercises


def chosen(words) -> list[Exercise]:
    """Return the exercises that words name, by their numbers; all of them without words. Raises ValueError, also without solutions.

    >>> [e.number for e in chosen(["A", "8"])][:6]
    ['00', '01', '02', '03', '04', '08']
    """
    known, words = exercises(), list(words)
    if known[0].recorded:
        raise ValueError("this is the version for students, which has no solutions; use the one for teachers")
    if wrong := [word for word in words if not any(is_named(e, word) for e in known)]:
        units = ", ".join(sorted({e.meta["unit"] for e in known}))
        raise ValueError(
            f"there is no exercise or unit {wrong[0]!r}; there are exercises {known[0].number} to {known[-1].number}, units {units}"
        )
    return [e for e in known if not words or any(is_named(e, word) for word in words)]


def is_named(exercise, word):
    """Return whether a word is the number of an exercise, such as 8 or 08, or its unit."""
    return word.upper() == exercise.meta["unit"] or word.isdecimal() and int(word) == int(exercise.number)

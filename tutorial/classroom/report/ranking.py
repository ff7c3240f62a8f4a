"""Rank the misconceptions of a class by the number of students who have them."""

from collections import Counter, defaultdict
from typing import NamedTuple

from tutorial.classroom.report.chapters import chapter
from tutorial.classroom.report.tally import Tally

EXAMPLES = 2


class Misconception(NamedTuple):
    """How many students have a misconception, in which exercises with how many students, which chapters explain it, and messages.

    The exercises and the chapters are sorted, the one with the most students first.
    """

    id: str
    students: int
    exercises: list[tuple[str, int]]
    chapters: list[tuple[int, str]]
    examples: list[tuple[str, str]]


def ranking(tally: Tally) -> list[Misconception]:
    """Return the misconceptions of a class, the one that most students have first."""
    students: Counter = Counter()
    exercises: dict[str, Counter] = defaultdict(Counter)
    for theirs in tally.outcomes.values():
        for exercise, found in theirs.items():
            if found.misconception:
                exercises[found.misconception][exercise] += 1
        students.update({found.misconception for found in theirs.values()} - {""})
    ranked = sorted(students, key=lambda id: (-students[id], id))
    return [described(tally, id, students[id], ordered(exercises[id])) for id in ranked]


def described(tally, id, students, exercises) -> Misconception:
    """Return a misconception with its chapters, and a message from each of its commonest exercises."""
    chapters: Counter = Counter()
    for number, count in exercises:
        if found := chapter(number):
            chapters[found] += count
    examples = [(number, tally.examples[id, number]) for number, _ in exercises if (id, number) in tally.examples]
    return Misconception(id, students, exercises, [found for found, _ in ordered(chapters)], examples[:EXAMPLES])


def ordered(counts: Counter) -> list:
    """Return (name, count), the largest count first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

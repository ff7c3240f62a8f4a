"""What a class believes before a course and after it, by misconception, as far as its answers to the inventory show it."""

from collections.abc import Sequence
from typing import NamedTuple

from tutorial.classroom.report.statistics.answers import Taken, pairs
from tutorial.classroom.report.statistics.intervals import FEWEST, LEVEL, Estimate, correlation, of_change, of_ratio


class Held(NamedTuple):
    """How often a misconception was chosen in one test.

    share       of the answers to its items, with its interval: None below FEWEST students
    of_wrong    of the wrong answers to its items, and by_guessing: what that would be if the wrong answers were guessed
    often       whether it was chosen more often than by guessing, by an interval that allows for so many misconceptions at once
    """

    chosen: int
    asked: int
    share: Estimate | None
    of_wrong: Estimate | None
    by_guessing: float
    often: bool


class Belief(NamedTuple):
    """A misconception: the numbers of its items, their chapters, what was chosen in each test, and the change with its interval."""

    id: str
    items: list[int]
    chapters: list[str]
    before: Held | None
    after: Held | None
    change: Estimate | None

    @property
    def last(self) -> Held:
        return self.after or self.before  # type: ignore[return-value]


def beliefs(tests: Sequence[Taken]) -> list[Belief]:
    """Return the misconceptions of the inventory, the one that was chosen most in the last test first."""
    by_form = {test.form: test for test in tests if test.sheets}
    before, after = by_form.get("A"), by_form.get("B")
    questions = next(iter(by_form.values())).questions
    known = sorted({choice.believes for question in questions for choice in question.choices if choice.believes})
    found = [belief(id, before, after, questions, len(known)) for id in known]
    return sorted(found, key=lambda belief: (-belief.last.chosen / belief.last.asked, belief.id))


def belief(id, before, after, questions, many) -> Belief:
    items = [k for k, question in enumerate(questions) if any(choice.believes == id for choice in question.choices)]
    first, last = (test and of_test(id, items, test, many) for test in (before, after))
    change = None
    if first and last and first.share and last.share:
        change = of_change(first.share, last.share, alike(id, items, before, after))
    chapters = list(dict.fromkeys(questions[k].chapter for k in items))
    return Belief(id, [k + 1 for k in items], chapters, first, last, change)


def of_test(id, items, test, many) -> Held:
    """Return how often a misconception was chosen in a test, of which there are `many`."""
    theirs = [of_sheet(id, items, test.questions, sheet) for sheet in test.sheets]
    chosen, wrong, guessed = [one[0] for one in theirs], [one[1] for one in theirs], [one[2] for one in theirs]
    asked = [len(items)] * len(theirs)
    by_guessing = sum(guessed) / sum(wrong) if any(wrong) else 0.0
    if len(theirs) < FEWEST:
        return Held(sum(chosen), sum(asked), None, None, by_guessing, False)
    share, of_wrong, often = of_ratio(chosen, asked), None, False
    if any(wrong):
        of_wrong = of_ratio(chosen, wrong)
        often = of_ratio(chosen, wrong, 1 - (1 - LEVEL) / many).low > by_guessing
    return Held(sum(chosen), sum(asked), share, of_wrong, by_guessing, often)


def of_sheet(id, items, questions, sheet) -> tuple[int, int, float]:
    """Return how often a student chose a misconception, how many of the answers to its items are wrong, and how many guessing gives."""
    chosen, wrong, guessed = 0, 0, 0.0
    for k in items:
        question, choice = questions[k], sheet.choices[k]
        if choice is not None and choice != question.right:
            wrong += 1
            chosen += question.choices[choice].believes == id
            guessed += sum(c.believes == id for c in question.choices) / (len(question.choices) - 1)
    return chosen, wrong, guessed


def alike(id, items, before, after) -> float:
    """Return the correlation of what the same students chose before and after, scaled to the students of both tests; 0 without pairs."""
    both = pairs(before, after)
    if len(both) < FEWEST:
        return 0.0
    chosen = [[of_sheet(id, items, test.questions, sheet)[0] for sheet in test.sheets] for test in (before, after)]
    same = correlation([chosen[0][k] for k, _ in both], [chosen[1][k] for _, k in both])
    return same * len(both) / (len(before.sheets) * len(after.sheets)) ** 0.5

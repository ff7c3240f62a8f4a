"""Count the results of a class, one after the other. What is kept of a result is a reference to its outcome."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from tutorial.classroom.grading.results.results import UNGRADED, first_finding
from tutorial.classroom.report.outcome import NAMED, UNNAMED, Outcome, outcome, text
from tutorial.classroom.report.texts import cut

MOST_FAILURES = 5  # of the checker, which are shown
LONGEST_ANSWER = 160  # characters of an answer that is counted


class TwoResults(ValueError):
    """A student has two results for one exercise, of which only one can count."""


class Tally:
    """The results of a class.

    outcomes    {student: {exercise: Outcome}}, points {student: points}, of {exercise: the most points}
    tiers       how many results of each tier; unread: how many lines were not results
    examples    {(misconception, exercise): the shortest message}
    unnamed     {exercise: how often each (input, got, expected) without a name was met}
    failures    (student, exercise, message) of the first ungraded results
    """

    def __init__(self):
        self.outcomes: dict[str, dict[str, Outcome]] = {}
        self.points: dict[str, int] = {}
        self.of: dict[str, int] = {}
        self.tiers: Counter = Counter()
        self.unread = 0
        self.examples: dict[tuple[str, str], str] = {}
        self.unnamed: dict[str, Counter] = defaultdict(Counter)
        self.failures: list[tuple[str, str, str]] = []
        self.same: dict = {}  # one object for all that are equal

    @property
    def exercises(self) -> list[str]:
        return sorted(self.of)

    def add(self, result: dict | None):
        """Count one result, or a line that was not one. Raises TwoResults."""
        if result is None:
            self.unread += 1
            return
        student, exercise = result["student"], self.one(result["exercise"])
        theirs = self.outcomes.setdefault(student, {})
        if exercise in theirs:
            raise TwoResults(f"{cut(student)} has two results for exercise {exercise}; put together only the parts of one run")
        theirs[exercise] = found = self.one(outcome(result))
        self.points[student] = self.points.get(student, 0) + (result.get("score") or 0)
        self.of[exercise] = max(self.of.get(exercise, 0), result["max_score"])
        self.tiers[self.one(result["tier"])] += 1
        self.note(student, exercise, found, first_finding(result))

    def one(self, value):
        return self.same.setdefault(value, value)

    def note(self, student, exercise, found, finding):
        """Keep what the page shows of a finding."""
        message = text(finding, "message")
        if found.kind == UNGRADED:
            self.failures = sorted([*self.failures, (student, exercise, message)])[:MOST_FAILURES]
        elif found.kind == UNNAMED:
            answer = (cut(text(finding, name), LONGEST_ANSWER) for name in ("input", "got", "expected"))
            self.unnamed[exercise][self.one(tuple(answer))] += 1
        elif found.kind == NAMED and message:
            key = found.misconception, exercise
            self.examples[key] = min(message, self.examples.get(key, message), key=lambda m: (len(m), m))

    def kinds(self) -> dict[str, Counter]:
        """Return {exercise: how many results of each kind}."""
        counts: dict = {exercise: Counter() for exercise in self.exercises}
        for theirs in self.outcomes.values():
            for exercise, found in theirs.items():
                counts[exercise][found.kind] += 1
        return counts


def tally(results: Iterable[dict | None]) -> Tally:
    """Return the counts of a class. Raises TwoResults."""
    counted = Tally()
    for result in results:
        counted.add(result)
    return counted

"""The live votes of a class, read from its journal: for each question that was asked, what was chosen before and after the discussion."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tutorial.classroom.live.journal import NoJournal, read
from tutorial.classroom.live.questions.question import Choice, Question
from tutorial.classroom.live.room import Room
from tutorial.classroom.report.statistics.gain import Gain, gain


class Asked(NamedTuple):
    """A question that a class was asked: the counts of each choice in both votes, and the gain of those who voted twice."""

    question: Question
    before: list[int]
    after: list[int]
    pairs: int
    gain: Gain | None

    @property
    def twice(self) -> bool:
        """Whether there was a second vote."""
        return sum(self.after) > 0


class Believed(NamedTuple):
    """A misconception: how many votes showed it before and after the discussion, and the chapters of the questions."""

    id: str
    before: int
    after: int | None
    chapters: list[str]


class Votes(NamedTuple):
    """The votes of one class."""

    title: str
    students: int
    asked: list[Asked]


def votes(path) -> Votes:
    """Return the votes of a journal. Raises NoJournal if it is not one, and OSError."""
    about, room = replayed(path)
    return Votes(str(about["title"]), len(room.students), [asked(room, number) for number in room.asked])


def replayed(path) -> tuple[dict, Room]:
    """Return the first line of a journal, and its room at the end. Raises NoJournal if it is not one, and OSError."""
    events = read(path)
    about = next(events, {})
    try:
        room = Room([question(found) for found in about["questions"]], MOST_PAGES, names=True, is_test=bool(about.get("form")))
        for event in events:
            room.apply(event)
        return {"title": str(about["title"])} | about, room
    except (KeyError, TypeError, ValueError) as wrong:
        raise NoJournal(f"{path} is not a journal that this version reads: {wrong}") from None


MOST_PAGES = 1000  # players of a lesson: a report does not look at them


def question(found) -> Question:
    """Return a question of the journal, whose texts are plain."""
    choices = tuple(Choice(str(plain), "", str(believes), str(plain)) for plain, believes in found["choices"])
    asked = str(found["asked"])
    return Question(str(found["id"]), "", asked, choices, found["right"], plain=asked, chapter=str(found["chapter"]))


def asked(room, number) -> Asked:
    right = room.questions[number].right
    one, two = (room.votes.get((number, round), {}) for round in (1, 2))
    pairs = [(one[sid] == right, two[sid] == right) for sid in one if sid in two]
    return Asked(room.questions[number], room.counts(number, 1), room.counts(number, 2), len(pairs), gain(pairs) if pairs else None)


def believed(all_votes: Iterable[Votes]) -> list[Believed]:
    """Return the misconceptions of these classes, the one that most still had at the end first.

    `after` counts the second vote of each question, and its first vote if there was no second one.
    """
    before: Counter = Counter()
    after: Counter = Counter()
    discussed: set[str] = set()
    chapters: dict[str, dict] = {}
    for found in (asked for class_ in all_votes for asked in class_.asked):
        for k, choice in enumerate(found.question.choices):
            if choice.believes and found.before[k] + found.after[k]:
                before[choice.believes] += found.before[k]
                after[choice.believes] += found.after[k] if found.twice else found.before[k]
                discussed |= {choice.believes} if found.twice else set()
                chapters.setdefault(choice.believes, {})[found.question.chapter] = True
    ranked = sorted(before, key=lambda id: (-after[id], -before[id], id))
    return [Believed(id, before[id], after[id] if id in discussed else None, [c for c in chapters[id] if c]) for id in ranked]

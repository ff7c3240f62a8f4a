"""The state of a class: it follows from a list of events alone, so a journal of them brings it back.

The phases are those of a lesson with questions: the class votes, the counts stay hidden, neighbours discuss, all vote again, both votes
are shown, and then the answer. In `follow` the phones show what the teacher's player shows. A test has one phase of its own: `paced`, in
which each student answers all questions at their own pace.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tutorial.classroom.live.questions.question import Question

PHASES = ("join", "open", "closed", "discuss", "second", "both", "reveal", "follow", "paced", "end")
ROUNDS = {"open": 1, "second": 2}  # the phases in which a class votes, and which vote it is
OF_TESTS = ("join", "paced", "end")
ASKING = ("open", "closed", "discuss", "second", "both", "reveal")  # those that are about a question
LONGEST_NAME, MOST_HANDS = 24, 500

Event = dict[str, Any]


class NotNow(ValueError):
    """An event does not fit the state of the class, such as a vote after its end. The message says why."""


class Room:
    """A class: who is here, what is asked, and who has answered what.

    students    {sid: name}; a name is "" unless the teacher asks for names
    votes       {(question, round): {sid: choice}}, hands {(question, round): Counter of choices}
    typed       {(question, round): {sid: text}} of questions whose answer is typed
    steps       how often the teacher has stepped: a window knows from it whether a state is older than its own step
    lost        {sid: (page, step)}: where a student is lost in a player
    asked       the numbers of the questions that were asked, in the order of the lesson
    waiting     the phase of a question that the code, a player or the end interrupted before its answer was shown, or ""
    """

    def __init__(self, questions: Sequence[Question], pages=0, names=False, is_test=False):
        self.questions, self.pages, self.names, self.is_test = questions, pages, names, is_test
        self.phase, self.question, self.round = "join", 0, 1
        self.students: dict[str, str] = {}
        self.votes: dict[tuple[int, int], dict[str, int]] = {}
        self.typed: dict[tuple[int, int], dict[str, str]] = {}
        self.hands: dict[tuple[int, int], Counter] = {}
        self.asked: list[int] = []
        self.paused = self.locked = False
        self.waiting = ""
        self.page, self.step, self.steps, self.following = 0, "", 0, True
        self.lost: dict[str, tuple[int, str]] = {}

    def apply(self, event: Event):
        """Change the state by an event. Raises NotNow if the event does not fit the state, which then stays as it is."""
        what = event.get("do")
        if what not in EVENTS:
            raise NotNow(f"there is no event {what!r}")
        EVENTS[what](self, event)

    # Students

    def join(self, event):
        if self.locked:
            raise NotNow("The class is locked. Ask your teacher to unlock it.")
        name = event.get("name", "") if self.names else ""
        self.students[event["sid"]] = "".join(c for c in name if c.isprintable()).strip()[:LONGEST_NAME]

    def leave(self, event):
        self.students.pop(event["sid"], None)

    def has_voted(self, sid) -> bool:
        return any(sid in votes for votes in self.votes.values())

    def vote(self, event):
        key = self.answering(event) if self.phase == "paced" else self.voting(event)
        if event["sid"] not in self.students:
            raise NotNow("this student is not in the class")
        self.votes.setdefault(key, {})[event["sid"]] = event["choice"]
        if "typed" in event:
            self.typed.setdefault(key, {})[event["sid"]] = event["typed"]

    def say_lost(self, event):
        if self.phase != "follow" or event["sid"] not in self.students:
            raise NotNow("the class does not follow a player")
        self.lost[event["sid"]] = event["page"], event["step"]

    # The teacher

    def hand(self, event):
        """Count raised hands; a negative number takes some of them back."""
        counted = self.hands.setdefault(self.voting(event), Counter())
        counted[event["choice"]] = min(MOST_HANDS, max(0, counted[event["choice"]] + event["count"]))

    def voting(self, event) -> tuple[int, int]:
        """Return the question and the round of a vote. Raises NotNow if they are not open."""
        if self.phase not in ROUNDS or self.paused:
            raise NotNow("no vote is open")
        if (event["question"], event["round"]) != (self.question, self.round):
            raise NotNow("another vote is open")
        if event["choice"] not in range(len(self.questions[self.question].choices)):
            raise NotNow("the question has no such choice")
        return self.question, self.round

    def answering(self, event) -> tuple[int, int]:
        """Return the question and the round of an answer in a test, where all questions are open. Raises NotNow if there is none."""
        number, round = event["question"], event["round"]
        if number not in range(len(self.questions)) or round != 1:
            raise NotNow("there is no such question")
        if event["choice"] not in range(len(self.questions[number].choices)):
            raise NotNow("the question has no such choice")
        return number, round

    def enter(self, event):
        """Go to a phase; `open` asks a question, whose former votes stay if it was asked before."""
        phase = event["phase"]
        if phase not in PHASES:
            raise NotNow(f"there is no phase {phase!r}")
        question = event.get("question", self.question)
        if phase in ASKING and question not in range(len(self.questions)):
            raise NotNow("there is no such question")
        if self.is_test and phase not in OF_TESTS or phase == "paced" and not self.is_test:
            raise NotNow("in a test each student answers at their own pace, in a lesson all answer together")
        if phase == "follow" and not self.pages:
            raise NotNow("there is no page to follow")
        if phase in ASKING and phase != "open" and self.question not in self.asked:
            raise NotNow("no question was asked yet")
        if phase in ASKING:
            self.waiting = ""
        elif self.phase in ASKING and self.phase != "reveal":
            self.waiting = self.phase
        self.paused = False
        self.phase = phase
        if phase == "open":
            self.question = question
            self.asked = sorted({*self.asked, question})
        if phase in ROUNDS:
            self.round = ROUNDS[phase]

    def pause(self, event):
        self.paused = event["on"]

    def lock(self, event):
        self.locked = event["on"]

    def show_step(self, event):
        if event["page"] not in range(self.pages):
            raise NotNow("there is no such page")
        if event["page"] != self.page:
            self.lost = {}
        self.page, self.step = event["page"], event["step"]
        self.steps += 1

    def follow(self, event):
        self.following = event["on"]

    def forget_lost(self, event):
        self.lost = {}

    # What the votes say

    def counts(self, question, round) -> list[int]:
        """Return how many chose each choice of a question, by phone or by hand, in vote 1 or 2."""
        key = question, round
        found = Counter(self.votes.get(key, {}).values()) + self.hands.get(key, Counter())
        return [found[k] for k in range(len(self.questions[question].choices))]

    def progress(self) -> list[int]:
        """Return how many students of a test have answered none of its questions, one, two, …, all."""
        answered = Counter(sid for votes in self.votes.values() for sid in votes)
        by_number = Counter(answered[sid] for sid in self.students)
        return [by_number[n] for n in range(len(self.questions) + 1)]

    def lost_at(self) -> dict[str, int]:
        """Return {step: how many are lost there} of the page that the class follows."""
        return dict(Counter(step for page, step in self.lost.values() if page == self.page))


EVENTS = {  # what a line of the journal may say
    "join": Room.join,
    "leave": Room.leave,
    "vote": Room.vote,
    "lost": Room.say_lost,
    "hand": Room.hand,
    "phase": Room.enter,
    "pause": Room.pause,
    "lock": Room.lock,
    "step": Room.show_step,
    "follow": Room.follow,
    "forget_lost": Room.forget_lost,
}

"""A class as its server runs it: the room, its journal, and the pages that must be told of a change."""

import secrets
from itertools import count

from tutorial.classroom.inventory import other_form_first
from tutorial.classroom.live.journal import Journal, NoJournal, read
from tutorial.classroom.live.limits import Limits
from tutorial.classroom.live.questions.question import Question
from tutorial.classroom.live.questions.source import Lesson
from tutorial.classroom.live.room import Event, NotNow, Room
from tutorial.classroom.live.streams import Streams
from tutorial.classroom.live.views import by_student, by_teacher

LETTERS, LENGTH = "bcdfghkmnpqrstvwxz", 6  # of the code: no letter that looks like another, and no vowels, so no words
MOST_STUDENTS, MOST_TABS, MOST_WINDOWS = 500, 3, 8  # tabs of one student, windows of the teacher
TEACHER = "teacher"  # whose windows share one state
FOR_TEACHER_ALONE = {"join", "leave", "hand", "lost"}  # events that change no student's page


def begun(lesson: Lesson, which, path, names=False, more: dict | None = None) -> "Desk":
    """Begin a class about a lesson, which `which` names, with a new journal, a new code and a new token. `more` goes into the journal."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    about = {
        "lesson": str(which),
        "title": lesson.title,
        "code": code,
        "token": secrets.token_urlsafe(24),
        "names": names,
        "form": lesson.form,
    } | (more or {})
    about["questions"] = [summary(question) for question in lesson.questions]
    return Desk(lesson, Journal.begin(path, about), path)


def summary(question) -> dict:
    """Return what a report must know of a question, so that it needs the journal alone."""
    choices = [[choice.plain, choice.believes] for choice in question.choices]
    return {"id": question.id, "asked": question.plain, "right": question.right, "choices": choices, "chapter": question.chapter}


def about(path) -> dict:
    """Return the first line of a journal: its lesson, code, token, and whether it has names. Raises NoJournal, and OSError."""
    for first in read(path):
        if all(isinstance(first.get(key), str) for key in ("lesson", "code", "token")):
            return first
    raise NoJournal(f"{path} does not begin with a lesson and a code")


class Desk:
    """A class about a lesson, in the state that its journal gives. Raises NoJournal if an event of the journal does not fit the lesson."""

    def __init__(self, lesson: Lesson, journal: Journal, path, limits: Limits | None = None):
        self.lesson, self.journal, self.path = lesson, journal, path
        self.about = about(path)
        self.code, self.token = self.about["code"], self.about["token"]
        self.limits = limits or Limits()
        self.room = self.replayed()
        self.students = Streams(lambda sid: by_student(self.room, sid), MOST_TABS)
        self.teacher = Streams(lambda _: self.for_teacher(), MOST_WINDOWS)
        self.warning = ""

    def replayed(self) -> Room:
        """Return the room that the journal gives."""
        if self.about.get("questions") != [summary(question) for question in self.lesson.questions]:
            raise NoJournal(f"{self.path} is about another version of this lesson; use the same version of the book, or begin a new class")
        is_test = bool(self.lesson.form)  # whose students are asked for a mark
        room = Room(self.lesson.questions, len(self.lesson.players), is_test or self.about.get("names") is True, is_test)
        for number, event in enumerate(read(self.path), 1):
            if number > 1:
                try:
                    room.apply(event)
                except (NotNow, KeyError, TypeError) as wrong:
                    raise NoJournal(f"{self.path}, line {number}, does not fit this lesson: {wrong}") from None
        return room

    def do(self, event: Event):
        """Let an event happen, and write it into the journal. Raises NotNow, or OSError if the disk is full; then nothing happens."""
        self.room.apply(event)
        try:
            self.journal.write(event)
            self.warning = ""
        except OSError as wrong:
            self.room = self.replayed()
            self.warning = f"The journal cannot be written, so no vote counts: {wrong.strerror or wrong}"
            raise
        finally:
            self.teacher.tell(TEACHER)
        if event["do"] == "vote":
            self.students.tell(event["sid"])
        elif event["do"] not in FOR_TEACHER_ALONE:
            self.students.tell()

    def join(self, name, sid=None, address="") -> str:
        """Let a student join from an address, and return the id by which they vote: `sid`, or a new one. Raises NotNow, and OSError."""
        out = self.makes_room(address) if len(self.room.students) >= MOST_STUDENTS else None
        sid = sid or secrets.token_hex(16)
        self.do({"do": "join", "sid": sid} | ({"name": name} if self.room.names else {}))
        self.limits.homes[sid] = address
        if out:
            self.do({"do": "leave", "sid": out})
            self.students.end(out)
            self.limits.forget(out)
        return sid

    def makes_room(self, address) -> str:
        """Return who leaves a full class for a student from an address. Votes stay, and who comes back has them.

        It is somebody who is neither here nor has voted. If one address has more students than others, it is one of these, at worst who
        came last. So a class behind one router gets in, and one phone that asks for hundreds of places keeps nobody out.
        """
        of_one = self.limits.too_many(address, self.room.students)
        for sid in of_one or self.room.students:
            if sid not in self.students.open and not self.room.has_voted(sid):
                return sid
        if of_one:
            return of_one[-1]
        raise NotNow(f"The class is full: {MOST_STUDENTS} students.")

    def test_of(self, sid) -> list[tuple[Question, int]]:
        """Return the questions of a test in the form that a student gets, each with the number of its picture."""
        own = list(zip(self.lesson.questions, count()))
        other = list(zip(self.lesson.other, count(len(own))))
        return other if other and other_form_first(self.room.students[sid], sid) else own

    def for_teacher(self) -> dict:
        return by_teacher(self.room, len(self.students.open)) | {"warning": self.warning}

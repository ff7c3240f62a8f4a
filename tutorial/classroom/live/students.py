"""What phones may ask: to join by the code, to see the state of the class, to vote, to say where they are lost."""

import hmac
import re

from tornado.web import HTTPError

from tutorial.classroom.live.answering import CONFLICT, FULL_DISK, REFUSED, TOO_MANY, UNKNOWN, Answer
from tutorial.classroom.live.open_class import TEACHER
from tutorial.classroom.live.room import NotNow
from tutorial.classroom.live.views import for_students

ID = re.compile(r"[0-9a-f]{32}")  # that a phone makes, so that it may ask twice
STEP = re.compile(r"(/book/([\w-]+/)*[\w-]+\.html)?(#[\w.,=&%-]*)?")  # the end of a player's address, or a place in the book
LONGEST_STEP, LONGEST_NUMBER = 400, 30


class Join(Answer):
    """Join the class, or come back to it with the id of before."""

    def post(self):
        limits, address = self.desk.limits, self.request.remote_ip
        if limits.guessing(address):
            raise HTTPError(TOO_MANY)
        code = "".join(filter(str.isalpha, self.given("code", str).lower()))  # the projector shows its letters apart
        if not hmac.compare_digest(code.encode(), self.desk.code.encode()):
            limits.wrong_code(address)
            raise HTTPError(REFUSED)
        sid, name = self.data.get("sid"), self.given("name", str, 200)
        if not (isinstance(sid, str) and sid in self.desk.room.students):
            if not limits.new_student(address):
                raise HTTPError(TOO_MANY)
            try:
                sid = self.desk.join(name, sid if isinstance(sid, str) and ID.fullmatch(sid) else None, address)
            except NotNow as why:
                raise HTTPError(CONFLICT, str(why)) from None
            except OSError:
                raise HTTPError(FULL_DISK) from None
        self.write({"sid": sid, "names": self.desk.room.names})


class OfStudent(Answer):
    """A request of somebody who has joined."""

    def student(self, sid) -> str:
        if not isinstance(sid, str) or sid not in self.desk.room.students:
            raise HTTPError(UNKNOWN)
        if not self.desk.limits.student(sid):
            raise HTTPError(TOO_MANY)
        return sid


class State(OfStudent):
    """The stream of states of one phone."""

    async def get(self):
        sid, address = self.student(self.get_argument("sid", "")), self.request.remote_ip
        self.desk.limits.homes[sid] = address
        self.desk.limits.phones[address] += 1
        try:
            self.desk.teacher.tell(TEACHER)
            await self.stream(self.desk.students, sid)
        finally:
            self.desk.limits.phones[address] -= 1

    def left(self):
        self.desk.teacher.tell(TEACHER)


class Test(OfStudent):
    """The questions of a test, all at once, while it is open."""

    def get(self):
        sid = self.student(self.get_argument("sid", ""))
        if self.desk.room.phase != "paced":
            raise HTTPError(CONFLICT, "the test is not open")
        asked = enumerate(self.desk.test_of(sid))
        self.write({"questions": [for_students(question, number, picture) for number, (question, picture) in asked]})


class Vote(OfStudent):
    """A vote. It may be sent again: the last one counts."""

    def post(self):
        sid = self.student(self.data.get("sid"))
        event = {name: self.given(name, int) for name in ("question", "round")}
        if not self.typed(event["question"]):
            event["choice"] = mine = self.given("choice", int)
            before = self.desk.room.votes
        else:
            event["typed"] = mine = self.given("typed", str, LONGEST_NUMBER).strip()
            try:
                event["choice"] = self.typed(event["question"])(mine)
            except ValueError as why:
                self.write({"said": str(why)})
                return
            before = self.desk.room.typed
        if before.get((event["question"], event["round"]), {}).get(sid) != mine:
            self.do({"do": "vote", "sid": sid} | event)
        self.write({"mine": mine})

    def typed(self, number):
        """Return the function that reads a number that is typed, or None if the question has choices."""
        questions = self.desk.room.questions
        return questions[number].typed if number in range(len(questions)) else None


class Lost(OfStudent):
    """I am lost here."""

    def post(self):
        sid, step = self.student(self.data.get("sid")), self.given("step", str, LONGEST_STEP)
        page = self.given("page", int)
        if not STEP.fullmatch(step) or page not in range(self.desk.room.pages):
            raise HTTPError(400)
        self.do({"do": "lost", "sid": sid, "page": page, "step": step})
        self.write({})

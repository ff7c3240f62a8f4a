"""What the teacher's windows may ask, on this machine alone and with the token: to see all, and to lead the class."""

import hmac

from tornado.web import HTTPError

from tutorial.classroom.live.answering import REFUSED, Answer
from tutorial.classroom.live.open_class import TEACHER
from tutorial.classroom.live.room import MOST_HANDS, PHASES
from tutorial.classroom.live.students import LONGEST_STEP, STEP
from tutorial.classroom.live.views import for_teacher


class OfTeacher(Answer):
    """A request with the token. A stream has it in its address, since a browser sends no header of ours there."""

    def prepare(self):
        super().prepare()
        given = self.request.headers.get("X-Token") or self.get_query_argument("token", "")
        if not hmac.compare_digest(given.encode(), self.desk.token.encode()):
            raise HTTPError(REFUSED)

    def is_ours(self, host):
        return host in ("127.0.0.1", "localhost")


class State(OfTeacher):
    """The stream of states of one window."""

    async def get(self):
        await self.stream(self.desk.teacher, TEACHER)


class Lesson(OfTeacher):
    """What the lesson holds, and how students join."""

    address: str
    qr: str

    def get(self):
        lesson = self.desk.lesson
        shown = [] if lesson.form else lesson.questions  # the questions of a test are for its students alone
        questions = [for_teacher(question, number) for number, question in enumerate(shown)]
        players = [player.title for player in lesson.players]
        join = {"code": self.desk.code, "address": self.address, "qr": self.qr}
        about = {"title": lesson.title, "is_test": bool(lesson.form), "count": len(lesson.questions), "journal": str(self.desk.path)}
        self.write({"questions": questions, "players": players} | about | join)


class Lead(OfTeacher):
    """Lead the class: go to a phase, count hands, pause, lock, show a step."""

    def post(self):
        self.do(self.event())
        self.write({"steps": self.desk.room.steps})

    def event(self):
        what = self.given("do", str)
        if what == "phase":
            phase = self.given("phase", str)
            if phase not in PHASES:
                raise HTTPError(400)
            return {"do": what, "phase": phase} | ({"question": self.given("question", int)} if "question" in self.data else {})
        if what == "hand":
            event = {name: self.given(name, int) for name in ("question", "round", "choice", "count")}
            if abs(event["count"]) > MOST_HANDS:
                raise HTTPError(400)
            return {"do": what} | event
        if what in ("pause", "lock", "follow"):
            return {"do": what, "on": self.given("on", bool)}
        if what == "step":
            step = self.given("step", str, LONGEST_STEP)
            if not STEP.fullmatch(step):
                raise HTTPError(400)
            return {"do": what, "page": self.given("page", int), "step": step}
        if what == "forget_lost":
            return {"do": what}
        raise HTTPError(400)

"""A small lesson, and a class about it, for tests."""

from contextlib import asynccontextmanager

from tornado.httpclient import AsyncHTTPClient, HTTPRequest

from tutorial.classroom.live.journal import Journal
from tutorial.classroom.live.open_class import Desk, begun
from tutorial.classroom.live.questions.question import Choice, Picture, Question
from tutorial.classroom.live.questions.source import Lesson, Player
from tutorial.classroom.live.serve import serve
from viz.questions.quiz import parse

CHOICES = (Choice("0.8", "One path.", "M02", "0.8"), Choice("1.1", "Both.", "", "1.1"), Choice("2.4", "Multiplied.", "M30", "2.4"))
QUESTIONS = tuple(
    Question(f"small-{k}", "A lesson", f"Question {k}?", CHOICES, 1, (Picture("<svg/>", "a graph"),), f"Question {k}?", "descent")
    for k in range(3)
)
NUMBERS = (Choice("3", "One path.", "M93", "3"), Choice("9", "Both.", "", "9"), Choice("another number", "Hint.", "", "another number"))
TYPED = Question("small-number", "A lesson", "A number?", NUMBERS, 1, typed=lambda text: {3: 0, 9: 1}.get(parse(text)[0], 2))
LESSON = Lesson("A lesson", (*QUESTIONS, TYPED), (Player("a player", "<p>player</p>"), Player("another", "<p>other</p>")))
HERE = "127.0.0.1"


def begin(tmp_path, names=False) -> Desk:
    return begun(LESSON, "3", tmp_path / "class.jsonl", names)


def resume(tmp_path) -> Desk:
    path = tmp_path / "class.jsonl"
    return Desk(LESSON, Journal.resume(path), path)


def vote(desk, sid, choice, **other):
    desk.do({"do": "vote", "sid": sid, "question": desk.room.question, "round": desk.room.round, "choice": choice} | other)


def go(desk, *phases):
    for phase in phases:
        desk.do({"do": "phase", "phase": phase})


@asynccontextmanager
async def served(desk):
    """Serve a class on free ports of this machine alone."""
    found = await serve(desk, HERE, 0, listen=HERE)
    try:
        yield found
    finally:
        await found.end()


class Asker:
    """Asks one of the two sockets, as a page of ours does unless told otherwise."""

    def __init__(self, address, **headers):
        self.address, self.headers = address.partition("#")[0], headers
        self.client = AsyncHTTPClient(force_instance=True)

    async def get(self, path, unpacked=True, **headers):
        request = HTTPRequest(self.address + path, headers={**self.headers, **headers}, decompress_response=unpacked)
        return await self.client.fetch(request, raise_error=False)

    async def post(self, path, body, **headers):
        from json import dumps

        text = body if isinstance(body, str | bytes) else dumps(body)
        given = {"Content-Type": "application/json", **self.headers, **headers}
        return await self.client.fetch(HTTPRequest(self.address + path, method="POST", body=text, headers=given), raise_error=False)

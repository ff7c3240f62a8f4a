"""The two sockets: who may ask what. All of it on this machine alone."""

import asyncio
import json
from contextlib import suppress

import pytest
from tornado.simple_httpclient import HTTPStreamClosedError

from tests.each import each
from tests.tutorial.classroom.live.classes import Asker, begin, go, served, vote
from tutorial.classroom.live import serve
from tutorial.classroom.live.limits import BURST, OF_ADDRESS, REST, WRONG_CODES, Limits
from tutorial.classroom.live.streams import ELSEWHERE
from tutorial.classroom.live.views import by_student, by_teacher


def with_class(tmp_path, test, clock=None):
    """Run a test with a served class: test(desk, phone, teacher)."""

    async def run():
        desk = begin(tmp_path)
        if clock:
            desk.limits = Limits(clock)
        async with served(desk) as found:
            phone = Asker(found.students)
            phone.served = found
            await test(desk, phone, Asker(found.teacher, **{"X-Token": desk.token}))

    asyncio.run(run())


def test_a_student_joins_votes_and_sees_the_answer_without_a_reload(tmp_path):
    async def lesson(desk, phone, teacher):
        assert (await phone.post("join", {"code": "wrong!", "name": ""})).code == 403
        joined = await phone.post("join", {"code": f" {desk.code[:3].upper()} - {desk.code[3:]}.", "name": "Ada"})
        sid = json.loads(joined.body)["sid"]
        states: asyncio.Queue = asyncio.Queue()
        stream = asyncio.create_task(listen(phone, sid, states))
        assert (await states.get())["phase"] == "join"
        assert (await teacher.post("lead", {"do": "phase", "phase": "open", "question": 1})).code == 200
        assert (await states.get())["question"]["asked"] == "Question 1?"
        ballot = {"sid": sid, "question": 1, "round": 1, "choice": 2}
        assert [(await phone.post("vote", ballot)).code for _ in range(3)] == [200, 200, 200]  # sent again: one vote
        assert (await states.get())["mine"] == {"1": 2} and desk.room.counts(1, 1) == [0, 0, 1]
        assert (await phone.post("join", {"code": desk.code, "name": "", "sid": sid})).code == 200 and len(desk.room.students) == 1
        for phase in ("closed", "reveal"):
            await teacher.post("lead", {"do": "phase", "phase": phase})
        while "answer" not in (state := await states.get()):
            pass
        assert state["answer"]["said"] == "Multiplied." and (await phone.post("vote", ballot | {"choice": 1})).code == 409
        stream.cancel()

    with_class(tmp_path, lesson)


def test_a_phone_that_asks_twice_is_one_student(tmp_path):
    """The answer to the first request was lost on the way, or came after the phone had stopped waiting."""

    async def twice(desk, phone, teacher):
        ask = {"code": desk.code, "name": "", "sid": 4 * "0123abcd"}
        answers = [await phone.post("join", ask) for _ in range(2)]
        assert [json.loads(answer.body)["sid"] for answer in answers] == 2 * [ask["sid"]] and list(desk.room.students) == [ask["sid"]]

    with_class(tmp_path, twice)


def test_a_number_is_typed_and_counted_by_the_mistake_that_gives_it(tmp_path):
    async def ask(desk, phone, teacher):
        sids = [desk.join("") for _ in range(4)]
        await teacher.post("lead", {"do": "phase", "phase": "open", "question": 3})
        seen = by_student(desk.room, sids[0])["question"]
        assert seen["typed"] and seen["choices"] == [] and "9" not in str(seen)
        ballot = {"question": 3, "round": 1}
        answers = [
            await phone.post("vote", ballot | {"sid": sid, "typed": typed}) for sid, typed in zip(sids, ("9", " 3 ", "0.3e1", "7/1"))
        ]
        assert [json.loads(answer.body)["mine"] for answer in answers] == ["9", "3", "0.3e1", "7/1"]
        wrong = await phone.post("vote", ballot | {"sid": sids[0], "typed": "__import__('os')"})
        assert wrong.code == 200 and "is not a number" in json.loads(wrong.body)["said"]
        assert (await phone.post("vote", ballot | {"sid": sids[0], "typed": 31 * "1"})).code == 400
        assert (await phone.post("vote", ballot | {"sid": sids[0], "choice": 0})).code == 400
        assert by_teacher(desk.room, 0)["typed"] == [["3", "0.3e1"], ["9"], ["7/1"]]
        assert desk.room.counts(3, 1) == [2, 1, 1] and by_student(desk.room, sids[1])["mine"] == {1: "3"}
        go(desk, "reveal")
        assert by_student(desk.room, sids[1])["answer"]["said"] == "One path."

    with_class(tmp_path, ask)


async def listen(phone, sid, states):
    """Put each state that a phone is sent into a queue."""
    from tornado.httpclient import HTTPRequest

    def chunk(data):
        for line in data.decode().splitlines():
            if line.startswith("data: "):
                states.put_nowait(json.loads(line[6:]))

    await phone.client.fetch(HTTPRequest(f"{phone.address}state?sid={sid}", streaming_callback=chunk, request_timeout=0))


def test_pages_run_no_script_but_their_own_and_load_nothing_from_elsewhere(tmp_path):
    async def look(desk, phone, teacher):
        for asker, script in ((phone, "phone.js"), (teacher, "teacher.js")):
            page = await asker.get("")
            policy = page.headers["Content-Security-Policy"]
            assert page.code == 200 and "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
            text = page.body.decode()
            assert f'<script src="{script}"></script>' in text and text.count("<script") == 1 and "style=" not in text
            for name in (script, "live.css", "math.woff2"):
                found = await asker.get(name)
                assert found.code == 200 and (name == "math.woff2" or b"://" not in found.body)
        assert sum([len((await phone.get(name)).body) for name in ("", "phone.js", "live.css", "math.woff2")]) < 60_000
        picture, player = await phone.get("picture/0.svg"), await phone.get("player/1.html")
        assert (picture.code, player.code, player.body) == (200, 200, b"<p>other</p>")
        assert player.headers["Content-Security-Policy"] == "frame-ancestors 'self'"

    with_class(tmp_path, look)


REFUSED = {  # what is asked of the students' socket: what it answers
    "controls": ("post", "lead", {"do": "lock", "on": True}, {}, 404),
    "the lesson with its answers": ("get", "lesson", None, {}, 404),
    "a state without an id": ("get", "state", None, {}, 401),
    "another site's name": ("get", "", None, {"Host": "evil.example"}, 403),
    "another site's page": ("post", "vote", {}, {"Origin": "http://evil.example"}, 403),
    "a form": ("post", "vote", {}, {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    "text": ("post", "vote", {}, {"Content-Type": "text/plain"}, 415),
    "no JSON": ("post", "vote", "{", {}, 400),
    "deep JSON": ("post", "vote", 1000 * "[" + 1000 * "]", {}, 400),
    "a list": ("post", "vote", [], {}, 400),
    "no id": ("post", "vote", {"question": 0, "round": 1, "choice": 0}, {}, 401),
    "an id that is an object": ("post", "vote", {"sid": {"a": 1}}, {}, 401),
    "a choice that is text": ("post", "vote", {"sid": "SID", "question": 0, "round": 1, "choice": "0"}, {}, 400),
    "a choice that is true": ("post", "vote", {"sid": "SID", "question": 0, "round": 1, "choice": True}, {}, 400),
    "a choice that is not there": ("post", "vote", {"sid": "SID", "question": 0, "round": 1, "choice": 7}, {}, 409),
    "a negative choice": ("post", "vote", {"sid": "SID", "question": 0, "round": 1, "choice": -1}, {}, 409),
    "a huge number": ("post", "vote", {"sid": "SID", "question": 10**400, "round": 1, "choice": 0}, {}, 409),
    "another round": ("post", "vote", {"sid": "SID", "question": 0, "round": 2, "choice": 0}, {}, 409),
    "lost in no player": ("post", "lost", {"sid": "SID", "page": 0, "step": "#step=1"}, {}, 409),
    "lost at a script": ("post", "lost", {"sid": "SID", "page": 0, "step": "javascript:alert(1)"}, {}, 400),
    "lost outside of the book": ("post", "lost", {"sid": "SID", "page": 0, "step": "/book/../state.html"}, {}, 400),
    "lost on another site": ("post", "lost", {"sid": "SID", "page": 0, "step": "//evil.example/book/a.html"}, {}, 400),
    "lost on no page": ("post", "lost", {"sid": "SID", "page": 9, "step": "#step=1"}, {}, 400),
    "a name that is a list": ("post", "join", {"code": "aaaaaa", "name": []}, {}, 403),
    "a code that is not letters": ("post", "join", {"code": "\u00e9" * 6, "name": ""}, {}, 403),
    "a file above": ("get", "../serve.py", None, {}, 404),
    "a picture by a path": ("get", "picture/..%2f..%2fserve.svg", None, {}, 404),
    "a picture that is not there": ("get", "picture/99.svg", None, {}, 404),
}


def test_what_the_students_socket_refuses(tmp_path):
    async def attack(desk, phone, teacher):
        sid = desk.join("")
        go(desk, "open")
        before = vars(desk.room).copy()
        wrong = {}
        for name, (how, path, body, headers, expected) in REFUSED.items():
            desk.limits.students.clear()
            body = {key: sid if value == "SID" else value for key, value in body.items()} if isinstance(body, dict) else body
            answer = await (phone.get(path, **headers) if how == "get" else phone.post(path, body, **headers))
            if answer.code != expected or b"Traceback" in answer.body:
                wrong[name] = answer.code
        assert not wrong and vars(desk.room) == before

    with_class(tmp_path, attack)


@each("headers", [{}, {"X-Token": ""}, {"X-Token": "wrong"}, {"Host": "evil.example"}, {"Host": "10.0.0.1:80"}])
def test_the_teachers_socket_wants_the_token_and_this_machines_name(tmp_path_factory, headers):
    async def attack(desk, phone, teacher):
        other = Asker(teacher.address, **({"X-Token": desk.token} if "Host" in headers else {}))
        for path in ("lesson", "state"):
            assert (await other.get(path, **headers)).code == 403
        assert (await other.post("lead", {"do": "phase", "phase": "end"}, **headers)).code == 403
        assert desk.room.phase == "join"

    with_class(tmp_path_factory.mktemp("class"), attack)


@each("body", [{}, {"do": []}, {"do": "join", "sid": "x"}, {"do": "vote"}, {"do": "phase", "phase": "x"}, {"do": "pause", "on": 1},
               {"do": "step", "page": 0, "step": "javascript:x"},
               {"do": "step", "page": 0, "step": "/book/a/../../vote.html#x"},
               {"do": "hand", "question": 0, "round": 1, "choice": 0, "count": 10**9},
               {"do": "phase", "phase": "open", "question": "0"}])  # fmt: skip
def test_the_teachers_socket_refuses_what_no_window_asks(tmp_path_factory, body):
    async def ask(desk, phone, teacher):
        assert (await teacher.post("lead", body)).code == 400 and len(desk.room.students) == 0

    with_class(tmp_path_factory.mktemp("class"), ask)


def test_the_code_cannot_be_guessed_and_a_flood_is_not_answered(tmp_path):
    now = [60.0]

    async def attack(desk, phone, teacher):
        codes = [(await phone.post("join", {"code": "aaaaaa", "name": ""})).code for _ in range(WRONG_CODES + 2)]
        assert codes == [403] * WRONG_CODES + [429, 429]
        now[0] += 60
        sid = json.loads((await phone.post("join", {"code": desk.code, "name": ""})).body)["sid"]
        go(desk, "open")
        ballot = {"sid": sid, "question": 0, "round": 1, "choice": 0}
        assert [(await phone.post("vote", ballot)).code for _ in range(BURST + 3)].count(200) == BURST
        now[0] += 60
        for _ in range(OF_ADDRESS + 1):
            desk.limits.address("127.0.0.1")
        with pytest.raises(HTTPStreamClosedError):  # the connection is closed unread
            await phone.get("")
        now[0] += REST + 1
        assert (await phone.get("")).code == 200

    with_class(tmp_path, attack, clock=lambda: now[0])


def test_a_body_that_is_too_large_or_never_ends_is_not_read(tmp_path):
    async def attack(desk, phone, teacher):
        host, port = phone.address.removeprefix("http://").rstrip("/").split(":")
        for head in (b"Content-Length: 10000000\r\n", b"Transfer-Encoding: chunked\r\n"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" + head + b"\r\n")
            piece = b"800\r\n" + 2048 * b" " + b"\r\n"
            try:
                for _ in range(50):
                    writer.write(piece)
                    await writer.drain()
                answer = await reader.read(100)
            except ConnectionError:
                answer = b""
            assert not answer.startswith(b"HTTP/1.1 200")
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        assert (await phone.get("")).code == 200

    with_class(tmp_path, attack)


def test_an_address_that_holds_many_connections_gets_no_more(tmp_path, monkeypatch):
    """Each connection is an open file, of which a program has only so many."""
    monkeypatch.setattr(serve, "MOST_CONNECTIONS", 3)

    async def attack(desk, phone, teacher):
        host, port = phone.address.removeprefix("http://").rstrip("/").split(":")
        idle = [await asyncio.open_connection(host, int(port)) for _ in range(3)]
        for _, writer in idle:
            writer.write(b"GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        for reader, _ in idle:
            assert (await reader.readline()).startswith(b"HTTP/1.1 204")  # the connection stays open
        with pytest.raises(HTTPStreamClosedError):
            await phone.get("")
        for _, writer in idle:
            writer.close()
            await writer.wait_closed()
        while True:  # until the server has heard that they are closed
            with suppress(HTTPStreamClosedError):
                assert (await phone.get("")).code == 200
                return

    with_class(tmp_path, attack)


def test_of_many_tabs_of_one_student_the_oldest_ends(tmp_path):
    async def tabs(desk, phone, teacher):
        sid = desk.join("")
        streams = [desk.students.add(sid) for _ in range(5)]
        assert [stream.state is ELSEWHERE for stream in streams] == [True, True, False, False, False]
        go(desk, "open")
        vote(desk, sid, 1)
        assert desk.room.counts(0, 1) == [0, 1, 0]

    with_class(tmp_path, tabs)

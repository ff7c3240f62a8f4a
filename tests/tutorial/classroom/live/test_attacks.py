"""Attacks on a class by somebody in its network, or by a page in the teacher's browser. On this machine alone, and bounded in number."""

import asyncio
import json

import pytest
from tornado.simple_httpclient import HTTPStreamClosedError

from tests.each import each
from tests.tutorial.classroom.live.classes import HERE, LESSON, Asker, begin, go, resume, served, vote
from tests.tutorial.classroom.live.test_server import with_class
from tutorial.classroom.live import open_class as desks
from tutorial.classroom.live import serve
from tutorial.classroom.live.limits import NEW_STUDENTS, OF_PHONE, WRONG_CODES, Limits
from tutorial.classroom.live.open_class import MOST_STUDENTS, begun
from tutorial.classroom.live.questions.source import lesson
from tutorial.classroom.live.room import NotNow
from tutorial.classroom.live.views import by_student

JSON = "Content-Type: application/json"


def port_of(asker):
    return int(asker.address.rstrip("/").rpartition(":")[2])


async def told(asker, text, until_closed=False):
    """Send these bytes over a connection of their own, and return what is answered: one answer, or all until the server closes."""
    reader, writer = await asyncio.open_connection(HERE, port_of(asker))
    writer.write(text.replace("\n", "\r\n").encode())
    try:
        return await (reader.read() if until_closed else reader.readuntil(b"\r\n\r\n"))
    except (ConnectionError, asyncio.IncompleteReadError) as closed:
        return getattr(closed, "partial", b"")
    finally:
        writer.close()


def test_what_was_stolen_from_another_class_opens_nothing(tmp_path):
    """A token, a student's id and a code of yesterday, replayed in the class of today."""
    (tmp_path / "old").mkdir()
    old = begin(tmp_path / "old")
    stolen = old.join("")

    async def replay(desk, phone, teacher):
        assert (await Asker(teacher.address, **{"X-Token": old.token}).post("lead", {"do": "lock", "on": True})).code == 403
        assert (await phone.get(f"state?sid={stolen}")).code == 401
        assert (await phone.post("vote", {"sid": stolen, "question": 0, "round": 1, "choice": 0})).code == 401
        assert (await phone.post("join", {"code": old.code, "name": "", "sid": stolen})).code == 403
        joined = await phone.post("join", {"code": desk.code, "name": "", "sid": "short"})
        assert json.loads(joined.body)["sid"] != "short" and not desk.room.locked

    with_class(tmp_path, replay)


def test_no_answer_tells_the_id_by_which_another_student_votes(tmp_path):
    """A student who knows the id of another one votes as they do. The id stands in no cookie, which another page of this host would get."""

    async def spy(desk, phone, teacher):
        theirs, mine = desk.join(""), desk.join("")
        go(desk, "open")
        vote(desk, theirs, 1)
        assert theirs not in json.dumps([by_student(desk.room, mine), desk.for_teacher()])
        for asker, path in ((phone, ""), (phone, "phone.js"), (teacher, "lesson"), (phone, "picture/0.svg")):
            answer = await asker.get(path)
            assert answer.code == 200 and theirs not in answer.body.decode() and "Set-Cookie" not in answer.headers
            assert answer.headers["Referrer-Policy"] == "no-referrer"
        for almost in (theirs[:-1], theirs.upper(), f"{theirs} ", f"{theirs}%00", ""):
            assert (await phone.get(f"state?sid={almost.replace(' ', '%20')}x")).code == 401

    with_class(tmp_path, spy)


@each("host", ["127.0.0.1.evil.example", "localhost.evil.example", "evil.local.example", "user@evil.example", "[::ffff:evil]", "a b", ""])
def test_a_name_that_only_looks_like_this_machine_is_refused(tmp_path_factory, host):
    async def attack(desk, phone, teacher):
        answer = await told(phone, f"GET / HTTP/1.1\nHost: {host}\nConnection: close\n\n", until_closed=True)
        assert not answer.startswith(b"HTTP/1.1 200")

    with_class(tmp_path_factory.mktemp("class"), attack)


@each(
    "origin", ["null", "http://127.0.0.1", "https://{host}", "http://{host}.evil.example", "http://evil.example/{host}", "http://{host}/"]
)
def test_a_page_of_another_origin_leads_no_class_and_casts_no_vote(tmp_path_factory, origin):
    async def attack(desk, phone, teacher):
        sid = desk.join("")
        go(desk, "open")
        for asker, path, body in (
            (phone, "vote", {"sid": sid, "question": 0, "round": 1, "choice": 0}),
            (teacher, "lead", {"do": "phase", "phase": "end"}),
        ):
            host = asker.address.removeprefix("http://").rstrip("/")
            assert (await asker.post(path, body, Origin=origin.format(host=host))).code == 403
        assert desk.room.phase == "open" and not desk.room.votes

    with_class(tmp_path_factory.mktemp("class"), attack)


def test_who_sends_a_request_letter_by_letter_is_cut_off(tmp_path, monkeypatch):
    """Each half-open connection holds a file of this program. The wait is short here, so that the test need not wait."""
    monkeypatch.setattr(serve, "SMALL", serve.SMALL | {"idle_connection_timeout": 0.05, "body_timeout": 0.05})
    halves = "GET / HTTP/1.1\nHost: 127.0.0.1\nX-Slow: ", f"POST /join HTTP/1.1\nHost: 127.0.0.1\n{JSON}\nContent-Length: 50\n\n{{", ""

    async def attack(desk, phone, teacher):
        answers = await asyncio.gather(*(told(phone, text, until_closed=True) for text in halves * 10))
        assert not any(answer.startswith(b"HTTP/1.1 2") for answer in answers)
        assert (await phone.get("")).code == 200

    with_class(tmp_path, attack)


@each("head", ["X-Long: " + 9000 * "a", "\n".join(f"X-{k}: {90 * 'a'}" for k in range(100)), "Content-Length: -1", "Content-Length: 9e9",
               "Content-Length: 3\nContent-Length: 5", "Transfer-Encoding: gzip, chunked"])  # fmt: skip
def test_a_head_that_is_too_long_or_says_two_things_is_not_answered(tmp_path_factory, head):
    async def attack(desk, phone, teacher):
        answer = await told(phone, f"POST /join HTTP/1.1\nHost: 127.0.0.1\n{JSON}\nConnection: close\n{head}\n\n{{}}", until_closed=True)
        assert not answer.startswith(b"HTTP/1.1 2") and (await phone.get("")).code == 200

    with_class(tmp_path_factory.mktemp("class"), attack)


def test_many_guesses_in_one_connection_are_counted_like_others(tmp_path):
    """Pipelined: the next request does not wait for the answer to the one before."""
    body = json.dumps({"code": "aaaaaa", "name": ""})
    guess = f"POST /join HTTP/1.1\nHost: 127.0.0.1\n{JSON}\nContent-Length: {len(body)}\n\n{body}"

    async def attack(desk, phone, teacher):
        last = f"GET /favicon.ico HTTP/1.1\nHost: {HERE}\nConnection: close\n\n"
        answers = (await told(phone, 30 * guess + last, until_closed=True)).split(b"HTTP/1.1 ")[1:]
        codes = [answer[:3] for answer in answers]
        assert codes == WRONG_CODES * [b"403"] + (30 - WRONG_CODES) * [b"429"] + [b"204"]

    with_class(tmp_path, attack, clock=lambda: 60.0)


PATHS = ["/..%2f..%2f..%2fetc/passwd", "//etc/passwd", "/picture/0.svg/../../serve.py", "/player/0.html%00", "/player/-1.html",
         "/player/99999.html", "/%2e%2e/serve.py", "/live.css/", "/class.jsonl", "/picture/1e0.svg"]  # fmt: skip


def test_no_path_leads_out_of_the_pages_of_the_class(tmp_path):
    async def attack(desk, phone, teacher):
        for asker in (phone, teacher):
            for path in PATHS:
                token = f"X-Token: {desk.token}\n" if asker is teacher else ""
                answer = await told(asker, f"GET {path} HTTP/1.1\nHost: 127.0.0.1\n{token}Connection: close\n\n", until_closed=True)
                assert answer.split()[1] == b"404" and desk.code.encode() not in answer, path

    with_class(tmp_path, attack)


def test_a_page_of_the_book_is_followed_and_no_other_file_is_served(tmp_path):
    site = tmp_path / "site"
    for name in ("chapters/a.html", "_static/book.css", ".source/secret.html", "class.jsonl", "../beside.html"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(f"<title>{name}</title>", encoding="utf-8")
    (site / "link.html").symlink_to(tmp_path / "beside.html")
    about = lesson(site / "chapters" / "a.html")

    async def follow():
        async with served(begun(about, "a.html", tmp_path / "a.jsonl")) as found:
            for asker in (Asker(found.students), Asker(found.teacher, **{"X-Token": found.desk.token})):
                page = await asker.get("player/0.html")
                assert page.code == 200 and page.effective_url.endswith("/book/chapters/a.html") and b"chapters/a.html" in page.body
                assert (await asker.get("book/_static/book.css")).headers["Content-Type"].startswith("text/css")
                for path in (".source/secret.html", "class.jsonl", "%2e%2e/beside.html", "link.html", "/etc/hostname", "", "a%00.html"):
                    assert (await asker.get(f"book/{path}")).code == 404, path

    asyncio.run(follow())


@each("line", ["PUT / HTTP/1.1", "DELETE /join HTTP/1.1", "TRACE / HTTP/1.1", "OPTIONS * HTTP/1.1", "CONNECT evil.example:80 HTTP/1.1",
               "GET http://evil.example/ HTTP/1.1", "GET /state HTTP/0.9", "PRI * HTTP/2.0"])  # fmt: skip
def test_only_what_the_pages_ask_is_answered(tmp_path_factory, line):
    async def attack(desk, phone, teacher):
        answer = await told(phone, f"{line}\nHost: 127.0.0.1\nConnection: close\n\n", until_closed=True)
        assert not answer.startswith(b"HTTP/1.1 200") and desk.room.phase == "join"

    with_class(tmp_path_factory.mktemp("class"), attack)


@each("text", ["\ud800", "\u202eada", "\x00", "<script>", "a\nb", 24 * "\u0301", "\U000e0001", '"}{"do":"lock"'])
def test_what_is_typed_stays_text_in_the_journal_and_on_pages(tmp_path_factory, text):
    """Half a character, a change of direction, a line that looks like an event: of a name, and of a number to type."""
    folder = tmp_path_factory.mktemp("class")

    async def attack():
        desk = begun(LESSON, "3", folder / "class.jsonl", names=True)
        async with served(desk) as found:
            phone = Asker(found.students)
            joined = await phone.post("join", json.dumps({"code": desk.code, "name": text}))
            sid = json.loads(joined.body)["sid"]
            desk.do({"do": "phase", "phase": "open", "question": 3})
            typed = await phone.post("vote", json.dumps({"sid": sid, "question": 3, "round": 1, "typed": text}))
            assert typed.code == 200 and "is not a number" in json.loads(typed.body)["said"]
            assert by_student(desk.room, sid)["name"].isprintable() and text not in json.dumps(desk.for_teacher())
        again = resume(folder)
        assert again.room.students == desk.room.students and not again.room.locked and len(again.room.students) == 1

    asyncio.run(attack())


def test_who_joins_again_and_again_keeps_nobody_out(tmp_path, monkeypatch):
    """One phone that asks for hundreds of ids makes the class full. Who is neither here nor has voted then makes room."""
    monkeypatch.setattr(desks, "MOST_STUDENTS", 4)

    async def attack(desk, phone, teacher):
        voter, listener = desk.join(""), desk.join("")
        desk.students.add(listener)
        go(desk, "open")
        vote(desk, voter, 1)
        flood = [desk.join("") for _ in range(20)]
        assert len(desk.room.students) == 4 and {voter, listener, flood[-1]} <= {*desk.room.students}
        assert (await phone.post("join", {"code": desk.code, "name": ""})).code == 200
        assert (await phone.get(f"state?sid={flood[0]}")).code == 401 and desk.room.counts(0, 1) == [0, 1, 0]
        assert resume(tmp_path).room.students == desk.room.students
        for sid in [*desk.room.students]:
            vote(desk, sid, 0)
        with pytest.raises(NotNow, match="The class is full"):
            desk.join("")

    with_class(tmp_path, attack)


def test_streams_that_stay_open_keep_no_class_out(tmp_path):
    """One address fills the class with students who listen and have voted. The class comes from another address, all from one router."""

    async def attack(desk, phone, teacher):
        go(desk, "open")
        flood = [desk.join("", address="10.0.0.66") for _ in range(MOST_STUDENTS)]
        streams = {sid: desk.students.add(sid) for sid in flood}
        for sid in flood:
            vote(desk, sid, 0)
        real = [desk.join("", address="10.0.0.1") for _ in range(250)]
        assert {*real} <= {*desk.room.students} and len(desk.room.students) == MOST_STUDENTS
        gone = [sid for sid in flood if sid not in desk.room.students]
        assert len(gone) == 250 and all(streams[sid].state is None for sid in gone) and not {*gone} & {*desk.students.open}
        for sid in real:
            desk.students.add(sid)
        for address in ("10.0.0.66", "10.0.0.1"):  # neither has fewer than the other one
            with pytest.raises(NotNow, match="The class is full"):
                desk.join("", address=address)
        late = desk.join("", address="10.0.0.2")
        assert late in desk.room.students and {*real[:-1]} <= {*desk.room.students}
        assert desk.room.counts(0, 1) == [MOST_STUDENTS, 0, 0]  # no vote is lost by it
        assert resume(tmp_path).room.students == desk.room.students

    with_class(tmp_path, attack)


def test_three_hundred_students_behind_one_router_join_and_listen_in_one_second():
    limits = Limits(clock=lambda: 60.0)
    asked = [limits.address("10.0.0.1") and limits.address("10.0.0.1") and limits.new_student("10.0.0.1") for _ in range(300)]
    assert all(asked)
    limits.phones["10.0.0.1"] = 300
    assert all(limits.address("10.0.0.1") for _ in range(300 * OF_PHONE)) and not limits.address("10.0.0.1")


def test_a_student_who_made_room_hears_no_more_and_may_come_back(tmp_path, monkeypatch):
    monkeypatch.setattr(desks, "MOST_STUDENTS", 2)

    async def attack(desk, phone, teacher):
        sids = [desk.join("", f"{k:032x}", HERE) for k in (1, 2)]
        get = "GET /state?sid={} HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n"
        listening = [asyncio.create_task(told(phone, get.format(sid), until_closed=True)) for sid in sids]
        while len(desk.students.open) < 2:
            await asyncio.sleep(0)
        new = desk.join("", address="10.0.0.7")
        done, waiting = await asyncio.wait(listening, return_when=asyncio.FIRST_COMPLETED)
        assert [listening[1]] == [*done] and b"elsewhere" not in done.pop().result() and new in desk.room.students
        assert (await phone.get(f"state?sid={sids[1]}")).code == 401
        desk.room.students.pop(new)
        assert (await phone.post("join", {"code": desk.code, "name": "", "sid": sids[1]})).code == 200
        waiting.pop().cancel()

    with_class(tmp_path, attack)


def test_a_locked_class_loses_nobody_to_who_may_not_join(tmp_path, monkeypatch):
    monkeypatch.setattr(desks, "MOST_STUDENTS", 2)
    desk = begin(tmp_path)
    sids = [desk.join("") for _ in range(2)]
    desk.do({"do": "lock", "on": True})
    with pytest.raises(NotNow, match="locked"):
        desk.join("", address="10.0.0.7")
    assert [*desk.room.students] == sids and [*resume(tmp_path).room.students] == sids


def test_who_asks_for_ids_without_end_fills_no_journal(tmp_path):
    async def attack(desk, phone, teacher):
        desk.limits.new["127.0.0.1"] = NEW_STUDENTS - 1
        desk.limits.minute = 1
        before = desk.journal.size
        answers = [(await phone.post("join", {"code": desk.code, "name": ""})).code for _ in range(4)]
        assert answers == [200, 429, 429, 429] and len(desk.room.students) == 1 and desk.journal.size - before < 100

    with_class(tmp_path, attack, clock=lambda: 60.0)


def test_in_a_crowd_of_connections_each_address_gets_a_few(tmp_path, monkeypatch):
    """Two addresses hold all connections that this program may have, and a third one comes."""
    monkeypatch.setattr(serve, "CROWDED", 4)
    monkeypatch.setattr(serve, "FEW", 2)

    async def attack(desk, phone, teacher):
        server, _ = phone.served.servers
        server.connections.update({"10.0.0.66": 3, "10.0.0.67": 1})
        assert (await phone.get("")).code == 200
        server.connections[HERE] += 2
        with pytest.raises(HTTPStreamClosedError):
            await Asker(phone.address).get("")

    with_class(tmp_path, attack)

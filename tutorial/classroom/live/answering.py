"""What all requests of a class have in common: who may ask, what a body may be, which headers an answer has."""

import gzip
import json
from functools import cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from tornado.iostream import StreamClosedError
from tornado.web import HTTPError, RequestHandler

from tutorial.classroom.live.open_class import Desk
from tutorial.classroom.live.room import NotNow
from tutorial.classroom.live.streams import ELSEWHERE

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # a drawing has a style of its own
PLAYER_POLICY = "frame-ancestors 'self'"  # besides the policy in its head
HOUR = 3600  # seconds
KINDS = {  # of the files of a book that pages load
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
HEARTBEAT = 15  # seconds after which a page is told that the server is still there
CONFLICT, REFUSED, TOO_MANY, UNKNOWN, FULL_DISK, WRONG_TYPE = 409, 403, 429, 401, 507, 415


@cache
def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


class Answer(RequestHandler):
    """An answer to a request of this class's own pages, and to no other page."""

    SUPPORTED_METHODS = ("GET", "POST")
    desk: Desk
    data: dict[str, Any]

    def initialize(self, desk, **more):
        self.desk = desk
        vars(self).update(more)

    def set_default_headers(self):
        self.set_header("Server", "live")
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Cache-Control", "no-store")

    def prepare(self):
        if not self.desk.limits.address(self.request.remote_ip):
            raise HTTPError(TOO_MANY)
        if not self.is_ours(urlsplit(f"//{self.request.host}").hostname or ""):
            raise HTTPError(REFUSED)
        if self.request.method == "POST":
            self.read()

    def is_ours(self, host):
        """Return whether a request for a host means this server. Another site can lead a browser here by a name only, not by a number."""
        try:
            return bool(ip_address(host))
        except ValueError:
            return host == "localhost" or host.endswith(".local")

    def read(self):
        """Read the body, which is an object in JSON from a page of ours."""
        origin = self.request.headers.get("Origin")
        if origin and origin != f"http://{self.request.host}":
            raise HTTPError(REFUSED)
        if self.request.headers.get("Content-Type", "").partition(";")[0] != "application/json":
            raise HTTPError(WRONG_TYPE)
        try:
            self.data = json.loads(self.request.body)
        except (ValueError, RecursionError):
            raise HTTPError(400) from None
        if not isinstance(self.data, dict):
            raise HTTPError(400)

    def given(self, name, kind, most=40):
        """Return a field of the body. Raises HTTPError if it has another type, or is longer than `most` characters."""
        found = self.data.get(name)
        if type(found) is not kind or (kind is str and len(found) > most):
            raise HTTPError(400)
        return found

    def do(self, event):
        """Let an event happen. An event that does not fit now is answered as a conflict, and the page shows what is asked now."""
        try:
            self.desk.do(event)
        except NotNow as why:
            raise HTTPError(CONFLICT, str(why)) from None
        except OSError:
            raise HTTPError(FULL_DISK) from None

    def write_error(self, status_code, **kwargs):
        """Say why an event does not fit. Of all else only the number is told."""
        wrong = kwargs.get("exc_info", (None, None))[1]
        self.finish({"said": wrong.log_message if isinstance(wrong, HTTPError) and status_code == CONFLICT else ""})

    def send(self, data: bytes, kind, policy=None, age=0):
        """Send a file, which the browser may keep for `age` seconds."""
        self.set_header("Content-Type", kind)
        if age:
            self.set_header("Cache-Control", f"max-age={age}")
        if policy:
            self.set_header("Content-Security-Policy", policy)
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            data = packed(data)
        self.finish(data)

    async def stream(self, streams, who):
        """Send the state to a page, and each new state, until the page closes."""
        self.set_header("Content-Type", "text/event-stream")
        self._auto_finish = False  # a page that has gone cannot be told that this is the end
        self.streams, self.who, self.mine = streams, who, streams.add(who)
        try:
            self.write("retry: 1000\n\n")
            while True:
                await self.flush()
                try:
                    state = await self.mine.newest(HEARTBEAT)
                except TimeoutError:
                    self.write(": here\n\n")
                    continue
                if state is not None:
                    self.write(f"data: {json.dumps(state, separators=(',', ':'))}\n\n")
                if state in (None, ELSEWHERE):
                    await self.finish()
                    return
        except StreamClosedError:
            pass
        finally:
            self.on_connection_close()

    def on_connection_close(self):
        if hasattr(self, "mine"):
            self.streams.remove(self.who, self.mine)
            self.mine.offer(None)
            self.left()

    def left(self):
        """Note that a stream has ended; this may be called twice."""


class File(Answer):
    """A file of the pages: `content` is its bytes."""

    content: bytes
    kind: str
    age = 0

    def get(self):
        self.send(self.content, self.kind, age=self.age)


class Beside(Answer):
    """The picture beside a question, or a player, by its number."""

    def get(self, what, number):
        lesson = self.desk.lesson
        found = lesson.questions + lesson.other if what == "picture" else lesson.players
        if int(number) >= len(found):
            raise HTTPError(404)
        if what == "player" and found[int(number)].book:
            self.redirect(f"/book/{found[int(number)].path}")
        elif what == "player":
            self.send(found[int(number)].html.encode(), "text/html; charset=utf-8", PLAYER_POLICY, HOUR)
        elif shown := found[int(number)].picture():
            self.send(shown.svg.encode(), "image/svg+xml", PICTURE_POLICY, HOUR)
        else:
            raise HTTPError(404)


class OfBook(Answer):
    """A file of the book, if a page of it is followed."""

    def get(self, path):
        books = [player.book for player in self.desk.lesson.players if player.book]
        file = (books[0] / path).resolve() if books and path.isprintable() else None
        if file is None or not file.is_relative_to(books[0]) or file.suffix not in KINDS or not file.is_file():
            raise HTTPError(404)
        if any(part.startswith(".") for part in file.relative_to(books[0]).parts):  # what the book was built from
            raise HTTPError(404)
        self.send(file.read_bytes(), KINDS[file.suffix], PLAYER_POLICY, HOUR)


class Nothing(Answer):
    """The icon that browsers ask for."""

    def get(self):
        self.set_status(204)

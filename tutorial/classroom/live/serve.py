"""Serve a class: one socket in the network for phones, and one on this machine alone for the teacher."""

import asyncio
import logging
import socket
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import segno
from tornado.httpserver import HTTPServer
from tornado.web import Application

from tutorial.classroom.live import students, teacher
from tutorial.classroom.live.answering import HOUR, Beside, File, Nothing, OfBook
from tutorial.classroom.live.open_class import Desk
from viz.document import bundle, lean_style, surfaces

PORT = 8200  # of the phones; the teacher's is the next one
EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"
MOST_WAITING = 1024  # connections that are not accepted yet: a whole class comes at once
MOST_FILES = 4096  # macOS lets a program open 256 files, and each phone is one
MOST_CONNECTIONS = 1500  # of one address: with a class behind one router each phone has up to three
CROWDED, FEW = 3000, 12  # connections of all addresses; of one address that gets more of them even then
SYNC = 1  # seconds between two times at which the journal is brought to the disk
SMALL = {"max_body_size": 2048, "max_header_size": 8192, "idle_connection_timeout": 30, "body_timeout": 5, "chunk_size": 4096}
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


class Patient(HTTPServer):
    """A server that does not read from an address that asks too much, or that holds too many connections, such as streams."""

    desk: Desk
    connections: Counter  # {address: how many are open}

    def handle_stream(self, stream, address):
        most = MOST_CONNECTIONS if self.connections.total() < CROWDED else FEW
        if self.desk.limits.rests(address[0]) or self.connections[address[0]] >= most:
            stream.close()
        else:
            self.connections[address[0]] += 1
            super().handle_stream(stream, address)

    def on_close(self, server_conn):
        super().on_close(server_conn)
        self.connections -= Counter([server_conn.context.address[0]])  # an address without any is forgotten


@dataclass
class Served:
    """A class that is served: its two addresses, and what ends it."""

    students: str
    teacher: str
    servers: tuple[HTTPServer, ...]
    tasks: list[asyncio.Task]
    desk: Desk

    async def end(self):
        """Close both sockets and all streams, and bring the journal to the disk."""
        for server in self.servers:
            server.stop()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for server in self.servers:
            await server.close_all_connections()
        self.desk.journal.close()


async def serve(desk: Desk, host: str, port: int = PORT, listen: str = EVERYWHERE) -> Served:
    """Serve a class. Phones are told to open `host`. With port 0 both ports are free ones. Raises OSError if a port is taken."""
    public = listening(listen, port)
    try:
        own = listening(HERE, port and port + 1)
    except OSError:
        public.close()
        raise
    address = f"http://{host}:{public.getsockname()[1]}/"
    for_students, for_teacher = Patient(phones(desk), **SMALL), HTTPServer(windows(desk, address), **SMALL)
    for_students.desk, for_students.connections = desk, Counter()
    for_students.add_socket(public)
    for_teacher.add_socket(own)
    tasks = [asyncio.create_task(task) for task in (desk.students.run(), desk.teacher.run(), sync(desk))]
    return Served(address, f"http://{HERE}:{own.getsockname()[1]}/#{desk.token}", (for_students, for_teacher), tasks, desk)


def listening(host, port):
    """Return a socket that listens. Raises OSError if the port is taken."""
    found = socket.create_server((host, port), backlog=MOST_WAITING)
    found.setblocking(False)
    return found


async def sync(desk):
    """Bring the journal to the disk each second."""
    while True:
        await asyncio.sleep(SYNC)
        with suppress(OSError):  # the next vote that cannot be written says so
            await asyncio.to_thread(desk.journal.sync)


def phones(desk) -> Application:
    """Return what the network sees."""
    own = [
        ("/join", students.Join),
        ("/state", students.State),
        ("/vote", students.Vote),
        ("/lost", students.Lost),
        ("/test", students.Test),
    ]
    return application(desk, "phone", [(path, handler, {"desk": desk}) for path, handler in own])


def windows(desk, address) -> Application:
    """Return what this machine alone sees."""
    qr = segno.make(f"{address}#{desk.code}", error="m").svg_data_uri(scale=8, border=3, light="white")  # many phones read no light on dark
    join = {"desk": desk, "address": address, "qr": qr}
    own = [("/state", teacher.State, {"desk": desk}), ("/lead", teacher.Lead, {"desk": desk}), ("/lesson", teacher.Lesson, join)]
    return application(desk, "teacher", own)


def application(desk, page, own) -> Application:
    """Return an application: a page with its script and its style, what stands beside questions, and requests of its own."""
    names = "name" if desk.about["names"] else "mark" if desk.lesson.form else ""
    files = [
        ("/", f"{page}.html", asset(f"{page}.html").replace("NAMES", names)),
        (f"/{page}.js", f"{page}.js", bundle(f"{page}.js", __package__)),
        ("/live.css", "live.css", lean_style(surfaces() + asset("live.css") + asset("teacher.css") * (page == "teacher"))),
    ]
    file = lambda name, text: {"desk": desk, "content": text.encode(), "kind": TYPES[Path(name).suffix]}
    handlers: list = [(path, File, file(name, text)) for path, name, text in files]
    font = resources.files("viz").joinpath("page", "assets", "math.woff2").read_bytes()
    handlers += [("/math.woff2", File, {"desk": desk, "content": font, "kind": "font/woff2", "age": HOUR})]
    handlers += [(r"/(picture)/(\d{1,4})\.svg", Beside, {"desk": desk}), (r"/(player)/(\d{1,4})\.html", Beside, {"desk": desk})]
    handlers += [("/book/(.*)", OfBook, {"desk": desk})]
    return Application([*handlers, ("/favicon.ico", Nothing, {"desk": desk}), *own], log_function=lambda handler: None)


def asset(name):
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def quiet():
    """Let Tornado say nothing of requests that it refuses, in the terminal that may be on the projector."""
    for name in ("tornado.access", "tornado.general"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def many_files():
    """Let this program open as many files as phones may come, where the system permits it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

"""Ask a server for a process for each program: it forks them, which takes a few milliseconds. `fork_server` is the server's side."""

import os
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress

from tutorial.classroom.grading import codec
from tutorial.classroom.grading.fork_server import LONGEST, USED
from tutorial.classroom.grading.isolation.tiers import Tier
from tutorial.classroom.grading.processes import Bounds, CheckerFailed, Started, settings
from tutorial.classroom.grading.worker import READY


class ServerLost(CheckerFailed):
    """The server has ended, or does not answer."""


class Server:
    """A process that forks a process for each program. It is started when it is first asked, and again after it was lost.

    At most one of its programs runs at any time.
    """

    def __init__(self, tier: Tier, bounds: Bounds):
        self.tier, self.bounds = tier, bounds
        self.started: Started | None = None

    @staticmethod
    def works_here() -> bool:
        """Return whether this system lets one process fork others, and be reached through a socket."""
        return sys.platform == "linux"

    def start(self):
        """Start the process. Raises CheckerFailed."""
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(self.bounds.wait)
        with theirs:
            self.started = Started(self.tier, "forks", stdin=theirs, stdout=subprocess.DEVNULL)
        about = settings(self.tier, self.bounds, numpy=True) | {"home": self.tier.home or self.started.folder}
        with self.watched():
            self.control.send(codec.dumps(about))
            if codec.loads(self.control.recv(LONGEST)) != READY:
                raise OSError

    @contextmanager
    def watched(self):
        """Close the server if it does not answer. Raises ServerLost."""
        try:
            yield
        except (OSError, codec.NotPlain):
            said = self.started.said() if self.started else ""
            self.close()
            raise ServerLost(f"the server of tier {self.tier.name} has ended: {said}") from None

    def fork(self) -> "Forked":
        """Return a process for a program. Raises CheckerFailed."""
        if self.started is None:
            self.start()
        theirs, requests = os.pipe()
        answers, theirs_too = os.pipe()
        try:
            with self.watched():
                socket.send_fds(self.control, [b"fork"], [theirs, theirs_too])
        except ServerLost:
            os.close(requests)
            os.close(answers)
            raise
        finally:
            os.close(theirs)
            os.close(theirs_too)
        return Forked(self, requests, answers)

    def ended(self, seconds) -> int | None:
        """End the process of the last program. Return its exit code if it has ended by itself within these seconds."""
        with self.watched():
            self.control.send(codec.dumps(seconds))
            return codec.loads(self.control.recv(LONGEST))

    def used(self) -> float | None:
        """Return the seconds of the processor that the process of the last program has used; None if that is not known there."""
        with self.watched():
            self.control.send(USED)
            return codec.loads(self.control.recv(LONGEST))

    def close(self):
        """End the server, and with it the process of a program."""
        if self.started is not None:
            self.control.close()
            self.started.end()
        self.started = None


class Forked:
    """A process that a server has forked for one program. `requests` and `answers` are its channels."""

    def __init__(self, server: Server, requests: int, answers: int):
        self.server, self.over = server, False
        self.requests, self.answers = os.fdopen(requests, "wb"), os.fdopen(answers, "rb")

    def failed(self) -> CheckerFailed:
        """Return what the grader says if the process never was ready."""
        self.server.close()
        return ServerLost(f"the server of tier {self.server.tier.name} did not start a process")

    def code(self, seconds) -> int | None:
        """End the process. Return its exit code if it has ended by itself within these seconds. Raises ServerLost."""
        self.over = True
        return self.server.ended(seconds)

    def used(self) -> float | None:
        """Return the seconds of the processor that it has used; None if that is not known. Raises ServerLost."""
        return self.server.used()

    def end(self):
        """End the process and all that it has started, and remove its folder."""
        if not self.over:
            with suppress(ServerLost):  # the answers are there
                self.code(0)
        with suppress(OSError):
            self.requests.close()

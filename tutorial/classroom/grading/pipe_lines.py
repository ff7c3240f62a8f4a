"""Read lines from a pipe with a limit of time and of bytes, and write to one. Who writes may never end a line; who reads may never read."""

import os
import select
import threading
import time
from contextlib import suppress

CHUNK = 1 << 16


class Flood(ValueError):
    """More bytes than one line may have were sent."""


class Lines:
    """The lines of a descriptor. A thread reads them, because Windows cannot wait for a pipe in another way."""

    def __init__(self, descriptor, most):
        self.most, self.data, self.at_end = most, bytearray(), False
        self.news = threading.Condition()
        self.thread = threading.Thread(target=self.read, args=(os.dup(descriptor),), daemon=True)
        self.thread.start()

    def read(self, descriptor):
        """Take what arrives, until there is an end or too much of it."""
        with os.fdopen(descriptor, "rb", buffering=0) as pipe:
            while chunk := pipe.read(CHUNK):
                with self.news:
                    self.data += chunk
                    self.news.notify()
                    if not self.news.wait_for(lambda: len(self.data) <= self.most or self.at_end) or self.at_end:
                        return
        with self.news:
            self.at_end = True
            self.news.notify()

    def next(self, seconds) -> bytes:
        """Return the next line, without its end. Raises TimeoutError, EOFError, or Flood if no line ends within the most bytes."""
        deadline = time.monotonic() + seconds
        with self.news:
            while (end := self.data.find(b"\n")) < 0:
                if len(self.data) > self.most:
                    raise Flood(f"more than {self.most:,} bytes")
                if self.at_end:
                    raise EOFError
                if not self.news.wait(deadline - time.monotonic()) and time.monotonic() >= deadline:
                    raise TimeoutError
            line = bytes(self.data[:end])
            del self.data[: end + 1]
            self.news.notify()
            return line

    def close(self):
        """Read no more."""
        with self.news:
            self.at_end = True
            self.news.notify()


def write(descriptor, data: bytes, deadline):
    """Write bytes to a pipe that may be full; Windows cannot wait for one. Raises TimeoutError at the deadline, and OSError."""
    rest = memoryview(data)
    if os.name == "posix":
        os.set_blocking(descriptor, False)
        room = select.poll()
        room.register(descriptor, select.POLLOUT)
    while rest:
        if os.name == "posix" and not room.poll(max(0, 1000 * (deadline - time.monotonic()))):
            raise TimeoutError
        with suppress(BlockingIOError):
            rest = rest[os.write(descriptor, rest) :]

"""Run a learner's program in a process of its own, and get its answers as plain values. `Runner` asks, a `Worker` is one process."""

import os
import re
import select
import signal
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial

from tutorial.classroom.grading import codec
from tutorial.classroom.grading.fork_client import Forked, Server, ServerLost
from tutorial.classroom.grading.isolation.tiers import Tier, tier_for_students
from tutorial.classroom.grading.processes import Bounds, CheckerFailed, Fresh
from tutorial.classroom.grading.worker import QUESTION, READY, REFUSED, REPLY, hash_of
from tutorial.exercises.answers import ENDED, MOST_PRINTED, MOST_SAID, TOO_LONG, Answer, too_long

IMPORTS_NUMPY = re.compile(r"^[ \t]*(import|from) numpy", re.M)
LONGEST_TEXT = MOST_PRINTED + MOST_SAID  # of the texts beside the value, which an honest process bounds itself
MOST_QUESTIONS = 10_000  # before one answer
LOOK, PASSING = 0.5, 0.02  # seconds between two looks at a process; that a line may take to it and from it
LAST_WORDS = 1  # seconds within which a program that has closed its channel ends


class Runner:
    """Ask programs for values: runner(program, call, arguments, calls) is `tutorial.exercises.answers.answers` in another process.

    The process of the last program is kept for the next question about the same program; close() or `with` ends it. A server, if there is
    one, forks the processes; the program during which it was lost runs in a process that is started anew.

    >>> with Runner() as ask:
    ...     ask("def half(x): return x / 2", "half", [(3,)], [10])
    [Answer(value=1.5, error='', line=None, changed='', calls=1, printed='', asked=0)]
    """

    def __init__(self, tier: Tier | None = None, bounds: Bounds | None = None, server: Server | None = None):
        self.tier, self.bounds, self.server = tier or tier_for_students(), bounds or Bounds(), server
        self.worker: Worker | None = None

    def start(self, program):
        """Start the process for a program, and do not wait for it. Raises CheckerFailed if it cannot be started."""
        if self.worker is None or self.worker.program != program or self.worker.ended:
            self.close()
            self.worker = Worker(program, self.server.fork() if self.server else self.fresh(program), self.bounds)
        return self.worker

    def fresh(self, program) -> Fresh:
        """Return a process that has started Python for a program."""
        return Fresh(self.tier, self.bounds, bool(IMPORTS_NUMPY.search(program)))

    def __call__(self, program, call, arguments, calls, reply=None) -> list[Answer]:
        """Return an Answer for each tuple of arguments. After a program has ended its process, the others have the same error.

        reply(k, question) answers what is asked for the arguments k. Raises CheckerFailed if the process does not start.
        """
        try:
            return self.start(program).ask(call, arguments, calls, reply)
        except ServerLost:
            self.close()
            self.worker = Worker(program, self.fresh(program), self.bounds)
            return self.worker.ask(call, arguments, calls, reply)

    def close(self):
        if self.worker is not None:
            self.worker.close()
        self.worker = None

    def __enter__(self):
        return self

    def __exit__(self, *wrong):
        self.close()


class Asleep(TimeoutError):
    """The process has slept for longer than it may."""


class Watch:
    """Looks at how long a process has slept since it was asked; `used` returns the seconds of the processor that it has used, or None."""

    def __init__(self, used, bounds: Bounds):
        self.used, self.bounds = used, bounds
        self.since = self.looked = time.monotonic()
        self.before, self.busy, self.excuses = used(), 0.0, 0.0

    def look(self):
        """Look now and then. Raises Asleep."""
        now = time.monotonic()
        if now - self.looked < LOOK:
            return
        self.looked, used = now, self.used()
        measured = used is not None and self.before is not None
        most = self.bounds.asleep + (0 if measured else self.bounds.seconds)
        self.busy = used - self.before if measured else 0.0
        if now - self.since - self.busy - self.excuses > most:
            raise Asleep(f"more than {most:g} seconds" + ", in which it slept" * measured)

    @contextmanager
    def excused(self):
        """Let the time of the block count as used, and some more in which a busy machine passes on a line."""
        begin = time.monotonic()
        yield
        self.excuses += time.monotonic() - begin + PASSING


class Worker:
    """A process for one program, with what it answers."""

    def __init__(self, program, process: Fresh | Forked, bounds: Bounds):
        self.program, self.process, self.bounds, self.ready, self.ended = program, process, bounds, False, False
        self.has_run = False
        self.lines = Lines(process.answers.fileno(), bounds.values.bytes + 1)
        process.answers.close()

    def wait_until_ready(self):
        """Wait until the process has confined itself. Raises CheckerFailed."""
        try:
            if codec.loads(self.lines.next(self.bounds.wait)) != READY:
                raise EOFError
        except (OSError, EOFError, TimeoutError, Flood, codec.NotPlain):
            failed = self.process.failed()
            self.close()
            raise failed from None
        self.ready = True

    def ask(self, call, arguments, calls, reply=None) -> list[Answer]:
        """Return an Answer for each tuple of arguments."""
        if not self.ready:
            self.wait_until_ready()
        found: list[Answer] = []
        deadline = time.monotonic() + self.bounds.wait
        self.watch, self.received = Watch(self.process.used, self.bounds), 0
        with suppress(TimeoutError):  # it does not read; reading its answers says so, too
            self.send((self.program, call, arguments, calls), deadline)
        if not self.same_program(deadline - time.monotonic()):
            return self.without_answers(len(arguments))
        while len(found) < len(arguments):
            answer, last = self.next_answer(deadline, partial(reply, len(found)) if reply else no_reply)
            found.append(answer)
            if last:
                self.close()
                return found + [answer] * (len(arguments) - len(found))
        return found

    def send(self, value, deadline):
        """Send a value to the process as a line. It may never read it. Raises TimeoutError."""
        try:
            write(self.process.requests.fileno(), codec.dumps(value) + b"\n", deadline)
        except TimeoutError:
            raise
        except OSError:  # it has ended; reading says so, too
            pass

    def next_answer(self, deadline, reply):
        """Return the next Answer, and whether it is the last of this process. Questions before it are answered."""
        try:
            for asked in range(MOST_QUESTIONS + 1):
                found = codec.loads(self.line(deadline), self.bounds.values)
                if not is_question(found):
                    answer = answer_of(found)._replace(asked=asked)
                    return answer, answer.error == too_long(self.bounds.seconds)
                with self.watch.excused():
                    self.send(reply_to(found[QUESTION], reply), deadline)
            return Answer(error=f"{TOO_LONG}: more than {MOST_QUESTIONS:,} calls of what is given"), True
        except Asleep as wrong:
            return Answer(error=f"{TOO_LONG}: {wrong}"), True
        except TimeoutError:
            return Answer(error=f"{TOO_LONG}: no answer within {self.bounds.wait:g} seconds"), True
        except EOFError:
            return Answer(error=self.how_it_ended()), True
        except (codec.NotPlain, Flood) as wrong:
            return Answer(error=f"{ENDED}: it wrote what is not an answer ({wrong})"), True

    def line(self, deadline) -> bytes:
        """Return the next line of the process. Raises TimeoutError, Asleep, or Flood if all lines together are longer than one may be."""
        while True:
            self.watch.look()
            with suppress(TimeoutError):
                line = self.lines.next(min(LOOK, deadline - time.monotonic()))
                self.received += len(line)
                if self.received > self.bounds.values.bytes:
                    raise Flood(f"more than {self.bounds.values.bytes:,} bytes in all")
                return line
            if time.monotonic() >= deadline:
                raise TimeoutError

    def same_program(self, seconds) -> bool:
        """Return whether the process is about to run the program that it got; also if it has ended: reading its answers says so, too.

        Raises CheckerFailed if it is another, unless the program has run before: then it has written the line itself.
        """
        try:
            if self.lines.next(seconds) == codec.dumps(hash_of(self.program)):
                self.has_run = True
                return True
        except (EOFError, TimeoutError):
            return True
        except Flood:
            return False
        if not self.has_run:
            self.close()
            raise CheckerFailed("the process ran another program than the one that it got")
        return False

    def without_answers(self, number) -> list[Answer]:
        """End a process that has written more lines than answers. Return the answers to so many tuples of arguments."""
        self.close()
        return [Answer(error=f"{ENDED}: it wrote more than its answers")] * number

    def how_it_ended(self):
        """Return the error of a program whose process has ended, or has closed its channel."""
        code = self.process.code(LAST_WORDS)
        if code is None:
            return f"{ENDED}: it closed the channel of its answers"
        kill = code == -getattr(signal, "SIGKILL", 0)  # the end of the CPU time of a loop inside of one function of Python, such as sum
        if code == -getattr(signal, "SIGXCPU", 0) or kill and self.watch.busy >= self.bounds.seconds:
            return too_long(self.bounds.seconds)
        if code < 0:
            return f"{ENDED}: {signal.Signals(-code).name} ended Python before the program answered"
        return f"{ENDED}: the program ended Python (exit code {code}) before it answered"

    def close(self):
        self.ended = True
        self.process.end()
        self.lines.close()


def is_question(found) -> bool:
    return isinstance(found, dict) and list(found) == [QUESTION] and isinstance(found[QUESTION], tuple)


def reply_to(question, reply) -> tuple[str, object]:
    """Return the reply to a question. The process that asks it may be the learner's, so what the reply raises goes back to it."""
    try:
        return REPLY, reply(question)
    except Exception as wrong:
        return REFUSED, str(wrong)[:MOST_SAID]


def no_reply(question):
    raise ValueError("this exercise answers no questions")


def answer_of(found) -> Answer:
    """Return the Answer in what a process has sent. The process may be the learner's, so all is checked. Raises NotPlain."""
    kinds = object, str, int | None, str, int, str, int
    if not (isinstance(found, tuple) and len(found) == len(kinds) and all(map(isinstance, found, kinds))):
        raise codec.NotPlain("it has not the parts of an answer")
    answer = Answer(*found)
    texts = ("error", "changed", "printed")
    return answer._replace(**{name: getattr(answer, name)[:LONGEST_TEXT] for name in texts})


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

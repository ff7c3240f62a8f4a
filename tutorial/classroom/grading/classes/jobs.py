"""Grade the students of a run in several processes. Each has a grader of its own and gets one student at a time."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from multiprocessing.connection import wait
from pathlib import Path

from tutorial.classroom.grading.classes.batch import Grader, Run
from tutorial.classroom.grading.results.results import ungraded

FEW = 4  # students for whom another process is not worth the second that it takes to start
SPAWN = multiprocessing.get_context("spawn")
PATIENCE = 5  # seconds within which a process ends that is asked to


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results(run: Run, students: list[Path], known_of: Callable[[Path], list[dict]], jobs: int = 1) -> Iterator[dict]:
    """Yield the result of each student for each exercise, as soon as it is there, computed by so many processes.

    `known_of` gives the results of earlier runs for a student. The order of the results depends on `jobs`, what they say does not.
    """
    if (jobs := min(jobs, len(students) // FEW)) > 1:
        yield from of_processes(run, students, known_of, jobs)
        return
    with Grader(run) as grader:
        for student in students:
            yield from grader.results([student], known_of(student))


def of_processes(run, students, known_of, jobs) -> Iterator[dict]:
    """Yield the results that several processes compute."""
    waiting = iter(students)
    with ExitStack() as stack:
        active = [stack.enter_context(Job(run, student, known_of)) for _, student in zip(range(jobs), waiting)]
        while active:
            for job in [job for job in active if job.connection in wait([job.connection for job in active])]:
                yield from job.received()
                if job.student is None and not job.give(next(waiting, None)):
                    active.remove(job)


class Job:
    """A process that grades. `student` is the one whose results are not all there yet, `found` are the results that are."""

    def __init__(self, run: Run, student: Path, known_of):
        self.run, self.known_of = run, known_of
        self.start()
        self.give(student)

    def start(self):
        self.connection, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(self.run, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, student) -> bool:
        """Let the process grade a student. Return False for None."""
        self.student, self.losses = student, 0
        self.found: dict = {}
        if student is not None:
            self.ask()
        return student is not None

    def ask(self):
        with suppress(OSError):  # it has ended; receiving says so, too
            self.connection.send((self.student, [*self.known_of(self.student), *self.found.values()]))

    def received(self) -> Iterator[dict]:
        """Yield the result that has come, if it is a new one. After the last one, `student` is None."""
        try:
            result = self.connection.recv()
        except (EOFError, OSError):
            yield from self.lost()
            return
        if result is None:
            self.student = None
        elif result["exercise"] not in self.found:
            self.found[result["exercise"]] = result
            yield result

    def lost(self) -> Iterator[dict]:
        """Start the process again. If a student has ended it twice, what is missing is ungraded."""
        self.end()
        self.start()
        self.losses += 1
        if self.losses == 1:
            self.ask()
            return
        grader = Grader(self.run)
        for submission in grader.submissions([self.student]):
            if submission.exercise not in self.found:
                points = grader.exercises[submission.exercise].points
                yield grader.begin(submission) | ungraded("the process that grades has ended twice", points)
        self.student = None

    def end(self):
        """End the process and all that it has started."""
        self.process.terminate()
        self.process.join(PATIENCE)
        self.process.kill()
        self.process.join()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *wrong):
        self.end()


def work(run, connection):
    """Grade students until the process that asks for them has ended. It also decides what ctrl-C does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    with suppress(EOFError, BrokenPipeError), Grader(run) as grader:
        while True:
            student, known = connection.recv()
            for result in grader.results([student], known):
                connection.send(result)
            connection.send(None)

"""Grade a batch of students: a run as a value that can be sent to another process or machine, and the function that grades its batches."""

import hmac
import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from scalargrad.formulas.text import printable
from tutorial.classroom.grading.classes.archive import IGNORED
from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation.tiers import tier
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.results.results import SCHEMA, UNGRADED, key_of, scored, ungraded, version_of
from tutorial.classroom.grading.runner import Runner
from tutorial.exercises.authored import Exercise, exercises, find
from tutorial.exercises.checking.check import check, not_started, unchanged
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, Verdict
from tutorial.exercises.practice.folder import Folder, NoFolder


class Run(NamedTuple):
    """How a class is graded: at which tier, with numbers from which secret, within which bounds; all exercises, if none are named.

    It holds only plain values, so it can be sent to another process or machine, which finds there what the tier needs.
    """

    tier: str
    secret: bytes
    assignment: str = ""
    bounds: Bounds = Bounds()
    exercises: tuple[str, ...] = ()


class Submission(NamedTuple):
    """A student's program for an exercise as a plain value, or why there is none."""

    student: str
    exercise: str
    program: str = ""
    refused: str = ""
    missing: bool = False


def grade_programs(run: Run, submissions: Iterable[Submission]) -> list[dict]:
    """Return the results of programs that were read elsewhere, so that this machine needs no folder of the class."""
    with Grader(run) as grader:
        return [grader.result(submission) for submission in submissions]


def submission_in(path: Path, exercise: Exercise) -> Submission:
    """Return what the folder of a student holds for an exercise. Whatever a file does to its reader, it is the file of one student."""
    folder = Folder(path)
    try:
        return Submission(path.name, exercise.number, folder.program(exercise))
    except NoFolder as wrong:
        return Submission(path.name, exercise.number, refused=str(wrong), missing=not os.path.lexists(folder.file(exercise)))
    except Exception as wrong:
        return Submission(path.name, exercise.number, refused=f"the file cannot be read: {type(wrong).__name__}: {wrong}")


def without_program(submission: Submission) -> Verdict:
    return Verdict(NOT_STARTED if submission.missing else CRASHED, "There is no program", said=submission.refused)


def students_in(folder, shard=(1, 1)) -> list[Path]:
    """Return the folders of the students of one shard, by name. A link is not followed. The name alone decides the shard.

    Raises OSError if the folder is not one.
    """
    this, shards = shard
    if Path(folder).is_file():
        raise NotADirectoryError(f"{folder} is a file; to grade a zip file of submissions, run: teach unpack {folder} DIR, then grade DIR")
    inside = (path for path in Path(folder).iterdir() if path.is_dir() and not path.is_symlink())
    found = sorted(path for path in inside if not path.name.startswith((".", IGNORED)))
    return [path for path in found if int(sha256(path.name.encode("utf-8", "replace")).hexdigest(), 16) % shards == this - 1]


def seed_of(secret: bytes, assignment, student, exercise: Exercise) -> str:
    """Return the seed of the probes: other numbers for each student, the same again for a second submission.

    >>> from tutorial.exercises.authored import find
    >>> seed_of(b"secret", "2026", "ada", find("02"))[:8] == seed_of(b"secret", "2026", "bob", find("02"))[:8]
    False
    """
    return hmac.new(secret, f"{assignment}|{student}|{exercise.number}".encode("utf-8", "replace"), sha256).hexdigest()


class Grader:
    """Grades the programs of a run, one after the other. A server forks their processes, where the tier allows it; `with` ends it."""

    def __init__(self, run: Run):
        self.run, self.tier = run, tier(run.tier)
        self.exercises = {each.number: each for each in (list(map(find, run.exercises)) or exercises())}
        self.server = Server(self.tier, run.bounds) if Server.works_here() else None

    def __enter__(self):
        return self

    def __exit__(self, *wrong):
        if self.server:
            self.server.close()

    def results(self, students: Iterable[str | Path], known: Iterable[dict] = ()) -> Iterator[dict]:
        """Yield the result of each student for each exercise as soon as it is there."""
        before = known_by_key(known)
        for submission in self.submissions(students):
            yield before.get(self.key(submission)) or self.result(submission)

    def submissions(self, students: Iterable[str | Path]) -> Iterator[Submission]:
        for path in map(Path, students):
            for exercise in self.exercises.values():
                yield submission_in(path, exercise)

    def begin(self, submission: Submission) -> dict:
        """Return the part of a result that says what is graded, and how."""
        exercise = self.exercises[submission.exercise]
        return {
            "schema": SCHEMA,
            "student": printable(submission.student),
            "exercise": exercise.number,
            "version": version_of(exercise),
            "submission_sha256": sha256(submission.program.encode("utf-8", "replace")).hexdigest(),
            "seed": seed_of(self.run.secret, self.run.assignment, submission.student, exercise),
            "tier": self.tier.name,
        }

    def key(self, submission: Submission) -> tuple:
        return key_of(self.begin(submission))

    def result(self, submission: Submission) -> dict:
        begin, exercise = self.begin(submission), self.exercises[submission.exercise]
        try:
            return begin | scored(self.verdict(exercise, submission, begin["seed"]), exercise.points)
        except Exception as wrong:  # a mistake of ours, which ends neither the run nor costs points
            return begin | ungraded(f"{type(wrong).__name__}: {wrong}", exercise.points)

    def verdict(self, exercise, submission, seed) -> Verdict:
        if submission.refused:
            return without_program(submission)
        if unchanged(exercise, submission.program):  # its mistake is ours, not the student's
            return not_started()
        with Runner(self.tier, self.run.bounds, self.server) as ask:
            return check(exercise, submission.program, seed, ask)


def known_by_key(results: Iterable[dict]) -> dict:
    """Return {key: result} of the results that need not be computed again."""
    return {key_of(result): result for result in results if result["state"] != UNGRADED}

"""Grade a batch of students: a run as a value that can be sent to another process or machine, and the function that grades its batches."""

import hmac
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from scalargrad.formulas.text import printable
from tutorial.exercises.authored import Exercise, exercises, find
from tutorial.exercises.check import check
from tutorial.exercises.verdict import CRASHED, NOT_STARTED, Verdict
from tutorial.grading.results import SCHEMA, UNGRADED, key_of, scored, ungraded, version_of
from tutorial.grading.runner import Bounds, Runner
from tutorial.grading.tiers import tier
from tutorial.practice.folder import Folder, NoFolder


class Run(NamedTuple):
    """How a class is graded: at which tier, with numbers from which secret, within which bounds; all exercises, if none are named.

    It holds only plain values, so it can be sent to another process or machine, which finds there what the tier needs.
    """

    tier: str
    secret: bytes
    assignment: str = ""
    bounds: Bounds = Bounds()
    exercises: tuple[str, ...] = ()


def grade(run: Run, students: Iterable[str | Path], known: Iterable[dict] = ()) -> list[dict]:
    """Return the results of a batch: one for each of these students' folders and each exercise of the run.

    `known` are results of earlier runs. A result with the same key is returned as it is, unless it was ungraded.
    """
    return list(Grader(run).results(students, known))


def students_in(folder, shard=(1, 1)) -> list[Path]:
    """Return the folders of the students of one shard, by name. A link is not followed. The name alone decides the shard."""
    this, shards = shard
    found = sorted(path for path in Path(folder).iterdir() if path.is_dir() and not path.is_symlink() and not path.name.startswith("."))
    return [path for path in found if int(sha256(path.name.encode("utf-8", "replace")).hexdigest(), 16) % shards == this - 1]


def seed_of(secret: bytes, assignment, student, exercise: Exercise) -> str:
    """Return the seed of the probes: other numbers for each student, the same again for a second submission.

    >>> from tutorial.exercises.authored import find
    >>> seed_of(b"secret", "2026", "ada", find("02"))[:8] == seed_of(b"secret", "2026", "bob", find("02"))[:8]
    False
    """
    return hmac.new(secret, f"{assignment}|{student}|{exercise.number}".encode("utf-8", "replace"), sha256).hexdigest()


class Grader:
    """Grades the programs of a run, one after the other."""

    def __init__(self, run: Run):
        self.run, self.tier = run, tier(run.tier)
        self.exercises = list(map(find, run.exercises)) or exercises()

    def results(self, students: Iterable[str | Path], known: Iterable[dict] = ()) -> Iterator[dict]:
        """Yield the result of each student for each exercise as soon as it is there."""
        before = {key_of(result): result for result in known if result["state"] != UNGRADED}
        for path in map(Path, students):
            for exercise in self.exercises:
                yield self.result(path, exercise, before)

    def result(self, path: Path, exercise: Exercise, before: dict) -> dict:
        """Return the result of one student for one exercise: the one from before with the same key, or a new one."""
        seed = seed_of(self.run.secret, self.run.assignment, path.name, exercise)
        try:
            program, refused = Folder(path).program(exercise), ""
        except (NoFolder, OSError) as wrong:
            program, refused = "", str(wrong)
        begin = {
            "schema": SCHEMA,
            "student": printable(path.name),
            "exercise": exercise.number,
            "version": version_of(exercise),
            "submission_sha256": sha256(program.encode("utf-8", "replace")).hexdigest(),
            "seed": seed,
            "tier": self.tier.name,
        }
        if (same := before.get(key_of(begin))) is not None:
            return same
        if refused:
            missing = not Folder(path).file(exercise).exists()
            return begin | scored(Verdict(NOT_STARTED if missing else CRASHED, "There is no program", said=refused), exercise.points)
        return begin | self.graded(exercise, program, seed)

    def graded(self, exercise, program, seed) -> dict:
        """Return state, score and findings of a program."""
        try:
            with Runner(self.tier, self.run.bounds) as ask:
                return scored(check(exercise, program, seed, ask), exercise.points)
        except Exception as wrong:
            return ungraded(f"{type(wrong).__name__}: {wrong}", exercise.points)

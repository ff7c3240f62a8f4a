"""Grade the folders of students into results, one for each student and exercise, as lines of JSON.

A result is an object with these fields:
    schema                        tutorial/result/v1
    student, exercise, version    the name of the folder, the number, the start of the hash of the exercise's file
    submission_sha256, seed       the hash of the program, and the seed of its probes
    tier                          the isolation of the process that ran it
    state, score, max_score       right, wrong, not started, crashed, timeout, or ungraded, which has no score: the checker failed.
                                  A right program has all points of the exercise, every other one 0: there are no partial points
    findings                      [{component, misconception, mistake, message, input, got, expected, line}], or [{message}] if ungraded

A result says all that leads to it: the program (its hash), the exercise (its version), the seed of the probes, the tier. So what was graded
before is not graded again, an interrupted run goes on where it was, and the parts of a run on many machines are merged by lines.
"""

import hmac
import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from scalargrad.formulas.text import printable
from tutorial.exercises.authored import Exercise
from tutorial.exercises.check import check
from tutorial.exercises.verdict import CRASHED, NOT_STARTED, RIGHT, Verdict
from tutorial.grading.runner import Bounds, Runner
from tutorial.grading.tiers import Tier
from tutorial.practice.folder import Folder, NoFolder

SCHEMA = "tutorial/result/v1"
UNGRADED = "ungraded"  # the checker failed; this is never 0 points
KEY = ("student", "exercise", "version", "submission_sha256", "seed", "tier")  # the same key has the same result
LONGEST = 2000  # characters of a message


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


def version_of(exercise: Exercise) -> str:
    """Return the version of an exercise: the start of the hash of its file."""
    return sha256(exercise.text.encode()).hexdigest()[:12]


class Grader:
    """Grades programs at one tier. `known` are results of earlier runs, {key: result}."""

    def __init__(self, tier: Tier, secret: bytes, assignment="", known: dict | None = None, bounds: Bounds | None = None):
        self.tier, self.secret, self.assignment, self.known, self.bounds = tier, secret, assignment, known or {}, bounds

    def results(self, students: Iterable[Path], exercises: list[Exercise]) -> Iterator[dict]:
        """Yield the result of each student for each exercise."""
        for path in students:
            for exercise in exercises:
                yield self.result(path, exercise)

    def result(self, path: Path, exercise: Exercise) -> dict:
        """Return the result of one student for one exercise."""
        seed = seed_of(self.secret, self.assignment, path.name, exercise)
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
        before = self.known.get(key_of(begin))
        if before is not None and before["state"] != UNGRADED:
            return before
        return begin | self.graded(path, exercise, program, refused, seed)

    def graded(self, path, exercise, program, refused, seed) -> dict:
        """Return state, score and findings of a program."""
        if refused:
            missing = not Folder(path).file(exercise).exists()
            return scored(Verdict(NOT_STARTED if missing else CRASHED, "There is no program", said=refused), exercise.points)
        try:
            with Runner(self.tier, self.bounds) as ask:
                return scored(check(exercise, program, seed, ask), exercise.points)
        except Exception as wrong:  # a mistake of ours costs nobody a point
            return {
                "state": UNGRADED,
                "score": None,
                "max_score": exercise.points,
                "findings": [{"message": f"{type(wrong).__name__}: {wrong}"}],
            }


def scored(verdict: Verdict, points: int) -> dict:
    """Return the part of a result that a verdict decides, for an exercise of so many points."""
    finding = {
        "component": verdict.component,
        "misconception": verdict.id,
        "mistake": verdict.name,
        "message": verdict.said,
        "input": verdict.input,
        "got": verdict.got,
        "expected": verdict.expected,
    }
    findings = [] if verdict.state == RIGHT else [{name: plain(text) for name, text in finding.items()} | {"line": verdict.line}]
    return {"state": verdict.state, "score": points * (verdict.state == RIGHT), "max_score": points, "findings": findings}


def plain(text):
    """Return a text of a learner without control characters, and not too long."""
    return printable(text[:LONGEST])


def key_of(result) -> tuple:
    return tuple(result[name] for name in KEY)


def line_of(result) -> str:
    return json.dumps(result, ensure_ascii=True, sort_keys=False)


def read_results(paths) -> dict:
    """Return {key: result} of all lines in these files; a file that is not there has none. A line that was cut off is left out."""
    found = {}
    for path in map(Path, paths):
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                result = json.loads(line)
                if result["schema"] == SCHEMA:
                    found[key_of(result)] = result
            except (ValueError, KeyError, TypeError):
                continue
    return found


def lines_of(results: Iterable[dict]) -> str:
    """Return the text of a file of results, by student and exercise: the same results give the same bytes."""
    return "".join(f"{line_of(result)}\n" for result in sorted(results, key=lambda r: (r["student"], r["exercise"], line_of(r))))

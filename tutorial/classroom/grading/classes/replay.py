"""Replay a result: check the program again with the same seed, and say what is not as it was then."""

from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from scalargrad.formulas.text import printable
from tutorial.classroom.grading.classes.batch import students_in, submission_in, without_program
from tutorial.classroom.grading.isolation.tiers import CONFINED, TIERS, tier
from tutorial.classroom.grading.results.results import scored, version_of
from tutorial.classroom.grading.results.stream import stream
from tutorial.classroom.grading.runner import Runner
from tutorial.classroom.grading.working_tiers import strongest, why_not
from tutorial.exercises.authored import Exercise, find
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.verdict import Verdict

LOOKED_AT = 10  # lines of a file that may hold results


class NoReplay(ValueError):
    """The result cannot be replayed. The message is one line that says why."""


class Replay(NamedTuple):
    """The verdict of today on the program of a result. `changed` says in sentences what is not as it was; `same`: the verdict is."""

    exercise: Exercise
    program: str
    verdict: Verdict
    changed: list[str]
    same: bool


def file_of_results(folder, usual) -> Path:
    """Return the usual file of results in a folder, or the only one that the folder has. Raises NoReplay, and OSError."""
    if (path := Path(folder, usual)).exists():
        return path
    found = [path for path in sorted(Path(folder).glob("*.jsonl")) if path.is_file() and any(islice(stream(path), LOOKED_AT))]
    if len(found) == 1:
        return found[0]
    why = f"there are {', '.join(path.name for path in found)}" if found else f"there is no {usual}"
    raise NoReplay(f"{why}; --results FILE names the file that `teach grade` has written")


def result_of(path, student, number) -> dict:
    """Return the result of a student for an exercise, the last one in the file. Raises NoReplay if there is none, and OSError."""
    found = [r for r in stream(path) if r and (r["student"], r["exercise"]) == (student, number)]
    if not found:
        raise NoReplay(f"{path} has no result of {student!r} for exercise {number!r}")
    return found[-1]


def replay(result: dict, folder, allow_weak=False) -> Replay:
    """Return what the check says today of a student's program, which lies in a folder of the class.

    Raises NoReplay if there is no such student or exercise, or if only a weaker tier works here and `allow_weak` is false.
    """
    exercise, path = exercise_of(result), folder_of(result["student"], folder)
    submission = submission_in(path, exercise)
    chosen, changed = tier_of(result, allow_weak)
    if (now := version_of(exercise)) != result["version"]:
        changed.append(f"The exercise has changed since: its version was {result['version']} and is {now}.")
    if sha256(submission.program.encode("utf-8", "replace")).hexdigest() != result["submission_sha256"]:
        changed.append("The program has changed since: it is not the one that was graded.")
    verdict = without_program(submission) if submission.refused else checked(exercise, submission.program, result["seed"], chosen)
    today = scored(verdict, exercise.points)
    return Replay(exercise, submission.program, verdict, changed, all(result.get(name) == today[name] for name in ("state", "findings")))


def checked(exercise, program, seed, chosen) -> Verdict:
    with Runner(tier(chosen)) as ask:
        return check(exercise, program, seed, ask)


def exercise_of(result) -> Exercise:
    try:
        return find(result["exercise"])
    except KeyError:
        raise NoReplay(f"there is no exercise {result['exercise']!r} any more") from None


def folder_of(student, folder) -> Path:
    """Return the folder of a student whose name stands in a result. Raises NoReplay."""
    paths = students_in(folder) if Path(folder).is_dir() else []
    for path in paths:
        if printable(path.name) == student:
            return path
    raise NoReplay(f"there is no folder {str(Path(folder) / student)!r}; --class FOLDER names the folder of the class")


def tier_of(result, allow_weak) -> tuple[str, list[str]]:
    """Return the tier of a result, or the strongest one if it does not work here, with a sentence that says so. Raises NoReplay."""
    name = result["tier"]
    reason = why_not(name) if name in TIERS else "this version does not know it"
    if not reason:
        return name, []
    found = strongest()
    if found not in CONFINED and not allow_weak:
        raise NoReplay(f"tier {name} does not work here ({reason}), and at tier {found} a program can read files; say --allow-weak")
    return found, [f"Tier {name} does not work here ({reason}). The program ran at tier {found}."]

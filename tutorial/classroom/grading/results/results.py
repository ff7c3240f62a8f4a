"""Results, one for each student and exercise, as lines of JSON.

The fields of a result are described in result-v1.schema.json, beside this file, and on the book's page on the file of results.

A result says all that leads to it: the program (its hash), the exercise (its version), the seed of the probes, the tier. So what was graded
before is not graded again, an interrupted run goes on where it was, and the parts of a run on many machines are merged by lines.
"""

import json
from collections.abc import Iterable
from hashlib import sha256

from scalargrad.formulas.text import printable
from tutorial.exercises.authored import Exercise
from tutorial.exercises.checking.verdict import RIGHT, Verdict

SCHEMA = "tutorial/result/v1"
UNGRADED = "ungraded"  # the checker failed; this is never 0 points
KEY = ("student", "exercise", "version", "submission_sha256", "seed", "tier")  # the same key has the same result
LONGEST = 2000  # characters of a message


def version_of(exercise: Exercise) -> str:
    """Return the version of an exercise: the start of the hash of its file."""
    return sha256(exercise.text.encode()).hexdigest()[:12]


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
    findings = [] if verdict.state == RIGHT else [{name: printable_text(text) for name, text in finding.items()} | {"line": verdict.line}]
    return {"state": verdict.state, "score": points * (verdict.state == RIGHT), "max_score": points, "findings": findings}


def ungraded(why, points: int) -> dict:
    """Return the part of a result that says why there is no verdict: a mistake of ours costs nobody a point."""
    return {"state": UNGRADED, "score": None, "max_score": points, "findings": [{"message": why}]}


def first_finding(result) -> dict:
    return next(iter(result["findings"]), {})


def printable_text(text):
    """Return a text of a learner without control characters, and not too long."""
    return printable(text[:LONGEST])


def key_of(result) -> tuple:
    return tuple(result[name] for name in KEY)


def line_of(result) -> str:
    return json.dumps(result, ensure_ascii=True, sort_keys=False)


def lines_of(results: Iterable[dict]) -> str:
    """Return the text of a file of results, by student and exercise: the same results give the same bytes."""
    return "".join(f"{line_of(result)}\n" for result in sorted(results, key=lambda r: (r["student"], r["exercise"], line_of(r))))

"""Gradescope's results.json: a test for each exercise, for one student.

All output is of the format `text`, which Gradescope escapes. A document with an ungraded exercise has no score at all: Gradescope requires
one, so it shows that the autograder failed, and no student gets 0 points for a mistake of ours.
Source: gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256

from tutorial.classroom.exports.result_text import about, details, message, misconception, name_of
from tutorial.classroom.exports.students import Results
from tutorial.classroom.grading.results.results import UNGRADED, printable_text
from tutorial.exercises.checking.verdict import RIGHT

TEXT = {"output_format": "text", "test_output_format": "text", "test_name_format": "text"}
VISIBLE = {"visibility": "visible", "stdout_visibility": "hidden"}
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
MOST_LETTERS = 60


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    """Yield the document of each student, in a folder of the student's name."""
    for student in results:
        yield f"{folder_name(student.name)}/results.json", as_json(document(student.results.values()))


def document(results: Iterable[dict]) -> dict:
    results = list(results)
    failed = [result for result in results if result["state"] == UNGRADED]
    if failed or not results:
        return failure([f"{name_of(result['exercise'])}: {message(result)}" for result in failed] or ["There are no results."])
    score, most = (sum(result[name] for result in results) for name in ("score", "max_score"))
    return {"output": f"{score} of {most} points"} | TEXT | VISIBLE | {"tests": list(map(test, results))}


def failure(reasons: list[str]) -> dict:
    """Return the document of a grading that failed: it says why, and has no score."""
    lines = ["The autograder failed. This is not a mistake of the student, and it costs no points.", *map(printable_text, reasons)]
    return {"output": "\n".join(lines)} | TEXT | VISIBLE


def not_finished(exercises: int) -> dict:
    """Return the document that stands there until the grading has ended: 0 points, and it says why."""
    said = f"The grading of {exercises} exercises did not finish. Tell your teacher, who can grade this submission again."
    return {"score": 0, "output": said} | TEXT | VISIBLE


def test(result) -> dict:
    """Return the test of one exercise. Its points decide the score of the submission."""
    number = result["exercise"]
    right = result["state"] == RIGHT
    return {
        "score": result["score"],
        "max_score": result["max_score"],
        "status": "passed" if right else "failed",
        "name": about(number)[0] or printable_text(number),
        "name_format": "text",
        "number": printable_text(number),
        "output": details(result),
        "output_format": "text",
        "tags": [f"unit {about(number)[1]}", result["state"], *[misconception(result)] * (not right)],
        "visibility": "visible",
        "extra_data": {"tier": printable_text(result["tier"]), "version": printable_text(str(result.get("version", "")))},
    }


test.__test__ = False  # type: ignore[attr-defined]  # pytest takes it for one of its own


def as_json(value) -> str:
    return json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def folder_name(student) -> str:
    """Return a name for a folder that every system allows. A name that had to be changed gets a part of its hash, so that none is lost.

    >>> folder_name("ada"), folder_name("../ada")
    ('ada', '___ada-60088279')
    """
    name = "".join(letter if letter in LETTERS else "_" for letter in student[:MOST_LETTERS])
    return name if name == student else f"{name}-{sha256(student.encode()).hexdigest()[:8]}"

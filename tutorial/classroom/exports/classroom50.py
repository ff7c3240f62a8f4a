"""Classroom 50's result.json: the points of one student, an integer for each exercise.

Classroom 50 grades one repository at a time. Its runner calls an `autograder.py` of the teacher, which may run `teach grade` and then this
export. The runner sets the variables that say whose submission it is; a test must be passed or not, so what is ungraded cannot be
exported. Without an autograder Classroom 50 writes 0 of 0 points as a pass. This export never does: it fails, and the runner reports an
error. Classroom 50 needs an organization with GitHub's Team or Enterprise plan.
Source: github.com/foundation50/classroom50/wiki/Advanced-Autograding
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

from tutorial.classroom.exports.gradescope import as_json
from tutorial.classroom.exports.result_text import details, misconception, name_of
from tutorial.classroom.exports.students import Results
from tutorial.exercises.checking.verdict import RIGHT

SCHEMA = "classroom50/result/v1"
VARIABLES = {  # field: the variable of the runner that has it
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
REVIEW = "REVIEW_URL"  # the runner may leave it out


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    """Yield the file. Raises ValueError if the runner's variables are missing, or if the points would not say what the student reached."""
    check(results)
    (student,) = results
    fields = {field: os.environ[name] for field, name in VARIABLES.items()}
    fields["review"] = os.environ.get(REVIEW) or fields["commit"]
    tests = [test(student.results[number]) for number in results.exercises]
    sums = {name: sum(test[name] for test in tests) for name in ("score", "max-score")}
    yield "", as_json({"schema": SCHEMA} | fields | {"datetime": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"} | sums | {"tests": tests})


def check(results):
    """Raise ValueError unless these are the results of one student, all of them graded, for points."""
    if results.count != 1:
        raise ValueError(f"Classroom 50 grades one student at a time, and there are results of {results.count}; nothing was written")
    if results.without_total:
        raise ValueError("a result is ungraded, and Classroom 50 cannot say so; nothing was written")
    if nothing := [number for number, most in results.exercises.items() if most == 0]:
        raise ValueError(f"exercise {nothing[0]} has 0 points at most, and Classroom 50 takes 0 of 0 as a pass; nothing was written")
    if missing := [name for name in VARIABLES.values() if not os.environ.get(name)]:
        raise ValueError(f"Classroom 50's runner sets {', '.join(missing)}; run this export in its autograder.py")


def test(result) -> dict:
    """Return the test of one exercise: passed only with all its points."""
    said = {} if result["state"] == RIGHT else {"misconception": misconception(result), "output": details(result)}
    passed = result["score"] == result["max_score"]
    return {"test-name": name_of(result["exercise"]), "passed": passed, "score": result["score"], "max-score": result["max_score"]} | said


test.__test__ = False  # type: ignore[attr-defined]  # pytest takes it for one of its own

"""A gradebook as CSV: a row for each student, a column for each exercise. No cell is a formula for the program that opens it."""

import csv
import io

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a cell must not begin with


def gradebook(results) -> str:
    """Return the text of a CSV file.

    >>> print(gradebook([{"student": "=ada", "exercise": "02", "state": "right", "score": 1, "max_score": 1, "tier": "landlock"}]), end="")
    student,02,total,of,tier
    '=ada,1,1,1,landlock
    """
    results = list(results)
    exercises = sorted({result["exercise"] for result in results})
    rows: dict = {}
    for result in results:
        rows.setdefault(result["student"], {})[result["exercise"]] = result
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", *exercises, "total", "of", "tier"])
    for student, found in sorted(rows.items()):
        scores = [score(found.get(number)) for number in exercises]
        total = sum(s for s in scores if isinstance(s, int))
        of = sum(result["max_score"] for result in found.values())
        writer.writerow([safe(student), *scores, total, of, " ".join(sorted({result["tier"] for result in found.values()}))])
    return text.getvalue()


def score(result):
    """Return the points of a result; its state in words if there are none because the checker failed."""
    if result is None:
        return ""
    return result["state"] if result["score"] is None else result["score"]


def safe(text):
    return f"'{text}" if text.startswith(FORMULA) else text

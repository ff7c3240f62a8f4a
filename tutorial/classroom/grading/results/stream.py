"""Read a file of results one by one: a large class takes no more memory for it than a small one."""

import json
from collections.abc import Iterator

from tutorial.classroom.grading.results.results import KEY, SCHEMA, UNGRADED
from tutorial.exercises.checking.verdict import STATES

ALL_STATES = (*STATES, UNGRADED)


def stream(path) -> Iterator[dict | None]:
    """Yield each result of a file, and None for a line that is not a result, such as one that was cut off. Raises OSError."""
    with open(path, "rb") as file:
        for line in file:
            yield result_in(line)


def result_in(line) -> dict | None:
    """Return the result in a line, or None.

    >>> result_in('{"schema": "tutorial/resu') is None
    True
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if is_result(found) else None


def is_result(found) -> bool:
    """Return whether a value has the fields of a result, with the right types.

    >>> is_result({"schema": "tutorial/result/v1"})
    False
    """
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or found.get("state") not in ALL_STATES:
        return False
    if not all(isinstance(found.get(name), str) for name in KEY):
        return False
    score, most, findings = found.get("score"), found.get("max_score"), found.get("findings")
    if type(most) is not int or not isinstance(findings, list) or not all(isinstance(finding, dict) for finding in findings):
        return False
    return score is None if found["state"] == UNGRADED else type(score) is int and 0 <= score <= most

"""Read a file of results one by one: a large class takes no more memory for it than a small one."""

import json
from collections.abc import Iterator

from tutorial.grading.results import SCHEMA

FIELDS = {"student": str, "exercise": str, "tier": str, "state": str, "max_score": int, "findings": list}


def stream(path) -> Iterator[dict | None]:
    """Yield each result of a file, and None for a line that is not a result, such as one that was cut off. Raises OSError."""
    with open(path, encoding="utf-8", errors="replace") as file:
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
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        return None
    typed = all(isinstance(found.get(name), kind) for name, kind in FIELDS.items())
    return found if typed and all(isinstance(finding, dict) for finding in found["findings"]) else None

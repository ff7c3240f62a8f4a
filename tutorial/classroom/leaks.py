"""Look for solutions in files: every line of a solution or of a wrong answer that stands nowhere in what is public."""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from tutorial.classroom.exports.wheel import files_of_the_packages
from tutorial.classroom.selftest import lines_of
from tutorial.classroom.student import SECRET
from tutorial.exercises.authored import exercises, others

JSON = (".json", ".jsonl", ".ipynb")


def leaks(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, str]]:
    """Yield (name of a file, line) for each line of a solution or of a wrong answer in these files. Zip files are opened.

    >>> list(leaks([("a.txt", b"x = 1"), ("b.json", b'{"b": ["    \\\\"x4\\\\": x1 + 2 * x4,"]}')]))
    [('b.json', '"x4": x1 + 2 * x4,')]
    """
    for name, content in files:
        for inner, text in texts(name, content):
            yield from ((inner, line) for line in sorted(lines_of(text) & secret_lines()))


@cache
def secret_lines() -> frozenset:
    """Return the lines of all solutions and wrong answers, without those that stand in what every student gets."""
    found, public = set(), set()
    for exercise in exercises():
        for program in (exercise.solution, *(wrong.program for wrong in exercise.wrong.values()), *others(exercise)):
            found |= lines_of(program)
        for text in (exercise.given, exercise.frame, exercise.statement):
            public |= lines_of(text)
    for name, content in files_of_the_packages():
        if name.endswith((".py", ".md", ".js", ".html")) and not SECRET.fullmatch(name):
            public |= lines_of(content.decode("utf-8"))
    return frozenset(found - public)


def texts(name, content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the names and the texts in a file: those of a zip file's files, and the strings of a JSON file."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inner in archive.namelist():
                yield from texts(f"{name}/{inner}", archive.read(inner))
    elif name.endswith(JSON):
        for line in content.decode("utf-8").splitlines() if name.endswith(".jsonl") else [content]:
            yield name, "\n".join(strings(json.loads(line)))
    else:
        yield name, content.decode("utf-8", "replace")


def strings(found: Any) -> Iterator[str]:
    """Yield all strings in what json has read."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        yield from found
        yield from (text for item in found.values() for text in strings(item))
    elif isinstance(found, list):
        yield from (text for item in found for text in strings(item))

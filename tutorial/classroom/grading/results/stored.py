"""Results on disk: each as soon as it is there, and found by student. Only the places of the lines are kept in memory."""

import os
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tutorial.classroom.grading.results.results import key_of, line_of, lines_of
from tutorial.classroom.grading.results.stream import result_in


class Stored:
    """The results in a file, by student. `read` finds those that the file holds, `add` appends one."""

    def __init__(self, path):
        self.path, self.places = Path(path), {}

    def __enter__(self):
        """Open the file to add results. A line that was cut off is ended, so that the next one is whole."""
        self.file = open(self.path, "a+b")
        if self.file.seek(0, os.SEEK_END):
            self.file.seek(-1, os.SEEK_END)
            if self.file.read() != b"\n":
                self.file.write(b"\n")
        return self

    def __exit__(self, *wrong):
        self.file.close()

    def read(self) -> "Stored":
        """Find the results that the file holds; a file that is not there holds none. Raises OSError."""
        place = 0
        with suppress(FileNotFoundError), open(self.path, "rb") as file:
            for line in file:
                if found := result_in(line):
                    self.note(found["student"], place)
                place += len(line)
        return self

    def add(self, result):
        place = self.file.seek(0, os.SEEK_END)
        self.file.write(f"{line_of(result)}\n".encode())
        self.file.flush()
        self.note(result["student"], place)

    def note(self, student, place):
        self.places.setdefault(student, array("Q")).append(place)

    def of(self, student) -> Iterator[dict]:
        """Yield the results of a student, the oldest first."""
        if student in self.places:
            with open(self.path, "rb") as file:
                for place in self.places[student]:
                    file.seek(place)
                    if found := result_in(file.readline()):
                        yield found


def latest(stored: Iterable[Stored], student) -> list[dict]:
    """Return the results of a student in several files. Of those with the same key, the last one counts."""
    return list({key_of(result): result for each in stored for result in each.of(student)}.values())


def students_of(stored: Iterable[Stored]) -> list[str]:
    """Return the names of all students in several files, sorted."""
    return sorted({student for each in stored for student in each.places})


def lines(students: Iterable[str], results_of) -> Iterator[str]:
    """Yield the text of a file of results, one student at a time: the same results give the same bytes."""
    for student in students:
        yield lines_of(results_of(student))

"""The journal of a class: a file of events, one line of JSON each. A line is written before its event is acknowledged."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

SCHEMA = "tutorial/live/v1"  # of the first line, which says what the class is


class NoJournal(ValueError):
    """A file is not the journal of a class. The message says what is wrong."""


class Journal:
    """A journal that is open for new events. A line survives the end of this program at once, and that of the machine after `sync`.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "class.jsonl"
    >>> journal = Journal.begin(path, {"code": "kxtmbd"})
    >>> journal.write({"do": "join", "sid": "a"}); journal.close()
    >>> [event.get("do") for event in read(path)]
    [None, 'join']
    """

    def __init__(self, path, flags):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | flags, 0o600)
        self.size = os.fstat(self.file).st_size
        self.synced = self.size

    @classmethod
    def begin(cls, path, about) -> "Journal":
        """Begin a journal with what the class is about. Raises FileExistsError rather than write over a file."""
        journal = cls(path, os.O_CREAT | os.O_EXCL)
        journal.write({"schema": SCHEMA} | about)
        return journal

    @classmethod
    def resume(cls, path) -> "Journal":
        """Go on with a journal. A last line without an end was never acknowledged, and is cut off."""
        journal = cls(path, 0)
        whole = Path(path).read_bytes().rfind(b"\n") + 1
        os.ftruncate(journal.file, whole)
        journal.size = whole
        return journal

    def write(self, event):
        """Append an event. Raises OSError if the disk is full; then the file ends with the event before."""
        line = json.dumps(event, separators=(",", ":")).encode() + b"\n"
        try:
            written = os.write(self.file, line)
            if written < len(line):
                raise OSError(f"the journal took {written} of {len(line)} bytes")
        except OSError:
            os.ftruncate(self.file, self.size)
            raise
        self.size += len(line)

    def sync(self):
        """Wait until the disk has what was written."""
        if self.size != self.synced:
            size = self.size
            os.fsync(self.file)
            self.synced = size

    def close(self):
        self.sync()
        os.close(self.file)


def is_journal(path) -> bool:
    """Return whether a file is the journal of a class. Raises OSError."""
    try:
        return next(read(path), None) is not None
    except NoJournal:
        return False


def read(path) -> Iterator[dict]:
    """Yield the first line and the events of a journal. Raises NoJournal if the file is another one, and OSError."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):  # it was cut off while it was written
                return
            try:
                event = json.loads(line)
            except ValueError:
                raise NoJournal(f"{path}, line {number}, is not JSON; a journal has one event on each line") from None
            if number == 1 and (not isinstance(event, dict) or event.get("schema") != SCHEMA):
                raise NoJournal(f"{path} is not the journal of a class; `teach live` writes journals")
            yield event

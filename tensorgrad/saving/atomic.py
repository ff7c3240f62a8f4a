"""Write a file completely or not at all: first beside its place, then to its place in one operation of the file system.

A process that dies while it writes, even by kill -9, leaves the earlier file as it was.
"""

import os
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path):
    """Give a binary file to write to. At the end of the block it replaces the file at `path`; after an exception it is removed.

    The bytes are on the disk before they replace the earlier file. What a killed process left behind is written over by the next.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.bin"
    >>> with replacing(path) as file: _ = file.write(b"new")
    >>> path.read_bytes(), len(list(path.parent.iterdir()))
    (b'new', 1)
    """
    path = Path(os.path.realpath(path))  # a link stays a link
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    with suppress(OSError):  # some file systems cannot flush a folder
        flush_folder(path.parent)


def flush_folder(folder):
    """Write the entries of a folder to the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

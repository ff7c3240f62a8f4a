"""Write a file completely or not at all: first beside its place, then to its place in one operation of the file system.

A process that dies while it writes, even by kill -9, leaves the earlier file as it was. It may also leave a temporary file
.NAME.0123456789abcdef.part, which the next writer of NAME removes. A writer holds a lock on its temporary file, so nobody takes the
file of a living process for a forgotten one. Where Python has no such locks (Windows), forgotten files stay.
"""

import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


@contextmanager
def replacing(path):
    """Give a binary file to write to. At the end of the block it replaces the file at `path`; after an exception it is removed.

    The bytes are on the disk before they replace the earlier file, whose permissions they keep. Each writer of a path writes a file
    of its own, and the last one wins. Raises OSError, which names `path`, if the file cannot be written.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.bin"
    >>> with replacing(path) as file: _ = file.write(b"new")
    >>> path.read_bytes(), len(list(path.parent.iterdir()))
    (b'new', 1)
    """
    try:
        with replacing_what_is_behind(Path(os.path.realpath(path))) as file:  # a link stays a link
            yield file
    except OSError as wrong:
        if wrong.errno is None:
            raise
        raise OSError(wrong.errno, wrong.strerror, os.fspath(path)) from None  # a full disk names no file, others the temporary one


@contextmanager
def replacing_what_is_behind(path):
    """Do what `replacing` says, at a path without links."""
    remove_forgotten(path)
    file, part = new_part(path)
    try:
        with file:
            keep_mode(path, part)
            yield file
            file.flush()
            os.fsync(file.fileno())
            if fcntl:
                os.replace(part, path)  # while the lock is held
        if not fcntl:
            os.replace(part, path)  # Windows moves closed files only
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    with suppress(OSError):  # some file systems cannot flush a folder
        flush_folder(path.parent)


def new_part(path):
    """Return a new temporary file, locked where the file system has locks, and its path."""
    while True:
        part = path.with_name(f".{path.name}.{token_hex(8)}.part")
        file = open(part, "xb")  # noqa: SIM115 - the caller closes it
        with suppress(OSError):
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX)
        if part.exists():
            return file, part
        file.close()  # another writer has removed it as forgotten, before the lock


def keep_mode(path, part):
    """Give a temporary file the permissions of the file that it will replace, if there is one."""
    with suppress(OSError):  # some file systems have no permissions
        os.chmod(part, path.stat().st_mode & 0o777)


def remove_forgotten(path):
    """Remove the temporary files of processes that died while they wrote this path."""
    name = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.part")
    with suppress(PermissionError):  # a folder that may be written to, but not listed
        for part in [path.with_name(n) for n in os.listdir(path.parent) if fcntl and name.fullmatch(n)]:
            with suppress(OSError), open(part, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises if its writer lives
                part.unlink()


def flush_folder(folder):
    """Write the entries of a folder to the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

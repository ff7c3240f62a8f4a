"""Let one process at a time write to a place. The lock ends with the process that holds it, however that ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

WINDOWS = os.name == "nt"
NUMBER = 20  # bytes of the file that hold the number of a process
BEYOND = 1 << 30  # Windows locks bytes: one behind the end of the file


class Held(ValueError):
    """Another process holds the lock. The message is one line that names it."""


@contextmanager
def held(path, sentence) -> Iterator[None]:
    """Hold a lock in a `with` block: a file of this path, which holds the number of this process and goes with it.

    Raises Held if another process has it: the sentence, in which {} is the place for that process. Raises OSError if there can be no file.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/results.lock"
    >>> with held(path, ""):
    ...     try:
    ...         with held(path, "{} writes there; wait for it"):
    ...             pass
    ...     except Held as wrong:
    ...         print(str(wrong).replace(str(os.getpid()), "123"))
    process 123 writes there; wait for it
    >>> os.path.exists(path)
    False
    """
    descriptor = taken(path)
    if descriptor is None:
        raise Held(sentence.replace("{}", holder(path)))
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, str(os.getpid()).encode().ljust(NUMBER))
        yield
    finally:
        release(path, descriptor)


def taken(path) -> int | None:
    """Return the descriptor of a file that this process has locked; None if another one has."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not locked(descriptor):
            os.close(descriptor)
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                return descriptor
        os.close(descriptor)  # who held it has just removed the file


def release(path, descriptor):
    """Remove the file and end the lock, in this order: later, the file may be that of the next process. Windows can remove no open file."""
    if WINDOWS:
        os.close(descriptor)
    with suppress(OSError):
        os.unlink(path)
    if not WINDOWS:
        os.close(descriptor)


def locked(descriptor) -> bool:
    """Lock an open file without waiting. Return False if another process has locked it."""
    try:
        if WINDOWS:
            import msvcrt

            os.lseek(descriptor, BEYOND, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a file system without locks
        pass
    return True


def holder(path) -> str:
    """Return the process that holds a lock, in words."""
    with suppress(OSError, ValueError):
        return f"process {int(Path(path).read_bytes()[:NUMBER])}"
    return "another process"

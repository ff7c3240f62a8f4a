"""Write a file as a whole or not at all. Knows nothing of its content."""

import errno
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG


def write_file(path, content: str | bytes | Iterable[str]) -> str:
    """Write text (as UTF-8), pieces of text or bytes to a file and return its path.

    The content goes to a temporary file in the same folder, which then replaces the file: a full disk or an interruption leaves
    the old file whole. A symbolic link stays a link, and the file behind it is replaced. An old file keeps its permissions; a
    new file has those that the umask gives. A pipe or another file that is not regular is written directly.
    Raises OSError, which names `path`, if the file cannot be written.

    >>> import tempfile
    >>> path = write_file(tempfile.mkdtemp() + "/z.txt", "dz/dz = 1")
    >>> Path(path).read_text()
    'dz/dz = 1'
    """
    try:
        old = check_writable(path)
        if old is not None and not S_ISREG(old.st_mode):
            with open(path, "wb") as file:
                file.writelines(pieces(content))
        else:
            replace(Path(os.path.realpath(path)), content, old)
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, os.fspath(path)) from None  # OSError picks its subclass by errno
    return str(path)


def pieces(content) -> Iterator[bytes]:
    """Yield the bytes of a content, one piece after the other."""
    for piece in [content] if isinstance(content, str | bytes) else content:
        yield piece.encode() if isinstance(piece, str) else piece


def check_writable(path):
    """Return os.stat of an existing file, or None for a new one. Raises OSError if the file cannot be written there."""
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    places = [] if old is None else [path]
    if old is None or S_ISREG(old.st_mode):
        places.append(Path(os.path.realpath(path)).parent)  # for the temporary file
    for place in places:
        os.stat(place)
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    return old


def replace(path, content, old):
    """Write a new file beside `path`, then let it replace `path`."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.writelines(pieces(content))
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            with suppress(AttributeError, PermissionError):  # Windows has no owners; only root may change one
                os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(S_IMODE(old.st_mode))
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)

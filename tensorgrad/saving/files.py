"""Read a file of arrays, or write it completely or not at all; the end of its name says which format it has.

A file is written beside its place, and then goes to its place in one operation of the file system.
A process that dies while it writes, even by kill -9, leaves the earlier file as it was. It may also leave a temporary file
.NAME.0123456789abcdef.part, which the next writer of NAME removes. A writer holds a lock on its temporary file, so nobody takes the
file of a living process for a forgotten one. Where Python has no such locks (Windows), forgotten files stay.
"""

import os
import re
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

import numpy as np

from scalargrad.messages.errors import wrong_type
from tensorgrad.saving.npz import METADATA, read_npz, write_npz
from tensorgrad.saving.safetensors import NAMES, read_safetensors, write_safetensors
from tensorgrad.tensor import Tensor

FORMATS = {".safetensors": (read_safetensors, write_safetensors), ".npz": (read_npz, write_npz)}


def read(path):
    """Return the arrays {name: array} and the metadata {text: text} of a file, whose name ends in .safetensors or .npz.

    Raises ValueError if the file is damaged or of another format; memory is taken only after the header was checked.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/weights.npz"; write(path, {"w": np.ones(2)})
    >>> arrays, metadata = read(path); arrays["w"]
    array([1., 1.])
    """
    return of_format("read", path)[0](path)


def write(path, arrays, metadata=None):
    """Write arrays {name: array} and metadata {text: text} to a file, whose name ends in .safetensors or .npz.

    The file is written completely or not at all. Tensors count as their arrays. Raises TypeError for arrays of text or objects.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "weights.safetensors"
    >>> write(path, {"w": np.ones(2)}, {"made by": "an example"}); read(path)
    ({'w': array([1., 1.])}, {'made by': 'an example'})
    """
    writer = of_format("write", path)[1]
    if not isinstance(arrays, Mapping):
        raise wrong_type("write", "arrays", arrays, "a dictionary of names and arrays; write model.state_dict()")
    metadata = dict(metadata or {})
    if not all(isinstance(x, str) for pair in metadata.items() for x in pair):
        raise wrong_type("write", "metadata", metadata, "a dictionary of texts")
    arrays = {name_of(name): array_to_write(name, x) for name, x in arrays.items()}
    with replacing(path) as file:
        writer(file, arrays, metadata)


def of_format(who, path):
    """Return the reader and the writer of the format that the name of a file ends in."""
    if not isinstance(path, str | os.PathLike):
        raise wrong_type(who, "path", path, "the name of a file")
    ending = Path(path).suffix
    if ending in {".pt", ".pth"}:
        advice = "no pickle is written here; let the name end in .safetensors or .npz"
        if who == "read":
            advice = "no pickle is read here; in PyTorch write safetensors.torch.save_file(model.state_dict(), 'a.safetensors')"
        raise ValueError(f"{who}: {os.fspath(path)!r} has the name of a pickle of PyTorch; {advice}")
    if ending not in FORMATS:
        raise ValueError(f"{who}: the name {os.fspath(path)!r} ends in neither .safetensors nor .npz")
    return FORMATS[ending]


def name_of(name):
    if not isinstance(name, str) or not name or name == METADATA or "\0" in name:
        raise wrong_type("write", "the name of an array", name, f"a text other than {METADATA!r}")
    return name


def array_to_write(name, x):
    """Return x as an array of a dtype that both formats have."""
    array = np.asarray(x.data if isinstance(x, Tensor) else x)
    if array.dtype.newbyteorder("<") not in NAMES:
        raise TypeError(f"write: {name} holds {array.dtype}; a file has arrays of {', '.join(str(d) for d in NAMES)}")
    return array


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

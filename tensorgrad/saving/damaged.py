"""What is wrong with a file that is read. The parts of a reader raise Damaged without the file's name; `naming` adds it, in one line."""

import struct
import zipfile
import zlib
from contextlib import contextmanager

import numpy as np

from scalargrad.messages.errors import brief, shortened

OF_PYTHON = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, LookupError, OverflowError, RuntimeError, MemoryError)


class Damaged(ValueError):
    """A file contradicts itself, is cut off, or would take too much memory."""


@contextmanager
def naming(path, kind):
    """Raise everything that is wrong with the contents of a file in this block as a ValueError, which names the file.

    Python's own readers of zip, JSON and text have errors of many kinds for damaged bytes.
    """
    try:
        yield
    except Damaged as wrong:
        raise ValueError(f"{path}: {wrong}") from None
    except OF_PYTHON as wrong:
        raise ValueError(f"{path}: not a whole {kind} file: {said(wrong)}") from None


def said(wrong):
    """Return what an error of Python says, in few words; its kind if it says nothing."""
    return shortened(str(wrong)) or type(wrong).__name__


def empty(name, shape, dtype, order="C"):
    """Return an array to read into. Raises Damaged for a shape that no array can have."""
    try:
        return np.empty(shape, dtype, order=order)
    except (ValueError, MemoryError) as wrong:
        raise Damaged(f"{brief(name)} has the shape {brief(shape)}: {said(wrong)}") from None

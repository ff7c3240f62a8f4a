"""Read CIFAR-10's python files, which are pickles: dictionaries of texts, integers, lists and one array of bytes.

A pickle can call any function. Here it cannot: only the operations that build such data are allowed, and the three names of NumPy that the
files hold stand for functions of this file, which take an array of bytes and nothing else. NumPy's own functions are never called.
"""

import io
import pickle
import pickletools

import numpy as np

# fmt: off
PLAIN = {  # operations of protocols 0 to 2 that make data
    "PROTO", "STOP", "MARK", "POP", "POP_MARK", "NONE", "NEWTRUE", "NEWFALSE", "INT", "LONG", "BININT", "BININT1", "BININT2", "LONG1",
    "STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "EMPTY_LIST", "APPEND", "APPENDS", "LIST", "EMPTY_TUPLE", "TUPLE",
    "TUPLE1", "TUPLE2", "TUPLE3", "EMPTY_DICT", "DICT", "SETITEM", "SETITEMS", "PUT", "BINPUT", "LONG_BINPUT", "GET", "BINGET",
    "LONG_BINGET",
}
FOR_ARRAYS = {"GLOBAL", "REDUCE", "BUILD"}
# fmt: on
MOST_OPERATIONS = 10**6  # a file of 10 000 images has 41 000
PLACES = {"PUT", "BINPUT", "LONG_BINPUT"}  # which take memory up to the number that they name


class Refused(ValueError):
    """A pickle that is whole, but not one of CIFAR-10."""


class StoredArray:
    """An array of bytes that a pickle describes: its shape and its content."""

    array = None

    def __setstate__(self, state):
        _, shape, kind, by_columns, content = state
        if kind is not BYTES or by_columns or not isinstance(content, bytes) or not isinstance(shape, tuple):
            raise Refused("its array is not one of bytes, row by row")
        self.array = np.frombuffer(content, dtype=np.uint8).reshape(shape)


class Bytes:
    """The dtype of the arrays."""

    def __setstate__(self, state):
        pass


BYTES = Bytes()


def array_kind(*arguments):
    raise Refused("it calls numpy.ndarray")


def new_array(kind, shape, code):
    if kind is not array_kind:
        raise Refused("it makes an array of an unknown class")
    return StoredArray()


def new_dtype(code, *others):
    if code not in (b"u1", b"|u1", "u1", "|u1"):
        raise Refused(f"its array has dtype {code!r}, not bytes")
    return BYTES


ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"): new_array,
    ("numpy._core.multiarray", "_reconstruct"): new_array,
    ("numpy", "ndarray"): array_kind,
    ("numpy", "dtype"): new_dtype,
}


class Reader(pickle.Unpickler):
    """Python's reader, which finds only the names in ALLOWED."""

    def find_class(self, module, name):
        if (module, name) not in ALLOWED:
            raise Refused(f"it asks for {module}.{name}; only an array of bytes is read")
        return ALLOWED[module, name]


def read_pickle(content: bytes) -> dict:
    """Return the dictionary in a pickle as CIFAR-10 has it: its texts as bytes, its array as a NumPy array of bytes.

    Raises ValueError, which says why, for any other pickle. Nothing of the pickle is run.

    >>> read_pickle(pickle.dumps({b"labels": [3, 9]}, protocol=2))
    Traceback (most recent call last):
        ...
    tensorgrad.data.safe_pickle.Refused: it asks for _codecs.encode; only an array of bytes is read
    >>> read_pickle(b"(dU\\x06labels(lK\\x03aK\\x09as.")
    {b'labels': [3, 9]}
    """
    try:
        must_be_plain(content)
        found = Reader(io.BytesIO(content), encoding="bytes").load()
    except Refused:
        raise
    except Exception as wrong:  # a damaged pickle fails in many ways
        raise ValueError(f"its pickle is damaged ({type(wrong).__name__}: {wrong})") from None
    if type(found) is not dict:
        raise Refused(f"its pickle holds a {type(found).__name__}, not a dictionary")
    return {name: x.array if isinstance(x, StoredArray) else x for name, x in found.items()}


def must_be_plain(content):
    """Raise ValueError for a pickle with an operation that CIFAR-10's files do not need, or that would take much memory."""
    for count, (operation, argument, _) in enumerate(pickletools.genops(content)):
        if operation.name not in PLAIN | FOR_ARRAYS:
            raise Refused(f"its pickle has the operation {operation.name}, which such a file does not need")
        if count >= MOST_OPERATIONS or (operation.name in PLACES and argument > MOST_OPERATIONS):
            raise Refused(f"its pickle has more than {MOST_OPERATIONS} operations")

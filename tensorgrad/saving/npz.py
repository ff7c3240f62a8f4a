"""NumPy's npz format: a zip archive with one npy file for each array. All sizes are checked before memory is taken.

A zip archive says its sizes itself, and several members may claim the same bytes; so they are compared with the size of the file.
Arrays of Python objects, which only pickle could read, are refused. Metadata is one more array, of text.
"""

import ast
import json
import zipfile
from itertools import pairwise
from math import prod

import numpy as np

from scalargrad.messages.errors import brief, shortened
from tensorgrad.saving.damaged import Damaged, empty, naming, said
from tensorgrad.saving.safetensors import NAMES

METADATA = "__metadata__"
AMPLE = 2**26  # bytes that a compressed file of any size may unpack to
MOST_RATIO = 20  # of the unpacked bytes to those of a larger file
LOCAL_HEADER = 30  # bytes in front of each member, besides its name
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # those of NumPy; others unpack without a limit
ENCRYPTED = 1  # the bit of a member's flags
MAGIC = b"\x93NUMPY"
WIDTHS = {(1, 0): 2, (2, 0): 4, (3, 0): 4}  # version of a npy file: bytes of the length of its header
CHUNK = 2**20  # bytes that are read at once
MOST_HEADER = 10_000  # bytes of an array's header, as in NumPy


def read_npz(path):
    """Return the arrays {name: array} and the metadata {text: text} of an npz file.

    Raises ValueError if the file is not a whole npz file, if an array has Python objects, or if a small file would unpack to a huge one.
    """
    with open(path, "rb") as file, naming(path, "npz"):
        size = file.seek(0, 2)
        with zipfile.ZipFile(file) as archive:
            must_be_apart(archive.infolist(), size)
            must_be_moderate(archive.infolist(), size)
            arrays = {name: read_member(archive, info, name) for name, info in members(archive).items()}
        return arrays, metadata_of(arrays)


def wrong(what):
    return Damaged(f"not a whole npz file: {what}")


def must_be_moderate(infos, size):
    """Raise Damaged for an archive that unpacks to far more bytes than the file has."""
    unpacked = sum(info.file_size for info in infos)
    if unpacked > max(AMPLE, MOST_RATIO * size):
        raise Damaged(f"{size:,} bytes would unpack to {unpacked:,}; save the arrays without compression to read them")


def must_be_apart(infos, size):
    """Raise Damaged unless each member has bytes of its own in the file."""
    spans = sorted((info.header_offset, info.header_offset + LOCAL_HEADER + info.compress_size, info.filename) for info in infos)
    for (_, end, one), (begin, _, other) in pairwise(spans):
        if begin < end:
            raise wrong(f"{brief(one)} and {brief(other)} overlap")
    if spans and (spans[0][0] < 0 or spans[-1][1] > size):
        raise wrong(f"{brief(spans[-1][2])} lies outside of the file")


def members(archive):
    """Return {name of the array: its entry in the archive}."""
    found: dict = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name == info.filename:
            raise wrong(f"it has the file {brief(info.filename)}, which is not an array")
        if name in found:
            raise wrong(f"{brief(name)} occurs twice")
        if info.compress_type not in COMPRESSIONS or info.flag_bits & ENCRYPTED:
            raise wrong(f"{brief(name)} is encrypted, or compressed in a way that NumPy does not write")
        found[name] = info
    return found


def read_member(archive, info, name):
    """Return one array, after a check that its header fits the size of the member."""
    with archive.open(info) as file:
        shape, fortran, dtype = read_header(file, name)
        if not (dtype.newbyteorder("<") in NAMES or (dtype.kind == "U" and dtype.itemsize)):
            raise Damaged(
                f"{brief(name)} holds {shortened(str(dtype))}, and only arrays of numbers are read; object arrays would need pickle"
            )
        if prod(shape) * dtype.itemsize != info.file_size - file.tell():
            raise wrong(
                f"{brief(name)} of shape {brief(shape)} and dtype {shortened(str(dtype))} does not fill its {info.file_size:,} bytes"
            )
        array = empty(name, shape, dtype, "F" if fortran else "C")
        fill(array.reshape(-1, order="A").view(np.uint8), file)
        return array.astype(dtype.newbyteorder("="), copy=False)


def read_header(file, name):
    """Return the shape of an array, whether its entries lie in the order of Fortran, and its dtype."""
    try:
        start = file.read(len(MAGIC) + 2)
        width = WIDTHS[tuple(start[len(MAGIC) :])] if start.startswith(MAGIC) else 0
        length = int.from_bytes(file.read(width), "little")
        if not 0 < length <= MOST_HEADER:
            raise ValueError(f"{length:,} bytes")
        found = ast.literal_eval(file.read(length).decode("utf-8" if start[len(MAGIC)] > 2 else "latin1"))
        shape, fortran, dtype = found["shape"], found["fortran_order"], np.lib.format.descr_to_dtype(found["descr"])
    except (ValueError, LookupError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise wrong(f"{brief(name)} has no readable header ({said(error)})") from None
    if type(shape) is not tuple or not all(type(n) is int and 0 <= n < 2**63 for n in shape) or type(fortran) is not bool:
        raise wrong(f"{brief(name)} has the shape {brief(shape)} and fortran_order {brief(fortran)}")
    return shape, fortran, dtype


def fill(flat, file):
    """Read bytes into an array, to the end of a member: there zipfile checks its checksum."""
    read = 0
    while count := file.readinto(memoryview(flat)[read : read + CHUNK]):  # zipfile copies what it reads
        read += count
    if read != flat.size or file.read(1):
        raise EOFError(f"{flat.size - read} bytes are missing")


def metadata_of(arrays):
    """Take the metadata out of the arrays, and return it."""
    if METADATA not in arrays:
        return {}
    try:
        found = json.loads(str(arrays.pop(METADATA)[()]))
    except (ValueError, RecursionError):
        raise wrong("its metadata cannot be read") from None
    if not isinstance(found, dict) or not all(isinstance(x, str) for x in found.values()):
        raise wrong("its metadata is not a table of texts")
    return found


def write_npz(file, arrays, metadata):
    """Write arrays {name: array} and metadata {text: text} to an open binary file."""
    extra = {METADATA: np.array(json.dumps(metadata))} if metadata else {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in (arrays | extra).items():
            info = zipfile.ZipInfo(f"{name}.npy")  # its date is fixed, so the same arrays give the same bytes
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)

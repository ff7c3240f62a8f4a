"""NumPy's npz format: a zip archive with one npy file for each array. The header of each array is checked before memory is taken.

Arrays of Python objects, which only pickle could read, are refused. Metadata is one more array, of text.
"""

import json
import zipfile
import zlib
from math import prod

import numpy as np

from scalargrad.errors import brief

METADATA = "__metadata__"
AMPLE = 2**28  # bytes that a compressed file of any size may unpack to
MOST_RATIO = 50  # of the unpacked bytes to those of a larger file
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_npz(path):
    """Return the arrays {name: array} and the metadata {text: text} of an npz file.

    Raises ValueError if the file is not a whole npz file, if an array has Python objects, or if a small file would unpack to a huge one.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            must_be_moderate(path, archive)
            arrays = {name: read_member(path, archive, info, name) for name, info in members(path, archive).items()}
    except (zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, KeyError, OverflowError) as error:
        raise wrong(path, brief(str(error))) from None
    return arrays, metadata_of(path, arrays)


def wrong(path, what):
    return ValueError(f"{path}: not a whole npz file: {what}")


def must_be_moderate(path, archive):
    """Raise ValueError for an archive that unpacks to far more bytes than it has."""
    unpacked, packed = (sum(getattr(info, size) for info in archive.infolist()) for size in ("file_size", "compress_size"))
    if unpacked > max(AMPLE, MOST_RATIO * packed):
        raise ValueError(f"{path}: {packed:,} bytes would unpack to {unpacked:,}; save the arrays without compression to read them")


def members(path, archive):
    """Return {name of the array: its entry in the archive}."""
    found: dict = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name == info.filename:
            raise wrong(path, f"it has the file {brief(info.filename)}, which is not an array")
        if name in found:
            raise wrong(path, f"{name!r} occurs twice")
        found[name] = info
    return found


def read_member(path, archive, info, name):
    """Return one array, after a check that its header fits the size of the member."""
    with archive.open(info) as file:
        try:
            version = np.lib.format.read_magic(file)
            shape, fortran, dtype = HEADERS[version](file)
        except (ValueError, KeyError, SyntaxError, TypeError) as error:
            raise wrong(path, f"{name!r} has no readable header ({brief(str(error))})") from None
        if dtype.hasobject or dtype.fields or dtype.kind not in "fiubU":
            raise ValueError(f"{path}: {name!r} holds {dtype}, and only arrays of numbers are read; object arrays would need pickle")
        if any(n < 0 for n in shape) or prod(shape) * dtype.itemsize != info.file_size - file.tell():
            raise wrong(path, f"{name!r} of shape {brief(shape)} and dtype {dtype} does not fill its {info.file_size:,} bytes")
        array = np.empty(shape, dtype, order="F" if fortran else "C")
        fill(array.reshape(-1, order="A").view(np.uint8), file)
        return array.astype(dtype.newbyteorder("="), copy=False)


def fill(flat, file):
    """Read bytes into an array, to the end of a member: there zipfile checks its checksum."""
    read = 0
    while count := file.readinto(memoryview(flat)[read:]):
        read += count
    if read != flat.size or file.read(1):
        raise EOFError(f"{flat.size - read} bytes are missing")


def metadata_of(path, arrays):
    """Take the metadata out of the arrays, and return it."""
    if METADATA not in arrays:
        return {}
    try:
        return json.loads(str(arrays.pop(METADATA)[()]))
    except (ValueError, RecursionError):
        raise wrong(path, "its metadata cannot be read") from None


def write_npz(file, arrays, metadata):
    """Write arrays {name: array} and metadata {text: text} to an open binary file."""
    extra = {METADATA: np.array(json.dumps(metadata))} if metadata else {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in (arrays | extra).items():
            info = zipfile.ZipInfo(f"{name}.npy")  # its date is fixed, so the same arrays give the same bytes
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)

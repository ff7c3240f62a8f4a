"""The safetensors format: a JSON header with the dtype, the shape and the place of each array, then the bytes of all arrays.

The first 8 bytes are the length of the header. Everything in the header is checked before memory is taken for an array.
"""

import json
from itertools import pairwise
from math import prod

import numpy as np

from scalargrad.errors import brief

DTYPES = {  # the format's names; BF16 is the upper half of a float32, and NumPy has no such dtype
    "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8", "I64": "<i8",
    "F16": "<f2", "F32": "<f4", "F64": "<f8", "BF16": "<u2",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in DTYPES.items() if name != "BF16"}
MOST_HEADER = 100_000_000  # bytes, the format's own limit
ALIGNED = 8


def read_safetensors(path):
    """Return the arrays {name: array} and the metadata {text: text} of a safetensors file. BF16 is widened to float32, exactly.

    Raises ValueError if the file is not a safetensors file, is cut off, or contradicts itself.
    """
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        header, start = read_header(path, file, size)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or not all(isinstance(x, str) for x in metadata.values()):
            raise wrong(path, "its metadata is not a table of texts")
        places = {name: place(path, name, entry) for name, entry in header.items()}
        must_cover(path, places, size - start)
        return {name: read_array(path, file, start, *found) for name, found in places.items()}, metadata


def wrong(path, what):
    return ValueError(f"{path}: not a whole safetensors file: {what}")


def read_header(path, file, size):
    """Return the header of the file, and where its arrays begin."""
    if size < 8:
        raise wrong(path, f"it has {size} bytes, and the length of the header alone needs 8")
    length = int.from_bytes(file.read(8), "little")
    if length > MOST_HEADER:
        raise wrong(path, f"its header should have {length:,} bytes, and {MOST_HEADER:,} are the most")
    if length > size - 8:
        raise wrong(path, f"its header should have {length:,} bytes, but only {size - 8:,} bytes follow")
    text = file.read(length)
    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as error:
        raise wrong(path, f"its header cannot be read ({brief(str(error))})") from None
    if not isinstance(header, dict):
        raise wrong(path, "its header is not a table")
    return header, 8 + length


def without_repeats(pairs):
    """Return pairs as a dictionary. Raises ValueError if a key occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return found


def place(path, name, entry):
    """Return (name, dtype's name, shape, first byte, byte after the last) of an entry of the header."""
    try:
        kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    except (TypeError, KeyError, ValueError):
        raise wrong(path, f"{name!r} lacks dtype, shape or data_offsets") from None
    if not isinstance(kind, str) or kind not in DTYPES:
        raise ValueError(f"{path}: {name!r} has the dtype {brief(kind)}, which cannot be read here; the dtypes are {', '.join(DTYPES)}")
    if not all(type(n) is int and n >= 0 for n in (*shape, begin, end)) or len(shape) > 64:
        raise wrong(path, f"{name!r} has the shape {brief(shape)} at bytes {brief((begin, end))}")
    if prod(shape) * np.dtype(DTYPES[kind]).itemsize != end - begin:
        raise wrong(path, f"{name!r} of shape {brief(shape)} and dtype {kind} does not fill its bytes, {begin} to {end}")
    return kind, shape, begin, end


def must_cover(path, places, size):
    """Raise ValueError unless the arrays cover all bytes of the file, without gaps and overlaps."""
    spans = sorted((begin, end, name) for name, (_, _, begin, end) in places.items())
    for (_, end, one), (begin, _, other) in pairwise(spans):
        if begin != end:
            raise wrong(path, f"{one!r} and {other!r} {'overlap' if begin < end else 'have a gap between them'}")
    if spans and spans[0][0] != 0:
        raise wrong(path, f"no array has the first {spans[0][0]} bytes")
    last = spans[-1][1] if spans else 0
    if last != size:
        raise wrong(path, f"its arrays end after {last:,} bytes, and the file has {size:,} bytes of them")


def read_array(path, file, start, kind, shape, begin, end):
    """Return one array."""
    array = np.empty(shape, DTYPES[kind])
    file.seek(start + begin)
    if array.nbytes and file.readinto(memoryview(array.reshape(-1).view(np.uint8))) != end - begin:
        raise wrong(path, "it ended while it was read")
    if kind == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def write_safetensors(file, arrays, metadata):
    """Write arrays {name: array} and metadata {text: text} to an open binary file. Arrays of wide entries come first, which aligns all."""
    order = sorted(arrays, key=lambda name: -arrays[name].dtype.itemsize)
    header: dict = {"__metadata__": metadata} if metadata else {}
    end = 0
    for name in order:
        array, begin = arrays[name], end
        end += array.nbytes
        header[name] = {"dtype": NAMES[array.dtype.newbyteorder("<")], "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % ALIGNED)
    file.write(len(text).to_bytes(8, "little") + text)
    for name in order:
        array = np.ascontiguousarray(arrays[name], arrays[name].dtype.newbyteorder("<"))
        file.write(memoryview(array.reshape(-1).view(np.uint8)))

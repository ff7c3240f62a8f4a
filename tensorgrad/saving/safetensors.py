"""The safetensors format: a JSON header with the dtype, the shape and the place of each array, then the bytes of all arrays.

The first 8 bytes are the length of the header. Everything in the header is checked before memory is taken for an array.
"""

import json
from itertools import pairwise
from math import prod

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.saving.damaged import Damaged, empty, naming, said

DTYPES = {  # the format's names; BF16 is the upper half of a float32, and NumPy has no such dtype
    "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8", "I64": "<i8",
    "F16": "<f2", "F32": "<f4", "F64": "<f8", "BF16": "<u2",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in DTYPES.items() if name != "BF16"}
MOST_HEADER = 2**22  # bytes, enough for 40,000 arrays. JSON takes 25 times its length in memory; the format allows 100 MB
MOST = 2**63  # sizes and places in a file are below it
ALIGNED = 8
ZIP = b"PK\3\4"


def read_safetensors(path):
    """Return the arrays {name: array} and the metadata {text: text} of a safetensors file. BF16 is widened to float32, exactly.

    Raises ValueError if the file is not a safetensors file, is cut off, or contradicts itself.
    """
    with open(path, "rb") as file, naming(path, "safetensors"):
        size = file.seek(0, 2)
        file.seek(0)
        header, start = read_header(file, size)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or not all(isinstance(x, str) for x in metadata.values()):
            raise wrong("its metadata is not a table of texts")
        places = {name: place(name, entry) for name, entry in header.items()}
        must_cover(places, size - start)
        return {name: read_array(file, start, name, *found) for name, found in places.items()}, metadata


def wrong(what):
    return Damaged(f"not a whole safetensors file: {what}")


def read_header(file, size):
    """Return the header of the file, and where its arrays begin."""
    if size < 8:
        raise wrong(f"it has {size} bytes, and the length of the header alone needs 8")
    start = file.read(8)
    if start.startswith(ZIP):
        raise wrong("it is a zip archive, as npz files and those of torch.save are")
    length = int.from_bytes(start, "little")
    if length > MOST_HEADER:
        raise wrong(f"its header should have {length:,} bytes, and {MOST_HEADER:,} are the most that is read")
    if length > size - 8:
        raise wrong(f"its header should have {length:,} bytes, but only {size - 8:,} bytes follow")
    text = file.read(length)
    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as error:
        raise wrong(f"its header cannot be read ({said(error)})") from None
    if not isinstance(header, dict):
        raise wrong("its header is not a table")
    return header, 8 + length


def without_repeats(pairs):
    """Return pairs as a dictionary. Raises ValueError if a key occurs twice."""
    found: dict = {}
    for name, x in pairs:
        if name in found:
            raise ValueError(f"{brief(name)} occurs twice")
        found[name] = x
    return found


def place(name, entry):
    """Return (dtype's name, shape, first byte, byte after the last) of an entry of the header."""
    try:
        kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    except (TypeError, KeyError, ValueError):
        raise wrong(f"{brief(name)} lacks dtype, shape or data_offsets") from None
    if not isinstance(kind, str) or kind not in DTYPES:
        raise Damaged(f"{brief(name)} has the dtype {brief(kind)}, which cannot be read here; the dtypes are {', '.join(DTYPES)}")
    if not isinstance(shape, list) or not all(type(n) is int and 0 <= n < MOST for n in (*shape, begin, end)) or len(shape) > 64:
        raise wrong(f"{brief(name)} has the shape {brief(shape)} at bytes {brief((begin, end))}")
    if prod(shape) * np.dtype(DTYPES[kind]).itemsize != end - begin:
        raise wrong(f"{brief(name)} of shape {brief(shape)} and dtype {kind} does not fill its bytes, {begin} to {end}")
    return kind, shape, begin, end


def must_cover(places, size):
    """Raise ValueError unless the arrays cover all bytes of the file, without gaps and overlaps."""
    spans = sorted((begin, end, name) for name, (_, _, begin, end) in places.items())
    for (_, end, one), (begin, _, other) in pairwise(spans):
        if begin != end:
            raise wrong(f"{brief(one)} and {brief(other)} {'overlap' if begin < end else 'have a gap between them'}")
    if spans and spans[0][0] != 0:
        raise wrong(f"no array has the first {spans[0][0]} bytes")
    last = spans[-1][1] if spans else 0
    if last != size:
        raise wrong(f"its arrays end after {last:,} bytes, and the file has {size:,} bytes of them")


def read_array(file, start, name, kind, shape, begin, end):
    array = empty(name, shape, DTYPES[kind])
    file.seek(start + begin)
    if array.nbytes and file.readinto(memoryview(array.reshape(-1).view(np.uint8))) != end - begin:
        raise wrong("it ended while it was read")
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

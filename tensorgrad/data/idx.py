"""Read idx, the file format of MNIST: a header with the number of axes and the lengths, then the entries, big-endian.

Source: LeCun, Cortes and Burges, "The MNIST database of handwritten digits". Files may be compressed with gzip.
"""

import gzip
import zlib

import numpy as np

UNSIGNED_BYTE = 8  # the code of the only dtype that MNIST and Fashion-MNIST use
MOST_BYTES = 2**30


def read_idx(path, most_bytes: int = MOST_BYTES) -> np.ndarray:
    """Return the array of bytes in an idx file, or in one that gzip compressed.

    Nothing is unpacked before the header fits: at most `most_bytes` entries. Raises OSError if the file cannot be opened, and
    ValueError if it is damaged, truncated, too large or not an idx file of bytes; the message names the file.

    >>> from tensorgrad.data.digits import FOLDER
    >>> read_idx(FOLDER / "digits-images.idx.gz").shape
    (1797, 8, 8)
    """
    with open(path, "rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        try:
            return entries_of(path, gzip.open(raw) if packed else raw, most_bytes)
        except EOFError:
            raise ValueError(f"{path}: the file is truncated; download it again") from None
        except (zlib.error, gzip.BadGzipFile) as wrong:
            raise ValueError(f"{path}: the file is damaged ({wrong}); download it again") from None


def entries_of(path, file, most_bytes):
    """Read the header and the entries."""
    shape = header_of(path, file)
    count = int(np.prod(shape, dtype=object))
    if count > most_bytes:
        raise ValueError(f"{path}: its header promises {count} bytes of shape {shape}; at most {most_bytes} are read")
    entries = file.read(count)
    if len(entries) < count:
        raise ValueError(f"{path}: the file is truncated: {count} bytes of shape {shape} are promised, {len(entries)} follow")
    if file.read(1):
        raise ValueError(f"{path}: bytes follow after the {count} of shape {shape} that its header promises")
    return np.frombuffer(entries, dtype=np.uint8).reshape(shape)


def header_of(path, file):
    """Return the shape that the header of an idx file promises."""
    magic = file.read(4)
    if len(magic) < 4 or magic[:2] != b"\0\0":
        raise ValueError(f"{path}: this is not an idx file: it starts with the bytes {magic.hex(' ') or '(none)'}, not with 00 00")
    code, axes = magic[2:]
    if code != UNSIGNED_BYTE or not 1 <= axes <= 4:
        raise ValueError(f"{path}: an idx file of dtype code {code} with {axes} axes; only bytes (code 8) with 1 to 4 axes are read")
    lengths = file.read(4 * axes)
    if len(lengths) < 4 * axes:
        raise ValueError(f"{path}: the file is truncated within its header")
    return tuple(int(n) for n in np.frombuffer(lengths, dtype=">u4"))

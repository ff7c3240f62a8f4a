"""Read known files out of a .tar.gz from an unknown source. Nothing is written: a file is read into memory by its name.

The archive is read once, from its beginning. It is refused if it has a path that leaves its folder, a link, a device, too many
files, more bytes than expected, or not the files that are expected, each once.
Python's tarfile is not used: some damaged archives make it loop without end (in Python 3.11.7, for example).
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

MOST_FILES = 100
SPARE = 2**20  # bytes for headers and other short files
BLOCK = 512  # bytes; a tar file is a header block, the blocks of the content, the next header block, ...
PIECE = 2**20
FILE, OLD_FILE, FOLDER = b"0", b"\0", b"5"
NOTES = b"xgLK"  # members that describe the next one, such as a long name; they are skipped
LINKS = b"12"


class Bounded:
    """A file that gives at most `most` bytes and then raises ValueError, so that a small archive cannot fill the memory."""

    def __init__(self, file, most):
        self.file, self.left, self.most = file, most, most

    def read(self, size):
        """Return as many bytes. Raises EOFError if the file ends before."""
        piece = self.file.read(min(size, self.left + 1))
        self.left -= len(piece)
        if self.left < 0:
            raise ValueError(f"it unpacks to more than {self.most} bytes")
        if len(piece) < size:
            raise EOFError
        return piece

    def skip(self, size):
        while size > 0:
            size -= len(self.read(min(size, PIECE)))

    def skip_all(self):
        while self.left and (piece := self.file.read(min(PIECE, self.left + 1))):
            self.left -= len(piece)
        if self.left < 0:
            raise ValueError(f"it unpacks to more than {self.most} bytes")


def read_members(path, sizes: dict[str, int]) -> dict[str, bytes]:
    """Return {name: content} of the members of a .tar.gz that `sizes` names, each of at most this many bytes.

    Raises OSError if the file cannot be opened, and ValueError, with the path and the reason, for an archive that is damaged, truncated
    or unsafe, or that lacks a member.
    """
    with open(path, "rb") as raw:
        try:
            return wanted_members(gzip.open(raw), sizes)
        except EOFError:
            raise ValueError(f"{path}: the archive is truncated; fetch it again") from None
        except (gzip.BadGzipFile, zlib.error) as wrong:
            raise ValueError(f"{path}: the archive is damaged or not a .tar.gz ({wrong}); fetch it again") from None
        except ValueError as wrong:
            raise ValueError(f"{path}: {wrong}; fetch it again from its publisher") from None


def wanted_members(unpacked, sizes):
    """Read the archive to its end, which also makes gzip compare its checksum."""
    stream = Bounded(unpacked, sum(sizes.values()) + SPARE)
    found: dict[str, bytes] = {}
    for name, kind, size in members(stream):
        if name not in sizes:
            stream.skip(size)
        elif kind == FOLDER or size > sizes[name]:
            raise ValueError(f"its member {name!r} has {size} bytes, at most {sizes[name]} are expected")
        elif name in found:
            raise ValueError(f"it has {name!r} twice")
        else:
            found[name] = stream.read(size)
        stream.skip(-size % BLOCK)
    stream.skip_all()
    if missing := [name for name in sizes if name not in found]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    return found


def members(stream) -> Iterator[tuple[str, bytes, int]]:
    """Yield (name, kind, size) of every file and folder. Who takes one reads its content before the next."""
    count = 0
    while any(block := stream.read(BLOCK)):
        name, kind, size = header(block)
        count += 1
        if count > MOST_FILES:
            raise ValueError(f"it has more than {MOST_FILES} files")
        if kind in NOTES:
            stream.skip(size + -size % BLOCK)
        else:
            yield safe(name, kind), kind, size


def header(block):
    """Return (name, kind, size) of a header block. Raises ValueError if its checksum is wrong."""
    text = lambda start, length: block[start : start + length].partition(b"\0")[0]
    try:
        expected, size = (int(text(start, length).strip() or b"x", 8) for start, length in ((148, 8), (124, 12)))
    except ValueError:
        raise ValueError("the archive is damaged: a header is not one of tar") from None
    if expected != sum(block) - sum(block[148:156]) + 8 * ord(" ") or size < 0:
        raise ValueError("the archive is damaged: the checksum of a header is wrong")
    folder = text(345, 155) if block[257:263] == b"ustar\0" else b""
    return b"/".join(filter(None, [folder, text(0, 100)])).decode("utf-8", "backslashreplace"), block[156:157], size


def safe(name, kind):
    """Return the name of a member without "./". Raises ValueError for what is not a plain file or folder within the archive's folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise ValueError(f"it has the unsafe path {name!r}")
    if kind not in (FILE, OLD_FILE, FOLDER):
        raise ValueError(f"its member {name!r} is {'a link' if kind in LINKS else 'not a plain file'}")
    return str(path)

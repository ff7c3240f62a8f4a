"""Read known files out of a .tar.gz from an unknown source. Nothing is written: a file is read into memory by its name.

The archive is read once, from its beginning. It is refused if it has a path that leaves its folder, a link, a device, too many
files, more bytes than expected, or not the files that are expected, each once.
"""

import gzip
import tarfile
import zlib
from pathlib import PurePosixPath

MOST_FILES = 100
SPARE = 2**20  # bytes for headers and other short files


class Bounded:
    """A file that gives at most `most` bytes and then raises ValueError, so that a small archive cannot fill the memory."""

    def __init__(self, file, most):
        self.file, self.left, self.most = file, most, most

    def read(self, size):
        piece = self.file.read(min(size, self.left + 1))
        self.left -= len(piece)
        if self.left < 0:
            raise ValueError(f"it unpacks to more than {self.most} bytes")
        return piece


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
        except (tarfile.TarError, gzip.BadGzipFile, zlib.error) as wrong:
            raise ValueError(f"{path}: the archive is damaged or not a .tar.gz ({wrong}); fetch it again") from None
        except ValueError as wrong:
            raise ValueError(f"{path}: {wrong}; fetch it again from its publisher") from None


def wanted_members(unpacked, sizes):
    """Read the archive to its end, which also makes gzip compare its checksum."""
    stream = Bounded(unpacked, sum(sizes.values()) + SPARE)
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for count, member in enumerate(archive, 1):
            name = safe_name(member)
            if count > MOST_FILES:
                raise ValueError(f"it has more than {MOST_FILES} files")
            if name in found:
                raise ValueError(f"it has {name!r} twice")
            if name in sizes:
                found[name] = content_of(archive, member, sizes[name])
    while stream.read(2**20):
        pass
    if missing := [name for name in sizes if name not in found]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    return found


def safe_name(member):
    """Return the name of a member without "./". Raises ValueError for what is not a plain file or folder within the archive's folder."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts or "\\" in member.name or ":" in member.name:
        raise ValueError(f"it has the unsafe path {member.name!r}")
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE) or member.issparse():
        what = "a link" if member.islnk() or member.issym() else "not a plain file"
        raise ValueError(f"its member {member.name!r} is {what}")
    return str(name)


def content_of(archive, member, most):
    if member.isdir() or member.size > most:
        raise ValueError(f"its member {member.name!r} has {member.size} bytes, at most {most} are expected")
    content = archive.extractfile(member).read()
    if len(content) < member.size:
        raise EOFError
    return content

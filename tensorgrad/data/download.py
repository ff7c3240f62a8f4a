"""Fetch a published file: from its mirrors, in parts that later calls continue, and checked before it gets its name.

Python's urllib does the requests. Nothing is fetched unless a function is called with download=True.
"""

import hashlib
import http.client
import os
import re
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PIECE = 2**18  # bytes
SECONDS = 30  # to wait for the next bytes
ROUNDS = 2  # how often each mirror is tried

Progress = Callable[[str, int, int], object]  # (name of the file, bytes so far, all bytes)


@dataclass(frozen=True)
class PublishedFile:
    """A file as its publisher has it: name, bytes, checksum (hexadecimal, of md5 or sha256) and the addresses that may have it."""

    name: str
    size: int
    checksum: str
    addresses: tuple[str, ...] = ()


class NotReached(Exception):
    """A mirror did not answer, or stopped within the file."""


def fetch(file: PublishedFile, folder, progress: Progress | None = None) -> Path:
    """Download a file into a folder and return its path. A file that is there already is only checked.

    The bytes go into NAME.part. If a connection breaks, the next mirror or the next call continues there. A file gets its name once its
    size and its checksum are right. `progress(name, done, size)` is called for every piece.
    Raises OSError if no mirror has the right file; the message says of each mirror why. Raises ValueError if a file of this name is there
    but differs.
    """
    path = Path(folder, file.name)
    if path.exists():
        must_match(path, file.checksum)
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{file.name}.part")
    failed = {}
    for address in file.addresses * ROUNDS:
        try:
            complete(part, file, address, progress)
        except (NotReached, ValueError) as wrong:
            failed[address] = wrong
        else:
            os.replace(part, path)
            return path
    reasons = "; ".join(f"{address}: {wrong}" for address, wrong in failed.items())
    raise OSError(f"{file.name} was not downloaded ({reasons}); call again to continue, or put the file into {path.parent}")


def complete(part, file, address, progress):
    """Append what a partial file lacks. Raises NotReached, or ValueError if the result is not the published file; then it is removed."""
    done = part.stat().st_size if part.exists() else 0
    if done < file.size:
        for start, piece in pieces(address, done, file.size):
            write_at(part, start, piece)
            done = start + len(piece)
            if progress:
                progress(file.name, done, file.size)
            if done > file.size:
                break
    if done < file.size:
        raise NotReached(f"the connection ended after {done} of {file.size} bytes")
    try:
        must_match(part, file.checksum)
    except ValueError:
        part.unlink()
        raise


def write_at(path, place, piece):
    """Write a piece into a file at a place."""
    with open(path, "r+b" if path.exists() else "wb") as file:
        file.seek(place)
        file.write(piece)


def pieces(address, start, size) -> Iterator[tuple[int, bytes]]:
    """Yield (place, bytes) of a file from `start`, or from 0 if the server sends only whole files. Raises NotReached."""
    asked = urllib.request.Request(address, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            at = place_of(answer, start, size)
            while piece := answer.read(PIECE):
                yield at, piece
                at += len(piece)
    except (OSError, http.client.HTTPException) as wrong:  # URLError, TimeoutError and TLS errors are OSErrors
        getattr(wrong, "close", int)()  # an HTTPError holds the connection
        raise NotReached(f"{wrong}") from None


def place_of(answer, start, size):
    """Return the place in the file at which an answer begins. Raises NotReached if it is of a file with another size."""
    if answer.status == 206:
        found = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", answer.headers.get("Content-Range", ""))
        begin, whole = (int(found[1]), int(found[2])) if found else (None, size)
    else:
        begin, whole = 0, int(answer.headers.get("Content-Length", size))
    if whole != size:
        raise NotReached(f"it has a file of {whole} bytes, not of {size}")
    if begin not in (0, start):
        raise NotReached(f"it answered with another part than the one from byte {start}")
    return begin


def must_be_published(path, file: PublishedFile, md5: str | None = None) -> None:
    """Raise ValueError if a file that a data set is to be read from is not the published one; `md5` is that of its unpacked content."""
    size = Path(path).stat().st_size
    differs = not md5 and size != file.size
    wrong = f"it has {size:,} bytes, the published file has {file.size:,}" if differs else difference(path, md5 or file.checksum)
    if wrong:
        raise ValueError(f"{path}: {wrong}; delete it and fetch it again, or give checksum=False if it is a file of your own")


def must_match(path, checksum: str) -> None:
    """Raise ValueError if a file does not have this checksum: md5 (32 hexadecimal digits) or sha256 (64)."""
    if wrong := difference(path, checksum):
        raise ValueError(f"{path}: {wrong}; delete it and fetch it again")


def difference(path, checksum: str) -> str:
    """Return in words how the checksum of a file differs from that of the published one; nothing if they are equal."""
    method = "md5" if len(checksum) == 32 else "sha256"
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, lambda: hashlib.new(method, usedforsecurity=False)).hexdigest()
    return f"its {method} is {found}, the published file has {checksum}" if found != checksum else ""


def find(function, file: PublishedFile, folders, download, progress, beside=()) -> Path:
    """Return the path of a published file in the first of the folders that has it; or fetch it into the first folder.

    If it is missing, the message names it, and the files `beside` that are missing, too.
    """
    for folder in folders:
        if (path := Path(folder, file.name)).is_file():
            return path
    if Path(folders[0]).is_file():
        raise ValueError(f"{function}: {str(folders[0])!r} is a file; give the folder that holds {file.name}")
    if download:
        return fetch(file, folders[0], progress)
    others = [name for name in beside if name != file.name and not any(Path(folder, name).is_file() for folder in folders)]
    advice = f"give download=True, or put the file from {file.addresses[0]} there" + f", with {', '.join(others)}" * bool(others)
    raise FileNotFoundError(f"{function}: {file.name} is not in the folder {str(folders[0])!r}; {advice}")

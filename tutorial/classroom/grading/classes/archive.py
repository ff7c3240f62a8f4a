"""Read the programs in a zip file of submissions, and name what lies in the folder of a class and is not graded.

Each member is checked before anything is read: what leads out of the folder is refused.
Only files that may hold programs are read, each of them up to a bound, so that a small zip file cannot fill the disk.
"""

import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path, PurePosixPath

from scalargrad.formulas.text import printable
from tutorial.exercises.practice.folder import MOST_BYTES

PROGRAMS = (".py", ".ipynb")
MOST_MEMBERS, MOST_IN_ALL = 2_000_000, 4 << 30  # files and folders; bytes of all programs
DEEPEST = 12
DRIVE = re.compile(r"[A-Za-z]:")
ENCRYPTED = 1
IGNORED = "__MACOSX"


class Refused(ValueError):
    """The zip file is not one that can be unpacked safely. The message is one line."""


def programs_in_zip(path) -> Iterator[tuple[PurePosixPath, bytes | None]]:
    """Yield the path and the content of each file; None for one that is not a program, or is too large. Raises Refused or OSError."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = [(checked(about), about) for about in members(archive)]
            read = {where for where, about in found if where.suffix in PROGRAMS and about.file_size <= MOST_BYTES}
            if sum(about.file_size for where, about in found if where in read) > MOST_IN_ALL:
                raise Refused(f"the programs have more than {MOST_IN_ALL:,} bytes")
            for where, about in found:
                if not hidden(where):
                    yield where, archive.read(about) if where in read else None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, UnicodeError, zlib.error) as wrong:
        raise Refused(f"{path} is not a zip file that can be read: {printable(str(wrong))}") from None


def members(archive) -> list[zipfile.ZipInfo]:
    """Return all files. Raises Refused if there are too many, or one of them twice."""
    found = archive.infolist()
    if len(found) > MOST_MEMBERS:
        raise Refused(f"it has {len(found):,} files; the most is {MOST_MEMBERS:,}")
    names: set = set()
    for about in found:
        path = checked(about)
        if path in names:
            raise Refused(f"it has {printable(about.filename)!r} twice")
        names.add(path)
    return [about for about in found if not about.is_dir()]


def checked(about: zipfile.ZipInfo) -> PurePosixPath:
    """Return the path of a member. Raises Refused if it leads out of the folder, or is a link, or is encrypted."""
    name, kind = about.filename, stat.S_IFMT(about.external_attr >> 16)
    path = PurePosixPath(name)
    shown = printable(name[:200])
    if path.is_absolute() or ".." in path.parts or "\\" in name or DRIVE.match(name) or about.orig_filename != name:
        raise Refused(f"the member {shown!r} leads out of the folder")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise Refused(f"the member {shown!r} is a link or another thing that is not a file")
    if about.flag_bits & ENCRYPTED:
        raise Refused(f"the member {shown!r} is encrypted")
    if len(path.parts) > DEEPEST:
        raise Refused(f"the member {shown!r} lies in more than {DEEPEST} folders")
    return path


def hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") or part == IGNORED for part in path.parts)


PROGRAM = re.compile(r"\d\d_\w+\.(py|ipynb)")


def overlooked(folder) -> Iterator[str]:
    """Yield a sentence for each thing in the folder of a class that is left out, and for each student without programs of exercises.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(folder, "late.zip").touch()
    ...     list(overlooked(folder))
    ['late.zip is a zip file, which is not graded; unpack it with: teach unpack']
    """
    for path in sorted(Path(folder).iterdir()):
        if path.name.startswith((".", IGNORED)):
            continue
        if path.is_symlink():
            yield f"{path.name} is a link, which is not followed"
        elif path.is_dir():
            yield from without_programs(path)
        elif path.suffix == ".zip":
            yield f"{path.name} is a zip file, which is not graded; unpack it with: teach unpack"
        elif PROGRAM.fullmatch(path.name):
            yield f"{path.name} lies in no folder of a student; FOLDER holds a folder for each student"


def without_programs(student: Path):
    """Yield what a student's folder holds instead of programs of exercises, if it holds none."""
    try:
        names = [path.name for path in student.iterdir()]
    except OSError as wrong:
        yield f"{student.name}: the folder cannot be read: {wrong.strerror}"
        return
    if any(map(PROGRAM.fullmatch, names)):
        return
    deeper = next(chain(student.glob("*/[0-9][0-9]_*.py"), student.glob("*/[0-9][0-9]_*.ipynb")), None)
    archive = next((name for name in names if name.endswith(".zip")), None)
    if deeper:
        yield f"{student.name}: its programs are in {deeper.parent.name}, and are not graded there"
    elif archive:
        yield f"{student.name}: it holds no programs, but {archive}; unpack it with: teach unpack"
    else:
        yield f"{student.name}: it holds no programs of exercises"

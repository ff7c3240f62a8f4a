"""What lies in the folder of a class and is not graded: a teacher must hear of it, or a student has nothing without a reason."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tutorial.classroom.grading.classes.archive import IGNORED

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

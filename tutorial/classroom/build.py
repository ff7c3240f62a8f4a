"""Make what a class needs, as files: what students get, and what grades them; and a list of all files with their hashes."""

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import resources
from pathlib import Path

from tutorial.classroom.exports.gradescope_autograder import autograder
from tutorial.classroom.exports.wheel import SEEN_BY_OWNER, wheel
from tutorial.classroom.notebooks.write import notebook
from tutorial.classroom.student import name_of, student_files
from tutorial.exercises.authored import Exercise
from viz.whole_files import write_file

SLURM = resources.files(__package__).joinpath("slurm_array.sh")  # with the wheel it is all that a cluster needs
AUTOGRADER = "gradescope/autograder.zip"
STUDENT = "student"  # the folder in which no solution may be
LIST = "files.txt"  # what the last build has made


def made(exercises: list[Exercise], secret: bytes, assignment="") -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of all files. The same exercises and secret give the same bytes. Raises ValueError."""
    yield from ((f"{STUDENT}/{name}", content) for name, content in student_files(exercises))
    yield from ((f"notebooks/{name_of(exercise)}.ipynb", notebook(exercise).encode()) for exercise in exercises)
    yield AUTOGRADER, autograder(secret, exercises, assignment)
    for name, content in (wheel(), (SLURM.name, SLURM.read_bytes())):
        yield f"cluster/{name}", content


def write(folder, files: Mapping[str, bytes]) -> None:
    """Write files below a folder, with the list of them. What the last build made, and this one did not, is removed. Raises OSError."""
    folder = Path(folder)
    for name in files_of(folder).keys() - files:
        (folder / name).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        path = write_file(folder / name, content)
        if name == AUTOGRADER:
            os.chmod(path, SEEN_BY_OWNER)  # the secret and the solutions are in it
    write_file(folder / LIST, "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items())))


def files_of(folder: Path) -> dict[str, str]:
    """Return {name: hash} of what the last build has made in a folder. A name that leads out of the folder is left out."""
    try:
        lines = (folder / LIST).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    found = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    inside = folder.resolve()
    return {name: digest for name, digest in found.items() if (folder / name).resolve().is_relative_to(inside)}

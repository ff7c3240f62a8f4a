"""Make what a class needs, as files: what students get, and a list of all files with their hashes."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from tutorial.classroom.student import student_files
from tutorial.exercises.authored import Exercise
from viz.files import write_file

LIST = "files.txt"  # what the last build has made
Maker = Callable[[list[Exercise]], Iterator[tuple[str, bytes]]]
MAKERS: dict[str, Maker] = {"student": student_files}  # {folder: what makes its files}


def made(exercises: list[Exercise], makers: Mapping[str, Maker] = MAKERS) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of all files. The same exercises give the same bytes. Raises ValueError."""
    for folder, make in makers.items():
        yield from ((f"{folder}/{name}", content) for name, content in make(exercises))


def write(folder, files: Mapping[str, bytes]) -> None:
    """Write files below a folder, with the list of them. What the last build made, and this one did not, is removed. Raises OSError."""
    folder = Path(folder)
    for name in files_of(folder).keys() - files:
        (folder / name).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, content)
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

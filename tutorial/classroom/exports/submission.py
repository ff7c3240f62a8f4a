"""Find the programs of a student in what was handed in: files side by side, in some folder, or cells of a notebook."""

import os
from collections.abc import Iterable
from pathlib import Path

from tutorial.classroom.grading.classes.archive import IGNORED
from tutorial.classroom.grading.classes.batch import Submission, submission_in
from tutorial.classroom.grading.results.results import printable_text
from tutorial.exercises.authored import Exercise
from tutorial.exercises.practice.folder import MOST_BYTES, Folder
from tutorial.exercises.practice.notebook_programs import programs_in

DEPTH, ENTRIES = 4, 5000  # how deep, and among how many files and folders, the programs are looked for
MOST_REMARKS = 20


def submissions(place: Path, student, exercises: Iterable[Exercise]) -> tuple[list[Submission], list[str]]:
    """Return a Submission for each exercise, and remarks for the student: what was not graded, and where the programs come from.

    The folder with the most programs is taken; without any program, the notebooks are. A link is not followed.
    """
    exercises = list(exercises)
    names = [Folder(place).file(exercise).name for exercise in exercises]
    all_folders = list(folders(place))
    found = {folder: here for folder in all_folders if (here := [name for name in names if os.path.lexists(folder / name)])}
    if not found:
        programs, remarks = from_notebooks(all_folders, exercises)
        missing = f"There is no program: no file with a name such as {names[0]}, and no notebook with its function."
        none = Submission(student, "", refused=missing, missing=True)
        found_in = {number: Submission(student, number, program) for number, program in programs.items()}
        return [found_in.get(exercise.number, none._replace(exercise=exercise.number)) for exercise in exercises], remarks or [missing]
    chosen = min(found, key=lambda folder: (-len(found[folder]), len(folder.parts), str(folder)))
    others = [
        printable_text(str((folder / name).relative_to(place))) for folder, here in found.items() if folder != chosen for name in here
    ]
    remarks = [f"Not graded, because it lies in another folder: {name}" for name in others[:MOST_REMARKS]]
    return [submission_in(chosen, exercise)._replace(student=student) for exercise in exercises], remarks


def from_notebooks(places, exercises) -> tuple[dict[str, str], list[str]]:
    """Return {number: program} of all notebooks, and remarks. The first notebook with an exercise has it."""
    found: dict[str, str] = {}
    remarks = []
    for path in (path for folder in places for path in sorted(folder.glob("*.ipynb"))):
        try:
            new = {number: text for number, text in programs_in(read(path), exercises).items() if number not in found}
        except (ValueError, OSError) as wrong:
            remarks.append(f"{printable_text(path.name)} was not read: {printable_text(str(wrong))}")
            continue
        found |= new
        remarks.append(
            f"From {printable_text(path.name)}: {', '.join(new) or 'nothing'}. A line is counted within the functions of its exercise."
        )
    return found, remarks[:MOST_REMARKS]


def read(path: Path) -> str:
    """Return the text of a notebook. Raises ValueError if it is not a file of a reasonable size."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise ValueError(f"it is not a file, or it has more than {MOST_BYTES:,} bytes")
    return path.read_text(encoding="utf-8")


def folders(top: Path):
    left = ENTRIES
    for place, below, files in os.walk(top):
        deep = len(Path(place).relative_to(top).parts)
        below[:] = sorted(name for name in below if not name.startswith(".") and name != IGNORED) if deep < DEPTH else []
        yield Path(place)
        left -= len(below) + len(files)
        if left < 0:
            return

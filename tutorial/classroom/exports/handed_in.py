"""Make the folders of a class: from one zip file with a folder for each submission, as Gradescope exports it, or from one per student."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from tutorial.classroom.exports.submission import submissions
from tutorial.classroom.grading.classes.archive import PROGRAMS, Refused, programs_in_zip
from tutorial.classroom.grading.results.results import printable_text
from tutorial.exercises.authored import exercises, find
from tutorial.exercises.practice.folder import Folder
from viz.whole_files import write_file


def unpack(path, folder) -> tuple[int, list[str]]:
    """Write a folder for each student below a new folder. Return how many there are, and remarks on what was left out.

    `path` is a zip file with a folder for each student, or a folder of zip files, which have the names of the students. Raises Refused if
    the zip file is not safe or holds no folders of students, FileExistsError if the folder has files, or OSError.
    """
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name a new folder for the class")
    with tempfile.TemporaryDirectory() as place:
        remarks: list[str] = []
        students = one_by_one(path, Path(place), remarks) if Path(path).is_dir() else together(path, Path(place), remarks)
        if not students:
            raise Refused(f"{path} holds no folders of students with programs or notebooks, and no zip file for each student")
        for student in students:
            remarks += lay_out(student, folder / student.name)
    return len(students), remarks


def together(path, place: Path, remarks: list[str]) -> list[Path]:
    """Return the folders of students in a zip file."""
    remarks += extract(path, place)
    return folders_of_students(place)


def one_by_one(path, place: Path, remarks: list[str]) -> list[Path]:
    """Return a folder for each zip file in a folder. That of a student whose zip file is refused is empty."""
    students = []
    for file in sorted(Path(path).glob("*.zip")):
        students.append(place / file.stem)
        students[-1].mkdir()
        try:
            if file.is_symlink():
                raise Refused("it is a link")
            remarks += extract(file, students[-1])
        except (Refused, OSError) as wrong:
            remarks.append(f"{printable_text(file.name)} was refused: {printable_text(str(wrong))}")
    return students


def extract(path, place: Path):
    """Write the programs of a zip file below a folder, and yield what was left out."""
    for where, content in programs_in_zip(path):
        target = place.joinpath(*where.parts)
        target.parent.mkdir(parents=True, exist_ok=True)  # also of a student without programs
        if content is not None:
            write_file(target, content)
        elif where.suffix in PROGRAMS:
            yield f"{printable_text(str(where))} was left out, because it is too large"


def folders_of_students(place: Path) -> list[Path]:
    """Return the folders of students: those in the first folder that holds several folders, or a folder with programs."""
    while True:
        below = sorted(path for path in place.iterdir() if path.is_dir())
        if len(below) != 1 or any(path.is_file() for path in below[0].iterdir()):
            return below
        (place,) = below


def lay_out(submission: Path, student: Path) -> Iterable[str]:
    """Write the programs of a student side by side, and yield remarks."""
    student.mkdir(parents=True)
    found, remarks = submissions(submission, submission.name, exercises())
    for each in found:
        if each.program:
            write_file(Folder(student).file(find(each.exercise)), each.program)
    refused = [each.refused for each in found if each.refused and not each.missing]
    yield from (f"{printable_text(student.name)}: {remark}" for remark in [*remarks, *refused])

"""What a student gets: the packages with a recording in the place of each authored exercise, and a folder of programs to write."""

import re
from collections.abc import Iterator

from tutorial.classroom.exports.wheel import files_of_the_packages, wheel
from tutorial.classroom.recording.write import recording
from tutorial.exercises.authored import FILE, RECORDINGS, Exercise
from tutorial.exercises.practice.folder import Folder, program_to_write
from tutorial.exercises.practice.progress import STATE, at_the_beginning

EXERCISES = "tutorial/exercises"
SECRET = re.compile(  # the solutions, the wrong answers, and the test on the whole course
    rf"{EXERCISES}/catalogue/({FILE.pattern}|others/.*)|tutorial/classroom/inventory/items\.md"
)
LOCAL = "student"  # what the version ends with
ABOUT = """\
1. Install Python 3.11 or later.
2. Run: python -m pip install {wheel}
3. Run: cd exercises
4. Run: python -m tutorial exercises

Your programs may import what comes with Python, and NumPy. Other packages may
be missing where your programs are checked.
"""


def student_files(exercises: list[Exercise]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of all files that a student gets. Raises ValueError if gradsteps is not installed."""
    packages = {name: content for name, content in files_of_the_packages() if not SECRET.fullmatch(name)}
    recorded = {f"{EXERCISES}/{RECORDINGS}/{name_of(e)}.jsonl": recording(e).encode() for e in exercises}
    name, content = wheel(packages | recorded, LOCAL)
    yield name, content
    yield "README.txt", ABOUT.format(wheel=name).encode()
    given = {exercise.number: program_to_write(exercise) for exercise in exercises}
    yield f"exercises/{STATE}", at_the_beginning(given).encode()
    for exercise in exercises:
        yield f"exercises/{name_of(exercise)}.py", given[exercise.number].encode()


def name_of(exercise: Exercise) -> str:
    return Folder("").file(exercise).stem

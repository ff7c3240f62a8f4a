"""An example class: folders of students whose programs are made from the solutions and the known wrong answers.

A teacher tries the grading and the report with it, and the benchmark grades it. The students are numbers; nobody is meant.
"""

from pathlib import Path
from random import Random

from tutorial.exercises.authored import TO_WRITE, Exercise, exercises
from tutorial.exercises.practice.folder import Folder, program_to_write
from viz.whole_files import write_file

COMMON = {"M03": 6, "M05": 4, "M04": 4, "M02": 3, "M12": 2}  # how often a misconception is held; others once
HELD = 3  # misconceptions of one student
NAMED = 20  # wrong answers with a name for each that is unfinished, not begun or broken
UNFINISHED = "return None  # not finished"
BROKEN = "def answer(:\n    return\n"
ENDLESS = "\n\nwhile True:\n    pass\n"


def write_class(folder, students, seed=0, endless=0.0) -> Path:
    """Write a folder for each student below `folder`, which must be new or empty, and return it.

    A share `endless` of the programs never ends. The same arguments write the same files. Raises FileExistsError if the folder has files.

    >>> import tempfile
    >>> path = write_class(tempfile.mkdtemp(), 2)
    >>> sorted(each.name for each in path.iterdir())
    ['student-1', 'student-2']
    """
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name a new folder for the example class")
    known = exercises()
    for k in range(1, students + 1):
        name = f"student-{k:0{len(str(students))}}"
        student = Folder(folder / name)
        student.path.mkdir(parents=True)
        for exercise, program in programs(known, Random(f"{seed}|{k}"), endless):
            write_file(student.file(exercise), program)
    return folder


def programs(known, random: Random, endless=0.0):
    """Yield each exercise with the program of one student, who has reached some exercise, and holds some misconceptions."""
    reached = random.choice(range(len(known) // 3, len(known) + 1))
    ability = random.uniform(0.5, 0.95)
    ids = sorted({wrong.id for exercise in known for wrong in exercise.wrong.values()})
    held = set(random.choices(ids, [COMMON.get(id, 1) for id in ids], k=HELD))
    for exercise in known[:reached]:
        program = program_of(exercise, random, ability, held)
        yield exercise, program + ENDLESS if random.random() < endless else program
    for exercise in known[reached:]:
        yield exercise, program_to_write(exercise)


def program_of(exercise: Exercise, random: Random, ability, held) -> str:
    """Return the program of a student: a wrong answer that shows what the student believes, a right one, or one that is not finished."""
    believed = [wrong.program for wrong in exercise.wrong.values() if wrong.id in held]
    if believed and random.random() < 0.7:
        return random.choice(believed)
    if random.random() < ability:
        return exercise.solution
    others = random.choices([wrong.program for wrong in exercise.wrong.values()], k=NAMED)
    return random.choice([*others, unfinished(exercise), program_to_write(exercise), BROKEN])


def unfinished(exercise: Exercise) -> str:
    """Return the given program with a wrong statement in the place that is to be written: a wrong answer that has no name."""
    return exercise.given.replace(TO_WRITE, UNFINISHED)

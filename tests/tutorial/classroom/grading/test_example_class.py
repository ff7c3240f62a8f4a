"""The example class: it is the same each time, and holds right, wrong, unfinished and broken programs."""

from random import Random

import pytest

from tutorial.classroom.grading.classes.example_class import BROKEN, ENDLESS, UNFINISHED, programs, write_class
from tutorial.exercises.authored import exercises
from tutorial.exercises.practice.folder import program_to_write


def test_the_same_seed_writes_the_same_files_and_another_seed_others(tmp_path):
    one, same, other = (write_class(tmp_path / name, 2, seed) for name, seed in (("one", 3), ("same", 3), ("other", 4)))
    texts = [{path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.py")} for folder in (one, same, other)]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0]) == 2 * len(exercises())


def test_a_class_holds_programs_of_every_kind():
    known = exercises()
    found = [pair for k in range(40) for pair in programs(known, Random(k), endless=0.01)]
    kinds = {
        "right": lambda exercise, program: program == exercise.solution,
        "named": lambda exercise, program: any(program == wrong.program for wrong in exercise.wrong.values()),
        "given": lambda exercise, program: program == program_to_write(exercise),
        "unfinished": lambda exercise, program: UNFINISHED in program,
        "broken": lambda exercise, program: program == BROKEN,
        "endless": lambda exercise, program: program.endswith(ENDLESS),
    }
    for name, is_of in kinds.items():
        assert any(is_of(*pair) for pair in found), name


def test_a_folder_with_files_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="name a new folder"):
        write_class(tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]

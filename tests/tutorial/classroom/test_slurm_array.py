"""The tasks of a SLURM array grade parts that make the whole, byte for byte."""

import json
import os
import subprocess
import sys

import pytest

from tutorial.classroom.build import SLURM
from tutorial.cli.main import main
from tutorial.exercises.authored import find

PARTS = 3

pytestmark = [pytest.mark.processes, pytest.mark.skipif(os.name != "posix", reason="the script is for POSIX")]


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder with a class of four, a secret, and a first word `python` that starts this Python."""
    monkeypatch.chdir(tmp_path)
    for student, program in {"ada": find("02").solution, "bob": find("02").wrong["only-y2"].program, "eve": "", "jan": "x = 1"}.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "02_figure1.py").write_text(program, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("a secret of 16 bytes\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    return tmp_path


def test_the_tasks_of_a_slurm_array_make_the_whole(course):
    first = 0  # an array may begin anywhere
    array = {"SLURM_ARRAY_TASK_MIN": str(first), "SLURM_ARRAY_TASK_COUNT": str(PARTS)}

    def task(number):
        about = os.environ | array | {"SLURM_ARRAY_TASK_ID": str(number)}
        return subprocess.run([str(SLURM), "class", "secret.txt", "parts"], env=about, capture_output=True, text=True, timeout=300)

    for number in range(first, first + PARTS):
        done = task(number)
        assert done.returncode == 0, done.stderr
    assert main(["teach", "grade", "class", "--secret-file", "secret.txt", "-o", "whole.jsonl"]) == 0
    assert main(["teach", "merge", *map(str, (course / "parts").glob("*.jsonl")), "-o", "merged.jsonl"]) == 0
    whole, merged = ((course / f"{name}.jsonl").read_bytes() for name in ("whole", "merged"))
    assert merged == whole and {json.loads(line)["student"] for line in whole.splitlines()} == {"ada", "bob", "eve", "jan"}
    (course / "secret.txt").unlink()
    assert task(1).returncode

"""What students get: a wheel that pip installs and that holds no solution, with the same diagnosis; the same bytes each time."""

import io
import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import numpy
import pytest

from tests.each import each
from tutorial.classroom.build import made, write
from tutorial.classroom.exports.wheel import ROOMS, SEEN_BY_ALL, digest, files_of_the_packages, zipped
from tutorial.classroom.leaks import leaks, secret_lines
from tutorial.classroom.student import SECRET, student_files
from tutorial.cli.main import main
from tutorial.exercises.authored import exercises, find
from tutorial.exercises.practice.folder import Folder

LINE = '"x4": x1 + 2 * x4,'  # of the solution of exercise 02


@pytest.fixture(scope="module")
def files():
    """What students get, with two exercises."""
    return dict(student_files([find("02"), find("36")]))


def files_in(folder):
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in sorted(Path(folder).rglob("*")) if path.is_file()]


def archive(files):
    (name,) = [name for name in files if name.endswith(".whl")]
    return zipfile.ZipFile(io.BytesIO(files[name]))


def test_a_student_gets_the_packages_without_solutions_and_the_programs_to_write(files, tmp_path):
    names = [name for name in archive(files).namelist() if ".dist-info/" not in name]
    assert {name.partition("/")[0] for name in names} == set(ROOMS)
    assert not [name for name in names if SECRET.fullmatch(name) or name.endswith(".pyc")]
    assert [name for name in names if "recorded/" in name] == [
        "tutorial/exercises/recorded/02_figure1.jsonl",
        "tutorial/exercises/recorded/36_break_the_walk.jsonl",
    ]
    assert {name for name, _ in files_of_the_packages() if SECRET.fullmatch(name)} >= {
        "tutorial/exercises/catalogue/e02_figure1.py",
        "tutorial/classroom/inventory/items.md",
    }
    made = Folder.create(tmp_path)
    for name in ("02_figure1.py", "36_break_the_walk.py"):
        assert files[f"exercises/{name}"] == (tmp_path / name).read_bytes()
    given = json.loads(files["exercises/.tutorial-state.json"])["given"]
    assert given.keys() == {"02", "36"} and given.items() <= made.progress.given.items()


def test_no_line_of_a_solution_or_of_a_wrong_answer_is_in_it(files):
    assert not list(leaks(files.items()))
    assert len(secret_lines()) > 500 and LINE in secret_lines()


SOLUTION = find("02").solution.encode()


@each(
    "name, content",
    [
        ("a.py", SOLUTION),
        ("a.txt", b"# ~ only-y2 M93: \n#     " + LINE.encode()),
        ("a.jsonl", b"{}\n" + json.dumps([{"text": {"deep": SOLUTION.decode()}}]).encode()),
        ("a.ipynb", json.dumps({"cells": [{"source": SOLUTION.decode()}]}, indent=1).encode()),
        ("a.whl", zipped([("b.zip", zipped([("c.py", SOLUTION, SEEN_BY_ALL)]), SEEN_BY_ALL)])),
    ],
)
def test_a_planted_leak_is_found(name, content):
    assert LINE in [line for _, line in leaks([(name, content)])]


def test_a_leak_is_not_written(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tutorial.classroom.build.student_files", lambda exercises: iter([("a.py", SOLUTION)]))
    assert main(["teach", "build"]) == 1
    assert "student/a.py holds a line of a solution" in capsys.readouterr().err and not (tmp_path / "dist").exists()


@pytest.mark.sweep
def test_notebooks_and_the_autograder_are_made_and_each_file_is_said_with_its_size(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tutorial.classroom.build.student_files", lambda exercises: iter([("a.py", b"x = 1")]))
    assert main(["teach", "build"]) == 0
    shown = capsys.readouterr().out.replace(os.sep, "/")
    assert "dist/student/a.py  5 bytes\n" in shown and "dist/gradescope/autograder.zip  " in shown
    assert f"dist/notebooks  {len(exercises())} files, " in shown
    if os.name == "posix":
        assert (tmp_path / "dist/gradescope/autograder.zip").stat().st_mode & 0o777 == 0o600  # it holds the secret
    assert [path.suffix for path in sorted((tmp_path / "dist/cluster").iterdir())] == [".whl", ".sh"]
    first = dict(files_in("dist"))
    assert main(["teach", "build"]) == 0 and dict(files_in("dist")) == first


def test_the_record_of_the_wheel_has_the_hash_of_each_file(files):
    found = archive(files)
    (record,) = [name for name in found.namelist() if name.endswith("/RECORD")]
    rows = [line.rsplit(",", 2) for line in found.read(record).decode().splitlines()]
    assert sorted(name for name, *_ in rows) == sorted(found.namelist())
    for name, hash, size in rows:
        assert name == record or (hash, int(size)) == (f"sha256={digest(found.read(name))}", len(found.read(name)))
    about = found.read(record.replace("RECORD", "METADATA")).decode()
    assert "\nVersion: 0.1.0+student\n" in about and "Requires-Dist: numpy" in about and "editables" not in about


def test_the_same_exercises_give_the_same_bytes_and_what_is_no_longer_made_is_removed(files, tmp_path):
    assert dict(student_files([find("02"), find("36")])) == files
    (tmp_path / "dist").mkdir()
    (tmp_path / "mine.txt").write_text("mine")
    write(tmp_path / "dist", {"student/a.txt": b"a", "b.txt": b"b"})
    (tmp_path / "dist" / "kept.txt").write_text("kept")
    with open(tmp_path / "dist" / "files.txt", "a") as listed:
        listed.write(f"{'0' * 64}  ../mine.txt\n")
    write(tmp_path / "dist", {"b.txt": b"c"})
    assert [name for name, _ in files_in(tmp_path)] == ["dist/b.txt", "dist/files.txt", "dist/kept.txt", "mine.txt"]
    assert (tmp_path / "dist" / "b.txt").read_bytes() == b"c"


@pytest.mark.slow
def test_everything_is_made_twice_with_the_same_bytes_and_without_a_leak(tmp_path, capsys):
    secret = tmp_path / "secret.txt"
    assert main(["teach", "build", "-o", str(tmp_path / "dist"), "--secret-file", str(secret)]) == 0
    assert "+student-py3-none-any.whl" in capsys.readouterr().out
    built = {name: content for name, content in files_in(tmp_path / "dist") if name != "files.txt"}
    assert built == dict(made(exercises(), secret.read_bytes().strip()))
    assert not list(leaks((name, content) for name, content in built.items() if not name.startswith("gradescope/")))


@pytest.mark.slow
def test_a_student_installs_it_and_gets_the_diagnosis_without_a_solution(files, tmp_path):
    """The fresh environment sees the packages that the wheel needs, but not the sources of this one."""
    write(tmp_path, files)
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    (built,) = tmp_path.glob("*.whl")
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", built], check=True, timeout=300)
    site = sysconfig.get_path("purelib", vars={"base": str(tmp_path / "env"), "platbase": str(tmp_path / "env")})
    Path(site, "needed.pth").write_text(str(Path(numpy.__file__).parents[1]))

    def tell(*words, program=None):
        if program is not None:
            (tmp_path / "exercises" / "02_figure1.py").write_text(program, encoding="utf-8")
        done = subprocess.run(
            [python, "-m", "tutorial", *words],
            cwd=tmp_path / "exercises",
            env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": ""},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
        )
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    wrong = find("02").wrong["only-y2"].program
    code, said = tell("exercises", "check", "02", program=wrong)
    assert code == 1 and "x4 is 14. It should be 16." in said and "Which functions use x4?" in said
    code, said = tell("exercises", "check", "02", program=wrong + "\n")
    assert code == 1 and "you followed y2 but not y1" in said and "[M93]" in said
    code, said = tell("exercises", "check", "02", program=find("02").solution)
    assert code == 0 and "Right" in said
    assert tell("exercises", "solution", "02") == (
        0,
        "Your version of the exercises has no solutions. Ask the teacher who gave it to you.",
    )
    code, said = tell("teach", "selftest")
    assert code == 2 and "this is the version for students" in said
    assert sys.prefix not in subprocess.run([python, "-c", "import tutorial; print(tutorial)"], capture_output=True, text=True).stdout

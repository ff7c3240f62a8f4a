"""A Python that is too old or lacks the dependencies gets one line, with the command that works."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tutorial.cli import command, main

ROOT = Path(__file__).parents[3]


def test_without_the_dependencies_one_line_says_how_to_get_them(tmp_path):
    for name in ("scalargrad", "tutorial", "viz"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.svg", "assets"))
    bare = [sys.executable, "-S", "-m", "tutorial", "matrices", "--svg", "a b"]  # -S: without installed packages
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}

    def said():
        done = subprocess.run(bare, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and done.stdout == ""
        return done.stderr

    first = "python3 -m venv .venv && .venv/bin/python -m pip install -e ."
    assert said() == f"tutorial: {sys.executable} has no rich; make an environment first: {first}\n"
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    again = f"{Path('.venv', 'bin', 'python')} -m tutorial matrices --svg 'a b'"
    assert said() == f"tutorial: {sys.executable} has no rich; run {again}\n"


def test_an_old_python_is_told_which_one_is_needed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    with pytest.raises(SystemExit) as left:
        command.command()
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("tutorial: this is Python 3.9, but 3.11 or newer is needed; ")


def test_another_module_that_is_missing_is_a_mistake_of_ours(monkeypatch):
    def missing():
        raise ModuleNotFoundError("No module named 'numbre'", name="numbre")

    monkeypatch.setattr(main, "main", missing)
    with pytest.raises(ModuleNotFoundError):
        command.command()


def test_the_program_knows_its_dependencies_as_the_wheel_does():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={command.OLDEST[0]}.{command.OLDEST[1]}"
    names = [line.split(">")[0].replace("-", "_") for line in project["dependencies"]]
    assert sorted(command.NEEDED) == sorted(names)


def test_the_readme_says_how_to_activate_the_environment():
    assert ". .venv/bin/activate" in (ROOT / "README.md").read_text(encoding="utf-8")

"""The examples for SLURM and Kubernetes grade parts that make the whole, byte for byte; the container file fits the package."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import tutorial
from tutorial.cli import teach
from tutorial.cli.main import main
from tutorial.exercises.authored import find
from tutorial.grading.probing import works

FOLDER = Path(tutorial.__file__).parent / "cluster"
PARTS = 3

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the examples are for POSIX")


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


def whole(course, tier):
    """Return the bytes of one run of the class, and of its merged parts."""
    assert main(["teach", "grade", "class", "--tier", tier, "--secret-file", "secret.txt", "-o", "whole.jsonl"]) == 0
    assert main(["teach", "merge", *map(str, (course / "parts").glob("*.jsonl")), "-o", "merged.jsonl"]) == 0
    return (course / "whole.jsonl").read_bytes(), (course / "merged.jsonl").read_bytes()


def run(command, **environment):
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_the_tasks_of_a_slurm_array_make_the_whole(course):
    first = 0  # an array may begin anywhere
    words = [str(FOLDER / "slurm_array.sh"), "class", "secret.txt", "parts"]
    about = {"SLURM_ARRAY_TASK_MIN": str(first), "SLURM_ARRAY_TASK_COUNT": str(PARTS)}
    for task in range(first, first + PARTS):
        run(words, SLURM_ARRAY_TASK_ID=str(task), **about)
    made, merged = whole(course, "auto")
    assert made == merged and {json.loads(line)["student"] for line in made.splitlines()} == {"ada", "bob", "eve", "jan"}
    (course / "secret.txt").unlink()
    assert subprocess.run(words, env=os.environ | about | {"SLURM_ARRAY_TASK_ID": "1"}, capture_output=True).returncode


@pytest.mark.slow
def test_the_pods_of_a_kubernetes_job_make_the_whole(course, monkeypatch):
    job = yaml.safe_load((FOLDER / "kubernetes_job.yaml").read_text(encoding="utf-8"))
    assert job["spec"]["completionMode"] == "Indexed"
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["env"] == [{"name": "PARTS", "value": str(job["spec"]["completions"])}]
    paths = {"/course": str(course), "/grading/secret.txt": str(course / "secret.txt")}
    mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert {f"/{path.split('/')[1]}" for path in paths} <= mounted
    (line,) = container["args"]
    for path, here in paths.items():
        line = line.replace(path, here)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")  # as in each pod
    if not works("container"):
        pytest.skip("this kernel has no Landlock")
    for index in range(PARTS):
        run([*container["command"], line], JOB_COMPLETION_INDEX=str(index), PARTS=str(PARTS))
    made, merged = whole(course, "container")
    assert made == merged and len(made.splitlines()) > 4


def test_the_container_file_installs_the_wheel_and_calls_commands_that_exist(capsys):
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    steps = dict(re.findall(r"^([A-Z]+) (.*)$", text, re.M))
    assert list(re.findall(r"^([A-Z]+) ", text, re.M))[0] == "FROM" and steps["USER"].split(":")[0] != "0"
    assert steps["COPY"].split() == ["gradsteps-*.whl", "/wheels/"] and "/wheels/gradsteps-*.whl" in steps["RUN"]
    assert f"mkdir -m 777 {steps['WORKDIR']}" in steps["RUN"]
    entry, command = json.loads(steps["ENTRYPOINT"]), json.loads(steps["CMD"])
    assert entry == ["python", "-m", "tutorial", "teach"]
    named = {name.removeprefix("teach_") for name in (module.__name__.rpartition(".")[2] for module in teach.COMMANDS)}
    used = set(re.findall(r"gradsteps (\w+)", text)) & {"grade"} | set(command)
    assert used == {"grade", "doctor"} <= named
    assert main([*entry[3:], *command]) == 0 and "ok practice" in capsys.readouterr().out

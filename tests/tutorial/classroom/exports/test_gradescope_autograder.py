"""The autograder for Gradescope: its zip file is unpacked as Gradescope does, and run_autograder grades what students hand in.

Only the installation by pip is left out, and has a slow test of its own: the wheel is unpacked beside NumPy.
"""

import io
import json
import os
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tutorial.classroom.exports.test_gradescope import valid
from tutorial.classroom.exports.gradescope_autograder import autograder
from tutorial.classroom.exports.gradescope_run import SAFE
from tutorial.classroom.exports.wheel import wheel
from tutorial.classroom.grading.working_tiers import works
from tutorial.cli.main import main
from tutorial.exercises.authored import find

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(os.name != "posix" or not any(map(works, SAFE)), reason="no safe tier works here"),
]

SECRET = b"a secret of more than 16 characters"
FILES = {"02": "02_figure1.py", "08": "08_backprop_dict.py", "19": "19_unbroadcast.py"}
HANGS = "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n"
WRITES = """
from pathlib import Path
def figure1(*x):
    for name in ("{results}", "{results}.tmp"):
        try: Path(name).write_text('{{"score": 100}}')
        except OSError as wrong: last = wrong
    raise last
"""
FORKS = "import os\ndef backprop(*x):\n    if os.fork() == 0:\n        os.setsid()\n        while True: pass\n    os._exit(0)\n"
EXITS = "import os\ndef unbroadcast(*x):\n    os._exit(0)\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A folder as /autograder is after setup.sh."""
    root = tmp_path_factory.mktemp("autograder")
    for name in ("submission", "results"):
        (root / name).mkdir()
    with zipfile.ZipFile(io.BytesIO(autograder(SECRET, list(map(find, FILES))))) as archive:
        archive.extractall(root / "source")
        for about in archive.infolist():
            (root / "source" / about.filename).chmod(about.external_attr >> 16 & 0o777)
    settings = json.loads((root / "source" / "autograder.json").read_text())
    settings["bounds"][0] = 1  # second
    (root / "source" / "autograder.json").write_text(json.dumps(settings))
    install(root)
    (root / "submission_metadata.json").write_text('{"users": [{"id": 8}, {"id": 7}]}')
    return root


def install(root):
    """Do what setup.sh does, without pip: NumPy stands beside our packages, as after an installation."""
    venv.create(root / "venv", symlinks=True)
    packages = next((root / "venv").glob("lib/python3*/site-packages"))
    with zipfile.ZipFile(next((root / "source").glob("*.whl"))) as archive:
        archive.extractall(packages)
    for name in ("numpy", "rich"):
        installed = Path(find_spec(name).origin).parents[1]
        for path in (path for path in installed.iterdir() if path.name in (name, f"{name}.libs")):
            (packages / path.name).symlink_to(path)
        (packages / f"{name}.pth").write_text(str(installed))


@pytest.fixture
def hand_in(root):
    """hand_in({name: text}) runs run_autograder on these files, and returns the exit code and the document."""

    def run(files, program="run_autograder"):
        for path in (root / "submission").iterdir():
            path.unlink()
        for name, content in files.items():
            (root / "submission" / name).write_text(content)
        environment = {"AUTOGRADER_ROOT": str(root), "PATH": os.environ["PATH"]}
        done = subprocess.run([root / "source" / program], env=environment, cwd=root, capture_output=True, text=True, timeout=300)
        return done.returncode, valid(json.loads((root / "results" / "results.json").read_text()))

    return run


def scores(found):
    return {test["number"]: test["score"] for test in found["tests"]}


def test_right_programs_have_their_points(hand_in):
    points = {number: find(number).points for number in FILES}
    code, found = hand_in({FILES[number]: find(number).solution for number in FILES})
    assert code == 0 and scores(found) == points and found["output"] == f"{sum(points.values())} of {sum(points.values())} points"
    assert [test["status"] for test in found["tests"]] == ["passed"] * 3


def test_wrong_missing_and_endless_programs_have_no_points_and_say_why(hand_in):
    code, found = hand_in({FILES["02"]: find("02").wrong["only-y2"].program, FILES["08"]: HANGS})
    wrong, endless, missing = found["tests"]
    assert code == 0 and not any(scores(found).values())
    assert wrong["tags"] == ["unit A", "wrong", "M93"] and "you followed y2 but not y1" in wrong["output"]
    assert "timeout" in endless["tags"] and "not started" in missing["tags"]


def test_a_program_cannot_write_its_score_and_ends_nothing_but_itself(hand_in, root):
    results = root / "results" / "results.json"
    code, found = hand_in({FILES["02"]: WRITES.format(results=results), FILES["08"]: FORKS, FILES["19"]: EXITS})
    assert code == 0 and "score" not in found and not any(scores(found).values())
    assert [set(test["tags"]) & {"crashed", "wrong"} != set() for test in found["tests"]] == [True] * 3
    assert "PermissionError" in found["tests"][0]["output"] or "OSError" in found["tests"][0]["output"]
    assert [path.name for path in results.parent.iterdir()] == ["results.json"]


def test_a_failure_of_the_grader_leaves_no_score_and_another_exit_code(hand_in, root):
    metadata = root / "submission_metadata.json"
    kept = metadata.read_text()
    metadata.unlink()
    try:
        code, found = hand_in({FILES["02"]: find("02").solution})
    finally:
        metadata.write_text(kept)
    assert code != 0 and "score" not in found and "tests" not in found and "costs no points" in found["output"]


def test_until_the_end_results_say_that_the_grading_did_not_finish(root, monkeypatch):
    from tutorial.classroom.exports import gradescope_run

    seen = []
    monkeypatch.setattr(gradescope_run, "graded", lambda *_: seen.append(json.loads((root / "results" / "results.json").read_text())))
    with pytest.raises(SystemExit):
        gradescope_run.main(root)
    assert seen[0]["score"] == 0 and "did not finish" in seen[0]["output"] and seen[0]["visibility"] == "visible"


def test_without_a_safe_tier_nothing_is_graded(root, monkeypatch):
    from tutorial.classroom.exports import gradescope_run

    monkeypatch.setattr(gradescope_run, "why_not", lambda name: "this kernel has no Landlock")
    with pytest.raises(SystemExit, match="no tier that keeps programs from reading the solutions works here"):
        gradescope_run.main(root)
    assert "score" not in json.loads((root / "results" / "results.json").read_text())


def test_the_command_writes_the_zip_file_with_its_programs_in_the_root(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["teach", "autograder", "2", "19"]) == 0
    with zipfile.ZipFile("autograder.zip") as archive:
        about = {each.filename: each.external_attr >> 16 & 0o777 for each in archive.infolist()}
        assert about["run_autograder"] == about["setup.sh"] == 0o755 and about["secret.txt"] == 0o600
        assert archive.read("secret.txt").strip() == Path("grading-secret.txt").read_bytes().strip()
        settings = json.loads(archive.read("autograder.json"))
    assert settings["exercises"] == ["02", "19"] and settings["bounds"][1] * 2 <= 480
    for program in ("run_autograder", "setup.sh"):
        (tmp_path / program).write_bytes(zipfile.ZipFile("autograder.zip").read(program))
        subprocess.run(["bash", "-n", tmp_path / program], check=True)
    assert main(["teach", "autograder", "99"]) == 2 and "there is no exercise or unit '99'" in capsys.readouterr().err
    assert autograder(SECRET, [find("02")]) == autograder(SECRET, [find("02")])


def test_the_wheel_is_one_that_pip_accepts():
    name, content = wheel()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        (record,) = [each for each in names if each.endswith(".dist-info/RECORD")]
        listed = [line.partition(",")[0] for line in archive.read(record).decode().splitlines()]
        assert sorted(listed) == sorted(names)
        assert not [each for each in names if any(part in each for part in ("/__pycache__/", "/src/", "/tsconfig.json"))]
        assert b"editables" not in archive.read(record.replace("RECORD", "METADATA"))
    assert name.startswith("gradsteps-") and name.endswith("-py3-none-any.whl")


@pytest.mark.slow
def test_setup_installs_the_grader(hand_in, root):
    """pip downloads what the package requires."""
    (root / "venv").rename(root / "venv-of-the-tests")
    environment = os.environ | {"AUTOGRADER_ROOT": str(root), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    subprocess.run(["bash", root / "source" / "setup.sh"], env=environment, cwd=root / "source", check=True, timeout=600)
    code, found = hand_in({FILES["19"]: find("19").solution})
    assert code == 0 and scores(found) == {"02": 0, "08": 0, "19": find("19").points}

"""python -m tutorial teach: a class is graded, a run goes on where it was interrupted, shards make the whole, nothing is forged."""

import csv
import json
import os
import random
from collections import Counter

import pytest

from tutorial.classroom.grading.classes import batch
from tutorial.classroom.grading.classes.batch import seed_of, students_in
from tutorial.classroom.grading.results.results import lines_of
from tutorial.classroom.grading.results.stream import stream
from tutorial.classroom.grading.working_tiers import works
from tutorial.cli.main import main
from tutorial.exercises.authored import exercises, find
from tutorial.lock import held

TIER = ["--tier", "process", "--allow-weak"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="grading needs the limits of POSIX")


@pytest.fixture
def group(tmp_path, monkeypatch):
    """A folder of three students, beside which the results are written."""
    monkeypatch.chdir(tmp_path)
    programs = {"ada": find("02").solution, "bob": find("02").wrong["only-y2"].program, "=eve": "import os\nos._exit(0)\n"}
    for student, program in programs.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "02_figure1.py").write_text(program, encoding="utf-8")
    (tmp_path / "class" / "ada" / "08_backprop_dict.py").write_text(find("08").solution, encoding="utf-8")
    return tmp_path


def tell(capsys, *words):
    code = main(["teach", *words])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def read(path):
    return {(r["student"], r["exercise"]): r for r in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def test_results_of_students_who_are_not_in_the_folder_stay_and_what_is_not_graded_is_said(group, capsys, monkeypatch):
    assert "Made the secret grading-secret.txt" in tell(capsys, "grade", "class", *TIER, "--only", "02")[1]
    whole = read(group / "results.jsonl")
    (group / "class" / "ada").rename(group / "ada")
    (group / "class" / "late.zip").write_bytes(b"")
    (group / "class" / "__MACOSX").mkdir()
    (group / "class" / "deep" / "homework").mkdir(parents=True)
    (group / "class" / "deep" / "homework" / "02_figure1.py").write_text("x = 1", encoding="utf-8")
    code, shown = tell(capsys, "grade", "class", *TIER, "--only", "02")
    assert code == 0 and "3 students" in shown and "also has results of 1 who are not in class; these stay" in shown
    assert "late.zip is a zip file" in shown and "deep: its programs are in homework" in shown and "MACOSX" not in shown
    assert whole.items() <= read(group / "results.jsonl").items()
    (group / "other.txt").write_text("another secret of some length", encoding="utf-8")
    for other in (["--secret-file", "other.txt"], ["--assignment", "second"]):
        code, shown = tell(capsys, "grade", "class", *TIER, "--only", "02", *other)
        assert code == 2 and "results.jsonl was graded with another secret or --assignment" in shown
    code, shown = tell(capsys, "grade", "ada", *TIER)
    assert code == 2 and "ada holds no folders of students" in shown and "02_figure1.py lies in no folder" in shown
    assert whole.items() <= read(group / "results.jsonl").items()
    assert tell(capsys, "grade", "nothing")[1] == "tutorial: nothing: No such file or directory\n"


def test_only_the_chosen_exercises_are_graded_and_results_of_others_stay(group, capsys):
    assert tell(capsys, "grade", "class", *TIER, "--only", "02")[0] == 0
    assert {number for _, number in read(group / "results.jsonl")} == {"02"}
    first = (group / "results.jsonl").read_bytes()
    assert tell(capsys, "grade", "class", *TIER, "--only", "0,8")[0] == 0
    found = read(group / "results.jsonl")
    assert {number for _, number in found} == {"00", "02", "08"} and found["ada", "02"]["state"] == "right"
    assert set(first.splitlines()) < set((group / "results.jsonl").read_bytes().splitlines())
    code, shown = tell(capsys, "grade", "class", *TIER, "--only", "A,99")
    assert code == 2 and "there is no exercise or unit '99'" in shown


def test_a_class_is_graded_once_and_goes_on_where_it_was_interrupted(group, capsys, monkeypatch):
    code, shown = tell(capsys, "grade", "class", *TIER)
    assert code == 0 and "3 students at tier process" in shown and "2 right" in shown
    whole = (group / "results.jsonl").read_bytes()
    found = read(group / "results.jsonl")
    assert {student: found[student, "02"]["state"] for student in ("ada", "bob", "=eve")} == {
        "ada": "right",
        "bob": "wrong",
        "=eve": "crashed",
    }
    assert Counter(r["state"] for r in found.values())["not started"] == 3 * len(exercises()) - 4
    assert [(found[student, "08"]["score"], found[student, "08"]["max_score"]) for student in ("ada", "bob")] == [(2, 2), (0, 2)]
    (finding,) = found["bob", "02"]["findings"]
    assert (finding["misconception"], finding["mistake"], finding["component"]) == ("M93", "only-y2", "x4")
    monkeypatch.setattr(batch, "Runner", None)  # a program that ran again would be ungraded
    lines = whole.splitlines(keepends=True)
    (group / "results.jsonl").unlink()
    (group / "results.jsonl.part").write_bytes(b"".join(lines) + lines[0][:40])  # killed while it wrote a line
    assert tell(capsys, "grade", "class", *TIER)[0] == 0
    assert (group / "results.jsonl").read_bytes() == whole and not (group / "results.jsonl.part").exists()


def test_a_failure_of_the_checker_is_ungraded_and_is_tried_again(group, capsys, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(batch, "Runner", None)
        code, shown = tell(capsys, "grade", "class", *TIER)
    found = read(group / "results.jsonl")["ada", "02"]
    assert code == 3 and (found["state"], found["score"]) == ("ungraded", None)
    assert tell(capsys, "grade", "class", *TIER)[0] == 0
    assert read(group / "results.jsonl")["ada", "02"]["score"] == 1


@pytest.mark.sweep
def test_shards_make_the_whole(group, capsys):
    assert sum((students_in("class", (i, 5)) for i in range(1, 6)), []) and len(students_in("class")) == 3
    assert sorted(sum((students_in("class", (i, 5)) for i in range(1, 6)), [])) == students_in("class")
    tell(capsys, "grade", "class", *TIER)
    for i in "12":
        tell(capsys, "grade", "class", *TIER, "--shard", f"{i}/2", "-o", f"part{i}.jsonl")
    assert tell(capsys, "merge", "part1.jsonl", "part2.jsonl", "-o", "merged.jsonl")[0] == 0
    assert (group / "merged.jsonl").read_bytes() == (group / "results.jsonl").read_bytes()
    for wrong in ("0/2", "3/2", "x"):
        with pytest.raises(SystemExit):
            main(["teach", "grade", "class", "--shard", wrong])


def test_the_gradebook_has_a_row_for_each_student(group, capsys):
    tell(capsys, "grade", "class", *TIER)
    assert tell(capsys, "export", "results.jsonl", "-o", "grades.csv")[0] == 0
    rows = csv.DictReader((group / "grades.csv").read_text(encoding="utf-8").splitlines())
    points = str(find("02").points + find("08").points)
    assert {row["student"]: (row["total"], row["crashed"]) for row in rows} == {
        "'=eve": ("0", "1"),
        "ada": (points, "0"),
        "bob": ("0", "0"),
    }


def test_each_student_has_numbers_of_their_own_and_the_same_again(group, capsys):
    exercise = find("02")
    assert seed_of(b"s", "", "ada", exercise) == seed_of(b"s", "", "ada", exercise)
    assert len({seed_of(s, a, n, exercise) for s in (b"s", b"t") for a in ("", "1") for n in ("ada", "bob")}) == 8
    tell(capsys, "grade", "class", *TIER)
    secret = group / "grading-secret.txt"
    assert secret.stat().st_mode & 0o077 == 0 and len(secret.read_text().strip()) == 64
    assert secret.read_text().strip() not in (group / "results.jsonl").read_text()
    secret.write_text("short")
    assert "fewer than 16" in tell(capsys, "grade", "class", *TIER)[1]


def test_a_weak_tier_is_refused_and_a_confined_one_is_not(group, capsys):
    code, shown = tell(capsys, "grade", "class", "--tier", "process")
    assert code == 2 and "--allow-weak" in shown
    code, shown = tell(capsys, "grade", "class", "--tier", "none")
    assert code == 2 and "there is no tier 'none'" in shown
    assert tell(capsys, "grade", "missing", *TIER)[0] == 2
    shown = tell(capsys, "doctor")[1]
    assert "ok practice" in shown and " --dask\n" in shown and max(map(len, shown.splitlines())) <= 80
    if works("landlock"):
        code, shown = tell(capsys, "grade", "class", "--tier", "landlock")
        assert code == 0 and {r["tier"] for r in read(group / "results.jsonl").values()} == {"landlock"}


def test_a_link_is_not_followed(group, capsys):
    (group / "class" / "mallory").symlink_to(group / "class" / "ada")
    (group / "class" / "bob" / "02_figure1.py").unlink()
    (group / "class" / "bob" / "02_figure1.py").symlink_to(group / "class" / "ada" / "02_figure1.py")
    tell(capsys, "grade", "class", *TIER)
    found = read(group / "results.jsonl")
    assert ("mallory", "02") not in found and (found["bob", "02"]["state"], found["bob", "02"]["score"]) == ("crashed", 0)


def test_the_order_of_results_does_not_change_the_file(group, capsys):
    tell(capsys, "grade", "class", *TIER)
    found = list(stream("results.jsonl"))
    shuffled = random.Random(0).sample(found, len(found))
    assert lines_of(shuffled) == (group / "results.jsonl").read_text(encoding="utf-8")


def test_two_gradings_do_not_write_one_file(group, capsys):
    with held(group / "results.jsonl.lock", ""):
        code, shown = tell(capsys, "grade", "class", *TIER, "--only", "02")
        assert code == 2 and f"results.jsonl: process {os.getpid()} is grading into this file; wait" in shown
        assert not (group / "results.jsonl").exists() and not (group / "results.jsonl.part").exists()
        assert tell(capsys, "grade", "class", *TIER, "--only", "02", "-o", "other.jsonl")[0] == 0
    (group / "results.jsonl.lock").write_text("1", encoding="utf-8")  # of a process that was killed
    assert tell(capsys, "grade", "class", *TIER, "--only", "02")[0] == 0
    assert not list(group.glob("*.lock"))

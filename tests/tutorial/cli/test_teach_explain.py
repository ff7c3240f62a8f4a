"""python -m tutorial teach explain: a result is replayed from its seed, and what is not as it was is said."""

import json
import os
import re

import pytest

from tutorial.classroom.grading.classes import replay
from tutorial.classroom.grading.classes.batch import Run, Submission, grade_programs
from tutorial.classroom.grading.results.results import line_of, ungraded
from tutorial.cli.main import main
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check

pytestmark = pytest.mark.skipif(os.name != "posix", reason="grading needs the limits of POSIX")
FILE = "03_sum_over_paths.py"
PROGRAMS = {
    "ada": {FILE: find("03").wrong["used-once"].program, "02_figure1.py": find("02").solution},
    "bob": {FILE: "def path_sum(z, x, inputs, partial):\n    return inputs.missing\n"},
}
RUN = Run("process", b"a secret of a teacher", exercises=("02", "03"))


@pytest.fixture(scope="module")
def graded():
    """The results of a class of two for two exercises."""
    programs = [Submission(student, FILE[:2], of[FILE]) for student, of in PROGRAMS.items()]
    missing = Submission("bob", "02", refused="there is no 02_figure1.py; run: python -m tutorial exercises reset 02", missing=True)
    return grade_programs(RUN, [*programs, Submission("ada", "02", find("02").solution), missing])


@pytest.fixture
def group(tmp_path, monkeypatch, graded):
    """The folder of this class, beside its results."""
    monkeypatch.chdir(tmp_path)
    for student, programs in PROGRAMS.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        for name, program in programs.items():
            (tmp_path / "class" / student / name).write_text(program, encoding="utf-8")
    write(tmp_path, graded)
    return tmp_path


def write(folder, results):
    (folder / "results.jsonl").write_text("".join(f"{line_of(result)}\n" for result in results), encoding="utf-8")


def changed(folder, **fields):
    """Write the results again with other fields."""
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    write(folder, [json.loads(line) | fields for line in lines])


def explain(capsys, *words):
    code = main(["teach", "explain", *words])
    shown = capsys.readouterr()
    return code, re.sub(r"\s+", " ", shown.out + shown.err)


def test_a_result_is_replayed_with_its_own_numbers(group, capsys):
    code, shown = explain(capsys, "ada", "3", "-o", "page.html")
    result = replay.result_of("results.jsonl", "ada", "03")
    assert code == 0 and "The replay has the same verdict." in shown and "changed" not in shown
    (finding,) = result["findings"]
    assert all(text in shown for text in (finding["message"], result["seed"], "[M03]", "0 of 2 points", "tier process"))
    assert check(find("03"), PROGRAMS["ada"][FILE], "another seed").said != finding["message"]
    assert "<svg" in (group / "page.html").read_text(encoding="utf-8")
    assert "right, 1 of 1 points" in explain(capsys, "ada", "02")[1]
    code, shown = explain(capsys, "bob", "03")
    assert code == 0 and "return inputs.missing" in shown and "AttributeError" in shown
    code, shown = explain(capsys, "bob", "02")
    assert code == 0 and "there is no 02_figure1.py" in shown and "the same verdict" in shown


def test_of_several_results_the_last_one_is_replayed(group, graded):
    """A class that was graded again, onto the same file, has two results for an exercise."""
    write(group, [*graded, *({**result, "seed": f"{k}"} for k in (1, 2) for result in graded)])
    assert replay.result_of("results.jsonl", "ada", "03")["seed"] == "2"


def test_what_has_changed_since_is_said(group, capsys):
    (group / "class" / "ada" / FILE).write_text(find("03").solution, encoding="utf-8")
    code, shown = explain(capsys, "ada", "03")
    assert code == 1 and "The program has changed since" in shown and "has another verdict. It was: wrong: dz/d" in shown
    changed(group, version="0" * 12)
    assert "The exercise has changed since: its version was 000000000000" in explain(capsys, "bob", "03")[1]
    changed(group, **ungraded("CheckerFailed: no process", 2))
    code, shown = explain(capsys, "bob", "03")
    assert code == 1 and "no points, because the checker failed" in shown and "It was: ungraded: CheckerFailed: no process" in shown


def test_a_program_runs_at_a_weaker_tier_only_if_that_is_allowed(group, capsys, monkeypatch):
    changed(group, tier="bwrap")
    monkeypatch.setattr(replay, "why_not", lambda name: "there is no bwrap" if name == "bwrap" else "")
    monkeypatch.setattr(replay, "strongest", lambda: "process")
    code, shown = explain(capsys, "ada", "03")
    assert code == 2 and "say --allow-weak" in shown
    code, shown = explain(capsys, "ada", "03", "--allow-weak")
    assert code == 0 and "Tier bwrap does not work here (there is no bwrap). The program ran at tier process." in shown
    monkeypatch.setattr(replay, "strongest", lambda: "landlock")
    monkeypatch.setattr(replay, "checked", lambda exercise, program, seed, tier: check(exercise, program, f"not {seed}"))
    assert explain(capsys, "ada", "03")[0] == 1


def test_what_is_not_there_is_said_in_one_line(group, capsys):
    for words, complaint in (
        (("eve", "03"), "no result of 'eve' for exercise '03'"),
        (("ada", "99"), "no result of 'ada' for exercise '99'"),
        (("ada", "03", "--class", "nowhere"), "there is no folder 'nowhere/ada'"),
        (("ada", "03", "--results", "nowhere.jsonl"), "nowhere.jsonl"),
    ):
        code, shown = explain(capsys, *words)
        assert code == 2 and complaint in shown
    changed(group, exercise="99")
    assert "there is no exercise '99' any more" in explain(capsys, "ada", "99")[1]


def test_the_only_file_of_results_is_found_whatever_its_name(group, capsys):
    (group / "results.jsonl").rename(group / "unit a.jsonl")
    (group / "notes.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    assert explain(capsys, "ada", "02")[0] == 0
    (group / "unit b.jsonl").write_bytes((group / "unit a.jsonl").read_bytes())
    code, shown = explain(capsys, "ada", "02")
    assert code == 2 and "there are unit a.jsonl, unit b.jsonl; --results FILE names the file" in shown
    assert explain(capsys, "ada", "02", "--results", "unit b.jsonl")[0] == 0
    for path in group.glob("unit*"):
        path.unlink()
    assert "there is no results.jsonl; --results FILE names the file" in explain(capsys, "ada", "02")[1]

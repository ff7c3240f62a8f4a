"""Every form through the command: default CSV, to a file or a pipe, exit code 3 without a total, usage mistakes in one line."""

import json
import re

import pytest

from tests.each import each
from tests.tutorial.classroom.exports.results_for_tests import UNGRADED, WRONG, result, write_results
from tutorial.classroom.exports.forms import FORMS
from tutorial.cli.main import main

OF_ONE_STUDENT = {"classroom50"}


@pytest.fixture
def tell(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main(["teach", "export", *words])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_a_form_goes_to_a_file_or_to_a_pipe(tell, tmp_path):
    write_results(tmp_path / "r.jsonl", [result("ada")])
    code, printed, _ = tell("r.jsonl")
    assert code == 0 and printed.startswith("student,02,total,of,tier,right")
    assert tell("r.jsonl", "-o", "grades.csv") == (0, "Written: grades.csv\n", "")
    assert (tmp_path / "grades.csv").read_text() == printed
    assert tell("r.jsonl", "--to", "gradescope", "-o", "out")[0] == 0 and (tmp_path / "out" / "ada" / "results.json").exists()


@each("form", [form for form in FORMS if form not in OF_ONE_STUDENT])
def test_a_student_without_a_total_is_said_and_the_exit_code_is_3(form, tell, tmp_path):
    write_results(tmp_path / "r.jsonl", [result("ada"), result("bob", state=UNGRADED)])
    code, _, said = tell("r.jsonl", "--to", form, "-o", f"out-{form}")
    assert code == 3 and said.startswith("1 of 2 students have no total") and (tmp_path / f"out-{form}").exists()


@each("form", FORMS)
def test_nothing_that_is_missing_is_written_as_none(form, export, tmp_path):
    """Ungraded and missing results have no points, and the fields of a finding may be null."""
    empty = [dict.fromkeys(("message", "misconception", "input", "got", "expected", "line"))]
    ungraded, wrong = result("ada", state=UNGRADED), result("ada", "03", WRONG, findings=empty)
    for results in ([ungraded], [wrong], [ungraded, wrong, result("bob"), result("eve", state=UNGRADED, findings=[])]):
        out = tmp_path / f"{form}{len(results)}{results[0]['exercise']}"
        try:
            export(form, results, to=out)
        except ValueError:
            continue  # a form may refuse what it cannot say, and then writes nothing
        written = [path.read_text() for path in ([out] if out.is_file() else out.rglob("*.json"))]
        assert written and not [text for text in written if re.search(r"\b(None|null|nan)\b", text)]
    assert out.exists() or form in OF_ONE_STUDENT


@each("form", [form for form in FORMS if form not in OF_ONE_STUDENT])
def test_a_total_that_is_not_known_is_not_written_as_0(form, export, tmp_path):
    """Two students differ only in whether the missing points are known to be 0."""
    for state in (UNGRADED, WRONG):
        export(form, [result("ada", state=state, findings=[])], to=tmp_path / f"{form}-{state}")
    known, unknown = (tmp_path / f"{form}-{state}" for state in (WRONG, UNGRADED))
    texts = [[path.read_text() for path in ([out] if out.is_file() else sorted(out.rglob("*.json")))] for out in (known, unknown)]
    assert texts[0] != texts[1]


def test_mistakes_of_use_are_one_line(tell, tmp_path):
    write_results(tmp_path / "r.jsonl", [result("ada")])
    for words, said in {
        ("missing.jsonl",): "there is no file 'missing.jsonl'",
        ("r.jsonl", "--to", "gradescope"): "folder of files",
        ("r.jsonl", "--roster", "r.csv"): "--roster requires --to canvas, got csv",
        ("r.jsonl", "--to", "canvas", "--roster", "r.csv"): "r.csv",
        ("r.jsonl", "-o", "no/such/folder.csv"): "folder.csv",
    }.items():
        code, printed, err = tell(*words)
        assert code == 2 and not printed and said in err and err.count("\n") == 1
    (tmp_path / "r.jsonl").write_text(json.dumps(result("ada"))[:50])
    assert "was the grading interrupted?" in tell("r.jsonl")[2]


def test_the_help_names_every_form_and_fits_80_columns(tell, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        tell("--help")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80 and all(any(line.startswith(f"  {name} ") for line in lines) for name in FORMS)

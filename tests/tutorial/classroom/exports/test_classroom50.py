"""Classroom 50's result.json: integers of one student, and a loud failure where it would say more than was graded."""

import json
import re

import pytest

from tests.each import each
from tests.tutorial.classroom.exports.results_for_tests import HOSTILE, UNGRADED, WRONG, result
from tutorial.classroom.exports.classroom50 import VARIABLES
from tutorial.cli.main import main

REFUSED = {  # what is wrong: the results, and a part of the message
    "two students": ([result("ada"), result("bob")], "results of 2"),
    "ungraded": ([result("ada", state=UNGRADED)], "ungraded"),
    "no points": ([result("ada", state=WRONG), result("ada", "03", WRONG, most=0)], "exercise 03 has 0 points"),
    "nothing": ([], "there are no results"),
}


@pytest.fixture(autouse=True)
def runner(monkeypatch):
    """The variables that Classroom 50's runner sets."""
    for name in VARIABLES.values():
        monkeypatch.setenv(name, name.lower())
    monkeypatch.delenv("REVIEW_URL", raising=False)


def test_the_file_has_the_fields_of_the_contract(export):
    found = json.loads(export("classroom50", [result("ada"), result("ada", "03", WRONG, 3)]))
    assert found["schema"] == "classroom50/result/v1" and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["datetime"])
    assert {name: found[name] for name in VARIABLES} == {name: variable.lower() for name, variable in VARIABLES.items()}
    assert found["review"] == found["commit"] and (found["score"], found["max-score"]) == (2, 5)
    right, wrong = found["tests"]
    assert right == {"test-name": "02 Figure 1 on paper", "passed": True, "score": 2, "max-score": 2}
    assert (wrong["passed"], wrong["score"], wrong["max-score"], wrong["misconception"]) == (False, 0, 3, "M02")


def test_a_part_of_the_points_is_no_pass(export):
    (test,) = json.loads(export("classroom50", [result("ada", state=WRONG, score=1)]))["tests"]
    assert (test["passed"], test["score"], test["max-score"]) == (False, 1, 2)


@each("what", REFUSED)
def test_what_could_be_read_as_a_pass_is_not_exported(what, export, tmp_path, capsys):
    results, said = REFUSED[what]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in results))
    assert main(["teach", "export", str(path), "--to", "classroom50", "-o", str(tmp_path / "result.json")]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "result.json").exists()


def test_outside_the_runner_the_missing_variables_are_named(export, monkeypatch):
    monkeypatch.delenv("COMMIT_URL")
    with pytest.raises(ValueError, match="sets COMMIT_URL; run this"):
        export("classroom50", [result("ada")])


def test_hostile_texts_are_data(export):
    for name in HOSTILE:
        text = export("classroom50", [result(name, state=WRONG, message=name)])
        assert text.isascii() and json.loads(text)["tests"][0]["output"].split("\n")[0].isprintable()

"""Gradescope's results.json: points for each test, all texts as text, and no score at all if a result is ungraded."""

import json

import pytest

from tests.tutorial.classroom.exports.results_for_tests import HOSTILE, NOT_STARTED, UNGRADED, WRONG, hostile, result
from tutorial.classroom.exports.gradescope import document, failure, not_finished

FIELDS = {  # of the specification: the type of each
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "output_format": str,
    "test_output_format": str,
    "test_name_format": str,
    "visibility": str,
    "stdout_visibility": str,
    "extra_data": dict,
    "tests": list,
}
OF_A_TEST = {"max_score": (int, float), "status": str, "name": str, "name_format": str, "number": str, "tags": list}


def valid(found):
    """Assert that a document has only fields of the specification, and texts of the format text, which Gradescope escapes."""
    for each, fields in [(found, FIELDS), *((test, FIELDS | OF_A_TEST) for test in found.get("tests", []))]:
        for name, value in each.items():
            assert isinstance(value, fields[name]) and not isinstance(value, bool), name
            assert value == "text" or not name.endswith("_format")
        assert {each.get("visibility"), each.get("stdout_visibility")} <= {"visible", "hidden", None}
    return found


def test_a_document_has_a_test_for_each_exercise(export, tmp_path):
    export("gradescope", [result("ada"), result("ada", "03", WRONG, 3), result("ada", "04", NOT_STARTED)], to=tmp_path / "out")
    found = valid(json.loads((tmp_path / "out" / "ada" / "results.json").read_text()))
    assert "score" not in found and [test["score"] for test in found["tests"]] == [2, 0, 0]
    right, wrong, empty = found["tests"]
    assert (right["status"], right["max_score"], right["number"], right["name"]) == ("passed", 2, "02", "Figure 1 on paper")
    assert (wrong["status"], wrong["tags"]) == ("failed", ["unit A", "wrong", "M02"])
    assert wrong["output"].split("\n") == ["dz/dx4 was 14, expected 16.", "input: f(3)", "got: 14", "expected: 16"]
    assert empty["status"] == "failed" and all(test["visibility"] == "visible" for test in found["tests"])


def test_an_ungraded_result_leaves_no_score_that_could_be_read_as_0_and_says_why():
    for found in (document([result("ada"), result("ada", "03", UNGRADED, message="MemoryError")]), document([]), failure(["x"])):
        assert "score" not in valid(found) and "tests" not in found
        assert "not a mistake of the student" in found["output"]
    assert "MemoryError" in document([result("ada", "03", UNGRADED, message="MemoryError")])["output"]


def test_a_grading_that_did_not_finish_is_visible():
    found = valid(not_finished(3))
    assert found["score"] == 0 and found["visibility"] == "visible" and "did not finish" in found["output"]


def test_hostile_names_become_folders_of_their_own_inside_the_folder(export, tmp_path):
    export("gradescope", hostile(), to=tmp_path / "out")
    files = list((tmp_path / "out").rglob("*.json"))
    assert len(files) == len(HOSTILE) and {path.parent.parent for path in files} == {tmp_path / "out"}
    for path in files:
        assert path.read_text().isascii() and len(path.parent.name) < 80
        (test,) = valid(json.loads(path.read_text()))["tests"]
        assert all(line.isprintable() for line in test["output"].split("\n"))


def test_a_folder_with_files_is_not_overwritten(export, tmp_path):
    (tmp_path / "out").mkdir()
    assert export("gradescope", [result("ada")], to=tmp_path / "out")
    with pytest.raises(ValueError, match="not an empty folder"):
        export("gradescope", [result("bob")], to=tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["ada"] and not list(tmp_path.glob(".*"))

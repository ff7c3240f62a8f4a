"""The run on Gradescope, without its processes: who handed in, the tier, the secret, the exit code, and all remarks."""

import json

import pytest

from tests.each import each
from tests.tutorial.classroom.exports.results_for_tests import UNGRADED, WRONG, result
from tutorial.classroom.exports import gradescope_run
from tutorial.classroom.exports.gradescope_autograder import SECRET, SETTINGS


@pytest.fixture
def root(tmp_path):
    """A folder as /autograder is before a run."""
    (tmp_path / "source").mkdir()
    settings = {"exercises": ["02", "08"], "assignment": "week 1", "bounds": []}
    (tmp_path / "source" / SETTINGS).write_text(json.dumps(settings))
    (tmp_path / "source" / SECRET).write_bytes(b"a secret of a teacher\n")
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission_metadata.json").write_text('{"users": [{"id": 8}, {"id": 7}]}')
    return tmp_path


@each("users", [[7, 8], [8, 7]])
def test_a_group_has_one_name_whoever_hands_in(users, tmp_path_factory):
    path = tmp_path_factory.mktemp("group") / "submission_metadata.json"
    path.write_text(json.dumps({"users": [{"id": user} for user in users]}))
    assert gradescope_run.student_of(path) == "gradescope-7-8"


def test_nobody_is_refused(tmp_path):
    (tmp_path / "a.json").write_text('{"users": []}')
    with pytest.raises(ValueError, match="a.json does not say who handed in"):
        gradescope_run.student_of(tmp_path / "a.json")


@each("works, tier", [({"container", "landlock", "bwrap"}, "container"), ({"landlock", "bwrap"}, "landlock"), ({"bwrap"}, "bwrap")])
def test_the_first_safe_tier_that_works_is_taken(works, tier):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradescope_run, "why_not", lambda name: "" if name in works else "it does not work here")
        assert gradescope_run.safe_tier() == tier


def test_the_programs_are_graded_with_the_secret_the_assignment_and_the_name(root, monkeypatch):
    seen = []
    monkeypatch.setattr(gradescope_run, "safe_tier", lambda: "landlock")
    monkeypatch.setattr(gradescope_run, "grade_programs", lambda run, found: seen.append((run, [each.student for each in found])) or [])
    gradescope_run.graded(root, json.loads((root / "source" / SETTINGS).read_text()))
    ((run, students),) = seen
    assert (run.tier, run.secret, run.assignment, run.exercises) == ("landlock", b"a secret of a teacher", "week 1", ("02", "08"))
    assert students == ["gradescope-7-8"] * 2


@each("results, code", [([result("a")], 0), ([result("a", state=WRONG)], 0), ([result("a"), result("a", "08", UNGRADED)], 3)])
def test_only_an_ungraded_result_is_a_failure_and_every_remark_is_said(results, code, tmp_path_factory):
    root = tmp_path_factory.mktemp("autograder")
    (root / "source").mkdir()
    (root / "source" / SETTINGS).write_text('{"exercises": ["02", "08"]}')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradescope_run, "graded", lambda root, settings: (results, ["one remark", "another"]))
        assert gradescope_run.main(root) == code
    written = json.loads((root / "results" / "results.json").read_text())
    assert written["output"].endswith("\none remark\nanother") and ("tests" in written) == (code == 0)

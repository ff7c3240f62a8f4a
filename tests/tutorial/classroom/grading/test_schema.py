"""The JSON Schema of results: real results of every state follow it, every field is described, and what must not be is refused."""

import json
from importlib import resources

import jsonschema
import pytest

from tests.each import each
from tutorial.book.reference.results import example, pages
from tutorial.classroom.grading.classes.batch import Run, Submission, grade_programs
from tutorial.classroom.grading.isolation.tiers import TIERS
from tutorial.classroom.grading.results.results import SCHEMA, UNGRADED, ungraded
from tutorial.exercises.authored import find
from tutorial.exercises.checking.verdict import STATES
from tutorial.reading.chapter import BOOK

TEXT = json.loads(resources.files("tutorial.classroom.grading").joinpath("result-v1.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(TEXT)
EXERCISE = find("02")
PROGRAMS = {
    "right": EXERCISE.solution,
    "wrong": EXERCISE.wrong["only-y2"].program,
    "not started": EXERCISE.given,
    "crashed": "def figure1(*x):\n    raise ValueError('\\x1b[2J')\n",
    "timeout": "def g(): pass\n\ndef figure1(*x):\n    while True: g()\n",  # which uses up its calls
}


@pytest.fixture(scope="module")
def real():
    """Real results, {state: result}."""
    submissions = [Submission("ada", "02", program) for program in PROGRAMS.values()]
    found = grade_programs(Run("practice", b"a secret of 16 bytes", exercises=("02",)), submissions)
    (refused,) = grade_programs(Run("practice", b"a secret of 16 bytes"), [Submission("ada", "02", refused="no file", missing=True)])
    assert refused["state"] == "not started"
    return {r["state"]: r for r in found} | {"no program": refused, UNGRADED: found[0] | ungraded("CheckerFailed: no process", 1)}


def test_real_results_of_every_state_follow_the_schema(real):
    assert set(real) == {*STATES, UNGRADED, "no program"}
    for result in real.values():
        VALID.validate(result)
        assert list(result) == TEXT["required"] == list(TEXT["properties"])
    assert list(real["wrong"]["findings"][0]) == list(TEXT["$defs"]["finding"]["properties"])


def test_the_schema_knows_the_names_of_the_program():
    jsonschema.Draft202012Validator.check_schema(TEXT)
    properties = TEXT["properties"]
    assert properties["schema"]["const"] == TEXT["$id"] == SCHEMA
    assert properties["state"]["enum"] == [*STATES, UNGRADED] and properties["tier"]["enum"] == list(TIERS)
    described = [*properties.values(), *TEXT["$defs"]["finding"]["properties"].values()]
    assert all(about["description"] for about in described)


@each(
    "state, changed",
    [
        ("right", {"score": 0}),
        ("right", {"findings": [{"message": "m"}]}),
        ("wrong", {"score": 1}),
        ("wrong", {"score": None}),
        ("wrong", {"findings": []}),
        ("wrong", {"findings": [{"message": "m"}]}),
        ("ungraded", {"score": 0}),
        ("ungraded", {"findings": []}),
        ("wrong", {"state": "late"}),
        ("wrong", {"seed": "1"}),
        ("wrong", {"schema": "tutorial/result/v2"}),
    ],
)
def test_what_must_not_be_is_refused(real, state, changed):
    with pytest.raises(jsonschema.ValidationError):
        VALID.validate(real[state] | changed)


def test_the_page_describes_every_field():
    ((name, page),) = pages(BOOK, None)
    assert name == "results.md" and all(f"| `{field}` |" in page for field in TEXT["properties"])
    VALID.validate(example())
    assert "no partial points" in page and '"mistake": "only-y2"' in page

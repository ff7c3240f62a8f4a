"""What the tests of the forms share."""

import pytest

from tests.tutorial.classroom.exports.results_for_tests import write_results
from tutorial.classroom.exports.forms import Options, text, write
from tutorial.classroom.exports.students import Results


@pytest.fixture
def export(tmp_path):
    """export(form, results) returns the text of a form; with to=PATH it writes the form there."""

    def run(form, results, to=None, **options):
        found = Results(write_results(tmp_path / "results.jsonl", results))
        return text(form, found, Options(**options)) if to is None else write(form, found, to, Options(**options))

    return run

"""The gradebook as CSV: points, totals and counts; what is ungraded is never 0, and no cell is a formula."""

import csv
import io

from tests.each import each
from tests.tutorial.classroom.exports.results_for_tests import HOSTILE, UNGRADED, WRONG, hostile, result
from tutorial.classroom.exports.csv_cells import cell, is_formula


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_each_student_has_points_a_total_and_counts(export):
    ada, bob = read(export("csv", [result("ada"), result("ada", "03", WRONG, 3), result("bob"), result("bob", "03", most=3)]))
    assert list(ada)[:6] == ["student", "02", "03", "total", "of", "tier"]
    assert [ada[name] for name in ("02", "03", "total", "of", "right", "wrong")] == ["2", "0", "2", "5", "1", "1"]
    assert [bob[name] for name in ("total", "of", "tier", "right", "crashed")] == ["5", "5", "landlock", "2", "0"]


def test_the_exercises_stand_in_order_whichever_a_student_has_first(export):
    first, *_ = export("csv", [result("ada", "08"), result("ada", "03"), result("bob", "02")]).splitlines()
    assert first.startswith("student,02,03,08,total")


def test_an_ungraded_or_missing_result_is_said_in_words_and_leaves_the_total_empty(export):
    ada, bob = read(export("csv", [result("ada", state=UNGRADED), result("ada", "03"), result("bob")]))
    assert [ada[name] for name in ("02", "03", "total", "ungraded")] == ["ungraded", "2", "", "1"]
    assert [bob[name] for name in ("02", "03", "total")] == ["2", "no result", ""]


@each("text", ["=1", "+1", "-1", "@A", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠A", " =1", "  +1", "\n=1", "\u00a0=1"])
def test_a_text_that_a_spreadsheet_may_run_is_marked_as_text(text):
    """A spreadsheet drops the blanks before a formula."""
    assert is_formula(text) and cell(text) == f"'{text}"


@each("value", ["ada", "a=1", "'=1", "", " a", "1-1", -1, 0, None])
def test_other_cells_stay_as_they_are(value):
    assert cell(value) == value


def test_no_cell_is_a_formula_and_each_student_has_one_row(export):
    text = export("csv", hostile())
    found = read(text)
    assert len(found) == len(HOSTILE) and text.isascii() is False
    for cells in found:
        assert not any(map(is_formula, cells.values())) and cells["student"].isprintable()
    text.encode()

"""The line of numbers of the report: each number is of what it says, also beside ungraded results."""

import re

from tests.tutorial.classroom.exports.results_for_tests import UNGRADED, WRONG, result
from tutorial.classroom.report.page import report


def numbers_of(results):
    """Return {what: number} of the line of numbers."""
    return {what: number for what, number in re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", report(results))}


def test_the_share_of_right_results_is_that_of_the_graded_ones():
    """The checker failed for two of four: both others are right."""
    shown = numbers_of([result("ada"), result("bob"), result("eve", state=UNGRADED), result("mia", state=UNGRADED)])
    assert (shown["results graded"], shown["of them right"]) == ("2", "100%")
    shown = numbers_of([result("ada", state=UNGRADED)])
    assert (shown["results graded"], shown["of them right"]) == ("0", "–")


def test_students_exercises_points_and_tiers_are_counted():
    results = [result("ada"), result("ada", "03", most=3), result("bob", state=WRONG), result("bob", "03", WRONG, 3)]
    results += [result("eve", tier="bwrap"), result("eve", "03", WRONG, 3)]
    shown = numbers_of(results)
    assert (shown["students"], shown["exercises"], shown["results graded"], shown["of them right"]) == ("3", "2", "6", "50%")
    assert shown["points: the median"] == "2 of 5" and shown["isolation of the programs"] == "bwrap landlock"


def test_results_that_are_missing_are_counted():
    text = report([result("ada"), result("ada", "03"), result("bob"), result("eve", "03")])
    assert "<b>2 results missing.</b>" in text and "ungraded.</b>" not in text
    assert "missing.</b>" not in report([result("ada"), result("bob")])


def test_a_misconception_has_the_share_of_the_students_and_the_other_chapters():
    results = [result(name, number, WRONG, findings=[{"misconception": "M03", "mistake": "", "message": "m"}])
               for name, number in (("ada", "08"), ("ada", "02"), ("bob", "08"), ("eve", "24"))]  # fmt: skip
    text = report([*results, result("mia", "08")])
    assert "<b>3</b> of 4 students<br>75%</p>" in text
    again = re.search('class="again">(.*?)</p>', text)[1]
    assert again.startswith("Teach again: chapter 5, Backpropagation with a dictionary<") and "also chapters" in again
    assert "5" not in re.search("also chapters (.*?)<", again)[1].split(", "), "the first chapter is among the others"

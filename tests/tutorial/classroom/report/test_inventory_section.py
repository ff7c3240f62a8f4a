"""The report on the inventory tells a teacher the truth: what to teach again, what has changed, and nothing of a small class.

How often it errs in many classes: test_beliefs.
"""

import json
import re

import pytest

from tests.tutorial.classroom.report.classes import results
from tests.tutorial.classroom.report.planted import a_class, on_paper
from tests.tutorial.classroom.report.test_page import text_of
from tutorial.classroom.report.page import report
from tutorial.classroom.report.statistics.answers import Taken
from tutorial.cli.main import main


def page(tests, **more):
    return text_of(report(more.get("results", []), tests=tests))


def listed(text):
    """Return the misconceptions below `What to teach again`, as ids."""
    return re.findall(r"(M\d+) Teach(?: again)?:", text.partition("What to teach")[2].partition("Before → after, by")[0])


def test_of_three_misconceptions_of_which_the_course_cured_two_the_page_says_to_teach_the_third_again():
    before, after = a_class(6)
    text = page([before, after])
    assert listed(text) == ["M05"] and set(listed(page([before]))) == {"M05", "M08", "M10"}
    assert "Teach again: chapter 3, The inductive chain rule; chapter 11, Backward functions: entries" in text
    assert "30 students with a mark in both" in text and "reliability after, KR-20" in text and text.count("draft") >= 2
    change = {row[0]: row[1] for row in re.findall(r"(M\d+) [\d, ]+ \d+% \([^)]*\) \d+% \([^)]*\) ([+−]?\d+) \(", text)}
    assert int(change["M08"].replace("−", "-")) < -30 and int(change["M10"].replace("−", "-")) < -15 and len(change) == 37


def test_a_class_that_only_guesses_gets_no_advice_and_is_told_that_this_proves_nothing():
    assert "Somebody may still have one." in page(a_class(0, had={})[:1])


def test_below_20_students_there_are_counts_and_no_verdict():
    text = page(a_class(1, students=19))
    assert "Fewer than 20 students took the test before the course." in text and "What to teach" not in text and "KR-20" not in text
    assert not re.search(r"\d+% \(\d+ to \d+\)", text) and re.search(r"M05 2, 3, 16 \d+ of 57", text)
    mixed = page([a_class(1)[0], a_class(1, students=19)[1]])
    assert "What to teach" not in mixed and "took the test after" in mixed and "took the test before" not in mixed


def test_without_marks_the_groups_are_compared():
    before, after = a_class(1)
    nameless = Taken("B", after.questions, [sheet._replace(mark="") for sheet in after.sheets])
    assert "between the groups, since only 0 marks stand in both" in page([before, nameless])


def test_an_item_shows_what_was_chosen_in_both_forms():
    text = page(a_class(1)).partition("Each item")[2]
    counts = r"\d+: \d+% \(\d+ to \d+\)"
    right, wrong = rf"✓ B: 0\.4 \(form B: 1\) {counts} {counts}", r"C: 0\.025 \(form B: 0\.04\) M70"
    assert re.search(rf"1\. A program computes z .*? {right} {wrong}", text)
    assert text.count("no answer") == 20 and text.count("✓") == 21  # one in the words above the table


def test_it_stands_beside_exercises_and_holds_no_mark():
    html = report(list(results(5)), tests=a_class(1))
    text = text_of(html)
    assert text.index("Inventory (draft)") < text.index("Checks to look at")
    assert "<script" not in html and not re.search(r"\bs(1\d|2\d)\b", text.partition("Checks to look at")[0].partition("Exercises")[0])


def test_the_command_makes_the_page_and_counts_for_others(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tests = a_class(4)
    (tmp_path / "paper.csv").write_text(on_paper(tests), encoding="utf-8")
    assert main(["teach", "report", "paper.csv", "--counts", "counts.json"]) == 0
    assert "Inventory (draft)" in (tmp_path / "class.html").read_text(encoding="utf-8")
    counts = json.loads((tmp_path / "counts.json").read_text(encoding="utf-8"))
    assert counts["draft"] and counts["pairs"]["students"] == 30 and [counts["forms"][form]["students"] for form in "AB"] == [30, 30]
    item, right = counts["forms"]["A"]["items"][0], [sheet.choices[0] for sheet in tests[0].sheets]
    assert item["counts"] == [right.count(choice) for choice in (0, 1, 2, 3, None)] and item["believes"] == ["M31", "", "M70", "M64"]
    assert sum(counts["forms"]["B"]["sums"]) == 30 and all(sum(one.values()) == 30 for one in counts["pairs"]["items"])
    assert main(["teach", "report", "paper.csv", "--counts", "counts.csv"]) == 0
    rows = (tmp_path / "counts.csv").read_text(encoding="utf-8").splitlines()
    assert rows[:2] == ["form,students,item,choice,believes,right,count", f"A,30,1,A,M31,0,{item['counts'][0]}"] and len(rows) == 201
    assert "s1," not in "".join(rows) and not any(sheet.mark in str(counts["forms"]) for sheet in tests[0].sheets[10:])


@pytest.mark.parametrize(
    "words, said", [(("paper.csv", "--counts", "x.txt"), "extension .csv or .json"), (("none.csv",), "no file 'none.csv'")]
)
def test_a_mistake_is_one_line_and_nothing_is_written(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper.csv").write_text("test,mark,1\nbefore,x,B\n", encoding="utf-8")
    assert main(["teach", "report", *words]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "class.html").exists()

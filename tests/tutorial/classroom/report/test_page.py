"""The report on a class: its numbers are those of the results, texts of students are text, the same results give the same bytes."""

import json
import random
import re
import tracemalloc
from functools import cache

import pytest

from tests.tutorial.classroom.report.classes import HOSTILE, NUMBERS, results
from tutorial.classroom.grading.results.results import UNGRADED, line_of
from tutorial.classroom.grading.results.stream import stream
from tutorial.classroom.report.page import exercises_with_many, ranking, report
from tutorial.classroom.report.tally import TwoResults, tally
from tutorial.cli.main import main
from tutorial.misconceptions import MISCONCEPTIONS

ROW = r'<tr><th scope="row"><bdi>(.*?)</bdi></th>'


@cache
def small_class():
    return list(results(30, ungraded=0.02))


def text_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", re.sub(r"<style.*?</style>", "", html, flags=re.S)))


def first(state, **more):
    """Return the first result of this state, with other fields."""
    return next(r for r in small_class() if r["state"] == state) | more


def test_the_bars_count_every_result_once():
    counts = tally(small_class()).kinds()
    for number in NUMBERS:
        mine = [r for r in small_class() if r["exercise"] == number]
        assert counts[number].total() == len(mine) == 30
        assert counts[number]["right"] == sum(r["state"] == "right" for r in mine)
        assert counts[number]["named"] + counts[number]["unnamed"] == sum(r["state"] == "wrong" for r in mine)
    shown = text_of(report(small_class()))
    ungraded = sum(r["state"] == UNGRADED for r in small_class())
    assert f"results graded {len(small_class()) - ungraded}" in shown
    assert ungraded and f"{ungraded} result" in shown and "the process of tier landlock did not start" in shown


def test_the_ranking_counts_students_and_names_the_chapter_to_teach_again():
    found = ranking(tally(small_class()))
    for misconception in found:
        met = [(r["student"], r["exercise"]) for r in small_class() for f in r["findings"] if f.get("misconception") == misconception.id]
        assert misconception.students == len({student for student, _ in met})
        assert sum(count for _, count in misconception.exercises) == len(met)
    assert [m.students for m in found] == sorted((m.students for m in found), reverse=True)
    html = report(small_class())
    assert html.index(MISCONCEPTIONS[found[0].id][1:]) < html.index(MISCONCEPTIONS[found[1].id][1:])
    only = report([first("wrong", exercise="08", findings=[{"misconception": "M03", "mistake": "overwrite", "message": "dz/da was 1."}])])
    assert "Teach again: chapter 5, Backpropagation with a dictionary" in only and "dz/da was 1." in only
    unknown = report([first("wrong", exercise="99", findings=[{"misconception": "M29", "mistake": "x", "message": "m"}])])
    assert "Teach again: no chapter is known" in unknown


def test_wrong_answers_without_a_name_are_shown_where_they_are_many():
    unnamed = [{"misconception": "", "mistake": "", "message": "m", "input": "f(2)", "got": "5", "expected": "6"}]
    known = [{"misconception": "M03", "mistake": "overwrite", "message": "m"}]
    of = lambda number, few: [first("wrong", student=f"s{k}", exercise=number, findings=unnamed if k < few else known) for k in range(10)]
    found = tally([*of("02", 1), *of("08", 2)])
    assert exercises_with_many(found) == [("08", 2, 10)]
    assert "2 of 10 wrong answers (20%)" in text_of(report([*of("02", 1), *of("08", 2)]))
    assert "at least nine of ten wrong answers have a name" in report(of("02", 1))


def test_texts_of_students_are_text():
    findings = [{"misconception": "M03", "mistake": HOSTILE, "message": HOSTILE}]
    unnamed = [{"misconception": "", "mistake": "", "message": HOSTILE, "input": HOSTILE, "got": HOSTILE, "expected": HOSTILE}]
    failed = [{"message": HOSTILE}]
    hostile = [
        first("wrong", student=HOSTILE, findings=findings),
        first("wrong", student=f"2{HOSTILE}", findings=unnamed),
        first("right", student=f"3{HOSTILE}") | {"state": UNGRADED, "score": None, "findings": failed, "tier": HOSTILE},
    ]
    html = report(hostile, HOSTILE)
    assert "<img" not in html and "<script" not in html and "onerror" in html
    assert all(c.isprintable() or c == "\n" for c in html) and "x" * 500 not in html
    assert len(re.findall(ROW, html)) == 3


def test_no_script_can_run_and_no_file_is_asked_for():
    html = report(small_class())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)[1]
    assert "default-src 'none'" in policy and "script" not in policy
    assert not re.search(r"<script|<link|\bsrc=|\bon\w+=|\bstyle=|url\(|href=\"(?!#)", html)


def test_the_same_results_give_the_same_bytes_in_any_order():
    shuffled = random.Random(1).sample(small_class(), len(small_class()))
    assert report(small_class()) == report(shuffled)


def test_above_400_students_the_rows_are_groups_and_the_page_stays_small():
    small, large = report(results(400)), report(results(401))
    assert len(re.findall(ROW, small)) == 400 and not re.findall(ROW, large)
    assert "20 groups" in text_of(large) and text_of(large).count("student 00") == 0
    rows = re.findall(r'<tr><th scope="row">([\d,]+)–([\d,]+)</th>', large)
    assert (rows[0][0], rows[-1][1], len(rows)) == ("1", "401", 20)
    assert len(report(results(30, ungraded=1.0))) < 1_000_000 > len(small) > len(large)


def test_what_is_missing_is_said():
    some = [r for r in small_class() if (r["student"], r["exercise"]) != ("student 00003", "08")]
    shown = text_of(report([*some, None, None]))
    assert "1 result missing." in shown and "2 lines of the file could not be read" in shown
    assert "No program made a known mistake" in report([first("right")])
    with pytest.raises(ValueError, match="no result in this file, and 2 lines could not be read"):
        report([None, None])
    with pytest.raises(TwoResults, match="student 00000 has two results for exercise 02"):
        report([small_class()[0], small_class()[0]])


def test_a_file_is_read_as_a_stream_and_bad_lines_are_left_out(tmp_path, capsys):
    path, page = tmp_path / "results.jsonl", tmp_path / "class.html"
    small = small_class()
    lines = [line_of(result) for result in small]
    bad = [
        lines[0][:50],
        "[1]",
        "{}",
        json.dumps(small_class()[0] | {"student": 3}),
        json.dumps(small_class()[0] | {"findings": ["x"]}),
        "[" * 100_000,
    ]
    path.write_text("\n".join([*lines, *bad]), encoding="utf-8")
    assert [r for r in stream(path) if r] == small and sum(r is None for r in stream(path)) == len(bad)
    assert main(["teach", "report", str(path), "-o", str(page), "--title", "Class <10b>"]) == 0
    assert "Class &lt;10b&gt;" in page.read_text(encoding="utf-8") and "Written" in capsys.readouterr().out
    path.write_text(f"{lines[0]}\n{lines[0]}\n", encoding="utf-8")
    for name, complaint in ((path, "two results"), (tmp_path / "none", "there is no file"), (tmp_path, "directory")):
        assert main(["teach", "report", str(name), "-o", str(page)]) == 2
        assert complaint in capsys.readouterr().err


@pytest.mark.sweep
def test_memory_grows_no_faster_than_the_class():
    peaks = []
    for students in (250, 500, 1000):
        tracemalloc.start()
        report(results(students))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 2.2 * peaks[1] < 2.2 * 2.2 * peaks[0]
    assert peaks[2] / 1000 < 4000  # bytes for each student

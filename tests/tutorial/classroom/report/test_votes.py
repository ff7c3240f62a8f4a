"""Live votes in the report: the counts are those of the journal, the gain is that of those who voted twice, texts are text."""

import random
from statistics import mean, stdev

import pytest

from tests.tutorial.classroom.live.classes import LESSON, begin, go, vote
from tests.tutorial.classroom.report.classes import HOSTILE, results
from tests.tutorial.classroom.report.test_page import text_of
from tutorial.classroom.live.journal import NoJournal
from tutorial.classroom.live.open_class import begun
from tutorial.classroom.live.questions.question import Choice, Question
from tutorial.classroom.live.questions.source import Lesson
from tutorial.classroom.report.page import report
from tutorial.classroom.report.statistics.gain import Gain, gain
from tutorial.classroom.report.statistics.intervals import FEWEST
from tutorial.classroom.report.statistics.votes import believed, votes
from tutorial.cli.main import main


def a_class(tmp_path, before=(0, 0, 2, 1), after=(1, 1, 2, None), hands=3):
    """Write the journal of a class whose students choose these before and after the discussion, and hands for choice 0 before it."""
    desk = begin(tmp_path)
    sids = [desk.join("") for _ in before]
    go(desk, "open")
    for sid, choice in zip(sids, before):
        vote(desk, sid, choice)
    if hands:
        desk.do({"do": "hand", "question": 0, "round": 1, "choice": 0, "count": hands})
    go(desk, "closed", "discuss", "second")
    for sid, choice in zip(sids, after):
        if choice is not None:
            vote(desk, sid, choice)
    go(desk, "both", "reveal", "end")
    desk.journal.close()
    return tmp_path / "class.jsonl"


def test_votes_are_counted_by_choice_and_by_misconception(tmp_path):
    found = votes(a_class(tmp_path))
    (asked,) = found.asked
    assert (found.title, found.students) == ("A lesson", 4)
    assert (asked.before, asked.after, asked.pairs) == ([5, 1, 1], [0, 2, 1], 3)
    assert asked.gain == Gain(2 / 3, None)  # three were wrong and voted twice, two became right
    assert [(b.id, b.before, b.after, b.chapters) for b in believed([found])] == [("M30", 1, 1, ["descent"]), ("M02", 5, 0, ["descent"])]


def test_a_question_without_a_second_vote_has_no_after(tmp_path):
    desk = begin(tmp_path)
    sid = desk.join("")
    go(desk, "open")
    vote(desk, sid, 2)
    desk.journal.close()
    found = votes(tmp_path / "class.jsonl")
    assert not found.asked[0].twice and found.asked[0].gain is None
    assert believed([found])[0][:3] == ("M30", 1, None)
    assert "→" not in text_of(report([], votes=[found])).partition("Counts of votes")[0]


def test_the_interval_of_a_gain_is_that_of_samples_drawn_again():
    """The jackknife's error agrees with the spread of gains over classes that are drawn from the same students."""
    dice = random.Random(3)
    pairs = [(dice.random() < 0.3, dice.random() < 0.7) for _ in range(200)]
    value, (low, high) = gain(pairs)
    drawn = [gain(dice.choices(pairs, k=len(pairs))).value for _ in range(400)]
    assert low < value < high and abs(mean(drawn) - value) < 0.02
    assert (high - low) / 2 / 1.96 == pytest.approx(stdev(drawn), rel=0.15)
    assert gain(pairs[: FEWEST - 1]).interval is None and gain([(True, False)] * 30) is None


def test_the_page_shows_votes_alone_or_beside_exercises(tmp_path):
    found = votes(a_class(tmp_path))
    alone = text_of(report([], votes=[found]))
    assert "5 → 0 before → after The partial derivative is the total derivative M02" in alone
    assert "Teach again: chapter 7, Descent, and two moons" in alone and "0.67, 3 students" in alone
    assert "✓ 1.1 1 (14%) 2 (67%)" in alone and "Students" not in alone
    both = text_of(report(list(results(5)), votes=[found]))
    assert both.index("Live votes") < both.index("What to teach again") < both.index("Checks to look at")
    with pytest.raises(ValueError, match="no result"):
        report([])


def test_what_a_question_says_is_text(tmp_path):
    question = Question("a", "", HOSTILE, (Choice("", "", "M02", HOSTILE), Choice("", "", "", "b")), 1, plain=HOSTILE, chapter=HOSTILE)
    desk = begun(Lesson(HOSTILE, (question,), ()), "mine.md", tmp_path / "class.jsonl")
    go(desk, "open")
    desk.do({"do": "hand", "question": 0, "round": 1, "choice": 0, "count": 1})
    desk.journal.close()
    html = report([], HOSTILE, [votes(tmp_path / "class.jsonl")])
    assert "<img" not in html and "<script" not in html and "\x1b" not in html


def test_the_command_takes_a_journal_beside_results(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a_class(tmp_path)
    assert main(["teach", "report", "class.jsonl", "-o", "class.html"]) == 0
    assert "Live votes" in (tmp_path / "class.html").read_text(encoding="utf-8")
    (tmp_path / "old.jsonl").write_text('{"schema":"tutorial/live/v1","title":"x"}\n')
    capsys.readouterr()
    assert main(["teach", "report", "old.jsonl"]) == 2
    assert "old.jsonl is not a journal that this version reads" in capsys.readouterr().err
    with pytest.raises(NoJournal):
        votes(tmp_path / "old.jsonl")
    assert LESSON.questions[0].chapter == "descent"

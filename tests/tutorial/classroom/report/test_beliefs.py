"""What a class believes: the planted misconceptions are found, no other one, and nothing is said of few students."""

from collections import Counter

from tests.tutorial.classroom.report.planted import HAD, a_class, form
from tutorial.classroom.report.beliefs import beliefs
from tutorial.classroom.report.statistics.answers import Sheet, Taken


def test_in_twenty_classes_the_report_says_what_was_planted_and_hardly_anything_else():
    """Of three planted misconceptions the course cures two. Each class has 30 students."""
    before, after, fewer, more = Counter(), Counter(), Counter(), 0
    for seed in range(20):
        for found in beliefs(a_class(seed)):
            before[found.id] += found.before.often
            after[found.id] += found.after.often
            fewer[found.id] += found.change.high < 0
            more += found.change.low > 0
    assert all(before[id] >= 18 for id in HAD) and before.total() - sum(before[id] for id in HAD) <= 3
    assert after["M05"] >= 18 and after.total() - after["M05"] <= 5
    assert fewer["M08"] >= 18 and fewer["M10"] >= 18 and fewer["M05"] <= 5
    assert more <= 20  # of 37 changes in 20 classes


def test_a_class_that_only_guesses_has_no_misconception_of_which_the_report_is_sure():
    said = [found.id for seed in range(10) for found in beliefs(a_class(seed, had={})) if found.before.often or found.after.often]
    assert len(said) <= 2  # of 10 classes with 37 misconceptions in two tests


def test_the_counts_are_those_of_the_sheets():
    questions = form("A")
    believer = tuple(next((k for k, c in enumerate(q.choices) if c.believes == "M05"), q.right) for q in questions)
    silent = (None,) * len(questions)
    tests = [Taken("A", questions, [Sheet("a", believer)] * 15 + [Sheet("b", silent)] * 10)]
    found = {belief.id: belief for belief in beliefs(tests)}["M05"]
    assert (found.items, found.before.chosen, found.before.asked) == ([2, 3, 16], 45, 75)
    assert (found.before.share.value, found.before.of_wrong.value, found.before.by_guessing) == (0.6, 1.0, 1 / 3)
    assert found.before.often and found.after is None and found.change is None and found.last is found.before


def test_of_fewer_than_20_students_there_are_counts_alone():
    tests = a_class(1, students=19)
    for found in beliefs(tests):
        assert found.change is None and not (found.before.often or found.after.often)
        assert found.before.share is None and found.after.of_wrong is None and found.before.asked == 19 * len(found.items)

"""What the report counts: the shortest message, the most points, the chapters by students, shares of those who have the exercise."""

from tests.tutorial.classroom.exports.results_for_tests import RIGHT, WRONG, result
from tutorial.classroom.report.chapters import chapter
from tutorial.classroom.report.outcome import KINDS, NAMED, UNNAMED
from tutorial.classroom.report.page import bar, exercises_with_many, ranking, share
from tutorial.classroom.report.tally import tally


def wrong(student, exercise="02", message="dz/dx is 1.", misconception="M02", **more):
    finding = {"message": message, "misconception": misconception, "mistake": "", "input": "f(3)", "got": "1", "expected": "2"}
    return result(student, exercise, WRONG, findings=[finding], **more)


def test_the_example_of_a_misconception_is_its_shortest_message_in_an_exercise():
    messages = ["a message that is longer", "bbb", "aaa", "of another length"]
    found = tally(wrong(f"s{k}", message=message) for k, message in enumerate(messages))
    assert found.examples == {("M02", "02"): "aaa"}, "the shortest one, of equally short ones the first by name"


def test_the_points_of_an_exercise_are_the_most_that_a_result_names():
    """Parts of a class may have been graded before and after an exercise got another point."""
    for order in ((2, 3, 2), (3, 2, 2), (2, 2, 3)):
        assert tally(result(f"s{k}", most=most) for k, most in enumerate(order)).of == {"02": 3}


def test_a_student_counts_once_for_a_misconception_and_each_exercise_counts_its_students():
    results = [wrong("ada", "02"), wrong("ada", "04"), wrong("ada", "08"), wrong("bob", "08"), wrong("eve", "08"), wrong("eve", "04")]
    (found,) = ranking(tally(results))
    assert (found.id, found.students) == ("M02", 3)
    assert found.exercises == [("08", 3), ("04", 2), ("02", 1)]


def test_the_chapter_to_teach_again_is_the_one_of_most_students():
    """Exercises 02 and 03 are of chapters of their own; the chapter of 08 has more students than both."""
    results = [wrong("ada", "02"), wrong("ada", "03"), *(wrong(name, "08") for name in ("ada", "bob", "eve"))]
    (found,) = ranking(tally(results))
    assert found.chapters[0] == chapter("08") and set(found.chapters) == {chapter(number) for number in ("02", "03", "08")}


def test_wrong_answers_without_a_name_are_many_above_a_tenth():
    def many(named, unnamed):
        results = [wrong(f"n{k}") for k in range(named)] + [wrong(f"u{k}", misconception="") for k in range(unnamed)]
        return exercises_with_many(tally(results))

    assert many(9, 1) == [], "one of ten is a tenth, not more"
    assert many(8, 1) == [("02", 1, 9)] and many(0, 1) == [("02", 1, 1)] and many(1, 0) == []


def test_a_group_has_the_share_of_those_who_have_the_exercise():
    found = tally([result("ada"), result("ada", "03"), result("bob"), wrong("eve", "02")])
    assert ">67<" in share(found, ["ada", "bob", "eve"], "02") and ">100<" in share(found, ["ada", "bob", "eve"], "03")
    assert share(found, ["bob"], "03") == "<td></td>"


def test_the_parts_of_a_bar_follow_each_other():
    counts = tally([result("a"), result("b"), wrong("c"), wrong("d", misconception="")]).kinds()["02"]
    assert counts == {RIGHT: 2, NAMED: 1, UNNAMED: 1}
    places = [f'x="{x:.2f}%" width="{width:.2f}%"' for x, width in ((0, 50), (50, 25), (75, 25))]
    drawn = bar(counts)
    assert [drawn.count(place) for place in places] == [1, 1, 1] and drawn.index(places[0]) < drawn.index(places[1]) < drawn.index(
        places[2]
    )
    assert [kind for kind in KINDS if counts[kind]] == [RIGHT, NAMED, UNNAMED]

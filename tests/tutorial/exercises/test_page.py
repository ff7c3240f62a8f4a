"""The page of a verdict and its words: the graph with got and is, components and arrays with the wrong entries, more at each time."""

import re

import pytest

from tests.each import each
from tutorial.exercises.authored import find, read
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.feedback import brief, in_words, told
from tutorial.exercises.checking.page import together, verdict_page
from tutorial.exercises.checking.verdict import Verdict
from tutorial.exercises.probes.probe import Probe
from viz.theme import LIGHT

ARRAYS = '''"""Product and transpose

Statement.
"""
# meta: unit=D minutes=5 difficulty=1 chapter=none call=both


import numpy as np


def both(A):
    # BEGIN SOLUTION
    return A * A, A.T
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = ("one", "two", "three")
SAID = {}


def probes(random):
    yield Probe((np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]),), {"which": {"[0]": "A * A"}})
'''


def verdict_on(number, name):
    exercise = find(number)
    return exercise, check(exercise, exercise.wrong[name].program)


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", re.sub(r"<(style|script).*?</\1>", "", page.html, flags=re.S)))


def test_the_page_draws_the_graph_with_got_and_is_and_lists_the_components():
    html = verdict_page(*verdict_on("02", "only-y2")).html
    svg = re.search(r"<svg.*</svg>", html, re.S)[0]
    assert "got 14" in svg and "is 16" in svg and "✓ 19" in svg
    assert "<pre" in html and "figure1(2, 3, 5, 7)" in html
    assert re.findall(r'<tr class="wrong"><th scope="row">(\w+)</th>', html) == ["x4"]


def test_one_number_stands_at_its_variable():
    exercise, found = verdict_on("03", "first-path")
    assert "got 5" in verdict_page(exercise, found).html and "is 10" in verdict_page(exercise, found).html
    assert together(exercise, found) is not None


MARKED = {  # a wrong answer: what is marked at the variables
    ("01", "grandchildren"): {"z": ("in", "not in")},
    ("05", "all-others"): {"y2": ("in", "not in"), "z": ("in", "not in")},
    ("05", "first-input"): {"x2": ("not in", "in"), "x3": ("not in", "in"), "x4": ("not in", "in")},
    ("06", "neighbours"): {"x3": ("place 2", "after y1")},
    ("06", "accepts-duplicates"): {"x2": ("places 7, 8", "once")},
    ("06", "accepts-missing"): {"x2": ("not in", "in")},
    ("07", "first-sight"): {"a": ("place 2", "after y")},
    ("07", "unrelated"): {"w": ("place 2", "not in"), "c": ("place 4", "not in")},
}


@each("answer", MARKED)
def test_a_wrong_member_of_a_set_or_an_order_is_marked_in_the_graph(answer):
    exercise, found = verdict_on(*answer)
    texts = re.findall(r'title="(\w+) = [^"]*?, got ([^"]*), right is ([^"]*)"', verdict_page(exercise, found).html)
    assert {name: (got, right) for name, got, right in texts} == MARKED[answer], texts
    assert together(exercise, found) is None


def test_the_rule_comes_the_second_time_and_then_the_hints():
    exercise, found = verdict_on("08", "overwrite")
    texts = [text_of(verdict_page(exercise, found, times)) for times in (1, 2, 3, 4, 5, 6)]
    assert ["You overwrote" in text for text in texts] == [False, True, True, True, True, True]
    assert ["M03" in text for text in texts] == [False, True, True, True, True, True]
    assert [re.findall(r"Hint (\d)", text) for text in texts] == [[], [], ["1"], ["2"], ["3"], []]
    assert all("Which functions use a" in text for text in texts)
    assert told(found, 3, checks(exercise).hints)[-1].startswith("Hint 1: Try a variable")


def test_both_engines_step_to_the_first_difference():
    assert "should be" in together(*verdict_on("08", "overwrite")).html
    assert together(*verdict_on("07", "levels")) is None
    assert together(*verdict_on("08", "transposed")) is None


@pytest.mark.parametrize(("number", "name"), [("07", "levels"), ("08", "transposed"), ("11", "keeps-gradients")])
def test_pages_of_other_verdicts(number, name):
    exercise, found = verdict_on(number, name)
    assert found.title in text_of(verdict_page(exercise, found)) and ("<svg" in verdict_page(exercise, found).html) == (number != "11")


def test_wrong_entries_of_an_array_show_both_numbers():
    exercise = read("99", ARRAYS)
    found = check(exercise, "def both(A):\n    return A + A, A.T")
    html = verdict_page(exercise, found).html
    assert re.findall(r"<del>(.*?)</del> <ins>(.*?)</ins>", html) == [("2", "1"), ("6", "9"), ("8", "16"), ("10", "25")]
    assert found.observed == ("A * A is [[2, 4, 6], [8, 10, 0]]. It should be [[1, 4, 9], [16, 25, 0]]. The first wrong entry is [0, 0].")
    assert "A * A: yours, and the right number where it differs" in text_of(verdict_page(exercise, found))
    shapes = check(exercise, "def both(A):\n    return A * A, A")
    assert shapes.title == "[1] has the wrong shape" and "<del>" not in verdict_page(exercise, shapes).html


def test_an_array_of_more_than_two_axes_is_shown_in_slices():
    exercise = read("99", ARRAYS.replace("np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]])", "np.arange(8.0).reshape(2, 2, 1, 2)"))
    html = verdict_page(exercise, check(exercise, "def both(A):\n    return A + A, A.T")).html
    assert re.findall(r"<caption>(.*?)</caption>", html) == ["[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"]
    assert re.findall(r"<del>(.*?)</del> <ins>(.*?)</ins>", html) == [(f"{2 * k}", f"{k * k}") for k in (1, 3, 4, 5, 6, 7)]


def test_in_a_graph_of_arrays_wrong_entries_are_red_and_their_box_has_a_red_frame():
    exercise, found = verdict_on("21", "only-sum")
    red = re.findall(rf'<(\w+) [^>]*?(?:fill|stroke)="({LIGHT.not_finite}|{LIGHT.not_finite_fill})"', verdict_page(exercise, found).html)
    wrong = int((found.answer["B"] != found.right["B"]).sum())
    assert wrong == 4 and sorted(tag for tag, _ in red) == ["path", *["polygon"] * wrong, *["text"] * wrong]
    shapes = check(find("20"), "import numpy as np\ndef matmul_backward(A, B, G):\n    return np.ones(7), G @ B.T")
    assert "<svg" in verdict_page(find("20"), shapes).html


def test_a_right_program_and_one_that_is_not_started():
    exercise = find("02")
    assert "for all 4 inputs" in text_of(verdict_page(exercise, check(exercise, exercise.solution)))
    assert "still the one that is given" in text_of(verdict_page(exercise, check(exercise, exercise.given), 3))


def test_what_a_learner_writes_is_text():
    exercise = find("02")
    hostile = "<img src=x onerror=alert(1)>"
    for program in (f"def figure1(*x): return {{'x1': {hostile!r}}}", f"def figure1(*x): raise ValueError({hostile!r})"):
        found = check(exercise, program)
        assert "<img" not in verdict_page(exercise, found, 3).html and "<img" in in_words(found)


def test_a_call_of_several_lines_and_names_of_parts_in_the_terminal():
    words = in_words(verdict_on("03", "used-once")[1])
    assert "    inputs = {'a': [], 'z': ['a', 'a']}\n    partial = {('z', 'a'): " in words
    assert "    path_sum('z', 'a', inputs, partial)\n    z uses a twice\n" in words and "\n    dz/da  " in words


def test_words_for_the_terminal():
    assert (
        in_words(verdict_on("02", "only-y2")[1], 2)
        == """\
x4 is wrong

    figure1(2, 3, 5, 7)

        your answer  right
    y1  2            2
    y2  1            1
    x1  19           19
    x2  2            2
    x3  2            2
    x4  14           16     <- wrong

dz/dx4 was 14, expected 16: you followed y2 but not y1.

Which functions use x4?"""
    )


def test_a_long_call_and_a_long_table_leave_room_for_the_message():
    lines = [f"x{k} = {k}" for k in range(40)]
    assert brief(lines) == ["x0 = 0", "x1 = 1", "x2 = 2", "x3 = 3", "… 34 lines left out …", "x38 = 38", "x39 = 39"]
    right = {f"x{k}": k for k in range(24)}
    found = Verdict("wrong", "", probe=Probe(()), answer=right | {"x3": 0}, right=right, difference=True, input="\n".join(lines))
    shown = in_words(found)
    assert "x3  0            3      <- wrong" in shown and "not shown: 23 right" in shown and len(shown.splitlines()) < 16
    assert "not shown: 14 more wrong" in in_words(found._replace(answer={}))


def test_a_page_says_which_exercise_it_is_and_links_to_the_steps():
    exercise, found = verdict_on("02", "only-y2")
    html = verdict_page(exercise, found, steps="02-steps.html").html
    assert (
        "Exercise 02: Figure 1 on paper" in html
        and '<a href="02-steps.html">' in html
        and "<a href" not in verdict_page(exercise, found).html
    )

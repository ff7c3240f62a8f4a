"""Exercises whose answer is a graph: what a graph shows depends on its shape, not on its names; unreadable graphs are explained."""

from tests.each import each
from tutorial.exercises.authored import find
from tutorial.exercises.check import check
from tutorial.exercises.given_graphs import MOST_LINES, NoGraph, read
from tutorial.exercises.page import page, together

WALK = find("36")


def verdict(lines):
    return check(WALK, f"graph = {lines!r}")


NAMES = {
    "one-user": ["q = 7", "r = q - q", "z = r * r"],
    "leaf": ["q = 7", "r = 2", "s = q * r", "t = s - q", "z = t + r"],
    "tree": ["z = 4"],
    "other-way-round": ["q = 7", "r = q + q", "s = r * q", "z = s - r"],
    "no-effect": ["q = 7", "o = 0", "r = q + q", "s = r * o", "t = r + s", "z = t * o"],
    "dead-branch": ["q = 7", "r = q + q", "s = r * r", "t = r * r", "z = s + q"],
}


@each("name", NAMES)
def test_a_graph_of_the_same_shape_gets_the_same_name(name):
    found = verdict(NAMES[name])
    assert found.name == name and "give the same: dz/d" in found.observed or name == "tree", found
    assert found.expected == "" and WALK.solution not in str(found[:12]), "no right graph is told"


def test_a_right_graph_shows_both_numbers_and_draws_them():
    found = verdict(["a = 3", "h = a * a", "m = h * h", "z = h + m"])
    assert found.said == "On your graph the engine gives dz/da = 6. Equation (1) gives dz/da = 114."
    html = page(WALK, found).html
    assert "got 6" in html and "is 114" in html
    assert together(WALK, found) is not None


UNREADABLE = {
    "Line 2 uses b, which no line above makes.": ["a = 3", "z = a * b"],
    "Line 2 makes a again": ["a = 3", "a = 4"],
    "None of the 1 lines makes z.": ["a = 3"],
    "None of the 0 lines makes z.": [],
    "Line 1 is 'a = 1e9'": ["a = 1e9"],
    "Line 1 is '__import__'": ["__import__"],
    "Line 1 is 'variable = 3'": ["variable = 3"],
    f"The graph has {MOST_LINES + 1} lines.": ["a = 3"] * (MOST_LINES + 1),
    "The value of a, or its derivative, is larger than 1,000,000.": ["a = 999", "b = a * a", "d = b * b", "z = d + d"],
    "A graph is a list of lines": "z = 3",
    "A graph is a list": [3],
    "A graph is a list of": None,
}


@each("said", UNREADABLE)
def test_what_is_no_graph_is_explained_and_never_right(said):
    try:
        read(UNREADABLE[said])
    except NoGraph as wrong:
        assert str(wrong).startswith(said)
    else:
        raise AssertionError(said)
    found = verdict(UNREADABLE[said])
    assert found.state == "wrong" and found.said.startswith(said) and page(WALK, found).html

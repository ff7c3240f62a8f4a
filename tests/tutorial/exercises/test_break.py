"""Exercises whose answer is a graph: what a graph shows depends on its shape, not on its names; unreadable graphs are explained."""

from tests.each import each
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.page import together, verdict_page
from tutorial.exercises.given_graphs import MOST_LINES, NoGraph, read

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
    html = verdict_page(WALK, found).html
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
    "The value of a, or its derivative, is larger than 1,000,000,000,000,000.": ["a = 999", "b = a * a", "d = b * b", "z = d * d"],
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
    assert found.state == "wrong" and found.said.startswith(said) and verdict_page(WALK, found).html


def test_shapes_that_hide_a_mistake_show_the_wrong_numbers():
    shapes = find("37")
    found = check(shapes, "shapes = (3, 3), (3, 1)")
    html = verdict_page(shapes, found).html
    assert "3 of its numbers are wrong" in found.said and html.count("<del>") == 3 and "the engine's" in html
    loud = check(shapes, "shapes = [[5, 4, 3], [5, 1, 3]]")
    assert loud.name == "loud" and "<del>" not in verdict_page(shapes, loud).html and not loud.right


IMPOSTORS = find("38")
LINES = ["a = 2", "b = 3", "h = a * b", "m = h * h", "z = h - m"]


def of_tests(*tests):
    return check(IMPOSTORS, f"tests = {list(tests)!r}")


def test_a_test_that_expects_a_wrong_number_accuses_right_engines_and_is_drawn():
    found = of_tests((LINES, 5, {"a": -165}), (LINES, 5, {"a": -165, "b": 0}))
    assert found.name == "wrong-number" and "accuse 3 of 3 right ones. In test 2 you expect 0 for b" in found.said
    html = verdict_page(IMPOSTORS, found).html
    assert "got 0" in html and "is −110" in html and together(IMPOSTORS, found) is None


def test_what_escapes_is_named_and_no_right_test_is_told():
    found = of_tests((LINES, 5, {"a": -165, "b": -110}))
    assert found.name == "no-dead-branch" and "you catch 7 of 9 wrong engines, and accuse 0 of 3" in found.said
    assert of_tests().name == "tree" and "w = y" not in str(found[:12])


BAD_TESTS = {
    "tests must be a list": 3,
    "Test 1 must be a tuple of three": (LINES, 5),
    "Test 1: None of the 1 lines makes z.": (["a = 3"], 1, {"a": 1}),
    "The upstream gradient of test 1": (LINES, 1.5, {"a": 1}),
    "Test 1 must expect gradients": (LINES, 1, {"a": "2"}),
    "Test 1 expects a gradient of 'h'": (LINES, 1, {"h": 2}),
}


@each("said", BAD_TESTS)
def test_what_is_no_test_is_explained(said):
    bad = BAD_TESTS[said]
    found = of_tests(bad) if bad != 3 else check(IMPOSTORS, "tests = 3")
    assert found.state == "wrong" and found.said.startswith(said) and verdict_page(IMPOSTORS, found).html


@each(
    ("line", "said"),
    [
        ("b = a + ac = b + a", "is a comma missing"),
        ("b a", "It has no ="),
        ("result = a * a", "at most four letters"),
        ("b = a / a", "+, - and *"),
        ("b = (a * a)", "no brackets"),
        ("b = 2.5", "none of these integers"),
        ("b = 10000", "none of these integers"),
        ("b = a + a + a", "two inputs"),
        ("b = 2 * a", "give the number a name"),
        ("b = a", "another name"),
    ],
    ids=lambda value: value,
)
def test_a_text_that_is_no_line_of_a_graph_hears_why(line, said):
    exercise = find("36")
    found = check(exercise, exercise.solution.replace('"b = 3"', f'"{line}"'))
    assert found.said.startswith(f"Line 2 is '{line}'.") and said in found.said


@each(
    ("shapes", "said"),
    [
        ("(3, 3), (3)", "3 is a number"),
        ("(6, 3), (6, 1)", "6 is none of these lengths"),
        ("((3, 3),)", "Here are 1"),
        ("(1, 2, 3, 4), (1,)", "more axes"),
    ],
    ids=lambda value: value,
)
def test_shapes_that_are_no_pair_hear_why(shapes, said):
    exercise = find("37")
    assert said in check(exercise, exercise.solution.replace("(3, 3), (3, 1)", shapes)).said

"""The inventory: twenty items in two parallel forms, each wrong answer a known mistake, and each number that of the engine."""

import re
from fractions import Fraction
from types import SimpleNamespace

import pytest

from scalargrad import Trace, Value
from tests.each import each
from tutorial.book.teaching import plan
from tutorial.classroom import inventory
from tutorial.classroom.inventory import NAMES
from tutorial.classroom.live.questions.source import form, inventory_test
from tutorial.classroom.report.statistics.gain import gain, gain_of_groups
from tutorial.cli.main import main
from tutorial.exercises.broken_engine.known_mistakes import scattered
from tutorial.misconceptions import MISCONCEPTIONS
from tutorial.reading.chapter import BOOK

NUMBER = re.compile(r"[−+]?\d[\d.,/]*|[⁰¹²³⁴-⁹]+")
WRITTEN = {  # item: the right answer of each form, computed on paper
    1: ("0.4", "1"),
    2: ("13", "14"),
    3: ("15", "14"),
    4: ("10", "13"),
    7: ("6", "10"),
    8: ("12", "20"),
    9: ("At any one of 1, 2 and 4", "At any one of 1, 2 and 5"),
    10: ("[2, 2]", "[5, 5]"),
    11: ("G Bᵀ", "Aᵀ G"),
    12: ("−1/8", "−1/9"),
    13: ("4", "9"),
    14: ("(9, 12)", "(15, 12)"),
    15: ("(3, 7, 11) in the shape (3, 1)", "(8, 4, 12) in the shape (3, 1)"),
    16: ("(18, 16)", "(19, 10)"),
    18: ("6", "20"),
    19: ("2.6", "4.4"),
}


@pytest.fixture(scope="module")
def forms():
    return {letter: form(letter) for letter in NAMES.values()}


def texts(question):
    return [choice.plain for choice in question.choices]


def test_it_is_a_draft_of_twenty_items_whose_wrong_answers_are_named_each_by_a_mistake_of_its_own(forms):
    assert [found.title for found in map(inventory_test, "AB")] == [
        f"Concept inventory of backpropagation (draft), {when} the course" for when in ("before", "after")
    ]
    assert {len(questions) for questions in forms.values()} == {20}
    for question in forms["A"]:
        believed = [choice.believes for choice in question.choices]
        assert believed.pop(question.right) == "" and set(believed) <= set(MISCONCEPTIONS) and question.chapter, question.plain
        assert len(set(believed)) == len(believed) == 3, question.plain
        assert all(choice.reply for choice in question.choices)
    assert {question.right for question in forms["A"]} == {0, 1, 2, 3}
    assert [number for number, question in enumerate(forms["A"], 1) if question.picture()] == [5, 7]


def test_the_forms_ask_the_same_by_other_numbers(forms):
    """Without its numbers an item says the same in both forms; with them no item is the same twice."""
    without = lambda text: NUMBER.sub("#", text)
    other_words = {5, 6, 9, 11, 17}  # another formula, the other input, one place more, one second or two
    for number, (a, b) in enumerate(zip(*forms.values()), 1):
        assert (a.right, a.chapter, [c.believes for c in a.choices]) == (b.right, b.chapter, [c.believes for c in b.choices]), number
        assert a.plain != b.plain, number
        if number not in other_words:
            assert without(a.plain) == without(b.plain) and list(map(without, texts(a))) == list(map(without, texts(b))), number


def meanings(text):
    """Return what a choice can be taken for: its text, what stands before its reason, and its numbers alone."""
    plain = text.casefold().replace("−", "-")
    yield plain
    yield re.split(r": |; | because ", plain)[0] if not plain.startswith(("neither", "they")) else plain
    if re.fullmatch(r"[-+\d./ ()\[\],]+", plain):
        yield tuple(map(Fraction, re.findall(r"-?[\d./]+", plain)))


def test_no_two_choices_are_equal_under_another_reading_and_none_reads_as_a_shape(forms):
    for letter, questions in forms.items():
        for number, question in enumerate(questions, 1):
            found = [set(meanings(text)) for text in texts(question)]
            for k, one in enumerate(found):
                assert not any(one & other for other in found[:k]), (letter, number, texts(question))
            if "rows" in question.plain:
                assert not set(texts(question)) & {"(3, 2)", "(2, 3)", "(2, 2)", "(3,)", "(2,)"}, (letter, number)


def test_each_right_number_is_that_which_was_computed_on_paper(forms):
    """The cells compute them by the engine; the list was computed without it."""
    right = {n: tuple(question.choices[question.right].plain for question in item) for n, item in enumerate(zip(*forms.values()), 1)}
    assert {n: right[n] for n in WRITTEN} == WRITTEN


@each("letter, a", [("A", 3), ("B", 5)])
def test_the_walk_of_item_7_gives_what_an_engine_gives_that_visits_each_variable_once_in_that_order(forms, letter, a):
    graph = SimpleNamespace(z="z", made=["a", "h", "m", "z"], inputs={"a": [], "h": ["a", "a"], "m": ["h", "h"], "z": ["h", "m"]})
    graph.partials = {"a": [], "h": [a, a], "m": [a * a, a * a], "z": [1, 1]}
    question = forms[letter][6]
    assert texts(question)[question.right] == str(scattered(graph, ["z", "h", "a", "m"])["a"])
    assert texts(question)[0].startswith(str(scattered(graph, ["z", "m", "h", "a"])["a"]))


def test_one_backward_pass_uses_each_edge_once_however_many_parameters_and_paths_there_are():
    """Item 17 asks for its time. The steps of the pass grow with the edges alone."""

    def steps(parameters, doubled):
        total = sum((Value(1) for _ in range(parameters)), start=Value(0))
        for _ in range(doubled):  # each time twice as many paths
            total = total + total
        return len(Trace(total))

    assert steps(20, 0) - steps(10, 0) == steps(30, 0) - steps(20, 0) and steps(10, 20) - steps(10, 10) == steps(10, 10) - steps(10, 0)


def test_the_version_for_students_has_no_inventory_and_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(inventory, "ITEMS", tmp_path / "items.md")
    assert "inventory" not in dict(plan.pages(BOOK, None))["teachers.md"]
    assert main(["teach", "live", "inventory", "--journal", str(tmp_path / "class.jsonl")]) == 2
    assert "the version for students has no inventory" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_half_of_all_marks_begin_with_the_other_form():
    marks = [f"{a}{b}{day:02}" for a in "ABDEGKLMNRST" for b in "ENRT" for day in range(1, 32)]
    assert 0.46 < sum(inventory.other_form_first(mark, "") for mark in marks) / len(marks) < 0.54


def test_a_harder_form_is_no_loss_of_a_class_that_learns_nothing():
    """Everybody is right in all of form A, and in half of form B. If all took A first, the class would seem to forget."""
    marks = [f"{letters}{day:02}" for letters in ("ET", "LM", "RN") for day in range(1, 32)]
    first = [mark for mark in marks if not inventory.other_form_first(mark, "")][:30]
    second = [mark for mark in marks if inventory.other_form_first(mark, "")][:30]
    of_a, of_b = 1.0, 0.5
    mixed = [(of_a, of_b)] * len(first) + [(of_b, of_a)] * len(second)
    assert gain(mixed).value == 0 and gain_of_groups(*zip(*mixed)).value == 0 and gain([(0.9, of_b)] * 60).value == pytest.approx(-4)

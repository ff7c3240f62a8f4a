"""What the book's figures show is what the engines compute, at the start of each figure and at two other states."""

import re

import numpy as np

from tests.each import swept
from tests.tutorial.book.figures import engine, later_chapters
from tutorial.book.figures.figure import figures
from tutorial.reading.chapter import Text, blocks_of, chapters

NUMBERS = engine.NUMBERS | later_chapters.NUMBERS
PLACED = re.compile(r"^:::\{figure\} (\S+)$", re.M)


@swept("name", figures(), every=8)
def test_the_numbers_of_a_figure_are_those_of_the_engine(name):
    facts = figures()[name]["facts"]
    assert len(facts) >= 3 and len({str(fact["numbers"]) for fact in facts}) == len(facts)
    for fact in facts:
        right = NUMBERS[name](**fact["state"])
        assert fact["numbers"].keys() == right.keys()
        for what, number in fact["numbers"].items():
            np.testing.assert_allclose(number, right[what], rtol=1e-12, atol=1e-12, err_msg=f"{what} at {fact['state']}", strict=False)


def test_no_figure_stands_in_two_chapters_and_all_that_stand_there_exist():
    placed = [name for chapter in chapters() for name in PLACED.findall(chapter.markdown)]
    assert len(placed) == len(set(placed)) and set(placed) <= set(figures())


def test_a_notebook_and_a_terminal_have_the_caption_in_place_of_a_figure():
    assert blocks_of(":::{figure} tangent\nThe slope of a line.\n:::\n") == [Text("*Here the site has a figure.* The slope of a line.")]


def test_the_table_of_a_function_shows_the_sum_from_which_the_chapter_derives_its_rule():
    said = figures()["jacobian"]["said"]
    terms, total = re.search(r"its column times G: (.*) = <b.*?>(.*?)</b>", said).groups()
    number = lambda text: float(text.strip("()").replace("−", "-"))
    products = [[number(factor) for factor in term.split(" · ")] for term in terms.split(" + ")]
    assert len(products) == 4 and abs(sum(a * b for a, b in products) - number(total)) < 0.05 and "engine computes" not in said


def test_a_still_picture_has_words_that_can_be_read_and_no_other_file():
    for name, figure in figures().items():
        assert figure["does"] and "<text" in figure["picture"] and not re.search(r"href|url\(|NaN|undefined", figure["picture"]), name
        assert not re.search("NaN|undefined", figure["said"]), name

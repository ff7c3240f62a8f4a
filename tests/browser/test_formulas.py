"""Formulas are whole in every browser: none is broken into two lines, no bracket is too low, no sum and no sentence is cut."""

import pytest

pytestmark = pytest.mark.every_browser

CUT = "selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).map(e => e.scrollWidth - e.clientWidth)"
EQUATION = "[...document.querySelector('.rule > math').children].map(e => e.getBoundingClientRect()).map(e => [e.top, e.bottom])"
MATRICES = """[...document.querySelectorAll('mtable')].filter(e => e.checkVisibility({visibilityProperty: true})).map(e =>
    [e, e.previousElementSibling, e.nextElementSibling].map(e => e.getBoundingClientRect().height))"""


@pytest.mark.parametrize("name", ["figure1", "ten children", "matrices"])
def test_the_chain_rule_stands_in_one_line(visit, saved, name):
    """A part below another one would begin after it ends."""
    parts = visit(saved(name), "#step=28").page.evaluate(EQUATION)
    assert len(parts) >= 4 and max(top for top, _ in parts) < min(bottom for _, bottom in parts)


def test_brackets_are_as_tall_as_their_matrix(visit, saved):
    player = visit(saved("matrices"), "#step=43")
    matrices = player.page.evaluate(MATRICES)
    assert matrices and all(bracket > 0.85 * matrix for matrix, *brackets in matrices for bracket in brackets)


@pytest.mark.parametrize("width", [1280, 1120, 1440, 1920])
def test_no_term_of_a_long_sum_is_cut(visit, saved, width):
    player = visit(saved("ten children"), "#step=66", viewport={"width": width, "height": width * 9 // 16})
    assert player.page.evaluate(CUT, ".rows:not(.behind)") == [0]


@pytest.mark.parametrize("name", ["figure1", "two layers", "matrices", "ten children"])
def test_no_sentence_of_the_act_nudge_is_cut(visit, saved, name):
    player = visit(saved(name), "#nudge=1")
    whole = "() => [...document.querySelectorAll('.sentences')].every(e => e.scrollHeight <= e.clientHeight)"
    assert player.at(range(1, player.steps + 1), whole) == [True] * player.steps

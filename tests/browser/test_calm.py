"""At first sight the page shows little: few controls, few words, no tab without a name. Who asks for more gets the rest."""

import pytest

from tests.each import few_of
from tests.viz.graphs_of_others import PROGRAMS

MOST_CONTROLS, MOST_WORDS = 15, 110
# What the Tab key stops at, and what a screen reader calls it, in the window.
CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, summary, [tabindex]')].filter(e => {
    const {left, top, right, bottom} = e.getBoundingClientRect();
    return !e.disabled && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true})
        && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}).map(e => e.id || e.className || e.textContent)"""
# Words of sentences, labels and buttons. A formula is not words.
WORDS = """() => {
    const walker = document.createTreeWalker(document.querySelector('#player'), NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const {data, parentElement: e} = walker.currentNode, {width, height, top} = e.getBoundingClientRect();
        const seen = e.checkVisibility({visibilityProperty: true}) && width > 1 && height > 1 && top < innerHeight;
        if (seen && !e.closest('math, svg')) found.push(...(data.match(/\\S*\\p{L}\\S*/gu) ?? []));
    }
    return found;
}"""
TABS = """() => [...document.querySelectorAll('#bar > div')].map(e => {
    const name = e.querySelector('span'), {left, right, height} = e.getBoundingClientRect(), text = name.getBoundingClientRect();
    const isRead = name.textContent.trim() && name.checkVisibility({visibilityProperty: true});
    return [height, isRead && text.left >= left - 1 && text.right <= right + 1]})"""


@pytest.fixture
def opened(visit, saved):
    """opened("figure1") is the page at first sight: at the question, where `play` without options opens it."""
    return lambda name, hash="": visit(saved(name), hash if name in PROGRAMS else hash or "#question=1")


FEW = "figure1", "two layers", "thousand", "spring", "convolution", "long_names"


@pytest.mark.parametrize("name", few_of(["figure1", "matrices", "two layers", "thousand", *PROGRAMS], FEW))
def test_at_first_sight_there_are_few_controls_and_few_words(opened, name):
    page = opened(name).page
    controls, words = page.evaluate(CONTROLS), page.evaluate(WORDS)
    assert len(controls) <= MOST_CONTROLS, controls
    assert len(words) <= MOST_WORDS, words


@pytest.mark.parametrize(
    "name",
    few_of(
        ["figure1", "matrices", "two layers", "ten children", "long_names", "rnn", "hub", "convolution"],
        ["figure1", "ten children", "long_names", "hub"],
    ),
)
def test_a_tab_of_progress_has_a_name_or_is_a_part_of_a_line(opened, name):
    player = opened(name)
    for size in (1280, 720), (390, 844):
        player.resize(*size)
        for act in "question", "nudge", "backward", "use":
            player.page.evaluate("act => player.enter(act, 0)", act)
            tabs = player.page.evaluate(TABS)
            assert all(named or height < 20 for height, named in tabs), (size, act, tabs)


def test_where_the_names_fit_all_parts_have_theirs(opened):
    named = [named for _, named in opened("two layers").page.evaluate(TABS)]
    assert len(named) > 5 and all(named)


def test_the_mouse_and_the_screen_reader_learn_the_name_of_each_part(opened):
    player = opened("two layers", "#step=200")
    slider = player.page.locator("#slider")
    part, total, name = player.page.evaluate("""() => {
        const {current, step: {iteration}} = player.state, {variables, parts} = player.run;
        return [iteration, parts.length - 2, variables[current].name]}""")
    name = f"iteration {part} of {total}, {name}"
    assert slider.get_attribute("aria-valuetext") == f"step 200 / {player.steps}, {name}"
    now = player.page.locator("#bar .now").bounding_box()
    player.page.mouse.move(now["x"] + now["width"] / 2, now["y"] + 2)
    assert slider.get_attribute("title") == name


def test_a_tab_with_a_formula_says_its_name_too(opened):
    player = opened("figure1", "#nudge=1")
    assert player.page.locator("#slider").get_attribute("aria-valuetext").startswith("step 1 / 7, nudge ")


def test_the_tab_key_stops_at_the_graph_once_and_then_at_each_of_its_parts(opened):
    player = opened("figure1", "#nudge=1")
    assert player.page.evaluate("document.querySelectorAll('#graph [tabindex=\"0\"]').length") == 1
    player.page.locator("#help").focus()
    player.press("Tab")
    focused = lambda: player.page.evaluate("document.activeElement.closest('#graph') && document.activeElement.id")
    seen = []
    while focused() is not None:
        seen.append(focused())
        player.press("Tab")
    assert seen[:7] == [f"node-{k}" for k in range(7)] and set(seen[7:]) == {""}, "boxes come before the labels of arrows"
    player.press("Shift+Tab")
    assert focused() is not None
    player.page.locator("#next").focus()
    assert player.page.evaluate("document.querySelectorAll('#graph [tabindex=\"0\"]').length") == 1


def test_the_tab_key_stops_at_a_box_while_it_scrolls(opened):
    player = opened("two layers", "#step=200")
    scrolls = lambda: player.page.evaluate("""() => [...document.querySelectorAll('[data-scrolls]')].every(e => {
        const {overflowX, overflowY} = getComputedStyle(e);
        const wide = e.scrollWidth > e.clientWidth + 1, high = e.scrollHeight > e.clientHeight + 1;
        return (e.tabIndex === 0) === (wide && overflowX === 'auto' || high && overflowY === 'auto')})""")
    stops = lambda: player.page.evaluate("document.querySelectorAll('[data-scrolls][tabindex=\"0\"]').length")
    assert stops() and scrolls()
    sentences = player.page.locator(".sentences")
    for height, stop in ("1rem", "0"), ("", None):
        sentences.evaluate("(e, height) => { e.style.maxHeight = height; dispatchEvent(new Event('resize')); }", height)
        assert sentences.get_attribute("tabindex") == stop and scrolls()


def test_the_list_of_keys_says_what_the_acts_are_about(opened):
    player = opened("figure1")
    player.press("?")
    assert player.texts("#about li") == [
        "Question: One question, and the numbers in it.", "Nudge: Change an input. See what arrives at z.",
        "Backward: Find all derivatives in one walk back from z.", "Use: Check the answers. Then make z smaller.",
    ]  # fmt: skip

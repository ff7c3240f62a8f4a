"""On a phone, what is wider than its place shows that it scrolls, and keys scroll it."""

import pytest

from tests.browser.chapters import uncovered
from tests.browser.player import until_true

pytestmark = pytest.mark.every_browser

PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1600, "height": 900}
OF_A_CHAPTER = (".cell_output:has(svg.auto)", ".cell_input pre", "div.math")  # a graph, a program, a formula
ELSEWHERE = {"how-fast": ".table-wrapper", "functions/softmax": ".drawing"}
EDGES = """box => {
    const shadows = getComputedStyle(box).backgroundImage.split("linear-gradient(").slice(1);
    return shadows.map(shadow => (shadow.startsWith("to left") ? "right" : "left")).join(" and ");
}"""  # at which a shadow stands


def shows_its_edges(page, selector):
    page.locator(f"{selector}.more-right:not(.more-left)").first.wait_for()
    box = page.locator(f"{selector}.more-right").first.element_handle()
    assert box.evaluate(EDGES) == "right", selector
    box.focus()
    page.keyboard.press("ArrowRight")
    until_true(page, "box => box.scrollLeft && box.matches('.more-left')", box)
    box.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    until_true(page, "box => !box.matches('.more-right')", box)
    assert box.evaluate(EDGES) == "left", selector


def test_a_shadow_stands_at_each_edge_beyond_which_there_is_more(site, visit):
    page = uncovered(visit(site / "chapters" / "inductive-chain-rule.html", viewport=PHONE).page)
    for selector in OF_A_CHAPTER:
        shows_its_edges(page, selector)
    page.evaluate("document.body.dataset.theme = 'dark'")
    shadow = page.locator("pre.more-right").first.evaluate("box => getComputedStyle(box).backgroundImage")
    assert "rgba(0, 0, 0, 0.8)" in shadow, "a shadow does not glow in the dark"
    page.set_viewport_size(WIDE)
    until_true(page, "() => !document.querySelector('div.math:is(.more-left, .more-right, [tabindex])')")


@pytest.mark.parametrize("name", ELSEWHERE)
def test_tables_and_pictures_of_other_pages_have_them_too(name, site, visit):
    shows_its_edges(visit(site / f"{name}.html", viewport=PHONE).page, ELSEWHERE[name])

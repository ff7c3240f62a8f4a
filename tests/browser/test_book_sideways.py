"""On a phone, what is wider than its place shows that it scrolls, and keys scroll it. All else fits, and each line can be read."""

import pytest

from tests.browser.chapters import FLAWS, uncovered
from tests.browser.player import until_true
from tests.each import each
from tutorial.reading.chapter import BOOK

CHAPTERS = [f"chapters/{path.stem}" for path in sorted((BOOK / "chapters").glob("*.md"))]
SAMPLE = ["exercises", "functions/softmax", *CHAPTERS[::9]]

PHONE, LAPTOP, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 720}, {"width": 1600, "height": 900}
OF_A_CHAPTER = (".cell_output:has(svg.auto)", ".cell_input pre", "div.math")  # a graph, a program, a formula
ELSEWHERE = {"how-fast": ".table-wrapper", "functions/softmax": ".drawing"}
PLANTED = """
  <p style="width: 2000px">too wide</p>
  <p style="opacity: 0.4">too weak</p>
  <p style="width: 4em; overflow-wrap: anywhere">Backpropagation</p>
  <p style="width: 5em"><span style="display: inline-block; width: 5em">a formula</span>, and a comma</p>
  <p style="display: table"><b>x,</b> <b>y</b></p>"""
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


@pytest.mark.every_browser
def test_a_shadow_stands_at_each_edge_beyond_which_there_is_more(site, visit):
    page = uncovered(visit(site / "chapters" / "inductive-chain-rule.html", viewport=PHONE).page)
    for selector in OF_A_CHAPTER:
        shows_its_edges(page, selector)
    page.evaluate("document.body.dataset.theme = 'dark'")
    shadow = page.locator("pre.more-right").first.evaluate("box => getComputedStyle(box).backgroundImage")
    assert "rgba(0, 0, 0, 0.8)" in shadow, "a shadow does not glow in the dark"
    page.set_viewport_size(WIDE)
    until_true(page, "() => !document.querySelector('div.math:is(.more-left, .more-right, [tabindex])')")


@pytest.mark.every_browser
@pytest.mark.parametrize("name", ELSEWHERE)
def test_tables_and_pictures_of_other_pages_have_them_too(name, site, visit):
    shows_its_edges(visit(site / f"{name}.html", viewport=PHONE).page, ELSEWHERE[name])


def flaws(page):
    """Return what cannot be read well on a page, on a phone and on a laptop, in both themes."""
    found = []
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        for theme in ("light", "dark"):
            page.evaluate("theme => { document.body.dataset.theme = theme; }", theme)
            found += [(size["width"], theme, flaw) for flaw in page.evaluate(FLAWS)]
    return found


@each("name", SAMPLE)
def test_each_line_of_a_page_fits_and_can_be_read(name, site, visit):
    assert not flaws(uncovered(visit(site / f"{name}.html", viewport=PHONE).page))


@pytest.mark.slow
def test_each_line_of_every_page_fits_and_can_be_read(site, visit):
    pages = [path for folder in (".", "chapters", "recaps", "functions") for path in sorted((site / folder).glob("*.html"))]
    assert not {path.name: found for path in pages if (found := flaws(uncovered(visit(path, viewport=PHONE).page)))}


def test_what_cannot_be_read_is_found(site, visit):
    page = visit(site / "notation.html", viewport=PHONE).page
    page.evaluate("html => document.querySelector('article').insertAdjacentHTML('beforeend', html)", PLANTED)
    assert {flaw.partition(":")[0] for _, _, flaw in flaws(page)} == {
        *("the page scrolls sideways", "wider than the page", "weak contrast", "a line begins with a mark", "a word broken"),
        "a space lost",
    }

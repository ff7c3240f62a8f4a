"""Slides in a browser: the presenter's keys, notes, a blank screen, and paper."""

from io import BytesIO
from pathlib import Path

import pytest

from scalargrad import Value
from tests.browser.lesson_slides import walk
from tests.browser.player import until_true
from tests.browser.test_slides_of_any_graph import CUT
from tests.viz.graphs import figure1_trace
from viz import slides

pypdf = pytest.importorskip("pypdf", reason="the browser tests need pypdf: pip install -e '.[test]'")
OVERFLOW = """() => ['#said', '#equation', '#question', '#note', '#readout', '#plot'].filter(name => {
    const e = document.querySelector(name);
    return e && e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) })"""


@pytest.fixture
def lesson(made):
    return made("lesson", lambda: slides(figure1_trace(), title="Lesson"))


def heading(player):
    return player.text("#heading"), player.text("#number")


@pytest.mark.every_browser
def test_the_keys_of_a_presenter(visit, lesson):
    player = visit(lesson)
    assert heading(player) == ("Lesson", "1 / 12")
    player.press("ArrowRight", "PageDown")
    assert heading(player) == ("A nudge", "3 / 12") and player.page.url.endswith("#slide=3")
    player.press("PageUp", "ArrowLeft", "ArrowLeft")
    assert heading(player)[1] == "1 / 12"
    player.press("End", "ArrowRight")
    assert heading(player) == ("What the derivatives are good for", "12 / 12")
    player.press("Home")
    assert heading(player)[1] == "1 / 12"
    player.press("q", "s", "3")
    assert heading(player)[1] == "1 / 12" and not player.visible("#ask"), "the keys of the page do not act"


def test_notes_and_a_blank_screen(visit, lesson):
    player = visit(lesson, "#slide=9")
    assert heading(player)[0].startswith("Effects add up") and not player.visible("#note")
    player.press("n")
    assert "the effects add up" in player.text("#note")
    player.press("b")
    assert player.visible("#blank")
    player.press("ArrowRight")
    assert not player.visible("#blank") and heading(player)[1] == "9 / 12", "a key only lifts the blank screen"


@pytest.mark.every_browser
@pytest.mark.parametrize("size, scheme", [((1280, 720), "light"), ((1920, 1080), "dark")])  # which changes colours alone
def test_every_slide_fits(visit, lesson, picture, size, scheme):
    player = visit(lesson, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    for k in range(12):
        assert player.page.evaluate(OVERFLOW) == [] and not player.visible(".windowed"), k
        picture(player, f"slide-{k + 1}-{size[0]}-{scheme}")
        player.press("ArrowRight")


@pytest.mark.every_browser
def test_one_slide_a_page_is_printed_with_its_notes(visit, lesson):
    player = visit(lesson, "#slide=4")
    printed = [page.extract_text() for page in pypdf.PdfReader(BytesIO(player.page.pdf(prefer_css_page_size=True))).pages]
    assert len(printed) == 12 and all("Ask the class" in printed[k] for k in (0, 7))
    assert "about 9" in printed[2] and "gradient descent" in printed[11]
    assert heading(player)[1] == "4 / 12"


def test_each_printed_graph_is_whole(visit, lesson):
    player = visit(lesson)
    if player.page.context.browser.browser_type.name == "firefox":
        pytest.skip("Firefox's driver does not show pages as they are printed")
    player.page.emulate_media(media="print")
    player.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    outside = """() => [...document.querySelectorAll('#printed .graph-area > svg')].map(svg => {
        const {left, right, top, bottom} = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('.node .frame')].map(e => e.getBoundingClientRect())
            .filter(box => box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1 || !box.width)
            .length })"""
    assert player.page.evaluate(outside) == [0] * 12


@pytest.mark.every_browser
def test_on_a_phone_the_buttons_are_free_and_each_graph_is_whole(visit, lesson):
    player = visit(lesson, "#slide=4", viewport={"width": 390, "height": 844})
    free = """() => [...document.querySelectorAll('#presenter button')].every(e => {
        const {left, right, top, bottom} = e.getBoundingClientRect();
        return right <= innerWidth + 1 && e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) })"""
    assert player.page.evaluate(free)
    assert player.page.evaluate(CUT) == []  # also where a long sentence brings a scroll bar


def test_boxes_open_into_slides_of_their_own(visit, tmp_path):
    def swing():
        x, v, k = Value(1.0), Value(0.0), Value(4.0)
        for _ in range(6):
            force = -k * x - 0.3 * v
            v = v + force * 0.05
            x = x + v * 0.05
        return x

    player = visit(Path(slides(swing).save(tmp_path / "swing.html")), "#slide=4")
    page = player.page
    page.locator(".node:has-text('4 more times') .zoom").first.click()
    assert heading(player) == ("The values", "1 / 9") and walk(player) == {}
    page.select_option("#loop select", "3")
    assert page.url.endswith(".3&slide=9") and any("force_3" in title for title in page.locator(".node > title").all_text_contents())
    player.press("n")
    assert "sum of what the later passes take" in player.text("#note")
    player.press("Escape")
    assert heading(player) == ("The order", "4 / 12") and page.url.endswith("swing.html#slide=4")
    page.locator(".node:has(.zoom)").first.focus()
    player.press("Enter")
    assert player.content("#inside").startswith("inside force1 = ") and heading(player)[0] == "The values"
    page.go_back()
    until_true(page, "!document.querySelector('#inside')")
    assert heading(player)[1] == "4 / 12"

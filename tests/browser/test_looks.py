"""All sizes of windows, light and dark, print, and without scripts: nothing is cut off. A screenshot of each is kept."""

from io import BytesIO

import pytest

from tests.browser import pages
from tests.browser.test_layout import overlapping
from tests.each import few_of
from viz.document import FRAME_HEIGHT

pypdf = pytest.importorskip("pypdf", reason="the browser tests need pypdf: pip install -e '.[test]'")

WINDOWS = {  # name: width, height, do all panels fit without scrolling
    "1280x720": (1280, 720, True),
    "1920x1080": (1920, 1080, True),
    "700-column": (700, 900, False),
    "390x844": (390, 844, False),
}
CUT = """() => [...document.querySelectorAll('body *')].filter(e => {
    if (e.closest('svg, math, #bar, #code')) return false;
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    const cut = style.overflowX !== 'visible' && style.overflowX !== 'auto' && e.scrollWidth > e.clientWidth + 1;
    if (box.width <= 1 || !cut && box.right <= innerWidth + 1 && box.left >= -1) return false;  // before what asks all elements around it
    if (!e.checkVisibility({checkVisibilityCSS: true, checkOpacity: true})) return false;
    for (let outer = e.parentElement; outer; outer = outer.parentElement) if (getComputedStyle(outer).overflowX === 'auto') return false;
    return true;
}).map(e => e.tagName + '#' + e.id + '.' + e.className)"""

TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"
PANELS = "#graph, #code, #narration, #equation, #computed, #next"
BELOW = """panels => [...document.querySelectorAll(panels)].filter(e => {
    const {top, bottom, height} = e.getBoundingClientRect();
    return bottom > innerHeight + 1 || top < -1 || height < 20}).map(e => e.id)"""

BAR = """() => document.querySelector('#bar').lastChild.getBoundingClientRect().right
    - document.querySelector('#track').getBoundingClientRect().right"""


def window(size):
    width, height, _ = WINDOWS[size]
    return {"viewport": {"width": width, "height": height}} | ({"has_touch": True} if width < 500 else {})


def too_wide(player):
    """Return how much wider the document is than the window."""
    return player.page.evaluate(TOO_WIDE)


STEPS = {"figure1": (1, 28, 46), "matrices": (24,), "two layers": (200,), "thousand": (3000,), "counting": (14,)}


@pytest.mark.parametrize("name", few_of(STEPS, ["figure1", "matrices", "thousand"]))
def test_nothing_is_cut_off(visit, saved, picture, name):
    """In each window. A page is opened at the first of its kind, since to open a thousand variables takes as long as the rest; a phone
    touches.
    """
    players = {}
    for size, (width, height, whole) in WINDOWS.items():
        kind = "has_touch" in window(size)
        player = players.setdefault(kind, players.get(kind) or visit(saved(name), **window(size)))
        player.resize(width, height)
        for step in STEPS[name]:
            player.go(step)
            picture(player, f"{name}-{step}-{size}".replace(" ", "-"))
            assert too_wide(player) <= 0, (size, step)
            assert not player.page.evaluate(CUT), (size, step)
            assert player.page.evaluate(BAR) <= 1, (size, step)
            assert not player.page.evaluate(BELOW, PANELS if whole else "#next"), (size, step)


@pytest.mark.parametrize("size", WINDOWS)
def test_dark_is_dark_and_light_is_light(visit, saved, picture, size):
    for theme, bright in ("dark", False), ("light", True):
        player = visit(saved("figure1"), "#step=44", color_scheme=theme, **window(size))
        picture(player, f"figure1-44-{size}-{theme}")
        assert (luminance(player) > 0.5) is bright


def luminance(player):
    """Return the brightness of the background, from 0 to 1."""
    return player.page.evaluate("""() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d');
        canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
        return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255}""")


def test_paper_has_the_graph_and_the_numbered_list_and_no_buttons(visit, saved, picture):
    player = visit(saved("figure1"), "#step=28")
    on_paper = pypdf.PdfReader(BytesIO(player.page.pdf(prefer_css_page_size=True)))
    text = " ".join(page.extract_text() for page in on_paper.pages)
    assert 1 <= len(on_paper.pages) <= 3
    assert all(number in on_paper.pages[0].extract_text() for number in ("34", "16", "11"))  # the graph, down to x4; the list is not so far
    assert text.count("current node") == pages.trace("figure1").iterations
    assert "predict" not in text.lower()
    player.page.emulate_media(media="print")
    picture(player, "figure1-print", full_page=True)
    assert player.visible("#graph") and not player.visible("#next") and not player.visible("#slider")


def test_printing_keeps_the_step_and_the_open_question(figure1):
    figure1.go(28)
    figure1.press("q")
    figure1.page.locator("#answer").fill("9.")
    before = figure1.frame()
    figure1.page.pdf()
    assert figure1.frame() == before and figure1.visible("#ask") and figure1.page.locator("#answer").input_value() == "9."
    assert not figure1.visible("#transcript ol")


@pytest.mark.parametrize("name", ["figure1", "matrices", "two layers"])
def test_without_scripts_there_are_the_graph_and_the_numbered_list(visit, saved, name):
    player = visit(saved(name), script=False)
    assert player.visible("#picture svg")
    assert sum("current node" in text for text in player.texts("li")) == pages.trace(name).iterations
    assert not player.visible("#next") and not player.visible("#slider") and not player.visible("#ask")
    assert too_wide(player) <= 0
    fonts = set(player.page.evaluate("[...document.querySelectorAll('#picture text')].map(e => getComputedStyle(e).fontFamily)"))
    assert fonts and not any("Math" in font for font in fonts)  # it is drawn for the fonts it names


def test_nothing_moves_if_the_user_prefers_reduced_motion(visit, saved):
    for motion, moving in ("no-preference", True), ("reduce", False):
        player = visit(saved("figure1"), "#step=28", reduced_motion=motion)
        running = "document.getAnimations().filter(a => a.playState === 'running' && a.effect.getComputedTiming().duration > 1).length"
        assert (player.page.evaluate(running) > 0) is moving


TEXTS = """() => [...document.querySelectorAll('.sentences, .rule > *')].map(e => {
    const text = document.createRange();
    text.selectNodeContents(e);
    const {left, top, right, bottom} = text.getBoundingClientRect();
    return [left, top, right, bottom]})"""


@pytest.mark.parametrize("name, step", [("thousand", 8000), ("hostile", 12), ("two layers", 300)])
def test_long_counts_and_long_names_lie_on_nothing(visit, saved, name, step):
    texts = visit(saved(name), f"#step={step}").page.evaluate(TEXTS)
    assert len(texts) == 3 and not overlapping(texts, texts)


TARGETS = """() => [...document.querySelectorAll('button:not(.word), #slider')].filter(e => e.checkVisibility()).map(e => {
    const {left, top, right, bottom} = e.getBoundingClientRect();
    return [left, top, right, bottom, e.closest('#controls') !== null]})"""


@pytest.mark.parametrize("name", ["figure1", "beside", "matrices", "two layers"])
def test_on_a_phone_buttons_are_large_enough_and_take_two_rows(visit, saved, picture, name):
    player = visit(saved(name), "#step=29", **window("390x844"))
    picture(player, f"phone-{name}".replace(" ", "-"))
    targets = player.page.evaluate(TARGETS)
    assert all(right - left >= 40 and bottom - top >= 40 for left, top, right, bottom, _ in targets)
    assert not overlapping(targets, targets)
    assert len({round(top) for _, top, _, _, controls in targets if controls}) == 2


def test_the_page_plays_in_the_frame_of_a_notebook(visit, saved):
    """The frame is isolated: its page can neither read nor change the notebook or its own address."""
    notebook = visit(saved("square")).page.context.new_page()
    complaints = []
    notebook.on("console", lambda message: complaints.append(message.text))
    notebook.on("pageerror", lambda error: complaints.append(str(error)))
    notebook.set_content(pages.page("figure1")._repr_html_())
    frame = notebook.frame_locator("iframe")
    frame.locator("#next").click()
    frame.locator("body").press("ArrowRight")
    frame.locator("#acts [data-name=question]").click()
    frame.locator("#acts [data-name=backward]").click()
    assert frame.locator("#step").inner_text() == "step 3 / 46" and not complaints


def test_within_a_frame_questions_are_answered_and_dialogs_close(visit, saved):
    notebook = visit(saved("square")).page.context.new_page()
    complaints = []
    notebook.on("console", lambda message: complaints.append(message.text))
    notebook.set_content(pages.page("square")._repr_html_())
    frame = notebook.frame_locator("iframe")
    frame.locator("#help").click()
    frame.locator("#close-keys").click()
    assert not frame.locator("#keys").is_visible()
    frame.locator("#predict").click()
    for _ in range(3):
        if frame.locator("#ask").is_hidden():
            frame.locator("body").press("ArrowDown")
    frame.locator("#answer").fill("3")  # of the first of two edges
    frame.locator("#ask [type=submit]").click()
    assert frame.locator("#verdict").get_attribute("class") == "right" and not complaints


SIZES = """() => [document.querySelector('#node-0 .frame').getBoundingClientRect().width,
    parseFloat(getComputedStyle(document.querySelector('#narration')).fontSize)]"""


@pytest.mark.parametrize("size", ["1280x720", "390x844"])
def test_plus_enlarges_text_and_graph_and_the_page_stays_within_the_window(visit, saved, picture, size):
    player = visit(saved("figure1"), "#step=28", **window(size))
    first = at_last = player.page.evaluate(SIZES)
    for presses in range(1, 9):
        player.press("+")
        box, text = player.page.evaluate(SIZES)
        assert box >= at_last[0] - 1.5 and text > at_last[1], presses  # 1.5: the panels' margins grow too
        assert too_wide(player) <= 0 and not player.page.evaluate(CUT), presses
        at_last = box, text
    picture(player, f"plus-{size}")
    assert size == "390x844" or at_last[0] > 1.3 * first[0]


def test_text_of_twice_the_size_is_not_cut_off(visit, saved, picture):
    player = visit(saved("figure1"), "#step=28")
    player.page.evaluate("document.documentElement.style.fontSize = '200%'")
    picture(player, "letters-200")
    assert too_wide(player) <= 0 and not player.page.evaluate(CUT)
    assert player.page.evaluate("(e => e.scrollHeight - e.clientHeight)(document.querySelector('.sentences'))") <= 0


def test_in_a_notebook_the_three_rows_of_the_sum_are_seen(visit, saved, picture):
    player = visit(saved("figure1"), "#step=28", viewport={"width": 700, "height": FRAME_HEIGHT})
    picture(player, "notebook")
    place = "name => document.querySelector(name).getBoundingClientRect().toJSON()"
    last, below = player.page.evaluate(place, "#equation .numbers .term"), player.page.evaluate(place, "#controls")
    assert last["bottom"] <= below["top"]

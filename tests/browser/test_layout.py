"""Places as the browser paints them: labels do not overlap, sums are not cut off, and terms do not move while they fill."""

import base64
from pathlib import Path

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace, Value, tanh
from tests.browser import pages
from tests.browser.player import until_true
from tests.each import few_of
from viz import play

# The places of labels are computed in Python, whose tests have more graphs; here they are as large as the browser's fonts make them.
GRAPHS = ["figure1", "two layers", "square", *(f"random{seed}" for seed in range(4))]
RECTANGLES = """() => {
    const found = selector => [...document.querySelectorAll(selector)].map(e => [e, e.getBoundingClientRect()]);
    const all = selector => found(selector).filter(([, box]) => box.width);
    const of = selector => all(selector).map(([, {left, top, right, bottom}]) => [left, top, right, bottom]);
    const active = all('#graph .edge.active .label').map(([e]) => e.closest('.edge').id);
    return {labels: of('#graph .label'), boxes: of('#graph .node .box'), active}
}"""
SLACK = 0.5  # pixels: rectangles that only touch do not overlap


def overlapping(first, second):
    """Return pairs of rectangles that overlap."""
    return [(a, b) for a in first for b in second if a is not b and all(min(a[k + 2], b[k + 2]) - max(a[k], b[k]) > SLACK for k in (0, 1))]


def test_rectangles_that_lie_on_each_other_are_found():
    a, b, c = [0, 0, 10, 10], [9, 9, 20, 20], [10, 0, 20, 9]
    assert overlapping([a, b, c], [a, b, c]) == [(a, b), (b, a)]


@pytest.mark.parametrize("name", few_of(GRAPHS, ["figure1", "two layers", "random1"]))
def test_no_label_lies_on_a_label_or_a_box(visit, saved, name):
    """At each edge of x, with the labels of the edges before. Each label is visible at its own edge."""
    player, trace, seen = visit(saved(name)), pages.trace(name), []
    steps = [i + 1 for i, step in enumerate(trace) if step.act == "add"]
    for step, shown in zip(steps, player.at(steps, RECTANGLES), strict=True):
        labels, boxes = shown["labels"], shown["boxes"]
        assert len(shown["active"]) == 1 and labels and boxes and all(right > left + 8 for left, _, right, _ in labels + boxes), (
            f"step {step}"
        )
        assert not overlapping(labels, labels) and not overlapping(labels, boxes), f"step {step}"
        seen += shown["active"]
    assert len(set(seen)) == len(seen) == sum(map(len, trace.graph.children.values()))


SUM = """() => ['chain', 'symbols', 'numbers'].map(row => [...document.querySelectorAll(`.rows:not(.behind) .${row} .term`)].map(e => {
    const {left, top, right} = e.getBoundingClientRect(), {scrollLeft, scrollTop} = e.closest('.rows');
    return [left + scrollLeft, right + scrollLeft, top + scrollTop]}))"""
CUT_OFF = """() => {
    const rows = document.querySelector('#equation .rows:not(.behind)');
    return rows.scrollWidth > rows.clientWidth}"""


@pytest.mark.parametrize("name", ["figure1", "ten children", "paths", "matrices"])
def test_a_sum_is_laid_out_once_and_its_holes_are_filled(visit, saved, name):
    """Within an iteration no term moves in its sum, apart from scrolling. The three rows of a term are below each other, or in one line."""
    player, trace, stood = visit(saved(name)), pages.trace(name), {}
    for i, shown in enumerate(player.at(range(1, len(trace) + 1), SUM)):
        step, (chain, *_) = trace[i], shown
        if not step.iteration or step.act == "done":
            continue
        below, beside = ([[term[part] for term in row] for row in shown] for part in (slice(2), 2))
        assert chain and (below == [below[0]] * 3 or beside == [beside[0]] * 3), f"step {i + 1}"
        assert stood.setdefault(step.iteration, shown) == shown, f"step {i + 1}"


@pytest.mark.parametrize(
    "name, width",
    few_of(
        [(name, width) for name in ("ten children", "two layers", "random5") for width in (1280, 700, 390)],
        [("ten children", 1280), ("ten children", 390), ("two layers", 700), ("random5", 390)],
    ),
)
def test_a_long_sum_takes_several_lines(visit, saved, picture, name, width):
    """The sum is never wider than its panel. The test starts with the longest sum."""
    player, trace = visit(saved(name), viewport={"width": width, "height": 720}), pages.trace(name)
    longest = max(trace.graph.children.values(), key=len)
    ends = [i + 1 for i, s in enumerate(trace) if s.act == "insert"]
    first, *_ = ends = sorted(ends, key=lambda n: trace.graph.children[trace[n - 1].x] is not longest)
    assert [n for n, cut in zip(ends, player.at(ends, CUT_OFF), strict=True) if cut] == []
    (chain, *_) = player.at([first], SUM)[0]
    assert len({top for _, _, top in chain}) > 1 or name == "random5"
    picture(player, f"longest-{name}-{width}".replace(" ", "-"))


WHOLE = """() => {
    const rows = document.querySelector('#equation .rows:not(.behind)');
    const whole = rows.scrollWidth <= rows.clientWidth && rows.scrollHeight <= rows.clientHeight;
    return [rows.querySelectorAll('.chain .term').length, whole]}"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_sum_of_six_terms_is_seen_whole(visit, tmp_path, size):
    """Its panel gets wider, and each term has one line: chain rule, symbols and numbers side by side."""
    k = Value(0.7, name="k")
    steps = [tanh(n * k) * k for n in range(1, 7)]
    for n, step in enumerate(steps, 1):
        step.name = f"step_{n}"
    trace = Trace(sum(step * step for step in steps), detail="statements")
    file = Path(play(trace).save(tmp_path / "steps.html"))
    end = max(i + 1 for i, s in enumerate(trace) if s.act == "insert")
    player = visit(file, f"#step={end - 1}", viewport=dict(zip(("width", "height"), size)))
    assert player.at(range(end - 8, end + 1), WHOLE) == [[6, True]] * 9


def test_a_long_sum_fits_again_when_the_window_or_the_text_changes(visit, saved):
    player = visit(saved("ten children"), f"#step={len(pages.trace('ten children')) - 1}")
    assert player.text("#equation .numbers .end")
    for width in (1280, 500, 900, 1920):
        player.page.set_viewport_size({"width": width, "height": 720})
        assert not player.page.evaluate(CUT_OFF), width
    player.page.set_viewport_size({"width": 1280, "height": 720})
    player.press(*"++++++")
    assert not player.page.evaluate(CUT_OFF)


@pytest.mark.parametrize("name", ["two layers", "ten children"])
def test_a_long_function_takes_several_lines(visit, saved, name):
    player = visit(saved(name))
    player.press("f")
    cut = "() => [...document.querySelectorAll('#equation .rows, .sentences')].some(e => e.scrollWidth > e.clientWidth)"
    assert player.at(range(1, player.steps + 1), cut) == [False] * player.steps


def page_of_likelihood():
    """A page whose sum has a term that is wider than its panel: a rule of linear algebra."""
    K = tg.Tensor(np.eye(4) + 0.25, name="K")
    z = np.sum(np.log(np.diagonal(np.linalg.cholesky(K)))) + np.sum(np.linalg.solve(K, np.array([0.1, 0.8, 0.9, 0.2])))
    return play(z)


@pytest.fixture
def likelihood(made):
    return made("likelihood", page_of_likelihood)


BEGINS = """() => {
    const rows = document.querySelector('#equation .rows:not(.behind)');
    if (!rows) return [0, 0, 0];
    const at = rows.scrollLeft, end = rows.scrollWidth - rows.clientWidth, places = [...rows.querySelectorAll('.hole')];
    const holes = places.map(e => parseFloat(getComputedStyle(e, '::after').width));
    rows.scrollLeft = end;
    const label = rows.querySelector('th').getBoundingClientRect().left - rows.getBoundingClientRect().left;
    rows.scrollLeft = at;
    return [at, Math.round(label), Math.max(0, ...holes) > rows.clientWidth]}"""


def test_the_labels_of_a_sum_wider_than_its_panel_stay_in_view(visit, likelihood):
    """It begins at its left edge, whatever step; `?` is never wider than the panel."""
    player = visit(likelihood, "#step=1", viewport={"width": 1024, "height": 768})
    steps = range(1, player.steps + 1)
    assert player.at(steps, BEGINS) == [[0, 0, False]] * len(steps)
    assert any(player.at(steps, CUT_OFF.replace("return rows", "return !!rows && rows"))), "no term is wider than its panel"


HALF_SEEN = """() => {
    const box = document.querySelector('#computed'), {top, bottom} = box.getBoundingClientRect();
    const rows = [...box.children].filter(e => getComputedStyle(e).opacity === '1').map(e => e.getBoundingClientRect());
    const cut = rows.filter(row => row.top < bottom && row.bottom > top && (row.top < top - 5 || row.bottom > bottom + 5));
    const said = document.querySelector('.sentences');
    return cut.length || said.scrollHeight > said.clientHeight + 1}"""


def test_the_sentence_is_whole_and_so_is_each_row_of_computed(visit, likelihood):
    """A graph that needs the width of the page leaves little height to the panels below it."""
    player = visit(likelihood, "#step=1", viewport={"width": 1280, "height": 720})
    assert player.page.evaluate("document.body.classList.contains('wide')")
    for step in range(4, player.steps, 6):
        player.go(step)
        until_true(player.page, f"() => !({HALF_SEEN})()")  # the browser tells what it shows after it has painted


EDGES = "e => (({left, top, right, bottom}) => [left, top, right, bottom])(e.getBoundingClientRect())"


def test_the_sentence_of_a_nudge_lies_over_no_control_on_a_phone(visit, likelihood):
    player = visit(likelihood, "#nudge=3", viewport={"width": 390, "height": 844})
    for at in (0, 200, 400):
        player.page.evaluate("top => scrollTo(0, top)", at)
        said, strip = (player.page.locator(panel).evaluate(EDGES) for panel in ("#said", "#strip"))
        assert not overlapping([said], [strip]), at


def test_the_name_of_the_result_stands_at_the_end_of_the_map(visit, likelihood):
    page = visit(likelihood, "#nudge=3", viewport={"width": 1280, "height": 720}).page
    map_end, name = (page.locator(f"#overview > {part}").evaluate(EDGES) for part in ("svg", "span"))
    painted = page.locator("#overview svg path").evaluate(EDGES)
    assert -1 <= name[0] - map_end[2] < 30 and abs(map_end[2] - painted[2]) < 10


SCROLLS = """panels => [...document.querySelectorAll(panels)].filter(e => e.checkVisibility({visibilityProperty: true})
    && (e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth)).map(e => e.id || e.className)"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("name", few_of(["figure1", "paths", "square", "matrices"], ["figure1", "matrices"]))
def test_no_panel_has_a_needless_scrollbar(visit, saved, name, size):
    panels = ".sentences, #equation, .rule, .rows" + (", #code, #computed" if name == "figure1" else "")
    player = visit(saved(name), viewport={"width": size[0], "height": size[1]})
    scrolling = player.at(range(1, player.steps + 1), SCROLLS, panels)
    assert {step: panels for step, panels in enumerate(scrolling, 1) if panels} == {}


BRIGHTNESS = """async png => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), c => c.charCodeAt(0))], {type: 'image/png'}));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const {data} = canvas.getImageData(0, 0, image.width, image.height);
    return data.reduce((sum, x, k) => sum + (k % 4 < 3 ? x : 0), 0) / (3 * image.width * image.height)}"""


def test_a_box_that_scrolls_has_a_dark_edge(visit, saved):
    """The edge of a box is darker while the box can scroll further."""
    player = visit(saved("thousand"), "#step=3000", color_scheme="light")
    page, bright = player.page, {}
    for where in ("more", "end"):
        page.evaluate(
            "where => { const box = document.querySelector('#computed'); box.scrollTop = where === 'end' ? box.scrollHeight : 0 }", where
        )
        box = page.locator("#computed").bounding_box()
        edge = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] - 2, "width": 40, "height": 1}
        bright[where] = page.evaluate(BRIGHTNESS, base64.b64encode(page.screenshot(clip=edge)).decode())
    assert bright["more"] < bright["end"] - 20, bright

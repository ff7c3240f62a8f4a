"""Slides of graphs for which nothing was tuned. One browser is enough: what Firefox shows differently, test_slides.py finds."""

from pathlib import Path

import pytest

from scalargrad import Value
from tests.browser.lesson_slides import walk
from tests.browser.text_sizes import smaller
from tests.each import few_of
from tests.viz.graphs import figure1_trace
from tests.viz.graphs_of_others import PROGRAMS
from viz import slides

FEW = "attention", "four_hundred", "long_names"
LARGE_TOO = "attention", "long_names"  # of these few: what is asked of a large window is in proportion to it


@pytest.mark.parametrize("name", few_of(PROGRAMS, FEW))
def test_every_slide_of_any_graph_can_be_read_at_the_back(visit, tmp_path, name):
    player = visit(Path(slides(PROGRAMS[name], title=name).save(tmp_path / "lesson.html")))
    assert walk(player) == {}
    if name not in FEW or name in LARGE_TOO:
        player.resize(1920, 1080)
        assert walk(player) == {}


def test_the_slides_of_a_network_nudge_an_entry_and_take_a_step_in_its_layers(visit, tmp_path):
    player = visit(Path(slides(PROGRAMS["convolution"]).save(tmp_path / "lesson.html")))
    page, shown = player.page, {}
    for k in range(page.evaluate("player.slides.count")):
        page.evaluate("k => player.slides.go(k + 1)", k)
        shown.setdefault(page.evaluate("player.state.act"), set()).add(player.visible("#layers"))
    assert shown == {"question": {False}, "nudge": {True}, "backward": {False}, "use": {True}}
    assert walk(player) == {}
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    inked = """[...document.querySelectorAll('#printed #layers')].map(row => [...row.querySelectorAll('canvas')].filter(canvas => {
        const blank = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height});
        return canvas.toDataURL() !== blank.toDataURL();
    }).length)"""
    page.emulate_media(media="print")
    assert page.locator("#printed #layers:visible").count() == 2
    nudge, use = page.evaluate(inked)
    assert nudge > 3 and use > 3


def bond():
    """A bond's price against its yield: large numbers, so that a step of descent is a small amount of many digits."""
    yieldrate, coupon, amount = Value(0.04), Value(5.0), Value(100.0)
    price = 0
    for year in range(1, 6):
        price = price + coupon / (1 + yieldrate) ** year
    price = price + amount / (1 + yieldrate) ** 5
    return price


def test_amounts_of_many_digits_are_whole_and_a_window_of_4_to_3_can_be_read(visit, tmp_path):
    player = visit(Path(slides(bond).save(tmp_path / "lesson.html")))
    assert walk(player) == {}
    player.resize(1024, 768)
    for k in range(player.page.evaluate("player.slides.count")):
        player.page.evaluate("k => player.slides.go(k + 1)", k)
        assert smaller(player.page, 11) == [], k + 1


# What a small window cuts off of a slide's graph, and texts that are too small. What a slide is about must be drawn.
CUT = """async () => {
    const found = [], paint = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (let k = 1; k <= player.slides.count; k++) {
        player.slides.go(k);
        await paint();
        const {left, right, top, bottom} = document.querySelector('#graph').getBoundingClientRect();
        for (const box of document.querySelectorAll('#graph :is(.node .frame, .fold rect)')) {
            const own = box.getBoundingClientRect();
            const over = Math.max(left - own.left, own.right - right, top - own.top, own.bottom - bottom);
            if (over > 1) found.push([k, box.parentNode.id, over]);
        }
        for (const text of document.querySelectorAll('#graph text')) {
            const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
            if (text.checkVisibility() && text.textContent && size < 10.95) found.push([k, text.textContent, size]);
        }
        const {x} = player.state.step, needed = x === undefined ? [player.run.z, player.run.asked] : [x];
        found.push(...needed.filter(v => !document.querySelector(`#node-${v}`)).map(v => [k, v, 'is not drawn']));
    }
    return found;
}"""


def test_in_a_small_window_each_graph_is_whole(visit, tmp_path):
    for name, z in ("small", figure1_trace()), ("row", PROGRAMS["gaussian_process"]):
        player = visit(Path(slides(z).save(tmp_path / f"{name}.html")))
        for width, height in (390, 844), (768, 1024), (1024, 768):
            player.resize(width, height)
            assert player.page.evaluate(CUT) == [], (name, width)

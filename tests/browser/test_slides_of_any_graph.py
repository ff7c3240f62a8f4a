"""Slides of graphs for which nothing was tuned. One browser is enough: what Firefox shows differently, test_slides.py finds."""

from pathlib import Path

import pytest

from tests.browser.lesson_slides import walk
from tests.viz.graphs_of_others import PROGRAMS
from viz import slides

FEW = "perceptron", "spring", "attention", "four_hundred", "long_names"  # the others are slow together


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FEW else pytest.mark.slow) for name in PROGRAMS])
def test_every_slide_of_any_graph_can_be_read_at_the_back(visit, tmp_path, name):
    player = visit(Path(slides(PROGRAMS[name], title=name).save(tmp_path / "lesson.html")))
    assert walk(player) == {}
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

"""Large graphs: small boxes, a neighbourhood with an overview, a phone."""

import random

import pytest

from scalargrad import Trace, Value
from scalargrad.nn import MLP
from tests.browser import pages
from tests.browser.player import until_true
from viz import play

STICK_OUT = """() => [...document.querySelectorAll('#graph .node, #graph .edge.active .label')].flatMap(e => {
    const box = e.querySelector('rect.box, rect').getBoundingClientRect();
    const texts = [...e.querySelectorAll('.name, .value, .total, .label text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    return texts.filter(([, {left, right}]) => left < box.left || right > box.right).map(([text]) => text)})"""
PLACE = "e => [e.getAttribute('cx'), e.getAttribute('cy')]"
PHONE = {"width": 390, "height": 844}
TWO_LINES = 29  # pixels


@pytest.fixture
def layers(made):
    """The trace and the page of the loss of a perceptron with two layers, of 2 neurons and 1: 18 variables."""
    random.seed(4)
    trace = Trace((MLP(2, [2, 1])([Value(0.5, name="a"), Value(-1.5, name="b")]) - 1) ** 2, names={})
    return trace, made("18 variables", lambda: play(trace))


def test_texts_stay_in_small_boxes(visit, layers):
    player = visit(layers[1])
    assert player.count("#graph.compact") == 1 and player.count("#graph .node") < 18
    player.press("n")  # all of the graph, in a window that follows the step
    assert player.count("#graph.compact") == 1 and player.count("#graph .node") == 18
    steps = range(1, player.steps + 1, 3)
    assert {step: texts for step, texts in zip(steps, player.at(steps, STICK_OUT), strict=True) if texts} == {}


def test_a_small_box_holds_four_digits_and_its_tooltip_all(visit, layers):
    player = visit(layers[1])
    player.go(player.steps)
    values, titles = (player.page.locator(f"#graph .node {part}").all_text_contents() for part in (".value", "title"))
    assert all(len(text.lstrip("−").replace(".", "").lstrip("0")) <= 4 for text in values) and "0.9311" in values
    assert any(text.endswith(" = 0.931141") for text in titles)


def on_a_phone(visit, file, trace):
    player = visit(file, "#step=1", viewport=PHONE)
    places = """() => ['#graph .node.current .box', '#graph-panel'].map(selector => {
        const {left, right, height} = document.querySelector(selector).getBoundingClientRect();
        return {left, right, height};
    })"""
    visits = [i + 1 for i, step in enumerate(trace) if step.act == "visit"]
    for step, (box, panel) in zip(visits, player.at(visits, places), strict=True):
        assert panel["left"] <= box["left"] and box["right"] <= panel["right"], step
        assert box["height"] > TWO_LINES
    assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_on_a_phone_x_is_in_view_and_can_be_read(visit, layers, saved):
    on_a_phone(visit, layers[1], layers[0])
    on_a_phone(visit, saved("two layers"), pages.trace("two layers"))


def test_the_overview_has_a_ring_around_x_and_names_z(visit, saved):
    player, trace = visit(saved("thousand")), pages.trace("thousand")
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    visits = [i for i, step in enumerate(trace) if step.act == "visit"]
    for i in visits[::200]:
        player.go(i + 1)
        ring = player.page.locator("#overview .ring")
        assert ring.evaluate(PLACE) == player.page.locator("#overview circle").nth(place[trace[i].x]).evaluate(PLACE)
        assert ring.get_attribute("visibility") == "visible"
        assert ring.evaluate("e => !e.nextElementSibling?.matches('circle')")  # no variable is drawn over it
    assert player.page.locator("#overview > span").text_content() == trace.names[trace.graph.z]


def test_the_overview_follows_the_size_of_the_window(visit, saved):
    player = visit(saved("descent"), "#step=50")
    said = "[parseInt(document.querySelector('#overview').textContent), document.querySelectorAll('#graph .node').length]"
    told, wide = player.page.evaluate(said)
    player.resize(390, 844)
    until_true(player.page, "wide => document.querySelectorAll('#graph .node').length < wide", wide)
    assert told == wide and len(set(player.page.evaluate(said))) == 1

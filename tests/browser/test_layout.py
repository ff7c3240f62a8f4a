"""No label lies on another label or on a box, as the browser paints them."""

import pytest

from tests.browser import pages

pytestmark = pytest.mark.browser

GRAPHS = ["figure1", "two layers", "square", *(f"random{seed}" for seed in range(10))]
RECTANGLES = """selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).map(e => {
    const {left, top, right, bottom} = e.getBoundingClientRect();
    return [left, top, right, bottom]}).filter(([l, t, r, b]) => r > l && b > t)"""
SLACK = 0.5  # pixels: edges that touch do not lie on each other


def overlapping(first, second):
    """Pairs of rectangles that lie on each other."""
    return [(a, b) for a in first for b in second if a is not b and all(min(a[k + 2], b[k + 2]) - max(a[k], b[k]) > SLACK for k in (0, 1))]


def test_rectangles_that_lie_on_each_other_are_found():
    a, b, c = [0, 0, 10, 10], [9, 9, 20, 20], [10, 0, 20, 9]
    assert overlapping([a, b, c], [a, b, c]) == [(a, b), (b, a)]


@pytest.mark.parametrize("name", GRAPHS)
def test_no_label_lies_on_a_label_or_a_box(visit, saved, name):
    """At the last step of each iteration, when the labels of all of x's edges are shown."""
    player, trace = visit(saved(name)), pages.trace(name)
    for i, step in enumerate(trace):
        if step.act == "insert":
            player.go(i + 1)
            labels = player.page.evaluate(RECTANGLES, "#graph .label")
            assert len(labels) >= len(trace.graph.children[step.x]), f"step {i + 1}: {len(labels)} labels"
            assert not overlapping(labels, labels), f"step {i + 1}"
            assert not overlapping(labels, player.page.evaluate(RECTANGLES, "#graph .node .box")), f"step {i + 1}"

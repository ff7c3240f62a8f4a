"""No label lies on another label or on a box, as the browser paints them."""

import pytest

from tests.browser import pages

GRAPHS = ["figure1", "two layers", "square", *(f"random{seed}" for seed in range(10))]
RECTANGLES = """() => {
    const found = selector => [...document.querySelectorAll(selector)].map(e => [e, e.getBoundingClientRect()]);
    const all = selector => found(selector).filter(([, box]) => box.width);
    const of = selector => all(selector).map(([, {left, top, right, bottom}]) => [left, top, right, bottom]);
    const active = all('#graph .edge.active .label').map(([e]) => e.closest('.edge').id);
    return {labels: of('#graph .label'), boxes: of('#graph .node .box'), active}
}"""
SLACK = 0.5  # pixels: edges that touch do not lie on each other


def overlapping(first, second):
    """Pairs of rectangles that lie on each other."""
    return [(a, b) for a in first for b in second if a is not b and all(min(a[k + 2], b[k + 2]) - max(a[k], b[k]) > SLACK for k in (0, 1))]


def test_rectangles_that_lie_on_each_other_are_found():
    a, b, c = [0, 0, 10, 10], [9, 9, 20, 20], [10, 0, 20, 9]
    assert overlapping([a, b, c], [a, b, c]) == [(a, b), (b, a)]


@pytest.mark.parametrize("name", GRAPHS)
def test_no_label_lies_on_a_label_or_a_box(visit, saved, name):
    """At each edge, with the labels of the edges that x has been through; each label is to be seen at its own edge."""
    player, trace, seen = visit(saved(name)), pages.trace(name), []
    for i, step in enumerate(trace):
        if step.act == "add":
            player.go(i + 1)
            shown = player.page.evaluate(RECTANGLES)
            labels, boxes = shown["labels"], shown["boxes"]
            assert len(shown["active"]) == 1 and labels and boxes and all(right > left + 8 for left, _, right, _ in labels + boxes)
            assert not overlapping(labels, labels) and not overlapping(labels, boxes), f"step {i + 1}"
            seen += shown["active"]
    assert len(set(seen)) == len(seen) == sum(map(len, trace.graph.children.values()))

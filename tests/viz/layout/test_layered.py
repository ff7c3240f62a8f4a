"""What holds in every layout: nothing overlaps, no link runs through a box, links lead forwards, frames hold what is theirs."""

from random import Random

import pytest

from tests.clock import assert_linear
from viz.layout.layered import layered, layered_in_scopes
from viz.layout.routes import CORNER

GAP = 60
NEAR = 5  # a link may touch the rim of a box by so much


def boxes_and_links(seed, n=30):
    """Return sizes and links of a random graph, each box after those that lead to it. Some links join the same boxes."""
    random = Random(seed)
    sizes = [(random.choice((40, 90, 200)), random.choice((30, 60, 180)), random.choice((0, 9, 23))) for _ in range(n)]
    near = random.choice((3, 8, n))
    links = [(random.randrange(max(j - near, 0), j), j) for j in range(1, n) for _ in range(random.choice((0, 1, 2, 2, 4)))]
    return sizes, links


def random_scopes(seed, n, links):
    """Return the scope of each box and the parent of each scope. Every scope holds boxes that follow each other."""
    random, parents = Random(seed), [None]
    around, stack = [], [0]
    for _ in range(n):
        if len(stack) > 1 and random.random() < 0.25:
            stack.pop()
        if len(stack) < 4 and random.random() < 0.25:
            parents.append(stack[-1])
            stack.append(len(parents) - 1)
        around.append(stack[-1])
    return around, parents


def rectangle(place, size):
    (x, y), (w, h, pad) = place, size
    return x - w / 2, y - h / 2 - pad, x + w / 2, y + h / 2 + pad


def meet(a, b, by=0.001):
    return min(a[2], b[2]) - max(a[0], b[0]) > by and min(a[3], b[3]) - max(a[1], b[1]) > by


def sampled(points):
    """Return points along a spline."""
    for k in range(0, len(points) - 3, 3):
        a, b, c, d = points[k : k + 4]
        for t in (n / 20 for n in range(21)):
            yield tuple((1 - t) ** 3 * p + 3 * t * (1 - t) ** 2 * q + 3 * t * t * (1 - t) * r + t**3 * s for p, q, r, s in zip(a, b, c, d))


def check(layout, sizes, links):
    """Check what holds in every layout."""
    boxes = [rectangle(*each) for each in zip(layout.places, sizes)]
    assert not [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if meet(a, b)]
    for (i, j), spline in zip(links, layout.splines, strict=True):
        (x, y), (other, below) = layout.places[i], layout.places[j]
        assert x + sizes[i][0] / 2 + GAP <= other - sizes[j][0] / 2 + 0.001  # forwards, and long enough
        assert spline[0][0] == pytest.approx(x + sizes[i][0] / 2) and spline[-1][0] == pytest.approx(other - sizes[j][0] / 2)
        assert abs(spline[0][1] - y) <= max(sizes[i][1] / 2 - CORNER, 0) + 0.001 and abs(spline[-1][1] - below) <= sizes[j][1] / 2
        assert len(spline) % 3 == 1 and all(a[0] <= b[0] + 0.001 for a, b in zip(spline, spline[1:]))
        inner = [
            (a + NEAR, b + NEAR, c - NEAR, d - NEAR) for a, b, c, d in (rectangle(p, (*s[:2], 0)) for p, s in zip(layout.places, sizes))
        ]
        for x, y in sampled(spline):
            assert not [box for box in inner if box[0] < x < box[2] and box[1] < y < box[3]], (i, j)
    assert min((left for left, *_ in boxes), default=0) >= 0 and min((top for _, top, *_ in boxes), default=0) >= -0.001


@pytest.mark.parametrize("seed", range(40))
def test_nothing_overlaps_and_no_link_runs_through_a_box(seed):
    sizes, links = boxes_and_links(seed)
    check(layered(len(sizes), links).layout(sizes, lambda i, j: GAP), sizes, links)


@pytest.mark.parametrize("seed", range(40))
def test_a_scope_has_a_frame_with_its_boxes_and_no_others(seed):
    sizes, links = boxes_and_links(seed)
    around, parents = random_scopes(seed, len(sizes), links)
    layers, scopes = layered_in_scopes(links, around, parents)
    assert scopes == list(range(len(parents)))
    layout = layers.layout(sizes, lambda i, j: GAP, [150] * len(parents))
    check(layout, sizes, links)
    inside = lambda k, scope: scope is not None and (scope == k or inside(k, parents[scope]))
    for k, frame in layout.frames.items():
        assert frame[2] - frame[0] >= 150
        for place, size, scope in zip(layout.places, sizes, around):
            box = rectangle(place, size)
            if inside(k, scope):
                assert frame[0] < box[0] and frame[1] < box[1] and box[2] < frame[2] and box[3] < frame[3]
            else:
                assert not meet(frame, box)
        for other, rim in layout.frames.items():
            assert inside(k, other) or inside(other, k) or not meet(frame, rim)


@pytest.mark.parametrize("seed", range(20))
def test_a_scope_that_leads_out_and_back_in_has_several_frames(seed):
    sizes, links = boxes_and_links(seed)
    around, parents = [Random(seed + i).randrange(6) for i in range(len(sizes))], [None, 0, 0, 1, 1, 4]
    layers, scopes = layered_in_scopes(links, around, parents)
    check(layers.layout(sizes, lambda i, j: GAP, [0] * len(scopes)), sizes, links)
    assert scopes[0] == 0 and set(scopes) <= set(range(6)) and len(scopes) > 6


def test_a_layout_is_the_same_again():
    sizes, links = boxes_and_links(1)
    once = lambda: layered(len(sizes), links).layout(sizes, lambda i, j: GAP)
    assert once().places == once().places and once().splines == once().splines


def test_links_of_one_box_run_together_and_part_where_they_end():
    links = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (0, 4)]
    layout = layered(5, links).layout([(40, 20, 0)] * 5, lambda i, j: GAP)
    to_3, to_4 = layout.splines[4:]
    assert to_3[:7] == to_4[:7] and to_3[-1] != to_4[-1]


def test_a_long_chain_with_leaves_is_level():
    """A leaf at each box, and a box that all of them use: the chain does not slope."""
    n = 20
    links = [(i, i + 1) for i in range(n)] + [(n + 1 + i, i + 1) for i in range(n)] + [(2 * n + 1, i + 1) for i in range(n)]
    layout = layered(2 * n + 2, links).layout([(40, 20, 0)] * (2 * n + 2), lambda i, j: GAP)
    heights = [y for _, y in layout.places[: n + 1]]
    assert max(heights) - min(heights) < 100


def test_a_minor_box_has_stubs_and_a_column_keeps_the_order_of_its_keys():
    links = [(0, 1), (1, 2), (3, 1), (3, 2)]
    layout = layered(4, links, major=3).layout([(40, 20, 0)] * 4, lambda i, j: GAP)
    assert layout.splines[3][-1][0] - layout.splines[3][0][0] == 22  # from the minor box to a box that is not in the next column
    keys = {0: "b", 1: "c", 2: "a", 3: "z"}
    found = layered(4, [(0, 3), (1, 3), (2, 3)], keys=keys).layout([(40, 20, 0)] * 4, lambda i, j: GAP)
    assert sorted(range(3), key=lambda i: found.places[i][1]) == [2, 0, 1]


def test_the_work_grows_no_faster_than_the_graph():
    """If links are no longer in a larger graph. Each link has its own spline, so that long links take longer."""
    make = lambda n: ([(i, i + k) for i in range(n) for k in (1, 3, 5)], [(40, 20, 0)] * (n + 5))
    assert_linear(lambda made: layered(len(made[1]), made[0]).layout(made[1], lambda i, j: GAP).splines, make, 60)

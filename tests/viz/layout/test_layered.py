"""What holds in every layout: nothing overlaps, no link runs through a box, links lead forwards, frames hold what is theirs."""

from itertools import product
from random import Random

import numpy as np
import pytest

from tests.clock import assert_linear
from tests.each import each, swept
from viz.layout.layered import layered, layered_in_scopes
from viz.layout.places import CLEAR, CORNER
from viz.layout.routes import SLACK

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


STEPS = np.linspace(0, 1, 21)[:, None]
WEIGHTS = [(1 - STEPS) ** 3, 3 * STEPS * (1 - STEPS) ** 2, 3 * STEPS**2 * (1 - STEPS), STEPS**3]


def sampled(points):
    """Return points along a spline, as an array of rows x, y."""
    pieces = np.array(points)
    return np.concatenate([sum(w * p for w, p in zip(WEIGHTS, pieces[k : k + 4])) for k in range(0, len(points) - 3, 3)])


def boxes_under(line, boxes):
    """Return the numbers of the boxes in which a point of a line is."""
    x, y = sampled(line).T[:, :, None]
    left, top, right, bottom = boxes.T
    return np.flatnonzero(((left < x) & (x < right) & (top < y) & (y < bottom)).any(axis=0)).tolist()


def check(layout, sizes, links):
    """Check what holds in every layout."""
    boxes = [rectangle(*each) for each in zip(layout.places, sizes)]
    inner = np.array([rectangle(place, (*size[:2], 0)) for place, size in zip(layout.places, sizes)]) + (NEAR, NEAR, -NEAR, -NEAR)
    assert not [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if meet(a, b)]
    for (i, j), spline in zip(links, layout.splines, strict=True):
        (x, y), (other, below) = layout.places[i], layout.places[j]
        assert spline[0][0] == pytest.approx(x + sizes[i][0] / 2) and spline[-1][0] == pytest.approx(other - sizes[j][0] / 2)
        assert abs(spline[0][1] - y) <= max(sizes[i][1] / 2 - CORNER, 0) + 0.001 and abs(spline[-1][1] - below) <= sizes[j][1] / 2
        assert len(spline) % 3 == 1
        assert boxes_under(spline, inner) == [], (i, j)
    assert min((left for left, *_ in boxes), default=0) >= 0 and min((top for _, top, *_ in boxes), default=0) >= -0.001


def check_forwards(layout, sizes, links):
    """Check that links of a graph in one row lead to the right, and are long enough."""
    for (i, j), spline in zip(links, layout.splines, strict=True):
        (x, _), (other, _) = layout.places[i], layout.places[j]
        assert x + sizes[i][0] / 2 + GAP <= other - sizes[j][0] / 2 + 0.001
        assert all(a[0] <= b[0] + 0.001 for a, b in zip(spline, spline[1:]))


@swept("seed", range(40), every=8)
def test_nothing_overlaps_and_no_link_runs_through_a_box(seed):
    sizes, links = boxes_and_links(seed)
    layout = layered(len(sizes), links).layout(sizes, lambda i, j: GAP)
    check(layout, sizes, links)
    check_forwards(layout, sizes, links)


@swept("seed, width", product(range(15), (500, 900, 1600)), every=8)
def test_a_graph_that_is_too_wide_stands_in_rows_of_the_width_that_was_asked_for(seed, width):
    sizes, links = boxes_and_links(seed)
    layout = layered(len(sizes), links).layout(sizes, lambda i, j: GAP, width=width)
    check(layout, sizes, links)
    xs = [x for spline in layout.splines for x, _ in spline] + [
        x + side * w / 2 for (x, _), (w, *_) in zip(layout.places, sizes) for side in (-1, 1)
    ]
    assert min(xs) >= 0 and max(xs) <= width
    row = [sum(top <= y for top in (r.top for r in layout.rows)) for _, y in layout.places]  # from 1
    assert all((row[i], layout.places[i][0]) < (row[j], layout.places[j][0]) for i, j in links)  # in reading order


@each("seed", range(15))
def test_scopes_stand_in_rows_too(seed):
    sizes, links = boxes_and_links(seed)
    around, parents = random_scopes(seed, len(sizes), links)
    layers, scopes = layered_in_scopes(links, around, parents)
    layout = layers.layout(sizes, lambda i, j: GAP, [0] * len(parents), width=1200)
    check(layout, sizes, links)
    frames = list(layout.frames.values())
    assert all(meet(a, b) <= contains(a, b) + contains(b, a) for a in frames for b in frames)


@each("width", (300, 600, 100_000))
def test_the_columns_say_how_wide_all_is_and_how_high_at_least_before_anything_has_a_height(width):
    for seed in range(6):
        sizes, links = boxes_and_links(seed)
        layout = layered(len(sizes), links).layout(sizes, lambda i, j: GAP, width=width)
        wide, high = layout.least_size
        assert "found" not in vars(layout)
        boxes = [rectangle(*each) for each in zip(layout.places, sizes)]
        left, top, right, bottom = (choose(ends) for choose, ends in zip((min, min, max, max), zip(*boxes)))
        assert right - left == pytest.approx(wide) and 0.3 * (bottom - top) < high <= bottom - top + 0.001


def contains(a, b):
    return a[0] <= b[0] and a[1] <= b[1] and b[2] <= a[2] and b[3] <= a[3]


@swept("seed", range(40), every=8)
def test_a_scope_has_a_frame_with_its_boxes_and_no_others(seed):
    sizes, links = boxes_and_links(seed)
    around, parents = random_scopes(seed, len(sizes), links)
    layers, scopes = layered_in_scopes(links, around, parents)
    assert scopes == list(range(len(parents)))
    layout = layers.layout(sizes, lambda i, j: GAP, [150] * len(parents))
    check(layout, sizes, links)
    check_forwards(layout, sizes, links)
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


@swept("seed", range(20), every=4)
def test_a_scope_that_leads_out_and_back_in_has_several_frames(seed):
    sizes, links = boxes_and_links(seed)
    around, parents = [Random(seed + i).randrange(6) for i in range(len(sizes))], [None, 0, 0, 1, 1, 4]
    layers, scopes = layered_in_scopes(links, around, parents)
    layout = layers.layout(sizes, lambda i, j: GAP, [0] * len(scopes))
    check(layout, sizes, links)
    check_forwards(layout, sizes, links)
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


@swept("seed", range(40), every=5)
def test_a_line_that_passes_boxes_stays_clear_of_them(seed):
    """And of the room above and below them, where a formula stands."""
    sizes, links = boxes_and_links(seed)
    layout = layered(len(sizes), links).layout(sizes, lambda i, j: GAP)
    boxes = [rectangle(*each) for each in zip(layout.places, sizes)]
    near = np.array([(a, b - CLEAR + SLACK, c, d + CLEAR - SLACK) for a, b, c, d in boxes])
    for link, spline in zip(links, layout.splines, strict=True):
        assert set(boxes_under(spline, near)) <= set(link), link


def turns_of(spline):
    """Return how often a line turns the other way, up or down."""
    line = sampled(spline)
    line = line[np.append(True, np.diff(line[:, 0]) > 1e-6)]
    slopes = np.diff(line[:, 1]) / np.diff(line[:, 0])
    bends = np.diff(slopes)
    bends = bends[np.abs(bends) > 1e-3]
    return int((np.sign(bends[1:]) != np.sign(bends[:-1])).sum())


@each("seed", range(40))
def test_a_free_line_is_one_curve_and_one_round_a_column_bends_the_other_way_twice_at_most(seed):
    """One link passes columns of boxes of all heights."""
    random = Random(seed)
    columns = [range(1, 1)]
    for _ in range(random.choice((1, 2))):
        columns.append(range(columns[-1].stop, columns[-1].stop + random.choice((1, 2, 3))))
    last = columns[-1].stop
    links = [(0, 1), *((i, j) for a, b in zip(columns[1:], columns[2:]) for i in a for j in b), *((i, last) for i in columns[-1])]
    links += [(0, i) for i in columns[1] if i > 1]
    links.append((0, last))
    sizes = [(random.choice((40, 150)), random.choice((30, 73, 180)), random.choice((0, 27))) for _ in range(last + 1)]
    layout = layered(len(sizes), links).layout(sizes, lambda i, j: GAP)
    spline, clear = layout.splines[-1], CLEAR + 0.001
    rims = [rectangle(*each) for each in zip(layout.places, sizes)]
    rims = np.array([(a, b - clear, c, d + clear) for a, b, c, d in rims[1:-1]])
    (x, y), (other, below) = spline[0], spline[-1]
    straight = [(x + (other - x) * k / 3, y + (below - y) * k / 3) for k in range(4)]
    if not boxes_under(straight, rims):
        assert len(spline) == 4
    assert turns_of(spline) <= 2


def test_a_main_chain_is_level_and_equal_branches_are_not():
    """Figure 1, a residual block, a recurrent network, and two branches alike, between which their end stands."""
    heights = lambda n, links: [y for _, y in layered(n, links).layout([(150, 73, 27)] * n, lambda i, j: GAP).places]
    figure1 = heights(7, [(0, 4), (1, 4), (2, 4), (3, 4), (3, 5), (0, 6), (4, 6), (5, 6)])
    assert figure1[4] == pytest.approx(figure1[6], abs=0.1)
    block = heights(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (0, 3)])
    assert max(block) - min(block) < 0.1
    steps = heights(9, [(0, 1), (5, 1), (1, 2), (6, 2), (2, 3), (7, 3), (3, 4), (8, 4)])[1:5]
    assert max(steps) - min(steps) < 0.1
    branches = heights(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    assert branches[3] == pytest.approx((branches[1] + branches[2]) / 2, abs=0.1)


def test_the_boxes_of_a_column_with_room_stand_further_apart():
    links = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6)]
    gap = lambda roomy, a, b: (lambda at: at[b][1] - at[a][1] - 30)(
        layered(7, links).layout([(40, 30, 0)] * 7, lambda i, j: GAP, apart=5, roomy=roomy).places
    )
    assert [round(gap(roomy, 0, 1)) for roomy in (0, 24)] == [5, 5] and gap(24, 4, 5) >= 24


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

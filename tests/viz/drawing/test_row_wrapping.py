"""Wide drawings are broken into rows; nothing is lost, and nothing moves from step to step."""

import functools
import random
import re
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given

import tensorgrad as tg
import viz
from scalargrad import Graph, Trace, Value, scope
from scalargrad.nn import MLP
from tests.each import swept
from tests.examples import at_most
from tests.scalargrad.graphs import build, recipes
from tests.viz.drawing.test_draw import Shown, places
from tests.viz.drawing.test_folding import PAGE, four_four_one, width_of
from tests.viz.drawing.test_folding import Shown as Folded
from viz.layout.labels import hides, place_labels, sampled

draw = functools.partial(viz.draw, detail="operations")


def chain(n):
    """Return x after n functions."""
    y = Value(1.0, name="x")
    for _ in range(n):
        y = y.tanh()
    return y


def rows_of(drawing):
    """Return the numbers of the variables in each row of a drawing, from left to right, the highest row first."""
    at = sorted((-float(y), float(x), int(name[1:])) for _, name, x, y, *_ in places(drawing) if re.fullmatch(r"v\d+", name))
    rows = []
    for y, x, v in at:
        if not rows or y - rows[-1][0][0] > 0.3:  # inches
            rows.append([])
        rows[-1].append((y, x, v))
    return [[v for _, _, v in sorted(row, key=lambda place: place[1])] for row in rows]


def test_a_drawing_that_is_too_wide_continues_in_the_next_row():
    drawing = draw(chain(40))
    rows = rows_of(drawing)
    assert len(rows) > 2 and sum(rows, []) == list(range(41))  # in reading order
    assert width_of(drawing) <= PAGE
    shown = Shown(drawing)
    assert len(shown.nodes) == 41
    assert sorted(g.get("id") for *_, g in shown.edges) == sorted(f"e{v}_0" for v in range(1, 41))


def test_a_drawing_that_fits_has_one_row_and_an_upright_drawing_one_column():
    assert len(rows_of(draw(chain(4)))) == 1
    assert len(rows_of(draw(chain(40), direction="TB"))) == 41


@pytest.mark.sweep
def test_a_narrower_drawing_has_more_rows_and_loses_nothing():
    found = {width: draw(chain(40), width=width) for width in (900, 700, 400)}
    for width, drawing in found.items():
        assert sum(rows_of(drawing), []) == list(range(41)) and width_of(drawing) <= width * 4 / 3  # in pixels
    many = [len(rows_of(drawing)) for drawing in found.values()]
    assert many == sorted(set(many)) and found[900].source == draw(chain(40)).source
    assert len(rows_of(draw(chain(40), width=np.inf))) == 1
    assert draw(chain(40), width=400, direction="TB").source == draw(chain(40), direction="TB").source


def test_a_graph_that_is_a_little_too_wide_has_shorter_edges():
    random.seed(1)
    z = MLP(4, [4, 4, 1])([Value(i, name=f"x{i}") for i in range(1, 5)])
    drawing = draw((z - 1) ** 2, depth=2, names={})
    ends = sorted((float(x), name) for _, name, x, *_ in places(drawing))[-2:]
    assert [name for _, name in ends] == ["v66", "v67"] and 800 < width_of(drawing) * 3 / 4 <= 900


@swept("n", range(14, 60, 5), every=3)
def test_no_box_stands_alone_in_a_row(n):
    assert all(len(row) > 1 for row in rows_of(draw(chain(n), width=500)))


@swept("width, seed", [(450, 1), (700, 2), (900, 20), (450, 28), (700, 29), (400, 23), (450, 10), (700, 15)], every=8)
def test_any_graph_is_as_narrow_as_it_was_asked_to_be(width, seed):
    drawing = draw(to_and_fro(seed), names={}, width=width, partials=("both", None)[seed % 2], direction=("LR", "TB")[seed % 4 == 3])
    left, _, right, _ = map(float, re.search(r' ?bb="([^"]+)" layout=nop2', drawing.source)[1].split(","))
    assert right - left + 22 <= width + 0.2 or f'size="{(width - 22) / 72:.3f},' in drawing.source  # all is smaller


@swept("seed", range(13), every=13)
def test_lines_in_rows_never_turn_back(seed):
    z = to_and_fro(seed) if seed else Trace(four_four_one(), names={})
    drawing = draw(z, names={}, width=(1200, 450, 900)[seed and 1 + seed % 2])
    for path in re.findall(r' pos="e,[^ "]+ ([^"]+)"', drawing.source):
        points = np.array(sampled([tuple(map(float, point.split(","))) for point in path.split()]))
        back = np.minimum(np.diff(points[:, 0]), 0).sum()
        assert back > -1 or back < -60, path  # the latter turns to the next row


def test_if_one_box_is_wider_than_the_drawing_all_is_smaller():
    drawing = draw(chain(6), width=60)
    assert width_of(drawing) <= 80 and len(rows_of(drawing)) == 7


def test_rows_have_about_the_same_width():
    lengths = [len(row) for row in rows_of(draw(chain(24)))]
    assert max(lengths) - min(lengths) <= max(lengths) // 2


@pytest.mark.sweep
@swept("schedule", ["topological", "counting"], every=4)
def test_nothing_moves_from_step_to_step_in_rows_either(schedule):
    trace = Trace(chain(12), schedule=schedule, names={})
    first = places(draw(trace, step=0))
    assert len(rows_of(draw(trace, step=0))) > 1
    for step in range(1, len(trace), 5):
        assert places(draw(trace, step=step)) == first, step


@at_most(40)
@given(recipes())
def test_in_any_graph_every_edge_is_drawn_once(recipe):
    z = build(recipe)[-1].tanh()
    for _ in range(14):
        z = z.tanh()  # wide enough for rows
    shown = Shown(draw(z, names={}))
    variables = Graph(z).variables
    uses = sorted(f"e{i}_{slot}" for i, y in enumerate(variables) for slot in range(len(y.inputs)))
    assert sorted(g.get("id") for *_, g in shown.edges) == uses
    ids = [e.get("id") for e in shown.root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))


# Frames


def blocks(n, inside):
    y = Value(1.0, name="x")
    for k in range(n):
        with scope(f"block{k}"):
            for _ in range(inside):
                y = y.tanh()
    return y


def test_a_frame_is_not_torn_if_a_row_can_end_before_it():
    shown = Folded(draw(blocks(6, 3)))
    assert sorted(shown.frames) == [f"block{k}" for k in range(6)]


def test_a_frame_that_is_too_wide_continues_under_the_same_name():
    drawing = draw(blocks(2, 12))
    assert width_of(drawing) <= PAGE
    shown = Folded(drawing)
    assert shown.frames.count("block0") > 1 and shown.frames.count("block1") > 1
    ids = [e.get("id") for e in shown.root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))


def to_and_fro(seed):
    """Return a graph of up to ninety lines in frames that many edges enter and leave."""
    chance = Random(seed)
    made = [Value(float(i + 1), name=f"x{i}") for i in range(chance.randint(1, 3))]
    for _ in range(chance.randint(5, 90)):
        path = tuple(chance.choice("abc") for _ in range(chance.choice([0, 0, 1, 1, 2])))
        kind = chance.random()
        if kind < 0.6:
            v = made[-1].tanh()
        elif kind < 0.85:
            v = made[-1] * Value(0.5) + made[max(-len(made), -chance.randint(1, 3))]
        else:
            v = made[-1] * chance.choice(made)
        v._scope = path if chance.random() < 0.7 else made[-1].scope or ()
        made.append(v)
    return made[-1]


@pytest.mark.sweep
@swept("seed, partials", [(209, "both"), (227, "both"), (1024, None), (1049, None)], every=4)
def test_frames_that_edges_enter_and_leave_again_are_laid_out(seed, partials):
    z = to_and_fro(seed)
    shown = Folded(draw(z, names={}, partials=partials))
    assert {g.get("id").partition("_by_")[0] for g in shown.nodes.values()} == {f"v{i}" for i in range(len(Graph(z).variables))}
    ids = [e.get("id") for e in shown.root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))


# Parameters inside their functions


def network(layers):
    def parameter(name, *shape):
        return tg.Tensor(np.sin(np.arange(np.prod(shape)) * 1.3).reshape(shape), name=name)

    held = []
    y = tg.Tensor(np.cos(np.arange(4 * 8.0)).reshape(4, 8), keep_grad=False, name="x")
    for k in range(1, layers + 1):
        held += [parameter(f"W{k}", 8, 8), parameter(f"b{k}", 8)]
        y = tg.relu(tg.linear(y, *held[-2:]))
    z = (y * y).mean()
    z.name = "z"
    z.backward(retain_graph=True)
    return z, held


def test_beyond_one_screen_parameters_stand_inside_their_functions():
    z, parameters = network(8)
    drawing = draw(z, names={})
    shown = Folded(drawing)
    assert shown.caption == "graph has 34 variables: 16 parameters inside their functions"
    [words] = [words for words in shown.said if "W₁" in words]
    assert words[:2] == ["v₁", "4×8"] and "v₁ = linear(x, W₁, b₁)" in words
    W, b = parameters[:2]
    assert f"‖dz/dW₁‖ = {np.sqrt((W.grad**2).sum()):.4g}" in words and f"‖dz/db₁‖ = {np.sqrt((b.grad**2).sum()):.4g}" in words
    assert len(shown.nodes) == 1 + 2 * 8 + 2 and width_of(drawing) <= PAGE
    assert len(shown.edges) == 2 * 8 + 2  # x, and one edge to each function; both of y·y stand between the same two


def test_a_small_graph_shows_its_parameters_one_by_one():
    shown = Folded(draw(network(2)[0], names={}))
    assert {"W₁", "b₁", "W₂", "b₂"} <= {words[0] for words in shown.said}


def test_a_trace_shows_every_parameter_by_itself():
    z, held = network(8)
    shown = Folded(draw(Trace(z, names={}), step=0))
    assert {"W₁", "b₈"} <= {word for words in shown.said for word in words[:2]}


def test_a_parameter_of_two_functions_has_a_box_of_its_own():
    y = tg.Tensor(np.ones((8, 8)), name="data")
    shared, held = tg.Tensor(np.ones((8, 8)), name="shared"), []
    for k in range(14):
        held.append(tg.Tensor(np.ones(8), name=f"b{k}"))
        y = y @ shared + held[-1]
    shown = Folded(draw(y.sum(), names={}))
    assert shown.caption == "graph has 45 variables: 14 parameters inside their functions"  # the b's
    assert {"data", "shared"} <= {words[0] for words in shown.said}


def soft_edit_distance():
    """Of "cat" and "cut": each entry of the table waits for the next row."""
    insert, delete, swap = Value(1.0), Value(1.2), Value(1.5)
    table = [[Value(0.0)] + [j * insert for j in range(1, 4)]] + [[i * delete, 0, 0, 0] for i in range(1, 4)]
    for i, j in ((i, j) for i in range(1, 4) for j in range(1, 4)):
        ways = table[i - 1][j] + delete, table[i][j - 1] + insert, table[i - 1][j - 1] + swap * (i != j)
        table[i][j] = -0.5 * sum((w * -2).exp() for w in ways).log()
    return table[3][3]


def test_lines_that_run_side_by_side_to_another_row_have_the_colours_of_their_boxes():
    """Neighbours have different colours; all lines from one box have one. A drawing in which few lines turn has no colours."""
    colours = {}
    for line in viz.draw(soft_edit_distance, direction="LR").source.splitlines():
        if (tail := re.match(r"\s*(v\d+\w*) -> ", line)) and (colour := re.search(r'[ \[]color="(#\w+)"', line)):
            colours.setdefault(tail[1], set()).add(colour[1])
    assert len(colours) > 6 and all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) > 4
    assert "->" in (few := draw(chain(40)).source) and not re.search(r'-> .* color="', few)


def test_a_drawing_that_would_be_too_high_has_wider_rows_and_is_smaller():
    look = r'width="(\S+)pt" height="(\S+)pt".*?scale\((\S+)'
    size = lambda n: map(float, re.search(look, draw(chain(n), width=300).svg, re.S).groups())
    (_, few, whole), (wide, high, scale), (_, _, least) = map(size, (6, 20, 60))
    assert whole == 1 and few <= 450 and wide <= 300 and high <= 450 and 0.6 <= least <= scale < 1


def biquad():
    b, a = [Value(0.2), Value(0.4)], [Value(-0.5), Value(0.3)]
    x1 = y1 = y2 = 0.0
    for x in (1.0, 0.5, -0.25):
        y = b[0] * x + b[1] * x1 - a[0] * y1 - a[1] * y2
        x1, y2, y1 = x, y1, y
    return y * y


@pytest.mark.sweep
def test_in_a_narrow_room_letters_count_more_than_height_and_who_asks_for_a_direction_gets_it():
    """Downwards the graph is a quarter as high, and its letters are less than half as large."""
    size = lambda drawing: tuple(map(float, re.search(r'<svg width="(\S+)pt" height="(\S+)pt"', drawing.svg).groups()))
    (wide, high), rows, (across, low) = (size(viz.draw(Trace(biquad), width=300, direction=way)) for way in (None, "LR", "TB"))
    assert max(wide, across) <= 300 and (wide, high) == rows and low < 0.5 * high


@pytest.mark.sweep
def test_where_a_row_has_little_room_partials_stand_below_their_names():
    label = lambda drawing: re.search(r">(∂[^<]+)</FONT>", drawing.source)[1]
    assert label(viz.draw(Trace(biquad), width=468, partials="both")) == "∂v₁/∂b[0]"
    assert label(viz.draw(Value(3, name="x") * 2, partials="both")) == "∂z/∂x = 2"


def test_a_partial_without_room_for_its_name_is_a_number_alone_and_a_line_below_says_which():
    wide, narrow = draw(chain(3), partials="numbers"), draw(chain(12), partials="numbers", width=400)
    said = "The number at an arrow from x to y is ∂y/∂x."
    assert Shown(wide).labels()["x", "v₁"] == ["∂v₁/∂x = 0.419974"] and said not in wide.source
    assert Shown(narrow).labels()["x", "v₁"] == ["0.419974"] and said in narrow.source
    assert "∂v₁/∂x" in narrow.source  # the tooltip has the name
    assert said not in draw(chain(12), partials="both", width=400).source


def test_labels_alone_hide_fewer_other_lines():
    def hidden(paths, alone):
        centres, _ = place_labels(paths, [(40, 14)] * len(paths), [], alone=alone)
        return sum(hides((*c, 40, 14), [p for p in paths if p is not path]) for c, path in zip(centres, paths))

    random, both = Random(0), Counter()
    for _ in range(10):
        trunks = [[(0, y), (70, y), (140, y), (210, y)] for y in random.sample(range(0, 120, 10), 4)]
        paths = [(*t, (260, t[0][1]), (300, y), (340, y)) for t in trunks for y in random.sample(range(0, 120, 20), 3)]
        both += Counter({alone: hidden(paths, alone) for alone in (False, True)})
    assert both[True] < 0.7 * both[False]

"""The places of boxes, edges and labels: labels do not overlap, edges lead from side to side, folds lose no variable."""

import functools
import itertools
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import tensorgrad as tg
from scalargrad import Trace, Value, function, nn, scope, sin
from scalargrad.graph import scopes_of
from tests.clock import cpu_seconds
from tests.each import each, swept
from tests.examples import at_most
from tests.scalargrad.graphs import build, chain, recipes
from tests.viz import graphs_of_others
from tests.viz.graphs import EDGE_BY_EDGE, SCHEDULES, figure1_trace, position, thirty_variables
from tests.viz.networks import Maker, conv_bn, numbers
from viz.array_picture import picture
from viz.graphs.detail import trace_of
from viz.graphs.inputs import asked_input, inputs_of
from viz.layout.labels import sampled
from viz.layout.places import CLEAR
from viz.page.scenes.box_sizes import boxes_of, brief
from viz.page.scenes.neighbourhood_scenes import ACROSS, DOWN, TAG, neighbourhood_scenes, scenes_in
from viz.page.scenes.neighbourhoods import Neighbourhoods
from viz.page.scenes.placed import BEFORE
from viz.page.scenes.placing import MARGINS, Parts
from viz.page.scenes.scene import narrow_parts, wide_parts
from viz.page.scenes.scene import scene as computed
from viz.page.scenes.text_sizes import COMPACT, NARROW, ROOMY, SLIM
from viz.page.scenes.ways import WINDOWS, scenes_of_ways, ways_in
from viz.page.scenes.whole_graph import FEW_OFF, MIDDLE, MOST_VARIABLES, PANEL, PHONE, TALL, WIDE, narrow_graph, whole_graph
from viz.text.formatter import UNICODE

GOLDEN = Path(__file__).with_name("figure1_scene.json")
ROUNDING = 1.5  # pixels


class Kept(dict):
    """The scene of a trace, of which only the ways at which a test looks are computed."""

    def __init__(self, trace, functions=False):
        self.trace, self.functions = trace, functions

    def __missing__(self, way):
        if way in ("whole", "narrow"):
            self[way] = {"whole": whole_graph, "narrow": narrow_graph}[way](self.trace, functions=self.functions)
        elif way == "ways":
            self[way] = scenes_of_ways(self.trace, (self["whole"], self["narrow"]), self.functions)
        else:
            make, of = {"near": (wide_parts, "whole"), "nearNarrow": (narrow_parts, "narrow")}[way]
            self[way] = make(self.trace, self[of], self.functions)
        return self[way]


kept = functools.lru_cache(8)(Kept)


# What a reader of a scene sees


def scene(trace):
    """Return the scene of the whole graph; of a large graph its neighbourhoods."""
    return kept(trace)["whole"] or near(trace)


def near(trace):
    """Return the neighbourhoods of a trace joined with their layouts, as the page joins them."""
    return joined(kept(trace)["near"])


def in_a_window(scene, found):
    """Whether a window holds a scene of the ways with texts that can be read, but for rounding."""
    roomy = [window._replace(panel=window.panel._replace(least=0.99 * window.panel.least)) for window in WINDOWS]
    return any(window.panel.holds({**scene, "look": found["look"]}) for window in roomy)


def joined(found):
    whole, numbers = [], dict(found["numbers"])
    for part in found["scenes"]:
        layout = found["layouts"][part["layout"]]
        nodes = [{"variable": v, **at, **found["boxes"][v]} for v, at in zip(part["nodes"], layout["nodes"], strict=True)]
        edges = [{"edge": e, **at, "number": numbers.get(e)} for e, at in zip(part["edges"], layout["edges"], strict=True)]
        folds = [{**at, **fold} for at, fold in zip(layout.get("folds", ()), part["folds"], strict=True)]
        whole.append({**layout, "variable": part["variable"], "nodes": nodes, "edges": edges, "folds": folds})
    return {**found, "scenes": whole}


def points(path):
    """Return the points of a spline from its SVG path data."""
    assert re.fullmatch(r"M\S+ \S+C[-\d. ]+", path)
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    return list(zip(numbers[::2], numbers[1::2]))


def labels(found):
    return [e["label"] for e in found["edges"] if e["label"]]


def parts(found):
    """Return the scenes of a trace: the whole graph, or its neighbourhoods."""
    return found.get("scenes", [found])


def boxes(found):
    """Return all boxes with the room above them, for a tag, and below them, for a formula."""
    above = lambda n: min(n["pad"], TAG)
    nodes = [{**n, "h": n["h"] + above(n) + n["pad"], "y": n["y"] + (n["pad"] - above(n)) / 2} for n in found["nodes"]]
    return [*nodes, *found.get("folds", ())]


def meet(a, b):
    return abs(a["x"] - b["x"]) < (a["w"] + b["w"]) / 2 - ROUNDING and abs(a["y"] - b["y"]) < (a["h"] + b["h"]) / 2 - ROUNDING


def meetings(found, together=None):
    """Return pairs of labels and boxes that overlap. `together` are lists of edges whose labels are visible at the same time."""
    at = {e["edge"]: e["label"] for e in found["edges"] if e["label"]}
    shapes, pairs = boxes(found), [(a, b) for group in together or [at] for a in group for b in group if a < b and {a, b} <= at.keys()]
    apart = [(a, b) for i, a in enumerate(shapes) for b in shapes[:i]] + [(a, b) for a in at.values() for b in shapes]
    return [pair for pair in [*apart, *((at[a], at[b]) for a, b in pairs)] if meet(*pair)]


def edges_of(trace):
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    return [(place[x], place[y], slot) for x in trace.graph.variables for y, slot in trace.graph.children[x]]


def check(trace):
    """Check what holds in the scenes of every trace. Return the scene of the whole graph; of a large graph its neighbourhoods."""
    found, ends = kept(trace), edges_of(trace)
    everything = range(len(trace.graph.variables))
    for way in filter(None, (found["whole"], found["narrow"])):
        assert [n["variable"] for n in way["nodes"]] == list(everything) and [e["edge"] for e in way["edges"]] == list(range(len(ends)))
        beside = len([e for e in way["edges"] if e["number"]]) if way["look"]["turned"] else 0  # labels are wider than such lines are apart
        assert sum(not label_on_line(e) for e in way["edges"]) <= max(FEW_OFF, len(ends) // 4, beside)  # 12 of 58 at most
        check_places(way, ends, trace)
    if found["near"] is None:
        return found["whole"]
    parts = joined(found["near"])
    for part in parts["scenes"]:
        check_places({**part, "look": parts["look"]}, ends, trace)
    return found["whole"] or parts


def check_places(found, ends, trace):
    """Check one scene: nothing overlaps, every edge leads from its input to its function, all is within the frame."""
    together = {}
    for k, (x, y, _) in enumerate(ends):
        together.setdefault(y if trace.schedule.scatters else x, []).append(k)
    assert not meetings(found, None if found.get("apart") else together.values())
    assert not lines_through_boxes(found)
    at, across = {n["variable"]: n for n in found["nodes"]}, "yhxw" if found["look"]["turned"] else "xwyh"
    for edge in found["edges"]:
        x, y, _ = ends[edge["edge"]]
        check_ends(at[x], at[y], points(edge["path"]), across, found.get("tall", False))
    for shape in [*boxes(found), *labels(found)]:
        assert shape["w"] / 2 <= shape["x"] <= found["width"] - shape["w"] / 2
        assert shape["h"] / 2 <= shape["y"] <= found["height"] - shape["h"] / 2
    for x, y in [p for line in [*found["edges"], *found.get("links", ())] for p in points(line["path"])]:
        assert 0 <= x <= found["width"] and 0 <= y <= found["height"]


def check_ends(x, y, line, across, in_rows=False):
    """Check that a line leads from the right side of x to the left side of y; if the scene is turned, from below x to the top of y."""
    at, size, aside, wide = across
    start, end = (dict(zip("xy", line[k])) for k in (0, -1))
    formula = x["pad"] if at == "y" and x["pad"] > NARROW.above else 0
    below = x[aside] + x[wide] / 2 < y[aside] - y[wide] / 2
    assert x[at] + x[size] / 2 <= y[at] - y[size] / 2 or (in_rows and below)  # inputs before their functions
    assert abs(start[at] - x[at] - x[size] / 2 - formula) < ROUNDING and abs(start[aside] - x[aside]) <= x[wide] / 2
    assert abs(end[at] - y[at] + y[size] / 2) < ROUNDING and abs(end[aside] - y[aside]) <= y[wide] / 2


def label_on_line(edge):
    """Return whether an edge passes under its label, and not only at the rim."""
    label = edge["label"]
    reach = label["w"] / 2, label["h"] * 0.4
    return any(abs(x - label["x"]) < reach[0] and abs(y - label["y"]) < reach[1] for x, y in sampled(points(edge["path"])))


def lines_through_boxes(found):
    """Return pairs of lines and boxes: the line runs through the inside of the box."""
    shapes = [*found["nodes"], *found.get("folds", ())]
    at = np.array([(b["x"], b["y"], b["w"] / 2 - 5, b["h"] / 2 - 5) for b in shapes])
    pairs = []
    for line in [*found["edges"], *found.get("links", ())]:
        x, y = np.array(sampled(points(line["path"]))).T[:, :, None]
        inside = (abs(x - at[:, 0]) < at[:, 2]) & (abs(y - at[:, 1]) < at[:, 3])
        pairs += [(line, shapes[k]) for k in np.flatnonzero(inside.any(axis=0))]
    return pairs


# Graphs


@functools.cache
def thirty(schedule):
    """Return the trace of thirty variables, whose scene several tests look at."""
    return thirty_variables(schedule)


def mlp(*sizes, features=2):
    out = nn.MLP(features, list(sizes))([Value(float(i + 1), name=f"x{i + 1}") for i in range(features)])
    return (out[0] if isinstance(out, list) else out) ** 2


def random_graph(seed, functions=12):
    rng = np.random.default_rng(seed)
    made = [Value(float(n), name=f"x{i}") for i, n in enumerate(rng.normal(size=4))]
    for _ in range(functions):
        a, b = (made[-1 - int(k)] for k in rng.integers(0, min(7, len(made)), 2))
        made.append([a * b, a + b, a.tanh(), a * a][int(rng.integers(4))])
    z = made[-1]
    for v in made[-4:-1]:
        z = z + v
    return z


def dense(inputs, outputs):
    @function
    def mix(*x):
        return sum((k * v for k, v in enumerate(x, 1)), 0)

    xs = [Value(float(i), name=f"x{i}") for i in range(inputs)]
    return mix(*[mix(*xs) for _ in range(outputs)])


# One screen


def test_the_scene_of_figure_1_does_not_change():
    found = computed(figure1_trace())
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))
    whole, narrow = found["whole"], found["narrow"]
    assert whole["width"] <= 1010 and whole["height"] <= 392 and narrow["width"] <= 380  # as in the pictures that they are to match
    assert whole["apart"] and narrow["apart"] and PANEL.holds(whole) and PHONE.holds(narrow) and found["near"] is None
    assert all(map(label_on_line, whole["edges"] + narrow["edges"]))


@each("schedule", SCHEDULES)
def test_figure_1_has_room_for_every_schedule(schedule):
    found = check(figure1_trace(schedule))
    assert [n["variable"] for n in found["nodes"]] == list(range(7))
    assert [e["edge"] for e in found["edges"]] == list(range(8))


HALO = 7  # around the box of the current variable, with half of its stroke


@each("functions", (False, True))
@each("make", (figure1_trace, *(lambda made=made: Trace(made(), names={}) for made in (lambda: horner(), lambda: random_graph(1, 8)))))
def test_a_graph_from_top_to_bottom_has_room_at_its_sides_between_boxes_and_beside_lines(make, functions):
    """The halo of each box is in the panel. A line keeps clear of other boxes, with their formulas."""
    trace = make()
    found, ends = kept(trace, functions=functions)["narrow"], edges_of(trace)
    for node in found["nodes"]:
        assert node["x"] - node["w"] / 2 >= HALO - 0.1 and node["x"] + node["w"] / 2 <= found["width"] - HALO + 0.1
    for edge in found["edges"]:
        for node in [n for n in found["nodes"] if n["variable"] not in ends[edge["edge"]][:2]]:
            near = [(x, y) for x, y in sampled(points(edge["path"])) if abs(y - node["y"]) < node["h"] / 2 + node["pad"]]
            assert all(abs(x - node["x"]) >= node["w"] / 2 + CLEAR - ROUNDING for x, _ in near)


def test_boxes_of_figure_1_from_top_to_bottom_stand_apart_where_there_is_room():
    *_, y1, y2, _ = kept(figure1_trace())["narrow"]["nodes"]
    assert y2["x"] - y2["w"] / 2 - y1["x"] - y1["w"] / 2 >= 20


def a_random_trace():
    return Trace(random_graph(0), names={})


@pytest.mark.processes
def test_a_scene_is_the_same_in_another_process():
    code = (
        "import json; from tests.viz.graphs import figure1_trace; from tests.viz.page.test_scene import a_random_trace, computed\n"
        "print(json.dumps([computed(figure1_trace()), computed(a_random_trace())]))"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"  # another one than that of this process
    made = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
    assert json.loads(made.stdout) == [computed(figure1_trace()), computed(a_random_trace())]


@swept("seed", range(4), every=4)
def test_no_label_meets_a_label_or_a_box_in_random_graphs(seed):
    trace = Trace(random_graph(seed), names={})
    check(trace)
    assert kept(trace)["nearNarrow"]


@at_most(12)
@given(recipes())
def test_no_label_meets_a_label_or_a_box_in_any_graph(recipe):
    check(Trace(build(recipe)[-1], names={}))


@swept("sizes", [(2, 1), (4, 1), (3, 3, 1)], every=3)
def test_no_label_meets_a_label_or_a_box_in_networks(sizes):
    check(Trace(mlp(*sizes), names={}))


def test_both_edges_of_a_square_are_drawn_apart_and_numbered():
    x = Value(3, name="x")
    first, second = check(Trace(x * x, names={}))["edges"]
    assert (first["number"], second["number"]) == (1, 2)
    assert all(map(label_on_line, (first, second)))
    upper, lower = (sampled(points(e["path"])) for e in (first, second))
    assert max(abs(a - b) for (_, a), (_, b) in zip(upper, lower)) > 30
    assert first["label"]["y"] < second["label"]["y"]
    y = Value(2, name="y")
    assert [e["number"] for e in scene(Trace(x * y, names={}))["edges"]] == [None, None]


LAYERS = [([2, 1], False), ([2, 1], True), ([3, 1], False), ([3, 1], True)]


@swept(("sizes", "loss"), LAYERS, every=4)
def test_a_perceptron_of_two_layers_has_small_boxes_in_the_frames_of_its_neurons(sizes, loss):
    """From 16 to 24 variables. A frame holds the variables of its scope and no other. Neurons are in their order, from top to bottom."""
    random.seed(4)
    out = nn.MLP(2, sizes)([Value(0.5, name="a"), Value(-1.5, name="b")])
    trace = Trace((out - 1) ** 2 if loss else out, names={})
    found, paths = check(trace), scopes_of(trace.graph.variables)
    assert found["look"]["compact"] and found["tall"]
    frames, scopes = found["frames"], dict.fromkeys(path[:k] for path in paths.values() for k in range(1, len(path) + 1))
    assert sorted(frame["name"] for frame in frames) == sorted(path[-1] for path in scopes)
    inside = [{v for v, n in zip(trace.graph.variables, found["nodes"]) if meet(n, frame)} for frame in frames]
    assert sorted(map(len, inside)) == sorted(sum(path[: len(p)] == p for path in paths.values()) for p in scopes)
    layer = next(frame for frame in frames if frame["name"] == "layer1")
    first = [frame for frame in frames if frame["name"] != "layer1" and meet(frame, layer)]
    assert [f["name"] for f in sorted(first, key=lambda f: f["y"])] == [f"neuron{k + 1}" for k in range(sizes[0])]


def test_a_scope_that_other_variables_use_in_between_has_two_frames():
    x = Value(0.5, name="x")
    with scope("cell"):
        h = x.tanh()
    h = h * 2
    with scope("cell"):
        h = h.tanh()
    found = check(Trace(h, names={}))
    assert [frame["name"] for frame in found["frames"]] == ["cell", "cell"]
    inside = [[n["variable"] for n in found["nodes"] if meet(n, frame)] for frame in found["frames"]]
    assert inside == [[0, 1], [3]]  # x stands where it is used


def horner():
    """Return a polynomial of x in Horner's form: 14 variables in 9 ranks."""
    x, *numbers = (Value(float(k + 1), name=name) for k, name in enumerate(["x", "a4", "a3", "a2", "a1", "a0"]))
    y = numbers[0]
    for a in numbers[1:]:
        y = y * x + a
    return y


def test_a_graph_that_is_too_wide_stands_in_rows_if_so_all_of_it_can_be_read():
    found = check(Trace(horner(), names={}))
    assert TALL.holds(found) and found["apart"] and found["tall"]
    ys, z = [n["y"] for n in found["nodes"]], found["nodes"][-1]
    assert max(ys) - min(ys) > found["height"] / 2 and z["y"] > found["height"] / 2  # z stands in the last row
    assert any(b[0] < a[0] for e in found["edges"] for a, b in zip(points(e["path"]), points(e["path"])[1:]))  # a line turns
    one_row = check(Trace(chain(20)[1], names={}))
    assert len({n["y"] for n in one_row["nodes"]}) == 1  # rows would be too high


def test_a_readable_graph_keeps_its_large_boxes():
    found = check(figure1_trace())
    assert not found["look"]["compact"] and not found["tall"]


def test_in_a_small_box_numbers_have_four_digits():
    numbers = {
        0.931141: "0.9311",
        -0.000123456: "−0.0001235",
        0.5: "0.5",
        34: "34",
        12345.6: "12346.",
        6.00181e-06: "6.002e-06",
        0.999998: "1.000",
    }
    for number, text in numbers.items():
        assert brief(UNICODE.number(number), COMPACT).replace("−", "-") == text.replace("−", "-")
        assert brief(UNICODE.number(number), ROOMY).replace("−", "-") == f"{number:.6g}"


def test_many_inputs_stand_in_several_columns():
    found = check(Trace(dense(18, 1), names={}))
    columns = {round(n["x"]) for n in found["nodes"] if n["pad"] < 10}
    assert len(columns) == 3


def test_a_variable_alone_has_a_scene():
    found = check(Trace(Value(3, name="x"), names={}))
    assert len(found["nodes"]) == 1 and found["edges"] == []


def test_boxes_are_wide_enough_for_their_texts():
    narrow, wide = (scene(Trace(Value(n, name="x") * 2, names={}))["nodes"][0]["w"] for n in (1.0, -1.234567e-200))
    assert wide > narrow + 60
    named = scene(Trace(Value(1.0, name="name of a variable") * 2, names={}))["nodes"][0]["w"]
    assert named > narrow + 60
    assert scene(Trace(Value(1.0, name="n" * 1000) * 2, names={}))["nodes"][0]["w"] < 600  # a page cuts such a name


def test_names_do_not_appear_in_a_scene():
    x = Value(3, name='"]; <script>\\N')
    assert "script" not in json.dumps(check(Trace(x * x, names={})))


# Arrays


def test_the_box_of_an_array_has_room_for_it_and_its_gradient():
    A, B = tg.Tensor(np.arange(12.0).reshape(6, 2), name="A"), tg.Tensor(np.ones((2, 6)), name="B")
    found = check(Trace((A @ B).sum(), names={}))
    for node, shape in zip(found["nodes"], [(6, 2), (2, 6), (6, 6)]):
        assert len(node["columns"]) == shape[1]
        assert abs(sum(node["columns"]) - node["value"]["w"]) < 1
        assert node["value"]["h"] == node["total"]["h"] == ROOMY.row * shape[0]
        for area in (node["value"], node["total"]):
            assert area["x"] >= 0 and area["x"] + area["w"] <= node["w"]
        assert node["value"]["x"] == node["total"]["x"]
        assert node["value"]["x"] > 80 or node["value"]["y"] >= ROOMY.head  # beside the name and dz/dA, or below them
        assert node["value"]["y"] + node["value"]["h"] < node["total"]["y"]
        assert node["total"]["y"] + node["total"]["h"] <= node["h"]
    assert "columns" not in found["nodes"][3]


@each("shape", [(7, 40), (8, 8), (2, 3, 8, 8), (100,), (64, 1), (40, 8, 3, 3)])
def test_a_large_array_has_room_for_its_picture_and_beside_or_below_for_that_of_its_gradient(shape):
    W = tg.Tensor(np.linspace(-1.0, 1.0, int(np.prod(shape))).reshape(shape), name="W")
    scenes, found = kept(Trace((W * 2).sum(), names={})), picture(W.data)
    for name in ("whole", "narrow"):
        node = scenes[name]["nodes"][0]
        value, total, cell = node["value"], node["total"], node["cell"]
        assert found.across * found.columns * cell <= value["w"] + 0.1 and found.down * found.rows * cell < value["h"]
        assert value["x"] >= 0 and total["x"] + total["w"] <= node["w"] and total["y"] + total["h"] <= node["h"] and node["h"] < 420
        beside = "split" in node
        assert value["x"] + value["w"] <= node["split"] <= total["x"] if beside else total["y"] > value["y"] + value["h"]
    assert beside is False


def test_the_pictures_of_an_array_with_a_long_name_stand_one_above_the_other_on_a_phone():
    x = tg.Tensor(np.arange(12.0).reshape(1, 2, 2, 3), name="x")
    keys_transposed = x * 2
    trace = Trace(keys_transposed.sum())
    small, large, _ = boxes_of(trace, DOWN.of_arrays[-1])
    assert "split" in small and "split" not in large and large["w"] < DOWN.width / 1.5


def test_columns_have_room_for_every_value_of_a_gradient():
    x = tg.Tensor(np.ones(2), name="x")
    small, large = (check(Trace((x * c).sum(), names={}))["nodes"][0]["columns"][0] for c in (1.0, 1.234e-100))
    assert large > small + 30


# Larger graphs


def functions_of(trace, i):
    """Return what takes an input, in the order of its children; the variable itself if it is not an input."""
    v = trace.graph.variables[i]
    return v if v.rule else [y for y, _ in trace.graph.children[v]]


@swept("schedule", SCHEDULES, every=6)
def test_each_step_of_a_large_graph_shows_the_variables_it_visits(schedule):
    trace = thirty(schedule) if schedule in EDGE_BY_EDGE else Trace(mlp(3, 2, 1), names={}, schedule=schedule)
    check(trace)
    found, place = near(trace), {v: i for i, v in enumerate(trace.graph.variables)}
    assert len(found["at"]) == len(trace) and len(found["of"]) == len(place)
    ends = {edge: k for k, edge in enumerate(edges_of(trace))}
    for s, at in zip(trace.steps, found["at"]):
        shown = {n["variable"] for n in found["scenes"][at]["nodes"]}
        middle = s.y if trace.schedule.scatters else s.x
        own = found["scenes"][at]["variable"]
        if middle is not None and (at != found["at"][0] or middle is not trace.graph.z):
            assert own == place[middle] or functions_of(trace, own) == functions_of(trace, place[middle])
        assert {place[v] for v in (s.x, s.y) if v is not None} <= shown
        if s.slot is not None and s.x is s.y.inputs[s.slot]:
            edge = ends[place[s.x], place[s.y], s.slot]
            assert next(e for e in found["scenes"][at]["edges"] if e["edge"] == edge)["label"]


def residual(blocks):
    """Return a tensor network of residual blocks."""
    rng = np.random.default_rng(0)
    h = tg.Tensor(rng.normal(size=(3, 4)), name="X")
    for i in range(blocks):
        h = (h @ tg.Tensor(rng.normal(size=(4, 4)), name=f"W{i}")).tanh() + h
    return Trace(h.sum(), names={})


def convolutions(blocks=3):
    """Return a small residual network for images."""
    parameter = Maker()
    y = conv_bn(tg.Tensor(numbers(np.arange(144)).reshape(2, 2, 6, 6), name="images"), parameter, 4, 3)
    for _ in range(blocks):
        y = tg.relu(conv_bn(conv_bn(y, parameter, 4, 3), parameter, 4, 3, relu=False) + y)
    return Trace(tg.cross_entropy(y.mean(axis=(2, 3)) @ parameter("W", 4, 3), np.array([0, 2])), names={})


@swept("make", [convolutions, lambda: residual(9)], every=2)
def test_neighbourhoods_of_arrays_are_not_too_wide(make):
    trace = make()
    check(trace)
    found = near(trace)
    assert found["width"] <= ACROSS.width and found["height"] <= ACROSS.height


MANY = [lambda: thirty("topological"), lambda: Trace(random_graph(3, 80), names={}), lambda: Trace(mlp(9, 1), names={}), convolutions]


@swept("make", MANY, every=4)
def test_nothing_jumps_from_one_variable_to_the_next(make):
    """All frames have one size if the scene fits, and the variable has one place in them unless its neighbours would be cut off."""
    parts = [part for part in near(make())["scenes"] if part["variable"] is not None]
    assert len({(part["width"], part["height"]) for part in parts}) == 1
    for part in parts:
        x = next(n["x"] for n in part["nodes"] if n["variable"] == part["variable"])
        rims = [b["x"] + side * b["w"] / 2 for b in [*boxes(part), *labels(part)] for side in (-1, 1)]
        rims += [x for line in [*part["edges"], *part["links"]] for x, _ in points(line["path"])]
        off = x - BEFORE * part["width"]
        room = part["width"] - max(rims) if off < 0 else min(rims)  # on the side from which it is pushed
        assert abs(off) < 2 * ROUNDING or room < MARGINS[0] + 2 * ROUNDING


@each(("way", "least"), [("near", 0.95), ("nearNarrow", 0.7)])
def test_labels_of_parts_stand_on_their_edges(way, least):
    """On a phone, too, where the edges are hardly longer than the labels; but labels side by side may have no room there."""
    found = joined(kept(Trace(random_graph(3, 80), names={}))[way])
    labelled = [edge for part in found["scenes"] if part["variable"] is not None for edge in part["edges"] if edge["label"]]
    assert len(labelled) > 50 and sum(map(label_on_line, labelled)) > least * len(labelled)


def neuron(inputs, after=20):
    """Return the trace of a function of many inputs, and so many functions after it."""
    z = function(lambda *x: sum(k * v for k, v in enumerate(x)))(*[Value(k / 8, name=f"w{k}") for k in range(inputs)])
    for _ in range(after):
        z = sin(z)
    return Trace(z, names={})


@each("room", [ACROSS, DOWN])
def test_inputs_of_one_function_share_scenes_in_which_each_has_the_label_of_its_edge(room):
    trace = neuron(12)
    found = neighbourhood_scenes(trace, room)
    inputs, ends = [i for i, v in enumerate(trace.graph.variables) if not v.rule], edges_of(trace)
    assert len({found["of"][i] for i in inputs}) <= len(inputs) / 2
    for i in inputs:
        scene = found["scenes"][found["of"][i]]
        at = {ends[e][0]: place["label"] for e, place in zip(scene["edges"], found["layouts"][scene["layout"]]["edges"])}
        assert i in scene["nodes"] and at[i] and scene["variable"] in inputs
        assert {found["at"][k] for k, s in enumerate(trace.steps) if s.x is trace.graph.variables[i]} == {found["of"][i]}


@swept(
    "make",
    [lambda: residual(9), thirty_variables, lambda: Trace(mlp(4, 4, 1), names={}), lambda: Trace(random_graph(3, 80), names={})],
    every=4,
)
def test_every_variable_is_shown_or_counted_once(make):
    trace = make()
    n = len(trace.graph.variables)
    found = near(trace)
    for part in found["scenes"]:
        shown = {node["variable"] for node in part["nodes"]}
        assert len(shown) == len(part["nodes"]) and len(shown) + len(part["folds"]) <= 20  # a variable may stand in place of its fold
        assert n == len(shown) + sum(fold["count"] for fold in part["folds"])
        assert {e["edge"] for e in part["edges"]} == {i for i, (x, y, _) in enumerate(edges_of(trace)) if {x, y} <= shown}
        if part["variable"] is not None:
            assert part["variable"] in shown and found["scenes"][found["of"][part["variable"]]]["variable"] == part["variable"]
        for fold in part["folds"]:
            alone = fold["count"] == 1 and fold["lines"] == ["on to", trace.names[trace.graph.z]]  # z itself
            assert alone or fold["lines"][0] == f"{fold['count']} more"
    for i, k in enumerate(found["of"]):
        own = found["scenes"][k]["variable"]
        assert i in {node["variable"] for node in found["scenes"][k]["nodes"]} and functions_of(trace, own) == functions_of(trace, i)


@swept("program", [graphs_of_others.attention, graphs_of_others.spring, graphs_of_others.four_hundred], every=3)
def test_every_input_has_a_scene_with_z_and_the_ways_between_them(program):
    """Who knows only the scene finds a way from the input to z, over variables and folds."""
    trace = Trace(program)
    place, edges = {v: i for i, v in enumerate(trace.graph.variables)}, edges_of(trace)
    for found in kept(trace)["ways"]:
        scenes = joined(found)["scenes"]
        assert {v for v, _ in found["ways"]} == {place[v] for v in inputs_of(trace)}
        for v, k in found["ways"]:
            shown = [node["variable"] for node in scenes[k]["nodes"]]
            assert {v, place[trace.graph.z]} <= set(shown) and scenes[k]["variable"] is None
            assert in_a_window(scenes[k], found)
            steps = [edges[e["edge"]][:2] for e in scenes[k]["edges"]]
            ends = [*shown, *range(-len(scenes[k]["folds"]), 0)]
            steps += [(ends[link["from"]], ends[link["to"]]) for link in found["layouts"][found["scenes"][k]["layout"]].get("links", ())]
            reached = {v}
            for _ in steps:
                reached |= {b for a, b in steps if a in reached}
            assert place[trace.graph.z] in reached


def test_one_scene_of_ways_serves_several_inputs_of_one_function_with_the_factors_of_each():
    trace = neuron(60, 1)
    inputs, ends = [i for i, v in enumerate(trace.graph.variables) if not v.rule], edges_of(trace)
    found = kept(trace)["ways"][0]
    assert {v for v, _ in found["ways"]} == set(inputs) and len({k for _, k in found["ways"]}) <= len(inputs) / 2
    for v, k in found["ways"]:
        scene = found["scenes"][k]
        labels = {ends[e][0]: place["label"] for e, place in zip(scene["edges"], found["layouts"][scene["layout"]]["edges"])}
        assert v in scene["nodes"] and labels[v]


@pytest.mark.sweep
def test_the_way_that_carries_most_is_whole_if_it_has_room():
    """There are twelve others, which carry little."""
    x = Value(1.0, name="x")
    strong = [a := x * 2, a * 2]
    z = sum((x * (k / 1000) for k in range(1, 13)), Value(0.0)) + strong[-1]
    trace = Trace(z, names={})
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    for found in kept(trace)["ways"]:
        assert {place[v] for v in strong} <= set(found["scenes"][dict(found["ways"])[place[x]]]["nodes"])


@swept("program", [graphs_of_others.gaussian_process, graphs_of_others.spring, graphs_of_others.rnn, position], every=2)
def test_all_ways_from_each_input_are_whole_in_each_wide_window(program):
    """One row has no room for them."""
    trace = trace_of(program)
    place, descendants = {v: i for i, v in enumerate(trace.graph.variables)}, Neighbourhoods(trace.graph).descendants
    for window in WINDOWS[1:4]:
        found = ways_in(trace, window).data()
        for v, k in found["ways"]:
            shown = {v, *(i for i in place.values() if descendants[v] >> i & 1)}
            assert shown <= set(found["scenes"][k]["nodes"]) and window.panel._replace(least=11.8).holds(found)


def test_a_larger_window_shows_more_or_has_no_scenes_of_its_own():
    for program in (graphs_of_others.spring, graphs_of_others.pendulum):
        shown = [sum(len(found["scenes"][k]["nodes"]) for _, k in found["ways"]) for found in kept(trace_of(program))["ways"]]
        assert len(shown) < 5 or shown[0] > shown[1]


@each("program", [graphs_of_others.recursive_filter, graphs_of_others.gaussian_process])
def test_a_phone_holds_each_neighbourhood(program):
    """Also where formulas have two lines, and variables stand between a variable and its child."""
    found = kept(trace_of(program))["nearNarrow"]
    assert max(layout["height"] for layout in found["layouts"]) * 11 / found["look"]["smallest"] <= WINDOWS[-1].panel.height


@swept("program", [graphs_of_others.rnn, graphs_of_others.spring, graphs_of_others.attention], every=3)
def test_every_function_that_the_question_tells_of_has_a_scene_with_z(program):
    """In a wide window it has the input of the question too, and what the function takes first."""
    trace = trace_of(program)
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    asked, z = place[asked_input(trace)], place[trace.graph.z]
    for found in kept(trace)["ways"]:
        scenes, told = joined(found)["scenes"], dict(found["told"])
        on_ways = {node["variable"] for node in scenes[dict(found["ways"])[asked]]["nodes"]}
        assert not on_ways & told.keys()
        for v in (v for v in trace.graph.variables if v.rule and place[v] not in on_ways):
            scene = scenes[told[place[v]]]
            shown = {node["variable"] for node in scene["nodes"]}
            assert {place[v], z} <= shown and in_a_window(scene, found)
            assert found["look"]["turned"] or asked in shown
        assert found["look"]["turned"] or len(set(told.values())) <= (len(told) + 1) / 2  # it serves the functions that follow, too


def test_a_long_graph_is_whole_if_the_width_of_the_page_holds_it():
    found = kept(Trace(graphs_of_others.softmax_cross_entropy))["whole"]
    assert WIDE.holds(found) and not TALL.holds(found)


def test_a_long_formula_takes_two_lines_below_a_small_box_and_the_layout_has_room_for_them():
    step = function(lambda w, x, u, h, b: (w * x + u * h + b).tanh())
    variables = [Value(k / 7, name=name) for k, name in enumerate(("weight", "x", "u", "h", "bias"))]
    trace = Trace(step(*variables), names={})
    y, x = (Parts(trace, COMPACT).nodes[trace.graph.variables.index(v)] for v in (trace.graph.z, variables[0]))
    assert y["lines"] == 2 and "lines" not in x and y["w"] <= COMPACT.widest_formula and y["pad"] >= COMPACT.below + COMPACT.formula
    assert "lines" not in Parts(trace, ROOMY).nodes[-1]


@pytest.mark.sweep
def test_many_children_are_shown_a_few_at_a_time():
    trace = Trace(dense(30, 2), names={})
    z = len(trace.graph.variables) - 1
    check(trace)
    found = near(trace)
    y = next(i for i, v in enumerate(trace.graph.variables) if len(v.inputs) == 30)
    xs = [Value(float(i), name=f"x{i}") for i in range(30)]
    x = Value(2.0, name="x")
    total = sum((x * v for v in xs), Value(0.0))
    shared = Trace(total, names={})
    place = {v: i for i, v in enumerate(shared.graph.variables)}
    seen = {at for s, at in zip(shared.steps, near(shared)["at"]) if s.x is x}
    assert len(seen) == 10 and place[x] < place[shared.graph.z]
    assert y != z and len(found["scenes"]) < len(trace.graph.variables)  # inputs share them


@swept("make", [lambda: chain(20)[1], lambda: dense(8, 7), lambda: random_graph(4, 16)], every=3)
def test_a_graph_too_wide_or_dense_for_its_panel_is_whole_and_has_neighbourhoods(make):
    trace = Trace(make(), names={})
    assert not PANEL.holds(check(trace)) and kept(trace)["narrow"]
    found = near(trace)
    assert found["width"] <= ACROSS.width and found["height"] <= ACROSS.height


def test_a_graph_of_more_than_sixty_variables_has_only_neighbourhoods():
    n = MOST_VARIABLES
    assert kept(Trace(chain(n - 1)[1], names={}))["whole"]["width"] > 5 * PANEL.width
    assert kept(Trace(chain(n)[1], names={}))["whole"] is None


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(9, 1), (4, 4, 1)])
def test_sixty_variables_are_laid_out_in_less_than_three_seconds(sizes):
    random.seed(4)
    trace = Trace((nn.MLP(2, list(sizes))([Value(0.5, name="a"), Value(-1.5, name="b")]) - 1) ** 2, names={})
    spent, found = cpu_seconds(lambda: computed(trace))
    assert spent < 3 and 50 < len(found["whole"]["nodes"]) <= MOST_VARIABLES  # one second, on an idle machine


def test_the_overview_has_a_place_for_every_variable():
    trace = thirty("topological")
    whole = near(trace)["overview"]
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    for v, (x, y) in zip(trace.graph.variables, whole["points"]):
        assert 0 < x < whole["width"] and 0 < y < whole["height"]
        for u in v.inputs:
            assert whole["points"][place[u]][0] < x
    assert len({tuple(p) for p in whole["points"]}) == len(place)
    assert whole["path"].count("M") == len({(u, v) for v in place for u in v.inputs})


@pytest.mark.slow
def test_a_thousand_variables_take_seconds_of_work():
    trace = Trace(random_graph(1, 1800), names={})
    assert len(trace.graph.variables) > 1000
    spent, found = cpu_seconds(lambda: scene(trace))
    assert spent < 6  # one second, on an idle machine
    assert all(not meetings(part) for part in found["scenes"])


@pytest.mark.sweep
def test_a_deep_graph_has_scenes():
    found = scene(Trace(chain(1200)[1], names={}))
    assert len(found["scenes"]) == 1201 + 1  # variables, toward z
    assert found["scenes"][0]["folds"][-1] == {**found["scenes"][0]["folds"][-1], "count": 1199, "lines": ["1,199 more", "up to z"]}


def test_a_variable_does_not_stand_in_a_fold_of_its_own_if_there_is_room():
    tried = 0
    for program, room in itertools.product((graphs_of_others.rosenbrock, graphs_of_others.horner), (ACROSS, DOWN)):
        scenes = scenes_in(trace_of(program), room)
        for v in map(scenes.parts.place.get, inputs_of(scenes.trace)):
            (shown, *_), layout = scenes.ways(v)
            alone = scenes.neighbourhoods.alone(shown)
            if layout.fits and len(alone) == 1:
                tried += 1
                assert not scenes.way(v, [*shown, *alone])[1].fits
    assert tried > 2


@swept("program", [position, graphs_of_others.four_hundred], every=2)
def test_the_backward_pass_begins_with_all_that_leads_to_z_for_which_there_is_room(program):
    trace = trace_of(program)
    near, place = kept(trace)["near"], {v: i for i, v in enumerate(trace.graph.variables)}
    first = near["scenes"][near["at"][0]]
    at_z = near["scenes"][near["of"][place[trace.graph.z]]]
    assert len(first["nodes"]) >= len(at_z["nodes"]) and {*at_z["nodes"]} & {*first["nodes"]}
    assert place[trace.graph.z] in first["nodes"] and len(first["nodes"]) >= 6
    assert near["layouts"][first["layout"]]["width"] <= ACROSS.width
    assert near["at"][0] != near["at"][-1] and near["at"].count(near["at"][0]) < 8  # only until it comes to a variable


def continued_fraction():
    a = [Value(v, name=f"a{i}") for i, v in enumerate((1.0, 2.0, 2.0, 3.0, 1.5))]
    value = lambda k: a[k] if k == 4 else a[k] + 1 / value(k + 1)
    return value(0)


def test_the_line_below_small_boxes_takes_room_from_a_whole_graph():
    found = kept(trace_of(continued_fraction))
    assert found["whole"]["look"]["compact"] and 243 < 12 / found["whole"]["look"]["smallest"] * found["whole"]["height"] < 264
    assert found["near"]


def test_the_value_of_a_long_name_stands_under_it_in_a_row_of_boxes():
    x = Value(0.5, name="x")
    z = x * x
    z.name = "remaining_sum"
    (_, low), (short, long) = boxes_of(Trace(z), ROOMY), boxes_of(Trace(z), COMPACT)
    assert "under" not in short and "under" not in low and long["under"] > COMPACT.value
    assert long["h"] == short["h"] + long["under"] and long["w"] < low["w"]
    assert not any("under" in box for box in boxes_of(Trace(z), SLIM))


@pytest.mark.sweep
def test_of_a_graph_of_hundreds_of_variables_every_function_is_told_of_in_a_scene():
    for found in kept(Trace(chain(160)[1], names={}))["ways"]:
        assert len(found["told"]) + len(found["scenes"][found["ways"][0][1]]["nodes"]) == 161


def test_what_a_scene_leaves_out_has_the_name_that_the_program_gives_to_z():
    folds = [fold for part in computed(trace_of(graphs_of_others.hub))["nearNarrow"]["scenes"] for fold in part["folds"]]
    assert {line for fold in folds for line in fold["lines"] if "up to" in line} == {"up to loss₃₀"}


def test_a_graph_that_a_middle_window_cannot_show_whole_has_parts():
    z = Value(0.5, name="x")
    for _ in range(7):
        z = sin(z)
    found = computed(Trace(z))
    assert PANEL.holds(found["whole"]) and not MIDDLE.holds(found["whole"]) and found["near"]
    assert computed(figure1_trace())["near"] is None  # it fits


# The font


def test_the_font_is_small_and_has_its_licence():
    player = Path(sys.modules["viz"].__file__).parent / "page" / "assets"
    font = (player / "math.woff2").read_bytes()
    assert font.startswith(b"wOF2") and len(font) < 60_000
    assert "GUST Font License" in (player / "font-license.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("way", ["whole", "narrow", "near"])
def test_the_edges_of_a_function_that_is_a_node_end_at_this_node(way):
    trace = figure1_trace() if way != "near" else thirty("topological")
    found = kept(trace, functions=True)[way]
    one = found if way != "near" else {"nodes": [{**found["boxes"][0]}], "edges": []}
    at = {node["variable"]: node for node in one["nodes"] if "variable" in node}
    for edge in one["edges"]:
        node, ends = at[place_of_output(trace, edge["edge"])], [float(n) for n in re.findall(r"-?[\d.]+", edge["path"])[-2:]]
        function, turned = node["function"], way == "narrow"
        across, along = (0, 1) if turned else (1, 0)
        assert ends[along] == pytest.approx(node["xy"[along]] - node["wh"[along]] / 2, abs=ROUNDING)
        assert abs(ends[across] - node["xy"[across]]) <= function["wh"[across]] / 2
        assert function["before"] < node["wh"[along]]
    boxes = found["nodes"] if way != "near" else found["boxes"]
    assert [bool(v.rule) for v in trace.graph.variables] == ["function" in box for box in boxes]


def place_of_output(trace, k):
    """Return the place of the variable at which edge number k ends."""
    variables = trace.graph.variables
    return variables.index([y for x in variables for y, _ in trace.graph.children[x]][k])

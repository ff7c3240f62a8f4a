"""The scenes of slides: each shows what its slide is about, counts all others, and can be read."""

import itertools
import re
from functools import cache

import pytest

from scalargrad import Trace, Value, cos, sin, sqrt
from scalargrad import sum as sum_of
from tests.each import swept
from tests.viz.graphs import figure1_trace, thirty_variables
from tests.viz.graphs_of_others import PROGRAMS
from viz.graphs.detail import trace_of
from viz.graphs.inputs import asked_input
from viz.layout.labels import sampled
from viz.page.play import steps_of
from viz.page.scenes.placing import Parts
from viz.page.scenes.slide_scenes import BELOW, BESIDE, MOVES, slide_scenes
from viz.page.scenes.text_sizes import ROOMY
from viz.slides import shown, title_slide


@cache
def scenes_of(trace):
    """Return the panel of a lesson, and (the step of the backward pass, or None; the scene) of each slide."""
    steps = steps_of([title_slide(trace, "A"), *shown(trace)])
    found = slide_scenes(trace, steps)
    return BESIDE if found["beside"] else BELOW, [(step, found["scenes"][k]) for step, k in zip(steps, found["of"])]


TRACES = [*(trace_of(PROGRAMS[name]) for name in ("rnn", "hub", "convolution")), figure1_trace(), thirty_variables("counting")]


@swept("trace", TRACES, every=5, ids=repr)
def test_each_slide_shows_its_step_and_z_and_the_asked_input_and_counts_all_others(trace):
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    panel, scenes = scenes_of(trace)
    for step, scene in scenes:
        drawn = [node["variable"] for node in scene["nodes"]]
        needed = {trace.graph.z, asked_input(trace)} | ({trace[step].x, trace[step].y} if step not in (None, MOVES) else set())
        assert {place[v] for v in needed if v in place} <= set(drawn)
        assert len(drawn) + sum(fold["count"] for fold in scene.get("folds", ())) == len(place)
        assert panel.holds(scene)


@swept("trace", TRACES, every=5, ids=repr)
def test_no_box_of_a_slide_covers_another(trace):
    for _, scene in scenes_of(trace)[1]:
        boxes = [*scene["nodes"], *scene.get("folds", ())]
        for k, a in enumerate(boxes):
            for b in boxes[:k]:
                apart = abs(a["x"] - b["x"]) >= (a["w"] + b["w"]) / 2, abs(a["y"] - b["y"]) >= (a["h"] + b["h"]) / 2
                assert any(apart), (a, b)


def two_compartments():
    """A drug in two compartments, whose graph stands in rows: lines from one variable share a track from row to row."""
    k_el, k12, k21 = Value(0.3), Value(0.5), Value(0.2)
    central, tissue, misfit = 100.0, 0.0, 0.0
    for step in range(4):
        flow = k12 * central - k21 * tissue
        central = central - 0.5 * (k_el * central + flow)
        tissue = tissue + 0.5 * flow
        if step in (1, 3):
            conc = central / 20
            misfit = misfit + (conc - 3.9 + 0.65 * (step - 1)) ** 2
    return misfit


@pytest.mark.sweep
def test_no_line_with_a_label_runs_through_the_label_of_an_edge_before_it():
    """A label hides the lines of the edges before its own."""
    many = 0
    for _, scene in scenes_of(trace_of(two_compartments))[1]:
        labelled = [edge for edge in scene["edges"] if edge["label"]]
        for edge, other in itertools.combinations(labelled, 2):
            points = [tuple(map(float, pair)) for pair in zip(*[iter(re.findall(r"[-.\d]+", other["path"]))] * 2)]
            x, y, w, h = (edge["label"][side] for side in "xywh")
            assert not any(abs(px - x) < w / 2 and abs(py - y) < h / 2 for px, py in sampled(dense(points)))
            many += 1
    assert many > 2


def dense(points):
    """Return a spline of ten times as many pieces along its chords, which are long only where it is straight."""
    cut = lambda a, b, k: tuple(p + (q - p) * k / 30 for p, q in zip(a, b))
    return [points[0], *(cut(points[i], points[i + 3], k) for i in range(0, len(points) - 3, 3) for k in range(1, 31))]


def test_a_small_graph_has_one_scene_for_all_slides():
    assert len({id(scene) for _, scene in scenes_of(figure1_trace())[1]}) == 1


def test_slides_that_show_the_same_share_a_scene():
    _, scenes = scenes_of(TRACES[2])
    still = {id(scene) for step, scene in scenes if step is None}
    assert len(still) == 1 < len({id(scene) for _, scene in scenes})


def queue():
    """How often a caller finds four lines busy: each value takes the one before, and the load."""
    calls, hours, wage, lost = Value(40.0), Value(0.05), Value(18.0), Value(6.0)
    load = calls * hours
    busy = 1.0
    for lines in range(1, 5):
        busy = load * busy / (lines + load * busy)
    return wage * 4 + lost * calls * busy


def test_the_nudged_way_and_all_children_of_a_sum_are_on_the_slides_of_a_graph_in_rows():
    trace = trace_of(queue)
    assert [len(scene["nodes"]) for _, scene in scenes_of(trace)[1]] == [len(trace.graph.variables)] * 12


def test_texts_stand_beside_a_tall_graph_and_below_a_wide_one():
    x = [Value(k / 9, name=f"x{k}") for k in range(12)]
    assert scenes_of(Trace(sum_of(*x)))[0] is BESIDE
    y = Value(2, name="x")
    for _ in range(6):
        y = y * 3
    assert scenes_of(Trace(y, names={}))[0] is BELOW


def test_a_slide_shows_every_child_of_its_variable_if_there_is_room():
    x = Value(0.5, name="x")
    ways = [x * k for k in (2, 3, 5)]
    z = sum_of(*[sum_of(*[y * y * 1.5 for _ in range(6)]) for y in ways])
    trace = Trace(z, names={})
    at = next(i for i, s in enumerate(trace) if s.act == "add" and s.x is x)
    scene = slide_scenes(trace, [at])["scenes"][0]
    assert {k for k, v in enumerate(trace.graph.variables) if any(v is y for y in ways)} <= {node["variable"] for node in scene["nodes"]}


@pytest.mark.sweep  # two seconds
def test_the_slide_of_a_step_of_descent_shows_the_inputs_that_move_most():
    xs = [Value(0.1 * k + 0.3, name=f"x{k}") for k in range(30)]
    trace = Trace(sum_of(*[(k % 7 + 1) * x * x * xs[0] for k, x in enumerate(xs)]), names={})
    step, scene = scenes_of(trace)[1][-1]
    slopes = sorted(((abs(trace.computed[x].number), k) for k, x in enumerate(trace.graph.variables) if not x.inputs), reverse=True)
    assert step is MOVES and {k for _, k in slopes[:4]} <= {node["variable"] for node in scene["nodes"]}


@pytest.mark.parametrize("name", ["perceptron", "rosenbrock"])
def test_a_slide_holds_all_of_a_graph_of_a_lecture(name):
    assert not any("folds" in scene for _, scene in scenes_of(trace_of(PROGRAMS[name]))[1])


def arm():
    """How far an arm of two links is from a point: two boxes beside each other open into their operations."""
    shoulder, elbow, upper, fore = Value(0.4), Value(0.9), Value(1.2), Value(0.8)
    ex, ey = upper * cos(shoulder), upper * sin(shoulder)
    hx, hy = ex + fore * cos(shoulder + elbow), ey + fore * sin(shoulder + elbow)
    distance = sqrt((hx - 1.0) ** 2 + (hy - 1.5) ** 2)
    effort = 0.1 * (shoulder**2 + elbow**2)
    return distance + effort


def test_no_label_stands_on_a_magnifier():
    trace, many = trace_of(arm), 0
    parts = Parts(trace, ROOMY)
    for _, scene in scenes_of(trace)[1]:
        corners = [(n["x"] + n["w"] / 2 + 2, n["y"] + n["h"] / 2 - 7) for n in scene["nodes"] if parts.opens[n["variable"]]]
        for label in (edge["label"] for edge in scene["edges"] if edge["label"]):
            many += 1
            assert not any(abs(x - label["x"]) < label["w"] / 2 + 11 and abs(y - label["y"]) < label["h"] / 2 + 11 for x, y in corners), (
                label
            )
    assert many > 10

"""A variable that many functions use is repeated beside them: no long lines, and a quick layout."""

import functools
import random
import re
from itertools import pairwise

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Graph, Trace, Value, scope, tanh
from scalargrad import sum as sum_of
from tests.each import each, swept
from tests.scalargrad.statements.programs import recurrent_network, spring
from tests.viz.drawing.test_draw import SVG, Shown, places, texts
from tests.viz.drawing.test_folding import PAGE, width_of
from viz.drawing.repeats import LONGEST_LINES, lengths, repeated
from viz.drawing.selection import select

draw = functools.partial(viz.draw, detail="operations")


def chain(n):
    """z = z · w + c, n times."""
    w, c, z = Value(0.5, name="w"), Value(1.0, name="c"), Value(2.0, name="x")
    for _ in range(n):
        z = z * w + c
    return z


def unrolled(n):
    """A recurrent network over n steps with the same three weights."""
    wx, wh, b, h = Value(0.5, name="wx"), Value(0.7, name="wh"), Value(0.1, name="b"), Value(0.0, name="h")
    for t in range(n):
        h = tanh(wx * Value(t / n, name=f"x{t}") + wh * h + b)
    return h


def everything_before(n):
    """Return a graph in which each function uses all variables before it."""
    made = [Value(1.0), Value(2.0)]
    for _ in range(n):
        made.append(tanh(sum_of(*made)))
    return made[-1]


def mixed(n):
    """Return random functions of three hubs and of recent variables."""
    dice = random.Random(3)
    made = hubs = [Value(dice.uniform(-1, 1)) for _ in range(3)]
    for _ in range(n):
        made = [*made, dice.choice([*hubs, *made[-8:]]) * dice.choice(made[-12:])]
    return made[-1]


def anything(n):
    """Return random functions of any earlier variables."""
    dice = random.Random(5)
    made = [Value(dice.uniform(-1, 1)) for _ in range(4)]
    for _ in range(n):
        made.append(dice.choice(made) * dice.choice(made[-5:]))
    return made[-1]


FAMILIES = [chain, unrolled, everything_before, mixed, anything]


def links_of(z):
    part = select(z, 200)
    return part.variables, dict.fromkeys((x, y) for y in part.variables for x in y.inputs if x in part.number)


def repeats(shown):
    """Return {the name of what is repeated: its small boxes}."""
    found = {}
    for group in shown.groups["node"]:
        if "repeated" in group.get("class").split():
            found.setdefault(texts(group)[0], []).append(group)
    return found


@each("make", FAMILIES)
@each("n", [10, 100, 1000])
def test_all_lines_together_pass_few_ranks(make, n):
    """Without repeats, the layout of a chain of 100 takes 68 seconds."""
    things, links = links_of(make(n))
    beside, passed = repeated(things, links), lengths(things, links)
    assert sum(ranks for (a, b), ranks in passed.items() if a not in beside.get(b, ())) <= LONGEST_LINES


@pytest.mark.slow
@pytest.mark.parametrize("make", [chain, unrolled, mixed, anything])
def test_the_time_to_draw_grows_linearly(make):
    resource = pytest.importorskip("resource")  # not on Windows

    def seconds(z):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        draw(z, names={}).pipe("svg")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    small, large = make(20), make(80)
    uses = lambda z: sum(len(y.inputs) for y in Graph(z).variables)
    assert seconds(large) < 6 * (uses(large) / uses(small)) * max(seconds(small), 0.03)


def test_a_variable_that_is_used_a_few_times_is_drawn_once():
    shown = Shown(draw(chain(5), width=1200))
    assert not repeats(shown) and "used" not in shown.svg
    assert len(shown.edges) == 4 * 5


def test_a_variable_that_is_used_everywhere_has_one_box_and_small_boxes_beside_its_uses():
    z = chain(25)
    z.backward()
    shown = Shown(draw(z, names={}))
    found = repeats(shown)
    assert {name: len(groups) for name, groups in found.items()} == {"w": 24, "c": 24}  # the box itself stands beside the first use
    assert all(texts(group) == ["w", "0.5"] for group in found["w"])
    boxes = [texts(g) for g in shown.groups["node"] if texts(g)[:1] == ["w"] and len(texts(g)) > 2]
    assert boxes == [["w", "0.5", "dz/dw = 4", "used 25 times"]]
    ids = sorted(g.get("id") for *_, g in shown.edges)
    assert ids == sorted(f"e{i}_{slot}" for i, y in enumerate(Graph(z).variables) for slot in range(len(y.inputs)))
    assert all("used 25 times" in next(a.get("{http://www.w3.org/1999/xlink}title") for a in g.iter(SVG + "a")) for g in found["w"])


@swept("make", [chain, unrolled], every=2)
def test_with_repeats_a_long_drawing_fits_on_a_page(make):
    assert width_of(draw(make(40), names={})) <= 1.05 * PAGE


def test_variables_of_equal_numbers_are_not_mistaken_for_each_other():
    one = Value(1.0, name="one")
    z = one
    for _ in range(30):
        z = z * one  # 1 everywhere
    assert set(repeats(Shown(draw(z, names={})))) == {"one"}


def test_both_uses_of_a_function_that_takes_it_twice_lead_from_one_small_box():
    w = z = Value(0.9, name="w")
    for _ in range(12):
        z = tanh(sum_of(z, w, w))
    shown = Shown(draw(z, names={}))
    assert len(repeats(shown)["w"]) == 11
    assert len(shown.edges) == 12 * 4


def test_a_step_marks_every_small_box_of_the_variable_that_it_looks_at():
    trace = Trace(chain(12), names={})
    step = next(i for i, s in enumerate(trace) if s.x is not None and s.x.name == "w" and s.act == "add")
    found = repeats(Shown(draw(trace, step=step)))
    assert all("current" in g.get("class").split() for g in found["w"])
    assert all("dimmed" in g.get("class").split() for g in found["c"])


@pytest.mark.sweep
def test_nothing_moves_from_step_to_step():
    trace = Trace(chain(9), names={})
    first = places(draw(trace, step=0))
    assert all(places(draw(trace, step=step)) == first for step in range(1, len(trace), 15))


def test_a_small_box_stands_in_the_frame_of_its_function():
    w = z = Value(0.5, name="w")
    for k in range(12):
        with scope(f"step{k}"):
            z = tanh(z * w)
    source = draw(z, names={}, expand=[f"step{k}" for k in range(12)]).source
    frames = source.split("subgraph cluster_f")[1:]
    assert len(frames) == 12 and all(frame.split("\t}")[0].count("class=repeated") == 1 for frame in frames[1:])


def test_boxes_of_scopes_and_constants_are_repeated_too():
    mask = tg.Tensor(np.ones((2, 2)), name="mask", keep_grad=False)
    with scope("weights"):
        w = tg.Tensor(np.eye(2), name="w") * 2.0
    z = tg.Tensor(np.ones((2, 2)), name="x")
    for _ in range(20):
        z = np.tanh(z @ w) * mask
    found = repeats(Shown(draw(z.sum(), names={}, fold="weights")))
    assert {name: len(groups) for name, groups in found.items()} == {"weights": 19, "mask": 19}


def test_a_function_with_three_small_boxes_is_drawn_completely():
    a, b, c, z = (Value(0.1 * k, name=name) for k, name in enumerate("abcx", 1))
    for _ in range(15):
        z = tanh(sum_of(z, a, b, c))
    shown = Shown(draw(z, names={}))
    assert {name: len(groups) for name, groups in repeats(shown).items()} == dict.fromkeys("abc", 14)
    assert len(shown.edges) == 15 * 5


@each(("many", "are_repeated"), [(5, False), (30, True)])
def test_more_repeated_variables_have_fewer_lines_each(many, are_repeated):
    steps, hubs = range(60), [f"h{k}" for k in range(many)]
    uses = [(h, i) for k, h in enumerate(hubs) for i in (k, k + 20, k + 29)]
    assert bool(repeated([*hubs, *steps], [*uses, *pairwise(steps)])) == are_repeated


def test_a_variable_of_a_loop_is_used_as_often_as_the_program_does():
    """Two boxes stand for the 18 passes that the drawing hides, and share their operations."""
    said = lambda program: set(re.findall(r"used (\d+) times", draw(program, width=900).svg))
    assert "20" in said(spring) and "5" in said(recurrent_network)

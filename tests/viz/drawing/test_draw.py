"""Drawings: what they show, read from the SVG of the layout engine."""

import os
import subprocess
import sys
from fractions import Fraction
from xml.etree import ElementTree

import pytest

import scalargrad
from scalargrad import Graph, Trace, Value, backpropagation, function, scope
from scalargrad.formulas.text import needs_brackets
from tests.each import each, swept
from tests.scalargrad.graphs import chain, figure1
from tests.viz.graphs import SCHEDULES, edges_of, figure1_trace
from tests.viz.graphs_of_others import PROGRAMS
from viz import draw
from viz.drawing.placing import Placed
from viz.drawing.svg.graphviz_engine import Drawing
from viz.drawing.svg.html_label import FONT, LONGEST, width

SVG = "{http://www.w3.org/2000/svg}"
TITLE = "{http://www.w3.org/1999/xlink}title"


LABEL = "node label"  # the class of a label that is painted after all lines


class Shown:
    """A drawing as its SVG shows it: nodes by their name, edges by the names of their ends."""

    def __init__(self, drawing):
        self.drawing = drawing
        self.svg = drawing.pipe("svg", encoding="utf-8")
        self.root = ElementTree.fromstring(self.svg)
        groups = [g for g in self.root.iter(SVG + "g") if g.get("class") not in (None, LABEL)]
        self.groups = {kind: [g for g in groups if g.get("class").split()[0] == kind] for kind in ("graph", "node", "edge")}
        self.nodes, ends = {}, {}
        for g in self.groups["node"]:
            words = texts(g)
            if not words:
                continue  # a line that continues in the next row
            tagged = words[0].split()[0] in {"current", "child", "input"} and len(words) > 2
            name = words[1 if tagged else 0]
            self.nodes[name] = g
            ends[g.find(SVG + "title").text] = name
        self.edges = [(ends[tail], ends[head], g) for tail, head, g in edges_of(self.groups["edge"])]

    def text(self, name):
        return texts(self.nodes[name])

    def classes(self, name):
        return set(self.nodes[name].get("class").split()[1:])

    def labels(self):
        return {(x, y): [" ".join(texts(g)) for a, b, g in self.edges if (a, b) == (x, y)] for x, y, _ in self.edges}

    def edge_classes(self):
        return {(x, y): g.get("class").split()[1] for x, y, g in self.edges}


def texts(group):
    return [t.text for t in group.iter(SVG + "text")]


def places(drawing):
    """Return the places and sizes of the boxes: node x y width height."""
    return [line.split()[:6] for line in drawing.pipe("plain", encoding="utf-8").splitlines() if line.startswith("node")]


def test_figure_1_has_seven_boxes_with_name_value_and_formula_and_eight_edges():
    shown = Shown(draw(figure1()["z"]))
    assert {name: shown.text(name)[1:] for name in shown.nodes} == {
        "x₁": ["3"],
        "x₂": ["1"],
        "x₃": ["−2"],
        "x₄": ["4"],
        "y₁": ["6", "y₁ = x₁ + x₂ + x₃ + x₄"],
        "y₂": ["16", "y₂ = x₄²"],
        "z": ["34", "z = x₁·y₁ + y₂"],
    }
    assert sorted(shown.labels()) == sorted(
        [("x₁", "y₁"), ("x₂", "y₁"), ("x₃", "y₁"), ("x₄", "y₁"), ("x₄", "y₂"), ("x₁", "z"), ("y₁", "z"), ("y₂", "z")]
    )
    assert len(shown.edges) == 8


def test_gradients_show_after_backward_and_not_before():
    z = figure1()["z"]
    assert "dz" not in draw(z).source
    z.backward()
    shown = Shown(draw(z))
    found = {name: shown.text(name)[2] for name in shown.nodes}
    totals = {"z": 1, "y₂": 1, "y₁": 3, "x₂": 3, "x₁": 9, "x₃": 3, "x₄": 11}
    assert found == {name: f"dz/d{name} = {total}" for name, total in totals.items()}
    assert "dz" not in draw(z, gradients={}).source
    z.zero_grad()
    assert "dz" not in draw(z).source


def test_gradients_can_be_given_as_backpropagation_returns_them():
    f = figure1()
    shown = Shown(draw(f["z"], gradients=backpropagation(f["z"])))
    assert shown.text("x₄")[2] == "dz/dx₄ = 11"
    assert shown.text("x₃")[2] == "dz/dx₃ = 3"


def test_a_gradient_that_is_not_the_total_derivative_is_called_grad():
    f = figure1()
    f["z"].backward()
    f["z"].backward()  # gradients of inputs add up
    assert Shown(draw(f["z"])).text("x₁")[2] == "grad = 18"
    f["z"].zero_grad()
    f["z"].backward()
    assert Shown(draw(f["y1"])).text("x₁")[2] == "grad = 9"  # dz/dx1, in a drawing of y1


def test_rounding_does_not_make_a_gradient_look_wrong():
    x = Value(0.1, name="x")
    y = scalargrad.sum(*(x * k for k in (1e17, 0.3, 0.7, -1e17, 0.1)))
    y.name = "y"
    y.backward()
    assert Shown(draw(y)).text("x")[2].startswith("dy/dx = ")


def test_gradients_that_are_variables_show_their_number():
    x = Value(3.0, name="x")
    y = x * x
    y.backward(create_graph=True)
    assert Shown(draw(y)).text("x")[2] == "dy/dx = 6"


def test_a_variable_without_a_name_has_the_name_in_the_callers_code():
    width_of_room, b = Value(2), Value(5)
    area = width_of_room * b
    assert set(Shown(draw(area)).nodes) == {"width_of_room", "b", "area"}
    assert set(Shown(draw(area, names={b: "length"})).nodes) == {"width_of_room", "length", "area"}


def test_an_underscore_at_the_end_of_a_name_is_shown():
    x, x_ = Value(2, name="x"), Value(5, name="x_")
    assert set(Shown(draw(x * x_, names={})).nodes) >= {"x", "x_"}


def test_both_edges_of_x_times_x_are_drawn_and_numbered():
    x = Value(3, name="x")
    y = x * x
    shown = Shown(draw(y))
    assert sorted(shown.labels()[("x", "y")]) == ["input 1", "input 2"]
    assert sorted(g.get("id") for *_, g in shown.edges) == ["e1_0", "e1_1"]


def test_many_edges_between_two_variables_that_say_the_same_are_one_edge():
    x, y = Value(2, name="x"), Value(3, name="y")
    z = scalargrad.sum(*[x] * 4000, y)
    [label] = Shown(draw(z, names={z: "z"}, partials="both")).labels()[("x", "z")]
    assert label == "4,000 inputs: ∂z/∂x = 1"
    trace = Trace(scalargrad.sum(*[x] * 13, y), names={})
    assert [len(Shown(draw(trace, step=k)).edges) for k in (0, len(trace) - 1)] == [2, 2]
    few = scalargrad.sum(*[x] * 12, y)
    assert len(Shown(draw(few, names={few: "z"})).edges) == 13


def test_arguments_numbers_all_edges():
    labels = Shown(draw(figure1()["z"], arguments=True)).labels()
    assert labels[("x₄", "y₁")] == ["input 4"]
    assert labels[("y₂", "z")] == ["input 3"]
    assert {text for [text] in Shown(draw(figure1()["z"])).labels().values()} == {""}


@each(
    "partials, expected",
    [
        ("numbers", {("x₁", "z"): "∂z/∂x₁ = 6", ("x₄", "y₂"): "∂y₂/∂x₄ = 8", ("x₃", "y₁"): "∂y₁/∂x₃ = 1"}),
        ("symbols", {("x₁", "z"): "∂z/∂x₁ = y₁", ("x₄", "y₂"): "∂y₂/∂x₄ = 2·x₄", ("x₃", "y₁"): "∂y₁/∂x₃ = 1"}),
        ("both", {("x₁", "z"): "∂z/∂x₁ = y₁ = 6", ("x₄", "y₂"): "∂y₂/∂x₄ = 2·x₄ = 8", ("x₃", "y₁"): "∂y₁/∂x₃ = 1"}),
    ],
)
def test_partials_shows_partial_derivatives_at_the_edges(partials, expected):
    labels = Shown(draw(figure1()["z"], partials=partials)).labels()
    assert {edge: labels[edge] for edge in expected} == {edge: [text] for edge, text in expected.items()}
    assert all(len(each) == 1 and each[0].startswith("∂") for each in labels.values())


def test_constants_look_different_and_have_no_gradient():
    x, c = Value(-1.5, name="x"), Value(2.5, name="c", keep_grad=False)
    y = x * c
    y.backward()
    shown = Shown(draw(y))
    assert shown.text("c") == Shown(draw(Trace(y))).text("c") == ["c", "2.5"]
    assert shown.text("x") == ["x", "−1.5", "dy/dx = 2.5"]
    assert shown.classes("c") == {"variable", "constant"}
    assert shown.classes("x") == {"variable", "input"}
    dashed = {name: any(p.get("stroke-dasharray") for p in shown.nodes[name].iter(SVG + "path")) for name in shown.nodes}
    assert dashed == {"x": False, "c": True, "y": False}


@pytest.mark.parametrize(
    "number, text",
    [
        (1 / 3, "0.333333"),
        (-2.0, "−2"),
        (Fraction(-1, 3), "−1/3"),
        (1e-300, "1e−300"),
        (float("nan"), "nan"),
        (float("-inf"), "−inf"),
        pytest.param(10**5000, "1e+5000", id="1 and 5000 zeros"),
    ],
)
def test_numbers_are_short_and_carry_their_sign(number, text):
    assert Shown(draw(Value(number, name="x"))).text("x") == ["x", text]


def test_a_step_marks_the_current_variable_its_children_and_what_is_finished():
    shown = Shown(draw(figure1_trace(), step=27))  # x1 reads dz/dy1
    assert shown.text("x₁") == ["current x", "x₁", "3", "dz/dx₁ = 6 …"]
    assert shown.text("z")[0] == "child 1"
    assert shown.text("y₁") == ["child 2", "y₁", "6", "dz/dy₁ = 3", "y₁ = x₁ + x₂ + x₃ + x₄"]
    assert shown.text("x₂") == ["x₂", "1", "dz/dx₂ = 3"]
    assert shown.text("x₄") == ["x₄", "4", "dz/dx₄ = ?"]
    assert shown.classes("x₁") == {"variable", "input", "current"}
    assert shown.classes("z") == {"variable", "function", "z", "neighbour", "finished"}
    assert shown.classes("y₁") == {"variable", "function", "neighbour", "active", "finished"}
    assert shown.classes("x₂") == {"variable", "input", "finished", "dimmed"}
    assert shown.classes("x₄") == {"variable", "input", "dimmed"}
    classes = shown.edge_classes()
    assert classes.pop(("x₁", "y₁")) == "active"
    assert classes.pop(("x₁", "z")) == "neighbour"
    assert set(classes.values()) == {"dimmed"}
    assert {edge: text for edge, [text] in shown.labels().items() if text} == {
        ("x₁", "z"): "∂z/∂x₁ = 6",
        ("x₁", "y₁"): "∂y₁/∂x₁ = 1",
    }


def test_a_trace_shows_its_last_step_by_default():
    trace = figure1_trace()
    shown = Shown(draw(trace))
    assert [shown.text(name)[2] for name in ("x₁", "x₄", "z")] == ["dz/dx₁ = 9", "dz/dx₄ = 11", "dz/dz = 1"]
    assert all("dimmed" not in shown.classes(name) for name in shown.nodes)
    assert draw(trace, step=len(trace) - 1).source == draw(trace, step=-1).source == draw(trace).source


@swept("direction", ["LR", "TB"], every=2)
def test_nothing_moves_from_step_to_step(direction):
    trace = figure1_trace()
    first = places(draw(trace, step=0, direction=direction))
    assert len(first) == 7
    for step in range(1, len(trace)):
        assert places(draw(trace, step=step, direction=direction)) == first, step


def test_all_steps_in_both_themes_are_laid_out_once(monkeypatch):
    laid_out, lay_out = [], Placed.arrange
    monkeypatch.setattr(Placed, "arrange", lambda self, *distances: laid_out.append(distances) or lay_out(self, *distances))
    z, a = Value(3, name="a geometry of this test alone"), Value(2)
    trace = Trace(z * a * a, names={})
    for step in range(len(trace)):
        draw(trace, step=step, theme="auto")
    assert len(laid_out) == 1


@swept("program", [*PROGRAMS][::4], every=12)
def test_the_drawing_is_that_of_all_ways_to_lay_it_out_which_costs_least(program, monkeypatch):
    """The labels of a way whose boxes alone cost more are not placed."""
    module, ways = sys.modules["viz.drawing.draw"], []
    found = draw(PROGRAMS[program], width=468, partials="numbers").source
    monkeypatch.setattr(module, "cheapest", lambda tried: ways.extend(tried) or min(tried, key=lambda way: way.cost))
    assert draw(PROGRAMS[program], width=468, partials="numbers").source == found
    assert all(way.least <= way.cost * (1 + 1e-9) for way in ways)


def test_edges_before_their_step_keep_their_number_and_hide_their_partial():
    x = Value(3, name="x")
    y = x * x
    y.name = "y"
    trace = Trace(y)
    seen = [sorted(Shown(draw(trace, step=i)).labels()[("x", "y")]) for i in range(len(trace))]
    assert seen[0] == ["input 1", "input 2"]
    assert ["input 1: ∂y/∂x = 3", "input 2"] in seen
    assert ["input 1: ∂y/∂x = 3", "input 2: ∂y/∂x = 3"] in seen


def test_schedules_that_scatter_mark_the_current_y_and_its_inputs():
    trace = Trace(figure1()["z"], schedule="counting")
    step = next(i for i, s in enumerate(trace.steps) if s.act == "add")
    shown = Shown(draw(trace, step=step))
    assert shown.text("z")[0] == "current y"
    assert shown.text("x₁")[0] == "input 1"
    assert shown.edge_classes()[("x₁", "z")] == "active"
    assert shown.text("x₁")[3] == "dz/dx₁ = 6 …"  # y1 has not been processed yet
    assert "finished" not in shown.classes("x₁")


@swept("schedule", SCHEDULES, every=3)
def test_every_step_of_every_schedule_can_be_drawn(schedule):
    trace = Trace(figure1()["z"], schedule=schedule)
    sources = [draw(trace, step=i).source for i in range(len(trace))]
    assert len(set(sources)) > len(trace.graph.variables)
    assert "dz/dx₄ = 11<" in sources[-1]


HOSTILE = [
    "<script>a()</script>",
    'a"b',
    r"\N",
    r"\G\l\\",
    "a\\",
    "{x|y}",
    "</TD></TABLE>>];",
    "&lt;b&gt;",
    '" URL="js:z',
    "<b>",
    "]; x -> y",
    "中文",
]


@each("name", HOSTILE)
def test_any_name_stays_text_in_labels_and_tooltips(name):
    x = Value(3, name=name)
    y = x * x
    y.name = "y"
    shown = Shown(draw(y, partials="both"))
    assert texts(shown.groups["node"][0]) == [name, "3"]
    assert shown.text("y")[2].removeprefix("y ")[:22] == f"= {name}·{name}"[:22]
    written = f"({name})" if needs_brackets(name) else name
    assert sorted(shown.labels()[(name, "y")]) == [f"input {i}: ∂y/∂{written} = {name} = 3" for i in (1, 2)]
    tips = [a.get(TITLE) for a in shown.root.iter(SVG + "a")]
    assert f"{name} = 3" in tips and f"∂y/∂{written} = {name} = 3" in tips
    assert {e.tag.removeprefix(SVG) for e in shown.root.iter()} <= {"svg", "g", "title", "a", "path", "polygon", "text"}
    assert not any("href" in key for e in shown.root.iter() for key in e.attrib)
    assert {g.get("id") for kind in ("node", "edge") for g in shown.groups[kind]} == {"v0", "v1", "e1_0", "e1_1"}


@each("name", ["two\nlines", "nul\0", "\x1b[31m", "\ud800", "\u202eabc", "\ufffe", "tab\t"])
def test_characters_that_cannot_be_printed_are_replaced(name):
    [text, _] = texts(Shown(draw(Value(3, name=name))).groups["node"][0])
    assert text.isprintable()
    assert "�" in text


def test_labels_are_limited_in_length():
    x = Value(3, name="x" * 5000)
    y = scalargrad.sum(*[x * k for k in range(2, 30)])
    shown = Shown(draw(y, partials="both"))
    longest = max(len(text) for kind in ("node", "edge") for g in shown.groups[kind] for text in texts(g))
    assert longest <= LONGEST
    assert f"{'x' * 10}…{'x' * 9}" in shown.nodes
    assert len(draw(y).source) < 70_000


def test_a_formula_too_long_for_its_box_does_not_repeat_the_name_and_ends_between_terms():
    rate, first_part, other_part = Value(0.01, name="monthly_rate"), Value(2.0, name="first_part"), Value(3.0, name="other_part")
    growth = (1 + rate) * first_part * other_part
    formula = lambda y, name: Shown(draw(y, names={y: name}, detail="statements")).text(name)[2]
    assert formula(growth, "growth_of_it") == "= (1 + monthly_rate)·first_part·…"
    assert formula((1 + rate) * rate, "growth_of_it") == "= (1 + monthly_rate)·monthly_rate"
    assert formula(rate * first_part, "y") == "y = monthly_rate·first_part"


def test_a_very_long_formula_is_written_as_a_call():
    @function
    def doubled(x):
        for _ in range(200):
            x = x + x
        return x

    x = Value(1.0, name="x")
    y = doubled(x)
    y.name = "y"
    shown = Shown(draw(y, partials="both"))
    assert shown.text("y")[2] == "y = doubled(x)"


@pytest.mark.parametrize("most", [20, pytest.param(200, marks=pytest.mark.sweep)])
def test_a_large_graph_shows_the_variables_nearest_to_z_and_says_so(most):
    """It shows 200, if not asked for fewer."""
    options = {"max_nodes": most} if most != 200 else {}
    x = Value(1.0, name="x")
    y = x
    for _ in range(1_344):
        y = y + 1
    shown = Shown(draw(y, detail="operations", **options))
    assert texts(shown.root)[0] == f"graph has 1,345 variables; showing {most}"
    ids = {g.get("id") for g in shown.nodes.values()}
    assert ids == {f"v{i}" for i in range(1_345 - most, 1_345)} | {f"m{1_345 - most}"}
    assert "showing" not in draw(chain(most)[1], max_nodes=most + 1, detail="operations").source


def test_nearest_means_by_the_shortest_path():
    y = Value(1.0)
    for _ in range(50):
        y = y + 1
    near = [Value(2.0, name=f"near{i}_") for i in range(6)]
    z = scalargrad.sum(y, *near)
    assert {f"near{i}_" for i in range(6)} < set(Shown(draw(z, max_nodes=10)).nodes)


def test_inputs_that_are_not_drawn_are_counted():
    xs = [Value(k) for k in range(10)]
    y = scalargrad.sum(*xs, xs[-1])
    shown = Shown(draw(y, max_nodes=4))
    assert "… 8 inputs" in shown.nodes
    assert len(shown.edges) == 4


def test_a_step_far_from_z_shows_the_variables_around_it():
    x = Value(1.0, name="x")
    y = x
    for _ in range(300):
        y = y + 1
    shown = Shown(draw(Trace(y), step=-3, max_nodes=10))
    assert shown.text("x")[0] == "current x"
    assert sum(texts(g)[0] == "child" for g in shown.nodes.values()) == 1


@pytest.mark.slow
def test_part_of_a_chain_of_a_million_functions_is_drawn():
    x = Value(1.0)
    y = x
    for _ in range(1_000_000):
        y = y + 1.0
    y.backward()
    assert "graph has 1,000,001 variables; showing 200" in draw(y).source


@pytest.mark.processes
def test_the_same_program_gives_the_same_drawing():
    program = (
        "import sys; from scalargrad import Trace, Value; from viz import draw\n"
        "x, w, b = Value(2.0), Value(-0.5), Value(1.0)\n"
        "y = (x * w + b).tanh() * x\n"
        "z = y * y + w\n"
        "drawing = draw(Trace(z, schedule='counting'), step=20, partials='both')\n"
        "sys.stdout.buffer.write(drawing.source.encode() + drawing.pipe('svg'))"
    )
    runs = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "1", "2")
    }
    assert len(runs) == 1
    assert b"current y" in runs.pop()


def test_direction_is_left_to_right_or_top_to_bottom():
    def centre(direction):
        z = figure1()["z"]
        found = {node[1]: (float(node[2]), float(node[3])) for node in places(draw(z, direction=direction))}
        order = [v.name for v in Graph(z).variables]
        return [found[f"v{order.index(name)}"] for name in ("x1", "y1", "z")]

    x, y, z = centre("LR")
    assert x[0] < y[0] < z[0]
    x, y, z = centre("TB")
    assert x[1] > y[1] > z[1]  # upwards


def test_light_and_dark_differ_only_in_colour():
    z = figure1()["z"]
    light, dark = (Shown(draw(z, theme=theme)) for theme in ("light", "dark"))
    paper = [next(shown.root.iter(SVG + "polygon")).get("fill") for shown in (light, dark)]
    assert paper == ["white", "#181e27"] or paper == ["#ffffff", "#181e27"]
    assert [texts(g) for g in light.groups["node"]] == [texts(g) for g in dark.groups["node"]]
    assert places(light.drawing) == places(dark.drawing)


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(
        w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True)
    )


@each("theme", ["LIGHT", "DARK"])
def test_text_has_enough_contrast(theme):
    from viz import theme as themes

    t = getattr(themes, theme)
    fills = [t.paper, t.function_fill, t.input_fill, t.current_fill, t.child_fill, t.positive_fill, t.negative_fill, t.zero_fill]
    pairs = [(t.ink, fill) for fill in fills] + [(t.quiet, fill) for fill in fills[:3]]
    pairs += [(t.paper, t.current), (t.paper, t.child), (t.partial, t.paper), (t.ink, t.function_node_fill)]
    for text, fill in pairs:
        low, high = sorted([luminance(text), luminance(fill)])
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, fill)


def test_the_tooltip_describes_the_whole_graph():
    z = figure1()["z"]
    z.backward()
    shown = Shown(draw(z))
    [graph] = shown.groups["graph"]
    assert graph.find(f"{SVG}g/{SVG}a").get(TITLE).startswith("z = x₁·y₁ + y₂ = 34, dz/dz = 1; y₂ = x₄² = 16, dz/dy₂ = 1; ")


@each("text", ["x1*(x1+x2+x3+x4)+x4**2", "The quick brown fox jumps over the lazy dog", "0.333333 | [a] {b} 'c' #?", "MW@%iIl"])
def test_text_is_measured_as_the_layout_engine_measures_it(text):
    d = Drawing(node_attr={"shape": "plain", "fontname": FONT.split(",")[0], "fontsize": "20"})
    d.node("n", label=f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR><TD>{text}</TD></TR></TABLE>>')
    [[*_, wide, _]] = places(d)
    assert width(text, 20) == pytest.approx(72 * float(wide), rel=0.02, abs=3)


def test_any_variable_with_the_same_interface_is_drawn():
    class Node:
        def __init__(self, data, *inputs):
            self.data, self.inputs, self.partials = data, inputs, (1,) * len(inputs)
            self.grad, self.name, self.arguments = None, None, inputs
            self.rule = scalargrad.add if inputs else None

    a, b = Node(1), Node(2)
    c = Node(3, a, b)
    assert Shown(draw(c)).text("c") == ["c", "3", "c = a + b"]


@each(
    "options, error, message",
    [
        ({"direction": "up"}, ValueError, "direction is 'up'; choose one of None, 'LR', 'TB'"),
        ({"theme": "pink"}, ValueError, "theme is 'pink'; choose one of 'light', 'dark'"),
        ({"partials": True}, ValueError, "partials is True; choose one of None, 'numbers', 'symbols', 'both'"),
        ({"max_nodes": 0}, ValueError, "max_nodes is 0; it must be an integer from 1 on"),
        ({"step": 3}, TypeError, r"step=3 needs a Trace, which has steps: draw\(Trace\(z\), step=3\)"),
    ],
)
def test_a_wrong_option_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        draw(Value(3), **options)


def test_things_that_are_not_a_graph_are_refused():
    with pytest.raises(TypeError, match="^draw: 34 is not a variable; give a Value, a Tensor, a Graph or a Trace"):
        draw(34)
    with pytest.raises(IndexError, match="step=46, but the trace has steps 0 to 45"):
        draw(figure1_trace(), step=46)


def test_a_graph_and_its_z_have_the_same_drawing():
    z = figure1()["z"]
    assert draw(Graph(z)).source == draw(z).source


def test_the_labels_of_edges_use_the_names_that_the_boxes_show():
    y = Value(0.5, name="x")
    for layer in ("layer1", "layer2"):
        with scope(layer):
            y = Value(0.3, name="w") * y
    source = draw(y, partials="both", detail="operations").source
    assert "/∂x = w = 0.3<" in source and "= layer1.w" not in source


def test_a_label_is_painted_after_the_lines_that_cross_it():
    root = ElementTree.fromstring(draw(PROGRAMS["rosenbrock"], partials="both", direction="TB", width=300).pipe("svg", encoding="utf-8"))
    groups = [g for g in root.iter(SVG + "g") if g.get("class")]
    kinds = [g.get("class") for g in groups]
    labels, edges = [g for g in groups if g.get("class") == LABEL], {g.get("id"): g for g in groups if g.get("class").startswith("edge")}
    assert labels and all(texts(label) for label in labels)
    assert kinds.index(LABEL) > max(k for k, kind in enumerate(kinds) if kind.startswith("edge"))
    assert not any(texts(edges[label.get("id").removesuffix("-label")]) for label in labels)  # it has one label

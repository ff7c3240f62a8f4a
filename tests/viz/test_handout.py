"""The handout: which numbers are blank, what the solution shows, and that the file loads nothing from outside."""

import base64
import hashlib
import re
from functools import cache, partial
from html.parser import HTMLParser

import numpy as np
import pytest

from scalargrad import Trace, Value, scope, tanh
from tensorgrad import Tensor
from tests.each import each, swept
from tests.viz.graphs import NOT_THE_TUTORIALS, figure1_trace, thirty_variables
from tests.viz.graphs_of_others import PROGRAMS
from tests.viz.names_of_others import NAMES, named
from tutorial.graphs.matrices import fan_out
from viz import handout
from viz.graphs.inputs import asked_input
from viz.handout import ABOVE_ALL, ABOVE_FEW, HIGHEST, READABLE, SHARES, WIDE, Solution, Task, largest_part, scale
from viz.questions.variant import variant
from viz.text.formatter import LONGEST_FORMULA

VOID = {"meta", "path", "polygon"}


class Sheet(HTMLParser):
    """Read a handout: its items as lists of lines, with ____ for a blank and [2×2] for an empty grid, and the texts of its graphs."""

    def __init__(self, html):
        super().__init__()
        self.open, self.items, self.graphs, self.tags = [], [], [], set()
        self.rows = None
        self.feed(html)
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "li":
            self.items.append([])
        elif tag == "p" and "li" in self.open:
            self.items[-1].append("")
        elif tag == "svg":
            self.graphs.append([])
        elif tag == "mtable" and dict(attributes).get("class") == "grid":
            self.rows = []
        elif tag == "mtr" and self.rows is not None:
            self.rows.append(0)
        elif tag == "mtd" and self.rows is not None:
            self.rows[-1] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "mtable" and self.rows is not None:
            assert len(set(self.rows)) == 1
            self.say(f"[{len(self.rows)}×{self.rows[0]}]")
            self.rows = None
        elif tag in ("mtd", "mtr") and self.rows is None:
            self.say({"mtd": " ", "mtr": ";"}[tag])
        if tag == "mfrac" or (tag == "mrow" and self.open[-1] == "mfrac"):
            self.say("/" if tag == "mrow" else " ")

    def handle_data(self, data):
        if "svg" in self.open:
            if self.open[-1] == "text" and data.strip():
                self.graphs[-1].append(data.replace("\xa0", " "))
        else:
            self.say(data)

    def say(self, text):
        if "li" in self.open and "p" in self.open:
            self.items[-1][-1] += text


def read(html):
    return Sheet(html)


def lines(sheet, item):
    return [
        " ".join(line.replace("/ ", " ").replace(" ;]", "]").replace(" ;", ";").replace("2·x", "2x").split())
        for line in sheet.items[item - 1]
    ]


def test_every_number_of_figure_1_is_a_blank_and_every_formula_is_given():
    task = read(handout(figure1_trace(), solution=False, blanks=None).html)
    assert len(task.items) == 7
    assert lines(task, 4) == [
        "current node: x1",
        "computed = {dz/dz : ____, dz/dy2 : ____, dz/dy1 : x1 = ____, dz/dx2 : x1 = ____}",
        "calculate: ∂z/∂x1 = y1 = ____, ∂y1/∂x1 = ____",
        "invoke chain rule: dz/dx1 = dz/dz · ∂z/∂x1 + dz/dy1 · ∂y1/∂x1 = ____ · y1 + x1 · ____ = ____ · ____ + ____ · ____ = ____",
    ]
    assert not any(re.search(r"(?<![a-z\d])\d", line.replace("2x4", "")) for i in range(1, 8) for line in lines(task, i)), (
        "no number is told"
    )


def test_the_graph_leaves_the_derivatives_open():
    task, solution = read(handout(figure1_trace()).html).graphs
    assert sorted(text for text in task if "dz/" in text) == [f"dz/d{x} = _____" for x in ("x₁", "x₂", "x₃", "x₄", "y₁", "y₂", "z")]
    assert {"dz/dx₄ = 11", "dz/dx₁ = 9"} <= set(solution) and {"34", "−2"} <= set(task)


def test_the_solution_has_every_number():
    solution = read(handout(figure1_trace(), blanks=None).html)
    assert len(solution.items) == 14
    assert lines(solution, 7 + 6)[2:] == [
        "calculate: ∂y1/∂x4 = 1, ∂y2/∂x4 = 2x4 = 8",
        "invoke chain rule: dz/dx4 = dz/dy1 · ∂y1/∂x4 + dz/dy2 · ∂y2/∂x4 = x1 · 1 + 1 · 2x4 = 3 · 1 + 1 · 8 = 11",
    ]
    blanks = lambda text: re.sub(r"\b\d+\b(?!\w)", "#", text)
    given, filled = lines(solution, 6)[1], lines(solution, 13)[1]
    assert blanks(filled) == blanks(given).replace("____", "#"), "the blanks are where the numbers are"
    assert "____" not in "".join("".join(lines(solution, i)) for i in range(8, 15))


def blanks_of(sheet):
    """Return the lines of a sheet that have a blank."""
    return [line for k in range(len(sheet.items)) for line in lines(sheet, k + 1) if "____" in line]


def test_twelve_blanks_ask_for_every_derivative_and_the_partials_that_teach_something():
    task = read(handout(figure1_trace(), solution=False).html)
    assert len(task.items) == 6 and sum(line.count("____") for line in blanks_of(task)) == 12
    assert lines(task, 4) == [
        "current node: x1",
        "calculate: ∂z/∂x1 = y1 = ____, ∂y1/∂x1 = 1",
        "invoke chain rule: dz/dx1 = dz/dz · ∂z/∂x1 + dz/dy1 · ∂y1/∂x1 = 1 · y1 + x1 · 1 = ____ = ____",
    ]
    assert all(lines(task, k)[-1].endswith("= ____") for k in range(1, 7)), "every derivative is asked for"
    assert not any("computed" in line for k in range(6) for line in lines(task, k + 1)), "the dictionary would give the answers"


@swept("most", [1, 2, 5, 9, 12, 20, 100], every=3)
def test_there_are_never_more_blanks_than_asked_for_and_the_solution_fills_them(most):
    fills_them(figure1_trace(), most)
    if most in (1, 12, 100):
        fills_them(thirty_variables(), most)


def fills_them(trace, most):
    part = range(len(trace.graph.variables))
    task, solution = (read(f"<ol>{sheet.list()}</ol>") for sheet in (Task(trace, most, part, symbols=False), Solution(trace, most, part)))
    count = lambda sheet: sum(line.count("____") for k in range(len(sheet.items)) for line in lines(sheet, k + 1))
    assert 0 < count(task) <= most and count(solution) == 0


def test_few_blanks_ask_for_the_derivatives_of_the_inputs():
    task = read(handout(figure1_trace(), solution=False, blanks=4).html)
    assert [lines(task, k)[0] for k in range(1, 7) if "____" in lines(task, k)[-1]] == [f"current node: x{k}" for k in (2, 1, 3, 4)]


def test_a_hidden_number_is_not_given_in_another_place():
    trace = figure1_trace(numbers=(31, 7, -53, 47))
    task = read(handout(trace, solution=False).html)
    text = " ".join(line for k in range(1, 7) for line in lines(task, k))
    assert str(trace.computed[trace.graph.order[4]].number) not in text and "31" in text, "dz/dx1 is hidden, ∂z/∂y1 is given"
    row = lines(read(handout(trace, solution=False, blanks=100).html), 6)[-1]
    assert row == "invoke chain rule: dz/dx4 = dz/dy1 · ∂y1/∂x4 + dz/dy2 · ∂y2/∂x4 = ____ = ____", "the symbols 1 · 2x4 would tell dz/dy2"


def test_symbols_may_be_blank_too():
    line = lambda **options: lines(read(handout(figure1_trace(), solution=False, **options).html), 4)
    assert line(symbols=True)[1:] == [
        "calculate: ∂z/∂x1 = ____, ∂y1/∂x1 = 1",
        "invoke chain rule: dz/dx1 = dz/dz · ∂z/∂x1 + dz/dy1 · ∂y1/∂x1 = ____ = ____",
    ]
    assert "1 · y1 + x1 · 1" in line()[2] and "= y1 = ____" in line()[1]


def values(graph):
    """Return the numbers in the boxes of a graph."""
    return [text for text in graph if re.fullmatch(r"−?\d+", text)]


def test_each_seed_gives_the_same_graph_other_numbers_and_the_solutions_come_last():
    html = handout(figure1_trace(), seed=range(1, 4)).html
    sheet = read(html)
    assert re.findall("<h1>(.*?)</h1>", html) == [f"Backpropagation by hand, variant {k}{s}" for s in ("", ": solution") for k in (1, 2, 3)]
    tasks, solutions = sheet.graphs[:3], sheet.graphs[3:]
    assert len({tuple(values(graph)) for graph in tasks}) == 3
    for task, solution, k in zip(tasks, solutions, range(3)):
        assert set(values(task)) <= set(values(solution)), k
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert handout(figure1_trace(), seed=2).html == handout(figure1_trace(), seed=2).html, "the same seed, the same sheet"


@each("seed", range(20))
def test_a_variant_is_the_same_graph_at_small_integers_with_short_sums(seed):
    trace = figure1_trace()
    other = variant(trace, seed)
    found = {name: x.data for x, name in other.names.items()}
    assert found["y1"] == sum(found[f"x{k}"] for k in range(1, 5)) and found["z"] == found["x1"] * found["y1"] + found["x4"] ** 2
    assert [other.names[v] for v in other.graph.order] == [trace.names[v] for v in trace.graph.order]
    assert all(0 < abs(found[f"x{k}"]) < 8 for k in range(1, 5)) and all(len(str(q.number)) <= 4 for q in other.computed.values())
    z = other.graph.z
    assert {x: q.number for x, q in other.computed.items()} == {x: x.grad for x in other.graph.variables}
    assert z.grad == 1 and trace.graph.z.data == 34, "the given graph is not changed"


def test_a_variant_keeps_constants_scopes_names_and_types():
    with scope("layer"):
        x, c = Value(0.5, name="x"), Value(10, name="c", keep_grad=False)
        z = tanh(c * x / 100)
    z.name = "out"
    other = variant(Trace(z), 3).graph
    by_name = {v.name: v for v in other.variables}
    assert by_name["c"].data == 10 and not by_name["c"].keep_grad and type(by_name["x"].data) is float and by_name["x"].data.is_integer()
    assert by_name["out"].scope == ("layer",)


def test_numbers_at_which_a_function_is_not_finite_are_not_drawn():
    x, y = Value(3, name="x"), Value(5, name="y")
    for seed in range(20):
        found = variant(Trace((x - y).sqrt()), seed).graph
        assert found.z.data > 0


def test_a_graph_that_cannot_vary_says_why():
    with pytest.raises(TypeError, match="handout: seed=1 needs a graph of numbers; this graph has arrays"):
        handout(fan_out()["z"], seed=1)
    x = Value(3, name="x")
    with pytest.raises(ValueError, match="no small integers give finite values here"):
        handout((x * x + 1).log().log().log() * (-x * x).log(), seed=1)
    with pytest.raises(TypeError, match="seed='x' is not an integer, nor integers"):
        handout(x * x, seed="x")
    with pytest.raises(ValueError, match="seed= is empty"):
        handout(x * x, seed=[])
    for wrong in (0, "many", 2.5):
        with pytest.raises(ValueError, match="handout: blanks is .*; it must be an integer from 1 on, or 'all'"):
            handout(x * x, blanks=wrong)
    assert handout(x * x, blanks="all").html == handout(x * x, blanks=None).html


def test_matrices_are_empty_grids():
    v = fan_out()
    sheet = read(handout(v["z"], blanks=None).html)
    assert lines(sheet, 5)[3] == "invoke chain rule: dz/dB = GBC + GBE = Aᵀ dz/dC + dz/dE = [2×2] + [2×2] = [2×2]"
    assert sheet.graphs[0].count("dz/dB =") == 1 and "13" not in sheet.graphs[0][:7] and sheet.graphs[1].count("13") >= 2
    assert lines(sheet, 12)[3].endswith("= [5 5;12 12] + [1 1;1 1] = [6 6;13 13]")
    row = read(handout(Tensor([1.0, 2.0, 3.0], name="v").sum(), names={}, solution=False, blanks=None).html)
    assert "[1×3]" in "".join(lines(row, 1))
    square = read(handout(Tensor([[2.0] * 4] * 4, name="S").sum(), names={}, blanks=None).html)
    assert lines(square, 1)[3].endswith(" = [4×4]") and lines(square, 3)[3].endswith(f" = [{'1 1 1 1;' * 3}1 1 1 1]")
    large = read(handout(Tensor([[1.0] * 9] * 9, name="V").sum(), names={}, solution=False, blanks=None).html)
    assert "____ (9×9)" in lines(large, 1)[3]


def regression():
    X, y = np.array([[0.5, 1.0], [2.0, -1.0], [1.5, 0.0]]), np.array([1.0, 0.0, 2.0])
    w, decay = Tensor([0.3, -0.2]), Tensor(0.1)
    for _ in range(6):
        r = X @ w - y
        g = X.T @ r / 3 + (X * 2).T @ r
        w = w - 0.1 * g * decay
    loss = ((X @ w - y) ** 2).mean()
    return loss


def test_a_handout_of_arrays_can_be_solved():
    html = handout(regression, detail="statements", solution=False).html
    sheet = read(html)
    said = [" ".join(lines(sheet, i + 1)) for i in range(len(sheet.items))]
    assert sum("[1×2]" in item for item in said) >= 1 and "freed" not in html  # who draws a trace of a function has its leaves
    assert 5 <= html.count("<mtd></mtd>") + html.count('class="blank') <= 12  # an empty entry is a blank, too
    assert not any(re.search(r"(G\w+) = \1( |$)", item) for item in said)  # no formula that says nothing
    assert "array " not in " ".join(said)
    for item in said:
        *sides, last = item.partition("chain rule: ")[2].split(" = ")
        if last == "[1×2]":
            assert not any(re.fullmatch(r"\[[-−\d. e]+\]", side) for side in sides), item  # its answer is not printed before it
    assert "given: X = [0.5 1;2 −1;1.5 0], y = [1 0 2]" in said[0]  # the numbers of what its formula names


def test_words_in_a_formula_are_text_in_the_sentence():
    html = handout(fan_out()["z"], solution=False).html
    assert html.count("</math>, repeated along the summed axes") == 2


def test_all_blanks_have_room_for_the_longest_number():
    blank = lambda z: float(re.search(r"--blank: ([\d.]+)em", handout(z, names={}).html)[1])
    x = Value(3, name="x")
    assert blank(x * x) == 3.4 < blank(x * -0.123456) < 7
    assert "min-width: var(--blank)" in handout(x * x).html


@pytest.mark.sweep
def test_a_graph_that_would_be_tiny_above_the_list_has_its_own_sheet():
    x = z = Value(3, name="x")
    large = lambda z: '<figure class="graph large">' in handout(z, names={}, detail="operations").html
    assert not large(x * x)
    for _ in range(16):
        x, z = z, z * x
    assert large(z)


@swept("name", ("long_names", "softmax_cross_entropy", "perceptron", "horner", "kalman_step", "two_losses"), every=6)
def test_the_graph_of_a_handout_takes_the_width_of_the_paper_and_few_numbers_are_blank(name):
    text = handout(PROGRAMS[name], solution=False).html
    width, height = map(float, re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', text).groups())
    assert width <= WIDE / SHARES[-1] and 1 <= text.count(">____<") <= 12


@each("schedule", NOT_THE_TUTORIALS)
def test_other_schedules_list_every_step(schedule):
    trace = figure1_trace(schedule)
    sheet = read(handout(trace).html)
    assert len(sheet.items) == 2 * len(trace)
    task = " ".join(" ".join(lines(sheet, i + 1)) for i in range(len(trace)))
    assert task.count("____") > 20 and "11" not in task
    assert "11" in " ".join(" ".join(lines(sheet, len(trace) + i + 1)) for i in range(len(trace)))


def test_names_stay_text_and_the_file_loads_and_runs_nothing():
    x = Value(2, name='</style></li><script>alert(1)</script>"')
    html = handout(x * x, names={}, title="<b>&").html
    sheet = read(html)
    assert "script" not in sheet.tags and "b" not in sheet.tags and "&lt;b&gt;&amp;" in html
    assert len(sheet.items) == 2
    style = re.search("<style>(.*?)</style>", html, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; font-src data:;" in html
    assert not re.search(r"""(?:src|href)\s*=|url\((?!data:font/woff2)|\sstyle=""", html)


def test_a_handout_is_saved_and_shown_in_a_frame(tmp_path):
    sheet = handout(figure1_trace())
    assert (tmp_path / "sheet.html").write_text("") == 0
    path = sheet.save(tmp_path / "sheet.html")
    assert (tmp_path / "sheet.html").read_text(encoding="utf-8") == sheet.html and path == str(tmp_path / "sheet.html")
    shown = sheet._repr_html_()
    assert 'sandbox=""' in shown and "<script" not in shown and shown.count("<") == 2
    assert len(sheet.html) < 150_000


def test_a_handout_takes_the_options_of_a_trace():
    x = Value(3, name="x")
    z = x * x
    assert "∂q/∂" in read(handout(z, names={z: "q"}).html).items[0][2].replace(" ", "").replace("\N{PARTIAL DIFFERENTIAL}q/", "∂q/")
    with pytest.raises(ValueError, match="schedule='magic' is unknown"):
        handout(z, schedule="magic")
    assert handout(Trace(z, names={})).html == handout(z, names={}).html


def test_long_names_are_short_in_formulas_as_in_the_drawing_and_the_sheet_says_what_they_stand_for():
    sheet = handout(named(*NAMES["paths"]), solution=False).html
    assert "</math> stands for layer1/neuron12/weight_of_the_previous_state;" in sheet
    drawn, listed = sheet.split("</figure>")
    assert "…neuron12/weight…state" in drawn and "…neuron12/weight…state" in listed
    assert listed.count(">layer1/neuron12/weight_of_the_previous_state<") == 0
    assert "stands for" not in handout(named("x1", "x2", "y", "z")).html


def chain_of_layers():
    """Five layers of three neurons: 33 boxes, of which no sheet can show all."""
    h, weight = [Value(0.5), Value(-1.0)], 0.3
    for _ in range(5):
        weight = -weight
        w = [[Value(weight + 0.1 * k - 0.2 * j) for k in range(len(h))] for j in range(3)]
        h = [tanh(sum((x * y for x, y in zip(row, h)), Value(0.1 * j))) for j, row in enumerate(w)]
    loss = (h[0] + h[1] + h[2] - 1) ** 2
    return loss


@cache
def one_of_layers():
    return handout(chain_of_layers, solution=False).html


def scale_on_its_sheet(html):
    (large,), (svg,) = re.findall(r'<figure class="graph( large)?">', html), re.findall(r"<svg.*?</svg>", html, re.S)
    return scale(svg, HIGHEST if large else ABOVE_FEW)


def on_ways(trace, part):
    """The variables of a part that stand on its ways from the asked input to z."""
    begun, ended = {asked_input(trace)}, {trace.graph.z}
    for v in part:
        begun |= {v} if begun & {*v.inputs} else set()
    for v in reversed(part):
        ended |= {v} if any(y in ended and y in part for y, _ in trace.graph.children[v]) else set()
    return begun & ended


def test_each_variable_of_a_part_is_on_a_way_of_it_as_long_as_one_of_all_ways_is_not():
    trace = Trace(PROGRAMS["kalman_step"], detail="operations")
    everything, sizes = on_ways(trace, trace.graph.variables), set()
    for most in range(10, len(trace.graph.variables)):
        part = largest_part(trace, partial(holds_as_many, most))
        sizes.add(len(part))
        assert on_ways(trace, part) == {*part} or everything <= {*part}
    assert len(sizes) > 5


def holds_as_many(most, variables):
    return len(variables) <= most


@pytest.mark.sweep
def test_of_a_graph_that_no_sheet_can_show_a_handout_has_the_part_around_the_asked_path():
    html = one_of_layers()
    sheet = read(html)
    assert "graph has 33 variables; showing" in " ".join(sheet.graphs[0]).replace("\n", " ")
    assert "first those on the ways from" in html and len(sheet.items) < 20 and html.count(">____<") <= 12
    assert scale_on_its_sheet(html) >= 0.99 * READABLE
    lines = [line for lines in sheet.items for line in lines]
    assert any(re.search(r"; given: .*= [−0]", line) for line in lines)  # what is used, and not on the sheet
    partials = [line for line in lines if line.startswith("calculate")]
    assert not any(re.search(r"∂h.0.2/ *= ____", line) for line in partials)  # of passes of a loop, which the sheet does not show


def test_the_style_gives_graphs_the_height_that_they_are_made_for():
    style = handout(figure1_trace(), solution=False).html
    height = lambda selector: float(re.search(re.escape(selector) + r" svg {[^}]*max-height: (\d+)mm", style)[1]) / 25.4 * 72
    heights = map(height, (".few .graph:not(.large)", ".graph", ".graph.large"))
    assert all(abs(found - made) < 2 for found, made in zip(heights, (ABOVE_FEW, ABOVE_ALL, HIGHEST)))


def test_a_graph_that_a_sheet_can_show_is_whole():
    html = handout(PROGRAMS["softmax_cross_entropy"], solution=False).html
    assert "This sheet shows" not in html and scale_on_its_sheet(html) >= 0.99 * READABLE


@pytest.mark.sweep
def test_variants_of_a_part_are_parts_of_the_same_variables():
    first, second = one_of_layers(), handout(chain_of_layers, solution=False, seed=2).html
    nodes = lambda html: [line.split(":")[1].split()[0] for lines in read(html).items for line in lines[:1]]
    assert nodes(first) == nodes(second)


@pytest.mark.sweep
def test_no_formula_of_a_handout_is_longer_than_a_line():
    def orbit():
        x, y, vx, vy = Value(1.0), Value(0.0), Value(0.0), Value(1.0)
        for _ in range(3):
            k = 1 / (x * x + y * y) ** 1.5
            vx, vy = vx - x * k * 0.1, vy - y * k * 0.1
            x, y = x + vx * 0.1, y + vy * 0.1
        energy = (vx * vx + vy * vy) / 2 - 1 / (x * x + y * y) ** 0.5
        return energy

    html = handout(orbit, detail="operations", solution=False).html
    longest = max(len(re.sub("<[^>]*>", "", formula)) for formula in re.findall(r"<math>.*?</math>", html))
    assert longest <= LONGEST_FORMULA + 10

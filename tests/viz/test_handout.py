"""The handout: which numbers are blank, what the solution shows, and that the file loads nothing from outside."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.viz.graphs import NOT_THE_TUTORIALS, figure1_trace
from tutorial.matrices import fan_out
from viz import handout

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
    task = read(handout(figure1_trace(), solution=False).html)
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
    assert sorted(text for text in task if "dz/" in text) == [f"dz/d{x} =" for x in ("x₁", "x₂", "x₃", "x₄", "y₁", "y₂", "z")]
    assert {"dz/dx₄ = 11", "dz/dx₁ = 9"} <= set(solution) and {"34", "−2"} <= set(task)


def test_the_solution_has_every_number():
    solution = read(handout(figure1_trace()).html)
    assert len(solution.items) == 14
    assert lines(solution, 7 + 6)[2:] == [
        "calculate: ∂y1/∂x4 = 1, ∂y2/∂x4 = 2x4 = 8",
        "invoke chain rule: dz/dx4 = dz/dy1 · ∂y1/∂x4 + dz/dy2 · ∂y2/∂x4 = x1 · 1 + 1 · 2x4 = 3 · 1 + 1 · 8 = 11",
    ]
    blanks = lambda text: re.sub(r"\b\d+\b(?!\w)", "#", text)
    given, filled = lines(solution, 6)[1], lines(solution, 13)[1]
    assert blanks(filled) == blanks(given).replace("____", "#"), "the blanks are where the numbers are"
    assert "____" not in "".join("".join(lines(solution, i)) for i in range(8, 15))


def test_matrices_are_empty_grids():
    v = fan_out()
    sheet = read(handout(v["z"]).html)
    assert lines(sheet, 5)[3] == "invoke chain rule: dz/dB = GBC + GBE = Aᵀ dz/dC + dz/dE = [2×2] + [2×2] = [2×2]"
    assert sheet.graphs[0].count("dz/dB =") == 1 and "13" not in sheet.graphs[0][:7] and sheet.graphs[1].count("13") >= 2
    assert lines(sheet, 12)[3].endswith("= [5 5;12 12] + [1 1;1 1] = [6 6;13 13]")
    row = read(handout(Tensor([1.0, 2.0, 3.0], name="v").sum(), names={}, solution=False).html)
    assert "[1×3]" in "".join(lines(row, 1))
    square = read(handout(Tensor([[2.0] * 4] * 4, name="S").sum(), names={}).html)
    assert lines(square, 1)[3].endswith(" = [4×4]") and lines(square, 3)[3].endswith(f" = [{'1 1 1 1;' * 3}1 1 1 1]")
    large = read(handout(Tensor([[1.0] * 9] * 9, name="V").sum(), names={}, solution=False).html)
    assert "____ (9×9)" in lines(large, 1)[3]


def test_words_in_a_formula_are_text_in_the_sentence():
    html = handout(fan_out()["z"], solution=False).html
    assert html.count("</math>, repeated along the axes that were summed") == 2


def test_all_blanks_have_room_for_the_longest_number():
    blank = lambda z: float(re.search(r"--blank: ([\d.]+)em", handout(z, names={}).html)[1])
    x = Value(3, name="x")
    assert blank(x * x) == 3.4 < blank(x * -0.123456) < 7
    assert "min-width: var(--blank)" in handout(x * x).html


def test_a_graph_that_would_be_tiny_above_the_list_has_its_own_sheet():
    x = z = Value(3, name="x")
    large = lambda z: '<figure class="graph large">' in handout(z, names={}).html
    assert not large(x * x)
    for _ in range(16):
        x, z = z, z * x
    assert large(z)
    width, height = map(float, re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', handout(z, names={}).html).groups())
    assert height > width


@pytest.mark.parametrize("schedule", NOT_THE_TUTORIALS)
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
    assert len(sheet.items) == 4
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

"""The animated SVG: at every moment it shows the drawing of one step, and the text for it."""

import base64
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scalargrad import Trace, Value, scope
from tests.each import each, swept
from tests.viz.graphs import SCHEDULES, figure1_trace
from tutorial.graphs.matrices import fan_out
from viz import animate, draw
from viz.animation import around
from viz.text.narration import sentence

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {SVG + name for name in ("path", "polygon", "text")}


class Player:
    """Find the visible shapes at a time as a browser does, from the classes and the keyframes alone."""

    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        self.style = self.root.findtext(SVG + "style")
        moving = re.search(r"@media screen and \(prefers-reduced-motion:no-preference\)\{\n(.*?)\n\}", self.style, re.S)[1]
        self.seconds = float(re.search(r"\.t\{display:inline;animation:([\d.]+)s step-end infinite\}", moving)[1])
        assert "animation" not in self.style.replace(moving, "").replace("animation-name", ""), "nothing else moves"
        names = dict(re.findall(r"\.(k\d+)\{animation-name:(\w+)\}", self.style))
        frames = {
            name: [(float(at), seen) for at, seen in re.findall(r"([\d.]+)%\{visibility:(\w+)\}", inside)]
            for name, inside in re.findall(r"@keyframes (k\d+)\{((?:[\d.]+%\{visibility:\w+\})+)\}", self.style)
        }
        self.keyframes = {name: frames[other] for name, other in names.items()}

    def shapes(self, seconds=None):
        """Return the shapes that are visible after so many seconds; without a time, those that are visible if nothing moves."""
        return list(self.walk(self.root, seconds))

    def walk(self, element, seconds):
        classes = element.get("class", "").split()
        if "t" in classes and not (self.seen(classes[1], seconds) if seconds is not None else element.get("display") != "none"):
            return
        if element.tag in SHAPES:
            yield element
        for inner in element:
            yield from self.walk(inner, seconds)

    def seen(self, name, seconds):
        part = 100 * (seconds % self.seconds) / self.seconds
        return [seen for at, seen in self.keyframes[name] if at <= part][-1] == "visible"


@cache
def figure1_animation():
    return animate(figure1_trace())


def texts(shapes):
    return sorted(shape.text for shape in shapes if shape.tag == SVG + "text" and (shape.text or "").strip())


def colours(shapes):
    """Return every visible shape with its colours, without the text below the graph."""
    return sorted(
        str((shape.tag, shape.get("d") or shape.get("points"), shape.get("fill"), shape.get("stroke"), shape.get("stroke-dasharray")))
        for shape in shapes
        if shape.tag != SVG + "text" and {shape.get("fill"), shape.get("stroke")} != {"none"}
    )


def drawn(trace, step, **options):
    root = ElementTree.fromstring(draw(trace, step=step, **options).pipe("svg"))
    paper = root.find(f".//{SVG}polygon")
    return [shape for shape in root.iter() if shape.tag in SHAPES and shape is not paper]


@swept("schedule", SCHEDULES, every=6)
def test_at_every_moment_only_the_drawing_of_that_step_is_visible(schedule):
    trace = figure1_trace(schedule)
    player = Player(animate(trace, seconds=2).svg)
    assert player.seconds == 2 * (len(trace) + 3)
    for step in [*range(0, len(trace), 8), len(trace) - 1]:
        expected = drawn(trace, step)
        for seconds in (2 * step + 0.01, 2 * step + 1.99):
            shapes = player.shapes(seconds)
            below = [text for text in texts(shapes) if text not in texts(expected)]
            assert set(texts(expected)) <= set(texts(shapes)) and len(below) <= 4
            assert any(f"step {step + 1} of {len(trace)}" in text for text in below)
            assert colours(shapes) == colours(expected)
    assert texts(player.shapes(player.seconds - 0.01)) == texts(player.shapes())


def test_the_text_below_is_the_line_and_what_it_does():
    trace = figure1_trace()
    seen = texts(Player(figure1_animation().svg).shapes(27.5))
    assert {"iteration 4 of 6, step 28 of 46", "14  Let total_y = computed.get(dz/dy)"} <= set(seen)
    assert sentence(trace, 27) in seen
    long = Value(1, name="a_name_that_is_long" * 3) * Value(2, name="another_name_that_is_long" * 3)
    step, trace = 7, Trace(long, names={})
    shapes = Player(animate(trace).svg).shapes(step + 0.5)
    lines = [shape for shape in shapes if shape.tag == SVG + "text" and shape.get("y", "").isdigit() and int(shape.get("y")) > 40]
    assert " ".join(line.text for line in sorted(lines, key=lambda line: int(line.get("y")))) == sentence(trace, step)
    assert len(lines) > 1


def test_every_iteration_has_one_frame():
    trace = Trace(fan_out()["z"])
    player = Player(animate(trace, every="iteration").svg)
    assert player.seconds == 1 + trace.iterations + 1 + 3
    heads = [next(text for text in texts(player.shapes(at + 0.5)) if "step" in text) for at in range(trace.iterations + 2)]
    assert [head.partition(",")[0] for head in heads] == ["start", *(f"iteration {i} of 6" for i in range(1, 7)), "end"]
    assert colours(player.shapes(3.5)) == colours(drawn(trace, next(i for i, s in enumerate(trace) if s.iteration == 4) - 1))


@pytest.mark.sweep
def test_a_long_trace_is_shown_by_iteration():
    x = Value(0.5, name="x")
    z = x
    for _ in range(13):
        z = z * x
    trace = Trace(z, names={})
    assert len(trace) == 121
    assert Player(animate(trace).svg).seconds == trace.iterations + 5


def test_names_stay_text_and_the_file_loads_and_runs_nothing():
    x = Value(2, name='</style><script>alert(1)</script>"\x07')
    svg = animate(x * x, names={}).svg
    root = ElementTree.fromstring(svg)
    assert "<script" not in svg and "\x07" not in svg
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "g",
        "text",
        "path",
        "polygon",
    }
    assert not any("href" in name or name.startswith("on") for element in root.iter() for name in element.attrib)
    assert not re.search(r"url\(|@import|https?:", svg.replace(SVG[1:-1], ""))


def test_the_last_step_is_visible_if_nothing_moves():
    trace = figure1_trace()
    shapes = Player(figure1_animation().svg).shapes()
    assert colours(shapes) == colours(drawn(trace, len(trace) - 1))
    assert "end, step 46 of 46" in texts(shapes)


def test_the_line_below_says_what_is_folded():
    with scope("inside"):
        y = Value(3, name="x") ** 2
    shapes = Player(animate(y * 2, fold="inside").svg).shapes(0.5)
    assert any("folded into 1 scope" in text for text in texts(shapes))


def test_figure_1_is_small_and_always_the_same(tmp_path):
    animation = figure1_animation()
    assert len(animation.svg) < 200_000
    assert animation.svg == animate(figure1_trace()).svg
    path = animation.save(tmp_path / "pass.svg")
    assert path == str(tmp_path / "pass.svg") and Path(path).read_text(encoding="utf-8") == animation.svg
    data = re.fullmatch(r'<img [^>]*src="data:image/svg\+xml;base64,([^"]+)">', animation._repr_html_())[1]
    assert base64.b64decode(data).decode() == animation.svg


@each("wrong", [{"every": "line"}, {"seconds": 0}, {"seconds": float("nan")}, {"theme": "blue"}])
def test_unknown_options_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        animate(Value(2) * 3, **wrong)


def test_too_many_iterations_are_refused_by_default():
    z = x = Value(0.5, name="x")
    for _ in range(130):
        z = z + x
    trace = Trace(z, names={})
    with pytest.raises(ValueError, match="130 iterations are too many to follow"):
        animate(trace)


def test_a_graph_that_is_too_large_to_be_drawn_as_a_whole_is_refused():
    with pytest.raises(ValueError, match="too large"):
        animate(figure1_trace(), max_nodes=3)


@pytest.mark.sweep
def test_a_graph_that_is_higher_than_a_screen_moves_to_the_boxes_of_each_step():
    x = Value(0.5)
    z = x
    for k in range(4):
        z = (z * 0.7 + x * k).sin()
    trace = Trace(z)
    svg = animate(trace, every="iteration", width=400, height=350).svg
    wide, high = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups())
    shown = float(re.search(r'<svg x="\S+" width="\S+" height="(\S+)">', svg)[1])
    moves = [float(y) for y in re.findall(r"translateY\(-?(\d+)px\)", re.search(r"@keyframes camera\{.*", svg)[0])]
    assert high <= 350 and wide <= 460 and shown > 200
    assert moves[0] == moves[-1] > 2 * shown and len(moves) > 5  # from z to x, and again z
    assert all(below < above + 20 for above, below in pairwise(moves[:-1])), "two boxes of a row need not stand at one height"
    assert svg.index(".camera{animation") < svg.index("@keyframes")
    assert "camera" not in figure1_animation().svg


def test_a_label_that_is_wider_at_one_step_makes_room_at_all_steps():
    drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} 50"><g transform="scale({} {}) rotate(0) translate({} 40)"/></svg>'
    layouts = [ElementTree.fromstring(drawn.format(wide, 1, 1, left)) for wide, left in ((100, 11), (104, 11), (102, 15))]
    assert around(layouts) == ("scale(1 1) rotate(0) translate(15 40)", 15 + 93, 50)
    smaller = ElementTree.fromstring(drawn.format(100, 0.5, 0.5, 11).replace("0 0 100 50", "0 0 100 25"))
    assert around([*layouts, smaller]) == ("scale(0.5 0.5) rotate(0) translate(15 40)", 0.5 * (15 + 189), 25)

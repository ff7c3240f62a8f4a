"""theme="auto": one SVG that is light or dark, as its reader prefers."""

import re
from xml.etree import ElementTree

import pytest

from scalargrad import Trace, Value
from tests.viz.drawing.test_draw import SVG
from tests.viz.graphs import figure1_trace
from tests.viz.networks import mlp, resnet50
from viz import animate, draw

GRAPHS = {
    "step": lambda: (figure1_trace(), {"step": 28}),
    "partials": lambda: (figure1_trace().graph.z, {"partials": "both"}),
    "perceptron": lambda: (mlp(), {"names": {}}),
    "resnet": lambda: (resnet50(size=32)[0], {"names": {}}),
}


def painted(svg, dark=None):
    """Return (tag, fill, stroke) of every element, with the colours of the style sheet for dark if `dark` gives them."""
    seen = lambda e, part: (dark or {}).get((part, e.get(part)), e.get(part))
    return [(e.tag, seen(e, "fill"), seen(e, "stroke")) for e in ElementTree.fromstring(svg).iter() if e.tag != SVG + "style"]


def near(a, b):
    """Return whether two colours differ by at most 3 of 16 million steps."""
    return a == b or (a and b and abs(int(a[1:], 16) - int(b[1:], 16)) <= 3)


@pytest.mark.parametrize("name", [name if name != "resnet" else pytest.param(name, marks=pytest.mark.sweep) for name in GRAPHS])
def test_each_element_has_its_colour_of_the_light_and_of_the_dark_drawing(name):
    z, options = GRAPHS[name]()
    both = draw(z, theme="auto", **options).svg
    rules = re.findall(r"\.auto \[(fill|stroke)='(#\w+)'\]\{\1:(#\w+)\}", both)
    dark = {(part, colour): other for part, colour, other in rules}
    assert painted(both, dark) == painted(draw(z, theme="dark", **options).svg)
    light = painted(draw(z, **options).svg)
    assert len(light) == len(painted(both)) and all(near(a, b) for x, y in zip(light, painted(both)) for a, b in zip(x[1:], y[1:]))
    assert "@media (prefers-color-scheme: dark)" in both


def test_a_png_is_light_and_a_light_svg_has_no_style():
    x = Value(3, name="x")
    assert draw(x * x, theme="auto").pipe("png")[:4] == b"\x89PNG"
    assert "<style>" not in draw(x * x).svg and "<style>" in draw(x * x, theme="auto")._repr_svg_()


def test_names_that_look_like_colours_stay():
    x = Value(3, name='color="#ffffff"')
    y = Value(4, name="color=#ffffff")
    svg = draw(x * y, theme="auto").svg
    assert "color=#ffffff" in svg and "#fffffe" not in re.sub(r'(fill|stroke)="[^"]*"|<style>.*?</style>', "", svg)


def test_an_animation_has_one_theme():
    with pytest.raises(ValueError, match="theme is 'auto'"):
        animate(Trace(Value(3.0) * 2), theme="auto")

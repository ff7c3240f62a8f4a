"""A function whose derivative is computed elsewhere is marked in pictures and pages; both show the line that made a variable."""

import json

import pytest

import viz
from scalargrad import Trace, Value
from tensorgrad import Tensor
from tensorgrad.rule import Rule
from tensorgrad.rules.elsewhere import Elsewhere
from tests.viz.script_data import script_data
from viz.page.page_data import page_data
from viz.theme import DARK, LIGHT


def cube_vjp(G, x):
    """dz/dx = another library computes this derivative"""
    return 3 * G * x**2


def boxed():
    """Return the sum of a cube whose derivative another library computes."""

    def forward(x):
        return x**3

    def closed(x):
        raise TypeError("nothing to see")

    cube = Rule(forward, cube_vjp, entries=closed, name="cube")
    cube.elsewhere = Elsewhere("theirs", "derivative by them", "them", "another library computes this derivative")
    w = Tensor([1.0, 2.0], name="w")
    y = cube(w)
    y.name = "y"
    return w, y, y.sum()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_drawing_marks_it_by_colour_and_words_and_has_a_legend(theme):
    w, y, z = boxed()
    source = viz.draw(z, theme="dark" if theme is DARK else "light").source
    assert theme.theirs in source and theme.theirs_fill in source
    assert "derivative by them: cube" in source and source.count("derivative by them") == 2
    assert theme.theirs not in viz.draw((w * w).sum(), theme="dark" if theme is DARK else "light").source


def test_pages_mark_it_and_say_who_computes_the_derivative():
    w, y, z = boxed()
    found = {v["name"]: v.get("elsewhere") for v in page_data(Trace(z))["variables"]}
    assert found.pop("y") == ["theirs", "derivative by them", "them", "another library computes this derivative."]
    assert set(found.values()) == {None}
    node = next(node for node in json.loads(script_data(viz.explore(z)))["nodes"] if node["name"] == "y")
    assert node["elsewhere"] == "theirs" and node["derivative"] == "another library computes this derivative; the page cannot look inside"
    assert "derivative by them" in node["lines"]


def test_pages_of_a_function_show_its_lines():
    x = Value(2.0)

    def loss():
        h = x * 3
        return h * h  # squared

    variables = page_data(Trace(loss))["variables"]
    lines = [v["madeAt"].partition(" ") for v in variables if v["function"]]
    assert [code for _, _, code in lines] == ["h = x * 3", "return h * h  # squared"] and lines[0][0].startswith("test_elsewhere.py:")
    codes = [node.get("code") for node in json.loads(script_data(viz.explore(loss)))["nodes"]]
    assert codes == [None, "h = x * 3", "return h * h  # squared"]
    assert "madeAt" not in page_data(Trace(x * 3))["variables"][1]

"""A function whose derivative is computed elsewhere is marked in pictures and pages; both show the line that made a variable."""

import json

import pytest

import viz
from scalargrad import Trace, Value, scope
from scalargrad.user_names.remarks import FOUND, Remark, note
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
    found = {v["name"]: v.get("mark") for v in page_data(Trace(z))["variables"]}
    closed = "another library computes this derivative. The page cannot look inside."
    assert found.pop("y") == ["theirs", "derivative by them", "them", closed]
    assert set(found.values()) == {None}
    node = next(node for node in json.loads(script_data(viz.explore(z)))["nodes"] if node["name"] == "y")
    assert node["mark"] == "theirs" and node["derivative"] == closed
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


def remarked():
    """Return the sum of a cube that a remark is about, at its input."""
    w, y, z = boxed()
    note(y, lambda: [Remark("odd", "This cube is odd.", 0)])
    return w, y, z


def test_a_remark_is_marked_in_pictures_and_its_step_says_it():
    w, y, z = remarked()
    source, data = viz.draw(z).source, page_data(Trace(z))
    assert "! odd" in source and "! This cube is odd." in source and LIGHT.not_finite_fill in source
    assert [step["act"] for step in data["steps"] if step.get("remarks") == [["This cube is odd."]]] == ["partial"]
    assert [v["name"] for v in data["variables"] if v.get("remarks") == [["This cube is odd."]]] == ["y"]
    assert {v["name"]: v.get("mark", [""])[0] for v in data["variables"]} == {"w": "", "y": "remark", "z": ""}
    assert data["marks"] == [["remark", "a remark, which its step says"]]
    node = next(node for node in json.loads(script_data(viz.explore(z)))["nodes"] if node["name"] == "y")
    assert (node["mark"], node["remark"]) == ("remark", "This cube is odd.") and "! odd" in node["lines"]
    assert "Why? This cube is odd." in viz.play(z).html and "This cube is odd" not in viz.play((w * w).sum()).html


def test_a_remark_in_a_folded_scope_is_seen_in_its_box():
    with scope("layer"):
        w, y, z = remarked()
    assert "! odd" in viz.draw(z + 1, depth=1).source
    scopes = json.loads(script_data(viz.explore(z + 1)))["scopes"]
    assert any("! odd" in each.get("lines", ()) for each in scopes)


def test_a_remark_on_an_operation_is_one_on_its_statement():
    x = Value(2.0)

    def loss():
        h = x * 3
        squared = h * h
        note(squared, lambda: [Remark("odd", "This square is odd.", 1)])
        y = squared + 1
        return y * y

    steps = page_data(Trace(loss, detail="statements"))["steps"]
    assert [step["act"] for step in steps if step.get("remarks") == [["This square is odd."]]] == ["partial"]


def test_a_long_remark_shows_its_fact_and_holds_the_rest():
    w, y, z = boxed()
    fact, more = "This cube is so odd that a line of the panel has no room for it at all:", "it is a cube; take a square."
    note(y, lambda: [Remark("odd", f"{fact} {more}", 0)])
    (v,) = [v for v in page_data(Trace(z))["variables"] if "remarks" in v]
    assert v["remarks"] == [[fact, more]]


def test_a_remark_lives_no_longer_than_its_variable():
    x = Value(2.0)
    note(x, lambda: [Remark("odd", "x is odd.")])
    assert id(x) in FOUND
    key = id(x)
    del x
    assert key not in FOUND

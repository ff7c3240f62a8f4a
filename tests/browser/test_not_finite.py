"""A graph that is not finite, on the page: the first such function is marked, and the end is marked with !."""

from scalargrad import Trace, Value, log, sqrt
from viz import play


def opened(visit, tmp_path, z):
    path = tmp_path / "page.html"
    play(Trace(z, names={}), start="backward").save(path)
    return visit(path)


def test_the_first_function_that_is_not_finite_is_marked_in_colour_and_in_words(visit, tmp_path, picture):
    player = opened(visit, tmp_path, log(Value(-1.0, name="x")) * Value(2.0, name="y"))
    assert "is undefined here" in player.text("#warning")
    marked = player.page.locator("#graph .node.not-finite")
    assert marked.count() == 1 and marked.locator(".broken text").text_content() == "!"
    assert "the first value that is not finite" in marked.get_attribute("aria-label")
    player.press("End")
    assert player.text("#bar > :last-child") == "!"
    picture(player, "not-finite")


def test_the_edge_of_a_partial_that_is_not_finite_is_marked(visit, tmp_path):
    player = opened(visit, tmp_path, sqrt(Value(0.0, name="x")) * Value(2.0, name="y"))
    assert player.page.locator("#graph .edge.not-finite").count() == 1
    player.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert player.page.locator("#graph .edge.not-finite").count() == 1

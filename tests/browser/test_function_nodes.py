"""A page on which each function is a node of its own, as in the tutorial: A → matmul → C."""

from pathlib import Path

from tests.browser import pages
from viz import play

ON_THE_LINE = """() => [...document.querySelectorAll('.function-node')].map(node => {
    const around = node.getBoundingClientRect(), box = node.closest('.node').querySelector('.box').getBoundingClientRect();
    return around.right < box.left && Math.abs(around.top + around.bottom - box.top - box.bottom) < 2;
})"""


def test_each_function_stands_before_its_output(visit, tmp_path, picture):
    file = Path(play(pages.trace("matrices"), functions="nodes").save(tmp_path / "nodes.html"))
    player = visit(file, "#step=9")
    assert sorted(player.page.locator(".function-name").all_text_contents()) == ["add", "add", "matmul", "sum"]
    assert player.page.evaluate(ON_THE_LINE) == [True] * 4 and not player.count("#graph .formula")
    picture(player, "functions as nodes")
    player.page.evaluate("player.enter('nudge', 0)")
    assert player.count("#graph .node.moved .function-node") == 4  # a nudge of B reaches C and E, and through them W and z
    player.press("z")
    assert not player.count(".function-node")


def test_other_pages_have_no_such_nodes(figure1):
    assert not figure1.count(".function-node") and figure1.count("#graph .formula") == 3

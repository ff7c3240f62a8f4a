"""The nudge of one entry of an array: choose it in the grid, by keys or in the graph; all numbers are those of Python."""

from pathlib import Path

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tutorial.graphs.matrices import A, B, D
from viz import play

GRAPH = "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('#node-0 .box').getBoundingClientRect())"
BOX = "[...document.querySelectorAll('#graph .node')].find(e => e.getAttribute('aria-label').startsWith(`${name} of`))"
CELLS = f"name => {BOX}.querySelectorAll('.entries')"
NOW = f"name => [...({CELLS})(name)[0].querySelectorAll('text')].map(e => e.textContent)"
WAS = f"name => [...({CELLS})(name)[1].querySelectorAll('text')].map(e => e.textContent)"
MOVED = f"name => [...({CELLS})(name)[0].querySelectorAll('text')].map(e => e.classList.contains('moved'))"
FACTORS = "() => [...document.querySelectorAll('#graph .edge.carries .factor')].map(e => e.getAttribute('aria-label'))"
SEEN = """() => {
    const of = selector => document.querySelector(selector).getBoundingClientRect(), said = of('#said'), controls = of('#controls');
    const box = document.querySelector("#graph .node.current .box, #graph .node.nudged .box")?.getBoundingClientRect();
    const between = said.top < said.bottom && said.bottom <= controls.top + 1;
    return [between, !box || (box.top >= of('#graph').top - 1 && box.bottom <= said.top + 1)];
}"""
SLOPES = "() => player.acts.use.frame(0).update.descent.place.slopes"
OF_THE_PROGRAM = """() => {
    const {live} = player.run.ofEntries, totals = live.totals(live.partials(live.values(live.start)));
    return live.inputs.map(v => totals[v]);
}"""


def readout(player):
    return player.page.locator("#readout").text_content()


def numbers(texts):
    return [float(text.replace("−", "-")) for text in texts]


def test_a_nudge_of_an_entry_of_the_matrices(visit, saved, picture):
    player = visit(saved("matrices"), "#question=8")
    assert player.content("#narration").endswith("b11 is the entry of B in row 1, column 1. What will z be when b11 grows from 2 to 2.1?")
    place = player.page.evaluate(GRAPH)
    player.press("ArrowRight")
    assert (player.act, readout(player)) == ("nudge", "b11 + 0.1 → z rises by 0.6, exactly 6\u00a0×\u00a00.1 = 0.6")
    assert player.page.evaluate(NOW, "C") == ["6.3", "28", "4.2", "20"] and player.page.evaluate(WAS, "C") == ["6", "28", "4", "20"]
    assert player.page.evaluate(MOVED, "C") == [True, False, True, False]
    assert sorted(player.page.evaluate(FACTORS)) == ["2 factors ", "each × 1 ", "each × 1 ", "× 1 = +0.1", "× 1 = +0.1"]
    assert player.count("#graph .edge.carries") == 5 and player.page.evaluate(GRAPH) == place
    player.page.get_by_role("button", name="other numbers").click()
    assert "change them in Python and call play again" in player.text("#start-dialog")
    player.press("Escape")
    # in the grid: the arrow keys choose an entry, and do not move the steps
    player.page.locator(".picker button").nth(0).focus()
    player.press("ArrowRight", "ArrowDown", "ArrowDown")
    assert (player.step, readout(player)[:9]) == (1, "b22 + 0.1")
    assert player.page.evaluate("document.activeElement.getAttribute('aria-label')") == "b22 4.1"
    # by keys: a digit chooses an input, the arrows change the amount
    player.press("ArrowLeft", "ArrowUp", "1", "2", "ArrowUp", "ArrowUp")
    nudged = np.array(B) + np.array([[0.3, 0], [0, 0]])
    assert readout(player).startswith("b11 + 0.3 → z rises by 1.8")
    for name, array in {"B": nudged, "C": A @ nudged, "E": nudged + D, "W": A @ nudged + nudged + D}.items():
        assert numbers(player.page.evaluate(NOW, name)) == pytest.approx(array.reshape(-1).tolist())
    assert player.text("#paths").count("→") == 9  # from b11 over c11, over c21 and over e11
    # a click on an entry in the graph
    player.page.locator("#graph .node.input").nth(1).locator(".entries").first.locator("rect").nth(2).click()
    assert readout(player)[:5] == "b21 +" and player.page.locator(".picker [aria-pressed=true]").inner_text() == "0.1"
    picture(player, "entries")
    # use: each entry is checked and moves, and the gradient stands in the boxes
    player.guided("use", "check")
    assert player.count("#checks .ok") == 12 and player.page.evaluate(GRAPH) == place
    assert player.page.evaluate(WAS, "B") == ["6", "6", "13", "13"]
    player.guided("use", "one step")
    player.page.get_by_role("button", name="take the step").click()
    X, Y, Z = np.array(A) - 0.05 * np.array([[2, 4], [2, 4]]), np.array(B) - 0.05 * np.array([[6, 6], [13, 13]]), np.array(D) - 0.05
    player.page.evaluate("player.state.strip.set(0)")
    assert numbers(player.page.evaluate(NOW, "W")) == pytest.approx((X @ Y + Y + Z).reshape(-1).tolist(), rel=5e-3)
    assert numbers(player.page.evaluate(WAS, "A")) == pytest.approx((np.ones((2, 2)) @ Y.T).reshape(-1).tolist(), rel=5e-3)


def test_the_derivatives_of_softmax_and_attention_are_those_of_the_tensors(visit, tmp_path):
    tensor = lambda name, *shape: Tensor(np.arange(1.0, 7.0).reshape(shape) % 5 / 2 - 1, name=name)
    X, Q, K, V = tensor("X", 2, 3), tensor("Q", 3, 2), tensor("K", 3, 2), tensor("V", 3, 2)
    for name, L, inputs in [
        ("softmax", tg.cross_entropy(X, np.array([1, 2])), [X]),
        ("attention", (tg.scaled_dot_product_attention(Q, K, V) ** 2).sum(), [Q, K, V]),
    ]:
        L.name = "L"
        player = visit(Path(play(L).save(tmp_path / f"{name}.html")), "#nudge=1")
        L.backward()
        expected = [x for tensor in inputs for x in tensor.grad.reshape(-1).tolist()]
        assert player.page.evaluate(SLOPES) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert player.page.evaluate(OF_THE_PROGRAM) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        player.guided("use", "check")
        assert player.count("#checks .ok") == min(len(expected), 11 + 1), "11 entries, and one row for those that are not shown"
        assert ("seven more" in player.content("#checks")) == (len(expected) == 18)


def test_the_picture_of_a_larger_array_shows_the_nudge(visit, tmp_path):
    X, K = Tensor(np.eye(5).reshape(1, 1, 5, 5), name="X"), Tensor(np.ones((1, 1, 3, 3)), name="K")
    player = visit(Path(play(tg.relu(tg.conv2d(X, K)).sum()).save(tmp_path / "convolution.html")), "#nudge=1")
    cells = "name => player.state.values.get(player.run.variables.findIndex(v => v.name === name))?.array?.picture.cells[0]"
    assert player.page.evaluate(cells, "X") != player.page.evaluate("() => player.run.variables.find(v => v.name === 'X').picture.cells[0]")
    assert player.page.evaluate("document.querySelectorAll('#graph .node.moved').length") == 4
    X_box = "[...document.querySelectorAll('#graph .node')].find(e => e.getAttribute('aria-label').startsWith('X of'))"
    assert player.page.evaluate(f"{X_box}.querySelectorAll('.ring').length") == 1
    assert player.page.evaluate(WAS, "X") == ["1 → 1.1"]
    assert player.page.evaluate(f"{X_box}.querySelector('.total').textContent") == "1 changed"
    grid = "(({scrollWidth, clientWidth, scrollHeight, clientHeight}) => [scrollWidth <= clientWidth, scrollHeight <= clientHeight])"
    assert player.page.evaluate(f"{grid}(document.querySelector('.picker'))") == [True, True]  # all 25 entries are visible
    assert player.page.evaluate(f"{grid}(document.querySelector('.chooser'))")[0] and player.count(".chooser button") == 2


def test_a_wrong_vjp_is_not_what_the_nudges_say(visit, tmp_path):
    wrong = tg.function(lambda x: x * x, vjps=(lambda G, x: 3 * G * x,))
    X = Tensor([1.0, 2.0], name="X")
    player = visit(Path(play(wrong(X).sum()).save(tmp_path / "wrong.html")), "#nudge=1")
    assert player.text("#narration").startswith("Nudges lead to the slope 2, but the rule says")


def test_a_graph_of_more_entries_has_the_acts_of_a_network(visit, tmp_path):
    X = Tensor(np.ones((6, 7)), name="X")
    player = visit(Path(play(X.sum()).save(tmp_path / "large.html")), "#nudge=1")
    assert player.text("#narration").startswith("You have nudged one of the 42 entries of")


def test_on_a_phone_the_sentence_and_the_array_at_work_are_in_view_together(visit, tmp_path):
    X, K = Tensor(np.arange(36.0).reshape(1, 1, 6, 6) % 7, name="image"), Tensor(np.ones((2, 1, 3, 3)), name="kernels")
    y = (tg.max_pool2d(tg.relu(tg.conv2d(X, K) - 20), 2) - 5) ** 2
    player = visit(Path(play(y.mean()).save(tmp_path / "phone.html")), "#nudge=1", viewport={"width": 390, "height": 844})
    for address in ("#question=2", "#question=4", "#nudge=1", "#nudge=4", "#step=20", "#step=35", "#use=2"):
        player.page.evaluate("address => (location.hash = address)", address)
        sentence, array = player.page.evaluate(SEEN)
        assert array and (sentence or "nudge" in address), address  # the slider and its result stand before the sentence of a nudge


def test_paths_that_carry_a_nudge_come_first_and_the_others_are_a_count(visit, tmp_path):
    x, W = Tensor([1.0, 2.0], name="x"), Tensor([[-1.0, 0.0], [-2.0, 0.0], [-1.0, -1.0], [3.0, 1.0]], name="W")
    player = visit(Path(play(tg.relu(W @ x).sum()).save(tmp_path / "relu.html")), "#nudge=1")
    player.page.evaluate("player.state.pick(player.run.variables.findIndex(v => v.name === 'x'))")
    rows = player.page.locator("#paths tr").all_inner_texts()
    assert "0.1 × 3 × 1 × 1" in rows[0] and rows[1].startswith("three paths with a factor 0") and len(rows) == 3


def test_an_arrow_is_named_as_it_is_drawn(visit, tmp_path):
    a = Tensor([0.5, 1.0, 1.5], name="a")
    h = tg.cumsum(a)  # the first entry is that of a
    h.name = "h"
    player = visit(Path(play((h * [1, 2, 3]).sum(), start=a).save(tmp_path / "sum.html")), "#nudge=2")
    said = player.page.locator("#narration").text_content()
    assert said.startswith("Each arrow multiplies. From a[0] over h to v")

"""The panel of the memory: the arrays that exist at each turn of the backward pass, only in pages with arrays."""

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace
from scalargrad.tracing.byte_counts import readable
from tensorgrad import Tensor
from tests.browser.test_accessibility import violations
from viz import play
from viz.text.formatter import UNICODE

ROWS = """() => [...document.querySelectorAll('#memory li')].map(li => [...li.children].map(part => part.textContent))"""
CUT = """() => [...document.querySelectorAll('#memory :is(.said, h2, li span)')].filter(e => e.scrollWidth > e.clientWidth + 1).length"""


def network():
    x = Tensor(np.linspace(-1, 1, 12).reshape(4, 3), keep_grad=False, name="x")
    mine = x, Tensor(np.linspace(-1, 1, 6).reshape(3, 2), name="W1"), Tensor(np.zeros(2), name="b1")
    return mine, tg.tanh(x @ mine[1] + mine[2]).sum()


def row(a, at):
    """Return what the panel writes of an array at a step."""
    flag = "+ made" if a.made == at else "− freed" if a.freed == at else ""
    return [UNICODE.name(a.name), a.kind, "", readable(a.size), flag]


@pytest.fixture
def opened(visit, made):
    mine, z = network()
    trace = Trace(z)
    page = made("memory", lambda: play(trace, start="backward"))
    return trace, lambda **options: visit(page, **options)


def test_the_panel_shows_the_arrays_that_exist_at_each_turn(opened):
    trace, visit = opened
    player, found = visit(), trace.on.lifetimes()
    assert not player.visible("#memory") and player.visible("#computed-panel")
    player.press("m")
    assert player.visible("#memory") and not player.visible("#computed-panel")
    assert player.text("#memory-title small") == "In a real run measured: the same at every step."
    shown = player.at(range(1, len(trace) + 1), f"() => [({ROWS})(), document.querySelector('#memory .said').innerText]")
    for (i, step), (rows, said) in zip(enumerate(trace), shown, strict=True):
        looking = step.iteration > 0 and step.act != "done"
        at = found.turn[step.x] if looking else len(found.steps) - 1 if step.act == "done" else 4
        alive = [a for a in found.arrays if a.made <= at and (a.freed is None or at <= a.freed)]
        assert rows == [row(a, at) for a in alive], i
        assert readable(found.bytes[at]) in said and f"in {len(alive)} arrays" in said
    player.click("memory-button")
    assert not player.visible("#memory") and player.visible("#computed-panel")


def test_the_panel_is_readable_and_accessible_at_four_sizes_in_both_themes(opened):
    trace, visit = opened
    for theme, sizes in (("light", ((1280, 720), (390, 844))), ("dark", ((1920, 1080), (768, 1024)))):
        player = visit(color_scheme=theme)
        player.press("m")
        for width, height in sizes:
            player.resize(width, height)
            player.go(len(trace) // 2)
            assert not player.page.evaluate(CUT), (width, theme)
        assert not violations(player)


def test_a_page_of_numbers_has_no_memory(figure1):
    figure1.press("m")
    assert not figure1.visible("#memory") and figure1.page.locator("#memory-button").count() == 0
    assert "MOST_BARS" not in figure1.page.content()


def test_a_zoom_into_a_function_has_no_memory_and_the_page_has_it_again(visit, saved):
    player = visit(saved("matrices"), "#step=20")
    player.press("m")
    assert player.visible("#memory")
    player.press("z")
    assert not player.visible("#memory") and player.page.locator("#memory-button").count() == 0
    player.press("Escape")
    player.press("m")
    assert player.visible("#memory")


def test_statements_have_the_panel_and_nothing_lies_over_it(visit, tmp_path):
    def program():
        h, w, b = Tensor(np.ones(3)), Tensor(np.eye(3) * 0.5), Tensor(np.zeros(3))
        for _ in range(8):
            h = np.tanh(h @ w + b)
        return (h**2).sum()

    play(program, start="backward").save(tmp_path / "statements.html")
    page = visit(tmp_path / "statements.html").page
    page.locator("#memory-button").click()
    for part in page.locator("#memory > :is(h2, svg, .said, ul)").all():
        assert part.evaluate(
            "e => e.contains(document.elementFromPoint(...['x', 'y'].map((side, k) => "
            "e.getBoundingClientRect()[side] + e.getBoundingClientRect()[['width', 'height'][k]] / 2)))"
        )
    assert page.locator("#memory li").count() > 3

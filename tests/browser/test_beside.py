"""Compare two traces in a browser: both step together and stop at the first difference."""

from copy import copy
from pathlib import Path

import pytest

from scalargrad import Trace, Value, sigmoid, tanh
from scalargrad.tracing.gathering import steps
from tests.viz.graphs import figure1_trace
from tests.viz.loops import overwriting
from tutorial.graphs.matrices import fan_out
from viz import play

TABLE = """() => [...document.querySelectorAll('#beside tbody tr')].map(row =>
    [+row.dataset.variable, ...[...row.querySelectorAll('td')].map(cell => cell.textContent), row.classList.contains('differs')])"""


@pytest.fixture
def beside(visit, tmp_path):
    """Return Figure 1's trace, the trace of a loop that overwrites, and their page at the first step."""
    trace = figure1_trace()
    other = Trace(trace.graph.z, trace.graph.order, names=trace.names, steps=overwriting)
    return trace, other, visit(play(trace, beside=other).save(tmp_path / "beside.html") and tmp_path / "beside.html")


def test_both_dictionaries_grow_as_the_engines_do_and_what_differs_is_marked(beside):
    trace, other, player = beside
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    for i, table in enumerate(player.at(range(1, len(trace) + 1), TABLE)):
        rows = {v: (expected, got, differs) for v, expected, got, differs in table}
        for v, q in trace[i].computed.items():
            got = other[i].computed[v].number
            assert rows[place[v]] == (str(q.number), str(got), q.number != got), (i, v)
        x, total = trace[i].x, trace[i].total
        if total is not None and x not in trace[i].computed:
            got = other[i].total.number
            assert rows[place[x]] == (str(total.number), str(got), total.number != got)


def test_every_way_forward_stops_at_the_first_difference_once(beside, picture):
    player = beside[2]
    player.click("difference")
    assert player.step == 29
    assert player.text("#beside-first") == "They differ here."  # in the table
    said = player.text("#differs").replace("\n", "")
    assert said.startswith("✗ ") and "should be 9. The other loop has 3. Likely cause: only the contribution of" in said
    picture(player, "beside")
    player.press("Home", *["ArrowDown"] * 5)
    assert player.step == 29
    player.press("ArrowDown")
    assert player.step > 29 and "since step 29" in player.text("#beside-first")
    player.press("Home")
    assert player.text("#beside-first") == "Both loops agree up to this step." and not player.visible("#differs")
    player.press("d")
    assert player.step == 29


def test_a_difference_that_no_row_shows_is_said_above_the_table_and_only_in_the_backward_pass(visit, tmp_path):
    z = figure1_trace("counting").graph.z
    one, other = (Trace(z, schedule="counting", queue=queue) for queue in ("fifo", "lifo"))
    player = visit(Path(play(one, beside=other).save(tmp_path / "queues.html")), viewport={"width": 390, "height": 844})
    player.press("d")
    assert not player.count("#beside tr.differs") and player.visible("#differs")
    assert player.text("#beside-first").startswith("They differ here: The current node should be")
    player.page.evaluate("player.enter('nudge', 1)")
    marks = player.page.locator("#graph :is(.halves, .agreed, .differs)")
    assert not player.visible("#differs") and not marks.locator("visible=true").count()


HALVES = """() => Object.fromEntries([...document.querySelectorAll('#graph .node')].map(node => [node.id.split('-').at(-1),
    [...node.querySelectorAll('.halves text, .agreed text')].map(text => text.textContent).join(' ')]).filter(([, text]) => text))"""


def test_the_graph_shows_both_numbers_from_the_first_difference_on(beside):
    trace, other, player = beside
    player.go(28)
    assert player.page.evaluate(HALVES) == {}
    for i in (28, 40, 45):
        player.go(i + 1)
        shown = player.page.evaluate(HALVES)
        known = {**trace[i].computed, **({trace[i].x: trace[i].total} if trace[i].total is not None else {})}
        assert len(shown) == len(known)
        for x, q in known.items():
            got = other[i].computed.get(x, other[i].total).number
            right = f"✗ got {got} ✓ is {q.number}" if got != q.number else "✓"
            assert shown[str(trace.graph.variables.index(x))] == right, (i, x)
    player.press("Home")
    assert player.page.evaluate(HALVES) == {}


def test_a_narrow_box_shows_the_numbers_in_four_digits(visit, tmp_path):
    x, h = Value(0.5, name="x"), Value(-0.2, name="h")
    trace = Trace(sigmoid(x - h) * tanh(0.7 * x + h) + h)

    def first_child(graph, on):
        graph = copy(graph)
        graph.children = {v: edges[:1] for v, edges in graph.children.items()}
        return steps(graph, on)

    player = visit(Path(play(trace, beside=Trace(trace.graph.z, steps=first_child)).save(tmp_path / "narrow.html")), "#step=999")
    shown = [text for text in player.page.evaluate(HALVES).values() if text != "✓"]
    assert sorted(shown) == ["✗ 0.03301 ✓ 0.4904", "✗ 1 ✓ 1.62"]


def test_halves_that_are_wider_than_their_box_stay_in_the_picture(visit, tmp_path):
    def last_child(graph, on):
        graph = copy(graph)
        graph.children = {v: edges[-1:] for v, edges in graph.children.items()}
        return steps(graph, on)

    z = fan_out()["z"]
    player = visit(Path(play(Trace(z), beside=Trace(z, steps=last_child)).save(tmp_path / "arrays.html")), "#step=999")
    left = "selector => document.querySelector(selector).getBoundingClientRect().left"
    for key in ((), "n"):  # what is near the variable, and all of the graph, in small boxes
        player.press(*key)
        assert "✗ [[1, 1], [1, 1]] ✓ [[6, 6], [13, 13]]" in player.page.evaluate(HALVES).values()
        assert player.page.evaluate(left, "#graph .halves") >= player.page.evaluate(left, "#graph")


def test_the_numbers_stay_in_the_graph_when_another_window_paints_it_anew(beside):
    player = beside[2]
    player.go(46)
    shown = player.page.evaluate(HALVES)
    player.resize(390, 844)
    assert len(shown) == 7 and player.page.evaluate(HALVES).keys() == shown.keys()


def test_a_loop_that_raises_says_so_in_the_narration(visit, tmp_path):
    def stopping(graph, on):
        for i, s in enumerate(steps(graph, on)):
            if i == 9:
                raise KeyError("dz/dy1")
            yield s

    trace = figure1_trace()
    other = Trace(trace.graph.z, trace.graph.order, names=trace.names, steps=stopping)
    player = visit(Path(play(trace, beside=other).save(tmp_path / "raises.html")), "#step=10")
    assert "✗ The other loop raised an exception here: KeyError: 'dz/dy1'." in player.text("#said")
    assert "Likely cause: computed does not have this key yet." in player.text("#said")
    player.press("ArrowRight")
    assert "✗ The other loop stopped at step 10." in player.text("#said") and "KeyError" in player.text("#said")


def test_the_heading_of_the_table_does_not_cover_the_current_row(beside):
    """However low the panel is, the top of the current row is visible."""
    player = beside[2]
    player.page.evaluate("document.querySelector('#beside .rows').style.flex = '0 0 3rem'")
    under = """() => document.querySelector('#beside tbody tr:last-child').getBoundingClientRect().top
        - document.querySelector('#beside thead th').getBoundingClientRect().bottom"""
    player.press("End")
    for step in (5, 12):
        player.go(step)
        assert player.page.evaluate(under) > -1, step  # the browser places rows at parts of a point


def test_the_other_loop_shows_the_line_that_runs(beside):
    player = beside[2]
    player.click("difference")
    player.click("beside-lang")
    assert player.text("#beside-code .now code") == "total = term"
    assert not player.page.locator("#code").is_visible()
    player.click("beside-lang")
    assert player.page.locator("#code").is_visible() and not player.page.locator("#beside-code").is_visible()


def test_the_question_hides_the_comparison(beside):
    player = beside[2]
    player.press("f")
    assert not player.page.locator("#beside").is_visible() and player.page.locator("#words").is_visible()
    player.press("s")
    assert player.page.locator("#beside").is_visible() and not player.page.locator("#computed").is_visible()


def test_axe_finds_no_serious_violation_beside(beside):
    from tests.browser.test_accessibility import in_both_themes

    player = beside[2]
    player.click("difference")
    assert not in_both_themes(player)


@pytest.mark.parametrize("size", [{"width": 1920, "height": 1080}, {"width": 700, "height": 900}, {"width": 390, "height": 844}])
def test_nothing_is_wider_than_the_window(beside, picture, size):
    player = beside[2]
    player.page.set_viewport_size(size)
    player.click("difference")
    assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(player, f"beside-{size['width']}", full_page=True)

"""At each step the page shows what the engine did: the dictionary, the line, the variables, the equation."""

import re
from pathlib import Path

import pytest

from scalargrad import Trace, Value
from scalargrad import sum as sum_of
from scalargrad.tracing.quantities import HOLE
from tests.browser import pages
from tests.viz.graphs import SCHEDULES, figure1_trace
from viz import play
from viz.text.formatter import UNICODE
from viz.text.narration import distinct_children
from viz.text.schedule_table import table_of


def written(total):
    """Return a number as the page writes it, or the entries of an array."""
    entries = total.number.reshape(-1).tolist() if getattr(total.number, "shape", ()) else [total.number]
    return [UNICODE.number(x) for x in entries]


def expected(trace, i):
    """Return what the frame of step i should hold, from the engine's trace alone."""
    step, graph = trace[i], trace.graph
    place = {v: k for k, v in enumerate(graph.variables)}
    scatters, looping = trace.schedule.scatters, step.iteration > 0 and step.act != "done"
    current, other = (step.y, step.x) if scatters else (step.x, step.y)
    inserted = step.known > (trace[i - 1].known if i else 0)
    found = {
        "lines": [] if step.line is None else [step.line],
        "computed": [[place[v], *written(total)] for v, total in step.computed.items()],
        "put": [place[step.x]] if inserted else [],
        "current": [place[current]] if looping else [],
        "active": [place[other]] if looping and other is not None else [],
        "slider": i + 1,
    }
    if not scatters:
        children = distinct_children(trace, step.x) if looping else []
        found["children"] = sorted(place[y] for y in children)
        found["done"] = sorted(place[v] for v in step.computed)
        found["got"] = [place[step.y]] if step.act == "get" else []
    if {"tape", "nodes"} & set(trace.schedule.keeps):  # a table stands in the place of the dictionary
        del found["computed"], found["put"]
    if trace.schedule.gathers and looping:
        found["terms"] = len(graph.children[step.x])
        found["holes"] = sum(factor is HOLE for _, _, numbers in trace.factors(i) for factor in numbers)
    return found


@pytest.mark.parametrize("name", [*SCHEDULES, "square", "matrices"])
def test_every_step_shows_what_the_engine_did(visit, saved, name):
    player, trace = visit(saved(name)), pages.trace(name)
    assert player.steps == len(trace)
    said = set()
    for i, frame in enumerate(player.walk("ArrowRight", len(trace))):
        right = expected(trace, i)
        computed = frame["computed"]
        shown = {
            **frame,
            "computed": [[v, *(number.removeprefix("= ").removesuffix(" …") for number in numbers)] for v, *numbers in computed],
        }
        assert {field: shown[field] for field in right} == right, f"step {i + 1}"
        assert frame["hash"] == (f"#step={i + 1}" if i else "")
        said.add(frame["narration"])
    assert len(said) > trace.iterations and all(said)
    assert (player.act, player.step) == ("use", 1), "after its last step comes the next act"


@pytest.mark.every_browser
def test_back_shows_the_same_as_next(visit, saved):
    player = visit(saved("figure1"))
    player.go(1)
    there = [*player.walk("ArrowRight", player.steps - 1), player.frame()]
    assert [frame["slider"] for frame in there] == list(range(1, player.steps + 1))
    assert player.walk("ArrowLeft", player.steps) == there[::-1]


def test_the_code_is_the_pseudocode_or_the_lines_that_run(figure1):
    listing = [text.strip() for text in pages.trace("figure1").schedule.listing.values()]
    assert [text.split("\n")[-1].strip() for text in figure1.texts("#code li:visible")] == listing
    figure1.go(28)
    figure1.press("c")
    assert figure1.texts("#code .now") and "computed[y]" in figure1.texts("#code .now:visible")[0]
    figure1.press("c")
    assert "computed.get(dz/dy)" in figure1.texts("#code .now:visible")[0]


@pytest.mark.every_browser
def test_equation_1_of_the_last_step_of_x4(figure1):
    """The sum of Figure 1 that the tutorial writes out: dz/dx4 = 3·1 + 1·8 = 11."""
    figure1.go(45)
    rows = [figure1.page.locator(f"#equation tr.{row}").text_content() for row in ("chain", "symbols", "numbers")]
    assert "".join(rows[1].split()) == "symbols=x1·1+1·2x4=x1+2x4"
    assert "".join(rows[2].split()) == "numbers=3·1+1·8=11"
    assert "".join(rows[0].split()) == "chainruledzdx4=dzdy1·∂y1∂x4+dzdy2·∂y2∂x4"


@pytest.mark.every_browser
def test_both_edges_of_x_times_x_are_drawn_apart(visit, saved):
    player = visit(saved("square"))
    paths = player.page.evaluate("[...document.querySelectorAll('#graph .way .line')].map(e => e.getAttribute('d'))")
    assert len(set(paths)) == 2


def test_under_dependency_counting_the_counts_fall(visit, saved):
    """The page shows the engine's counts at every step."""
    player, trace = visit(saved("counting")), pages.trace("counting")
    place, pending = {v: k for k, v in enumerate(trace.graph.variables)}, {}
    counts = """() => [...document.querySelectorAll('#graph .node')].filter(e => e.querySelector('.count').textContent)
        .map(e => [+e.id.split('-').at(-1), e.querySelector('.count').textContent])"""
    for i, shown in enumerate(player.at(range(1, len(trace) + 1), counts)):
        pending = (trace[i].state or {}).get("pending", pending)
        assert shown == sorted([place[v], str(n)] for v, n in pending.items()), f"step {i + 1}"


def test_the_tape_is_shown_with_its_place(visit, saved):
    player, trace = visit(saved("tape")), pages.trace("tape")
    place = "() => [...document.querySelectorAll('#entries tbody tr')].findIndex(e => e.classList.contains('now'))"
    for i, now in enumerate(player.at(range(1, len(trace) + 1), place)):
        if "place" in (trace[i].state or {}):
            assert now == trace[i].state["place"], f"step {i + 1}"
    assert player.count("#entries tbody tr") == len(trace.graph.variables)


NOTE = "() => document.querySelector('#computed-title small').textContent"
CELLS = "() => [...document.querySelectorAll('#entries tbody tr')].map(row => [...row.children].map(cell => cell.textContent))"


def rows(player, *steps):
    """Return the text of every cell of the schedule's table at each of these steps, without spaces and invisible signs."""
    return [[[re.sub(r"\s|[\u2061\u2062]", "", text) for text in row] for row in table] for table in player.at(steps, CELLS)]


def table(trace, i):
    """Return what the table should show: how each entry, or each node, stands after step i."""
    shown = table_of(trace, UNICODE)
    cells = [[column.text(trace, i, v, UNICODE) for column in shown.columns] for v in shown.rows]
    plain = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789", " ·")
    return [[text.translate(plain) for text in row] for row in cells]


def test_the_entries_of_a_tape_stand_in_a_table_whose_gradients_are_filled_in(visit, saved):
    player, trace = visit(saved("tape")), pages.trace("tape")
    for i, shown in enumerate(rows(player, *range(1, len(trace) + 1))):
        assert shown == table(trace, i), f"step {i + 1}"
    assert shown[4][0].startswith("#4") and shown[4][0].endswith("(#0,#1,#2,#3)")
    assert not player.page.locator("#computed").is_visible()


def test_under_propagate_nodes_lose_their_connections_and_gradients_and_back_returns_them(visit, saved):
    player, trace = visit(saved("propagate")), pages.trace("propagate")
    there_and_back = [*range(1, len(trace) + 1), *range(len(trace), 0, -1)]
    for step, shown in zip(there_and_back, rows(player, *there_and_back), strict=True):
        assert shown == table(trace, step - 1), f"step {step}"
    for step, note in zip(there_and_back, player.at(there_and_back, NOTE), strict=True):
        names = ", ".join(v.name for v in trace[step - 1].state["ordering"])
        assert note == f"ordering: {names or 'empty'}", f"step {step}"
    held = {row[0]: row[1:] for row in rows(player, len(trace))[0]}
    assert held["y1"] == ["None", "no", "disconnected,freed"] and held["x1"] == ["y1+x1=9", "yes", "leaf"]


def test_a_tape_can_be_stepped_through_its_first_entries_with_numbers_for_names(visit, tmp_path):
    trace = Trace(figure1_trace().graph.z, schedule="tape", names="numbers", first=5)
    player = visit(Path(play(trace, start="backward").save(tmp_path / "first.html")))
    assert player.steps == len(trace)
    first_term = 1 + next(i for i, s in enumerate(trace) if s.act == "add")
    player.go(first_term)
    frame = player.frame()
    assert frame["holes"] == 0 and frame["terms"] == 2  # the term of an entry that is not stepped through stands in the sum
    assert frame["narration"].endswith("is now 9.") and rows(player, first_term)[0][0] == ["#0input", "v0", "v4+v0=9"]


@pytest.mark.parametrize(
    "name, said",
    [
        ("figure1", "One pass used each of the 8 edges once and computed 6 derivatives."),
        ("counting", "One pass used each of the 8 edges once and computed 6 derivatives."),
        ("paths", "The loop walked 8 paths one by one. It used 8 edges 13 times in total."),
        ("square", "One pass used each of the 2 edges once and computed 1 derivative."),
    ],
)
def test_at_the_end_the_page_says_what_the_run_cost(visit, saved, name, said):
    player = visit(saved(name))
    player.press("End")
    assert player.text(".answers p") == said


def test_of_many_children_the_first_are_listed_and_the_sum_stays_in_its_panel(visit, tmp_path):
    x = Value(2.0, name="x")
    many = [x * k for k in range(1, 41)]
    for k, y in enumerate(many, 1):
        y.name = f"the_{k}th"
    z = x * sum_of(*many)
    player = visit(Path(play(z, start=x).save(tmp_path / "page.html")))
    player.press("ArrowRight", "ArrowRight")
    assert "… 31 more" in player.content("#equation .children").replace("\xa0", " ")
    inside = "() => { const [a, b] = ['#equation .children', '#equation'].map(q => document.querySelector(q).getBoundingClientRect());"
    assert player.page.evaluate(inside + " return a.bottom < b.bottom && b.bottom <= innerHeight + 1 }")

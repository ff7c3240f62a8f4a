"""One step as a screen: it fits, marks the variables of the step, counts what it leaves out, and hides the answer to a question."""

import re
from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import scalargrad as sg
from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.each import each, swept
from tests.examples import at_most
from tests.scalargrad.graphs import build, recipes
from tests.viz.graphs import EDGE_BY_EDGE, SCATTERING, SCHEDULES, figure1_trace, thirty_variables
from viz.questions.quiz import questions
from viz.terminal.keys import ACTIONS, ANSWER_LINE
from viz.terminal.screen import help_screen, screen
from viz.terminal.variable_table import neighbourhood
from viz.text.formatter import ASCII, UNICODE, formatter_for
from viz.text.narration import sentence
from viz.text.reasons import reason


def shown(trace, i, width=80, height=24, formatter=UNICODE, **more):
    return [line.plain.rstrip() for line in screen(trace, i, width, height, formatter, **more)]


@each("formatter", [UNICODE, ASCII])
@each("schedule", SCHEDULES)
def test_the_first_sentence_states_the_goal_in_two_lines(schedule, formatter):
    trace = figure1_trace(schedule)
    lines = shown(trace, 0, formatter=formatter)
    said = " ".join(" ".join(lines[:2]).split())
    assert "Goal: dz/dx for the 6 ancestors x of z." in said
    assert "The forward pass gave the values; the backward pass gives the derivatives." in said
    assert len(shown(trace, 0, 80, 24, formatter)) <= 24 and all(cell_len(line) <= 80 for line in shown(trace, 0, 80, 24, formatter))


def row_of(lines, mark):
    return next((line.split()[2] for line in lines if line.strip().startswith(mark)), None)


def step_at(trace, **wanted):
    """Return the first step with these fields."""
    wanted_step = lambda s: all(getattr(s, field) is value for field, value in wanted.items())
    return next(i for i, s in enumerate(trace) if wanted_step(s))


def fits(trace, i, width, formatter=UNICODE, asked=None):
    lines = screen(trace, i, width, 24, formatter, asked=asked)
    assert len(lines) == 24
    assert max(cell_len(line.plain) for line in lines) <= width
    assert all("\n" not in line.plain for line in lines)
    assert lines[-1].plain.rstrip().endswith(f"step {i + 1}/{len(trace)}")


TRACES = [*map(figure1_trace, SCHEDULES), thirty_variables()]


@swept("width, trace", product([60, 80, 120], TRACES), every=5, ids=repr)
def test_every_step_fits(trace, width):
    often = 1 if len(trace) < 100 else 3 if width == 80 else 11
    for i in range(0, len(trace), often):
        fits(trace, i, width)
    some = range(0, len(trace), max(5, often))
    for i in some:
        fits(trace, i, width, asked=trace.graph.order[-1])
    for i in some:  # what is the same on all screens is computed once for each formatter
        fits(trace, i, width, ASCII)


@swept("schedule", SCATTERING, every=3)
def test_other_schedules_fit_on_large_graphs(schedule):
    trace = thirty_variables(schedule)
    for i in range(0, len(trace), 3):
        fits(trace, i, 80)


@swept("width, height", [(1, 1), (3, 2), (20, 4), (30, 7), (40, 10), (70, 13), (79, 14), (80, 21), (81, 50), (300, 100)], every=3)
def test_any_size_of_terminal_is_respected(width, height):
    for trace in (figure1_trace(), thirty_variables("counting")):
        for i in range(0, len(trace), 7):
            lines = screen(trace, i, width, height)
            assert len(lines) == height
            assert max(cell_len(line.plain) for line in lines) <= width


@at_most(40)
@given(recipes(functions=30), st.integers(20, 130), st.integers(3, 40), st.sampled_from([UNICODE, ASCII]))
def test_any_graph_fits(recipe, width, height, formatter):
    z = build(recipe)[-1]
    for schedule in EDGE_BY_EDGE:
        trace = Trace(z, schedule=schedule)
        for i in range(0, len(trace), max(1, len(trace) // 5)):
            assert max(cell_len(line.plain) for line in screen(trace, i, width, height, formatter)) <= width


def test_step_28_of_figure_1_is_the_picture():
    lines = shown(figure1_trace(), 27)
    assert lines[0] == "iteration 4 of 6  Current node x₁, child y₁. Look up dz/dy₁ = x₁ = 3."
    table = [re.sub(r"\s+", " ", line[:34]).strip() for line in lines[2:10]]
    assert table == [
        "node value dz/d· c(x)",
        "y z 34 1",
        "y₂ 16 1 z",
        "y → y₁ 6 3 z",
        "x₂ 1 3 y₁",
        "x ▶ x₁ 3 6 … z, y₁",
        "x₃ −2 ? y₁",
        "x₄ 4 ? y₁, y₂",
    ]
    assert [line[34:].strip() for line in lines if "▶14" in line] == ["▶14     Let total_y = computed.get(dz/dy)"]
    at = lines.index(" dz/dx₁ = dz/dz · ∂z/∂x₁ + dz/dy₁ · ∂y₁/∂x₁")
    assert lines[at + 1 : at + 3] == ["        = 1 · y₁         + x₁ · 1", "        = 1 · 6          + 3 · 1"]
    assert " computed = {dz/dz: 1, dz/dy₂: 1, dz/dy₁: x₁ = 3 ← get, dz/dx₂: x₁ = 3}" in lines
    assert lines[-1] == " → next  ← back  q predict  ? keys  Esc quit  ↓ ↑ node  space play   step 28/46"


@each("schedule", SCHEDULES)
def test_the_marks_and_the_current_line_say_where_the_step_is(schedule):
    trace = figure1_trace(schedule)
    for i, s in enumerate(trace):
        lines = shown(trace, i, 120)
        name = lambda v: None if v is None else UNICODE.name(trace.names[v])
        assert row_of(lines, "x ▶") == name(s.x)
        assert row_of(lines, "y →") == name(s.y)
        assert [int(n) for line in lines for n in re.findall(r"▶ ?(\d+) ", line[34:])] == ([s.line] if s.line else [])


def test_the_sum_fills_its_holes_one_by_one():
    trace = figure1_trace()
    x4 = next(v for v in trace.graph.order if v.name == "x4")
    holes = []
    for i, s in enumerate(trace):
        if s.x is x4:
            numbers = shown(trace, i)[shown(trace, i).index(" dz/dx₄ = dz/dy₁ · ∂y₁/∂x₄ + dz/dy₂ · ∂y₂/∂x₄") + 2]
            holes.append(numbers.count("?"))
    assert holes == [4, 4, 3, 2, 2, 1, 0, 0, 0]
    assert " ".join(numbers.split()) == "= 3 · 1 + 1 · 8 = 11"


@each("schedule", SCATTERING)
def test_the_sum_keeps_the_contributions_of_other_children(schedule):
    trace = figure1_trace(schedule)
    x1 = next(v for v in trace.graph.order if v.name == "x1")
    adds = [i for i, s in enumerate(trace) if s.act == "add" and s.x is x1]
    numbers = [[" ".join(line.split()) for line in shown(trace, i) if line.startswith("        = ")][1] for i in adds]
    assert numbers == ["= 1 · 6 + ? · ?", "= 1 · 6 + 3 · 1 = 9"]


def test_negative_factors_and_sums_stand_in_brackets():
    a, b = Value(-2, name="a"), Value(5, name="b")
    z = (a + b) * (b * a) * a
    trace = Trace(z, names={})
    lines = "\n".join(shown(trace, step_at(trace, act="insert", x=b)))
    assert re.search(r"\)+ · ", lines)
    assert "· −" not in lines


def test_a_running_total_is_marked_as_not_final():
    for schedule in SCHEDULES:
        trace = figure1_trace(schedule)
        x1 = next(v for v in trace.graph.order if v.name == "x1")
        cells = [next(line[:40] for line in shown(trace, i) if re.match(r".{6}x₁ ", line)) for i in range(len(trace))]
        assert (" None " if schedule == "propagate" else " ? ") in cells[0]
        assert any("6 …" in cell for cell in cells)
        last = next(i for i in range(len(trace)) if trace.is_final(x1, i))
        assert re.search(r"\b9  ", cells[last]) and "…" not in cells[last]
        assert all("…" in cell or "?" in cell or "None" in cell for cell in cells[:last])


EACH_STEP = swept("trace, i", [(TRACES[-1], i) for i in range(len(TRACES[-1]))], every=15, ids=lambda x: x if type(x) is int else None)


@EACH_STEP
def test_a_large_graph_shows_the_neighbourhood_and_counts_the_rest(trace, i):
    s = trace[i]
    lines = shown(trace, i, 80, 20)
    start = next(k for k, line in enumerate(lines) if line.lstrip().startswith("node"))
    rows = [line[:34] for line in lines[start + 1 : start + 14]]
    rows = rows[: next(k for k, row in enumerate(rows) if not re.match(r" (x ▶|y →|y  |   )  \S", row))]
    left_out = [int(n) for row in rows for n in re.findall(r"^      … (\d+) more", row)]
    assert len(rows) - len(left_out) + sum(left_out) == len(trace.graph.order)
    if s.x is not None:
        assert row_of(lines, "x ▶") == UNICODE.name(trace.names[s.x])


def test_the_neighbourhood_of_a_variable_has_its_children_and_then_its_neighbours():
    assert neighbourhood("abcdef", "c", 10) == list("abcdef")
    assert neighbourhood("abcdefghij", "ea", 6) == ["a", 2, "d", "e", "f", 4]
    assert neighbourhood("abcdefghij", "j", 4) == [7, "h", "i", "j"]
    for rows in range(12):
        assert len(neighbourhood(range(40), [39, 0, 20], rows)) <= rows


@EACH_STEP
def test_the_dictionary_shows_the_latest_entries_and_always_the_one_in_use(trace, i):
    s = trace[i]
    lines = shown(trace, i, 70, 24)
    start = next(k for k, line in enumerate(lines) if line.startswith(" computed = {"))
    text = " ".join(" ".join(lines[start:-1]).split())
    entries = len(re.findall(r"dz/d\S+:", text))
    assert entries + sum(int(n) for n in re.findall(r"… (\d+) more", text)) == s.known
    if s.act == "get":
        assert re.search(rf"dz/d{UNICODE.name(trace.names[s.y])}: [^,]* ← get", text)
    if s.act == "insert":
        assert re.search(rf"dz/d{UNICODE.name(trace.names[s.x])}: [^,]* ← new}}", text)


@each("schedule", SCHEDULES)
def test_the_dictionary_has_its_name_in_the_pseudocode(schedule):
    trace = figure1_trace(schedule)
    name = trace.schedule.called
    assert any(name in line for line in trace.schedule.listing.values())
    first = "dz/dx₁: y₁ + x₁ = 9" if schedule == "propagate" else "dz/dz: 1"  # there only the leaves have a gradient at the end
    assert any(line.startswith(f" {name} = {{{first}") for line in shown(trace, len(trace) - 1))


def test_of_a_long_sum_the_terms_around_the_current_one_are_shown():
    w = Value(0.5, name="w")
    z = sg.sum(*(w * k for k in range(1, 41)))
    trace = Trace(z, names={})
    gets = [i for i, s in enumerate(trace) if s.act == "get" and s.x is w]
    assert len(gets) == 40
    for place, i in enumerate(gets):
        rows = [line for line in shown(trace, i, 80, 24) if re.match(r" dz/dw = | {7}= ", line)]
        assert len(rows) == 3
        ratio = UNICODE.formula(trace.ratio(trace[i].y, trace[i].slot))
        assert ratio in rows[0]
        hidden = [int(n) for n in re.findall(r"… (\d+) more", rows[0])]
        assert all(row.count("…") >= len(hidden) and "more" not in row for row in rows[1:])  # it is said once
        assert sum(hidden) + rows[0].count("∂z") + rows[0].count("/∂w") == 40
        assert f"1 · {place + 1}" in rows[2]


def test_other_schedules_show_what_they_keep():
    trace = figure1_trace("counting")
    for i, s in enumerate(trace):
        lines = shown(trace, i, 100)
        for v, waits in ((s.state or {}).get("pending", {})).items():
            row = next(line for line in lines if re.match(rf".{{6}}{UNICODE.name(trace.names[v])} ", line))
            assert re.search(rf"\b{waits}\b", row[:44])
        if s.state and "ready" in s.state:
            assert f" ready = [{', '.join(UNICODE.name(trace.names[v]) for v in s.state['ready'])}]" in lines
    trace = figure1_trace("tape")
    for i, s in enumerate(trace):
        if s.state and "place" in s.state:
            assert f"[{UNICODE.name(trace.names[s.y])}]" in "\n".join(line for line in shown(trace, i) if line.startswith(" tape: "))
    trace = figure1_trace("paths")
    paths = {line for i in range(len(trace)) for line in shown(trace, i) if line.startswith(" path ")}
    assert {" path x₁ → z", " path x₁ → y₁ → z", " path x₄ → y₁ → z", " path x₄ → y₂ → z"} <= paths


def test_a_tape_may_hold_variables_that_z_does_not_depend_on():
    x = Value(2, name="x")
    dead = x + 5
    dead.name = "dead"
    z = x * x
    trace = Trace(z, schedule="tape", names={z: "z"}, recorded=[x, z, dead])
    everything = ["\n".join(shown(trace, i)) for i in range(len(trace))]
    assert any("z does not depend on dead" in text and "[dead]" in text for text in everything)


@each("schedule", SCHEDULES)
def test_a_secret_is_kept_until_it_is_asked_for(schedule):
    trace = figure1_trace(schedule, numbers=(31, 1, -2, 47))
    answers = {"x1": "108", "x4": "125"}
    asked = [q for q in questions(trace) if q.slot is None]
    for (before, *_), (i, x, *_) in pairwise([(0, None), *asked]):
        if x.name not in answers:
            continue
        assert any(answers[x.name] in line for line in shown(trace, i))
        for k in range(before, i):
            text = "\n".join(shown(trace, k, 120, 40, asked=x, said="what is it?"))
            assert answers[x.name] not in text
            assert f"dz/d{UNICODE.name(x.name)}: " not in text
            assert [" ".join(line.split()) for line in text.split("\n") if " ? · " in line] == ["= ? · ? + ? · ?"] * 2
            row = next(line for line in text.split("\n") if line.startswith(" x ▶"))
            assert UNICODE.name(x.name) in row and "?" in row


def test_a_mark_and_bold_type_show_the_edge_that_a_diagnosis_speaks_of():
    trace = figure1_trace()
    x1, y1 = (next(v for v in trace.graph.order if v.name == name) for name in ("x1", "y1"))
    lines = screen(trace, 27, asked=x1, said="Not 6.", marked=[(y1, 0)])
    assert [line.plain.split()[2] for line in lines if line.plain.startswith(" y !")] == ["y₁"]
    chain = next(line for line in lines if line.plain.startswith(" dz/dx₁ = "))
    bold = [chain.plain[span.start : span.end] for span in chain.spans if span.style == "bold"]
    assert "dz/dy₁ · ∂y₁/∂x₁" in "".join(bold) and "dz/dz" not in "".join(bold)


@each("formatter", [UNICODE, ASCII])
@each("width, height", [(60, 20), (80, 24), (40, 10)])
def test_no_key_is_cut_off_and_the_key_table_has_all(width, height, formatter):
    trace = figure1_trace()
    for line in (
        screen(trace, 27, width, height, formatter)[-1].plain,
        screen(trace, 27, width, height, formatter, keys=ANSWER_LINE)[-1].plain,
    ):
        assert "…" not in line and "..." not in line and line.endswith("step 28/46")
    assert width < 60 or all(key in screen(trace, 27, width, height, formatter)[-1].plain for key in ("? keys", "Esc quit", "q predict"))
    lines = help_screen(width, height, formatter)
    assert len(lines) == height and all(cell_len(line.plain) <= width for line in lines)
    assert width < 60 or all(
        any(formatter(action.written) in line.plain and action.does in line.plain for line in lines) for action in ACTIONS.values()
    )


@swept("trace, width, height", [(trace, *size) for trace in TRACES for size in [(60, 20), (80, 24)]], every=8, ids=repr)
def test_the_reason_for_a_step_is_never_cut_off(trace, width, height):
    for i in range(0, len(trace), 1 if len(trace) < 100 else 5):
        text = " ".join(" ".join(shown(trace, i, width, height)).split())
        assert f"Why? {reason(trace, i)}" in text or not reason(trace, i)


def test_a_question_and_a_low_screen_show_no_reason():
    trace = figure1_trace()
    assert not any("Why?" in line for line in shown(trace, 26, said="Not 6.") + shown(trace, 26, why=False) + shown(trace, 26, 60, 10))


def test_ascii_has_only_ascii_and_loses_nothing_a_reader_needs():
    trace = figure1_trace()
    assert shown(trace, 27, formatter=ASCII)[0] == "iteration 4 of 6  Current node x1, child y1. Look up dz/dy1 = x1 = 3."
    for schedule in SCHEDULES:
        trace = figure1_trace(schedule)
        assert all(line.isascii() for i in range(len(trace)) for line in shown(trace, i, formatter=ASCII))


def test_names_cannot_break_the_screen():
    names = ["\x1b[2J", "a\nb", "漢字の名前がとても長い場合", "[bold]x[/bold]", "α", "x" * 200, "\u202ertl", "\ud800"]
    values = [Value(i + 1, name=name) for i, name in enumerate(names)]
    trace = Trace(sg.sum(*values), names={})
    for formatter in (UNICODE, ASCII):
        for i in range(len(trace)):
            lines = screen(trace, i, 80, 24, formatter)
            assert all(line.plain.isprintable() and cell_len(line.plain) <= 80 for line in lines)
            assert all(line.plain.isascii() for line in lines) or formatter is UNICODE


def test_numbers_of_any_size_stay_short():
    x = Value(10**5000, name="x")
    trace = Trace(x * 3 + 1, names={})
    assert "x·3 = 3e+5000" in "\n".join(shown(trace, 0, 120)).replace("v₁ = ", "")


def test_the_number_alone_is_shown_where_the_formula_is_too_long():
    xs = [Value(i, name=f"long_name_{i}") for i in range(1, 12)]
    w = Value(2, name="w")
    trace = Trace(sg.dot(*xs, *[w] * 11), names={})
    assert any("dz/dw: 66 ← new" in line for line in shown(trace, step_at(trace, act="insert", x=w)))


def test_a_doubled_edge_is_counted_in_the_sentence():
    x = Value(3, name="x")
    trace = Trace(x * x, names={})
    said = [sentence(trace, i) for i, s in enumerate(trace) if s.act == "partial"]
    assert said == [
        "Current node x, child z (edge 1 of 2). Calculate ∂z/∂x = x = 3.",
        "Current node x, child z (edge 2 of 2). Calculate ∂z/∂x = x = 3.",
    ]


def test_a_graph_of_one_variable_can_be_shown():
    trace = Trace(Value(3, name="x"))
    for i in range(len(trace)):
        assert len(shown(trace, i)) == 24


@each("encoding, formatter", [("utf-8", UNICODE), ("cp1252", ASCII), ("ascii", ASCII), ("no such", ASCII), (None, UNICODE)])
def test_the_characters_are_chosen_by_what_the_output_can_take(encoding, formatter):
    assert formatter_for(type("File", (), {"encoding": encoding})) is formatter


def test_a_narrow_screen_shows_in_full_what_becomes_of_a_node():
    A, B = Tensor([[3, 7], [2, 5]], name="A"), Tensor([[2, 0], [0, 4]], name="B")
    trace = Trace((A @ B).sum(), schedule="propagate")
    rows = [line for i in range(len(trace)) for line in shown(trace, i, 60, 20)]
    assert any(row.endswith("disconnected, freed") for row in rows) and any(row.endswith("saves A, B") for row in rows)


def test_a_contribution_without_a_formula_has_no_row_of_rules():
    def program():
        x, w = Tensor([1.0, 2.0]), Tensor([[0.5, 0.1], [0.2, 0.3]])
        for _ in range(8):
            x = (x @ w) ** 2
        return x.sum() + (w * 3).sum()

    trace = Trace(program, detail="statements")
    loops = [i for i, s in enumerate(trace) if s.act == "insert" and trace.names[s.x] == "x_1"]
    both = [i for i, s in enumerate(trace) if s.act == "insert" and trace.names[s.x] == "w"]
    rows = [[line for line in shown(trace, i, 100) if re.match(r" (dz/d\S+)? *= ", line)] for i in (*loops, *both)]
    assert [len(found) for found in rows] == [2, 3] and "G_x₁x₇" in rows[0][0] and "[" in rows[0][1]

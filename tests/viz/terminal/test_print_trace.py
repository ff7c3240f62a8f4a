"""Printed steps: the tutorial's list for any graph, as plain text of 80 columns."""

import io
import re

import numpy as np
import pytest
from hypothesis import given
from rich.cells import cell_len

import scalargrad as sg
from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.each import each
from tests.examples import at_most
from tests.scalargrad.graphs import build, chain, recipes
from tests.viz.graphs import EDGE_BY_EDGE, NOT_THE_TUTORIALS, SCHEDULES, figure1_trace, thirty_variables
from viz import walk
from viz.text.formatter import UNICODE
from viz.text.schedule_table import gradients


def walked(z, **options):
    file = io.StringIO()
    walk(z, file, **options)
    return file.getvalue()


def test_figure_1_is_printed_as_in_the_tutorial():
    text = walked(figure1_trace())
    assert re.findall(r"^(\d)\. current node: (\S+)$", text, re.M) == [
        ("1", "y₂"),
        ("2", "y₁"),
        ("3", "x₂"),
        ("4", "x₁"),
        ("5", "x₃"),
        ("6", "x₄"),
    ]
    assert text.split("\n\n")[4] == "\n".join(
        [
            "4. current node: x₁",
            "   computed = {dz/dz: 1, dz/dy₂: 1, dz/dy₁: x₁ = 3, dz/dx₂: x₁ = 3}",
            "   calculate: ∂z/∂x₁ = y₁ = 6, ∂y₁/∂x₁ = 1",
            "   invoke chain rule: dz/dx₁ = dz/dz · ∂z/∂x₁ + dz/dy₁ · ∂y₁/∂x₁",
            "                             = 1 · y₁ + x₁ · 1 = y₁ + x₁",
            "                             = 1 · 6 + 3 · 1 = 9",
        ]
    )
    final = " ".join(text.split("7. final output:")[1].split())
    assert final == (
        "computed = {dz/dz: 1, dz/dy₂: 1, dz/dy₁: x₁ = 3, dz/dx₂: x₁ = 3, dz/dx₁: y₁ + x₁ = 9, dz/dx₃: x₁ = 3, dz/dx₄: x₁ + 2·x₄ = 11}"
    )
    assert "z = x₁·y₁ + y₂ = 34" in text
    assert "topological order: z, y₂, y₁, x₂, x₁, x₃, x₄" in text


def test_a_row_of_numbers_that_repeats_the_row_of_formulas_is_printed_once():
    assert walked(figure1_trace()).split("\n\n")[1].splitlines()[-2:] == [
        "   invoke chain rule: dz/dy₂ = dz/dz · ∂z/∂y₂",
        "                             = 1 · 1 = 1",
    ]
    assert walked(figure1_trace()).count("= 1 · 1 = 1") == 1


def test_the_tape_says_that_a_leaf_has_no_inputs():
    text = walked(figure1_trace("tape"))
    assert "on the tape: x₄. It has no inputs.\n" in text and "on the tape: y₁.\n" in text
    assert text.count("It has no inputs.") == 4


@each("trace", [figure1_trace(s) for s in SCHEDULES] + [thirty_variables(), thirty_variables("tape")], ids=lambda t: t.schedule.name)
def test_printed_steps_are_plain_text_of_80_columns(trace):
    text = walked(trace)
    assert max(map(cell_len, text.split("\n"))) <= 80
    assert all(line.isprintable() for line in text.split("\n"))
    assert not re.search(r" $", text, re.M)
    for x in gradients(trace, len(trace) - 1):  # under propagate only leaves keep theirs
        assert re.search(rf"dz/d{re.escape(UNICODE.name(trace.names[x]))}: ", text[text.index("final output") :])


@at_most(40)
@given(recipes(functions=30))
def test_any_graph_can_be_printed(recipe):
    for schedule in EDGE_BY_EDGE:
        text = walked(build(recipe)[-1], schedule=schedule)
        assert max(map(cell_len, text.split("\n"))) <= 80
        assert "final output" in text


@each("schedule", NOT_THE_TUTORIALS)
def test_the_other_schedules_take_a_line_for_each_step(schedule):
    trace = figure1_trace(schedule)
    numbered = re.findall(r"^ *(\d+)  (line \d+|end)", walked(trace), re.M)
    assert [int(n) for n, _ in numbered] == list(range(1, len(trace) + 1))
    assert [line for _, line in numbered] == [f"line {s.line}" if s.line else "end" for s in trace]


def test_options_are_those_of_a_trace():
    x = Value(3, name="x")
    z = x * x
    assert walked(z, schedule="paths", names={z: "out"}) == walked(Trace(z, schedule="paths", names={z: "out"}))


@each("encoding", ["cp1252", "cp437", "ascii", "latin-1"])
def test_an_output_without_unicode_gets_ascii(encoding):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    alpha = Value(2, name="α")
    walk(alpha * Value(-3, name="é"), file, names={})
    file.flush()
    assert raw.getvalue().isascii()
    assert b"dz/d\\u03b1 = dz/dz * Dz/D\\u03b1" in raw.getvalue()


def test_strange_names_can_be_printed():
    x = Value(2, name="\x1b[31mred\nline")
    assert "\x1b" not in walked(x * 2, names={})


@pytest.mark.sweep
def test_a_deep_graph_can_be_printed():
    _, z = chain(1000)
    assert walked(z, names={}, detail="operations").count("current node") == 1000


def test_a_sum_of_many_terms_is_wrapped_between_terms_and_complete():
    w = Value(2, name="w")
    text = walked(sg.sum(*(w * k for k in range(1, 41))), names={}, detail="operations")
    last = text[text.rindex("invoke chain rule") : text.index("= 820")]
    assert len(re.findall(r"dz/dv\S* · ∂v\S*/∂w", last)) == 40
    assert not re.search(r"·$|^ *·|…", last, re.M)


def test_a_sum_that_takes_several_lines_keeps_each_plus():
    def program():
        w = Tensor(0.5)
        parts = [np.tanh(w * k + 0.25) for k in range(1, 8)]
        long_name_of_a_row = np.stack([w * 2, w * 3, w * 4]) + np.ones(3) * 0.123456
        return sum(parts) * long_name_of_a_row.sum()

    for detail in ("operations", "statements"):
        text = io.StringIO()
        walk(Trace(program, detail=detail), text)
        said = text.getvalue()
        assert max(map(cell_len, said.splitlines())) <= 80
        last = said[said.rindex("current node: w") : said.index("final output")]
        chain = last.partition("invoke chain rule: ")[2]
        assert chain.count("\n") > 3
        named, *_ = re.split(r"\n +(?:=|\[)", chain)
        children = re.search(r"calculate: (.*?)invoke", last, re.S)[1].count("G_w")
        assert named.count("+") == children - 1, named
        assert not any(line.rstrip().endswith("+") for line in chain.splitlines())


def test_many_lines_of_symbols_do_not_push_the_numbers_off_a_screen():
    def program():
        load, busy = Value(2.0), 1.0
        for lines in range(1, 5):
            busy = load * busy / (lines + load * busy)
        return busy * 6.0

    text = walked(program)
    steps = text.split("current node: ")
    assert "lines of symbols" in steps[-1] and max(step.count("\n") for step in steps) < 24
    assert re.search(r"= … \d+ lines of symbols\n +=[^…]*= 0.62585\n", steps[-1])

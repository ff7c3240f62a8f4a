"""Slides: which steps they show, what the speaker may say, and that the file is a page of its own."""

import json
import re

import pytest

from scalargrad import Trace, Value
from tests.each import swept
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from tests.viz.graphs_of_others import PROGRAMS
from tests.viz.script_data import script_data
from tutorial.graphs.matrices import fan_out
from viz import export, play, slides
from viz.graphs.detail import trace_of


def shown(lesson):
    return json.loads(script_data(lesson))["slides"]


def test_the_slides_of_figure_1_are_the_steps_that_show_something_new():
    trace = figure1_trace()
    found = shown(slides(trace, title="Lesson 3"))
    assert [slide["heading"] for slide in found] == [
        *("Lesson 3", "The values", "A nudge", "The order", "It starts at the end", "One term of the chain rule", "The first derivative"),
        *("The partial ∂z/∂y₁", "Effects add up: dz/dx₁", "Once more: dz/dx₄", "All derivatives", "What the derivatives are good for"),
    ]
    steps = [trace[slide["step"]] for slide in found if slide["act"] == "backward"]
    assert [s.act for s in steps] == ["sort", "start", "add", "insert", "partial", "add", "add", "done"]
    assert steps[5].x.name == "x1" and steps[5].y.name == "y1" and steps[5].total.number == 9
    assert "dz/dx₁ is now 9. The nudge arrives along several ways at once" in found[8]["note"]


def test_a_sum_that_is_only_rounding_is_no_example():
    x, u, v = Value(0.1, name="x"), Value(0.7, name="u"), Value(2.0, name="v")
    y = x * u + v
    y.name = "y"
    lesson = slides(Trace(y * 0.3 - y * 0.1 - y * 0.2 + u * v))
    total = lesson.trace.known_total(y, len(lesson.trace) - 1).number
    assert 0 < abs(total) < 1e-15, "the terms 0.3, −0.1 and −0.2 leave an error of the machine"
    headings = [slide["heading"] for slide in shown(lesson)]
    assert "Effects add up: dz/du" in headings or "Effects add up: dz/dv" in headings
    assert not any(heading.endswith("/dy") for heading in headings if heading.startswith(("Effects", "Once")))


TRACES = [Trace(fan_out()["z"]), *map(figure1_trace, SCHEDULES), thirty_variables()]


@swept("trace", TRACES, every=7, ids=repr)
def test_every_graph_and_schedule_has_a_lesson_of_about_ten_slides(trace):
    found = shown(slides(trace))
    assert 7 <= len(found) <= 12
    steps = [slide["step"] for slide in found if slide["act"] == "backward"]
    assert steps == sorted(set(steps)) and steps[-1] == len(trace) - 1 and found[-2]["table"]
    assert all(slide["heading"] and slide["note"] for slide in found)


def test_a_graph_of_one_variable_has_slides():
    assert shown(slides(Value(3, name="x")))[-2]["heading"] == "All derivatives"


@pytest.mark.sweep
def test_slides_have_one_program_because_what_opens_on_a_slide_is_not_nudged():
    programs = lambda page: re.findall(r'^"(\w+)": ', page.html, re.M)
    trace = trace_of(PROGRAMS["perceptron"])
    assert programs(slides(trace)) == ["z"] and len(programs(play(trace))) > 1


def test_slides_are_one_file_and_only_they_have_their_style(tmp_path):
    trace = figure1_trace()
    path = slides(trace).save(tmp_path / "lesson.html")
    assert (tmp_path / "lesson.html").read_text(encoding="utf-8") == slides(trace).html and path.endswith("lesson.html")
    assert "body.slides" in slides(trace).html
    export(trace, tmp_path / "kind.html", "slides", title="A")
    assert "<title>A</title>" in (tmp_path / "kind.html").read_text(encoding="utf-8")
    export(trace, tmp_path / "page.html")
    assert "body.slides" not in (tmp_path / "page.html").read_text(encoding="utf-8")

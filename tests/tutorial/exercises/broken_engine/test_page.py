"""The page of a comparison: the graph with got and is, the numbers, the error; and the steps of both engines to the first difference."""

import re
from functools import partial

from scalargrad import Trace
from tests.tutorial.exercises.broken_engine.engines import CLASS, FUNCTION, WRONG, without
from tests.tutorial.exercises.broken_engine.test_compare import compared
from tutorial.exercises.broken_engine.page import comparison_page, steps_with, together
from viz.page.comparison.trace_diff import first_difference


def test_a_wrong_variable_shows_what_it_got_and_what_is_right():
    html = comparison_page(compared(WRONG["overwrites"])).html
    assert re.search(">got 1<.*>is 2<", html, re.DOTALL) and html.count('<tr class="wrong">') == 1
    assert "<h1>The engine overwrites instead of adding</h1>" in html and "replaces the first. [M03]" in html


def test_text_of_the_learner_stays_text():
    html = comparison_page(compared(without(FUNCTION, "return computed", "raise ValueError('<img src=x>')"))).html
    assert "&lt;img src=x&gt;" in html and "<img" not in html


def test_an_engine_that_is_not_a_loop_takes_the_steps_of_the_right_loop_with_its_own_derivatives():
    found = compared(WRONG["visits at first sight"]).found
    right = Trace(found.numbers.variables[found.program.z])
    other = Trace(found.numbers.variables[found.program.z], steps=partial(steps_with, {r.name: r.got for r in found.rows}))
    assert {x.name: q.number for x, q in other.computed.items()} == {r.name: r.got for r in found.rows}
    step, said = first_difference(right, other)
    assert right[step].act == "insert" and right[step].x.name == found.first.name
    assert f"should be {found.first.expected}. The other loop has {found.first.got}." in said


def test_there_are_no_steps_where_no_derivative_differs():
    assert together(compared(CLASS)) is None
    assert together(compared(WRONG["changes what it reads"])) is None
    assert together(compared(WRONG["keeps intermediate gradients"])) is None
    assert together(compared(without(FUNCTION, "computed[y] * ", "missing * "))) is None

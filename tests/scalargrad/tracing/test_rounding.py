"""Numbers that are 0 but for rounding are written as such; small numbers, and what is recorded, stay as they are."""

import json
import math
import pickle
import re

import viz
from scalargrad import Trace, Value, cos, exp, function, sin, tanh
from scalargrad.formulas.notations import LATEX, MATHML, PRETTY, TEXT
from scalargrad.formulas.rounding_error import Rounded, is_lost
from scalargrad.formulas.text import NOUGHT
from tests.each import swept
from viz.terminal.print_trace import lines
from viz.text.formatter import ASCII, UNICODE

NOISE = re.compile(r"\de[−-](1[4-9]|[23]\d)")  # 7.1e−15


def newton():
    a, x = Value(3.0), Value(1.0)
    for _ in range(6):
        x = x - (x * x - a) / (2 * x)
    return x


def quarter_turn():
    angle, radius = Value(math.pi / 2), Value(2.0)
    return radius * cos(angle) + sin(angle)


def fit():
    """A line through points on it, whose errors are 0 but for rounding."""
    slope, start = Value(0.1), Value(0.2)
    loss = 0
    for x in (1, 2, 3, 7):
        error = slope * x + start - (x + 2) / 10
        loss = loss + error * error
    return loss


def saturated():
    w, x = Value(18.5), Value(1.0)
    h = tanh(w * x)
    return h * h + w


@swept("program, detail", [(saturated, "operations"), (newton, "statements"), (quarter_turn, "operations"), (fit, "statements")], every=4)
def test_numbers_that_are_only_rounding_are_written_as_nought_everywhere(program, detail):
    trace = Trace(program, detail=detail)
    z = program()
    z.backward()
    drawing, plain = viz.draw(z, detail=detail, partials="both").source, "\n".join(lines(trace, ASCII))
    page = viz.play(trace).html.replace("-", "")  # JSON keeps its numbers
    for text in (drawing, plain, page, viz.mermaid(trace), viz.handout(trace).html, "\n".join(lines(trace, UNICODE))):
        assert not [text[max(found.start() - 40, 0) : found.end()] for found in NOISE.finditer(text)]
    assert NOUGHT in plain and NOUGHT in page


def test_a_small_number_stays_as_it_is():
    x, w = Value(-46.0, name="x"), Value(2.0, name="w")
    trace = Trace(w / (1 + exp(-x)))
    assert not any(is_lost(q.number) for q in trace.computed.values())
    assert UNICODE.number(trace.computed[x].number) == "2.10612e−20"


def test_a_number_of_ordinary_size_is_shown_even_if_all_its_digits_are_rounding():
    x = Value(0.3)
    for _ in range(60):
        x = 4 * x * (1 - x)
    assert not any(map(is_lost, Trace(x).on.numbers.values()))
    z = (Value(0.1) + Value(0.2) - Value(0.3)) / 5e-17
    assert not is_lost(Trace(z).on.numbers[z])


def test_what_is_recorded_is_not_changed():
    trace, z = Trace(quarter_turn), quarter_turn()
    z.backward()
    totals = [q.number for q in trace.computed.values()]
    assert json.loads(trace.to_json())["variables"][2]["data"] == math.cos(math.pi / 2)
    assert repr(trace.on.data(trace.graph.variables[2])) == "6.123233995736766e-17"
    assert NOUGHT not in trace.to_json() and pickle.loads(pickle.dumps(totals)) == totals


def test_each_notation_writes_nought():
    lost = Rounded(0.1) + Rounded(0.2) + Rounded(-0.3)
    assert [PRETTY.number(lost), ASCII.number(lost), LATEX.number(lost)] == [NOUGHT, NOUGHT, rf"\text{{{NOUGHT}}}"]
    assert [MATHML.number(-lost), TEXT.number(lost)] == [f"<mn>{NOUGHT}</mn>", "5.551115123125783e-17"]


def test_terms_may_cancel_within_a_function_and_in_a_gradient():
    @function
    def step(x, a):
        return x - (x * x - a) / (2 * x)

    x = Value(math.sqrt(5.0))
    y = step(x, Value(5.0))
    y.backward()
    assert UNICODE.number(Trace(y).computed[x].number) in (NOUGHT, "0")
    assert x.grad == y.partials[0]

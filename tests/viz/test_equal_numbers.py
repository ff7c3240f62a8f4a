"""Variables with equal numbers are different variables: no document, trace or check compares the numbers of two variables."""

import pytest

import scalargrad
import viz
from scalargrad import Trace, Value
from tests.each import each, swept

DOCUMENTS = [viz.draw, viz.play, viz.slides, viz.handout, viz.animate, viz.mermaid, viz.explore, scalargrad.check]


@pytest.fixture
def incomparable(monkeypatch):
    """No two Values can be compared with == while the test runs, nor found in a list by their numbers."""

    def refuse(x, other):
        raise AssertionError(f"{x!r} was compared with {other!r}")

    monkeypatch.setattr(Value, "__eq__", refuse)


def of_ones():
    """Each variable is 1, and each has several children."""
    x, y, b = [Value(1.0, name=name) for name in "xyb"]
    h = x * y
    k = h * x
    return k * b * h * y


def of_infinities():
    x, y = Value(float("inf"), name="x"), Value(float("inf"), name="y")
    return (x - y) * x


@swept("document", DOCUMENTS, every=3)
@each("make", [of_ones, of_infinities])
def test_no_document_compares_the_numbers_of_variables(incomparable, document, make):
    if make is of_ones or document is not scalargrad.check:  # which refuses infinite inputs
        assert document(make()) is not None


@each("schedule", ["topological", "propagate", "counting", "tape", "paths"])
def test_no_schedule_compares_the_numbers_of_variables(incomparable, schedule):
    trace = Trace(of_ones(), schedule=schedule)
    assert trace.computed[trace.graph.order[-1]].number in (2, 3)

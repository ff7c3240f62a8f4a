"""A picture of a function knows the line that made each of its variables."""

import gc

from scalargrad import Value
from scalargrad.tracing.trace import Trace
from scalargrad.user_names.made_at import PLACES, made_at


def test_a_picture_of_a_function_knows_the_lines():
    x, w = Value(2.0), Value(3.0)

    def loss():
        h = w * x
        return h * h + 1  # the end

    trace = Trace(loss, detail="statements")
    lines = [made_at(v) and made_at(v).text for v in trace.graph.variables]
    assert lines == [None, None, "h = w * x", "return h * h + 1  # the end"]
    assert str(made_at(trace.graph.z)).startswith("test_made_at.py:")


def test_a_variable_outside_a_picture_pays_nothing_and_a_freed_one_leaves_nothing():
    x = Value(2.0)
    assert made_at(x * x) is None
    trace = Trace(lambda: x * x)
    assert made_at(trace.graph.z)
    kept = len(PLACES)
    del trace
    gc.collect()
    assert len(PLACES) < kept

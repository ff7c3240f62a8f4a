"""The data of the page's panel of memory: only for graphs of arrays, in step with the trace, and bounded in size."""

import numpy as np

import tensorgrad as tg
import viz
from scalargrad import Trace, Value
from scalargrad.user_names.function_result import result_of
from tensorgrad import Tensor
from tests.viz.memory.test_lifetimes import chain, network
from viz.memory.page_data import memory_data
from viz.text.formatter import UNICODE


def test_each_variable_has_its_turn_and_each_step_a_sentence():
    mine, z = network()
    trace = Trace(z)
    data, found = memory_data(trace), trace.on.lifetimes()
    assert data["turns"] == [found.turn[v] for v in trace.graph.variables] and data["bytes"] == found.bytes
    assert data["measured"] is None and data["note"] == "In a real run measured: the same at every step."
    assert data["forward"] == 5 and len(data["said"]) == len(found.steps) == 12
    assert data["said"][5].startswith("The forward pass has ended: ") and data["said"][6].startswith("Turn of z = cross_entropy(…): ")
    assert data["arrays"][0][:6] == ["W₁", "parameter", 120, "120 B", 0, None]


def test_pages_of_numbers_and_of_released_graphs_have_no_memory():
    x, y = Value(3.0), Tensor(np.ones(2))
    assert memory_data(Trace(x * x)) is None
    z = tg.exp(y).sum()
    assert memory_data(Trace(z)) is not None and "panels.memory" not in viz.slides(z).html
    z.backward()
    assert memory_data(Trace(z)) is None


def test_the_data_grow_with_the_graph():
    sizes = [len(str(memory_data(Trace(chain(n)[1])))) for n in (20, 40, 80)]
    assert sizes[2] < 2.2 * sizes[1] < 2.2 * 2.2 * sizes[0]


def test_statements_show_the_memory_of_their_operations_at_the_turn_of_each_box():
    def program():
        x, w, b = Tensor(np.ones((4, 3)), name="x"), Tensor(np.ones((3, 3)) * 0.1), Tensor(np.full(3, 0.1))
        for _ in range(8):
            x = np.tanh(x @ w + b)
        return (x**2).sum()

    z, leaves = result_of(program)
    folded, whole = memory_data(Trace(z, detail="statements")), memory_data(Trace(z))
    assert leaves and folded["bytes"] == whole["bytes"] and len(folded["turns"]) < len(whole["turns"])
    trace = Trace(z, detail="statements")
    for v, turn in zip(trace.graph.variables, folded["turns"]):
        if v.inputs:
            assert folded["said"][turn].startswith(f"Turn of {UNICODE.name(trace.names[v])} = "), (trace.names[v], folded["said"][turn])
    assert memory_data(Trace(program, detail="statements"))["note"] == "In a real run measured: the same at every step."
    assert trace.passes and len({a[0] for a in folded["arrays"]}) == len({a[0] for a in whole["arrays"]})

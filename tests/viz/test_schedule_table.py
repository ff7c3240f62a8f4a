"""The table of a schedule: the entries of a tape with numbers for names, and what each node holds under propagate."""

import numpy as np

from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.viz.graphs import figure1_trace
from viz.page.page_data import page_data
from viz.text.formatter import UNICODE
from viz.text.schedule_table import table_of


def cells(trace, i):
    """Return the rows of a trace's table after step i, as text."""
    table = table_of(trace, UNICODE)
    return [[column.text(trace, i, v, UNICODE) for column in table.columns] for v in table.rows]


def test_each_entry_of_a_tape_has_its_number_its_function_and_the_numbers_of_its_inputs():
    trace = figure1_trace("tape")
    functions = [v.rule.name for v in trace.graph.variables if v.rule]
    assert [row[0] for row in cells(trace, 0)] == [
        *(f"#{k} input" for k in range(4)),
        f"#4 {functions[0]}(#0, #1, #2, #3)",
        f"#5 {functions[1]}(#3)",
        f"#6 {functions[2]}(#0, #4, #5)",
    ]


def test_the_gradients_of_a_tape_are_filled_in_from_the_last_entry_to_the_first():
    trace = figure1_trace("tape")
    assert [row[-1] for row in cells(trace, 0)] == [""] * 7
    gradients = zip(*([row[-1] for row in cells(trace, i)] for i in range(len(trace))))
    known = [next(i for i, text in enumerate(texts) if text and "…" not in text) for texts in gradients]
    assert known[6] < min(known[4:6]) and max(known[4:6]) < min(known[:4])
    assert [row[-1] for row in cells(trace, len(trace) - 1)] == ["y₁ + x₁ = 9", "x₁ = 3", "x₁ = 3", "2·x₄ + x₁ = 11", "x₁ = 3", "1", "1"]


def test_an_entry_that_z_does_not_depend_on_has_no_gradient():
    x = Value(2, name="x")
    dead = x + 5
    dead.name = "dead"
    z = x * x
    trace = Trace(z, schedule="tape", names={z: "z"}, recorded=[x, dead, z])
    assert [row[1:] for row in cells(trace, len(trace) - 1)] == [["x", "x + x = 4"], ["dead", ""], ["z", "1"]]
    assert cells(trace, 0)[2][0] == "#2 mul(#0, #0)"


def test_a_node_is_shown_with_its_gradient_its_keep_grad_and_what_it_saves():
    A, B = Tensor([[3.0, 7], [2, 5]], name="A"), Tensor([[2.0, 0], [0, 4]], name="B")
    C = A @ B
    C.name, C.keep_grad = "C", True
    z = np.sum(C)
    trace = Trace(z, schedule="propagate", names={z: "z"})
    turn = next(i for i, s in enumerate(trace) if s.act == "visit" and s.y is C.node)
    assert cells(trace, turn)[:2] == [["z", "None", "no", "disconnected, freed"], ["C", "[[1, 1], [1, 1]]", "yes", "saves A, B"]]
    assert cells(trace, len(trace) - 1)[1][2:] == ["yes", "disconnected, freed"]
    assert {row[0]: row[2:] for row in cells(trace, 0)}["A"] == ["yes", "leaf"]
    assert not C.node.released and C.grad is None  # the trace changes nothing


def test_the_page_replays_the_table_of_every_step():
    for schedule in ("tape", "propagate"):
        trace = figure1_trace(schedule)
        data = page_data(trace)
        now = [list(row["cells"]) for row in data["table"]["rows"]]
        for i, step in enumerate(data["steps"]):
            for row, changed in step.get("rows", []):
                assert now[row] != changed, "a step writes a row that it does not change"
                now[row] = changed
            filled = lambda rows: [[bool(text) for text in row] for row in rows]
            assert filled(now) == filled(cells(trace, i)), f"{schedule}, step {i}"
    assert "table" not in page_data(figure1_trace("topological"))

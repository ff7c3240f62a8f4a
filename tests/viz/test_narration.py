"""Sentences about steps: how many entries of a tape are given, which of several edges is meant, how many variables are known."""

import viz
from scalargrad import Trace, Value
from scalargrad.tracing.gathering import steps
from tests.each import each
from tests.viz.graphs import figure1_trace
from tests.viz.loops import changed
from viz.page.page_data import page_data
from viz.text.narration import heading, sentence


def sentences_of(trace, act):
    return [sentence(trace, i) for i, step in enumerate(trace) if step.act == act]


@each(
    "first, begins, passed",
    [(6, "The last entry of the tape has", "x₁, y₁, y₂"), (5, "The last 2 entries of the tape have", "x₁, y₁, y₂, x₄")],
)
def test_a_tape_that_begins_later_says_how_many_entries_are_given(first, begins, passed):
    figure1 = figure1_trace("tape")
    trace = Trace(figure1.graph.z, schedule="tape", names=figure1.names, first=first)
    assert sentences_of(trace, "given") == [f"{begins} passed gradients to {passed}. The loop goes on from there."]
    assert len(trace.graph.variables) - len(sentences_of(trace, "visit")) == 7 - first


def test_a_tape_from_its_end_gives_nothing():
    figure1 = figure1_trace("tape")
    assert not sentences_of(Trace(figure1.graph.z, schedule="tape", names=figure1.names, first=7), "given")


def test_each_of_several_edges_has_its_number():
    x = Value(3, name="x")
    trace = Trace(x * x, names={})
    assert [said.partition("(")[2][:11] for said in sentences_of(trace, "add")] == ["edge 1 of 2", "edge 2 of 2"]
    assert "edge" not in "".join(sentences_of(figure1_trace(), "add"))


def test_a_loop_that_adds_another_number_than_the_product_is_not_said_to_be_right():
    x = Value(3, name="x")
    z = x * 5 * 3
    right, wrong = (Trace(z, names={}, steps=loop) for loop in (steps, changed(steps, lambda s: s._replace(term=s.partial))))
    assert sentences_of(right, "add")[1].split(". ")[1] == "Add dz/dv₁ · ∂v₁/∂x = 3 · 5 = 15"
    assert sentences_of(wrong, "add")[1].split(". ")[1] == "Add 5, not dz/dv₁ · ∂v₁/∂x = 3 · 5"


def test_the_heading_counts_iterations_from_the_start_to_the_end():
    trace = figure1_trace()
    found = list(dict.fromkeys(heading(trace, i) for i in range(len(trace))))
    assert found == ["start", *(f"iteration {k} of 6" for k in range(1, 7)), "end"]


@each("make, said", [(lambda x: x * 2, "each of 2 variables"), (lambda x: x, "the only variable")])
def test_the_end_says_how_many_derivatives_are_known(make, said):
    trace = Trace(make(Value(3, name="x")), names={})
    assert sentences_of(trace, "done")[0].endswith(f"is known for {said}.")


def test_the_pseudocode_names_the_target_if_the_program_has_another_z():
    gate = Value(2.0, name="z")
    loss = gate * gate
    loss.name = "loss"
    lines = [row["text"].strip() for row in page_data(Trace(loss))["listing"]]
    assert lines[0] == "BACKPROPAGATION(Computation graph G, node loss in G):"
    assert {"Let computed = {d loss/d loss : 1}", "d loss/dx += total_y * partial_x"} < set(lines)
    assert "node loss in G" in viz.animate(loss).svg
    z = Value(2.0, name="x") * 3
    assert page_data(Trace(z))["listing"][0]["text"].endswith("node z in G):")

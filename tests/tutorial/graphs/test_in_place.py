"""The tutorial's last algorithm with the printed += : which gradients it spoils, when, and in which order it does not."""

import pytest

from scalargrad import Trace
from tutorial.graphs.in_place import in_place
from tutorial.graphs.matrices import fan_out

ONES = [[1, 1], [1, 1]]


@pytest.fixture
def variables():
    return fan_out()


def trace(variables, order=None, steps=None):
    return Trace(variables["z"], [variables[name] for name in order] if order else None, "propagate", steps=steps)


def differing(variables, right, wrong):
    """Return the names of the variables whose gradients differ."""
    return [name for name in "ABCDEW" if right[variables[name]].number.tolist() != wrong[variables[name]].number.tolist()]


def test_a_contribution_added_in_place_changes_every_gradient_that_is_the_same_array(variables):
    right, wrong = trace(variables), trace(variables, steps=in_place)
    assert wrong.computed[variables["D"]].number.tolist() == wrong.computed[variables["B"]].number.tolist() == [[6, 6], [13, 13]]
    assert right.computed[variables["D"]].number.tolist() == ONES
    assert differing(variables, right.computed, wrong.computed) == ["C", "D"]  # E and W have dropped theirs before


def test_each_step_shows_the_gradients_of_that_moment(variables):
    wrong = trace(variables, steps=in_place)
    (spoiled,) = (i for i, step in enumerate(wrong) if step.act == "add" and (step.x.name, step.y.name) == ("B", "C"))
    assert gradients(wrong[spoiled - 1]) == {"A": [[2, 4], [2, 4]], "B": ONES, "C": ONES, "D": ONES}
    assert gradients(wrong[spoiled])["D"] == gradients(wrong[spoiled])["C"] == [[6, 6], [13, 13]]
    assert wrong[spoiled].known == wrong[spoiled - 1].known + 3  # B and the two that share its array


def gradients(step):
    return {x.name: node.grad.number.tolist() for x, node in step.state["nodes"].items() if node.grad}


def test_in_another_topological_order_the_result_is_right(variables):
    order = ("z", "W", "C", "E", "A", "B", "D")
    right, wrong = trace(variables, order), trace(variables, order, in_place)
    assert not differing(variables, right.computed, wrong.computed)

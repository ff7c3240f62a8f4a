"""The arm of the book, in numbers and in arrays: its derivatives are those of nudges and of a formula, and it moves as chapters say."""

import math

import numpy as np
import pytest

from scalargrad import Graph, Value
from tensorgrad import Tensor
from tests.each import each
from tutorial.graphs import arm, arm_arrays
from tutorial.graphs.arm import Arm, descent


@each("angles", [[0.4], [0.3, 0.3], [1.2, -2.0, 1.0], [0.0, 0.0, 0.0], [0.1] * 7])
def test_the_engines_and_the_formula_and_a_nudge_agree_about_each_joint(angles):
    tensor, cup = Tensor(angles), (-0.4, 1.1)
    arm_arrays.miss(tensor, cup).backward()
    np.testing.assert_allclose(tensor.grad, arm_arrays.slopes(np.array(angles), cup), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(tensor.grad, arm.slopes(angles, cup), rtol=1e-12, atol=1e-13)
    for k, slope in enumerate(tensor.grad):
        there, back = ([angle + (i == k) * h for i, angle in enumerate(angles)] for h in (1e-6, -1e-6))
        assert slope == pytest.approx((arm.miss(there, cup) - arm.miss(back, cup)) / 2e-6, abs=1e-8)
    np.testing.assert_allclose(arm_arrays.points(tensor).data, arm.points(angles), atol=1e-15)


def test_an_arm_of_two_joints_has_a_graph_without_idle_nodes():
    z = arm.miss([Value(0.3), Value(0.3)])
    assert len(Graph(z).variables) == 18 and min(len(edges) for x, edges in Graph(z).children.items() if x is not z) == 1


def test_the_first_training_is_slow_after_its_first_step_and_comes_to_the_cup():
    ways = descent(arm.slopes)
    misses = [arm.miss(angles) for angles in ways]
    assert [f"{z:.2f}" for z in misses[:5]] == ["3.30", "0.56", "0.40", "0.38", "0.37"]
    assert [math.sqrt(z) < 0.001 for z in misses[-2:]] == [False, True] and len(misses) == 102


@each("joints, needed", {60: 67, 1000: 74}.items())
def test_many_joints_need_few_more_steps(joints, needed):
    angles, steps = arm_arrays.start(joints), 0
    while arm_arrays.miss(angles) >= 0.03**2:
        angles, steps = angles - 0.2 / joints * arm_arrays.slopes(angles), steps + 1
    assert steps == needed  # with 60, three runs each for a walk back: 201; by nudging 61 runs each: 4,087. With 100,000: 74


def test_the_base_of_an_arm_on_a_rail_feels_all_pulls_together():
    P, b = arm_arrays.points(np.array([0, 1, -1]) * np.pi / 2), Tensor([0.0, 0.0])
    np.testing.assert_allclose(P, [[1, 0], [1, 1], [2, 1]], atol=1e-15)
    places = P - np.array([[1, 0], [2, -1], [3, 1]])
    Y = P + b
    Y.keep_grad = True
    z = ((Y - places) ** 2).sum()
    z.backward()
    assert Y.grad.tolist() == pytest.approx(np.array([[2, 0], [4, -2], [6, 2]])) and b.grad.tolist() == pytest.approx([12, 0])
    assert ((P + [-0.1, 0] - places) ** 2).sum() - z.data == pytest.approx(-1.17)


def test_the_picture_has_the_arm_where_the_hand_is_and_at_most_twelve_arms_of_before():
    ways = descent(arm.slopes, steps=30)
    picture = Arm(ways[-1], trail=ways)._repr_html_()
    x, y = arm.points(ways[-1])[-1]
    assert f'cx="{x:.3f}" cy="{-y:.3f}" r="0.1"' in picture and 6 <= picture.count("<polyline") - 1 <= 12
    two = [Arm(angles)._repr_html_() for angles in ([Value(0.3), Value(0.3)], [0.3, 0.3], np.array([0.3, 0.3]))]
    assert two[0] == two[1] == two[2] != Arm([0.3, 0.2])._repr_html_()
    assert repr(Arm([0.3])) == "<an arm with 1 joint, whose hand misses the cup by 2.17>"

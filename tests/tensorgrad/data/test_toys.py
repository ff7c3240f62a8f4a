"""Toy data: where the points lie, what the seed decides."""

import math
import random
import re

import numpy as np
import pytest

from scalargrad.moons import two_moons
from tensorgrad.data import circles, moons, spirals
from tests.each import each


def test_moons_are_those_of_the_graph_of_numbers():
    points, sides = two_moons(50, random.Random(7))
    data = moons(50, seed=7)
    np.testing.assert_array_equal(data.arrays[0], np.array(points, dtype=np.float32))
    assert [1 - 2 * label for label in data.arrays[1].tolist()] == sides and data.classes == ("upper", "lower")


def test_without_noise_each_point_is_on_its_curve():
    points, labels = moons(100, noise=0).arrays
    np.testing.assert_allclose(np.hypot(*(points - np.where(labels[:, None], (1, 0.5), (0, 0))).T), 1, rtol=1e-6)
    points, labels = circles(100, noise=0, factor=0.3).arrays
    np.testing.assert_allclose(np.hypot(*points.T), np.where(labels, 0.3, 1), rtol=1e-6)
    points, labels = spirals(100, arms=3, turns=2, noise=0).arrays
    radius, angle = np.hypot(*points.T), np.arctan2(*points.T[::-1])
    turned = (angle / (2 * math.pi) - 2 * radius - labels / 3 + 0.5) % 1 - 0.5
    np.testing.assert_allclose(turned, 0, atol=1e-5)
    assert radius.max() <= 1


@each("toy", [moons, circles, spirals])
def test_the_seed_decides_the_points_and_the_classes_are_equally_large(toy):
    first, same, other = toy(60, seed=2), toy(60, seed=2), toy(60, seed=3)
    assert first.arrays[0].tobytes() == same.arrays[0].tobytes() != other.arrays[0].tobytes()
    assert np.bincount(first.arrays[1]).tolist() == [30, 30]
    assert first.arrays[0].dtype == np.float32 and first.arrays[1].dtype == np.int64


@each(
    "call, message",
    [
        (lambda: moons(0), "moons: count=0 is out of range; it must be 1 or more"),
        (lambda: circles(10, noise=-1), "circles: noise=-1 is out of range; it must be 0 or more"),
        (lambda: circles(10, noise=math.nan), "circles: noise=nan is out of range; it must be 0 or more"),
        (lambda: circles(10, factor=2), "circles: factor=2 is out of range; it must be from 0 to 1"),
        (lambda: moons(10, seed="1"), "moons: seed='1' is not an integer"),
        (lambda: circles(10, seed=-1), "circles: seed=-1 is out of range; it must be 0 or more"),
        (lambda: spirals(10, arms=1.5), "spirals: arms=1.5 is not an integer"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_wrong_call_says_what_to_do(call, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        call()

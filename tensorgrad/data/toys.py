"""Toy data: points of the plane in classes that no straight line divides. Two moons, circles, spirals."""

import random

import numpy as np

from scalargrad.messages.errors import must_be_integers, number
from scalargrad.moons import NOISE, two_moons
from tensorgrad.data.dataset import ArrayDataset


def moons(count: int = 1000, noise: float = NOISE, seed: int = 0) -> ArrayDataset:
    """Return points on two half circles that reach into each other: class 0 on the upper, class 1 on the lower.

    Points have shape (count, 2) and dtype float32; labels are integers. `noise` is the standard deviation of each coordinate; the
    moons have radius 1. `python -m tutorial train moons --seed SEED` trains on moons(1000, seed=SEED).

    >>> points, labels = moons(4, noise=0.0, seed=1).arrays
    >>> labels.tolist(), np.hypot(*points[0]).round(4)
    ([0, 1, 0, 1], np.float32(1.0))
    """
    must_be_integers("moons", 1, count=count)
    must_be_integers("moons", 0, seed=seed)
    number("moons", "noise", noise, 0)
    points, sides = two_moons(count, random.Random(seed), noise)
    return labelled(points, (1 - np.array(sides)) // 2, "upper", "lower")


def circles(count: int = 1000, noise: float = NOISE, factor: float = 0.5, seed: int = 0) -> ArrayDataset:
    """Return points on two circles around the origin: class 0 of radius 1, class 1 of radius `factor`.

    Points have shape (count, 2) and dtype float32; labels are integers.

    >>> points, labels = circles(4, noise=0.0).arrays
    >>> labels.tolist(), np.hypot(*points.T).round(4).tolist()
    ([0, 1, 0, 1], [1.0, 0.5, 1.0, 0.5])
    """
    must_be_integers("circles", 1, count=count)
    must_be_integers("circles", 0, seed=seed)
    number("circles", "noise", noise, 0)
    number("circles", "factor", factor, 0, 1)
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % 2
    return labelled(around(np.where(labels, factor, 1.0), rng.uniform(0, 2 * np.pi, count), noise, rng), labels, "outer", "inner")


def spirals(count: int = 1000, arms: int = 2, turns: float = 1.0, noise: float = 0.02, seed: int = 0) -> ArrayDataset:
    """Return points on spirals that start at the origin: class k on arm k, which is arm 0 turned by k/arms of a full turn.

    The radius of a point, at most 1, grows evenly with its angle. Points have shape (count, 2) and dtype float32; labels are integers.

    >>> points, labels = spirals(6, arms=3, noise=0.0).arrays
    >>> labels.tolist(), bool((np.hypot(*points.T) <= 1).all())
    ([0, 1, 2, 0, 1, 2], True)
    """
    must_be_integers("spirals", 1, count=count, arms=arms)
    must_be_integers("spirals", 0, seed=seed)
    number("spirals", "noise", noise, 0)
    number("spirals", "turns", turns, 0)
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % arms
    radius = rng.uniform(0, 1, count)
    points = around(radius, 2 * np.pi * (turns * radius + labels / arms), noise, rng)
    return labelled(points, labels, *(f"arm {k}" for k in range(arms)))


def around(radius, angle, noise, rng):
    """Return points at these polar coordinates, each coordinate with normal noise."""
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points + rng.normal(0, noise, points.shape)


def labelled(points, labels, *classes):
    return ArrayDataset(np.asarray(points, dtype=np.float32), np.asarray(labels, dtype=np.int64), classes=classes)

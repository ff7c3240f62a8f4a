"""Two moons: points of the plane in two classes that no straight line divides, a task for small networks."""

import math

NOISE = 0.1  # standard deviation of each coordinate; the moons have radius 1


def two_moons(count, rng, noise=NOISE):
    """Return `count` points, each a list [x1, x2], and the side of each: +1 on the upper moon, -1 on the lower.

    `rng` is Python's module `random`, or a random.Random.

    >>> import random; points, sides = two_moons(100, random.Random(1)); len(points), sum(sides)
    (100, 0)
    """
    points, sides = [], []
    for i in range(count):
        angle, side = rng.uniform(0, math.pi), 1 if i % 2 == 0 else -1
        x1, x2 = math.cos(angle), math.sin(angle)
        if side < 0:
            x1, x2 = 1 - x1, 0.5 - x2
        points.append([x1 + rng.gauss(0, noise), x2 + rng.gauss(0, noise)])
        sides.append(side)
    return points, sides

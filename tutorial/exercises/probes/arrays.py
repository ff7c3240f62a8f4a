"""Arrays for probes: random integers, different from 0 and mostly different from each other, as floats."""

import numpy as np


def integers(random, *shape, low=-9, high=9) -> np.ndarray:
    """Return an array of this shape with random integers from low to high, without 0, as floats.

    Sums and products of them are exact. `random` is a random.Random.

    >>> from random import Random
    >>> integers(Random(0), 2, 2).tolist()
    [[4.0, 5.0], [-8.0, -1.0]]
    """
    numbers = [n for n in range(low, high + 1) if n]
    return np.array([float(random.choice(numbers)) for _ in range(int(np.prod(shape)))]).reshape(shape)

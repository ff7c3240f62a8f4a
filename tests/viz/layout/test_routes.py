"""Lines go from knot to knot without a spike: no curve goes beyond the ends of its chord."""

import random
from math import inf

from viz.layout.places import Lane
from viz.layout.routes import smooth

ROUNDING = 1e-6


def heights(a, b, c, d):
    weights = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in (k / 20 for k in range(21))]
    return [u * a + v * b + w * c + x * d for u, v, w, x in weights]


def test_no_curve_goes_beyond_the_knots_between_which_it_leads():
    dice, free = random.Random(2), Lane(-inf, inf, 0, -inf, inf)
    for _ in range(200):
        knots = [(0.0, 0.0)]
        for _ in range(dice.randint(1, 4)):  # short steep ways beside long flat ones
            (x, y), wide = knots[-1], dice.choice((8, 20, 150))
            knots.append((x + wide, y + dice.choice((-1, 1)) * dice.choice((0, 5, 100))))
        points = [knots[0]]
        smooth(points, knots, (None, None), [free], {})
        for k in range(len(knots) - 1):
            ys = heights(*(y for _, y in points[3 * k : 3 * k + 4]))
            (_, y), (_, other) = knots[k : k + 2]
            assert min(y, other) - ROUNDING <= min(ys) and max(ys) <= max(y, other) + ROUNDING, knots

"""How a function of arrays changes along a direction: central differences, with the slopes of both sides where it has a kink."""

import numpy as np

STEP, SMALLEST, LARGEST = 1e-3, 1e-6, 1e-2  # of an entry: relative to it, but within these bounds
LEAST = np.finfo(float).tiny  # below it floats have fewer digits, down to none
CLOSER = 1e-2  # where a kink lies nearby, a second look is taken from so much closer


def steps(x, eps=None):
    """How far to move each entry of x, by `eps` if it is given; an infinite one stays where it is."""
    if eps is not None:
        return np.where(np.isfinite(x), eps, 0.0)
    return np.where(np.isfinite(x), np.maximum(np.clip(STEP * np.abs(x), SMALLEST, LARGEST), SMALLEST * np.abs(x)), 0.0)


def minus(a, b):
    """a - b, where inf - inf is 0: what is infinite all along does not change."""
    return np.where(a == b, 0.0, a - b)


class Slope:
    """The slope of G · f at x along v, where f gives an array: `value` (∂y/∂v for each entry of y), `expected`, and what is allowed.

    The differences are extrapolated to step 0 (Richardson). At a kink of an entry of y any slope between those of its two
    sides is allowed; where f has no value on one side, or jumps, anything is.
    """

    def __init__(self, f, x, v, G):
        moved = [np.asarray(at) for at in (x, x - v, x - v / 2, x + v / 2, x + v)]
        here, far_left, left, right, far_right = [np.asarray(f(at), dtype=float) for at in moved]
        wide, narrow = minus(far_right, far_left) / 2, minus(right, left)
        self.value = (4 * narrow - wide) / 3
        rounding = np.where(np.isfinite(here), 1e-15 * (np.abs(here) + np.abs(far_left) + np.abs(far_right)), 0.0)
        sides = 2 * np.stack([minus(here, left), minus(right, here)])
        wide_bend = np.abs(minus(far_right, here) - minus(here, far_left))
        narrow_bend = np.abs(sides[1] - sides[0])
        kink = (narrow_bend > 0.75 * wide_bend) & (narrow_bend > 1e-3 * np.abs(sides).max(axis=0))  # does not shrink with the step
        jump = (np.abs(narrow) > 1.9 * np.abs(wide)) & (np.abs(narrow) > 100 * rounding)  # grows as the step shrinks
        self.known = bool(np.isfinite(self.value).all() and not jump.any())
        bounds = np.where(kink, np.stack([G * sides.min(axis=0), G * sides.max(axis=0)]), G * self.value)
        self.least, self.most = bounds.min(axis=0).sum(), bounds.max(axis=0).sum()
        self.expected = (G * self.value).sum()
        self.terms = np.abs(G * self.value).sum()
        self.noise = (np.abs(G) * (np.abs(narrow - wide) / 10 + rounding + LEAST)).sum()

    def allows(self, got, tolerance, floor=0.0):
        """Whether `got` is such a slope, up to `tolerance` of it, the noise of the differences, and `floor`."""
        slack = tolerance * max(abs(got), self.terms) + self.noise + floor
        return not self.known or bool(self.least - slack <= got <= self.most + slack)

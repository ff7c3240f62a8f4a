"""Cases for dtypes."""

import numpy as np

from tensorgrad import astype
from tensorgrad.public import identity
from tests.tensorgrad.case import Case


def eighths(a):
    return np.round(a * 8) / 8


class InEighths(Case):
    """A case whose numbers are the same in float32 and in float64."""

    def __init__(self, *shapes, label=""):
        super().__init__(astype, *shapes, domain=eighths, smooth=False, label=label, dtype=np.float32)

    def weights(self, shape):
        return eighths(super().weights(shape))


CASES = [
    *[InEighths((2, 3)), InEighths((), label="0d"), InEighths((0, 2), label="empty")],
    *[Case(identity, s) for s in [(2, 3), (), (0, 2)]],
]

"""Return an array of objects."""
# title: The answer is not a plain value

import numpy as np


def figure1(x1, x2, x3, x4):
    return np.array([print], dtype=object)

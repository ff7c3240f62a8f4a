"""Return an array of 10¹² entries that takes no memory."""
# title: The answer is not a plain value

import numpy as np


def figure1(x1, x2, x3, x4):
    return np.broadcast_to(1.0, (10**6, 10**6))

"""Nudge the inputs, and derive nothing."""
# title: .* is wrong

H = 1e-6


def z(x1, x2, x3, x4):
    return x1 * (x1 + x2 + x3 + x4) + x4 * x4


def figure1(*x):
    nudged = [(z(*(v + H * (k == at) for k, v in enumerate(x))) - z(*x)) / H for at in range(4)]
    return {"y1": x[0], "y2": 1, **dict(zip(("x1", "x2", "x3", "x4"), nudged))}

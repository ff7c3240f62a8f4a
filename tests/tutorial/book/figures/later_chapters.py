"""The numbers of the figures from chapter 14 on, from the engines and NumPy: {figure: a function of the figure's state}."""

import numpy as np


def float_grid(format, size, offset, h, times, **window):
    number = np.dtype(format).type
    x = total = number(2**size + offset)
    for _ in range(times):
        total += number(h)
    moved = float(total) - float(x)
    return dict(x=x, gap=np.spacing(x), sum=total, moved=moved, ratio=moved / (times * h))


NUMBERS = {f.__name__: f for f in (float_grid,)}

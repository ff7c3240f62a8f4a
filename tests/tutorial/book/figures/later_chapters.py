"""The numbers of the figures from chapter 14 on, from the engines and NumPy: {figure: a function of the figure's state}."""

import numpy as np

from tensorgrad import Tensor, checkpoint, memory


def float_grid(format, size, offset, h, times, **window):
    number = np.dtype(format).type
    x = total = number(2**size + offset)
    for _ in range(times):
        total += number(h)
    moved = float(total) - float(x)
    return dict(x=x, gap=np.spacing(x), sum=total, moved=moved, ratio=moved / (times * h))


def saved_arrays(segments, turn):
    """The peak of the engine's report: of all layers, or of a segment's layers beside the inputs of the other segments."""
    x, runs = Tensor(np.ones((8, 8)), name="x"), []

    def layers(x, count):
        for _ in range(count):
            runs.append(x)
            x = np.tanh(x)
        return x

    def peak(z):
        return memory(z).lifetimes().peak // x.data.nbytes - 1  # without x, which the program holds

    if not segments:
        return dict(peak=peak(layers(x, 16).sum()), runs=len(runs))
    y, inputs, size = x, [], 16 // segments
    for _ in range(segments):
        inputs.append(y)
        y = checkpoint(layers, y, size)
    y.sum().backward()
    kept = [y for y in inputs if y is not x]
    return dict(runs=len(runs), peak=len(kept) + peak(layers(x, size).sum()))


NUMBERS = {f.__name__: f for f in (float_grid, saved_arrays)}

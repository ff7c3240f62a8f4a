"""Sums, means and moved entries

Write four backward functions. `G` is the upstream gradient, a NumPy array. Each function returns an array of the shape of $X$.

- `sum_backward(G, shape, axis, keepdims)` for `Y = X.sum(axis, keepdims=keepdims)`, where $X$ has the shape `shape`
- `mean_backward(G, shape, axis, keepdims)` for `Y = X.mean(axis, keepdims=keepdims)`
- `reshape_backward(G, shape)` for `Y = X.reshape(...)`, where $X$ has the shape `shape`
- `transpose_backward(G, axes)` for `Y = X.transpose(axes)`

`axis` is one integer, and may be negative. For `G = np.array([1, 2])`, `sum_backward(G, (2, 3), 1, False)` is `[[1, 1, 1], [2, 2, 2]]`.
"""

# meta: unit=D minutes=12 difficulty=2 chapter=backward-functions call=call
import numpy as np


def sum_backward(G, shape, axis, keepdims):
    # BEGIN SOLUTION
    if not keepdims:
        # ~ axis-twice M12: if True:
        G = np.expand_dims(G, axis)
        # ~ axis-lost M12: pass
        # ~ axis-at-end M12: G = np.expand_dims(G, -1)
        # ~ axis-absolute M12: G = np.expand_dims(G, abs(axis))
        # ~ always-axis-1 M12: G = np.expand_dims(G, 1)
    # ~ sum-by-resize M12: return np.resize(G, shape)
    # ~ sum-at-0 M12: return np.broadcast_to(G.ravel()[0], shape)
    return np.broadcast_to(G, shape)
    # ~ sum-ignores-upstream M05: return np.ones(shape)
    # ~ not-repeated M12: return G
    # ~ sum-divided M11: return np.broadcast_to(G / shape[axis], shape)
    # ~ sum-times-length M67: return np.broadcast_to(G * shape[axis], shape)
    # ~ sum-total M02: return np.broadcast_to(G.sum(), shape)
    # END SOLUTION


def mean_backward(G, shape, axis, keepdims):
    # BEGIN SOLUTION
    return sum_backward(G, shape, axis, keepdims) / shape[axis]
    # ~ mean-of-one M67: return sum_backward(G, shape, axis, keepdims)
    # ~ divided-by-all M74: return sum_backward(G, shape, axis, keepdims) / np.prod(shape)
    # ~ divided-by-size-of-G M74: return sum_backward(G, shape, axis, keepdims) / G.size
    # ~ divided-by-axis-0 M74: return sum_backward(G, shape, axis, keepdims) / shape[0]
    # ~ divided-by-last M74: return sum_backward(G, shape, axis, keepdims) / shape[-1]
    # ~ divided-by-number-of-axes M74: return sum_backward(G, shape, axis, keepdims) / len(shape)
    # ~ divided-by-axis M74: return sum_backward(G, shape, axis, keepdims) / (abs(axis) + 1)
    # ~ mean-times M70: return sum_backward(G, shape, axis, keepdims) * shape[axis]
    # ~ divided-by-length-of-G M74: return sum_backward(G, shape, axis, keepdims) / len(G)
    # ~ mean-ignores-upstream M05: return np.ones(shape) / shape[axis]
    # END SOLUTION


def reshape_backward(G, shape):
    # BEGIN SOLUTION
    return G.reshape(shape)
    # ~ reshape-ignores-upstream M05: return np.ones(shape)
    # ~ reshape-by-transpose M12: return G.T.reshape(shape)
    # ~ reshape-by-columns M12: return G.reshape(shape, order="F")
    # ~ reshape-nothing M12: return G
    # ~ reshape-resized M12: return np.zeros(shape) + G.ravel()[0]
    # END SOLUTION


def transpose_backward(G, axes):
    # BEGIN SOLUTION
    return G.transpose(np.argsort(axes))
    # ~ same-order M73: return G.transpose(axes)
    # ~ all-reversed M73: return G.T
    # ~ axes-reversed M73: return G.transpose(tuple(axes)[::-1])
    # ~ axes-mirrored M73: return G.transpose([len(axes) - 1 - k for k in axes])
    # ~ twice-the-order M73: return G.transpose(axes).transpose(axes)
    # ~ transpose-nothing M12: return G
    # ~ last-two M73: return np.swapaxes(G, -1, -2)
    # ~ transpose-ignores-upstream M05: return np.ones(G.transpose(np.argsort(axes)).shape)
    # ~ transpose-by-reshape M12: return G.reshape([G.shape[list(axes).index(k)] for k in range(G.ndim)])
    # END SOLUTION


# FRAME
def call(name, *arguments):
    return {name: globals()[name](*arguments)}


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.calls import called
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "For each function ask: which entries of Y are the children of one entry of X, and what are the partial derivatives?",
    "A sum repeats its upstream gradient along the axis that it removed. First put this axis back, with the length 1. "
    "reshape and transpose compute nothing, so the backward function moves the entries back.",
    "np.expand_dims puts an axis back, and np.broadcast_to repeats. A mean is a sum divided by the length of the axis. "
    "If axes[k] says which axis of X became axis k, then np.argsort of axes puts the axes in order again.",
)
PREDICT = (
    "X has the shape (2, 5), and Y = X.mean(1). Both upstream derivatives are 10. What is dz/dx for each entry x of X?",
    2,
    {
        5: "A mean over axis 1 has the 5 entries of a row. You divided by the 2 of a column.",
        10: "That is what a sum passes on. A mean divides by the number of its entries.",
        1: "You divided by all 10 entries. The mean has those of a row.",
    },
)
SEEN = "{what}, the shape {shape} and G = {G}, you gave {got}. Expected was {expected}. "
SAID = {
    "axis-twice": "{what}, the shape {shape} and G = {G}, there was an error. G has kept the axis, and you put in another one.",
    "axis-lost": SEEN + "The sum removed an axis. NumPy puts a missing axis in front: for a square X you see no error, and the sums "
    "go to the columns.",
    "axis-at-end": SEEN + "You put the axis back at the end. The sum removed axis {axis}.",
    "not-repeated": SEEN + "Each of the entries of X that were added up has a derivative of its own: repeat G along the axis.",
    "sum-divided": SEEN + "You divided by the length of the axis. A nudge of one entry moves the sum by the whole nudge.",
    "mean-of-one": SEEN + "That is the rule of a sum. A nudge of one entry moves the mean of {length} entries by 1/{length} of the nudge.",
    "divided-by-all": SEEN + "You divided by the number of all entries. Each mean is one of {length} entries.",
    "divided-by-size-of-G": SEEN + "You divided by the number of means. Each mean is one of {length} entries.",
    "sum-ignores-upstream mean-ignores-upstream reshape-ignores-upstream transpose-ignores-upstream": SEEN
    + "You took 1 for each entry of the upstream gradient.",
    "reshape-by-transpose": SEEN + "reshape keeps the entries in their order, row by row. You exchanged rows and columns on the way.",
    "same-order": SEEN + "You applied the same order of axes again. Two exchanged axes come back so, but three that move on do not.",
    "all-reversed": SEEN + "You reversed all axes. The function moved them in the order {axes}.",
    "axis-absolute": SEEN + "You took the axis without its sign. A negative axis counts from the end: −1 is the last one.",
    "always-axis-1": SEEN + "You put the axis back at 1. The sum removed axis {axis}.",
    "sum-by-resize": SEEN + "You filled the shape with the entries in their order. Each entry of G belongs to one line along axis {axis}.",
    "sum-at-0 reshape-resized": SEEN + "You repeated the first entry of G everywhere.",
    "sum-times-length": SEEN + "You multiplied by the length of the axis. A nudge of one entry moves the sum by the whole nudge.",
    "sum-total": SEEN + "You added up G. Each entry of X moves one sum alone.",
    "divided-by-axis-0": SEEN + "You divided by the length of axis 0. Each mean is one of {length} entries, the length of axis {axis}.",
    "divided-by-last": SEEN
    + "You divided by the length of the last axis. Each mean is one of {length} entries, the length of axis {axis}.",
    "divided-by-number-of-axes": SEEN + "You divided by the number of axes. Each mean is one of {length} entries.",
    "divided-by-axis": SEEN + "You divided by a number made of the axis itself. Each mean is one of {length} entries.",
    "mean-times": SEEN + "You multiplied by the length of the axis. A nudge of one entry moves the mean by 1/{length} of the nudge.",
    "divided-by-length-of-G": SEEN + "You divided by the length of G. Each mean is one of {length} entries, the length of axis {axis}.",
    "reshape-by-columns": SEEN + "You went through the entries column by column. reshape keeps them in their order, row by row.",
    "reshape-nothing": SEEN + "You returned G as it is. It has the shape of Y, not that of X.",
    "axes-reversed": SEEN + "You reversed the order of the axes. The inverse order puts each axis back to where it was.",
    "axes-mirrored": SEEN + "You counted the axes from the other end. The inverse order puts each axis back to where it was.",
    "twice-the-order": SEEN + "You applied the order of axes twice. That is the inverse only if three axes move on.",
    "transpose-nothing": SEEN + "You returned G as it is. Its axes are in the order of Y.",
    "last-two": SEEN + "You exchanged the last two axes. The function moved them in the order {axes}.",
    "transpose-by-reshape": SEEN + "The shape is right. But reshape keeps the entries in their order, and transpose moves them.",
}
ASKED = {
    **dict.fromkeys(SAID, "Take one entry of X: which entry of Y does it move, and by how much?"),
    "axis-twice axis-lost axis-at-end": "{what}, which shape has G, and which axis is missing in it?",
    "same-order all-reversed transpose-by-reshape reshape-by-transpose": "Mark one entry of X. Where is it in Y, and which way leads back?",
}


def probes(random):
    """Yield sums and means over each axis of square and other arrays, reshaped arrays, and arrays with axes in another order."""
    for name in ("sum", "mean"):
        for shape, axis in (((2, 2), 0), ((2, 2), 1), ((2, 3), 0), ((2, 3), -1), ((3, 3, 3), 1), ((2, 3, 4), 1), ((2, 3, 4), -3)):
            for keepdims in (False, True):
                yield reduction(name, shape, axis, keepdims, random)
    for shape, new in (((2, 2), (4,)), ((2, 3), (3, 2)), ((2, 3), (2, 3)), ((2, 2, 3), (4, 3)), ((6,), (3, 2))):
        G = integers(random, *new)
        yield probe(f"For Y = X.reshape({written_shape(new)})", ("reshape_backward", G, shape), G, shape)
    for shape, axes in (
        ((2, 2), (1, 0)),
        ((2, 3), (1, 0)),
        ((2, 3), (0, 1)),
        ((2, 2, 2), (1, 2, 0)),
        ((2, 3, 4), (2, 0, 1)),
        ((2, 3, 4), (1, 0, 2)),
    ):
        G = integers(random, *(shape[k] for k in axes))
        yield probe(f"For Y = X.transpose({axes})", ("transpose_backward", G, axes), G, shape, axes=axes)


def reduction(name, shape, axis, keepdims, random):
    G = integers(random, *shape).sum(axis, keepdims=keepdims)
    what = f"For Y = X.{name}({axis}{', keepdims=True' * keepdims})"
    return probe(what, (f"{name}_backward", G, shape, axis, keepdims), G, shape, axis=axis, length=shape[axis])


def probe(what, arguments, G, shape, **facts):
    return Probe(arguments, {"what": what, "G": G, "shape": shape, **facts}, about=what, shown=called(*arguments))


def written_shape(shape):
    return ", ".join(map(str, shape))

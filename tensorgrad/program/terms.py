"""Terms of a program: sums of products over entries that strides name. Each array lies row by row."""

from math import prod

import numpy as np


def term(sizes, factor, a, steps, a_steps, b=None, b_steps=None, at=(0, 0, 0)):
    """Return the term that adds factor · a[…] · b[…] to y[…], for all indices below `sizes`; `steps` are the strides of y.

    `at` are the first entries of y, a and b. An axis along which y has the stride 0 is summed over.
    """
    sizes, strides = merged(sizes, [steps, a_steps, *([b_steps] if b is not None else [])])
    longest = max(range(len(sizes)), key=sizes.__getitem__)  # the innermost loop
    sizes, *strides = [[*row[:longest], *row[longest + 1 :], row[longest]] for row in (sizes, *strides)]
    found = {"sizes": sizes, "y": strides[0], "a": [a, at[1], strides[1]], "at": at[0], "by": factor}
    return found | ({"b": [b, at[2], strides[2]]} if b is not None else {})


def merged(sizes, strides):
    """Return sizes and strides with fewer axes: without those of length 1, and with neighbours joined where all strides allow it."""
    axes = [(n, [int(s[i]) for s in strides]) for i, n in enumerate(sizes) if n != 1]
    found: list = []
    for n, steps in axes:
        if found and all(outer == n * inner for outer, inner in zip(found[-1][1], steps)):
            found[-1] = (found[-1][0] * n, steps)
        else:
            found.append((n, steps))
    found = found or [(1, [0] * len(strides))]
    return [int(n) for n, _ in found], [[steps[k] for _, steps in found] for k in range(len(strides))]


def row_strides(shape):
    """Return how far apart neighbours along each axis lie, in an array that lies row by row."""
    return [prod(shape[i + 1 :]) for i in range(len(shape))]


def broadcast_strides(shape, to):
    """Return the strides of an array that is repeated to the shape `to`."""
    missing = len(to) - len(shape)
    return [0] * missing + [0 if n == 1 else step for n, step in zip(shape, row_strides(shape))]


def strides_of(index):
    """Return (first, strides) if an array of numbers is first + Σ i · stride with integer strides; else None."""
    if index.size == 0:
        return None
    first = int(index.flat[0])
    steps = [int(index[(0,) * a + (1,) + (0,) * (index.ndim - a - 1)]) - first if n > 1 else 0 for a, n in enumerate(index.shape)]
    expected = np.full(index.shape, first)
    for axis, (n, step) in enumerate(zip(index.shape, steps)):
        expected = expected + (np.arange(n) * step).reshape([n if a == axis else 1 for a in range(index.ndim)])
    return (first, steps) if first >= 0 and (expected == index).all() else None


def product_of_labels(program, out, labels, operands):
    """Add y[labels] = Σ a[…] b[…] over the letters that are not in the output. `operands` are [(place, shape, letters)]."""
    lengths = lengths_of(operands)
    order = [*labels, *(letter for letter in lengths if letter not in labels)]
    sizes = [lengths[letter] for letter in order]

    def strides(letters, shape):
        steps = dict.fromkeys(order, 0)
        for letter, n, step in zip(letters, shape, row_strides(shape)):
            steps[letter] += step * (n > 1)
        return [steps[letter] for letter in order]

    y = strides(labels, [lengths[letter] for letter in labels])
    (a, a_shape, a_letters), *rest = operands
    b, b_shape, b_letters = rest[0] if rest else (None, (), "")
    return term(sizes, 1.0, a, y, strides(a_letters, a_shape), b, strides(b_letters, b_shape) if rest else None)


def lengths_of(operands):
    """Return {letter: the length of its axes}. An axis of length 1 is repeated."""
    found: dict = {}
    for _, shape, letters in operands:
        for letter, n in zip(letters, shape):
            found[letter] = max(n, found.get(letter, 1))
    return found


def bias_term(bias, shape, axis):
    """Return the term that adds a bias along an axis."""
    return term(shape, 1, bias[0], row_strides(shape), [int(a == axis % len(shape)) for a in range(len(shape))])

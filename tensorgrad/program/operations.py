"""Functions of tensors that are one operation of a program, or a few: matrix products, sums, convolutions, windows.

Each gets the program, the place of its result, the shape of that, its arguments as (place, shape), and its options.
"""

from math import prod

import numpy as np

from tensorgrad.arrays.axes import axes_of
from tensorgrad.arrays.windows import Window
from tensorgrad.program.terms import bias_term, broadcast_strides, lengths_of, merged, product_of_labels, row_strides, term


class NoProgram(ValueError):
    """A page cannot compute this graph; the message says why, in a sentence for the page."""


def linear(program, out, shape, x, W, b=None):
    rows, (outputs, inputs) = prod(x[1][:-1]), W[1]
    terms = [term([rows, outputs, inputs], 1, x[0], [outputs, 1, 0], [inputs, 0, 1], W[0], [0, inputs, 1])]
    program.add("terms", out, terms=terms + ([] if b is None else [bias_term(b, shape, -1)]))


def matrix_product(program, out, shape, A, B):
    (n, k), m = A[1][-2:], B[1][-1]
    stack = shape[:-2]
    left, right = [[*broadcast_strides(x[1][:-2], stack)] for x in (A, B)]
    left, right = [[s * size for s in steps] for steps, size in ((left, n * k), (right, k * m))]
    steps = [s * n * m for s in row_strides(stack)]
    sizes = [*stack, n, m, k]
    program.add("terms", out, terms=[term(sizes, 1, A[0], [*steps, m, 1, 0], [*left, k, 0, 1], B[0], [*right, 0, 1, m])])


def einsum(program, out, shape, *xs, subscripts, optimize=None):
    given, labels = subscripts.replace(" ", "").split("->")
    operands = [(place, s, letters) for (place, s), letters in zip(xs, given.split(","))]
    while len(operands) > 2:  # keep all letters of the first two
        lengths = lengths_of(operands[:2])
        between = program.new(prod(lengths.values()))
        program.add("terms", between, terms=[product_of_labels(program, between, list(lengths), operands[:2])])
        operands = [(between, tuple(lengths.values()), "".join(lengths)), *operands[2:]]
    program.add("terms", out, terms=[product_of_labels(program, out, list(labels), operands)])


def total(program, out, shape, x, axis=None, keepdims=False, factor=1.0):
    place, given = x
    axes = axes_of("sum", axis, given)
    kept = [a for a in range(len(given)) if a not in axes]
    order, steps = [*kept, *axes], row_strides(given)
    y = [*row_strides([given[a] for a in kept]), *[0] * len(axes)]
    program.add("terms", out, terms=[term([given[a] for a in order], factor, place, y, [steps[a] for a in order])])


def mean(program, out, shape, x, axis=None, keepdims=False):
    total(program, out, shape, x, axis, factor=1 / prod([x[1][a] for a in axes_of("mean", axis, x[1])]))


def extreme(sign):
    def lowered(program, out, shape, x, axis=None, keepdims=False):
        place, given = x
        axes, steps = axes_of("max", axis, given), row_strides(given)
        outer, inner = [a for a in range(len(given)) if a not in axes], list(axes)
        add_extreme(program, out, place, sign, *[[[given[a] for a in chosen], [steps[a] for a in chosen]] for chosen in (outer, inner)])

    return lowered


def add_extreme(program, out, place, sign, outer, inner):
    fields = {}
    for key, (sizes, steps) in (("outer", outer), ("inner", inner)):
        sizes, (steps,) = merged(sizes, [steps])
        fields[key] = {"sizes": sizes, "x": steps}
    program.add("extreme", out, x=place, sign=sign, **fields)


def with_padding(program, x, window, fill=0.0):
    """Return (place, shape) of x with entries `fill` around its last axes."""
    place, shape = x
    if not any(n for pair in window.padding for n in pair):
        return x
    front = len(shape) - len(window.padding)
    sides = [(0, 0)] * front + list(window.padding)
    wide = tuple([n + a + b for n, (a, b) in zip(shape, sides)])
    index = np.full(wide, -1)
    from_, to = zip(*[(max(a, 0), n + a + min(b, 0)) for n, (a, b) in zip(shape, sides)])
    cut = tuple([slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(shape, sides)])
    index[tuple(map(slice, from_, to))] = np.arange(prod(shape)).reshape(shape)[cut]
    out = program.new(prod(wide))
    if fill or min(n for pair in sides for n in pair) < 0:
        program.gathered(index, [place], out, fill)
    else:
        start = sum(a * step for (a, _), step in zip(sides, row_strides(wide)))
        program.add("terms", out, terms=[term(shape, 1, place, row_strides(wide), row_strides(shape), at=(start, 0, 0))])
    return out, wide


def convolution_term(x, weight, y, window, groups, out_of):
    """Return the term that joins a padded x (n, c, *q), a kernel (o, c, *k) and y (n, o, *p); `out_of` says which it computes."""
    (x_place, xs), (w_place, ws), (y_place, ys) = x, weight, y
    n, o, c, d = xs[0], ws[0] // groups, ws[1], len(window.kernel)
    X, W, Y = row_strides(xs), row_strides(ws), row_strides(ys)
    p, k = ys[2:], ws[2:]
    sizes = [n, groups, o, *p, c, *k]
    x_steps = [X[0], c * X[1], 0, *[s * t for s, t in zip(X[2:], window.stride)], X[1], *[s * t for s, t in zip(X[2:], window.dilation)]]
    w_steps = [0, o * W[0], W[0], *[0] * d, W[1], *W[2:]]
    y_steps = [Y[0], o * Y[1], Y[1], *Y[2:], 0, *[0] * d]
    if out_of == "y":
        return term(sizes, 1, x_place, y_steps, x_steps, w_place, w_steps)
    return term(sizes, 1, y_place, x_steps, y_steps, w_place, w_steps)


def convolution(program, out, shape, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    window = Window.of("convolution", weight[1][2:], stride, padding, dilation)
    wide = with_padding(program, x, window)
    terms = [convolution_term(wide, weight, (out, shape), window, groups, "y")]
    program.add("terms", out, terms=terms + ([] if bias is None else [bias_term(bias, shape, 1)]))


def transposed_convolution(program, out, shape, x, weight, bias=None, size=(), stride=1, padding=0, dilation=1, groups=1):
    window = Window.of("transposed_convolution", weight[1][2:], stride, padding, dilation)
    if min(n for pair in window.padding for n in pair) < 0:
        raise NoProgram("The page cannot compute a transposed convolution with negative padding.")
    wide = (*shape[:2], *[n + a + b for n, (a, b) in zip(size, window.padding)])
    between = program.new(prod(wide))
    program.add("terms", between, terms=[convolution_term((between, wide), weight, x, window, groups, "x")])
    start = sum(a * step for (a, _), step in zip(window.padding, row_strides(wide)[2:]))
    terms = [term(shape, 1, between, row_strides(shape), row_strides(wide), at=(0, start, 0))]
    program.add("terms", out, terms=terms + ([] if bias is None else [bias_term(bias, shape, 1)]))


def window_max(program, out, shape, x, window):
    place, wide = with_padding(program, x, window, -np.inf)
    d, X = len(window.kernel), row_strides(wide)
    outer = [*X[:-d], *[s * t for s, t in zip(X[-d:], window.stride)]]
    inner = [s * t for s, t in zip(X[-d:], window.dilation)]
    add_extreme(program, out, place, 1, (shape, outer), (window.kernel, inner))


# fmt: off
DIRECT = {
    "linear": linear, "matmul": matrix_product, "einsum": einsum, "sum": total, "mean": mean, "max": extreme(1), "min": extreme(-1),
    "convolution": convolution, "transposed_convolution": transposed_convolution, "window_max": window_max,
}
SAME = {"reshape", "astype", "identity"}
MOVES = {
    "broadcast_to", "transpose", "swapaxes", "getitem", "flip", "roll", "tril", "triu", "concatenate", "stack", "window_entries",
}
# fmt: on

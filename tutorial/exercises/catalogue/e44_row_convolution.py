"""A kernel over a row of pixels

A kernel moves over a row of pixels: $y_i = \\sum_j k_j \\, x_{i+j}$, for each place $i$ at which all of the kernel fits into the row.
`row_backward(x, k, G)` returns a tuple of two NumPy arrays, $\\frac{dz}{dx}$ and $\\frac{dz}{dk}$. `x` holds the pixels, `k` the weights
of the kernel, and `G` is the upstream gradient $\\frac{dz}{dy}$, with a number for each place.

For the pixels 2, 5, 1, 3, the kernel 1, −2 and the upstream gradient 1, 2, 3 the answer is the pair of the arrays 1, 0, −1, −6 and
15, 16.
"""

# meta: unit=D minutes=12 difficulty=2 chapter=convolution call=row_backward
import numpy as np


def row_backward(x, k, G):
    # BEGIN SOLUTION
    dx, dk = np.zeros(len(x)), np.zeros(len(k))
    for i in range(len(G)):
        for j in range(len(k)):
            dx[i + j] += G[i] * k[j]
            # ~ dx-overwritten M03: dx[i + j] = G[i] * k[j]
            # ~ dx-no-upstream M05: dx[i + j] += k[j]
            # ~ dx-upstream-only M64: dx[i + j] += G[i]
            # ~ dx-reversed M13: dx[i + j] += G[i] * k[-1 - j]
            # ~ dx-first-of-window M91: dx[i] += G[i] * k[j]
            # ~ dx-with-x M69: dx[i + j] += G[i] * x[i + j]
            # ~ dx-sign M66: dx[i + j] -= G[i] * k[j]
            # ~ dx-as-long-as-y M91: dx[i] += G[i] * k.sum()
            dk[j] += G[i] * x[i + j]
            # ~ dk-overwritten M03: dk[j] = G[i] * x[i + j]
            # ~ dk-no-upstream M05: dk[j] += x[i + j]
            # ~ dk-upstream-only M64: dk[j] += G[i]
            # ~ dk-reversed M13: dk[-1 - j] += G[i] * x[i + j]
            # ~ dk-G-reversed M13: dk[j] += G[-1 - i] * x[i + j]
            # ~ dk-first-window M91: dk[j] += G[i] * x[j]
            # ~ dk-first-pixels M91: dk[j] += G[i] * x[i]
            # ~ dk-with-k M69: dk[j] += G[i] * k[j]
            # ~ dk-sign M66: dk[j] -= G[i] * x[i + j]
            # ~ dk-each-pixel M91: dk[j] += G[i] * x.sum() / len(G)
    return dx, dk
    # ~ exchanged M54: return dk, dx
    # ~ dk-mean M11: return dx, dk / len(G)
    # ~ only-dx M12: return dx
    # ~ only-dk M12: return dk
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Draw the row and the kernel at its first two places. Which pixels has a child in both, and through which weights?",
    "Walk over the windows, and over the weights in each. There is one product for each pair of a window and a weight, and each gives one "
    "contribution to a pixel and one to a weight.",
    "At place i the weight j meets the pixel i + j. So the pixel gets the weight times the upstream gradient of the place, and the weight "
    "gets the pixel times the same. Contributions are added, beginning with zeros.",
)
PREDICT = (
    "The pixels are 2, 5, 1, the kernel has two weights, and every entry of G is 1. What is the derivative for the first weight?",
    7,
    {
        8: "You added all pixels. The kernel fits at two places, and its first weight never meets the last pixel.",
        6: "That is the derivative for the second weight.",
        2: "That is one place. The kernel fits at two.",
    },
)
SEEN = "{which} was {got}, expected {expected}. "
SAID = {
    "dx-overwritten": SEEN + "You overwrote instead of adding: a pixel in the middle is in {count} windows.",
    "dk-overwritten": SEEN + "You overwrote instead of adding: a weight has a child at each of the {places} places.",
    "dx-no-upstream dk-no-upstream": SEEN + "You took 1 for each upstream gradient. Here they are {G}.",
    "dx-upstream-only": SEEN + "You added the upstream gradients alone. Each is multiplied by the weight that met the pixel: {k}.",
    "dk-upstream-only": SEEN + "You added the upstream gradients alone. Each is multiplied by the pixel that the weight met: {x}.",
    "dx-reversed": SEEN + "You reversed the kernel. At place i the weight j meets the pixel i + j: here k is {k}.",
    "dk-reversed": SEEN + "Your result stands in reverse order. The first weight, {first}, is also the first of the result.",
    "dk-G-reversed": SEEN + "You reversed the upstream gradient {G}. Place i belongs to the window that begins at the pixel i.",
    "dx-first-of-window": SEEN + "You gave all of a window to its first pixel. The weight j meets the pixel j places further: k is {k}.",
    "dx-with-x": SEEN + "You multiplied by the pixel itself. How much y changes with a pixel depends on the weight: k is {k}.",
    "dk-with-k": SEEN + "You multiplied by the weight itself. How much y changes with a weight depends on the pixel: x is {x}.",
    "dx-sign dk-sign": SEEN + "The sign is wrong.",
    "dx-as-long-as-y": SEEN + "You gave each place of y to one pixel. A window has {count} pixels, each with a weight of its own.",
    "dk-first-window": SEEN + "You took the pixels of the first window for all of the {places} places.",
    "dk-first-pixels": SEEN + "You took the first pixel of each window for all weights. The weight j meets the pixel j places further.",
    "dk-each-pixel": SEEN + "You let each weight meet each pixel. A weight of {k} meets one pixel at each of the {places} places.",
    "exchanged": SEEN + "That is {other}. The derivative for x comes first, then the one for k.",
    "dk-mean": SEEN + "You divided by the {places} places. The effects of one weight add up.",
    "only-dx": "You gave {got}. A pair is asked for, dz/dx and dz/dk.",
    "only-dk": "You gave {got}, which is dz/dk alone. A pair is asked for, dz/dx and dz/dk.",
}
ASKED = {
    **dict.fromkeys(SAID, "Take three pixels and two weights. Which two products make y at each place?"),
    "dx-no-upstream dk-no-upstream": "For which z is every entry of G a 1?",
    "exchanged only-dx only-dk": "How long are the two results?",
}


def probes(random):
    """Yield the example, then rows and kernels of other lengths."""
    yield probe(np.array([2.0, 5.0, 1.0, 3.0]), np.array([1.0, -2.0]), np.array([1.0, 2.0, 3.0]), "the example")
    for pixels, weights in ((5, 3), (3, 2), (6, 4)):
        numbers = [integers(random, length) for length in (pixels, weights, pixels - weights + 1)]
        yield probe(*numbers, f"{pixels} pixels and {weights} weights")


def probe(x, k, G, about):
    facts = {
        "which": {"": "the answer", "[0]": "dz/dx", "[1]": "dz/dk"},
        "other": {"[0]": "dz/dk", "[1]": "dz/dx"},
        **{"x": x, "k": k, "G": G, "count": len(k), "places": len(G), "first": k[0]},
    }
    return Probe((x, k, G), facts, about=about, shown=with_names("row_backward(x, k, G)", x=x, k=k, G=G))

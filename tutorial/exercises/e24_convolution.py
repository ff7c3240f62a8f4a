"""Convolution

`conv2d_backward(X, K, G, stride, pad)` returns the pair `(dz/dX, dz/dK)` of a convolution. `X` has the shape (images, channels, height,
width) and `K` the shape (kernels, channels, h, w). The result $Y$ has the shape (images, kernels, rows, columns), and so has `G`, the
upstream gradient $\\frac{dz}{dY}$. Forward, the images get `pad` rows and columns of zeros on each side:
these are the padded images $P$. Then a window of the size of the kernel moves over $P$ in steps of `stride`:

$$
y_{n,o,r,s} = \\sum_{c,i,j} p_{n,\\,c,\\,r \\cdot \\text{stride} + i,\\,s \\cdot \\text{stride} + j} \\cdot k_{o,c,i,j}
$$

For one image `[[1, 2], [3, 4]]`, one kernel `[[10, 20]]`, the stride 1, no padding and `G = [[5], [6]]` the answer is
`[[50, 100], [60, 120]]` for the image and `[[23, 34]]` for the kernel, each with two axes of length 1 in front.
"""

# meta: unit=D minutes=40 difficulty=4 chapter=convolution call=conv2d_backward
import numpy as np


def conv2d_backward(X, K, G, stride, pad):
    height, width = X.shape[2:]
    h, w = K.shape[2:]
    rows, columns = G.shape[2:]
    # BEGIN SOLUTION
    P = np.pad(X, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    dP, dK = np.zeros(P.shape), np.zeros(K.shape)
    for i, j in np.ndindex(h, w):
        met = np.s_[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
        # ~ stride-1 M29: met = np.s_[:, :, i : i + rows, j : j + columns]
        # ~ rows-for-columns M29: met = np.s_[:, :, j : j + stride * rows : stride, i : i + stride * columns : stride]
        dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, i, j])
        # ~ overwritten M03: dP[met] = np.einsum("nors,oc->ncrs", G, K[:, :, i, j])
        # ~ reversed-filter M29: dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, h - 1 - i, w - 1 - j])
        # ~ no-upstream M05: dP[met] += np.einsum("nors,oc->ncrs", np.ones(G.shape), K[:, :, i, j])
        dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met])
        # ~ reversed-gradient M29: dK[:, :, h - 1 - i, w - 1 - j] = np.einsum("nors,ncrs->oc", G, P[met])
        # ~ no-upstream M05: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", np.ones(G.shape), P[met])
        # ~ images-averaged M11: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met]) / len(X)
        # ~ places-averaged M11: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met]) / (rows * columns)
        # ~ last-image M03: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G[-1:], P[met][-1:])
    return dP[:, :, pad : pad + height, pad : pad + width], dK
    # ~ padding-kept M12: return dP, dK
    # ~ cut-in-front M12: return dP[:, :, :height, :width], dK
    # END SOLUTION


# BEGIN CHECK
from tutorial.exercises.arrays import integers
from tutorial.exercises.probe import Probe

HINTS = (
    "Take one pixel. Which windows contain it, and by which entry of the kernel is it multiplied in each of them?",
    "Take one entry (i, j) of the kernel. In the window (r, s) it meets the pixel (r · stride + i, s · stride + j) of the padded image. "
    "So it meets a slice of the image with the step `stride`.",
    "Go through all (i, j). Add to this slice of the padded image's gradient the upstream gradient times the kernel's entry, summed over "
    "kernels. The derivative of the entry is the upstream gradient times the slice, summed over images and places. Then cut off the "
    "padding.",
)
PREDICT = ("An image has 3 × 3 pixels, and the kernel 2 × 2 entries. The stride is 1. In how many windows is the pixel in the middle?", 4)
SEEN = "For {geometry}: {which} was {got}, expected {expected}. "
SAID = {
    "overwritten": SEEN + "The pixel {pixel} is in {windows} windows, and you kept the contribution of the last. Add them.",
    "stride-1": SEEN + "You moved the window in steps of 1. The stride is {stride}.",
    "rows-for-columns": SEEN + "You exchanged rows and columns: entry (i, j) of the kernel meets the pixel i below the corner.",
    "reversed-filter": SEEN + "You turned the kernel by half a turn. Entry (i, j) passes its contribution to the pixel that it met.",
    "reversed-gradient": SEEN + "You put the derivative of entry (i, j) at the opposite entry of the kernel.",
    "no-upstream": SEEN + "You took 1 for each entry of the upstream gradient.",
    "images-averaged": SEEN + "You took the mean over {images} images. The kernel acts on each of them, and the effects add.",
    "places-averaged": SEEN + "You took the mean over {places} places. The kernel acts at each of them, and the effects add.",
    "last-image": SEEN + "The kernel acts on {images} images. You kept the contribution of the last.",
    "padding-kept": SEEN + "You returned the gradient of the padded image. Cut off the padding, which is {pad} wide on each side.",
    "cut-in-front": SEEN + "You cut off all padding at the end. It is {pad} wide on each side.",
}
MET = "In which windows is the pixel {pixel}, and which entry of the kernel meets it there?"
ASKED = {
    **dict.fromkeys(SAID, MET),
    **dict.fromkeys(
        ("reversed-gradient", "images-averaged", "places-averaged", "last-image"),
        "Which pixels does the first entry of the kernel meet?",
    ),
    "no-upstream": "How much does z grow if one entry of Y grows by 1?",
    **dict.fromkeys(("padding-kept", "cut-in-front"), "Where in the padded image is the image?"),
}


def probes(random):
    """Yield one image and one kernel, then a stride, a padding, several channels, kernels and images, and all of them."""
    for X, K, stride, pad in (
        ((1, 1, 2, 2), (1, 1, 2, 2), 1, 0),
        ((1, 1, 3, 3), (1, 1, 2, 2), 1, 0),
        ((1, 1, 2, 3), (1, 1, 1, 2), 1, 0),
        ((1, 1, 4, 4), (1, 1, 2, 2), 2, 0),
        ((1, 1, 2, 2), (1, 1, 2, 2), 1, 1),
        ((2, 1, 2, 3), (1, 1, 2, 2), 1, 0),
        ((1, 3, 3, 2), (2, 3, 2, 1), 1, 0),
        ((2, 3, 5, 6), (4, 3, 3, 2), 2, 1),
    ):
        yield probe(integers(random, *X), integers(random, *K), stride, pad, random)


def probe(X, K, stride, pad, random):
    size = [(n + 2 * pad - k) // stride + 1 for n, k in zip(X.shape[2:], K.shape[2:])]
    G = integers(random, len(X), len(K), *size)
    windows = conv2d_backward(X, np.ones(K.shape), np.ones(G.shape), stride, pad)[0][0, 0] / len(K)
    images, places = len(X), int(np.prod(size))
    geometry = f"X of the shape {X.shape}, a kernel of the shape {K.shape}, stride {stride}, padding {pad}"
    facts = {
        "which": {"[0]": "dz/dX", "[1]": "dz/dK"},
        "geometry": geometry,
        "stride": stride,
        "pad": pad,
        "images": images,
        "places": places,
        "pixel": np.argwhere(windows == windows.max())[0].tolist(),
        "windows": int(windows.max()),
    }
    return Probe((X, K, G, stride, pad), facts, about=geometry)


# END CHECK

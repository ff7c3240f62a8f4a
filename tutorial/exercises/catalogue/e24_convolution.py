"""Convolution

`conv2d_backward(X, K, G, stride, pad)` returns the pair `(dz/dX, dz/dK)` of a convolution. `X` has the shape (images, channels, height,
width) and `K` the shape (kernels, channels, h, w). The result $Y$ has the shape (images, kernels, rows, columns), and so has `G`, the
upstream gradient $\\frac{dz}{dY}$. Forward, the images get `pad` rows and columns of zeros on each side:
these are the padded images $P$. Then a window of the size of the kernel moves over $P$ in steps of `stride`:

$$
y_{n,o,r,s} = \\sum_{c,i,j} p_{n,\\,c,\\,r \\cdot \\text{stride} + i,\\,s \\cdot \\text{stride} + j} \\cdot k_{o,c,i,j}
$$

`np.einsum("ab,bc->ac", A, B)` is `A @ B`: it multiplies entries with the same letters, and adds over the letters that do not stand after
the arrow. `np.s_[:, ::2]` is the slice that stands in `A[:, ::2]`.

For one image `[[1, 2], [3, 4]]`, one kernel `[[10, 20]]`, the stride 1, no padding and `G = [[5], [6]]` the answer is
`[[50, 100], [60, 120]]` for the image and `[[23, 34]]` for the kernel, each with two axes of length 1 in front.
The program must not change its arguments.
"""

# meta: unit=D minutes=40 difficulty=4 chapter=convolution call=conv2d_backward
import numpy as np


def conv2d_backward(X, K, G, stride, pad):
    height, width = X.shape[2:]
    h, w = K.shape[2:]
    rows, columns = G.shape[2:]
    # BEGIN SOLUTION
    P = np.pad(X, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    # ~ padded-with-the-edge M12: P = np.pad(X, ((0, 0), (0, 0), (pad, pad), (pad, pad)), mode="edge")
    # ~ padded-in-front M12: P = np.pad(X, ((0, 0), (0, 0), (2 * pad, 0), (2 * pad, 0)))
    dP, dK = np.zeros(P.shape), np.zeros(K.shape)
    for i, j in np.ndindex(h, w):
        # ~ windows-overwritten M03: for r, s in np.ndindex(rows, columns):
        # ~ each-window-overwritten M03: for n, o, r, s in np.ndindex(G.shape):
        met = np.s_[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
        # ~ stride-1 M91: met = np.s_[:, :, i : i + rows, j : j + columns]
        # ~ rows-for-columns M91: met = np.s_[:, :, j : j + stride * rows : stride, i : i + stride * columns : stride]
        # ~ windows-overwritten M03: met = np.s_[:, :, r * stride : r * stride + h, s * stride : s * stride + w]
        # ~ each-window-overwritten M03: met = np.s_[n, :, r * stride : r * stride + h, s * stride : s * stride + w]
        dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, i, j])
        # ~ overwritten M03: dP[met] = np.einsum("nors,oc->ncrs", G, K[:, :, i, j])
        # ~ reversed-filter M91: dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, h - 1 - i, w - 1 - j])
        # ~ transposed-filter M62: dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, j, i])
        # ~ last-kernel M03: dP[met] += np.einsum("nrs,c->ncrs", G[:, -1], K[-1, :, i, j])
        # ~ first-kernel M03: dP[met] += np.einsum("nrs,c->ncrs", G[:, 0], K[0, :, i, j])
        # ~ whole-averaged M11: dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, i, j]) / len(X)
        # ~ kernel-entries-averaged M11: dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, i, j]) / (h * w)
        # ~ width-of-height M91: dP[met] += np.einsum("nors,oc->ncrs", G, K[:, :, i, j]) if j < h else 0
        # ~ no-upstream M05: dP[met] += np.einsum("nors,oc->ncrs", np.ones(G.shape), K[:, :, i, j])
        # ~ windows-overwritten M03: dP[met] = np.einsum("no,ocij->ncij", G[:, :, r, s], K)
        # ~ each-window-overwritten M03: dP[met] = G[n, o, r, s] * K[o]
        dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met])
        # ~ reversed-gradient M91: dK[:, :, h - 1 - i, w - 1 - j] = np.einsum("nors,ncrs->oc", G, P[met])
        # ~ transposed-gradient M62: dK[:, :, j, i] = np.einsum("nors,ncrs->oc", G, P[met])
        # ~ last-place M03: dK[:, :, i, j] = np.einsum("no,nc->oc", G[:, :, -1, -1], P[met][:, :, -1, -1])
        # ~ last-window M03: dK[:, :, i, j] = np.einsum("no,nc->oc", G[-1:, :, -1, -1], P[met][-1:, :, -1, -1])
        # ~ first-image M03: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G[:1], P[met][:1])
        # ~ all-averaged M11: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met]) / (len(X) * rows * columns)
        # ~ width-of-height M91: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met]) if j < h else 0
        # ~ sum-of-upstream M05: dK[:, :, i, j] = np.einsum("no,ncrs->oc", G.sum(axis=(2, 3)), P[met])
        # ~ no-upstream M05: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", np.ones(G.shape), P[met])
        # ~ images-averaged M11: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met]) / len(X)
        # ~ places-averaged M11: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G, P[met]) / (rows * columns)
        # ~ last-image M03: dK[:, :, i, j] = np.einsum("nors,ncrs->oc", G[-1:], P[met][-1:])
        # ~ windows-overwritten M03: dK += np.einsum("no,ncij->ocij", G[:, :, r, s], P[met])
        # ~ each-window-overwritten M03: dK[o] += G[n, o, r, s] * P[met]
    return dP[:, :, pad : pad + height, pad : pad + width], dK
    # ~ padding-kept M12: return dP, dK
    # ~ cut-to-nothing M12: return dP[:, :, pad:-pad, pad:-pad], dK
    # ~ dK-first M54: return dK, dP[:, :, pad : pad + height, pad : pad + width]
    # ~ cut-in-front M12: return dP[:, :, :height, :width], dK
    # ~ cut-short M12: return dP[:, :, pad:height, pad:width], dK
    # ~ half-for-a-stride M70: return dP[:, :, pad : pad + height, pad : pad + width] / stride, dK
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Take one pixel. Which windows contain it, and by which entry of the kernel is it multiplied in each of them?",
    "Take one entry (i, j) of the kernel. In the window (r, s) it meets the pixel (r · stride + i, s · stride + j) of the padded image. "
    "So it meets a slice of the image with the step `stride`.",
    "Go through all (i, j). Add to this slice of the padded image's gradient the upstream gradient times the kernel's entry, summed over "
    "kernels. The derivative of the entry is the upstream gradient times the slice, summed over images and places. Then cut off the "
    "padding.",
)
PREDICT = (
    "An image has 3 × 3 pixels, the kernel 2 × 2 entries, the stride is 1. In how many windows is the middle of the first row?",
    2,
    {
        4: "The pixel in the middle of the image is in so many.",
        1: "A corner is in so many. Beside it the window has one place more.",
    },
)
SEEN = "For {geometry}: {which} was {got}, expected {expected}. "
SAID = {
    "windows-overwritten each-window-overwritten": SEEN
    + "A window was written over an earlier one: the pixel {pixel} is in {windows} windows and has one contribution. Add them, with +=.",
    "transposed-filter": SEEN + "That has entry (j, i) of the kernel in the place of entry (i, j).",
    "last-kernel": SEEN + "That is the contribution of the last of {kernels} kernels. Each of them reads the image, and the effects add.",
    "first-kernel": SEEN + "That is the contribution of the first of {kernels} kernels. Each of them reads the image, and the effects add.",
    "whole-averaged": SEEN + "That is divided by the number of images, {images}. Each image has its own gradient.",
    "kernel-entries-averaged": SEEN + "That is divided by the number of the kernel's entries. The effects over the windows add.",
    "transposed-gradient": SEEN + "That has the derivative of entry (i, j) of the kernel at entry (j, i).",
    "last-place": SEEN + "The kernel acts at {places} places. That is the contribution of the last.",
    "last-window": SEEN
    + "The kernel acts at {places} places on {images} images. That is the contribution of the last place on the last image.",
    "first-image": SEEN + "The kernel acts on {images} images. That is the contribution of the first.",
    "all-averaged": SEEN
    + "That is the mean over {images} images and {places} places. The kernel acts at each of them, and the effects add.",
    "sum-of-upstream": SEEN + "That multiplies the pixels by the sum of the upstream gradient. Each place (r, s) has its own entry of it.",
    "cut-to-nothing": SEEN + "The slice [pad:-pad] is empty where pad is 0. Let it end at pad + height, and at pad + width.",
    "width-of-height": SEEN + "That has only as many columns of the kernel as it has rows. It need not be square.",
    "height-for-width": SEEN + "The windows have the kernel's height in both directions there. It need not be square.",
    "first-image-alone": SEEN + "That is the contribution of the first of {images} images.",
    "last-row-left-out": SEEN + "The last row and the last column of windows are missing there. Y has {places} places.",
    "r-for-s": SEEN + "That has the window (s, r) in the place of (r, s): rows and columns are exchanged.",
    "places-without-padding": SEEN + "The window (r, s) begins at r · stride in the padded image, which is {pad} wider on each side.",
    "half-turned-filter": SEEN + "The rows of the kernel stand in the other order there. Entry (i, j) meets the pixel i below the corner.",
    "turned-rows-filter": SEEN
    + "The columns of the kernel stand in the other order there. Entry (i, j) meets the pixel j beside the corner.",
    "first-kernels-upstream": SEEN + "That has the upstream gradient of the first of {kernels} kernels for each of them.",
    "places-summed": SEEN + "That multiplies by the sum of the upstream gradient. Each place (r, s) has its own entry of it.",
    "image-without-padding": SEEN
    + "The windows move over the padded image, which is {pad} wider on each side. That reads the image itself.",
    "channels-added": SEEN + "That adds the channels. The kernel has an entry for each channel, which meets this channel alone.",
    "kernels-added": SEEN + "That adds the contributions of all {kernels} kernels to each. A kernel has its own upstream gradient.",
    "cut-in-front-alone": SEEN + "The padding of {pad} is cut off in front alone. It is on each side.",
    "padded-with-the-edge": SEEN + "The image is padded with the pixels at its edge there. It is padded with zeros.",
    "padded-in-front": SEEN + "All padding stands in front of the image there. It is {pad} wide on each side.",
    "cut-short": SEEN + "The slice ends at the height and the width. It begins at {pad}, so it ends at {pad} plus these.",
    "half-for-a-stride": SEEN + "That is divided by the stride {stride}. The stride only says where the windows are.",
    "dK-first": SEEN + "The pair is in the other order. First comes dz/dX, then dz/dK.",
    "overwritten": SEEN + "The pixel {pixel} is in {windows} windows, and you kept the contribution of the last. Add them.",
    "stride-1": SEEN + "You moved the window in steps of 1. The stride is {stride}.",
    "rows-for-columns": SEEN + "You exchanged rows and columns: entry (i, j) of the kernel meets the pixel i below the corner.",
    "reversed-filter": SEEN + "You turned the kernel by half a turn. Entry (i, j) passes its contribution to the pixel that it met.",
    "reversed-gradient": SEEN + "You put the derivative of entry (i, j) at the opposite entry of the kernel.",
    "no-upstream": SEEN + "You took 1 for each entry of the upstream gradient.",
    "images-averaged": SEEN + "You took the mean over {images} images. The kernel acts on each of them, and the effects add.",
    "places-averaged": SEEN + "You took the mean over {places} places. The kernel acts at each of them, and the effects add.",
    "last-image": SEEN + "The kernel acts on {images} images. That is the contribution of the last.",
    "padding-kept": SEEN + "You returned the gradient of the padded image. Cut off the padding, which is {pad} wide on each side.",
    "cut-in-front": SEEN + "You cut off all padding at the end. It is {pad} wide on each side.",
}
ASKED = {
    **dict.fromkeys(SAID, "In which windows is the pixel {pixel}, and which entry of the kernel meets it there?"),
    **dict.fromkeys(
        (
            *("reversed-gradient", "transposed-gradient", "images-averaged", "places-averaged", "all-averaged", "sum-of-upstream"),
            *("last-image", "first-image", "last-place", "last-window"),
        ),
        "Which pixels does the first entry of the kernel meet?",
    ),
    "no-upstream": "How much does z grow if one entry of Y grows by 1?",
    "dK-first": "What are the shapes of X and K?",
    "padding-kept cut-in-front cut-to-nothing": "Where in the padded image is the image?",
}


def probes(random):
    """Yield one image and one kernel, then a stride, a padding, several channels, kernels and images, and all of them."""
    for X, K, stride, pad in (
        ((1, 1, 2, 2), (1, 1, 2, 2), 1, 0),
        ((1, 1, 3, 3), (1, 1, 2, 2), 1, 0),
        ((1, 1, 2, 3), (1, 1, 1, 2), 1, 0),
        ((1, 1, 3, 4), (1, 1, 2, 3), 1, 0),
        ((1, 1, 4, 4), (1, 1, 2, 2), 2, 0),
        ((1, 1, 3, 5), (1, 1, 2, 2), 2, 0),  # the last row and the last column are in no window
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
        "kernels": len(K),
        "places": places,
        "pixel": np.argwhere(windows == windows.max())[0].tolist(),
        "windows": int(windows.max()),
    }
    return Probe((X, K, G, stride, pad), facts, about=geometry)

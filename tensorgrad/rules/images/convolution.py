"""Convolutions and their transposes over any number of axes.

Legend: n numbers the batch, c the input channels, o the output channels, p the windows, q the entries of x, k the places of the
kernel `weight`. Place k of window p covers entry q = p · stride + k · dilation - padding.

All rules derive from S = Σ G[n,o,p] weight[o,c,k] x[n,c,q], which is linear in each of G, weight and x. Its derivative in G is
convolution, in x transposed convolution, in weight correlation. So each of the three has the other two as its vjps.
"""

from functools import partial

import numpy as np

from tensorgrad.arrays.windows import Window, interior, kernel_offsets, padded, per_axis, spatial_shape, tap
from tensorgrad.kernels.convolutions import convolution as kernels
from tensorgrad.public import Array, public, versions
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import add
from tensorgrad.rules.moving import pad

__all__ = ["conv", "conv1d", "conv2d", "conv3d", "conv_transpose", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


def convolution_input(G, weight, x_shape, stride, padding, dilation, groups):
    """dz/dx[n,c,q] = Σ over o, p, k: dz/dy[n,o,p] weight[o,c,k] where q = p·stride + k·dilation - padding"""
    return transposed_convolution(G, weight, None, x_shape[2:], stride, padding, dilation, groups)


def convolution_weight(G, x, weight_shape, stride, padding, dilation, groups):
    """dz/dweight[o,c,k] = Σ over n, p: dz/dy[n,o,p] x[n,c,q] where q = p·stride + k·dilation - padding"""
    return correlation(x, G, weight_shape[2:], stride, padding, dilation, groups)


def bias_vjp(G):
    """dz/dbias[o] = Σ over n, p: dz/dy[n,o,p]"""
    return G.sum((0, *range(2, G.ndim)))


@rule(
    convolution_input,
    convolution_weight,
    bias_vjp,
    fast=Fast(kernels.convolution, kernels.convolution_vjps),
)
def convolution(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """y[n,o,p] = bias[o] + Σ over c, k: weight[o,c,k] x[n,c,q] where q = p·stride + k·dilation - padding"""
    window = Window.of("convolution", weight.shape[2:], stride, padding, dilation)
    wide, w = by_group(padded(x, window), groups, 1), by_group(weight, groups, 0)
    count = window.count(x.shape[2:])
    y = sum(np.einsum("ngc...,goc->ngo...", tap(wide, window, k, count), w[(..., *k)]) for k in kernel_offsets(window))
    return with_bias(ungrouped(y), bias)


def transposed_input(G, weight, x_shape, stride, padding, dilation, groups):
    """dz/dx[n,o,p] = Σ over c, k: dz/dy[n,c,q] weight[o,c,k] where q = p·stride + k·dilation - padding"""
    return convolution(G, weight, None, stride, padding, dilation, groups)


def transposed_weight(G, x, weight_shape, stride, padding, dilation, groups):
    """dz/dweight[o,c,k] = Σ over n, p: x[n,o,p] dz/dy[n,c,q] where q = p·stride + k·dilation - padding"""
    return correlation(G, x, weight_shape[2:], stride, padding, dilation, groups)


@rule(
    transposed_input,
    transposed_weight,
    bias_vjp,
    fast=Fast(kernels.transposed_convolution, kernels.transposed_vjps),
)
def transposed_convolution(x, weight, bias=None, size=(), stride=1, padding=0, dilation=1, groups=1):
    """y[n,c,q] = bias[c] + Σ over o, p, k: x[n,o,p] weight[o,c,k] where q = p·stride + k·dilation - padding, for all q up to
    `size`
    """
    window = Window.of("transposed_convolution", weight.shape[2:], stride, padding, dilation)
    G, w = by_group(x, groups, 1), by_group(weight, groups, 0)
    dtype = np.result_type(x, weight)
    wide = np.zeros([*G.shape[:2], w.shape[2], *[n + a + b for n, (a, b) in zip(size, window.padding)]], dtype)
    for k in kernel_offsets(window):
        there = tap(wide, window, k, spatial_shape(x, len(size)))
        np.add(there, np.einsum("ngo...,goc->ngc...", G, w[(..., *k)]), out=there)
    return with_bias(ungrouped(wide[interior(window, size)]), bias)


def correlation_input(G, g, x_shape, stride, padding, dilation, groups):
    """dz/dx[n,c,q] = Σ over o, p, k: g[n,o,p] dz/dy[o,c,k] where q = p·stride + k·dilation - padding"""
    return transposed_convolution(g, G, None, x_shape[2:], stride, padding, dilation, groups)


def correlation_upstream(G, x, stride, padding, dilation, groups):
    """dz/dg[n,o,p] = Σ over c, k: dz/dy[o,c,k] x[n,c,q] where q = p·stride + k·dilation - padding"""
    return convolution(x, G, None, stride, padding, dilation, groups)


@rule(correlation_input, correlation_upstream, fast=Fast(kernels.correlation, kernels.correlation_vjps))
def correlation(x, g, kernel, stride=1, padding=0, dilation=1, groups=1):
    """y[o,c,k] = Σ over n, p: g[n,o,p] x[n,c,q] where q = p·stride + k·dilation - padding, for all k up to `kernel`"""
    window = Window.of("correlation", kernel, stride, padding, dilation)
    wide, g = by_group(padded(x, window), groups, 1), by_group(g, groups, 1)
    d = len(kernel)
    y = np.empty((g.shape[1], g.shape[2], wide.shape[2], *kernel), np.result_type(x, g))
    for k in kernel_offsets(window):
        seen = tap(wide, window, k, spatial_shape(g, d))
        y[(..., *k)] = np.einsum("ngcp,ngop->goc", *[a.reshape(*a.shape[:3], -1) for a in (seen, g)])
    return y.reshape(-1, *y.shape[2:])


def by_group(x, groups, axis):
    """Return x with its channel axis split into groups: (..., group, channel, ...)."""
    return x.reshape(*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :])


def ungrouped(x):
    """Return x (n, group, channel, ...) with group and channel joined into one axis."""
    return x.reshape(x.shape[0], x.shape[1] * x.shape[2], *x.shape[3:])


def with_bias(y, bias):
    return y if bias is None else y + bias.reshape(-1, *[1] * (y.ndim - 2))


# Public functions

CONVOLUTIONS = {name: convolution.under(name) for name in ("conv", "conv1d", "conv2d", "conv3d")}
TRANSPOSED = {name: transposed_convolution.under(name) for name in ("conv_transpose", *(f"conv_transpose{d}d" for d in (1, 2, 3)))}


@public
def conv(x: Array, weight: Array, bias: Array = None, stride=1, padding=0, dilation=1, groups=1):
    """Return the convolution of x with `weight` over the last axes.

    In formulas, for one group, along each axis of the kernel:
        y[n,o,p] = bias[o] + Σ over c, k: weight[o,c,k] x[n,c,q], where q = p·stride + k·dilation - padding
        dz/dx[n,c,s] = Σ over o, p, k where p·stride + k·dilation - padding = s: weight[o,c,k] dz/dy[n,o,p]
        dz/dweight[o,c,k] = Σ over n, p: x[n,c,q] dz/dy[n,o,p]
        dz/dbias[o] = Σ over n, p: dz/dy[n,o,p]

    x has shape (batch, channels, *size), or (channels, *size) for one sample. As in PyTorch, and unlike np.convolve, the kernel
    is not reversed. For 3×3 kernels, stride 1 and many channels Winograd's algorithm (Lavin and Gray 2016) computes the result, from
    other products: so its last bits differ. If any entry is inf, nan or overflows when squared, all entries are computed without
    it. Raises ValueError if the shapes do not fit.

    - weight, bias: (channels out, channels in / groups, *kernel) and (channels out,); bias may be None
    - stride, padding, dilation: one number for all axes, or one per axis
    - padding: adds zeros; "valid" adds none, "same" makes the output as long as x (only for stride 1)
    - groups: each group of input channels makes its own group of output channels

    >>> conv(np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[[1.0, -1.0]]]))
    array([[-1., -1., -1.]])
    """
    return conv_as("conv", None, x, weight, bias, stride, padding, dilation, groups)


@public
def conv2d(x: Array, weight: Array, bias: Array = None, stride=1, padding=0, dilation=1, groups=1):
    """Return the convolution over two axes. See `conv`.

    In formulas, for one group:
        y[n,o,p,q] = bias[o] + Σ over c, i, j: weight[o,c,i,j] x[n,c,r,s]
        r = p · stride + i · dilation - padding; s = q · stride + j · dilation - padding

    x has shape (batch, channels, height, width) or (channels, height, width), weight (out, in / groups, rows, columns). The
    memory of the output is laid out with channels last, whatever its shape.

    >>> conv2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 2)), stride=(1, 2))
    array([[[[4.],
             [4.]]]])
    """
    return conv_as("conv2d", 2, x, weight, bias, stride, padding, dilation, groups)


@public
def conv_transpose(x: Array, weight: Array, bias: Array = None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Return the transposed convolution over the last axes, which `conv` applies to gradients.

    In formulas, for one group, along each axis of the kernel:
        y[n,o,p] = bias[o] + Σ over c, q, k where q·stride + k·dilation - padding = p: weight[c,o,k] x[n,c,q]
        dz/dx[n,c,q] = Σ over o, k: weight[c,o,k] dz/dy[n,o,q·stride + k·dilation - padding]
        dz/dweight[c,o,k] = Σ over n, q: x[n,c,q] dz/dy[n,o,q·stride + k·dilation - padding]
        dz/dbias[o] = Σ over n, p: dz/dy[n,o,p]

    Each entry of x adds its multiple of the kernel. x has shape (batch, channels, *size) or (channels, *size). Along an axis the
    output has (size - 1)·stride - 2·padding + dilation·(kernel - 1) + output_padding + 1 entries. Raises ValueError if the shapes
    do not fit.

    - weight, bias: (channels in, channels out / groups, *kernel) and (channels out,); bias may be None
    - stride, padding, dilation: one number for all axes, or one per axis
    - output_padding: selects one of the input sizes for which `conv` gives the same output size; it must be smaller than stride
      or dilation
    - groups: each group of input channels makes its own group of output channels

    >>> conv_transpose(np.array([[1.0, 10.0]]), np.array([[[1.0, 2.0, 3.0]]]))
    array([[ 1., 12., 23., 30.]])
    """
    return conv_transpose_as("conv_transpose", None, x, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_as(name, d, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Compute `conv` under the name that the user called, over d axes (if d is None, as many as the kernel has)."""
    x, alone = with_batch_axis(name, d, x, weight, groups, "(out, in / groups, *kernel)")
    channels, (out, fewer, *kernel) = x.shape[1], weight.shape
    if channels != fewer * groups or out % groups:
        raise ValueError(
            f"{name}: x of shape {shown(x, alone)} has {channels} channels, and weight of shape {weight.shape} in {groups} "
            f"group{'s' * (groups > 1)} takes {fewer * groups} and makes {out}; "
            "weight needs shape (channels out, channels in / groups, *kernel), and groups must divide both"
        )
    must_fit_bias(name, bias, out, weight)
    window = Window.of(name, tuple(kernel), stride, padding, dilation)
    window.must_fit(name, x.shape[2:], shown(x, alone))
    y = CONVOLUTIONS[name](x, weight, bias, window.stride, window.padding, window.dilation, groups)
    return y.reshape(y.shape[1:]) if alone else y


def conv_transpose_as(name, d, x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Compute `conv_transpose` under the name that the user called, over d axes (if d is None, as many as the kernel has)."""
    x, alone = with_batch_axis(name, d, x, weight, groups, "(in, out / groups, *kernel)")
    channels, (taken, fewer, *kernel) = x.shape[1], weight.shape
    if channels != taken or taken % groups:
        raise ValueError(
            f"{name}: x of shape {shown(x, alone)} has {channels} channels, and weight of shape {weight.shape} takes {taken} in {groups} "
            f"group{'s' * (groups > 1)}; weight needs shape (channels in, channels out / groups, *kernel), and groups must divide both"
        )
    must_fit_bias(name, bias, fewer * groups, weight)
    window = Window.of(name, tuple(kernel), stride, padding, dilation)
    more = per_axis(name, "output_padding", output_padding, len(kernel), 0)
    if any(m >= max(s, t) for m, s, t in zip(more, window.stride, window.dilation)):
        raise ValueError(
            f"{name}: output_padding={output_padding} must be smaller than stride {window.stride} or dilation {window.dilation}"
        )
    more, window, uncovered = beyond_stride(more, window)
    size = tuple([n + m for n, m in zip(window.input_size(x.shape[2:]), more)])
    if min([n + u for n, u in zip(size, uncovered)]) < 1:
        raise ValueError(
            f"{name}: padding={padding} leaves no output for x of shape {shown(x, alone)} and a kernel of {tuple(kernel)}; use less"
        )
    covered = TRANSPOSED[name] if min(size) > 0 else no_entry_of
    y = covered(x, weight, None if any(uncovered) else bias, size, window.stride, window.padding, window.dilation, groups)
    if any(uncovered):
        y = pad(y, ((0, 0), (0, 0), *[(0, n + u - m) for n, u, m in zip(size, uncovered, y.shape[2:])]))
        y = y if bias is None else add(y, bias.reshape((-1, *[1] * len(kernel))))
    return y.reshape(y.shape[1:]) if alone else y


def beyond_stride(more, window):
    """Return (remaining output padding, window, uncovered entries at the end) for an output padding that exceeds the stride.

    Only a dilation allows that. The excess first reduces the padding at the end. Where no padding is left, no window covers the
    entries, and they hold only the bias.
    """
    beyond = [max(0, m - s + 1) for m, s in zip(more, window.stride)]
    taken = [min(n, b) for n, (_, b) in zip(beyond, window.padding)]
    window = window._replace(padding=tuple([(a, b - n) for (a, b), n in zip(window.padding, taken)]))
    return [m - n for m, n in zip(more, beyond)], window, [n - m for n, m in zip(beyond, taken)]


def no_entry_of(x, weight, bias, size, stride, padding, dilation, groups):
    """Return the transposed convolution without any of its entries, if padding removes all that a window covers along some axis."""
    window = Window(weight.shape[2:], stride, ((0, 0),) * len(size), dilation)
    y = transposed_convolution(x, weight, None, window.input_size(x.shape[2:]), *window[1:], groups)
    return y[(..., *[slice(0)] * len(size))]


def with_batch_axis(name, d, x, weight, groups, layout):
    """Return x with a batch axis, and whether x lacked it; raise ValueError if x, weight and groups do not fit."""
    d = len(weight.shape) - 2 if d is None else d
    if d < 1 or len(weight.shape) != d + 2:
        raise ValueError(f"{name}: weight has shape {weight.shape}; {max(d + 2, 3)} axes are needed, {layout}")
    if len(x.shape) not in (d + 1, d + 2):
        raise ValueError(
            f"{name}: x of shape {x.shape} with weight of shape {weight.shape}; "
            f"x needs {d + 2} axes, (batch, channels, *size), or {d + 1} without the batch"
        )
    if not isinstance(groups, (int, np.integer)) or groups < 1:
        raise ValueError(f"{name}: groups={groups!r} is not a positive integer")
    if 0 in weight.shape:
        raise ValueError(f"{name}: weight of shape {weight.shape} has no entries; a kernel needs at least one")
    alone = len(x.shape) == d + 1
    return x.reshape((1, *x.shape)) if alone else x, alone


def shown(x, alone):
    """Return the shape that the user gave."""
    return tuple(x.shape[1:] if alone else x.shape)


def must_fit_bias(name, bias, channels, weight):
    if bias is not None and tuple(bias.shape) != (channels,):
        made = f"weight of shape {weight.shape} makes {channels} channels"
        raise ValueError(f"{name}: bias has shape {tuple(bias.shape)}, but {made}; it needs shape ({channels},)")


# The versions for 1, 2 and 3 axes


def with_kernel(d, size, result):
    """Return the arguments of an example over d axes with a kernel of 3 entries along each, and the shape of its result."""
    return f"np.ones({(1, 1) + (size,) * d}), np.ones({(1, 1) + (3,) * d})", (1, 1) + (result,) * d


conv1d, conv3d = versions(conv, conv_as, partial(with_kernel, size=4, result=2), axes=(1, 3))
conv_transpose1d, conv_transpose2d, conv_transpose3d = versions(conv_transpose, conv_transpose_as, partial(with_kernel, size=2, result=4))

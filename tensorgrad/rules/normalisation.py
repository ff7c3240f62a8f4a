"""Standardise arrays to mean 0 and variance 1, over the last axes or over the batch. Batch norm, residual and relu are one rule.

Legend: x̂ = (x - mean of x) / σ with σ = √(variance of x + eps). A vjp saves only x and computes x̂ and σ again, so it can be
differentiated. Source of batch norm and its backward function: Ioffe and Szegedy 2015, section 3.
"""

from math import prod

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.floats import FLOATS
from tensorgrad.kernels.norms import batch_norm as kernels
from tensorgrad.kernels.norms import group_norm as group_kernels
from tensorgrad.kernels.norms import layer_norm as layer_kernels
from tensorgrad.kernels.norms import whole
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import sqrt
from tensorgrad.tensor import array_of
from tensorgrad.vjp import vjp


def standardised_and_deviation(x, axis, eps):
    """Return (x̂, σ)."""
    d = x - mean_over(x, axis)
    deviation = sqrt(mean_over(d * d, axis) + eps)
    return d / deviation, deviation


def mean_over(x, axis):
    return x.mean(axis, keepdims=True)


# Over the last axes


def standardise_x(G, x, weight, axes, eps):
    """dz/dx = (h - mean of h - x̂ · mean of h x̂) / σ, with h = weight · dz/dy"""
    axis = last(axes)
    return through_standardisation(G if weight is None else G * weight, *standardised_and_deviation(x, axis, eps), axis)


def standardise_weight(G, x, axes, eps):
    """dz/dweight = Σ dz/dy x̂ over the axes in front"""
    return (G * standardised_and_deviation(x, last(axes), eps)[0]).sum(in_front(G, axes))


def through_standardisation(G, standardised, deviation, axis):
    return (G - mean_over(G, axis) - standardised * mean_over(G * standardised, axis)) / deviation


def last(axes):
    return tuple(range(-axes, 0))


def in_front(x, axes):
    return tuple(range(len(x.shape) - axes))


def in_common_floats(x, *others):
    """Return the arrays in their common dtype; None stays None."""
    dtype = x.dtype
    if dtype in FLOATS and all([v is None or v.dtype is dtype for v in others]):
        return x, *others
    dtype = np.result_type(*[v for v in (x, *others) if v is not None], np.float32)
    return [v if v is None else v.astype(dtype, copy=False) for v in (x, *others)]


def standardise_forward(slots, x, weight, bias, axes, eps):
    shape = x.shape
    x, weight, bias = in_common_floats(x, weight, bias)
    if whole.small(x):
        axis = last(axes)
        return whole.standardised(x, weight, bias, axis, prod(shape[-axes:]), eps)[:2]
    weight, bias = [v if v is None else v.reshape(-1) for v in (weight, bias)]
    x = layer_kernels.rows_of(x, axes)
    y, moments = layer_kernels.standardised(x, weight, bias, eps)
    return y.reshape(shape), (x, weight, moments, shape, axes)


def standardise_backward(G, saved, slots):
    if type(saved) is whole.Standard:
        found = whole.contributions(G, saved, in_front(G, len(saved.axis)), slots != [0])
        return [found[slot] for slot in slots]
    x, weight, moments, shape, axes = saved
    dx, dw, db = layer_kernels.contributions(layer_kernels.rows_of(G, axes), x, weight, moments, slots != [0])
    found = dx.reshape(shape), *[v.astype(x.dtype).reshape(shape[-axes:]) for v in (dw, db)]
    return [found[slot] for slot in slots]


@rule(
    standardise_x,
    standardise_weight,
    vjp("dz/dbias = Σ dz/dy over the axes in front", lambda G, axes: G.sum(in_front(G, axes))),
    fast=Fast(standardise_forward, standardise_backward, in_place=True),
)
def standardise(x, weight=None, bias=None, axes=1, eps=1e-5):
    """Return weight x̂ + bias, with x̂ = (x - mean) / √(variance + eps) over the last `axes` axes. The variance divides by n."""
    y = standardised_and_deviation(x, last(axes), eps)[0]
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


# Over groups of channels


def grouped(x, groups):
    """Return x (n, c, *size) with one row for each group of channels of each sample."""
    return x.reshape((x.shape[0], groups, prod(x.shape[1:]) // groups))


def groups_x(G, x, weight, groups, eps):
    """dz/dx = (h - mean of h - x̂ · mean of h x̂) / σ over each group, with h = weight · dz/dy"""
    h = grouped(G if weight is None else G * of_channels(weight, x), groups)
    return through_standardisation(h, *standardised_and_deviation(grouped(x, groups), -1, eps), -1).reshape(x.shape)


def groups_weight(G, x, groups, eps):
    """dz/dweight = Σ dz/dy x̂ over each channel"""
    standard = standardised_and_deviation(grouped(x, groups), -1, eps)[0]
    return (G * standard.reshape(x.shape)).sum(all_but_channels(x))


def groups_forward(slots, x, weight, bias, groups, eps):
    shape, (x, weight, bias) = x.shape, in_common_floats(x, weight, bias)
    if whole.small(x):
        x = x.reshape(shape[0], groups, shape[1] // groups, -1)  # (n, group, channel, place)
        weight, bias = [v if v is None else v.reshape(*x.shape[1:3], 1) for v in (weight, bias)]
        y, standard, _, _ = whole.standardised(x, weight, bias, (2, 3), x.shape[2] * x.shape[3], eps)
        return y.reshape(shape), standard
    x = layer_kernels.rows_of(grouped(x, groups), 1)
    weight = np.ones(shape[1], x.dtype) if weight is None else weight
    bias = np.zeros(shape[1], x.dtype) if bias is None else bias
    y, moments = group_kernels.standardised(x, weight, bias, groups, eps)
    return y.reshape(shape), (x, weight, moments, groups, shape)


def groups_backward(G, saved, slots):
    if type(saved) is whole.Standard:
        dx, *sums = whole.contributions(G.reshape(saved.entries.shape), saved, (0, 3), slots != [0])
        found = dx.reshape(G.shape), *[v if v is None else v.reshape(-1) for v in sums]
        return [found[slot] for slot in slots]
    x, weight, moments, groups, shape = saved
    dx, dw, db = group_kernels.contributions(layer_kernels.rows_of(grouped(G, groups), 1), x, weight, moments, groups)
    found = dx.reshape(shape), dw, db
    return [found[slot] for slot in slots]


@rule(
    groups_x,
    groups_weight,
    vjp("dz/dbias = Σ dz/dy over each channel", lambda G: G.sum(all_but_channels(G))),
    fast=Fast(groups_forward, groups_backward, in_place=True),
)
def standardise_groups(x, weight=None, bias=None, groups=1, eps=1e-5):
    """Return weight x̂ + bias, with x̂ = (x - mean) / √(variance + eps) over each group of channels of each sample."""
    return affine(standardised_and_deviation(grouped(x, groups), -1, eps)[0].reshape(x.shape), weight, bias)


# Over the batch


def batch_norm_x(G, x, weight, eps):
    """dz/dx = weight/σ · (dz/dy - mean of dz/dy - x̂ · mean of dz/dy x̂), the means over each channel"""
    g, axis = G if weight is None else G * of_channels(weight, x), all_but_channels(x)
    return through_standardisation(g, *standardised_and_deviation(x, axis, eps), axis)


def batch_norm_weight(G, x, eps):
    """dz/dweight = Σ dz/dy x̂ over each channel"""
    return (G * standardised_and_deviation(x, all_but_channels(x), eps)[0]).sum(all_but_channels(x))


def batch_norm_bias(G):
    """dz/dbias = Σ dz/dy over each channel"""
    return G.sum(all_but_channels(G))


def batch_norm_relu_x(G, x, weight, y, eps):
    """dz/dx = weight/σ · (g - mean of g - x̂ · mean of g x̂), with g = dz/dy where y > 0, else 0"""
    return batch_norm_x(G * (array_of(y) > 0), x, weight, eps)


def batch_norm_relu_weight(G, x, y, eps):
    """dz/dweight = Σ g x̂ over each channel, with g = dz/dy where y > 0, else 0"""
    return batch_norm_weight(G * (array_of(y) > 0), x, eps)


def batch_norm_relu_bias(G, y):
    """dz/dbias = Σ g over each channel, with g = dz/dy where y > 0, else 0"""
    return batch_norm_bias(G * (array_of(y) > 0))


def all_but_channels(x):
    """Return all axes except that of the channels."""
    return (0, *range(2, len(x.shape)))


def of_channels(v, x):
    """Return one number per channel in a shape that broadcasts with x."""
    return v.reshape(v.shape[0], *[1] * (len(x.shape) - 2))


def affine(y, weight, bias):
    y = y if weight is None else y * of_channels(weight, y)
    return y if bias is None else y + of_channels(bias, y)


def update_running(running, mean, variance, count):
    """Update the running statistics (mean, variance, momentum) in place, towards those of this batch.

    A batch with nan or inf leaves them as they are: one such batch would make the network useless for all later inputs.
    """
    running_mean, running_var, momentum = running
    moved = running_mean + momentum * (mean - running_mean), running_var + momentum * (variance * (count / (count - 1)) - running_var)
    if all(np.isfinite(new).all() for new in moved):
        running_mean[:], running_var[:] = moved


def batch_norm_forward(slots, x, weight, bias, eps, running, residual=None, relu=False):
    x, weight, bias, residual = in_common_floats(x, weight, bias, residual)
    if whole.small(x):
        return whole_batch_norm(x, weight, bias, eps, running, residual, relu)
    columns = kernels.Columns(x)
    mean, variance = kernels.moments(columns.matrix(x), columns)
    if running is not None:
        update_running(running, mean, variance, columns.count)
    deviation = np.sqrt(variance + eps)
    scale = 1 / deviation if weight is None else weight / deviation
    y = kernels.standardised(x, columns, mean, deviation, scale, np.zeros_like(mean) if bias is None else bias, residual, relu)
    return y, (x, y if relu else None, columns, mean, deviation, scale)


def whole_batch_norm(x, weight, bias, eps, running, residual, relu):
    """Return what `batch_norm_forward` returns, for a small array."""
    weight, bias = [v if v is None else of_channels(v, x) for v in (weight, bias)]
    count = x.size // x.shape[1]
    y, standard, mean, variance = whole.standardised(x, weight, bias, all_but_channels(x), count, eps)
    if running is not None:
        update_running(running, mean.reshape(-1), variance.reshape(-1), count)
    y = y if residual is None else np.add(y, residual, out=y)
    return np.maximum(y, 0, out=y) if relu else y, (standard, y if relu else None)


def batch_norm_backward(G, saved, slots):
    if type(saved[0]) is whole.Standard:
        standard, y = saved
        g = G if y is None else np.multiply(G, y > 0, out=np.empty_like(y))
        found = *whole.contributions(g, standard, standard.axis), g
        return [found[slot] for slot in slots]
    kind = saved[0].dtype
    dx, g_sum, gx_sum, masked = kernels.contributions(G, saved, 0 in slots, 3 in slots)
    return [(dx, gx_sum.astype(kind), g_sum.astype(kind), masked)[slot] for slot in slots]


def batch_norm_entries(x, weight=None, bias=None, eps=1e-5, running=None):
    return affine(standardised_and_deviation(x, all_but_channels(x), eps)[0], weight, bias)


def batch_norm_relu_entries(x, weight=None, bias=None, residual=None, eps=1e-5, running=None):
    y = batch_norm_entries(x, weight, bias, eps)
    return np.frompyfunc(rows.relu, 1, 1)(y if residual is None else y + residual)


@rule(
    batch_norm_x,
    batch_norm_weight,
    batch_norm_bias,
    entries=batch_norm_entries,
    fast=Fast(batch_norm_forward, batch_norm_backward, frees=True),
    name="batch_norm",
)
def over_batch(x, weight=None, bias=None, eps=1e-5, running=None):
    """y = weight x̂ + bias, with the mean and variance of each channel over the batch"""
    if running is not None:
        update_running(running, x.mean(all_but_channels(x)), x.var(all_but_channels(x)), x.size // x.shape[1])
    return batch_norm_entries(x, weight, bias, eps)


def batch_norm_relu_forward(slots, x, weight, bias, residual, eps, running):
    return batch_norm_forward(slots, x, weight, bias, eps, running, residual, True)


@rule(
    batch_norm_relu_x,
    batch_norm_relu_weight,
    batch_norm_relu_bias,
    vjp("dz/dresidual = dz/dy where y > 0, else 0", lambda G, y: G * (array_of(y) > 0)),
    entries=batch_norm_relu_entries,
    fast=Fast(batch_norm_relu_forward, batch_norm_backward, frees=True),
    name="batch_norm_relu",
)
def over_batch_relu(x, weight=None, bias=None, residual=None, eps=1e-5, running=None):
    """y = relu(weight x̂ + bias + residual), with the mean and variance of each channel over the batch"""
    y = over_batch.forward(x, weight, bias, eps, running)
    return np.maximum(y if residual is None else y + residual, 0)

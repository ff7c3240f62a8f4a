"""Sums, means, extrema, and what runs along an axis."""

import numpy as np

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside


def axes(dim):
    return tuple(dim) or None if isinstance(dim, tuple | list) else dim


@beside("sum")
def sum(input, dim=None, keepdim=False, dtype=None):
    return tg.sum(input, axes(dim), keepdim)


@beside("mean")
def mean(input, dim=None, keepdim=False, dtype=None):
    return tg.mean(input, axes(dim), keepdim)


@beside("prod")
def prod(input, dim=None, keepdim=False, dtype=None):
    return tg.prod(input, dim, keepdim)


@beside("var")
def var(input, dim=None, unbiased=None, keepdim=False, correction=1):
    return tg.var(input, **spread(dim, unbiased, keepdim, correction))


@beside("std")
def std(input, dim=None, unbiased=None, keepdim=False, correction=1):
    return tg.std(input, **spread(dim, unbiased, keepdim, correction))


def spread(dim, unbiased, keepdim, correction):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return {"axis": axes(dim), "keepdims": keepdim, "ddof": correction if unbiased is None else int(unbiased)}


@beside("logsumexp")
def logsumexp(input, dim, keepdim=False):
    return tg.logsumexp(input, axes(dim), keepdim)


@beside("amax")
def amax(input, dim=(), keepdim=False):
    return tg.amax(input, axes(dim), keepdim)


@beside("amin")
def amin(input, dim=(), keepdim=False):
    return tg.amin(input, axes(dim), keepdim)


@beside("torch.max", "Tensor.max")
def max(input, dim=None, keepdim=False):
    return extremum(tg.maximum, tg.max, tg.argmax, input, dim, keepdim)


@beside("torch.min", "Tensor.min")
def min(input, dim=None, keepdim=False):
    return extremum(tg.minimum, tg.amin, tg.argmin, input, dim, keepdim)


def extremum(of_two, of_all, place, input, dim, keepdim):
    """PyTorch's max(dim) gives the whole derivative to the entry whose index it returns, max() shares it, as ours does."""
    if isinstance(dim, tg.Tensor):
        return of_two(input, dim)
    if dim is None:
        return of_all(input)
    if input.ndim == 0:
        raise Unsupported("an axis of a single number")
    found = tg.take_along_axis(input, np.expand_dims(place(input, axis=dim), dim), dim)
    return found if keepdim else tg.squeeze(found, dim)


@beside("cumsum")
def cumsum(input, dim, dtype=None):
    return tg.cumsum(input, dim)


@beside("cumprod")
def cumprod(input, dim, dtype=None):
    return tg.cumprod(input, dim)


@beside("softmax")
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return tg.softmax(input, named(dim))


@beside("log_softmax")
def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return tg.log_softmax(input, named(dim))


def named(dim):
    if dim is None:
        raise Unsupported("no dim")
    return dim


@beside("torch.norm", "Tensor.norm")
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    if p not in ("fro", 2, None):
        raise Unsupported(f"p={p!r}")
    return tg.vector_norm(input, axes(dim), keepdim)


@beside("linalg.norm", "linalg.vector_norm")
def vector_norm(input, ord=2, dim=None, keepdim=False, dtype=None):
    if ord not in (2, None) or (isinstance(dim, tuple) and ord is not None):
        raise Unsupported(f"ord={ord!r}")
    return tg.vector_norm(input, axes(dim), keepdim)


@beside("sort")
def sort(input, dim=-1, descending=False, stable=None):
    places = tg.argsort(-input.data if descending else input.data, axis=dim, kind="stable")
    return tg.take_along_axis(input, places, dim)


@beside("topk")
def topk(input, k, dim=-1, largest=True, sorted=True):
    return tg.topk(input, k, dim, largest)[0]

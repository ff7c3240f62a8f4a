"""Sums, means, extrema, and what runs along an axis."""

import numpy as np

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside, not_at


def axes(dim):
    return tuple(dim) or None if isinstance(dim, tuple | list) else dim


beside("sum")(lambda input, dim=None, keepdim=False, dtype=None: tg.sum(input, axes(dim), keepdim))
beside("mean")(lambda input, dim=None, keepdim=False, dtype=None: tg.mean(input, axes(dim), keepdim))
beside("prod")(lambda input, dim=None, keepdim=False, dtype=None: tg.prod(input, dim, keepdim))


@beside("var")
def var(input, dim=None, unbiased=None, keepdim=False, correction=1):
    return tg.var(input, **spread(dim, unbiased, keepdim, correction))


@beside("std")
def std(input, dim=None, unbiased=None, keepdim=False, correction=1):
    return tg.std(input, **spread(dim, unbiased, keepdim, correction))


def spread(dim, unbiased, keepdim, correction):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return {
        "axis": axes(dim),
        "keepdims": keepdim,
        "ddof": int(unbiased) if unbiased is not None else 1 if correction is None else correction,
    }


@beside("var_mean")
def var_mean(input, dim=None, unbiased=None, keepdim=False, correction=1):
    options = spread(dim, unbiased, keepdim, correction)
    return tg.var(input, **options), tg.mean(input, options["axis"], keepdim)


@beside("std_mean")
def std_mean(input, dim=None, unbiased=None, keepdim=False, correction=1):
    options = spread(dim, unbiased, keepdim, correction)
    return tg.std(input, **options), tg.mean(input, options["axis"], keepdim)


beside("nansum")(lambda input, dim=None, keepdim=False, dtype=None: tg.nansum(input, axes(dim), keepdim))
beside("nanmean")(lambda input, dim=None, keepdim=False, dtype=None: tg.nanmean(input, axes(dim), keepdim))
beside("trace")(lambda input: tg.trace(input))


@beside("sum_to_size")
def sum_to_size(input, *size):
    size = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    before = input.ndim - len(size)
    summed = tuple([i for i, n in enumerate(input.shape) if i < before or (size[i - before] == 1 and n != 1)])
    return tg.reshape(tg.sum(input, summed), size) if summed else tg.reshape(input, size)


@beside("logsumexp")
def logsumexp(input, dim, keepdim=False):
    y = tg.logsumexp(input, axes(dim), keepdim)
    not_at(np.isneginf(y.data), "where all are -inf")
    return y


beside("amax")(lambda input, dim=(), keepdim=False: tg.amax(input, axes(dim), keepdim))
beside("amin")(lambda input, dim=(), keepdim=False: tg.amin(input, axes(dim), keepdim))
beside("cumsum")(lambda input, dim, dtype=None: tg.cumsum(input, dim))
beside("cumprod")(lambda input, dim, dtype=None: tg.cumprod(input, dim))


@beside("logcumsumexp")
def logcumsumexp(input, dim):
    """log of the sum of exp(x - m), plus m: m is the largest entry so far, a constant."""
    if input.ndim == 0:
        return tg.reshape(input, ())
    x = input.data
    wide = tg.expand_dims(input, dim % x.ndim)  # (..., 1, n, ...): row i sees the entries up to i
    n = x.shape[dim]
    seen = np.tri(n, dtype=bool).reshape(n, n, *[1] * (x.ndim - 1 - dim % x.ndim))
    low = np.finfo(x.dtype).min
    return tg.logsumexp(tg.where(seen, wide, low), dim % x.ndim + 1)


beside("diff")(lambda input, n=1, dim=-1, prepend=None, append=None: tg.diff(input, n, dim, prepend, append))


@beside("gradient")
def gradient(input, spacing=None, dim=None, edge_order=1):
    axis = range(input.ndim) if dim is None else dim
    steps = [1.0 if spacing is None else spacing] if not isinstance(spacing, tuple | list) else spacing
    axis = axis if isinstance(axis, int) else tuple(axis)
    found = tg.gradient(input, *[getattr(h, "data", h) for h in steps], axis=axis, edge_order=edge_order)
    return found if isinstance(found, tuple | list) else [found]


def between(y, x, dx, dim):
    """Return the areas below the chords from each entry to the next."""
    if y.ndim == 0:
        raise Unsupported("a single number")
    n = y.shape[dim]
    means = (tg.narrow(y, dim, 1, n - 1) + tg.narrow(y, dim, 0, n - 1)) / 2
    if x is None:
        return means * dx
    if x.ndim == 1 and y.ndim > 1:
        x = tg.reshape(x, (-1, *[1] * (y.ndim - 1 - dim % y.ndim)))
        return means * tg.diff(x, axis=0)
    return means * tg.diff(x, axis=dim)


beside("trapezoid", "trapz")(lambda y, x=None, dx=1.0, dim=-1: tg.sum(between(y, x, dx, dim), dim))
beside("cumulative_trapezoid")(lambda y, x=None, dx=1.0, dim=-1: tg.cumsum(between(y, x, dx, dim), dim))
beside("softmax")(lambda input, dim=None, _stacklevel=3, dtype=None: tg.softmax(input, named(dim)))
beside("log_softmax")(lambda input, dim=None, _stacklevel=3, dtype=None: tg.log_softmax(input, named(dim)))


def named(dim):
    if dim is None:
        raise Unsupported("no dim")
    return dim


@beside("aten._safe_softmax")
def safe_softmax(input, dim, dtype=None):
    """A row of -inf becomes a row of 0."""
    empty = np.isneginf(input.data).all(dim, keepdims=True)
    return tg.where(empty, 0.0, tg.softmax(tg.where(empty, 0.0, input), dim))


@beside("aten._softmax_backward_data")
def softmax_backward(grad_output, output, dim, input_dtype):
    return output * (grad_output - tg.sum(grad_output * output, dim, True))


@beside("torch.norm", "Tensor.norm")
def norm(input, p="fro", dim=None, keepdim=False, dtype=None, out=None):
    if p == "nuc":
        return tg.norm(input, "nuc", (0, 1) if dim is None else axes(dim), keepdim)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


@beside("linalg.vector_norm")
def vector_norm(x, ord=2, dim=None, keepdim=False, dtype=None):
    return tg.vector_norm(x, axes(dim), keepdim, ord)


beside("linalg.matrix_norm")(lambda input, ord="fro", dim=(-2, -1), keepdim=False, dtype=None: tg.norm(input, ord, tuple(dim), keepdim))


@beside("linalg.norm")
def either_norm(A, ord=None, dim=None, keepdim=False, dtype=None):
    taken = tuple(range(A.ndim)) if dim is None and ord is not None else dim
    if ord is not None and isinstance(taken, tuple | list) and len(taken) == 2:
        return tg.norm(A, ord, tuple(taken), keepdim)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim)


beside("dist")(lambda input, other, p=2: tg.vector_norm(tg.sub(input, other), ord=p))
beside("pairwise_distance")(lambda x1, x2, p=2.0, eps=1e-6, keepdim=False: tg.vector_norm(tg.sub(x1, x2) + eps, -1, keepdim, p))
beside("cdist")(lambda x1, x2, p=2.0, compute_mode=None: tg.vector_norm(tg.sub(tg.unsqueeze(x1, -2), tg.unsqueeze(x2, -3)), -1, False, p))


@beside("pdist")
def pdist(input, p=2):
    first, second = np.triu_indices(input.shape[0], 1)
    return tg.vector_norm(tg.sub(tg.getitem(input, first), tg.getitem(input, second)), -1, False, p)


@beside("cov")
def cov(input, correction=1, fweights=None, aweights=None):
    x = tg.reshape(input, (1, -1)) if input.ndim < 2 else input
    weights = np.ones(x.shape[1])
    for given in (fweights, aweights):
        if getattr(given, "node", None) is not None:
            raise Unsupported("a derivative with respect to the weights")
        weights = weights if given is None else weights * np.asarray(getattr(given, "data", given))
    total = weights.sum()
    count = total - correction
    if aweights is not None and correction:
        count = total - correction * (weights * np.asarray(aweights.data)).sum() / total
    centred = x - tg.sum(x * weights, 1, True) / total
    return tg.squeeze(tg.matmul(centred * weights, centred.T) / max(count, 0))


@beside("corrcoef")
def corrcoef(input):
    C = cov(input)
    if C.ndim == 0:
        return C / C
    spread = tg.sqrt(tg.diagonal(C))
    return C / tg.unsqueeze(spread, 1) / tg.unsqueeze(spread, 0)

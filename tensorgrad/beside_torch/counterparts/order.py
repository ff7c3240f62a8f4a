"""Functions that depend on the order of entries. Of equal entries PyTorch takes one, where ours would share: its choice is taken over."""

import numpy as np
import torch

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside, not_at


def picked(input, dim, places, keepdim=True):
    """Return the entries at PyTorch's places along an axis."""
    places = places.numpy()
    if input.ndim == 0:
        return tg.reshape(input, ())
    if places.ndim < input.ndim:
        places = np.expand_dims(places, dim)
    found = tg.take_along_axis(input, places, dim)
    return found if keepdim else tg.squeeze(found, dim)


@beside("sort", "topk", "msort", theirs=True)
def sort(input, *args, theirs, **options):
    if isinstance(theirs.result, torch.Tensor):  # msort
        return picked(input, 0, theirs.first.detach().sort(0)[1])
    named = theirs.function.__name__ == "sort"
    dim = options.get("dim", -1) if named and not args else args[0 if named else 1] if len(args) > (not named) else options.get("dim", -1)
    return picked(input, dim, theirs.result[1])


beside("cummax", "cummin", theirs=True)(lambda input, dim, theirs: picked(input, dim, theirs.result[1]))
beside("kthvalue", theirs=True)(lambda input, k, dim=-1, keepdim=False, theirs=None: picked(input, dim, theirs.result[1], keepdim))
beside("mode", theirs=True)(lambda input, dim=-1, keepdim=False, theirs=None: picked(input, dim, theirs.result[1], keepdim))


@beside("torch.max", "torch.min", "Tensor.max", "Tensor.min", theirs=True)
def extremum(input, dim=None, keepdim=False, other=None, theirs=None):
    """max(dim) gives the whole derivative to the entry whose index it returns; max() shares it, as ours does."""
    name = theirs.function.__name__
    other = dim if isinstance(dim, tg.Tensor | np.ndarray) else other
    if other is not None:
        return getattr(tg, f"{name}imum")(input, other)
    if dim is None:
        return getattr(tg, f"a{name}")(input)
    return picked(input, dim, theirs.result[1], keepdim)


beside("aminmax")(lambda input, dim=None, keepdim=False: (tg.amin(input, dim, keepdim), tg.amax(input, dim, keepdim)))


@beside("median", "nanmedian", theirs=True)
def median(input, dim=None, keepdim=False, theirs=None):
    """median() finds the place of its result as PyTorch's backward pass does: equal entries share, for nanmedian too."""
    if dim is not None:
        return picked(input, dim, theirs.result[1], keepdim)
    value = theirs.result.detach().numpy()
    same = np.isnan(input.data) if np.isnan(value) else input.data == value
    return tg.sum(tg.where(same, input, 0)) / same.sum()


@beside("quantile", "nanquantile", theirs=True)
def quantile(input, q, dim=None, keepdim=False, interpolation="linear", theirs=None):
    """A quantile lies between two entries of the sorted ones, weighed by the distances."""
    if isinstance(q, tg.Tensor) and q.node is not None:
        raise Unsupported("a derivative with respect to q")
    shares = np.asarray(q.data if isinstance(q, tg.Tensor) else q, float)
    x = tg.reshape(input, (-1,)) if dim is None or not input.ndim else tg.moveaxis(input, dim, -1)
    order = torch.tensor(x.data).sort(-1)[1].numpy()
    x = tg.take_along_axis(x, order, -1)
    count = np.full(x.shape[:-1], x.shape[-1])
    if theirs.function.__name__ == "nanquantile":
        count = count - np.isnan(x.data).sum(-1)
    elif np.isnan(x.data).any():
        raise Unsupported("nan")
    position = shares.reshape(-1, *[1] * count.ndim) * (count - 1)
    if interpolation == "nearest":
        position = np.round(position)
    before = np.floor(position) if interpolation != "higher" else np.ceil(position)
    after = before if interpolation == "lower" else np.ceil(position)
    weight = 0.5 if interpolation == "midpoint" else position - before
    found = []
    for low, high, w in zip(before, after, weight if np.ndim(weight) else [weight] * len(before)):
        a, b = [tg.take_along_axis(x, np.maximum(i, 0).astype(int)[..., None], -1)[..., 0] for i in (low, high)]
        not_at((x.data == b.data[..., None]).sum(-1) > 1, "among equal entries")
        found.append(a if np.array_equal(low, high) else tg.lerp(a, b, w))
    y = tg.stack(found)
    if keepdim and input.ndim:
        y = tg.reshape(y, (len(found), *[1] * input.ndim)) if dim is None else tg.unsqueeze(y, 1 + dim % input.ndim)
    return y if shares.ndim else y[0]


@beside("renorm")
def renorm(input, p, dim, maxnorm):
    """Each slice whose norm is above maxnorm is scaled down to it."""
    others = tuple([i for i in range(input.ndim) if i != dim % input.ndim])
    length = tg.vector_norm(input, others, True, p)
    return tg.where(length.data > maxnorm, input * (maxnorm / (length + 1e-7)), input)

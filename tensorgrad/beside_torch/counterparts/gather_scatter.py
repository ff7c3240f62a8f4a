"""Functions that read from, write to, and add to places of a tensor."""

import numpy as np

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.shapes import plain, with_values_at
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside


@beside("index_put")
def index_put(input, indices, values, accumulate=False):
    indices = plain_all(indices)
    return tg.index_put(input, indices, values, True) if accumulate else with_values_at(input, indices, values)


def plain_all(indices):
    return tuple([slice(None) if i is None else plain(i) for i in indices])


@beside("torch._unsafe_masked_index")
def masked_index(input, mask, indices, fill):
    """Places outside of the mask may be outside of the tensor."""
    inside = tuple([i if i is None else np.clip(i, 0, n - 1) for i, n in zip(indices, input.shape)])
    return tg.where(mask, tg.getitem(input, plain_all(inside)), fill)


@beside("torch._unsafe_masked_index_put_accumulate")
def masked_index_put(input, mask, indices, values):
    inside = tuple([i if i is None else np.clip(i, 0, n - 1) for i, n in zip(indices, input.shape)])
    return tg.index_put(input, plain_all(inside), tg.where(mask, values, 0.0), accumulate=True)


@beside("put")
def put(input, index, source, accumulate=False):
    index, source = (index.ravel(),), tg.reshape(source, (-1,))
    flat = tg.reshape(input, (-1,))
    flat = tg.index_put(flat, index, source, True) if accumulate else with_values_at(flat, index, source)
    return tg.reshape(flat, input.shape)


@beside("index_copy")
def index_copy(input, dim, index, source):
    if input.ndim == 0:
        return tg.add(tg.reshape(source, ()), 0)
    return with_values_at(input, (slice(None),) * (dim % input.ndim) + (np.atleast_1d(index),), source)


@beside("index_fill")
def index_fill(input, dim, index, value):
    return tg.index_put(input, (slice(None),) * (dim % input.ndim) + (np.atleast_1d(index),), value) if input.ndim else value + 0 * input


@beside("index_add")
def index_add(input, dim, index, source, alpha=1):
    source = source if alpha == 1 else source * alpha
    if input.ndim == 0:
        return tg.add(input, tg.sum(source))
    index = np.atleast_1d(index)
    source = tg.reshape(source, (len(index),)) if source.ndim == 0 else source
    return tg.index_put(input, (slice(None),) * (dim % input.ndim) + (index,), source, accumulate=True)


def places_of(input, dim, index):
    """Return the index arrays at which scatter writes along an axis: at [index[i, j], j] for dim 0."""
    places = list(np.indices(index.shape, sparse=True))
    places[dim % input.ndim] = index
    return tuple(places)


@beside("scatter")
def scatter(input, dim, index, src=None, value=None, reduce=None):
    src = value if src is None else src
    if reduce is not None:
        return scatter_reduce(input, dim, index, src, {"add": "sum", "multiply": "prod"}[reduce])
    if input.ndim == 0:
        return tg.add(tg.reshape(src, ()), 0) if isinstance(src, tg.Tensor) else tg.where(True, src, input)
    src = tg.getitem(src, tuple([slice(n) for n in index.shape])) if isinstance(src, tg.Tensor) else src
    return with_values_at(input, places_of(input, dim, index), src)


@beside("scatter_reduce")
def scatter_reduce(input, dim, index, src, reduce, include_self=True):
    if input.ndim == 0:
        input, index, src = [x.reshape(1) if isinstance(x, np.ndarray) else tg.reshape(x, (1,)) for x in (input, index, src)]
        return tg.reshape(scatter_reduce(input, 0, index, src, reduce, include_self), ())
    if index.ndim == 0:
        index, src = index.reshape(1), tg.reshape(src, (1,)) if isinstance(src, tg.Tensor) else src
    if not isinstance(src, tg.Tensor):
        src = np.full(index.shape, src, input.dtype)
    src = tg.getitem(src, tuple([slice(n) for n in index.shape])) if src.shape != index.shape else src
    return reduced(input, places_of(input, dim, index), src, reduce, include_self)


@beside("index_reduce")
def index_reduce(input, dim, index, source, reduce, include_self=True):
    if input.ndim == 0:
        wide = reduced(tg.reshape(input, (1,)), (np.atleast_1d(index),), tg.reshape(source, (-1,)), reduce, include_self)
        return tg.reshape(wide, ())
    return reduced(input, (slice(None),) * (dim % input.ndim) + (index,), source, reduce, include_self)


def reduced(input, places, src, reduce, include_self):
    """Return x with src reduced into its places: entries of x count if include_self is true, or if nothing is written there."""
    counts = np.zeros(input.shape, int)
    np.add.at(counts, places, 1)
    kept = (counts == 0) | include_self
    total = counts + include_self * (counts > 0)
    if reduce in ("sum", "mean"):
        y = tg.index_put(tg.where(kept, input, 0.0), places, src, accumulate=True)
        return y if reduce == "sum" else y / np.maximum(total, 1)
    slots, slot = slots_of(input.shape, counts, places)
    empty = {"prod": 1.0, "amax": -np.inf, "amin": np.inf}[reduce]
    wide = tg.index_put(np.full((*input.shape, counts.max(initial=0)), empty, input.dtype), slots, src)
    wide = tg.concatenate([wide, tg.unsqueeze(tg.where(kept, input, empty), -1)], -1)
    return getattr(tg, reduce)(wide, -1)


def slots_of(shape, counts, places):
    """Return the places with one more index, so that entries for the same place are apart, and that index."""
    flat = np.broadcast_to(np.arange(counts.size).reshape(shape)[places], np.shape(np.arange(counts.size).reshape(shape)[places]))
    order = np.argsort(flat, axis=None, kind="stable")
    sorted_places = flat.ravel()[order]
    first = np.searchsorted(sorted_places, sorted_places)
    slot = np.empty(flat.size, int)
    slot[order] = np.arange(flat.size) - first
    return (*np.unravel_index(flat, shape), slot.reshape(flat.shape)), slot


@beside("torch.segment_reduce", "torch._segment_reduce")
def segment_reduce(data, reduce, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """Reduce runs of entries along an axis, from their lengths or their offsets."""
    if lengths is None and offsets is None:
        raise Unsupported("neither lengths nor offsets")
    bounds = np.asarray(offsets) if lengths is None else np.insert(np.cumsum(lengths, -1), 0, 0, -1)
    if bounds.ndim > 1:
        parts = [segments(tg.getitem(data, at), bounds[at], reduce, initial) for at in np.ndindex(bounds.shape[:-1])]
        return tg.reshape(tg.stack(parts), (*bounds.shape[:-1], *parts[0].shape))
    return segments(data, bounds, reduce, initial)


def segments(data, bounds, reduce, initial):
    found = []
    for a, b in zip(bounds[:-1], bounds[1:]):
        part = tg.getitem(data, slice(int(a), int(b)))
        if initial is not None:
            part = tg.concatenate([np.full((1, *data.shape[1:]), initial, data.dtype), part])
        elif a == b:
            raise Unsupported("an empty segment")
        name = {"max": "amax", "min": "amin"}.get(reduce, reduce)
        if reduce == "mean":
            found.append(tg.sum(part, 0) / max(int(b - a), 1))
        else:
            found.append(getattr(tg, name)(part, 0))
    return tg.stack(found)


@beside("embedding_bag", theirs=True)
def embedding_bag(
    input, weight, offsets=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean", sparse=False,
    per_sample_weights=None, include_last_offset=False, padding_idx=None, theirs=None,
):  # fmt: skip
    """Sum, mean or largest of the rows of each bag. Of equal largest entries the first gets the derivative, as in PyTorch."""
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise Unsupported("max_norm, scale_grad_by_freq or sparse")
    if input.ndim == 2:
        bag = np.repeat(np.arange(input.shape[0]), input.shape[1])
        count, index = input.shape[0], input.ravel()
        if per_sample_weights is not None:
            per_sample_weights = tg.reshape(per_sample_weights, (-1,))
    else:
        starts = offsets[:-1] if include_last_offset else offsets
        count, index = len(starts), input
        bag = np.searchsorted(starts, np.arange(len(input)), "right") - 1
    if padding_idx is not None:
        used = index != padding_idx % weight.shape[0]
        bag, index = bag[used], index[used]
        per_sample_weights = None if per_sample_weights is None else tg.getitem(per_sample_weights, used)
    rows = tg.getitem(weight, index)
    if mode == "max":
        found = []
        for b in range(count):
            own = np.flatnonzero(bag == b)
            if not len(own):
                found.append(np.zeros(weight.shape[1], weight.dtype))
                continue
            first = own[rows.data[own].argmax(0)]
            found.append(tg.getitem(rows, (first, np.arange(weight.shape[1]))))
        return tg.stack(found)
    if per_sample_weights is not None:
        rows = rows * tg.unsqueeze(per_sample_weights, -1)
    y = tg.index_put(np.zeros((count, weight.shape[1]), weight.dtype), (bag,), rows, accumulate=True)
    return y if mode == "sum" else y / np.maximum(np.bincount(bag, minlength=count), 1)[:, None]

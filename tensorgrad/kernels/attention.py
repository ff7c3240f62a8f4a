"""Attention for large arrays: all scores at once, or with `causal` those of some queries at a time, against the keys that they may
attend to. The scores are saved for the backward pass.

Legend: q (..., L, E), k (..., S, E), v (..., S, V). For a part of the queries e = exp(scores - largest score), P = e / Σ e = e · r. (If all
scores are small, e = exp(scores).)
The backward pass needs e and r. With D = rowsum(dP ⊙ P): dscores = P ⊙ (dP - D), dq = dscores k · scale, dk = dscoresᵀ q · scale,
dv = Pᵀ G.
"""

from math import exp, prod

import numpy as np

from tensorgrad.kernels.blocks import slices
from tensorgrad.kernels.registry import kernel

FOR_THREADS = 1 << 16  # scores of a part from which several threads are faster
QUERIES = 64  # at a time, if causal
SMALL = 16.0  # scores up to this size, whose exponentials are between 1e-7 and 1e7


def parts(queries, keys, causal):
    """Return slices (queries, keys): the keys that some of the queries may attend to."""
    if not causal:
        return [(slice(0, queries), slice(0, keys))]
    ends = [(start, min(start + QUERIES, queries)) for start in range(0, queries, QUERIES)]
    return [(slice(start, end), slice(0, min(end, keys))) for start, end in ends]


def forward(q, k, v, hidden, causal, scale):
    """Return the output, and (part of the batch, part, e, r) for each part. `hidden` (L, S) or (..., L, S) marks keys that a query may
    not attend to.
    """
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    y, places, calls, found = like(q, (*lead, q.shape[-2], v.shape[-1])), [], [], []
    for some in batch_parts(lead, q.shape[-2] * k.shape[-2]):
        of = [at(x, some, lead) for x in (y, q, k, v, hidden)]
        for rows, columns in parts(q.shape[-2], k.shape[-2], causal):
            places.append((some, rows, columns))
            calls.append(of_part(*of, rows, columns, scale))
    of_queries.each(calls, then=found.append)
    return y, [(*place, *both) for place, both in zip(places, found)]


def batch_parts(lead, scores):
    """Return slices of the first axis of a batch, eight at most; one if there are few scores."""
    many = min(8, prod(lead) * scores // FOR_THREADS) if lead else 1
    return slices(lead[0], -(-lead[0] // many)) if many > 1 else [slice(None)]


def at(x, some, lead):
    """Return some entries along the first axis of the batch; x may lack that axis, or repeat one entry along it."""
    return x[some] if x is not None and x.ndim == len(lead) + 2 and lead and x.shape[0] > 1 else x


def of_part(y, q, k, v, hidden, rows, columns, scale):
    """Return the arguments of of_queries for a part of the queries."""
    seen = k[..., columns, :], v[..., columns, :], None if hidden is None else hidden[..., rows, columns]
    return y[..., rows, :], q[..., rows, :], *seen, scale


@kernel("attention")
def of_queries(y, q, k, v, hidden, scale):
    """Fill y with the attention of queries; return e and r."""
    e = (q * scale) @ k.mT
    least = exponentials(e, hidden)
    r = 1 / np.maximum(e @ np.ones((e.shape[-1], 1), e.dtype), least)  # a smaller sum means that the row has no key
    np.multiply(np.matmul(e, v, out=y), r, out=y)
    return e, r


@kernel("attention_vjp")
def to_queries(dq, dk, dv, g, q, k, v, e, r, scale, more):
    """Fill dq, dk and dv, or with `more` add to dk and dv; g is dz/dy."""
    g, q = g * r, q * scale
    s = g @ v.mT
    np.subtract(s, (np.vecdot(s, e) * r[..., 0])[..., None], out=s)
    np.multiply(s, e, out=s)
    np.multiply(np.matmul(s, k, out=dq), scale, out=dq)
    for to, left, right in ((dk, s, q), (dv, e, g)):
        np.add(to, left.mT @ right, out=to) if more else np.matmul(left.mT, right, out=to)


def exponentials(e, hidden):
    """Replace scores by their exponentials, 0 where hidden, relative to the largest of a row. Return the smallest sum of a row with a key.

    Small scores are not compared: then exp is as exact without a shift.
    """
    if np.maximum.reduce(e, None, initial=-np.inf) <= SMALL and np.minimum.reduce(e, None, initial=np.inf) >= -SMALL:
        np.exp(e, out=e)
        if hidden is not None:
            np.multiply(e, (~hidden).astype(e.dtype), out=e)
        return exp(-SMALL) / 2
    if hidden is not None:
        np.copyto(e, -np.inf, where=hidden)
    top = np.maximum.reduce(e, -1, keepdims=True, initial=-np.inf)
    np.subtract(e, np.where(top == -np.inf, 0, top), out=e)
    np.exp(e, out=e)
    return 1


def contributions(G, q, k, v, saved, scale):
    """Return dz/dq, dz/dk, dz/dv; their axes in front are those of the output."""
    lead = G.shape[:-2]
    dq, dk, dv = [like(x, (*lead, *x.shape[-2:])) for x in (q, k, v)]
    turns: dict = {}  # {queries: the parts of the batch for them}: what one adds to dk and dv, the next may not add to at once
    whole = all(rows == slice(0, q.shape[-2]) and columns == slice(0, k.shape[-2]) for _, rows, columns, _, _ in saved)
    if not whole:
        dk[...], dv[...] = 0, 0
    for some, rows, columns, e, r in saved:
        of = [at(x, some, lead) for x in (dq, dk, dv, G, q, k, v)]
        turns.setdefault(rows.start, []).append((*to_part(*of, rows, columns), e, r, scale, not whole))
    for calls in turns.values():
        to_queries.each(calls)
    return dq, dk, dv


def to_part(dq, dk, dv, G, q, k, v, rows, columns):
    """Return the arrays of to_queries for a part of the queries."""
    of_rows, of_columns = (..., rows, slice(None)), (..., columns, slice(None))
    return dq[of_rows], dk[of_columns], dv[of_columns], G[of_rows], q[of_rows], k[of_columns], v[of_columns]


def like(x, shape):
    """Return a new array whose axes have the order of x in memory, so that heads can be joined again without a copy."""
    return np.empty_like(x, shape=shape) if len(shape) == x.ndim else np.empty(shape, x.dtype)

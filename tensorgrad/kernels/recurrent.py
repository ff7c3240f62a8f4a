"""All steps of a recurrent layer. Products with the weights, and what each step needs of the ones before it, are done step by step;
derivatives of the gates and sums over the steps at once.

Legend: a (L, n, gates · H), h and c (n, H), W (gates · H, H) and b as in functions/recurrent.py; D holds the factors that the total
of a state is multiplied by. A sigmoid is computed as (1 + tanh(x / 2)) / 2, so that one call of tanh gives all gates.
"""

import numpy as np

FEW = 4  # steps for which a copy of the weights takes longer than it saves


def of_one_dtype(a, *others):
    """Return a copy of a, and the other arrays, in the dtype of all."""
    dtype = np.result_type(a, *[x for x in others if x is not None])
    return np.array(a, dtype), *[x if x is None else x.astype(dtype, copy=False) for x in others]


def before(h, y, steps):
    """Return the state before each step."""
    return np.concatenate([h[None], y[: steps - 1]])


def rows(x):
    return x.reshape(-1, x.shape[-1])


def transposed(W, steps):
    """Return Wᵀ; for many steps as an array of its own, since a product with it is faster."""
    return np.ascontiguousarray(W.mT) if steps > FEW else W.mT


def contributions(slots, *makers):
    """Return what the makers give for the slots that need a contribution."""
    return [makers[slot]() for slot in slots]


# A simple layer


def rnn_forward(slots, a, h, W, b, nonlinearity):
    a, h, W, b = of_one_dtype(a, h, W, b)
    y = np.empty((len(a), *h.shape), a.dtype)
    weights = transposed(W, len(a))
    if b is not None:
        a += b
    for t, out in enumerate(y):
        np.matmul(y[t - 1] if t else h, weights, out=out)
        out += a[t]
        if nonlinearity == "tanh":
            np.tanh(out, out=out)
        else:
            np.maximum(out, 0, out=out)
    return y, (h, y, W, nonlinearity)


def rnn_backward(G, aux, slots):
    h, y, W, nonlinearity = aux
    da, dh = (1 - y * y if nonlinearity == "tanh" else (y > 0).astype(y.dtype)), np.zeros_like(h)
    for t in reversed(range(len(da))):
        dh += G[t]
        da[t] *= dh
        np.matmul(da[t], W, out=dh)
    return contributions(slots, lambda: da, lambda: dh, lambda: rows(da).T @ rows(before(h, y, len(y))), lambda: rows(da).sum(0))


# LSTM. Gates lie one after the other, (L, 4, n, H), so that each is one piece of memory; the product with each is one of its own.


def split_gates(x, gates):
    """Return x (..., gates · H) as (gates, ..., H)."""
    return np.moveaxis(x.reshape(*x.shape[:-1], gates, -1), -2, 0)


def lstm_forward(slots, a, h, c, W, b):
    dtype = np.result_type(*[x for x in (a, h, c, W, b) if x is not None])
    h, c, W = [x.astype(dtype, copy=False) for x in (h, c, W)]
    L, (n, H) = len(a), h.shape
    y = np.empty((L + 1, n, H), dtype)
    scale = np.array([0.5, 0.5, 1, 0.5], dtype)[:, None, None]  # sigmoid, sigmoid, tanh, sigmoid
    shift = np.array([0.5, 0.5, 0, 0.5], dtype)[:, None, None]
    gates = split_gates(a if b is None else a + b, 4).swapaxes(0, 1).astype(dtype, order="C")  # (L, 4, n, H)
    weights, product = transposed(W.reshape(4, H, H), L), np.empty((4, n, H), dtype)
    cells, squashed = np.empty((2, L, n, H), dtype)
    for t, at in enumerate(gates):
        at += np.matmul(y[t - 1] if t else h, weights, out=product)
        at *= scale
        np.tanh(at, out=at)
        at *= scale
        at += shift
        i, f, g, o = at
        np.multiply(f, cells[t - 1] if t else c, out=cells[t])
        cells[t] += np.multiply(i, g, out=squashed[t])
        np.tanh(cells[t], out=squashed[t])
        np.multiply(o, squashed[t], out=y[t])
    y[-1] = cells[-1]
    return y, (h, y, gates, c, cells, squashed, W)


def lstm_backward(G, aux, slots):
    h, y, gates, c, cells, squashed, W = aux
    L, n, H = cells.shape
    i, f, g, o = gates.swapaxes(0, 1)
    D = gates - gates * gates
    D[:, 2] += 1 - g  # so far g - g²; below it is 1 - g²
    D[:, 0] *= g
    D[1:, 1] *= cells[:-1]
    D[0, 1] *= c
    D[:, 2] *= i
    D[:, 3] *= squashed
    into_c = o * (1 - squashed * squashed)
    dh, dc, weights, products = np.zeros_like(h), np.array(G[L]), W.reshape(4, H, H), np.empty((4, n, H), W.dtype)
    for t in reversed(range(L)):
        dh += G[t]
        dc += np.multiply(dh, into_c[t], out=into_c[t])
        D[t, :3] *= dc
        D[t, 3] *= dh
        np.add.reduce(np.matmul(D[t], weights, out=products), 0, out=dh)
        dc *= f[t]
    da = D.swapaxes(1, 2).reshape(L, n, 4 * H)
    return contributions(slots, lambda: da, lambda: dh, lambda: dc, lambda: rows(da).T @ rows(before(h, y, L)), lambda: rows(da).sum(0))


# GRU


def gru_forward(slots, a, h, W, b):
    a, h, W, b = of_one_dtype(a, h, W, b)
    H = W.shape[1]
    y = np.empty((len(a), *h.shape), a.dtype)
    products = np.empty_like(a)  # W h + b; the part of n is needed again
    weights = transposed(W, len(a))
    for t, (gates, product) in enumerate(zip(a, products)):
        np.matmul(y[t - 1] if t else h, weights, out=product)
        if b is not None:
            product += b
        both, n = gates[:, : 2 * H], gates[:, 2 * H :]
        both += product[:, : 2 * H]
        both *= 0.5
        np.tanh(both, out=both)
        both *= 0.5
        both += 0.5
        n += np.multiply(both[:, :H], product[:, 2 * H :], out=y[t])
        np.tanh(n, out=n)
        np.subtract(y[t - 1] if t else h, n, out=y[t])
        y[t] *= both[:, H:]
        y[t] += n
    return y, (h, y, a, np.array(products[..., 2 * H :]), W)


def gru_backward(G, aux, slots):
    h, y, gates, u, W = aux
    L, n, H = u.shape
    r, z, new = np.moveaxis(gates.reshape(L, n, 3, H), 2, 0)
    D = np.empty((L, n, 4, H), gates.dtype)  # of r, z, r dn and dn: the first three are the total of W h + b
    np.multiply(1 - z, 1 - new * new, out=D[:, :, 3])
    np.multiply(D[:, :, 3], r, out=D[:, :, 2])
    np.multiply(D[:, :, 2] * (1 - r), u, out=D[:, :, 0])
    held = before(h, y, L)
    np.multiply(held - new, z - z * z, out=D[:, :, 1])
    du, dh, product = D.reshape(L, n, 4 * H)[..., : 3 * H], np.zeros_like(h), np.empty_like(h)
    for t in reversed(range(L)):
        dh += G[t]
        D[t] *= dh[:, None]
        dh *= z[t]
        dh += np.matmul(du[t], W, out=product)
    da = lambda: D[:, :, [0, 1, 3]].reshape(L, n, 3 * H)
    return contributions(slots, da, lambda: dh, lambda: rows(np.ascontiguousarray(du)).T @ rows(held), lambda: du.sum((0, 1)))

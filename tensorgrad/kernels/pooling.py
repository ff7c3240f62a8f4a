"""The largest entry of each window, one axis after the other; its gradient, one place of the window after the other."""

import numpy as np

from tensorgrad.windows import along_each_axis, inside, padded, places, spatial, tap, volume


def window_max(slots, x, window):
    """The maximum over a box is the maximum along one axis of the maxima along the others."""
    wide = padded(x, window, -np.inf)
    d = len(window.kernel)
    for one, n in along_each_axis(window, window.count(spatial(x, d)), spatial(wide, d)):
        first, *others = [tap(wide, one, k, n) for k in places(one)]
        for i, seen in enumerate(others):
            first = np.maximum(first, seen, out=first if i else None)
        wide = first
    y = wide if wide.base is None else wide.copy("K")
    return y, (x, y, window)


def window_max_pulls(G, aux, slots):
    """G, divided by how many entries share the maximum, at each of them."""
    x, y, window = aux
    wide = padded(x, window, np.nan)
    count = y.shape[y.ndim - len(window.kernel) :]
    largest = [tap(wide, window, k, count) == y for k in places(window)]
    sharing = np.add.reduce([chosen.view(np.uint8) for chosen in largest], axis=0, dtype=np.uint8 if volume(window) < 256 else np.intp)
    if (sharing != 1).any():
        G = np.divide(G, sharing, dtype=G.dtype)
    apart = all(s >= r for s, r in zip(window.stride, window.reach))
    full = (
        apart
        and all(n * s == size for n, s, size in zip(count, window.stride, spatial(wide, len(count))))
        and window.kernel == window.stride
    )
    dx = np.empty_like(wide) if full else np.zeros_like(wide)
    for k, chosen in zip(places(window), largest):
        there = tap(dx, window, k, count)
        if apart:
            np.multiply(G, chosen, out=there)
        else:
            np.add(there, G * chosen, out=there)
    return [dx[inside(window, spatial(x, len(count)))]]

"""Running sums along the last axis of large arrays: in parts by a matrix product, because NumPy's own waits for each addition in turn."""

import numpy as np

PART = 32  # entries of a part
LONG = 4 * PART  # entries of an axis from which parts are faster
ONES = {np.dtype(kind): np.ones((PART, PART), kind) for kind in (np.float32, np.float64)}
FROM_START, FROM_END = [{kind: np.ascontiguousarray(part(ones)) for kind, ones in ONES.items()} for part in (np.triu, np.tril)]


def running_sum(x, from_end=False):
    """Return the running sums of a matrix along its rows, or those from the end. Rows with an inf or a nan are left to NumPy."""
    n = x.shape[1] // PART * PART
    parts = np.ascontiguousarray(x[:, x.shape[1] - n :] if from_end else x[:, :n]).reshape(len(x), -1, PART)
    sums = parts @ (FROM_END if from_end else FROM_START)[x.dtype]
    if from_end:
        before, rest = np.cumsum(sums[:, :0:-1, 0], 1)[:, ::-1], x[:, : x.shape[1] - n]
        sums[:, :-1] += before[..., None]
        sums = sums.reshape(len(x), n)
        found = np.concatenate([numpys(rest, True) + sums[:, :1], sums], 1) if n < x.shape[1] else sums
    else:
        before, rest = np.cumsum(sums[:, :-1, -1], 1), x[:, n:]
        sums[:, 1:] += before[..., None]
        sums = sums.reshape(len(x), n)
        found = np.concatenate([sums, numpys(rest) + sums[:, -1:]], 1) if n < x.shape[1] else sums
    return found if np.isfinite(found[:, 0 if from_end else -1]).all() else numpys(x, from_end)


def numpys(x, from_end=False):
    return np.cumsum(x[:, ::-1], 1)[:, ::-1] if from_end else np.cumsum(x, 1)

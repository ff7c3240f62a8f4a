"""Cases of sums, means, products, extremes, norms, running sums and sorting."""

import numpy as np

from tensorgrad.functions.averages import average, median, ptp
from tensorgrad.functions.differences import diff, gradient
from tensorgrad.functions.partial_reductions import nanmean, nanprod, nanstd, nansum, nanvar
from tensorgrad.rules.extrema import max, min, nanmax, nanmin
from tensorgrad.rules.linear_algebra.norms import norm, power_norm, vector_norm
from tensorgrad.rules.reductions import logsumexp, mean, prod, std, sum, var
from tensorgrad.rules.scans import cumprod, cumsum
from tensorgrad.rules.sorting import partition, sort, topk
from tests.tensorgrad.case import Case

AXES = [(a, k) for a in (0, -1, (0, 2), (-1, 1), (), None) for k in (False, True)]

away = lambda a: a + np.sign(a)  # from 0
positive = lambda a: np.abs(a) + 0.5
apart = lambda a: a + np.arange(a.size).reshape(a.shape) % 7 * 10.0  # no two are close
TIES = np.array([[1.0, 3.0, 3.0], [3.0, 3.0, 2.0]])
MASK = np.array([[[True], [False], [True]], [[True], [True], [False]]])  # broadcasts to (2, 3, 2)
HOLES = np.array([[1.0, np.nan, 2.5], [np.nan, np.nan, 0.5], [3.0, -1.0, np.nan]])
POINTS = np.array([0.0, 0.5, 2.0, 2.2])  # along an axis
ZEROS = [np.array(row) for row in ([0.0, 2.0, 3.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [4.0, 0.0, 2.0, -1.0, 0.5])]


def weighted(x, weights, **options):
    return average(x, weights=weights, **options)


CASES = [
    *[Case(f, (2, 3, 2), axis=a, keepdims=k) for f in (sum, mean, var, logsumexp, prod) for a, k in AXES],
    *[Case(f, (2, 3, 2), axis=a, keepdims=k, domain=apart) for f in (max, min) for a, k in AXES],
    *[Case(f, (), axis=a) for f in (sum, mean, prod, max, min, var, logsumexp, nanmax) for a in (None, 0, -1, (0,), (-1,))],
    *[Case(f, (), axis=(0,), domain=away) for f in (power_norm, norm)],
    *[Case(f, (0, 2)) for f in (sum, mean, prod, var)],
    *[Case(f, (0, 2), axis=1) for f in (sum, mean, prod, max, min, var, std, logsumexp, power_norm)],
    *[Case(f, (0, 2), axis=0) for f in (sum, prod)],
    *[Case(f, (5,)) for f in (prod, cumprod, logsumexp)],
    *[Case(f, TIES, axis=a, smooth=False, label="ties") for f in (max, min) for a in (None, 0, 1)],
    *[Case(f, x, label=f"zeros {i}") for i, x in enumerate(ZEROS) for f in (prod, cumprod)],
    *[Case(f, np.stack(ZEROS[:3]), axis=a, label="zeros") for f in (prod, cumprod) for a in (0, 1)],
    *[Case(f, (2, 3, 2), axis=a, keepdims=k, ddof=1) for f in (var, std) for a, k in [(None, False), (1, True), ((0, -1), False)]],
    *[Case(std, (2, 3, 2), axis=a, keepdims=k) for a, k in [(0, False), (-1, True), (None, False)]],
    *[Case(f, (3, 2), axis=0, domain=lambda a: a + 100) for f in (var, std)],
    *[Case(power_norm, (2, 3, 2), axis=a, keepdims=k) for a, k in AXES if a != ()],
    *[Case(power_norm, (2, 3), axis=1, keepdims=k, ord=p, domain=away) for p in (1, 2, 3, 1.5, -1, 0.5) for k in (False, True)],
    Case(power_norm, (), domain=away),
    *[Case(vector_norm, (2, 3), axis=0, ord=p, domain=apart) for p in (2, np.inf, -np.inf)],
    *[Case(norm, (2, 3), ord=p, domain=apart) for p in (None, "fro", 1, -1, np.inf, -np.inf)],
    *[Case(norm, (2, 3, 2), axis=a, keepdims=True, ord=p, domain=apart) for a, p in [((0, 2), 1), ((-1, 0), np.inf), (1, 3)]],
    *[
        Case(f, s, axis=a)
        for f in (cumsum, cumprod)
        for s, a in [((2, 3), None), ((2, 3), 0), ((2, 5), -1), ((), None), ((), 0), ((0, 2), 0)]
    ],
    *[
        Case(f, (2, 3, 2), axis=a, keepdims=k, where=MASK)
        for f in (sum, mean, prod, var)
        for a, k in [(None, False), (1, True), ((0, -1), False)]
    ],
    *[Case(std, (2, 3, 2), axis=a, keepdims=k, where=MASK, ddof=1) for a, k in [(None, False), ((0, 1), True)]],
    *[Case(f, (2, 3, 2), axis=1, where=MASK, initial=0.3, domain=apart, label="start") for f in (sum, prod, max, min)],
    *[Case(f, (2, 3), axis=a, initial=1.5, domain=apart, label="start") for f in (sum, prod, max, min) for a in (None, 0)],
    *[Case(f, (0, 3), axis=0, initial=1.5) for f in (max, min)],
    *[Case(f, np.array([1.0, 3.0, 3.0]), initial=3.0, smooth=False, label="tie with the start") for f in (max, min)],
    *[Case(f, (2, 3), axis=0, correction=1) for f in (var, std)],
    *[Case(f, np.array([[2.0, 2.0, 5.0]]), axis=1, where=[True, True, False], smooth=False, label="all equal") for f in (var, std)],
    *[
        Case(f, HOLES, axis=a, keepdims=k, smooth=False, label="holes")
        for f in (nansum, nanprod, nanmean, nanvar)
        for a, k in [(None, True), (0, False), (1, False)]
    ],
    *[Case(nanstd, HOLES, axis=a, smooth=False, label="holes") for a in (None, 0)],
    *[Case(f, HOLES, axis=a, smooth=False, label="holes") for f in (nanmax, nanmin) for a in (None, 0, 1)],
    *[Case(f, (2, 3), axis=a, keepdims=k, domain=apart) for f in (nanmax, nanmin, ptp) for a, k in [(None, False), (1, True)]],
    *[Case(f, TIES, axis=1, smooth=False, label="ties") for f in (nanmax, nanmin)],
    *[Case(f, (2, 3)) for f in (nansum, nanprod, nanmean, nanvar, nanstd)],
    Case(average, (2, 3), axis=1),
    *[
        Case(weighted, (2, 3), w, axis=a, keepdims=k, domain=positive)
        for w, a, k in [((2, 3), None, False), ((2, 3), 0, True), ((3,), 1, False), ((2,), 0, True)]
    ],
    Case(weighted, (2, 3, 4), (4, 2), axis=(2, 0), domain=positive),
    *[
        Case(median, s, axis=a, keepdims=k, domain=apart)
        for s, a, k in [((5,), None, False), ((3, 4), 0, False), ((3, 4), -1, True), ((2, 3, 2), (0, 2), False)]
    ],
    Case(median, ()),
    Case(median, np.array([[1.0, np.nan, 0.0], [1.0, 5.0, 0.0]]), axis=1, smooth=False, zoomed=False, label="nan"),
    *[Case(diff, (3, 4), n=n, axis=a) for n, a in [(1, -1), (2, 0), (0, 0), (4, 1), (5, 1)]],
    *[
        Case(diff, (3, 2), axis=1, prepend=0.5, append=2),
        Case(lambda x, a: diff(x, prepend=a), (3,), (), label="diff from"),
        Case(lambda x, a: diff(x, append=a, axis=0), (3, 2), (2, 2), label="diff to"),
    ],
    *[Case(gradient, (4,), edge_order=e) for e in (1, 2)],
    *[Case(lambda x, h, e=e: gradient(x, h, axis=1, edge_order=e), (2, 4), (), domain=positive, label=f"distance {e}") for e in (1, 2)],
    *[Case(lambda x, e=e: gradient(x, POINTS, axis=0, edge_order=e), (4, 2), label=f"points {e}") for e in (1, 2)],
    Case(lambda x: gradient(x, 0.5, POINTS)[1] * gradient(x)[0], (2, 4), label="several axes"),
    *[Case(sort, (3, 4), axis=a, descending=d, domain=apart) for a in (-1, 0, None) for d in (False, True)],
    *[Case(partition, (3, 4), kth=k, axis=a, domain=apart) for k, a in [(2, -1), ((0, 2), 0), (-1, 1), (5, None)]],
    *[Case(partition, (), kth=0), Case(lambda x: topk(x, 1, 0)[0], (), label="topk of a number")],
    Case(sort, TIES, axis=0, descending=True, smooth=False, label="ties, descending"),
    *[Case(sort, TIES, axis=1, smooth=False, label="ties"), Case(sort, ()), Case(sort, (0, 2))],
    *[
        Case(lambda x, **o: topk(x, 2, **o)[0], (3, 4), axis=a, largest=b, domain=apart, label="topk")
        for a in (-1, 0)
        for b in (True, False)
    ],
]

"""Cases of sums, means, products, extremes, norms, running sums and sorting."""

import numpy as np

from tensorgrad.rules.extrema import max, min
from tensorgrad.rules.norms import norm, power_norm, vector_norm
from tensorgrad.rules.reductions import logsumexp, mean, prod, std, sum, var
from tensorgrad.rules.scans import cumprod, cumsum
from tensorgrad.rules.sorting import sort, topk
from tests.tensorgrad.case import Case

AXES = [(a, k) for a in (0, -1, (0, 2), (-1, 1), (), None) for k in (False, True)]

away = lambda a: a + np.sign(a)  # from 0
apart = lambda a: a + np.arange(a.size).reshape(a.shape) % 7 * 10.0  # no two are close
TIES = np.array([[1.0, 3.0, 3.0], [3.0, 3.0, 2.0]])
ZEROS = [np.array(row) for row in ([0.0, 2.0, 3.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [4.0, 0.0, 2.0, -1.0, 0.5])]

CASES = [
    *[Case(f, (2, 3, 2), axis=a, keepdims=k) for f in (sum, mean, var, logsumexp, prod) for a, k in AXES],
    *[Case(f, (2, 3, 2), axis=a, keepdims=k, domain=apart) for f in (max, min) for a, k in AXES],
    *[Case(f, (), axis=a) for f in (sum, mean, prod, max, min, var, logsumexp) for a in (None, 0, -1)],
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
    *[Case(sort, (3, 4), axis=a, domain=apart) for a in (-1, 0, None)],
    *[Case(sort, TIES, axis=1, smooth=False, label="ties"), Case(sort, ()), Case(sort, (0, 2))],
    *[
        Case(lambda x, **o: topk(x, 2, **o)[0], (3, 4), axis=a, largest=b, domain=apart, label="topk")
        for a in (-1, 0)
        for b in (True, False)
    ],
]

"""Cases of activation functions, softmax and log_softmax."""

import numpy as np

import tensorgrad as a
from tests.tensorgrad.case import Case

away = lambda x: x + np.sign(x) * 0.3  # from 0
FLAT = np.array([[1.0, 1.0, 1.0], [0.0, 700.0, -700.0]])
MASKED = np.array([[-np.inf, -np.inf], [0.0, -np.inf]])

CASES = [
    *[Case(f, (2, 3, 2), axis=axis) for f in (a.softmax, a.log_softmax) for axis in (0, 1, -1, (0, -1), None)],
    *[Case(f, s) for f in (a.softmax, a.log_softmax) for s in [(3,), (1,), (), (0, 2)]],
    *[Case(f, (2, 0), zoomed=False) for f in (a.softmax, a.log_softmax)],
    *[Case(f, FLAT, label="ties and far apart") for f in (a.softmax, a.log_softmax)],
    *[Case(f, MASKED, smooth=False, zoomed=False, label="masked") for f in (a.softmax, a.log_softmax)],
    *[Case(f, s) for f in (a.softplus, a.gelu, a.mish, a.logsigmoid, a.softsign, a.selu, a.hardswish) for s in [(2, 3), (), (0, 3)]],
    *[Case(a.softplus, (2, 3), beta=b, threshold=t) for b in (1, 2.5, 0.5) for t in (None, 0.4)],
    Case(a.gelu, (2, 3), approximate="tanh"),
    *[Case(a.leaky_relu, (2, 3), domain=away, negative_slope=s) for s in (0.01, 0.3, 1, -0.5)],
    *[Case(f, (2, 3), domain=away, alpha=alpha) for f in (a.elu, a.celu) for alpha in (1.0, 2.5, -0.5)],
    *[Case(f, (2, 3)) for f in (a.relu6, a.hardtanh, a.hardsigmoid)],
    Case(a.hardtanh, (2, 3), min_val=-0.3, max_val=0.8),
    *[Case(a.prelu, x, w, domain=away) for x, w in [((2, 3), (3,)), ((2, 3, 2), (3,)), ((2, 3), (1,)), ((2,), ()), ((), (1,))]],
    Case(a.prelu, (0, 3), (3,)),
    *[Case(a.glu, (2, 4), axis=axis) for axis in (0, 1, -1)],
]  # fmt: skip

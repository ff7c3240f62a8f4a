"""Cases of losses."""

import numpy as np

from tensorgrad.functions import class_losses, losses
from tensorgrad.functions.class_losses import cross_entropy, cross_entropy_of_classes, nll_loss, nll_of_classes
from tests.tensorgrad.case import Case

REDUCTIONS = ("mean", "sum", "none")
probability = lambda a: 1 / (1 + np.exp(-a))
positive = lambda a: np.abs(a) + 0.5
signs = np.array([[1, -1, 1], [-1, -1, 1]])
WEIGHT = np.array([0.5, 2.0, 1.5])


def regression(loss, domain=lambda a: a, shape=(2, 3), **options):
    return [Case(loss, shape, shape, domain=domain, reduction=r, **options) for r in REDUCTIONS]


def of_classes(loss, shape, **options):
    axis = min(1, len(shape) - 1)
    classes = np.arange(np.prod(shape, dtype=int) // shape[axis]).reshape(shape[:axis] + shape[axis + 1 :]) * 2 % shape[axis]
    return [
        Case(lambda x, r=r: loss(x, classes, reduction=r, **options), shape, label=f"{loss.__name__} {r} {','.join(options)}")
        for r in REDUCTIONS
    ]


def of_probabilities(r, **options):
    def loss(x, q):
        return cross_entropy(x, q, reduction=r, **options)

    return loss


CLASSES = np.array([2, 0])
CERTAIN = np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0])
BY_CLASS, RULES = (nll_loss, cross_entropy), (nll_of_classes, cross_entropy_of_classes)
OPTIONS = {"weight": WEIGHT}, {"ignore_index": 2}, {"weight": WEIGHT, "ignore_index": 0}
SMOOTHED = {}, {"weight": WEIGHT}, {"weight": WEIGHT, "ignore_index": 1}

CASES = [
    *[case for s in [(2, 3), (), (0, 3)] for case in regression(losses.mse_loss, shape=s)],
    Case(lambda x: losses.mse_loss(x, 0.5), (3,), label="a number"),
    *regression(losses.mse, shape=(2, 3)),
    *regression(losses.l1_loss),
    *[case for delta in (1.0, 0.3) for case in regression(losses.huber_loss, delta=delta)],
    Case(losses.huber, (2, 3), delta=0.7),
    *[case for beta in (1.0, 0.3, 0) for case in regression(losses.smooth_l1_loss, beta=beta)],
    *[Case(f, (2, 3), t, label="repeated target") for f in (losses.huber_loss, losses.smooth_l1_loss) for t in [(2, 1), (1, 3), (1, 1)]],
    *[Case(losses.gaussian_nll_loss, (2, 3), t, (2, 3), domain=positive, label="repeated target") for t in [(2, 1), (1, 3)]],
    *regression(losses.binary_cross_entropy, probability),
    *regression(losses.bce, probability),
    *[Case(losses.binary_entropies, a, b, domain=probability) for a, b in [((2, 3), (2, 3)), ((), ()), ((0, 2), (0, 2))]],
    Case(losses.binary_entropies, *CERTAIN, smooth=False, zoomed=False, label="certain"),
    *regression(losses.binary_cross_entropy_with_logits),
    *[Case(losses.binary_cross_entropy_with_logits, (2, 3), (2, 3), pos_weight=WEIGHT, weight=np.array([[2.0], [0.5]]))],
    *regression(losses.kl_div, positive), *regression(losses.kl_div, log_target=True),
    *[Case(losses.kl_div, (2, 3), (2, 3), domain=positive, reduction="batchmean")],
    *[Case(lambda x, r=r: losses.hinge_embedding_loss(x, signs, reduction=r), (2, 3), label=r) for r in REDUCTIONS],
    *[Case(losses.gaussian_nll_loss, (2, 3), (2, 3), v, domain=positive, full=full, reduction=r)
      for v in [(2, 3), (2, 1), (2,), ()] for r, full in [("mean", False), ("sum", True), ("none", False)]],
    *[case for full in (False, True) for case in regression(losses.poisson_nll_loss, domain=lambda a: positive(a) * 1.3, full=full)],
    *regression(losses.poisson_nll_loss, positive, log_input=False),
    *[case for f in BY_CLASS for s in [(2, 3), (3,), (2, 3, 2), (1, 3, 2, 2), (0, 3), (2, 40)] for case in of_classes(f, s)],
    *[case for f in BY_CLASS for s in [(2, 3), (2, 3, 4)] for options in OPTIONS for case in of_classes(f, s, **options)],
    *[case for f in BY_CLASS for case in of_classes(f, (3,), weight=WEIGHT)],
    *[case for s in [(2, 3), (3,), (2, 3, 4)] for o in SMOOTHED for case in of_classes(cross_entropy, s, label_smoothing=0.2, **o)],
    *[Case(of_probabilities(r, **options), s, s, label=f"{r} {','.join(options)}") for r in REDUCTIONS for s in [(2, 3), (3,), (2, 3, 2)]
      for options in ({}, {"weight": WEIGHT, "label_smoothing": 0.3})],
    *[Case(f, (2, 3), classes=CLASSES, weight=w, ignore_index=i, reduction=r)
      for f in RULES for w in (None, WEIGHT) for i in (None, -100, 0) for r in REDUCTIONS],
    *[Case(f, (2, 3, 2), classes=np.array([[1, 0], [2, 2]]), reduction=r) for f in RULES for r in REDUCTIONS],
    Case(class_losses.cross_entropy_of_classes, np.array([[-np.inf, -np.inf], [0.0, -np.inf]]), classes=np.array([0, 0]),
         smooth=False, zoomed=False, label="masked"),
]  # fmt: skip

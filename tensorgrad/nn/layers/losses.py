"""Losses as modules: each compares an output with its target by the function of its name.

`reduction` is "mean", "sum" or "none". A weight is a buffer: it is a part of the state, and is not trained.
"""

from dataclasses import KW_ONLY, field
from typing import Any, ClassVar

import numpy as np

from scalargrad.messages.errors import must_be_one_of, wrong_type
from tensorgrad.functions import class_losses, losses
from tensorgrad.functions.normalisation import cosine_similarity
from tensorgrad.nn.function_module import Applied
from tensorgrad.nn.settings import settings

# fmt: off
__all__ = [
    "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "NLLLoss", "KLDivLoss",
    "PoissonNLLLoss", "GaussianNLLLoss", "HingeEmbeddingLoss", "CosineSimilarity",
]
# fmt: on


@settings
class Loss(Applied):
    """A loss, whose reduction is checked where it is made."""

    _inputs = 2
    _: KW_ONLY
    reduction: str = "mean"
    reductions: ClassVar[tuple[str, ...]] = ("mean", "sum", "none")

    def __post_init__(self):
        must_be_one_of(type(self).__name__, self.reductions, reduction=self.reduction)

    def forward(self, input, target):
        return self._function(input, target, **self._options())

    def _options(self):
        return {name: getattr(self, name) for name in self._settings}


@settings
class Weighted(Loss):
    """A loss with an array of weights, or none."""

    weight: Any = field(default=None, repr=False)

    def __post_init__(self):
        super().__post_init__()
        for name in ("weight", "pos_weight"):
            x = getattr(self, name, None)
            if x is None:
                continue
            if not isinstance(x, (np.ndarray, list, tuple)):
                raise wrong_type(type(self).__name__, name, x, "an array of weights; write reduction= before a reduction")
            self.register_buffer(name, np.array(x, getattr(x, "dtype", np.float32)))


class MSELoss(Loss, function=losses.mse_loss): ...


class L1Loss(Loss, function=losses.l1_loss): ...


class SmoothL1Loss(Loss, function=losses.smooth_l1_loss):
    _: KW_ONLY
    beta: float = 1.0


class HuberLoss(Loss, function=losses.huber_loss):
    _: KW_ONLY
    delta: float = 1.0


class BCELoss(Weighted, function=losses.binary_cross_entropy): ...


class BCEWithLogitsLoss(Weighted, function=losses.binary_cross_entropy_with_logits):
    _: KW_ONLY
    pos_weight: Any = field(default=None, repr=False)


class CrossEntropyLoss(Weighted, function=class_losses.cross_entropy):
    _: KW_ONLY
    ignore_index: int = -100
    label_smoothing: float = 0.0


class NLLLoss(Weighted, function=class_losses.nll_loss):
    _: KW_ONLY
    ignore_index: int = -100


class KLDivLoss(Loss, function=losses.kl_div):
    reductions = (*Loss.reductions, "batchmean")

    _: KW_ONLY
    log_target: bool = False


class PoissonNLLLoss(Loss, function=losses.poisson_nll_loss):
    log_input: bool = True
    full: bool = False
    _: KW_ONLY
    eps: float = 1e-8


class GaussianNLLLoss(Loss, function=losses.gaussian_nll_loss):
    _inputs = 3
    _: KW_ONLY
    full: bool = False
    eps: float = 1e-6

    def forward(self, input, target, var):
        return self._function(input, target, var, **self._options())


class HingeEmbeddingLoss(Loss, function=losses.hinge_embedding_loss):
    margin: float = 1.0


class CosineSimilarity(Applied, function=cosine_similarity):
    """Return the cosine of the angle between vectors along the axis `dim`.

    >>> from tensorgrad import nn
    >>> nn.CosineSimilarity()([[3.0, 4.0]], [[6.0, 8.0]]).round(4).tolist()
    [1.0]
    """

    dim: int = 1
    eps: float = 1e-8

    def forward(self, x1, x2):
        return self._function(x1, x2, *self._values())

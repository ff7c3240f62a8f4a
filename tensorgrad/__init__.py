"""The chain rule in bulk: a graph of arrays on NumPy."""

import tensorgrad.copying
import tensorgrad.steps  # noqa: F401  (what traces of tensors run on)
from scalargrad.modes import AnomalyError, detect_anomaly, gc_paused, no_grad
from tensorgrad.checking import check
from tensorgrad.checkpoint import checkpoint
from tensorgrad.custom import function
from tensorgrad.derivatives import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tensorgrad.memory import memory
from tensorgrad.methods import PUBLIC
from tensorgrad.modes import scope
from tensorgrad.rule import rule
from tensorgrad.tensor import Tensor
from tensorgrad.zoom import zoom

globals().update(PUBLIC)

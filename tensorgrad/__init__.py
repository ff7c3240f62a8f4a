"""The chain rule in bulk: a graph of arrays on NumPy."""

from scalargrad.modes import AnomalyError, detect_anomaly, gc_paused, no_grad
from tensorgrad.derivatives import grad
from tensorgrad.methods import PUBLIC
from tensorgrad.modes import scope
from tensorgrad.rule import rule
from tensorgrad.tensor import Tensor
from tensorgrad.zoom import zoom

globals().update(PUBLIC)

"""Clip gradients: scale all of them so that their common norm has a bound, or bound each entry."""

from math import hypot, inf

import numpy as np

from scalargrad.messages.errors import number, wrong_type
from tensorgrad.arrays.errstate import quietly
from tensorgrad.optim.blocks import blocks
from tensorgrad.optim.parameters import parameter_list, place_of
from tensorgrad.tensor import Tensor, array_of

BLOCK = 2**16  # entries


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=True):
    """Scale all gradients by one factor, so that the norm of all their entries together is at most max_norm. Return the norm before.

    The factor is max_norm / (norm + 10⁻⁶) if that is below 1. norm_type may be inf, for the largest entry. Parameters without a gradient
    do not count. Raises FloatingPointError if the norm is not finite; with error_if_nonfinite=False, which is PyTorch's default, the
    factor is then 0 or nan. Source: Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks", 2013.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([0.0, 0.0]); w.grad = [3.0, 4.0]
    >>> clip_grad_norm_([w], max_norm=1.0).item(), w.grad.round(4).tolist()
    (5.0, [0.6, 0.8])
    """
    with_gradient = tensors("clip_grad_norm_", parameters)
    if not number("clip_grad_norm_", "max_norm", max_norm) >= 0 or not number("clip_grad_norm_", "norm_type", norm_type) > 0:
        raise ValueError(f"clip_grad_norm_: max_norm={max_norm}, norm_type={norm_type}: max_norm must be 0 or more, norm_type above 0")
    norms = [norm(array_of(p.grad), norm_type) for p in with_gradient]
    total = joined(norms, norm_type)
    if error_if_nonfinite and not np.isfinite(total):
        bad = next(p for p, one in zip(with_gradient, norms) if not np.isfinite(one))
        what = place_of(bad) or f"a parameter of shape {bad.shape}"
        raise FloatingPointError(f"clip_grad_norm_: the gradient of {what} has the norm {total}; no gradient was changed; lower lr")
    factor = max_norm / (total + 1e-6)
    if not factor >= 1:  # nan, too
        for p in with_gradient:
            quietly(np.multiply, own(p), factor, p.grad)
    return np.float64(total)  # a float that has item(), as PyTorch's norm


def clip_grad_value_(parameters, clip_value):
    """Bound every entry of every gradient: it becomes at least -clip_value and at most clip_value.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([0.0, 0.0]); w.grad = [-3.0, 0.5]
    >>> clip_grad_value_([w], 1.0); w.grad.tolist()
    [-1.0, 0.5]
    """
    if not number("clip_grad_value_", "clip_value", clip_value) >= 0:
        raise ValueError(f"clip_grad_value_: clip_value={clip_value} is out of range; it must be 0 or more")
    for p in tensors("clip_grad_value_", parameters):
        np.clip(own(p), -clip_value, clip_value, out=p.grad)


def tensors(who, parameters):
    """Return the parameters that have a gradient. Raises TypeError for anything but tensors."""
    found = [parameters] if isinstance(parameters, Tensor) else parameter_list(who, parameters)
    for p in found:
        if not isinstance(p, Tensor):
            raise wrong_type(who, "parameters", p, "a Tensor; give it model.parameters()")
    return [p for p in found if p.grad is not None]


def own(p):
    """Return the gradient of p as an array that may be written to."""
    grad = array_of(p.grad)
    if grad is not p.grad or not grad.flags.writeable:
        p.grad = grad.copy()
    return p.grad


def norm(a, kind=2.0):
    """Return the norm of all entries of an array, added up in blocks without a copy of the array."""
    return joined([quietly(block_norm, block, kind) for (block,) in blocks([a], BLOCK)], kind)


def block_norm(a, kind):
    """Return the norm of all entries of one block, in float64 where the squares would overflow."""
    flat = a.reshape(-1)
    if kind != 2:
        return float(np.linalg.norm(flat, kind))
    square = float(np.dot(flat, flat))
    return square**0.5 if 1e-30 < square < inf or not flat.any() else float(np.linalg.norm(flat.astype(np.float64)))


def joined(norms, kind):
    """Return the norm of a vector of norms."""
    return hypot(*norms) if kind == 2 else float(np.linalg.norm(norms, kind)) if norms else 0.0

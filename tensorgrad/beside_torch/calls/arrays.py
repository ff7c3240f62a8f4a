"""Tensors of PyTorch as arrays, and arrays as tensors. Half precision is computed in float32."""

import numpy as np
import torch


def array(t):
    """Return a copy of a tensor of PyTorch as an array. Numbers of half precision become float32."""
    there = t.detach().cpu()
    if there.dtype in (torch.float16, torch.bfloat16):
        return there.to(torch.float32).numpy()
    if there.dtype is torch.complex32:
        there = there.to(torch.complex64)
    return torch.empty_like(there).copy_(there).numpy()  # also of one whose sign or conjugation is only noted, or that is only a zero


def positions(view, base):
    """Return, for each entry of a view, its place among the entries of the tensor that it is a view of; None if one is outside of it."""
    if view.dtype != base.dtype or view.untyped_storage().data_ptr() != base.untyped_storage().data_ptr():
        return None
    memory = torch.arange(base.untyped_storage().nbytes() // base.element_size())
    of_base, of_view = [memory.as_strided(t.shape, t.stride(), t.storage_offset()).numpy() for t in (base, view)]
    places = np.full(len(memory), -1)
    places[of_base.ravel()] = np.arange(of_base.size)
    found = places[of_view]
    return None if (found < 0).any() else found


def as_torch(x, like, requires_grad=True):
    """Return an array as a tensor of PyTorch of the dtype of another one."""
    return torch.tensor(x).to(like.dtype).requires_grad_(requires_grad)


def differentiable(t):
    """Return whether PyTorch passes a gradient to a tensor. It says that a view made under no_grad requires grad, but passes it none."""
    if not t.requires_grad:
        return False
    if t._base is None or not t._base.requires_grad:
        return True
    return grad_fn_of(t) is not None


def grad_fn_of(t):
    """Return the grad_fn of a tensor; None for a leaf, and for a view that PyTorch refuses after a write to another view."""
    try:
        return t.grad_fn
    except RuntimeError:
        return None


def is_leaf(t):
    """Return whether a graph begins at a tensor. PyTorch's own is_leaf changes what it does to a view that was written to."""
    return t.requires_grad and (t._base is None or not t._base.requires_grad) and t.grad_fn is None


def version_of(t):
    """Return how often PyTorch counted a write to a tensor. It does not count those to tensors of inference_mode."""
    return 0 if t.is_inference() else t._version


def has_numbers(t):
    """Return whether a tensor holds real numbers one by one: it is not complex, sparse or quantised."""
    return not (t.is_complex() or t.is_quantized) and t.layout is torch.strided

"""Which variable of ours stands for which tensor of PyTorch's, also after a tensor, or one that shares its memory, was written to.

PyTorch counts the writes to a tensor and to the views of its memory: its version. A view whose version is behind is gathered again
from the tensor that it is a view of, so that a write reaches all who see it.
"""

from typing import NamedTuple

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from tensorgrad.beside_torch.counterparts.dtypes import KINDS
from tensorgrad.rules.indexing import getitem, index_put
from tensorgrad.rules.shapes import reshape
from tensorgrad.tensor import Tensor, array_of, constant


class Known(NamedTuple):
    """A variable of ours, and the version of PyTorch's tensor that it stands for."""

    variable: Tensor
    version: int


class Variables:
    """The table of a recording. `leaves` are the tensors that the graph begins at: [(PyTorch's, ours)].

    `constants` are what stands for tensors that need no gradient: one for all uses of a tensor, unless its numbers have changed.
    """

    def __init__(self):
        self.known, self.constants = WeakTensorKeyDictionary(), WeakTensorKeyDictionary()
        self.leaves = []

    def __getitem__(self, t):
        """Return the variable for a tensor; a constant for one that needs no gradient; an array for integers and truth values."""
        refuse(t)
        known = self.known.get(t)
        if known is not None and known.version == t._version:
            return known.variable
        if not t.requires_grad:
            return self.constant(t)
        base = t._base
        if base is not None and base.requires_grad and (known is not None or base in self.known):
            found = reshape(getitem(reshape(self[base], (-1,)), positions(t, base).ravel()), tuple(t.shape))
        elif known is not None:
            raise RuntimeError(
                f"from_torch: a tensor of shape {tuple(t.shape)} was changed in place, where PyTorch does not record it, after it was "
                "used; record one forward pass at a time, without the optimiser's step"
            )
        elif t.grad_fn is None:
            found = Tensor(array(t))
            self.leaves.append((t, found))
        else:
            raise RuntimeError(
                f"from_torch: a tensor of shape {tuple(t.shape)} was computed before recording, by {t.grad_fn.name()}; compute it inside "
                "the function, or give it as a leaf: t.detach().requires_grad_()"
            )
        self[t] = found
        return found

    def constant(self, t):
        """Return the constant, or the array of integers or truth values, for a tensor that needs no gradient."""
        now, before = array(t), self.constants.get(t)
        if before is None or not (array_of(before) == now).all():
            before = self.constants[t] = constant(now) if t.dtype in KINDS else now
        return before

    def __setitem__(self, t, variable):
        self.known[t] = Known(variable, t._version)

    def __contains__(self, t):
        return t in self.known

    def whole(self, t):
        """Return the variable that a tensor is a view of; None if it is not a view, or of a tensor that only PyTorch itself sees."""
        base = t._base
        seen = base is not None and (base in self.known or base.grad_fn is None)
        return self[base] if seen else None

    def stand_for(self, t, variable, whole):
        """Let a variable stand for a tensor. If the tensor is a view that was written to, `whole` was the variable that it is a view of."""
        self[t] = variable
        if whole is not None:
            base = t._base
            if not isinstance(whole, Tensor):
                return
            flat = index_put(reshape(whole, (-1,)), (positions(t, base).ravel(),), reshape(variable, (-1,)))
            self[base] = reshape(flat, tuple(base.shape))


def array(t):
    """Return a copy of a tensor of PyTorch as an array. Numbers of half precision become float32."""
    if t.layout is not torch.strided:
        refuse(t)
    there = t.detach().cpu()
    if there.dtype in (torch.float16, torch.bfloat16):
        return there.to(torch.float32).numpy()
    if there.dtype is torch.complex32:
        there = there.to(torch.complex64)
    return torch.empty_like(there).copy_(there).numpy()  # also of one whose sign or conjugation is only noted, or that is only a zero


def positions(view, base):
    """Return, for each entry of a view, its place among the entries of the tensor that it is a view of."""
    places = torch.full((base.untyped_storage().nbytes() // base.element_size(),), -1)
    places.as_strided(base.shape, base.stride(), base.storage_offset()).copy_(torch.arange(base.numel()).view(base.shape))
    return places.as_strided(view.shape, view.stride(), view.storage_offset()).numpy()


def refuse(t):
    """Raise RuntimeError for a tensor that cannot be recorded."""
    if t.is_complex():
        raise RuntimeError("from_torch: complex numbers are not supported; keep their real and imaginary parts as two tensors")
    if t.layout is not torch.strided:
        raise RuntimeError(f"from_torch: a tensor of layout {t.layout} is not supported; convert it with .to_dense()")
    if t.is_quantized:
        raise RuntimeError("from_torch: quantised tensors are not supported; convert them with .dequantize()")

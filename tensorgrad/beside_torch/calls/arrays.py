"""Tensors of PyTorch as arrays, and arrays as tensors. Half precision is computed in float32."""

import numpy as np
import torch

HALF = (torch.float16, torch.bfloat16)
BLOCK = 1 << 17  # entries that are compared at once: they stay in the cache


def array(t):
    """Return a copy of a tensor of PyTorch as an array. Numbers of half precision become float32."""
    there = t.detach().cpu()
    if there.dtype in HALF:
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


def beside_terms(far, t, given):
    """Return a difference relative to a thousandth of the largest entry that was given, if that is more: in a sum, terms may cancel."""
    scale, terms = largest(t.detach()) or 1, [largest(x.detach()) for x in given if x.is_floating_point()]
    return far * scale / max(scale, 1e-3 * max(terms, default=0))


def how_far(got, t, allowed=0):
    """Return how far an array is from a tensor, relative to its largest entry; inf where one is not finite and the other is another.

    If the difference is allowed even relative to the largest entry of a part, this ratio is returned: it takes less work.
    """
    expected = t.detach().cpu()
    expected = expected.float() if t.dtype in HALF else expected
    got = got if min(got.strides, default=0) >= 0 else np.ascontiguousarray(got)  # PyTorch has no reversed arrays
    if got.size and got.flags.writeable:
        off, scale = [], 0
        for difference, part in differences(torch.from_numpy(got), expected):
            off.append(largest(difference))
            scale = scale or largest(part)
        far = float(np.max(off))  # nan if one is
        if far == 0 or np.isfinite(far):
            bound = far / (scale or 1)
            return bound if bound <= allowed else far / (largest(expected) or 1)
    expected = array(t)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    if same.all():
        return 0.0
    far = np.abs(np.subtract(got, expected, where=~same, out=np.zeros(got.shape)))
    scale = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    return float(np.nan_to_num(far, nan=np.inf).max() / (scale or 1))


def differences(ours, expected):
    """Yield (difference, the part of `expected`) for the parts of two tensors, which are so small that they stay in the cache.

    Copies of `ours` in the order of memory of the other one make this faster. PyTorch copies a transposed matrix four times as fast
    as NumPy an array. So an array with channels last is copied sample by sample.
    """
    if ours.dtype is not expected.dtype or ours.stride() == expected.stride():
        parts = (x.as_strided((x.numel(),), (1,)).split(BLOCK) if x.is_contiguous() else [x] for x in (ours, expected))
        yield from ((a - b, b) for a, b in zip(*parts))
    elif ours.ndim > 2 and (last := ours.movedim(1, -1)).is_contiguous() and expected.is_contiguous():
        part = expected.new_empty(ours.shape[1], expected[0, 0].numel())
        for sample, other in zip(last.flatten(1, -2), expected.flatten(2)):
            yield part.copy_(sample.T).sub_(other), other
    else:
        yield torch.empty_like(expected).copy_(ours).sub_(expected), expected


def largest(x):
    """Return the largest absolute value among the entries."""
    return max(-x.amin().item(), x.amax().item())  # each vectorized, unlike aminmax

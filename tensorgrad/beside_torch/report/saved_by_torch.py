"""What PyTorch itself saved for the backward pass of the recorded run, read from its own graph. The program does not run again.

A block of memory counts once. A tensor that hooks have packed, such as one of a checkpoint, counts if it is still a tensor.
"""

from types import SimpleNamespace
from typing import NamedTuple

import torch

BY_ROWS, BY_COLUMNS = ("crow_indices", "col_indices", "values"), ("ccol_indices", "row_indices", "values")
PARTS = {
    torch.sparse_coo: ("_indices", "_values"),
    **dict.fromkeys((torch.sparse_csr, torch.sparse_bsr), BY_ROWS),
    **dict.fromkeys((torch.sparse_csc, torch.sparse_bsc), BY_COLUMNS),
}


class SavedByTorch(NamedTuple):
    """The bytes that PyTorch's graph keeps: of all blocks, and of those that belong to leaves. None if the graph was freed."""

    saved: int | None
    of_leaves: int
    functions: int


def saved_by_torch(loss, leaves):
    blocks, functions = {}, list(functions_of(loss.grad_fn)) if loss.grad_fn else []
    kept = [one for function in functions for one in saved_by(function)]
    for one in kept:
        if isinstance(one.data, torch.Tensor):
            blocks |= {storage.data_ptr(): storage.nbytes() for storage in storages_of(one.data)}
    if kept and not blocks:
        return SavedByTorch(None, 0, len(functions))
    theirs = {storage.data_ptr() for t in leaves for storage in storages_of(t)}
    return SavedByTorch(sum(blocks.values()), sum(size for block, size in blocks.items() if block in theirs), len(functions))


def storages_of(t):
    """Return the blocks of memory of a tensor. A sparse one keeps its indices and its values."""
    return [getattr(t, part)().untyped_storage() for part in PARTS[t.layout]] if t.layout in PARTS else [t.untyped_storage()]


def functions_of(end):
    """Yield the functions of PyTorch's graph."""
    met, stack = {end}, [end]
    while stack:
        function = stack.pop()
        yield function
        new = {f for f, _ in function.next_functions if f is not None} - met
        met |= new
        stack.extend(new)


def saved_by(function):
    """Return what a function of PyTorch's graph keeps; the `data` of each is its tensor, or None after the backward pass."""
    try:
        found = [getattr(function, name) for name in dir(function) if name.startswith("_raw_saved_")]
    except RuntimeError:  # a custom function says so in this way
        return [SimpleNamespace(data=None)]
    return [one for x in found for one in (x if isinstance(x, list | tuple) else (x,)) if one is not None]


def written_after(seen):
    """Return the calls of a recording that keep numbers which were written to afterwards: PyTorch's backward pass raises at them."""
    called = {v.node: call for call in seen.calls for v in call.results}
    of = {function: called[node] for (function, _), node in seen.functions.items() if node in called}
    functions = functions_of(seen.loss.grad_fn) if seen.loss.grad_fn else ()
    found = [of[function] for function in functions if function in of and is_overwritten(function)]
    return sorted(found, key=lambda call: call.number)


def is_overwritten(function):
    """Return whether a tensor that a function of PyTorch's graph keeps was written to since."""
    for name in dir(function):
        if name.startswith("_saved_"):
            try:
                getattr(function, name)
            except RuntimeError as wrong:
                if "modified by an inplace operation" in str(wrong):
                    return True
    return False

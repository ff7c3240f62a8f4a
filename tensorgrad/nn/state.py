"""The state of a module: its parameters and buffers by dotted name. Loading finds every problem first, and then loads all or nothing."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from scalargrad.messages.errors import brief, wrong_type
from tensorgrad.tensor import Tensor

IN_PYTORCH = "; in PyTorch write x.detach().cpu().float() first"


class Incompatible(NamedTuple):
    """The names that load_state_dict left alone, as in PyTorch: entries of the module, and entries that were given."""

    missing_keys: list[str]
    unexpected_keys: list[str]


def entries(module):
    """Return {dotted name: (array, where it is stored)} for parameters and persistent buffers; a shared one under all its names."""
    found = {}
    for path, part in module.named_modules(remove_duplicate=False):
        own = part.__dict__
        names = [*part._parameters, *[n for n, persistent in part._buffers.items() if persistent]]
        for name in names:
            x = own[name]
            if x is not None:
                found[f"{path}.{name}" if path else name] = (x._data, x) if type(x) is Tensor else (x, (part, name))
    return found


def load(module, given, strict):
    """Copy the arrays of `given` into the module, and return what did not fit; raise ValueError with all problems if there are any."""
    if not isinstance(given, Mapping):
        advice = "read a file with tensorgrad.saving" if isinstance(given, str) else "write model.load_state_dict(other.state_dict())"
        raise wrong_type("load_state_dict", "entries", given, f"a dictionary of arrays; {advice}")
    here = entries(module)
    found = {name: as_array(x) for name, x in given.items() if name in here}
    problems = [*mismatches(here, found), *conflicts(here, found)]
    if strict:
        loaded = {id(here[name][0]) for name in found}
        problems += [f"missing: {n} {a.shape}" for n, (a, _) in here.items() if n not in found and id(a) not in loaded]
        problems += [f"unexpected: {n}{shape_of(x)}" for n, x in given.items() if n not in here]
    if problems:
        raise ValueError(f"load_state_dict: {type(module).__name__} takes other entries; nothing was loaded\n  " + "\n  ".join(problems))
    for name, array in found.items():
        put(here[name], array)
    return Incompatible([name for name in here if name not in given], [name for name in given if name not in here])


def put(place, array):
    """Store a copy of an array in a parameter, or as a buffer in its module."""
    old, where = place
    if type(where) is Tensor:
        where.data = array
    else:
        part, name = where
        part.__dict__[name] = np.array(array, dtype=old.dtype)


def as_array(x):
    """Return an entry as an array; as it is if it is not one, such as a tensor of PyTorch on a GPU, in bfloat16, or with a graph."""
    if type(x) is Tensor:
        return x._data
    try:
        return np.asarray(x) if hasattr(x, "__array__") or isinstance(x, (int, float)) else x
    except (TypeError, RuntimeError):
        return x


def mismatches(here, found):
    """Yield a line for each entry of another shape or a wrong dtype."""
    for name, x in found.items():
        old = here[name][0]
        if not isinstance(x, np.ndarray):
            yield f"not an array: {name} is {brief(x)}, {old.shape} is needed{IN_PYTORCH * hasattr(x, 'detach')}"
        elif x.shape != old.shape:
            yield f"shape: {name} is {x.shape}, {old.shape} is needed"
        elif x.dtype.kind != old.dtype.kind:
            yield f"dtype: {name} is {x.dtype}, {old.dtype} is needed"


def conflicts(here, found):
    """Yield a line for each two names of one shared parameter whose entries differ."""
    first: dict = {}
    for name, x in found.items():
        other = first.setdefault(id(here[name][0]), name)
        if other != name and isinstance(x, np.ndarray) and not np.array_equal(x, found[other], equal_nan=x.dtype.kind == "f"):
            yield f"different: {other} and {name} are one shared parameter here, and their entries differ"


def shape_of(x):
    return f" {x.shape}" if hasattr(x, "shape") else ""


def convert(module, dtype):
    """Convert the parameters and the buffers of floats of a module to another dtype, in place."""
    for parameter in module.parameters():
        node = parameter.own_node()
        parameter._data = parameter._data.astype(dtype)
        node.dtype, node.grad = dtype, None
    for part in module.modules():
        for name in part._buffers:
            x = part.__dict__[name]
            if x is not None and x.dtype.kind == "f":
                part.__dict__[name] = x.astype(dtype)

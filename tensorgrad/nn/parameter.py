"""Parameter: a leaf that a module registers when it is assigned to an attribute; and what a module refuses, since it would hide one.

A Parameter is a Tensor with a mark: its dotted name.
"""

from itertools import islice

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.tensor import Tensor

__all__ = ["Parameter"]


class Marked(type):
    """The type of Parameter: isinstance(t, Parameter) asks a tensor for its mark."""

    def __instancecheck__(cls, t):
        return type(t) is Tensor and hasattr(t, "_parameter")


class Parameter(metaclass=Marked):
    """Make a Tensor that a module trains: an attribute of a module that holds one is found by `parameters()`.

    The arguments are those of Tensor. The result is a Tensor, so every function takes it. Its dtype is that of the data, float64 for
    Python's numbers; the layers of this package have float32, so that a parameter beside them needs dtype="float32".

    >>> w = Parameter([1.0, 2.0], name="w"); w
    Tensor([1., 2.], name='w')
    >>> isinstance(w, Parameter), isinstance(w * 2, Parameter)
    (True, False)
    """

    def __new__(cls, data, *, name=None, keep_grad=True, dtype=None, **others) -> Tensor:  # type: ignore[misc]
        t = Tensor(np.asarray(data._data) if type(data) is Tensor else data, name=name, keep_grad=keep_grad, dtype=dtype, **others)
        t._parameter = ""  # type: ignore[attr-defined]
        return t


def found_as(t, name):
    """Note the dotted name under which a module has found a parameter. A name that a module further out has given stays."""
    if not f".{t._parameter}".endswith(f".{name}"):
        t._parameter = name


COLLECTIONS = (list, tuple, dict, set)
LOOKED_AT = 1_000  # entries of a collection that are looked at again in each walk: a longer one is a record of numbers


def refuse_hidden(module, name, value):
    """Raise TypeError for an attribute that would hide parameters from `parameters()`, or take the place of one."""
    kind, own = type(module).__name__, module.__dict__
    if name == "requires_grad":
        raise TypeError(f"{kind}.requires_grad does nothing; write .freeze(), or .thaw()")
    for table, what in ("_parameters", "Parameter"), ("_buffers", "NumPy array"), ("_modules", "Module"):  # what may be assigned
        if name in own[table] and value is not None:
            into = f", or write into it: .{name}.data = array" if what == "Parameter" else ""
            raise TypeError(f"{kind}.{name} is a {table[1:-1]} here, and {brief(value)} is not one; assign a {what}{into}")
    if isinstance(value, COLLECTIONS):
        refuse_collection(kind, name, value)
    if type(value) is Tensor and value.keep_grad and value.rule is None:
        raise TypeError(
            f"{kind}.{name}: a Tensor is not found by parameters(); write nn.Parameter(...) for what is trained, and give a constant "
            "keep_grad=False"
        )


def refuse_collection(kind, name, value, most=None):
    """Raise TypeError for modules or parameters within a plain list or dictionary, or within one in it."""
    for item in islice(entries(value), most):
        if hasattr(item, "named_parameters"):
            ours = "ModuleDict({...})" if isinstance(value, dict) else "ModuleList([...])"
            raise TypeError(f"{kind}.{name}: modules in a plain {type(value).__name__} are not found; write self.{name} = nn.{ours}")
        if isinstance(item, Parameter):
            raise TypeError(
                f"{kind}.{name}: parameters in a plain {type(value).__name__} are not found; write self.{name} = nn.ParameterList([...]), "
                "or make each an attribute"
            )


def entries(collection):
    """Yield what is in a collection and in the collections in it, each collection once."""
    waiting, seen = [collection], {id(collection)}
    while waiting:
        found = waiting.pop()
        for item in found.values() if isinstance(found, dict) else found:
            yield item
            if isinstance(item, COLLECTIONS) and id(item) not in seen:
                seen.add(id(item))
                waiting.append(item)


def refuse_all_hidden(module):
    """Raise TypeError for a list or dictionary to which modules were added after it was assigned."""
    for name, value in module.__dict__.items():
        if isinstance(value, COLLECTIONS) and value and name not in ("_parameters", "_buffers", "_modules", "_scope", "_forward_hooks"):
            refuse_collection(type(module).__name__, name, value, LOOKED_AT)


def refuse_cycle(parent, name, child):
    """Raise ValueError if the child contains its parent."""
    if any(module is parent for module in child.modules()):
        raise ValueError(f"{type(parent).__name__}.{name}: a module cannot be a part of itself")

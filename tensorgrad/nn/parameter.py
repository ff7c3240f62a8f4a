"""Parameter: a leaf that a module registers when it is assigned to an attribute. It is a Tensor with a mark: its dotted name."""

import numpy as np

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

"""A variable as the graph remembers it: the function that made it, its inputs, and what that function's rule saved.

A node knows its inputs and nothing that points back at it, and it does not hold the tensor's data: an array lives on only
where a rule has saved it or the user holds the tensor.
"""

from weakref import ref

import numpy as np


class Node:
    """One variable of a graph of tensors.

    `arguments` are what the function was called with: nodes, and constants where it had any; `options` are its settings.
    `edges` lists (input node, slot, what is saved for the vjp of that slot); it is () for a leaf, None once released.
    """

    __slots__ = (
        *("rule", "edges", "arguments", "options", "shape", "dtype", "aux"),
        *("keep_grad", "grad", "name", "scope", "hooks"),
        *("_tensor", "_pending", "_total", "_passed", "__weakref__"),
    )

    def __init__(self, tensor, rule=None, edges=(), arguments=(), options=(), aux=None):
        data = tensor._data
        self.rule = rule
        self.edges = edges
        self.arguments = arguments
        self.options = options
        self.aux = aux
        self.shape = data.shape
        self.dtype = data.dtype
        self._tensor = ref(tensor)
        self.keep_grad = False
        self.grad = self.name = self.scope = self.hooks = None
        self._pending = 0
        self._total = None

    @property
    def inputs(self):
        """The variables that the function took, each as often as it was used; constants are not among them."""
        return tuple([x for x in self.arguments if type(x) is Node])

    @property
    def constants(self):
        """The constant tensors that the function took; of a released node, those that the program still holds."""
        return [a for a in map(there, self.arguments) if type(a) is not Node and hasattr(type(a), "node")]

    @property
    def released(self):
        """Whether a backward pass has dropped what this variable saved."""
        return self.edges is None

    @property
    def passed(self):
        """Whether backward() has gone through the function that made this variable since zero_grad()."""
        return getattr(self, "_passed", False)

    def place(self, slot):
        """Which of the arguments the input of edge number `slot` is."""
        return self.edges[slot][1] if self.edges else [i for i, a in enumerate(self.arguments) if type(a) is Node][slot]

    def drop_constants(self):
        """Keep of the constants among the arguments, and of the options, only what is small, and no array."""
        self.arguments = [x if type(x) in SMALL else dropped(x) for x in self.arguments]
        if not SMALL.issuperset(map(type, self.options)):
            self.options = tuple([dropped(option) for option in self.options])

    @property
    def data(self):
        """The array, where the user still holds the tensor; None where it has been freed."""
        tensor = self._tensor()
        if tensor is None:
            return None
        tensor._data.setflags(write=False)
        return tensor._data

    @property
    def node(self):
        return self

    def __eq__(self, other):
        # so a dictionary of nodes can be asked with the tensor itself, also after it was frozen
        return self is getattr(other, "node", None) or self is getattr(other, "_aside", None)

    __hash__ = object.__hash__

    def __repr__(self):
        made = f", made by {self.rule.name}" if self.rule else ""
        name = f"{self.name!r}, " if self.name else ""
        return f"Node({name}shape {self.shape}{made})"


def nothing():
    """What a weak reference gives when its object is gone."""
    return None


class Dropped:
    """Stands for a constant or an option of a released node: its shape if it had one, its name, the tensor while it lives."""

    __slots__ = ("shape", "name", "tensor")

    def __init__(self, shape=None, name=None, tensor=nothing):
        self.shape, self.name, self.tensor = shape, name, tensor

    def __reduce__(self):
        return Dropped, (self.shape, self.name)  # a copy is not where the program's tensor is


def dropped(x, nested=2):
    """What stands for x in a released node: x itself where it is a node, a number, text, or a tuple of such."""
    kind = type(x)
    if hasattr(kind, "node") and kind is not Node:
        return Dropped(x.shape, x.name, ref(x))
    if kind is np.ndarray:
        return Dropped(x.shape)
    small = kind in SMALL or isinstance(x, (np.generic, np.dtype, type))
    return x if small or (kind is tuple and nested and all(dropped(entry, nested - 1) is entry for entry in x)) else Dropped()


def there(argument):
    """An argument of a node; the tensor that Dropped stands for, while the program holds it."""
    tensor = argument.tensor() if type(argument) is Dropped else None
    return argument if tensor is None else tensor


SMALL = frozenset({Node, bool, int, float, str, bytes, slice, type(None), type(...)})  # what a released node keeps

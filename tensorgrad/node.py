"""A variable in the graph: the function that computed it, its inputs, and what the rule of that function saved.

A node knows its inputs and nothing that points back at it, and it does not hold the tensor's data: an array lives on only
where a rule has saved it or the user holds the tensor.
"""

from weakref import ref

import numpy as np

from tensorgrad.arrays.windows import Window


class Node:
    """One variable of a graph of tensors.

    `arguments` are what the function was called with: nodes and constants. `options` are its settings.
    `edges` lists (input node, slot, what is saved for the vjp of that slot); it is () for a leaf, None once released.
    """

    __slots__ = (
        *("rule", "edges", "arguments", "options", "shape", "dtype", "aux"),
        *("keep_grad", "grad", "name", "scope", "hooks"),
        *("_tensor", "_pending", "_total", "_passed", "__weakref__"),
    )

    @property
    def inputs(self):
        """Return the variables among the arguments of the function, each as often as it was used. Constants are left out."""
        return tuple([x for x in self.arguments if type(x) is Node])

    @property
    def constants(self):
        """Return the constant tensors among the arguments. For a released node, return those that are still referenced."""
        return [a for a in map(there, self.arguments) if type(a) is not Node and hasattr(type(a), "node")]

    @property
    def released(self):
        """Return whether a backward pass has dropped what this variable saved."""
        return self.edges is None

    @property
    def passed(self):
        """Return whether backward() has processed the function of this variable since zero_grad()."""
        return getattr(self, "_passed", False)

    def place(self, slot):
        """Return the place of the input of edge number `slot` among the arguments."""
        return self.edges[slot][1] if self.edges else [i for i, a in enumerate(self.arguments) if type(a) is Node][slot]

    def drop_constants(self):
        """Drop the arrays among the constants and the options; keep what is small."""
        if not SMALL.issuperset(map(type, self.arguments)):
            self.arguments = [dropped(x) for x in self.arguments]
        if type(self.options) is Droppable:
            self.options = tuple([dropped(option) for option in self.options])

    @property
    def data(self):
        """Return the array if the tensor is still referenced, else None."""
        tensor = self._tensor()
        if tensor is None:
            return None
        tensor._data.setflags(write=False)
        return tensor._data

    @property
    def tensor(self):
        """Return the tensor while it is referenced, else None."""
        return self._tensor()

    @property
    def node(self):
        return self

    def __eq__(self, other):
        # a dictionary of nodes also finds a node by its tensor, even after the tensor was frozen
        return self is getattr(other, "node", None) or self is getattr(other, "_aside", None)

    __hash__ = object.__hash__

    def __repr__(self):
        made = f", made by {self.rule.name}" if self.rule else ""
        name = f"{self.name!r}, " if self.name else ""
        return f"Node({name}shape {self.shape}{made})"


def node_of(tensor, rule=None, edges=(), arguments=(), options=(), aux=None):
    """Return a new node of a tensor. An __init__ of Node would take a tenth longer."""
    y, data = _new(Node), tensor._data
    y.rule = rule
    y.edges = edges
    y.arguments = arguments
    y.options = options
    y.aux = aux
    y.shape = data.shape
    y.dtype = data.dtype
    y._tensor = ref(tensor)
    y.keep_grad = False
    y.grad = y.name = y.scope = y.hooks = y._total = None
    y._pending = 0
    return y


class Droppable(tuple):
    """The options of a node that drops some of them when it is released, because they hold arrays, say."""

    __slots__ = ()


def nothing():
    """Return None, as a weak reference does after its object is gone."""
    return None


class Dropped:
    """The place of a dropped constant or option of a released node: its shape, its name, and its tensor while that lives.

    `numbers` are the bytes and the dtype of a small array, such as the classes of a batch, so that a page can compute it again.
    """

    __slots__ = ("shape", "name", "tensor", "numbers")

    def __init__(self, shape=None, name=None, tensor=nothing, numbers=None):
        self.shape, self.name, self.tensor, self.numbers = shape, name, tensor, numbers

    def __reduce__(self):
        return Dropped, (self.shape, self.name, nothing, self.numbers)  # a copy does not refer to the tensor


def dropped(x, nested=3):
    """Return what a released node keeps of x: x itself if it is a node, a number, text, or a tuple of these; else a Dropped."""
    kind = type(x)
    if kind in SMALL or (kind is tuple and is_plain(x)):
        return x
    if kind is np.ndarray:
        return Dropped(x.shape, numbers=(x.tobytes(), x.dtype) if 0 < x.size <= MOST_KEPT and x.dtype.kind in "biuf" else None)
    if hasattr(kind, "node"):
        return Dropped(x.shape, x.name, ref(x))
    same = lambda entry: type(entry) is not np.ndarray and dropped(entry, nested - 1) is entry
    small = isinstance(x, (np.generic, np.dtype, type)) or (isinstance(x, tuple) and nested and all(map(same, x)))
    return x if small else Dropped()


def is_plain(options):
    """Return whether a tuple has only small entries, which cannot change, or tuples of these, such as the padding of each axis."""
    for entry in options:
        kind = type(entry)
        if kind not in SMALL and (kind is not tuple or not SMALL.issuperset(map(type, entry))):
            return False
    return True


def there(argument):
    """Return an argument of a node; for a Dropped, return its tensor while that is still referenced, or its array if it was small."""
    if type(argument) is not Dropped:
        return argument
    tensor = argument.tensor()
    if tensor is not None:
        return tensor
    return argument if argument.numbers is None else np.frombuffer(*argument.numbers).reshape(argument.shape)


_new = object.__new__
MOST_KEPT = 32  # entries of a constant array whose numbers a released node keeps
SMALL = frozenset({Node, Window, bool, int, float, str, bytes, slice, type(None), type(...)})  # what a released node keeps

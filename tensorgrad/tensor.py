"""Tensor: a variable that holds an array. It has its data, and its node in the graph. families.py attaches its methods.

Nothing writes to the array after the tensor is made: Tensor copies what the user gives, and shows the array read-only. So no
later change can reach what a function has saved.
"""

from inspect import signature
from operator import attrgetter

import numpy as np

from scalargrad import modes
from scalargrad.messages.errors import refuse_name
from tensorgrad.arrays import operands
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.arrays.numpy_array import Count, ReadOnly
from tensorgrad.backward import one_at_a_time, totals
from tensorgrad.errors import calls, errors
from tensorgrad.node import node_of

ONE = {dtype: np.ones(1, dtype).reshape(()) for dtype in operands.FLOATS}  # dz/dz
for _one in ONE.values():
    _one.setflags(write=False)


class Tensor:
    """A variable that holds an array and remembers how it was computed, so that it can be differentiated.

    `data` is anything that NumPy can make an array of real numbers from; it is copied. float32 and float64 stay, other real dtypes
    become float64; `dtype` asks for one of the two. `name` is shown in messages and drawings. `keep_grad=False` makes a
    constant. `grad` is None until `backward()` fills it. Raises TypeError for complex numbers, text and ragged lists.

    >>> A = Tensor([[3, 7], [2, 5]]); B = Tensor([[2, 0], [0, 4]])
    >>> (A @ B).sum().backward(); A.grad
    array([[2., 4.],
           [2., 4.]])
    """

    __slots__ = ("_data", "node", "_name", "_aside", "_parameter", "__weakref__")

    def __init__(self, data, *, name=None, keep_grad=True, dtype=None, **others):
        if others:
            takes = signature(Tensor)
            raise calls.unknown_keyword("Tensor", next(iter(others)), takes.replace(parameters=[*takes.parameters.values()][:-1]))
        self._data = operands.real_array(data, dtype)
        self._name = None if name is None else refuse_name(name)
        self.node = None
        if keep_grad:
            self.node = node_of(self)
            self.node.keep_grad, self.node.name = True, name
            if modes.active:
                self.node.scope = modes.scope_path() or None
        if modes.active:
            modes.show_to_witness(self)

    # What it holds

    @property
    def data(self):
        """The array, read-only. To change a leaf, assign a new array of the same shape; it is copied."""
        self._data.setflags(write=False)
        return self._data.view(ReadOnly)

    @data.setter
    def data(self, new):
        array = operands.real_array(new, self._data.dtype)
        if array.shape != self._data.shape:
            raise ValueError(f"{errors.called(self)}.data must have the shape {self.shape} of {errors.called(self)}, got {array.shape}")
        self._data = array

    shape = property(attrgetter("_data.shape"), doc="The length of each axis, as in NumPy.")
    ndim = property(attrgetter("_data.ndim"), doc="The number of axes.")
    dtype = property(attrgetter("_data.dtype"), doc="float32 or float64.")

    @property
    def size(self):
        """The number of entries, as in NumPy. Calling it, as in PyTorch, raises TypeError."""
        return Count(self._data.size)

    def item(self):
        """Return the only entry as a Python number. Raises ValueError if there is more than one."""
        if self.size != 1:
            raise ValueError(f"item(): a tensor of shape {self.shape} holds {self.size} numbers, not one; use .tolist() for all of them")
        return self._data.item()

    def tolist(self):
        """Return the entries as nested lists of Python numbers."""
        return self._data.tolist()

    # Its place in the graph

    @property
    def name(self):
        """Its name in messages and drawings; None if it has none."""
        return self._name if self.node is None else self.node.name

    @name.setter
    def name(self, name):
        self._name = refuse_name(name)
        if self.node is not None:
            self.node.name = name

    @property
    def grad(self):
        """dz/d(this), summed over all calls of backward() since zero_grad(); None before. Leaves and variables with keep_grad have one.

        Reading a gradient that backward() did not keep gives None and a GradientNotKeptWarning.
        """
        node = self.node
        if node is None:
            return None
        if node.grad is None and node.passed and not node.keep_grad:
            errors.warn_not_kept(node)
        return node.grad

    @grad.setter
    def grad(self, total):
        node = self.node or errors.variable(self, "grad")
        node.grad = None if total is None else operands.gradient(self, total)

    @property
    def keep_grad(self):
        """Whether backward() keeps the gradient of this variable: true for leaves. Set it to True for an intermediate variable.

        False freezes a leaf: it becomes a constant, loses its gradient, and later graphs save nothing for it. True makes a
        constant a leaf.
        """
        return self.node is not None and self.node.keep_grad

    @keep_grad.setter
    def keep_grad(self, keep):
        keep, node = bool(keep), self.own_node()
        node.keep_grad = keep
        if node.rule is None:
            self._name, node.name, node.grad = self.name, self.name, node.grad if keep else None
            self.node = node if keep else None

    def own_node(self):
        """Return the node that this tensor keeps for life. A constant has one too, which is not part of a graph."""
        node = self.node or getattr(self, "_aside", None) or node_of(self)
        if node.rule is None:
            self._aside = node
        return node

    @property
    def inputs(self):
        """The nodes of the inputs of the function that made this variable."""
        return () if self.node is None else self.node.inputs

    @property
    def hooks(self):
        """Functions that backward() calls, one after the other, with the total derivative of this variable.

        It is an ordinary list: append a function, or remove it. Each function gets a read-only array (with create_graph a tensor),
        and returns None, or an array of the same shape that replaces the gradient.
        """
        node = errors.variable(self, "hooks")
        if node.hooks is None:
            node.hooks = []
        return node.hooks

    @property
    def rule(self):
        """The rule of the function that made this variable; None for a leaf or a constant."""
        return None if self.node is None else self.node.rule

    def backward(self, upstream=1, create_graph=False, *, retain_graph=None):
        """Add dz/dx to `.grad` of every leaf x (and variable with keep_grad) that this variable z depends on.

        A z of one entry needs no upstream gradient. Any other z needs one of its own shape. With `create_graph` gradients are
        tensors that can be differentiated again.

        The graph is released unless `retain_graph` or `create_graph`. It drops its saved arrays but keeps its nodes and their
        inputs, so z can still be drawn. To collect many results, keep the numbers z.item(), not the tensors.
        Raises RuntimeError if the graph was released before.
        """
        node = self.node or errors.variable(self, "backward()")
        plain_one = type(upstream) is int and upstream == 1 and self._data.ndim == 0
        G = ONE[self._data.dtype] if plain_one else operands.upstream(self, upstream, create_graph)
        given = [as_tensor(G) if create_graph else G if type(G) is ARRAY else array_of(G)]
        del upstream, G  # a G that only this call refers to may become a gradient without a copy
        with one_at_a_time:  # so that threads do not lose a contribution
            found = totals(node, given.pop(), create_graph if retain_graph is None else retain_graph, create_graph)
            for i, (x, total) in enumerate(found):
                if x.grad is not None:
                    found[i] = x, added(x.grad, total)
            for x, total in found:
                x.grad = total

    def detach(self):
        """Return the same array as a constant, cut off from the graph."""
        return constant(self._data, self.name)

    def zero_grad(self):
        """Set the gradient of this variable and of all its ancestors to None."""
        if self.node is not None:
            met = [self.node]
            seen = {self.node}
            for y in met:
                y.grad, y._passed = None, False
                new = [x for x in dict.fromkeys(y.inputs) if x not in seen]
                seen.update(new)
                met += new

    # Conversions that would cut the graph silently, or mislead

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor: it holds one number; use .item()")
        return len(self._data)

    def __iter__(self):
        if not self.shape:
            raise TypeError("cannot iterate over a 0-d tensor: it holds one number; use .item()")
        return (self[i] for i in range(len(self._data)))

    def __bool__(self):
        if self.size != 1:
            raise ValueError(
                f"the truth value of a tensor of shape {self.shape} is ambiguous; compare its entries, (t > 0).any() or (t > 0).all()"
            )
        return bool(self._data)

    def __float__(self):
        return float(errors.plain_number(self, "float"))

    def __int__(self):
        return int(errors.plain_number(self, "int"))

    def __index__(self):
        errors.plain_number(self, "index")
        what = errors.called(self)
        raise TypeError(f"index: {what} is a Tensor, which holds floats; write int({what}) for the number of a constant")

    def __complex__(self):
        return complex(errors.plain_number(self, "complex"))

    def __array__(self, dtype=None, copy=None):
        return np.array(errors.plain_array(self), dtype)

    def __setitem__(self, index, value):
        errors.assignment(self)

    def __hash__(self):  # as keys, variables differ by identity; the node has the same hash
        return hash(self.node or self.own_node())

    def __repr__(self):
        text = np.array2string(self._data, separator=", ", prefix="Tensor(")
        kind = "" if self._data.dtype == np.float64 else f", dtype={self._data.dtype}"
        name = f", name={self.name!r}" if self.name else ""
        return f"Tensor({text}{kind}{name})"

    def __format__(self, spec):
        return format(self.item(), spec) if spec else str(self)


def added(grad, total):
    """Return the sum of two gradients, arrays or tensors."""
    found = grad + total
    return np.asarray(found) if isinstance(found, np.generic) else found


def array_of(x):
    """Return the array of a tensor; an array as it is."""
    return x._data if type(x) is Tensor else x


def as_tensor(x):
    """Return a tensor as it is; an array as a constant."""
    return x if type(x) is Tensor else made(x)


def made(data, node=None):
    """Return a tensor around an array that the user cannot reach, without a copy."""
    t = _new(Tensor)
    t._data, t.node, t._name = data, node, None
    return t


def constant(data, name=None):
    """Return a constant around an array that the user cannot reach, without a copy."""
    t = made(data)
    t._name = name
    return t


def is_variable(x):
    """Return whether x is a tensor that the graph knows: not a constant."""
    return type(x) is Tensor and x.node is not None


def leaf(data):
    """Return a variable around an array that the user cannot reach, without a copy. Graphs that this package makes begin at such leaves."""
    t = made(data)
    t.node = node_of(t)
    return t


_new = object.__new__

"""A variable that holds an array: its data, and its node in the graph. Operators and methods are attached in methods.py.

The array is never written to after the tensor is made: what a user is shown is read-only, what a user gives is copied. So
no later change can reach what a function has saved.
"""

from inspect import signature

import numpy as np

from scalargrad import modes
from scalargrad.errors import refuse_name
from tensorgrad import operands
from tensorgrad.backward import one_at_a_time, totals
from tensorgrad.errors import calls, errors
from tensorgrad.node import Node
from tensorgrad.read_only import ReadOnly

ONE = {dtype: np.ones(1, dtype).reshape(()) for dtype in operands.FLOATS}  # dz/dz
for _one in ONE.values():
    _one.setflags(write=False)


class Tensor:
    """A variable: an array whose derivatives can be asked for.

    `data` is anything NumPy can make an array of real numbers from; it is copied. float32 and float64 stay, other real kinds
    become float64; `dtype` asks for one of the two. `name` is shown in messages and drawings. `keep_grad=False` makes a
    constant. TypeError for complex numbers, text and ragged lists. `grad` is None until `backward()` fills it.

    >>> A = Tensor([[3, 7], [2, 5]]); B = Tensor([[2, 0], [0, 4]])
    >>> (A @ B).sum().backward(); A.grad
    array([[2., 4.],
           [2., 4.]])
    """

    __slots__ = ("_data", "node", "_name", "_aside", "__weakref__")

    def __init__(self, data, *, name=None, keep_grad=True, dtype=None, **others):
        if others:
            takes = signature(Tensor)
            raise calls.unknown_keyword("Tensor", next(iter(others)), takes.replace(parameters=[*takes.parameters.values()][:-1]))
        self._data = operands.real_array(data, dtype)
        self._name = refuse_name(name)
        self.node = None
        if keep_grad:
            self.node = Node(self)
            self.node.keep_grad, self.node.name = True, name
            if modes.active:
                self.node.scope = modes.scope_path() or None

    # What it holds

    @property
    def data(self):
        """The array, read-only. Assigning a new one (of the same shape) is the way to change a leaf; it is copied."""
        self._data.setflags(write=False)
        return self._data.view(ReadOnly)

    @data.setter
    def data(self, new):
        array = operands.real_array(new, self._data.dtype)
        if array.shape != self._data.shape:
            raise ValueError(f"{errors.called(self)}.data has shape {self.shape}; an array of shape {array.shape} cannot take its place")
        self._data = array

    @property
    def shape(self):
        """The length of each axis, as in NumPy."""
        return self._data.shape

    @property
    def ndim(self):
        """The number of axes."""
        return self._data.ndim

    @property
    def size(self):
        """The number of entries."""
        return self._data.size

    @property
    def dtype(self):
        """float32 or float64."""
        return self._data.dtype

    def item(self):
        """The only entry as a Python number; ValueError if there is more than one."""
        if self.size != 1:
            raise ValueError(f"item(): a tensor of shape {self.shape} holds {self.size} numbers, not one; use .tolist() for all of them")
        return self._data.item()

    def tolist(self):
        """The entries as nested lists of Python numbers."""
        return self._data.tolist()

    # Its place in the graph

    @property
    def name(self):
        """What messages and drawings call it; None if it has no name."""
        return self._name if self.node is None else self.node.name

    @name.setter
    def name(self, name):
        self._name = refuse_name(name)
        if self.node is not None:
            self.node.name = name

    @property
    def grad(self):
        """dz/d(this), summed over all calls of backward() since zero_grad(); None before. For leaves and kept variables only.

        Reading the gradient that backward() did not keep gives None and a GradientNotKeptWarning.
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
        """Whether backward() keeps the gradient of this variable: true for leaves; set it to keep one in between.

        A leaf with False is a constant, frozen: the next graph saves nothing for it, and its gradient is gone. True makes any
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
        """The node that this tensor has for life, also where it is a constant and the graph does not know it."""
        node = self.node or getattr(self, "_aside", None) or Node(self)
        if node.rule is None:
            self._aside = node
        return node

    @property
    def inputs(self):
        """The nodes of the variables that the function took."""
        return () if self.node is None else self.node.inputs

    @property
    def hooks(self):
        """Functions that backward() calls with the total gradient of this variable, one after the other.

        Each returns None, or an array of the same shape to take the gradient's place. It is an ordinary list: append a
        function, remove it again. The array that they are shown is read-only; with create_graph it is a tensor.
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
        """Add dz/dx to `.grad` of every leaf (and kept variable) x that z, this variable, depends on.

        A z of one entry needs no upstream gradient; any other needs one of its own shape. Unless `retain_graph`, the graph is
        released on the way: it drops its arrays and keeps its skeleton, so z can be drawn and its gradients zeroed as long as z
        lives (to collect many, keep z.item()). With `create_graph`, which retains the graph, gradients are tensors that can be
        differentiated again. RuntimeError if the graph was released.
        """
        node = self.node or errors.variable(self, "backward()")
        plain_one = type(upstream) is int and upstream == 1 and self._data.ndim == 0
        G = ONE[self._data.dtype] if plain_one else operands.upstream(self, upstream)
        G = as_tensor(G) if create_graph else plain(G)
        with one_at_a_time:  # so that threads lose no contribution
            found = totals(node, G, create_graph if retain_graph is None else retain_graph, create_graph)
            found = [(x, total if x.grad is None else added(x.grad, total)) for x, total in found]
            for x, total in found:
                x.grad = total

    def detach(self):
        """The same array as a constant, cut off from the graph."""
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

    # What would cut the graph without a word, or would not mean what it seems to

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a tensor without axes: it holds one number")
        return len(self._data)

    def __iter__(self):
        if not self.shape:
            raise TypeError("a tensor without axes cannot be walked through: it holds one number; use .item()")
        return (self[i] for i in range(len(self._data)))

    def __bool__(self):
        if self.size != 1:
            raise ValueError(
                f"whether a tensor of shape {self.shape} is true is not clear: compare its entries, (t > 0).any() or (t > 0).all()"
            )
        return bool(self._data)

    def __float__(self):
        return float(errors.plain_number(self, "float"))

    def __int__(self):
        return int(errors.plain_number(self, "int"))

    def __index__(self):
        errors.plain_number(self, "index")
        what = errors.called(self)
        raise TypeError(f"index: {what} is a Tensor, which holds no whole numbers; write int({what}) for the number of a constant")

    def __complex__(self):
        return complex(errors.plain_number(self, "complex"))

    def __array__(self, dtype=None, copy=None):
        return np.array(errors.plain_array(self), dtype)

    def __setitem__(self, index, value):
        errors.assignment(self)

    def __hash__(self):  # as keys, variables are told apart by identity; the node answers to the same key
        return hash(self.node or self.own_node())

    def __repr__(self):
        text = np.array2string(self._data, separator=", ", prefix="Tensor(")
        kind = "" if self._data.dtype == np.float64 else f", dtype={self._data.dtype}"
        name = f", name={self.name!r}" if self.name else ""
        return f"Tensor({text}{kind}{name})"

    def __format__(self, spec):
        return format(self.item(), spec) if spec else str(self)


def added(grad, total):
    """The sum of two gradients, arrays or tensors."""
    found = grad + total
    return np.asarray(found) if isinstance(found, np.generic) else found


def plain(x):
    """The array of a tensor; an array as it is."""
    return x._data if type(x) is Tensor else x


def as_tensor(x):
    """A tensor as it is; an array as a constant."""
    return x if type(x) is Tensor else made(x)


def made(data, node=None):
    """A tensor around an array of our own, without a copy."""
    t = _new(Tensor)
    t._data, t.node, t._name = data, node, None
    return t


def constant(data, name=None):
    """A constant around an array of our own, without a copy."""
    t = made(data)
    t._name = name
    return t


_new = object.__new__

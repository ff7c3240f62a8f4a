"""The operators and methods of a tensor, and the dispatch for NumPy, attached from the rules and functions.

A family lists its public functions in `__all__`. METHODS names those that are also methods of a tensor, SHAPE_METHODS the methods that
take a shape number by number. PROPERTIES gives the properties. NUMPY maps NumPy's functions to ours; those of the same name in np or
np.linalg need no entry.
"""

from functools import wraps

import numpy as np

from scalargrad import modes
from scalargrad.messages.errors import refuse_xor
from scalargrad.messages.foreign_names import answer
from tensorgrad import numpy_dispatch
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.errors import errors
from tensorgrad.errors.foreign_names import TENSOR
from tensorgrad.functions import (
    activations,
    adaptive_pooling,
    arrangements,
    attention,
    averages,
    blends,
    class_losses,
    comparisons,
    differences,
    elementwise_options,
    losses,
    normalisation,
    partial_reductions,
    pooling,
    products,
)
from tensorgrad.node import Node
from tensorgrad.rule import Rule
from tensorgrad.rules import (
    convolution,
    decompositions,
    dtypes,
    einsum,
    elementwise,
    extrema,
    gathering,
    indexing,
    joining,
    linear,
    moving,
    norms,
    reductions,
    resampling,
    scans,
    shapes,
    sorting,
    spectral,
    unfolding,
)
from tensorgrad.rules.elementwise_rule import Elementwise
from tensorgrad.tensor import Tensor

# fmt: off
FAMILIES = [
    elementwise, elementwise_options, dtypes, comparisons, blends,
    reductions, extrema, norms, partial_reductions, scans, differences, sorting, averages,
    shapes, moving, joining, arrangements, indexing, gathering,
    linear, einsum, decompositions, spectral, products,
    convolution, unfolding, pooling, adaptive_pooling, resampling,
    activations, normalisation, attention, losses, class_losses,
]
# fmt: on


def method(function):
    """Return a rule as a method. Any other function is one already."""
    if not isinstance(function, Rule):
        return function
    return wraps(function, updated=())(lambda self, *args, **options: function(self, *args, **options))


def of_shape(function):
    """Return a method that takes a shape, or an order of axes, as one tuple or as several numbers: t.reshape(2, 3)."""

    @wraps(function, updated=())
    def call(self, *numbers, **named):
        if named or not numbers:
            return function(self, *numbers, **named)  # it reports what is missing; transpose() reverses the axes
        return function(self, numbers[0] if len(numbers) == 1 and not isinstance(numbers[0], int) else numbers)

    return call


def operator(rule):
    """Return a rule as a binary operator. The commonest case, two variables and no open block, is written out: it is faster."""
    forward, applied, new = rule.forward, rule.applied, object.__new__

    def call(a, b):
        if type(b) is not Tensor or a.node is None or b.node is None or modes.active:
            return applied((a, b), ())
        x, w = a._data, b._data
        try:
            y = silence.copy().run(forward, x, w)
        except ValueError:
            return applied((a, b), ())  # which reports what is wrong
        t = new(Tensor)
        t._data = y = y if type(y) is ARRAY else np.asarray(y)
        t._name = None
        known, vjps = (x, w, y, None), rule.vjps
        m, n = a.node, b.node
        t.node = Node(t, rule, ((m, 0, vjps[0].gathered(known)), (n, 1, vjps[1].gathered(known))), (m, n))
        return t

    return call


def unary(rule):
    """Return a rule of one input as a method. Again the commonest case, without options, is written out."""
    forward, new, options = rule.forward, object.__new__, rule.defaults

    @wraps(rule, updated=())
    def call(a, *args, **settings):
        if args or settings or a.node is None or modes.active:
            return rule(a, *args, **settings)
        x = a._data
        try:
            y = silence.copy().run(forward, x, *options)
        except (ValueError, IndexError):
            return rule(a)  # which reports what is wrong
        t = new(Tensor)
        t._data = y = y if type(y) is ARRAY else np.asarray(y)
        t._name = None
        t.node = Node(t, rule, ((a.node, 0, rule.vjps[0].gathered((x, y, *options, None))),), (a.node,), options)
        return t

    return call


def in_place(rule, sign):
    """Return the method of t += ..., which binds the name t to a new variable.

    A leaf and its gradient would be lost that way, so a leaf raises TypeError. Under no_grad, where parameters are updated,
    a leaf keeps its place and takes the new numbers.
    """

    def call(self, other):
        if self.node is None or self.node.rule is not None:
            return rule(self, other)
        if not modes.recording_off.get():
            raise errors.in_place(self, sign)
        self.data = rule(self, other)._data
        return self

    return call


def reflected(rule):
    return lambda self, other: rule(other, self)


BINARY = {
    "add": ("+", elementwise.add),
    "sub": ("-", elementwise.sub),
    "mul": ("*", elementwise.mul),
    "truediv": ("/", elementwise.div),
    "pow": ("**", elementwise.pow),
    "mod": ("%", elementwise.remainder),
    "floordiv": ("//", elementwise.floor_divide),
    "matmul": ("@", linear.matmul),
}
OTHERS = {
    "neg": method(elementwise.neg),
    "pos": lambda self: self,  # as for a Value: +x is x itself
    "abs": method(elementwise.abs),
    "round": method(elementwise_options.round),
    "divmod": lambda self, other: (self // other, self % other),
    "rdivmod": lambda self, other: (other // self, other % self),
    "xor": refuse_xor,
    "rxor": refuse_xor,
    "getitem": lambda self, index: indexing.getitem.applied((self,), (index,)),
}
for _name, (_sign, _rule) in BINARY.items():
    setattr(Tensor, f"__{_name}__", operator(_rule) if isinstance(_rule, Elementwise) else method(_rule))
    setattr(Tensor, f"__r{_name}__", reflected(_rule))
    setattr(Tensor, f"__i{_name}__", in_place(_rule, _sign))
for _name, _function in OTHERS.items():
    setattr(Tensor, f"__{_name}__", _function)

PUBLIC = {name: getattr(family, name) for family in FAMILIES for name in family.__all__}
for _family in FAMILIES:
    for _name in getattr(_family, "METHODS", ()):
        _function = PUBLIC[_name]
        _one_input = isinstance(_function, Rule) and _function.arity == 1 and _function.fast is None
        setattr(Tensor, _name, unary(_function) if _one_input else method(_function))
    for _name in getattr(_family, "SHAPE_METHODS", ()):
        setattr(Tensor, _name, of_shape(PUBLIC[_name]))
    for _name, _function in getattr(_family, "PROPERTIES", {}).items():
        setattr(Tensor, _name, property(_function, doc=(_function.__doc__ or "").partition(">>>")[0]))
    numpy_dispatch.DISPATCH.update(getattr(_family, "NUMPY", {}))
answer(Tensor, TENSOR)
numpy_dispatch.open_for(PUBLIC)

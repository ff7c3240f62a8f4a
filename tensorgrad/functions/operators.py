"""Python's operators of tensors, and the attributes T and mT: which function each of them is."""

import numpy as np

from scalargrad import modes
from scalargrad.messages.errors import refuse_xor
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.errors import errors
from tensorgrad.functions import elementwise_options
from tensorgrad.methods import as_method
from tensorgrad.node import node_of
from tensorgrad.rules import elementwise, indexing, shapes
from tensorgrad.rules.elementwise_rule import Elementwise
from tensorgrad.rules.linear_algebra import linear
from tensorgrad.tensor import Tensor


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
        t.node = node_of(t, rule, ((m, 0, vjps[0].gathered(known)), (n, 1, vjps[1].gathered(known))), (m, n))
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
    "neg": as_method(elementwise.neg),
    "pos": lambda self: self,  # as for a Value: +x is x itself
    "abs": as_method(elementwise.abs),
    "round": as_method(elementwise_options.round),
    "divmod": lambda self, other: (self // other, self % other),
    "rdivmod": lambda self, other: (other // self, other % self),
    "xor": refuse_xor,
    "rxor": refuse_xor,
    "getitem": lambda self, index: indexing.getitem.applied((self,), (index,)),
}
for _name, (_sign, _rule) in BINARY.items():
    setattr(Tensor, f"__{_name}__", operator(_rule) if isinstance(_rule, Elementwise) else as_method(_rule))
    setattr(Tensor, f"__r{_name}__", reflected(_rule))
    setattr(Tensor, f"__i{_name}__", in_place(_rule, _sign))
for _name, _function in OTHERS.items():
    setattr(Tensor, f"__{_name}__", _function)
for _name, _function in {"T": shapes.transpose, "mT": shapes.matrix_transpose}.items():
    setattr(Tensor, _name, property(_function, doc=(_function.__doc__ or "").partition(">>>")[0]))

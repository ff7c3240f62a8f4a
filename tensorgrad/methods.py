"""The methods of tensors: public functions that are marked so, by @method or @shape_method."""

from functools import wraps

import numpy as np

from scalargrad import modes
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.node import node_of
from tensorgrad.rule import Rule
from tensorgrad.tensor import Tensor


def attach(functions):
    """Give tensors the methods among `functions`, {name: function}."""
    for name, function in functions.items():
        if hasattr(function, "is_method"):
            setattr(Tensor, name, of_shape(function) if hasattr(function, "takes_shape") else as_method(function))


def as_method(function):
    """Return a rule as a method. Any other function is one already."""
    if not isinstance(function, Rule):
        return function
    if function.arity == 1 and function.fast is None and not function.required:
        return unary(function)
    return wraps(function, updated=())(lambda self, *args, **options: function(self, *args, **options))


def of_shape(function):
    """Return a function as a method that takes the numbers of a shape one by one, too."""

    @wraps(function, updated=())
    def call(self, *numbers, **named):
        if named or not numbers:
            return function(self, *numbers, **named)  # it reports what is missing; transpose() reverses the axes
        return function(self, numbers[0] if len(numbers) == 1 and not isinstance(numbers[0], int) else numbers)

    return call


def unary(rule):
    """Return a rule of one input as a method. Again the commonest case, without options, is written out."""
    forward, new, options = rule.forward, object.__new__, rule.defaults
    rest = (*options, None)

    @wraps(rule, updated=())
    def call(a, *args, **settings):
        if args or settings or a.node is None or modes.active:
            return rule(a, *args, **settings)
        x = a._data
        try:
            y = silence.copy().run(forward, x)
        except (ValueError, IndexError):
            return rule(a)  # which reports what is wrong
        t = new(Tensor)
        t._data = y = y if type(y) is ARRAY else np.asarray(y)
        t._name = None
        t.node = node_of(t, rule, ((a.node, 0, rule.vjps[0].gathered((x, y) + rest)),), (a.node,), options)
        return t

    return call

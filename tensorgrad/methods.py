"""The operators and methods of a tensor, and the door for NumPy, attached from the rules and functions.

A family says in `__all__` what is public, in METHODS which of it is also a method of a tensor, in OF_SHAPE which methods take
a shape number by number, and in NUMPY what NumPy calls by another name.
"""

from tensorgrad import door
from tensorgrad.functions import activations, attention, losses, normalisation
from tensorgrad.rules import convolution, elementwise, indexing, linear, pooling, reductions, shapes
from tensorgrad.tensor import Tensor

FAMILIES = [elementwise, reductions, shapes, indexing, linear, convolution, pooling, activations, normalisation, attention, losses]


def method(function):
    def call(self, *args, **options):
        return function(self, *args, **options)

    call.__doc__, call.__name__ = function.__doc__, function.__name__
    return call


def of_shape(function):
    """A method that takes a shape, or the order of axes, as one tuple or number by number: t.reshape(2, 3)."""

    def call(self, *numbers):
        return function(self, numbers[0] if len(numbers) == 1 and not isinstance(numbers[0], int) else numbers or None)

    call.__doc__, call.__name__ = function.__doc__, function.__name__
    return call


def operator(rule):
    return lambda self, other: rule(self, other)


def reflected(rule):
    return lambda self, other: rule(other, self)


BINARY = {
    "add": elementwise.add,
    "sub": elementwise.sub,
    "mul": elementwise.mul,
    "truediv": elementwise.div,
    "pow": elementwise.pow,
    "matmul": linear.matmul,
}
for _name, _rule in BINARY.items():
    setattr(Tensor, f"__{_name}__", operator(_rule))
    setattr(Tensor, f"__r{_name}__", reflected(_rule))
Tensor.__neg__ = method(elementwise.neg)
Tensor.__pos__ = lambda self: self

PUBLIC = {name: getattr(family, name) for family in FAMILIES for name in family.__all__}
for _family in FAMILIES:
    for _name in getattr(_family, "METHODS", ()):
        setattr(Tensor, _name, method(PUBLIC[_name]))
    for _name in getattr(_family, "OF_SHAPE", ()):
        setattr(Tensor, _name, of_shape(PUBLIC[_name]))
    door.DOOR.update(getattr(_family, "NUMPY", {}))
door.open_for(PUBLIC)

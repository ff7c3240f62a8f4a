"""The engine: a variable is a number and its edges, an operator is a row of the table, and backward() runs the chain rule.

Read this file first. Then `edges.py` says how a variable keeps its edges, and puts variables into topological order. `rules.py`
has one row per function: its value and its partial derivatives. `backpropagation.py` is the tutorial's loop, which computes the
same derivatives. The Value that users import (value.py) adds constants, comparisons, copies and messages.

>>> x = Value(3.0)
>>> y = x * x + 1
>>> y.backward()
>>> y.data, x.grad
(10.0, 6.0)
"""

from operator import attrgetter

from scalargrad import rules
from scalargrad.edges import Edges, topological_order
from scalargrad.numeric import add_product
from scalargrad.rule import WithConstants


def both_sides(row):
    """Return the two methods of an operator: one for x + other, and one for other + x."""
    return lambda x, other: row(x, other), lambda x, other: row(other, x)


class Value(Edges):
    """A variable y: a number, and edges to the inputs of the function that made it, with the partial ∂y/∂x on each.

    A partial is computed when y is made. So the backward pass only multiplies and adds, and a later change of a number does not
    change its result. A variable refers to its inputs, not to its children. So Python frees the graph when nothing refers to z.
    """

    __slots__ = ("_data", "grad", "rule")

    def __init__(self, data, inputs=(), partials=(), rule=None):
        self._data = data
        self.grad = 0  # dz/dy, after z.backward()
        self.inputs = inputs
        self.partials = partials
        self.rule = rule  # the row of the function that made it; None in a leaf
        self._mark = None

    data = property(attrgetter("_data"), doc="The number that it holds.")

    __add__, __radd__ = both_sides(rules.add)
    __sub__, __rsub__ = both_sides(rules.sub)
    __mul__, __rmul__ = both_sides(rules.mul)
    __truediv__, __rtruediv__ = both_sides(rules.div)
    __floordiv__, __rfloordiv__ = both_sides(rules.floor_divide)
    __mod__, __rmod__ = both_sides(rules.remainder)
    __pow__, __rpow__ = both_sides(rules.pow)

    def __neg__(self):
        return rules.neg(self)

    def __abs__(self):
        return rules.abs(self)

    @classmethod
    def __apply__(cls, row, args):
        """Return y = row(*args). A row calls this method if one of its arguments is a variable."""
        return made_by(cls, row, args, [x._data if isinstance(x, Value) else x for x in args])

    def backward(self, upstream=1):
        """Compute dz/dx (times `upstream`) for every ancestor x of this variable z, and store it in `x.grad`.

        Gradients of leaves accumulate over calls. Gradients of intermediate variables hold the last call's result.
        """
        backward(self, upstream)


def made_by(kind, row, args, numbers):
    """Return the variable y = row(*args), where `numbers` are the arguments as plain numbers. Plain arguments get no edge."""
    y = row(*numbers)
    slots = [i for i, x in enumerate(args) if isinstance(x, Value)]
    partials = row.partials_at(slots, numbers, y)
    if len(slots) < len(args):
        row = WithConstants(row, tuple(numbers), tuple(slots))
    return kind(y, [args[i] for i in slots], partials, row)


def backward(z, upstream=1):
    """Run equation (1) from z: add upstream · dz/dx to `.grad` of leaves, and set `.grad` of intermediate variables.

    Each variable y, in topological order, adds dz/dy · ∂y/∂x to `.grad` of its inputs x. The total derivative dz/dy is complete
    when y is reached, since all children of y come before it.
    """
    if z._x1 is None:
        z.grad += upstream
        return
    order = topological_order(z)
    zero = 0.0 if type(z._data) is float else 0  # sums of floats are quickest from 0.0; Fractions stay exact from 0
    for y in order:
        y.grad = zero
    z.grad = upstream + zero
    for y in order:
        total, x1, x2 = y.grad, y._x1, y._x2
        if type(x1) is tuple:
            for x, partial in zip(x1, y._d1):
                try:
                    x.grad += total * partial
                except OverflowError:  # an integer too large for any float
                    x.grad = add_product(x.grad, total, partial)
            continue
        try:
            x1.grad += total * y._d1
        except OverflowError:
            x1.grad = add_product(x1.grad, total, y._d1)
        if x2 is not None:
            try:
                x2.grad += total * y._d2
            except OverflowError:
                x2.grad = add_product(x2.grad, total, y._d2)

"""The engine to read: a variable is a number and its edges, an operator is a row of the table, and backward() runs the chain rule.

It needs only the table of functions, `rules.py`: a row computes the value of one function, and its partial derivatives. Users get the
same class with flat slots and quick operators, about seven times as fast in micrograd's demo, from `fast/value.py`;
`test_both_values_agree` in `tests/scalargrad/test_engine.py` proves that the two agree.

>>> x = Value(3.0)
>>> y = x * x + x.exp()
>>> y.backward()
>>> y, x
(Value(29.085..., grad=1), Value(3.0, grad=26.085...))
"""

from scalargrad import rules


class Operators:
    """The operators of a variable. Each calls a row: x + 3 is rules.add(x, 3). The row finds the variable x, and calls x.__apply__."""

    __slots__ = ()

    # fmt: off
    def __add__(self, other):       return rules.add(self, other)
    def __radd__(self, other):      return rules.add(other, self)
    def __sub__(self, other):       return rules.sub(self, other)
    def __rsub__(self, other):      return rules.sub(other, self)
    def __mul__(self, other):       return rules.mul(self, other)
    def __rmul__(self, other):      return rules.mul(other, self)
    def __truediv__(self, other):   return rules.div(self, other)
    def __rtruediv__(self, other):  return rules.div(other, self)
    def __floordiv__(self, other):  return rules.floor_divide(self, other)
    def __rfloordiv__(self, other): return rules.floor_divide(other, self)
    def __mod__(self, other):       return rules.remainder(self, other)
    def __rmod__(self, other):      return rules.remainder(other, self)
    def __pow__(self, other):       return rules.pow(self, other)
    def __rpow__(self, other):      return rules.pow(other, self)
    def __neg__(self):              return rules.neg(self)
    def __abs__(self):              return rules.abs(self)
    # fmt: on


class Value(Operators):
    """A variable y: a number, and edges to the inputs of the function that made it, with the partial ∂y/∂x on each.

    A partial is computed when y is made. So the backward pass only multiplies and adds, and a later change of a number does not
    change the gradients. A variable refers to its inputs, not to its children. So Python frees the graph when nothing refers to z.
    """

    __slots__ = ("data", "grad", "inputs", "partials")

    def __init__(self, data, inputs=(), partials=()):
        self.data = data
        self.grad = 0  # dz/dy, after z.backward()
        self.inputs = inputs
        self.partials = partials

    @staticmethod
    def __apply__(row, args):
        """Return y = row(*args). A row calls this method if it finds a variable among its arguments. Plain arguments get no edge."""
        numbers = [x.data if isinstance(x, Value) else x for x in args]
        y = row(*numbers)  # the same row once more: without a variable it computes the value
        places = [i for i, x in enumerate(args) if isinstance(x, Value)]
        return Value(y, tuple(args[i] for i in places), row.partials_at(places, numbers, y))

    def backward(self):
        """Compute dz/dx for every ancestor x of this variable z, by equation (1): dz/dx = Σ dz/dy · ∂y/∂x over the children y of x.

        Each variable y, in topological order, adds dz/dy · ∂y/∂x to `.grad` of its inputs x. The total derivative dz/dy is complete when
        y is reached, since all children of y come before it. Gradients of leaves add up over calls. Others begin at 0 in each call.
        """
        order = topological_order(self)
        for y in order:
            if y.inputs:
                y.grad = 0
        self.grad += 1  # dz/dz is 1. If z is a leaf, it is added to the gradient of earlier calls
        for y in order:
            for x, partial_x in zip(y.inputs, y.partials):
                x.grad += y.grad * partial_x

    def __repr__(self):
        return f"Value({self.data}, grad={self.grad})"


for row in rules.TABLE:  # each function is a method too: x.exp() is rules.exp(x). Python hands x to the lambda, not to a row
    setattr(Value, row.name, lambda *args, row=row: row(*args))


def topological_order(z):
    """Return z and its ancestors, each variable before its inputs. This is a depth-first search that does not recurse."""
    order, met, stack = [], set(), [(z, False)]
    while stack:
        y, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(y)
        elif y not in met:
            met.add(y)
            stack.append((y, True))
            stack += [(x, False) for x in reversed(y.inputs)]  # the first input is on top, so it is looked at first
    return order[::-1]

"""What backpropagation through tensors runs on: the trace, the stepper and the drawings are scalargrad's and viz's own.

Where a number has a partial ∂y/∂x, a tensor has the vjp of an edge: out of dz/dY it makes the contribution G_XY. The total
dz/dX is the sum of the contributions of X's children. Hooks belong to `.backward()`: what a trace shows is the mathematics.
"""

from functools import cached_property
from math import prod

import numpy as np

from scalargrad.backpropagation import backpropagation
from scalargrad.callers import called_function
from scalargrad.formulas.symbols import Name
from scalargrad.graph import ChangedError, show
from scalargrad.steps import HOLE, Numbers, NumbersAndSymbols, Quantity
from tensorgrad import anomaly
from tensorgrad.axes import unbroadcast
from tensorgrad.errors import errors
from tensorgrad.errstate import quietly
from tensorgrad.inspection import formulas
from tensorgrad.inspection.formulas import Contribution
from tensorgrad.inspection.forward_values import MOST_ENTRIES, changed, close, recall
from tensorgrad.inspection.saved_arrays import name_of, names_of_constants, saved_for_backward
from tensorgrad.inspection.zoom import trace_inside
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor


class Partial:
    """Edge number `slot` of a variable y. Times the upstream gradient dz/dY it is the contribution to the input there."""

    __slots__ = ("y", "slot")
    __array_ufunc__ = None  # so that NumPy leaves `array * partial` to us

    def __init__(self, y, slot):
        self.y, self.slot = y, slot

    def __rmul__(self, G):
        errors.refuse_released("Trace", [self.y])
        x, place, saved = self.y.edges[self.slot]
        vjp = self.y.rule.vjps[place].function
        return unbroadcast(np.asarray(quietly(vjp, G, *saved)), x.shape).astype(x.dtype, copy=False)


class Pulling:
    """A partial together with its formula: what a step shows of an edge. It has no number until it meets a dz/dY."""

    __slots__ = ("symbol", "vjp", "name")
    number = None

    def __init__(self, symbol, vjp, name):
        self.symbol, self.vjp, self.name = symbol, vjp, name

    def __rmul__(self, upstream):
        return Quantity(upstream.number * self.vjp, self.name)


class Arrays(Numbers):
    """Lets a schedule run on arrays."""

    def require_saved(self):
        errors.refuse_released("Trace", self.variables)

    @property
    def one(self):
        """dz/dz; ValueError if z is more than one number."""
        if prod(self.z.shape) != 1:
            raise ValueError(
                f"{called_function()}: z must be a scalar, but {show(self.z)} has shape {self.z.shape}; trace its .sum(), or "
                "(z * upstream).sum() for an upstream gradient of your own"
            )
        return np.ones(self.z.shape, self.z.dtype)

    def as_made(self, y, slot, partial):
        return partial.y is y and partial.slot == slot

    def product(self, path):
        raise ValueError(
            "schedule='paths' multiplies numbers, and an edge between tensors holds a vjp, not a number; choose another schedule, "
            "or sum over the paths between entries, in zoom(z).z"
        )


class ArraysAndFormulas(Arrays):
    """Lets a schedule run on arrays and formulas side by side, and says how each is written."""

    at_edges = "symbols"
    zero = Quantity(0, 0)
    total = NumbersAndSymbols.total

    def __init__(self, graph, names):
        super().__init__(graph)
        self.names = names
        nodes = [v for v in self.variables if isinstance(v, Node)]
        self.arrays = recall(nodes)  # now: the user may let go of them
        y = changed(nodes, self.arrays)
        if y is not None:
            raise ChangedError(
                f"{names[y]} is not what {y.rule.name} makes of {', '.join(dict.fromkeys(names[x] for x in y.inputs))} now: an array was "
                f"changed after {names[y]} had been made; make {names[self.z]} again, and look at it before the next change"
            )

    @property
    def one(self):
        return Quantity(super().one, 1)

    def partial(self, y, slot):
        return Pulling(self.written_partial(y, slot), y.partials[slot], self.ratio(y, slot))

    def as_made(self, y, slot, partial):
        return super().as_made(y, slot, partial.vjp)

    def upstream(self, y, total):
        return Quantity(total.number, self.total(y))

    # How things are written

    def name(self, v):
        """The name of a variable of the graph, or of a constant tensor."""
        return name_of(v, self.names, {} if isinstance(v, Node) else self.names_of_constants)

    @cached_property
    def names_of_constants(self):
        return names_of_constants(self.variables)

    def ratio(self, y, slot):
        """G_XY: what stands for ∂y/∂x where it cannot be written without dz/dY."""
        x = y.inputs[slot]
        edges = [i for i, other in enumerate(y.inputs) if other is x]
        return Contribution(self.names[x], self.names[y], edges.index(slot) + 1 if len(edges) > 1 else None)

    def written_partial(self, y, slot):
        """The rule's formula for G_XY; G_XY itself where the formula cannot be written down."""
        try:
            return formulas.of_edge(y, slot, self.name, self.names.get(self.z, "z"))  # z, where several are drawn together
        except ArithmeticError:  # such as A / 0
            return self.ratio(y, slot)

    def written(self, y):
        """y's function as a formula."""
        return formulas.written(y, self.name)

    def factors(self, y, slot, done=None):
        """The term of equation (1) for one edge, three times over: its name, the rule's formula, the array."""
        formula = done.partial.symbol if done and done.partial is not None else HOLE
        number = done.term.number if done and done.term is not None else HOLE
        return (self.ratio(y, slot),), (formula,), (number,)

    # What variables hold

    def data(self, v):
        """The array that v holds; None where it is freed."""
        return v.data if isinstance(v, Tensor) else self.arrays[v]

    def on_edge(self, y, slot, totals):
        """The array that is written at an edge: the contribution, once dz/dY is known."""
        return totals[y] * y.partials[slot] if y in totals and not y.released else None

    def saved(self, y):
        """What y keeps to go backward: [(name, array)], an input's array by the input's name."""
        return [(Name(name), array) for name, array in saved_for_backward(y, self.name).items()]

    def constants(self, y):
        """The constant tensors among y's arguments: they are drawn, but they are no variables of the graph."""
        return y.constants if isinstance(y, Node) else []

    def not_finite(self, array):
        """(entry, index) of the first entry of an array that is inf or nan; None if there is none, and of a freed array."""
        place = None if array is None else anomaly.not_finite(np.asarray(array))
        return None if place is None else (float(np.asarray(array)[place]), tuple(map(int, place)))

    def zoom(self, y, upstream):
        """A trace of the numbers that y's function stands for, where dz/dY is the array `upstream`; None where they are too many."""
        return trace_inside(y, upstream, self.names, self.names.get(self.z, "z"))

    def gradients(self):
        """What `.grad` holds, {} before backward() has run; and whether that is dz/dx for every x, as far as the graph still knows."""
        held = {v: getattr(v.grad, "data", v.grad) if isinstance(v.grad, Tensor) else v.grad for v in self.variables}
        held = {v: grad for v, grad in held.items() if grad is not None}
        if not held:
            return {}, True
        unknown = prod(self.z.shape) != 1 or any(v.released for v in self.variables)
        if unknown or sum(prod(v.shape) for v in self.variables) > MOST_ENTRIES:
            return held, False
        totals = backpropagation(self.z)
        return held, all(close(grad, totals[v]) for v, grad in held.items())


def quantities(self, graph, names=None):
    """What backpropagation from this variable runs on: arrays, or, with names, arrays and formulas side by side."""
    return Arrays(graph) if names is None else ArraysAndFormulas(graph, names)


def partials(self):
    """The vjp of each edge: dz/d(this) times one of them is the contribution to the input there."""
    return tuple([Partial(self, slot) for slot in range(len(self.inputs))])


for _variable in (Node, Tensor):
    setattr(_variable, "quantities", quantities)  # noqa: B010
setattr(Node, "partials", property(partials))  # noqa: B010

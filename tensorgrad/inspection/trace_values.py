"""What backpropagation through tensors runs on. Trace, stepper and drawings are those of scalargrad and viz.

An edge between numbers holds a partial ∂y/∂x; an edge between tensors holds a vjp, which maps dz/dY to the contribution G_XY.
The total dz/dX is the sum of the contributions of X's children. A trace runs no hooks: they belong to `.backward()`.
"""

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from math import prod

import numpy as np

from scalargrad.backpropagation import backpropagation
from scalargrad.callers import called_function
from scalargrad.formulas.symbols import Name
from scalargrad.graph import ChangedError, show
from scalargrad.tracing.quantities import HOLE, Numbers, Quantity
from scalargrad.user_names.array_names import name_of_array
from tensorgrad import anomaly
from tensorgrad.arrays.axes import unbroadcast
from tensorgrad.arrays.errstate import quietly
from tensorgrad.errors import errors
from tensorgrad.inspection import formulas
from tensorgrad.inspection.entry_graph import entry_graph
from tensorgrad.inspection.formulas import Contribution
from tensorgrad.inspection.forward_values import MOST_ENTRIES, are_small, close, first_changed, forward_values, restored
from tensorgrad.inspection.lifetimes import lifetimes
from tensorgrad.inspection.rounding import note_in_steps, note_in_totals
from tensorgrad.inspection.saved_arrays import name_of, names_of_constants, saved_for_backward
from tensorgrad.inspection.zoom import trace_inside
from tensorgrad.node import Node
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.tensor import Tensor

MOST_LEAVES = 4  # whose names a message lists


class Partial:
    """The vjp of edge number `slot` of a variable y. The upstream gradient dz/dY times this is the contribution to the input.

    `holder` is the node that holds what the vjp needs: y, or after a backward pass the one that `restored` returns.
    """

    __slots__ = ("y", "slot", "holder")
    __array_ufunc__ = None  # so NumPy leaves `array * partial` to this class

    def __init__(self, y, slot, holder=None):
        self.y, self.slot, self.holder = y, slot, holder or y

    def __rmul__(self, G):
        errors.refuse_released("Trace", [self.holder])
        x = self.holder.edges[self.slot][0]
        return unbroadcast(np.asarray(self.contribution(G)), x.shape).astype(x.dtype, copy=False)

    def contribution(self, G):
        """Return what y passes along the edge. The vjps of a user's function are the chain rule inside it."""
        rule, (_, place, saved) = self.y.rule, self.holder.edges[self.slot]
        if rule.vjps:
            return quietly(rule.vjps[place].function, G, *saved)
        return quietly(rule.contributions, self.holder, G)[self.slot]


class Partials(Sequence):
    """The vjps of all edges of y. Each is made when it is asked for, so a loop over the edges takes time in proportion to them."""

    __slots__ = ("y",)

    def __init__(self, y):
        self.y = y

    def __len__(self):
        return len(self.y.inputs)

    def __getitem__(self, slot):
        return Partial(self.y, slot)

    def __iter__(self):
        return (Partial(self.y, slot) for slot in range(len(self)))


class EdgeFormula:
    """A vjp and its formula: what a step shows of an edge. Only its product with dz/dY has a number."""

    __slots__ = ("symbol", "vjp", "name")
    number = None

    def __init__(self, symbol, vjp, name):
        self.symbol, self.vjp, self.name = symbol, vjp, name

    def __rmul__(self, upstream):
        return Quantity(upstream.number * self.vjp, self.name)


class Arrays:
    """The arrays of a graph of tensors: a schedule computes with them, and each can be written as a formula."""

    at_edges = "symbols"  # what a drawing writes at an edge by default
    zero = Quantity(0, 0)
    total = Numbers.total

    def __init__(self, graph, names):
        self.z, self.variables, self.names = graph.z, graph.variables, names
        nodes = [v for v in self.variables if isinstance(v, Node)]
        self.in_program = {v for v in nodes if v._tensor() is not None}
        self.arrays = forward_values(nodes)  # at once: the user may release them later
        y = first_changed(nodes, self.arrays)
        if y is not None:
            raise ChangedError(self.changed(y))
        self.restored: dict = {}  # {a variable that a backward pass released: a node with what its rule saves}

    def changed(self, y):
        """Return the message for y, whose array is not what its function makes of its inputs now."""
        names = self.names
        if any(v.released for v in self.variables):
            leaves = [names[v] for v in self.variables if not v.inputs]
            listed = ", ".join(leaves[:MOST_LEAVES]) + ", …" * (len(leaves) > MOST_LEAVES)
            return (
                f"{called_function()}: {names[self.z]} was computed from other numbers than {listed} hold now, and backward() has freed "
                f"the arrays in between; compute {names[self.z]} again"
            )
        return (
            f"{names[y]} is not what {y.rule.name} makes of {', '.join(dict.fromkeys(names[x] for x in y.inputs))} now: an array was "
            f"changed after {names[y]} had been made; make {names[self.z]} again, and look at it before the next change"
        )

    def renamed(self, names):
        found = copy(self)
        found.names = names
        return found

    def require_saved(self):
        """Compute again what a schedule needs and a backward pass has released. Raise Released if something is lost."""
        for y in reversed(self.variables):
            if self.held(y) is None:
                raise errors.released(called_function(), y, lost=True)

    def with_lost_entries(self, steps):
        return note_in_steps(steps, self.variables, self.arrays)

    def held(self, y):
        """Return the node that holds what y's rule saves; None if a backward pass has released it and something is lost."""
        if not getattr(y, "released", False):
            return y
        if y not in self.restored:
            self.restored[y] = restored(y, self.arrays, self.names.get(y)) if are_small(self.variables) else None
        return self.restored[y]

    def vjp(self, y, slot):
        return Partial(y, slot, self.held(y))

    # What a schedule computes with

    @property
    def one(self):
        return Quantity(dz_dz(self.z), 1)

    def partial(self, y, slot):
        return EdgeFormula(self.written_partial(y, slot), self.vjp(y, slot), self.ratio(y, slot))

    def keeps_grad(self, v):
        """Return whether v keeps its gradient: as it would after `.backward()`."""
        return v.keep_grad

    def as_made(self, y, slot, partial):
        """Return whether a partial is the one that y was made with."""
        return partial.vjp.y is y and partial.vjp.slot == slot

    def upstream(self, y, total):
        return Quantity(total.number, self.total(y))

    def product(self, path):
        raise ValueError(
            "schedule='paths' multiplies numbers, and an edge between tensors holds a vjp, not a number; choose another schedule, "
            "or sum over the paths between entries, in zoom(z).z"
        )

    def lifetimes(self, retain_graph=False):
        """Return when each array of the forward and the backward pass is made and freed. Raises RuntimeError for a released graph."""
        errors.refuse_released("lifetimes", self.variables)
        leaves = {x: array for x in self.variables if not x.inputs and (array := self.arrays[x]) is not None}
        return lifetimes(self.variables, self.name, self.in_program, leaves, retain_graph)

    # How it is written

    def name(self, v):
        """Return the name of a variable of the graph or of a constant tensor."""
        return name_of(v, self.names, {} if isinstance(v, Node) else self.names_of_constants)

    @cached_property
    def names_of_constants(self):
        return names_of_constants(self.variables)

    def ratio(self, y, slot):
        """Return G_XY. It takes the place of ∂y/∂x, which cannot be written without dz/dY."""
        x = y.inputs[slot]
        edges = [i for i, other in enumerate(y.inputs) if other is x]
        return Contribution(self.names[x], self.names[y], edges.index(slot) + 1 if len(edges) > 1 else None)

    def written_partial(self, y, slot):
        """Return the rule's formula for G_XY; G_XY itself if the formula cannot be written down, or is long."""
        try:
            write = getattr(y.rule, "shown_contribution", formulas.of_edge)  # of a statement
            found = write(y, slot, self.name, self.names.get(self.z, "z"))  # "z" in a drawing of several variables
            return self.ratio(y, slot) if found is None else found
        except ArithmeticError:  # such as A / 0
            return self.ratio(y, slot)

    def written(self, y):
        """Return y's function as a formula."""
        return getattr(y.rule, "shown", formulas.function_formula)(y, self.name)

    def factors(self, y, slot, done=None):
        """Return the term of equation (1) for one edge in three forms: its name, the rule's formula, the array."""
        formula = done.partial.symbol if done and done.partial is not None else HOLE
        number = done.term.number if done and done.term is not None else HOLE
        return (self.ratio(y, slot),), (formula,), (number,)

    # What variables hold

    def data(self, v):
        """Return the array that v holds; None if it is freed."""
        return v.data if isinstance(v, Tensor) else self.arrays[v]

    def on_edge(self, y, slot, totals):
        """Return the array that is written at an edge: the contribution, or None while dz/dY is not known."""
        return totals[y] * self.vjp(y, slot) if y in totals and self.held(y) else None

    def saved(self, y):
        """Return what y saves for the backward pass: [(name, array)]. The array of an input has the name of the input."""
        return [(Name(name), array) for name, array in saved_for_backward(y, self.name).items()]

    def constants(self, y):
        """Return the constant tensors among y's arguments. A drawing shows them, but they are not variables of the graph."""
        return y.constants if isinstance(y, Node) else []

    def repeats(self, y, slot):
        """Return whether y repeats an input along an axis. The formula of what it passes back leaves out that it is summed along it."""
        return y.rule.repeats(slot) if hasattr(y.rule, "repeats") else formulas.repeats(y, slot)

    def taken(self, y):
        """Return {name: array} of what the formulas of y and of its contributions name: variables, and constants with a name."""
        given = [a for v in getattr(y.rule, "operations", [y]) for a in v.arguments]
        constants = {self.name(a): a.data for v in getattr(y.rule, "operations", [y]) for a in v.constants}
        plain = {name: a for a in given if isinstance(a, np.ndarray) and (name := name_of_array(a))}
        return plain | constants | {self.names[v]: self.data(v) for v in (y, *y.inputs)}

    def not_finite(self, array):
        """Return (entry, index) of the first entry of an array that is inf or nan; None if there is none or the array is freed."""
        return None if array is None else entry_at(np.asarray(array), anomaly.not_finite(np.asarray(array)))

    def anomaly(self, y):
        """Return (entry, index) of the first entry that y's function made inf or nan, else None; an intended -inf is none."""
        found = self.not_finite(self.data(y))
        if found is None:
            return None
        given = [self.data(a) if isinstance(a, Node) else a for a in (*y.arguments, *y.options, *y.rule.constants_inside(y))]
        return entry_at(self.data(y), anomaly.not_masked(self.data(y), given))

    def not_finite_inputs(self, y, place):
        """Return those inputs of y that are inf or nan where y's entry at `place` comes from: at the same place, if y is elementwise."""
        arrays = {x: self.data(x) for x in y.inputs if self.data(x) is not None}
        if isinstance(y.rule, Elementwise | VariadicElementwise):
            arrays = {x: np.broadcast_to(array, y.shape)[place] for x, array in arrays.items()}
        return [x for x, array in arrays.items() if self.not_finite(array)]

    def zoom(self, y, upstream):
        """Return a trace of the scalar graph of y's function, with `upstream` as dz/dY; None if the graph is too large."""
        return trace_inside(self.held(y), upstream, self.names, self.names.get(self.z, "z"), self.arrays)

    def entries(self):
        """Return {v: array of its entries}, each one function of entries: see `entry_graph`. Raises ValueError if there is none."""
        return entry_graph([v for v in self.variables if isinstance(v, Node)], self.arrays, self.names, self.held)

    def gradients(self):
        """Return what `.grad` holds, {} before backward(), and whether it is known to be dz/dx for every x."""
        held = {v: getattr(v.grad, "data", v.grad) if isinstance(v.grad, Tensor) else v.grad for v in self.variables}
        held = {v: grad for v, grad in held.items() if grad is not None}
        if not held:
            note_in_totals({}, self.variables, self.arrays)
            return {}, True
        unknown = prod(self.z.shape) != 1 or any(v.released for v in self.variables)
        if unknown or sum(prod(v.shape) for v in self.variables) > MOST_ENTRIES:
            return held, False
        totals = backpropagation(self.z)
        exact = all(close(grad, totals[v]) for v, grad in held.items())
        note_in_totals(held if exact else {}, self.variables, self.arrays)
        return held, exact


def entry_at(array, place):
    """Return (entry, index) of an array, None for no place."""
    return None if place is None else (float(array[place]), tuple(map(int, place)))


def quantities(self, graph, names):
    """Return what a trace of this graph of tensors runs on."""
    return Arrays(graph, names)


def dz_dz(z):
    """Return dz/dz, the array 1; ValueError if z is more than one number."""
    if prod(z.shape) != 1:
        raise ValueError(
            f"{called_function()}: z must be a scalar, but {show(z)} has shape {z.shape}; trace its .sum(), or "
            "(z * upstream).sum() for an upstream gradient of your own"
        )
    return np.ones(z.shape, z.dtype)


for _variable in (Node, Tensor):
    setattr(_variable, "quantities", quantities)  # noqa: B010
    setattr(_variable, "dz_dz", property(dz_dz))  # noqa: B010
setattr(Node, "partials", property(Partials))  # noqa: B010

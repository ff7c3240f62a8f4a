"""A row of scalargrad's table as a rule of arrays: the same formulas for value and partials, entry by entry.

The contribution of y = f(a, b) to a is G · ∂y/∂a, where ∂y/∂a is the row's own formula, evaluated on arrays (on tensors, to
differentiate again; on Values, to zoom). What a partial needs is found by evaluating it on symbols: that, and no more, is saved.
"""

import operator
from functools import wraps
from inspect import signature

import numpy as np

from scalargrad.formulas.symbols import Name, Symbol, names_in, render
from scalargrad.rule import KERNELS, VariadicRow
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.errors import errors
from tensorgrad.kernels.blocks import LARGE, in_blocks, in_place, large, product_by_blocks, times
from tensorgrad.public import Array, public
from tensorgrad.rule import Rule
from tensorgrad.rules.variadic import VariadicRule
from tensorgrad.tensor import Tensor, made
from tensorgrad.vjp import Vjp, vjp_by_names

LIFTED: dict = {}  # the rule of each row


class Elementwise(Rule):
    """The rule that follows from a row. `kernel` computes the value on arrays; without one the row's own formula does.

    `vjps` gives vjps by slot that are written by hand, each for a reason; tests compare them with those of the row. `steps`
    computes the vjp of large arrays in blocks.
    """

    def __init__(self, row, kernel=None, vjps=(), steps=None):
        self.row, self.by_hand, self.__signature__ = row, dict(vjps), row.__signature__
        names = list(row.parameters)
        vjps = [lifted_vjp(row, slot, names, steps) for slot in range(len(names))]
        super().__init__(row.value, *vjps, entries=np.frompyfunc(row, len(names), 1))
        self.forward = kernel or row.value
        KERNELS[row] = self.forward
        self.name = self.__name__ = row.name
        self.__doc__, self.input_defaults = bulk_docstring(row, row.__doc__), getattr(row.value, "__defaults__", None) or ()
        self.conditions = [i for i, n in enumerate(names) if n == "condition"]
        self.lifted = list(self.vjps)
        for slot, f in self.by_hand.items():
            self.vjps[slot] = vjp_by_names(f, self.places)
        LIFTED[row] = self

    def bound(self, args, options):
        absent = self.arity - len(args)
        if not options and 0 < absent <= len(self.input_defaults):
            return (*args, *self.input_defaults[-absent:]), ()  # without inspect, which takes longer than the function
        return super().bound(args, options)

    def reworded(self, wrong, values):
        return errors.clash(self.name, values) if isinstance(wrong, ValueError) else super().reworded(wrong, values)


class VariadicElementwise(VariadicRule):
    """The rule that follows from a row of any number of inputs."""

    def __init__(self, row):
        self.row = row

        def each(G, slot, xs, y):
            """dz/dx = dz/dy · ∂y/∂x"""
            return G * row.partial(slot, xs, y)

        super().__init__(row.value, each, entries=row, name=row.name)
        LIFTED[row] = self


def bulk_docstring(row, written):
    """Return the docstring of a row, or of a function with options made of it. The result of the example is a float here."""
    about = written.partition("\n\n>>>")[0]
    return f"{about}\n\n>>> {row.example[0]}.item()\n{float(row.example[1])!r}" if row.example else about


def lifted_vjp(row, slot, names, steps=None):
    """Return the vjp that follows from a row: G times the partial, which gets what it uses and None for the rest."""
    args, y = [Name(n) for n in names], Name("y")
    partial = row.partial(slot, args, y)
    written = render(partial)
    formula = f"dz/d{names[slot]} = dz/dy · {written if written.isalnum() else f'({written})'}"
    if not isinstance(partial, Symbol):
        function = {1: lambda G: G, -1: operator.neg}.get(partial) or (lambda G, *_: G * partial)
        return Vjp(function, (), formula)
    if isinstance(partial, Name):
        return Vjp(times, ([*names, "y"].index(partial.name),), formula)
    used = names_in(partial) | ({"y"} & signature(steps).parameters.keys() if steps else set())
    nothing = len(names) + 1
    sources = tuple([i if x.name in used else nothing for i, x in enumerate([*args, y])])
    by_slot = row.partials[slot]
    if steps:
        return Vjp(in_steps(by_slot, steps), sources, formula)
    if len(names) == 1:
        return Vjp(product_by_blocks(by_slot), sources, formula)
    return Vjp(entry_by_entry(by_slot), sources, formula)


def in_steps(partial, steps):
    """Return the vjp that multiplies G by the partial of a row of one input; `steps` do the same for large arrays, in blocks."""

    def vjp(G, x, y):
        if type(G) is ARRAY and G.size >= LARGE:
            arrays = [a for a in (G, x, y) if a is not None]
            if all(map(large, arrays)):
                return in_blocks(steps, *arrays)
        return G * partial(x, y)

    return in_place(vjp)


def entry_by_entry(partial):
    """Return the vjp that multiplies G by a row's partial, entry by entry."""

    product = product_by_blocks(partial)

    def vjp(G, *known):
        try:
            return product(G, *known)
        except (ZeroDivisionError, OverflowError):  # Python's numbers raise, NumPy's give inf
            return G * partial(*[np.float64(x) if type(x) in (int, float) else x for x in known])

    return vjp


def on_arrays(function):
    """Return a function of scalargrad's that is made of rows (it has options) as a function of tensors and arrays.

    A call without options is the rule of its row. In any other, plain arrays are constant tensors while the function runs, so
    that each row in it is applied by its rule. Entries that are Values stay.
    """
    rule = lift(function.row)
    arity = rule.arity

    @wraps(function)
    def with_options(*args, **options):
        given = (*args, *options.values())
        if any(type(x) is Tensor for x in given):
            return function(*args, **options)
        if any(type(x) is ARRAY and x.dtype == object for x in given):
            return np.frompyfunc(lambda *entries: function(*entries, **options), len(args), 1)(*args)
        return function(*map(constant, args), **{name: constant(x) for name, x in options.items()})._data

    takes = signature(function)
    arrays = [p.replace(annotation=Array if p.default is p.empty else p.empty) for p in takes.parameters.values()]
    with_options.__signature__ = takes.replace(parameters=arrays)
    with_options = public(with_options)

    @wraps(with_options)
    def call(*args, **options):
        if options or len(args) != arity or (arity > 1 and any(x is None for x in args)):
            return with_options(*args, **options)
        return rule.applied(args, ())

    call.__doc__ = bulk_docstring(function.row, function.__doc__ or "")
    call.is_method = True
    return call


def constant(x):
    """Return an array as a constant tensor, and anything else as it is."""
    return made(x) if type(x) is ARRAY else x


def lift(row):
    """Return the rule of a row. The rule of a row of any number of inputs is made at its first use."""
    if not hasattr(row, "value"):
        raise TypeError(f"{row.name}: this function was made with scalargrad's @function, for numbers; for tensors use tensorgrad.function")
    if row not in LIFTED:
        VariadicElementwise(row) if isinstance(row, VariadicRow) else Elementwise(row)
    return LIFTED[row]


def apply(row, args):
    """Apply a row of scalargrad's table to tensors."""
    return lift(row)(*args)


setattr(Tensor, "__apply__", staticmethod(apply))  # noqa: B010  (attached here, because tensor.py does not know the rules)

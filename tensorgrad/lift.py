"""A row of scalargrad's table, lifted to arrays: the same formulas for value and partials, entry by entry.

The contribution of y = f(a, b) to a is G · ∂y/∂a, where ∂y/∂a is the row's own formula, evaluated on arrays (on tensors, to
differentiate again; on Values, to zoom). What a partial needs is found by evaluating it on symbols: that, and no more, is saved.
"""

import numpy as np

from scalargrad.row import VariadicRow
from scalargrad.symbols import Application, Name, Symbol, render
from tensorgrad import refusals
from tensorgrad.quiet import quietly
from tensorgrad.rule import ARRAY, Pull, Rule, VariadicRule, differentiated, pull_by_names
from tensorgrad.tensor import Tensor

LIFTED: dict = {}  # the rule of each row


class Elementwise(Rule):
    """The rule that follows from a row. `kernel` computes the row's value on arrays where NumPy has a function for it.

    `pulls` gives pulls by slot that are written out because a measurement asked for it; tests hold them equal to the row's.
    """

    def __init__(self, row, kernel=None, pulls=()):
        self.row, self.by_hand = row, dict(pulls)
        names = parameter_names(row)
        super().__init__(row.value, *[lifted_pull(row, slot, names) for slot in range(len(names))], entries=np.frompyfunc(row, len(names), 1))
        self.forward = kernel or row.value
        self.name = self.__name__ = row.name
        self.__doc__ = row.__doc__.partition("\n\n>>>")[0]
        self.input_names = names
        self.places = {n: i for i, n in enumerate([*names, "y"])}
        self.lifted = list(self.pulls)
        for slot, f in self.by_hand.items():
            self.pulls[slot] = pull_by_names(f, self.places)
        LIFTED[row] = self

    def of_tensors(self, args, options):
        return self.recorded(self.evaluated(values := operands(self, args), options), differentiated(args), args, values, options)

    def evaluated(self, values, options=(), slots=None):
        try:
            return quietly(self.forward, *values)
        except ValueError:
            raise refusals.clash(self.name, values) from None


class VariadicElementwise(VariadicRule):
    """The rule that follows from a row of any number of inputs."""

    def __init__(self, row):
        self.row = row
        super().__init__(row.value, lambda G, slot, xs, y: G * row.each(slot, xs, y), entries=row, name=row.name)
        LIFTED[row] = self

    def of_tensors(self, args, options):
        return self.recorded(self.evaluated(values := operands(self, args), options), differentiated(args), args, values, options)


def operands(rule, args):
    """What an elementwise function computes with: arrays of whole numbers take the tensors' kind, so float32 stays float32."""
    values, dtype, odd = [], None, False
    for x in args:
        if type(x) is Tensor:
            x = x._data
            dtype = x.dtype
        elif type(x) is not ARRAY:
            x = rule.accepted(x, args)
        if type(x) is ARRAY and x.dtype.kind != "f":
            odd = True
        values.append(x)
    if odd:
        values = [x.astype(dtype) if type(x) is ARRAY and x.dtype.kind in "iu" else x for x in values]
    return values


def parameter_names(row):
    code = getattr(row.value, "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code else []
    return names if len(names) == len(row.partials) else ["a", "b", "c"][: len(row.partials)] if len(row.partials) > 1 else ["x"]


def lifted_pull(row, slot, names):
    """The pull that follows from a row: G times the row's partial, which is given what it uses and None for the rest."""
    args, y = [Name(n) for n in names], Name("y")
    partial = row.partial(slot, args, y)
    formula = f"dz/d{names[slot]} = dz/dy · {render(partial) if not isinstance(partial, Symbol) or partial.size == 1 else f'({render(partial)})'}"
    if not isinstance(partial, Symbol):
        function = {1: passed_on, -1: negated}.get(partial) or (lambda G, *_: G * partial)
        return Pull(function, (), formula)
    used = names_in(partial)
    nothing = len(names) + 1
    sources = tuple([i if x.name in used else nothing for i, x in enumerate([*args, y])])
    by_slot = row.partials[slot]
    return Pull(lambda G, *known: G * by_slot(*known), sources, formula)


def passed_on(G):
    return G


def negated(G):
    return -G


def names_in(formula):
    """The names that a formula uses."""
    found, stack = set(), [formula]
    while stack:
        e = stack.pop()
        if isinstance(e, Name):
            found.add(e.name)
        elif isinstance(e, Application):
            stack.extend(e.args)
    return found


def lift(row):
    """The rule that a row stands for on tensors, made when it is first asked for."""
    if row not in LIFTED:
        VariadicElementwise(row) if isinstance(row, VariadicRow) else Elementwise(row)
    return LIFTED[row]


def __apply__(row, args):
    """What applying a row of scalargrad's table to tensors means."""
    return lift(row)(*args)


Tensor.__apply__ = staticmethod(__apply__)

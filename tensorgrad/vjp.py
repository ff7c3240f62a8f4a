"""What a vjp is: a named function that maps the upstream gradient to the contribution to one input; its docstring is its formula.

Its first parameter is G, the upstream gradient dz/dY. The names of its other parameters say what it needs. An input or an option
has its own name, `y` is the output, and `A_shape` is the shape of input A. The node saves an array only if a vjp needs it; for
`A_shape` it saves the shape alone. vjps are written in ordinary NumPy, so that they also run on tensors: that is how a
derivative is differentiated again.
"""

import inspect
from operator import itemgetter
from textwrap import indent

import numpy as np

from tensorgrad.errors import errors
from tensorgrad.tensor import Tensor


class Vjp:
    """The vjp of one slot: the function, where each of its parameters after G comes from, and its formula.

    `sources` are places in [inputs..., y, options..., None]; a place that is given as ~i stands for the shape of what is at i.
    """

    def __init__(self, function, sources, formula):
        self.function, self.sources, self.formula = function, sources, formula
        self.passed = getattr(function, "sparse", function)  # what the backward pass applies to arrays
        self.recorded = getattr(function, "collected", function)  # and to tensors, with create_graph
        self.gathered = getter(sources)


def vjp(formula, function):
    """Return a vjp that is a single expression, with its formula: vjp("dz/dx = dz/dy Bᵀ", lambda G, B: G @ B.mT)."""
    function.__doc__ = formula
    return function


def vjp_by_names(function, places):
    """Return the vjp that a function describes: the names of its parameters say what it saves, its docstring is its formula."""
    if not callable(function):
        raise TypeError(f"rule: {errors.brief(function)} is not a vjp; give a function of the upstream gradient")
    names = list(inspect.signature(function).parameters)[1:]
    unknown = [n for n in names if n.removesuffix("_shape") not in places]
    if unknown:
        raise TypeError(
            f"rule: a vjp asks for {', '.join(unknown)}; its parameters after the upstream gradient G say by name what it needs: "
            f"{', '.join(places)}, or the shape of one, such as {next(iter(places))}_shape"
        )
    sources = tuple([places[n] if n in places else ~places[n.removesuffix("_shape")] for n in names])
    return Vjp(function, sources, formula_of(function))


def added_as(sparse, collected):
    """Decorate a vjp: the backward pass adds sparse(G, ...), or collected(G, ...) for tensors, which do not store its zeros."""

    def marked(vjp):
        vjp.sparse, vjp.collected = sparse, collected
        return vjp

    return marked


def formula_of(function):
    """Return the docstring of a vjp, or its call if there is none: python -OO drops docstrings."""
    written = (function.__doc__ or "").strip()
    if written:
        return written
    name = function.__name__ if function.__name__.isidentifier() else "vjp"
    return f"contribution = {name}({', '.join(['dz/dy', *list(inspect.signature(function).parameters)[1:]])})"


def guarded(function):
    """Return a user's vjp in a wrapper that gives it read-only arrays and copies its result."""

    def vjp(G, *saved):
        if type(G) is Tensor:
            return function(G, *saved)
        found = function(*map(read_only, (G, *saved)))
        return None if found is None else np.array(found, dtype=G.dtype)

    return vjp


def read_only(x):
    """Return an array as a read-only view, also within a list; return anything else as it is."""
    if type(x) is list:
        return [read_only(a) for a in x]
    if not isinstance(x, (np.ndarray, np.generic)):
        return x
    shown = np.asarray(x).view()
    shown.flags.writeable = False
    return shown


def getter(sources):
    """Return the function that selects what a vjp saves from (inputs..., y, options..., None)."""
    if min(sources, default=0) >= 0:
        place = sources[0] if sources else 0
        return itemgetter(*sources) if len(sources) > 1 else itemgetter(slice(place, place + len(sources)))  # always a tuple
    shaped, rest = ~sources[0], sources[1:]
    if shaped >= 0 and min(rest, default=0) >= 0:
        others = getter(rest)
        return lambda known: (known[shaped].shape, *others(known))
    return lambda known: tuple([known[i] if i >= 0 else getattr(known[~i], "shape", ()) for i in sources])


def with_formulas(docstring, formulas):
    """Return the docstring of a rule with the formulas of its vjps before the example, for help()."""
    if not docstring or not formulas:
        return docstring
    about, *example = inspect.cleandoc(docstring).partition("\n\n>>>")
    return f"{about}\n\nIn the backward pass:\n{indent(chr(10).join(formulas), '    ')}{''.join(example)}"

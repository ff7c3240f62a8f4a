"""What a vjp is: a named function that maps the upstream gradient to the contribution to one input; its docstring is its formula.

Its first parameter is G, the upstream gradient dz/dY. The names of its other parameters say what it needs. An input or an option
has its own name, `y` is the output, and `A_shape` is the shape of input A. The node saves an array only if a vjp needs it; for
`A_shape` it saves the shape alone. vjps are written in ordinary NumPy, so that they also run on tensors: that is how a
derivative is differentiated again. Passing applies the vjps of a rule.
"""

import inspect
from operator import itemgetter
from textwrap import indent

import numpy as np

from tensorgrad.arrays.floats import ARRAY
from tensorgrad.errors import errors
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor, made


class Vjp:
    """The vjp of one slot: the function, where each of its parameters after G comes from, and its formula.

    `sources` are places in [inputs..., y, options..., None]; a place that is given as ~i stands for the shape of what is at i.
    """

    def __init__(self, function, sources, formula):
        self.function, self.sources, self.formula = function, sources, formula
        self.passed = getattr(function, "sparse", function)  # what the backward pass applies to arrays
        self.recorded = getattr(function, "collected", function)  # and to tensors, with create_graph
        self.in_place = getattr(function, "in_place", False)  # whether its kernel may write over G
        self.gathered = getter(sources)


def vjp(formula, function):
    """Return a vjp that is a single expression, with its formula: vjp("dz/dx = dz/dy Bᵀ", lambda G, B: G @ B.mT)."""
    function.__doc__ = formula
    return function


def vjp_by_names(function, places):
    """Return the vjp that a function describes: the names of its parameters say what it saves, its docstring is its formula."""
    if not callable(function):
        raise TypeError(f"rule: {errors.brief(function)} is not a vjp; give a function of the upstream gradient")
    names = parameters_of(function)[1:]
    unknown = [n for n in names if n.removesuffix("_shape") not in places]
    if unknown:
        raise TypeError(
            f"rule: a vjp asks for {', '.join(unknown)}; its parameters after the upstream gradient G say by name what it needs: "
            f"{', '.join(places)}, or the shape of one, such as {next(iter(places))}_shape"
        )
    sources = tuple([places[n] if n in places else ~places[n.removesuffix("_shape")] for n in names])
    return Vjp(function, sources, formula_of(function))


def parameters_of(function):
    """Return the names of the parameters of a vjp."""
    code = getattr(function, "__code__", None)
    if code is None or vars(function) or code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return list(inspect.signature(function).parameters)
    return code.co_varnames[: code.co_argcount]  # which is ten times as fast, for the 200 vjps that each import makes


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
        if len(rest) == 2:  # sum, mean, max: written out, because each call of them comes here
            i, j = rest
            return lambda known: (known[shaped].shape, known[i], known[j])
        others = getter(rest)
        return lambda known: (known[shaped].shape, *others(known))
    return lambda known: tuple([known[i] if i >= 0 else getattr(known[~i], "shape", ()) for i in sources])


def with_formulas(docstring, formulas):
    """Return the docstring of a rule with the formulas of its vjps before the example, for help()."""
    if not docstring or not formulas:
        return docstring
    about, *example = inspect.cleandoc(docstring).partition("\n\n>>>")
    return f"{about}\n\nIn the backward pass:\n{indent(chr(10).join(formulas), '    ')}{''.join(example)}"


class Passing:
    """What the node y of a rule needs in the backward pass. Its edges hold what the vjps of its inputs saved."""

    def contributions(self, y, G, differentiable=False):
        """Return what y passes along each of its edges: the vjp of the slot, applied to the upstream gradient G."""
        vjps, fast = self.vjps, self.fast
        if differentiable:
            return [vjps[slot].recorded(G, *self.attached(y, slot, saved)) for _, slot, saved in y.edges]
        if fast is not None:
            return fast.backward(G, [*y.aux] if fast.frees else y.aux, [slot for _, slot, _ in y.edges])
        return [vjps[slot].function(G, *saved) for _, slot, saved in y.edges]

    @property
    def frees(self):
        """Return whether the last pass uses `last_contributions`."""
        return bool(self.fast) and self.fast.frees

    @property
    def in_place(self):
        """Return whether `contributions` may write over the total of a node."""
        return bool(self.fast) and self.fast.in_place

    def last_contributions(self, y):
        """Return (contributions, edges without arrays) for the total of y, which gives up the total, its edges and what it saved."""
        edges, aux = tuple([(x, slot, ()) for x, slot, _ in y.edges]), [*y.aux]
        G, y._total, y.edges, y.aux = y._total, None, None, None
        return self.fast.backward(G, aux, [slot for _, slot, _ in edges]), edges

    def attached(self, y, slot, saved):
        """Return what a vjp saved as variables of the graph, so that the derivative can be differentiated."""
        known = [*y.arguments[: self.arity], y]
        pairs = [(value, known[i] if 0 <= i <= self.arity else None) for i, value in zip(self.vjps[slot].sources, saved)]
        return [made(value, node) if isinstance(node, Node) else value for value, node in pairs]

    def constants_inside(self, y):
        """Return the constants that functions inside the function of the node y were given, or a Dropped if they are not known.

        A rule has no functions inside. y is None if nothing was recorded.
        """
        return ()

    def saved(self, y):
        """Return {name: array} for the arrays that are saved for the vjps of y."""
        found = {}
        names = [*self.input_names, "y", *self.option_names]
        for _, slot, saved in y.edges or ():
            for source, value in zip(self.vjps[slot].sources, saved):
                if source >= 0 and type(value) is ARRAY:
                    found[names[source]] = value
        return found

"""The steps inside one function of tensors: a trace of the numbers that it stands for, from its entries to its inputs' entries."""

from math import prod

from scalargrad.function import function
from scalargrad.graph import Released
from scalargrad.trace import Trace
from scalargrad.value import Value
from tensorgrad.inspection.zoom import zoom

MOST_INSIDE = 60  # variables: more could not be followed


def inside(y, upstream, names, z="z") -> Trace | None:
    """A trace through y's function alone, of which dz/dY is the array `upstream`; None where that is too large, or only one number.

    It starts at z', the sum of y's entries times those of dz/dY; so the derivatives of the inputs' entries are the contributions G_XY.

    >>> from tensorgrad import Tensor
    >>> A, B = Tensor([[3.0, 7], [2, 5]], name="A"), Tensor([[2.0, 0], [0, 4]], name="B"); C = A @ B
    >>> t = inside(C.node, C.data * 0 + 1, {}); {t.names[x]: q.number for x, q in t.computed.items() if t.names[x][0] == "a"}
    {'a22': 4.0, 'a21': 2.0, 'a12': 4.0, 'a11': 2.0}
    """
    variables = dict.fromkeys([*y.inputs, y])
    if not MOST_INSIDE >= sum(prod(x.shape) for x in variables) > len(variables):
        return None
    try:
        zoomed = zoom(y, names=names)
    except (ValueError, TypeError, AttributeError, NotImplementedError, Released):
        return None  # released or gone; or a user's rule, which knows arrays of numbers only
    used = [(e, g) for e, g in zip(zoomed.entries.reshape(-1).tolist(), upstream.reshape(-1).tolist()) if isinstance(e, Value)]
    if not used:
        return None
    entries, weights = zip(*used)
    if len(entries) == 1 and weights == (1,) and entries[0].inputs:
        root = entries[0]
    else:
        root = weighted(weights)(*entries)
        root.name = f"{z}'"
    trace = Trace(root)
    return trace if len(trace.graph.variables) <= MOST_INSIDE else None


def weighted(weights):
    """The sum of numbers, each times its weight, as one function."""

    @function
    def weighted_sum(*entries):
        terms = [e if w == 1 else w * e for e, w in zip(entries, weights)]
        return sum(terms[1:], start=terms[0])

    return weighted_sum

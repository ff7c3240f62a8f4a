"""The graph of the entries of all arrays of a graph of tensors: each entry is one function of entries, whatever it computes inside.

Its only variables are the entries: c11 is one function of a11, a12, b11 and b21. (`zoom` has the products and sums in between too.)
"""

from math import prod

import numpy as np

from scalargrad import Value
from scalargrad.custom_function import Function
from scalargrad.graph import Released, inputs_first
from tensorgrad.arrays.object_arrays import numbers_of
from tensorgrad.inspection.forward_values import close
from tensorgrad.inspection.zoom import name_entries, replay, variables

MOST_IN_AN_INPUT, MOST_ENTRIES = 36, 300  # as in 6×6; in all arrays


def entry_graph(nodes, arrays, names, held=lambda y: y):
    """Return {node: array of its entries}, inputs first. An entry is a Value; one that depends on no input is a number.

    `arrays` and `names` have the array and the name of each node, and held(y) is the node that holds what y's rule saves.
    An entry that is only moved, as in a transpose, stays the same Value. Raises ValueError, with a sentence for the page, if an
    input has more than 36 entries, all arrays have more than 300, an array is gone, or a function cannot compute with Values.

    >>> from tensorgrad import Tensor
    >>> A, B = Tensor([[3.0, 7], [2, 5]], name="A"), Tensor([[2.0, 0], [0, 4]], name="B"); C = A @ B
    >>> nodes, arrays = [A.node, B.node, C.node], {A.node: A.data, B.node: B.data, C.node: C.data}
    >>> c11 = entry_graph(nodes, arrays, {A.node: "A", B.node: "B", C.node: "C"})[C.node][0, 0]
    >>> c11.name, c11.data, [(x.name, partial) for x, partial in zip(c11.inputs, c11.partials)]
    ('c11', 6.0, [('a11', 2.0), ('b11', 3.0), ('a12', 0.0), ('b21', 7.0)])
    """
    require_few(nodes, names)
    found = {}
    for x in nodes:
        if arrays[x] is None:
            raise ValueError(f"The array of {names[x]} is freed, so its entries are not known.")
        found[x] = made(x, held(x), found, names) if x.inputs else variables(arrays[x], float)
        if not close(arrays[x], numbers_of(found[x])):
            raise ValueError(f"The function of {names[x]} gives other numbers when it is computed again, entry by entry.")
        name_entries(found[x], names[x])
    return found


def require_few(nodes, names):
    """Raise ValueError if an input, or the graph with its hidden passes of loops, has too many entries."""
    sizes, limit = {x: prod(x.shape) for x in nodes}, "The page can nudge an entry if"
    for x, size in sizes.items():
        if not x.inputs and size > MOST_IN_AN_INPUT:
            raise ValueError(f"{names[x]} has {size:,} entries. {limit} each input has at most {MOST_IN_AN_INPUT}, as in 6×6.")
    hidden = {v: prod(v.shape) for x in nodes if getattr(x.rule, "times", 1) > 1 for v in x.rule.operations}
    if (size := sum((hidden | sizes).values())) > MOST_ENTRIES:
        raise ValueError(f"The arrays of this graph have {size:,} entries. {limit} there are at most {MOST_ENTRIES}.")


def made(y, holder, found, names):
    """Return the entries of y, each as one function of the entries of y's inputs. `holder` holds what y's rule saves."""
    known = {v for x in y.inputs for v in found[x].flat if isinstance(v, Value)}
    try:
        computed = replay([*dict.fromkeys(y.inputs), holder], {x: found[x] for x in y.inputs}.get)[holder]
    except (ValueError, TypeError, AttributeError, NotImplementedError, Released):  # of a user's function, say
        raise ValueError(f"The function of {names[y]} computes with whole arrays only, not with their entries.") from None
    entries = np.empty(computed.shape, dtype=object)
    for place, entry in np.ndenumerate(computed):
        entries[place] = as_one_function(entry, known, y.rule.name)
    return entries


def as_one_function(y, known, name):
    """Return y as one function of the variables in `known` from which it is computed."""
    if not isinstance(y, Value) or y in known:
        return y
    inside = inputs_first(y, known)
    inputs = list(dict.fromkeys(x for v in inside for x in v.inputs if x in known))
    if not inputs:
        return y.data
    if len(inside) == 1:
        return y

    def replayed(*numbers):
        at = dict(zip(inputs, numbers))
        for v in inside:
            at[v] = v.rule(*(at[x] for x in v.inputs)) if v.inputs else v.data
        return at[y]

    replayed.__name__ = name
    return Function(replayed)(*inputs)

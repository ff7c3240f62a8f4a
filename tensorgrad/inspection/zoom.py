"""The scalar graph of a graph of tensors: each function is replayed on arrays of scalargrad's Values.

It shows what a function of arrays computes, and it tests every rule: the scalar engine must give the same gradient.
"""

from collections.abc import Mapping
from math import prod

import numpy as np

from scalargrad import Value
from scalargrad.custom_function import function
from scalargrad.formulas.text import primed
from scalargrad.graph import Released, inputs_first
from scalargrad.messages.errors import brief
from scalargrad.tracing.trace import Trace
from scalargrad.user_names.names import called
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.errors import errors
from tensorgrad.inspection.forward_values import at_arrays, forward_values
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor

MOST_ZOOMED = 10_000
MOST_INSIDE = 60  # variables that a person can follow


class Zoom:
    """The scalar graph of a tensor: `z` is its entry, or its array of entries; `self[A]` holds the Values of tensor A.

    >>> A, B = Tensor([[3, 7], [2, 5]], name="A"), Tensor([[2, 0], [0, 4]], name="B")
    >>> zoomed = zoom((A @ B).sum()); zoomed.z.backward(); [[a.grad for a in row] for row in zoomed[A]]
    [[2.0, 4.0], [2.0, 4.0]]
    """

    def __init__(self, z, values):
        self.values = values
        self.entries = values[z]
        self.z = self.entries[()] if self.entries.ndim == 0 else self.entries

    def __getitem__(self, tensor):
        if getattr(tensor, "node", None) not in self.values:
            raise TypeError(f"zoom: {brief(tensor)} is not a variable of the graph that was zoomed into")
        return self.values[tensor.node]

    def __repr__(self):
        many = self.entries.size
        what = "its entry is .z" if many == 1 else f"its {many} entries are .z"
        return f"<zoom into {' × '.join(map(str, self.entries.shape)) or 'a number'}: {what}, and self[A] are the Values of tensor A>"


def zoom(z, number=float, names=None):
    """Return the scalar graph of the tensor z, from its leaves on.

    `number` converts each entry to a scalar: float, or Fraction for exact results. zoom(C.node) replays only the function that
    computed C; its inputs become the leaves. `names` maps nodes to names; by default they are named as in the caller's code.
    Raises ValueError beyond 10,000 entries, and if the array of a leaf is gone: no tensor holds it, and no rule saved it.
    Raises RuntimeError if z was released.

    >>> A = Tensor([2.0, 3.0], name="A"); zoomed = zoom((A * A).sum()); zoomed.z.backward(); [a.grad for a in zoomed[A]]
    [4.0, 6.0]
    """
    if not callable(number) or not isinstance(names, Mapping | None):
        raise TypeError(f"zoom: number={brief(number)} must be a function, and names={brief(names)} a dictionary of nodes or None")
    if isinstance(z, Node):
        leaves, nodes = set(z.inputs), [*dict.fromkeys(z.inputs), z]
    else:
        z = errors.variable(z, "zoom")
        leaves, nodes = set(), inputs_first(z)
    errors.refuse_released("zoom", [x for x in nodes if x not in leaves])
    many = sum(int(np.prod(x.shape)) for x in nodes)
    if many > MOST_ZOOMED:
        raise ValueError(f"zoom: that would be over {many:,} numbers (at most {MOST_ZOOMED:,}); zoom into a smaller graph or one node")
    names = called(*nodes) if names is None else names  # first: until Python 3.12 this also forgets locals that the caller deleted
    return replayed(z, nodes, leaves, forward_values(inputs_first(z)), number, names)


def replayed(z, nodes, leaves, arrays, number, names):
    """Return the Zoom of these nodes, inputs first; z is the last. `arrays` has the arrays of the leaves."""

    def leaf(x):
        if x.inputs and x not in leaves:
            return None
        if arrays[x] is None:
            raise errors.array_is_gone("zoom", x)
        return variables(arrays[x], number)

    values = replay(nodes, leaf)
    for x in nodes:
        name_entries(values[x], x.name or names.get(x))
    return Zoom(z, values)


def replay(nodes, leaf):
    """Return {node: array} for nodes, inputs first.

    The array is leaf(x), or if that is None, x's function of the arrays of its arguments.
    """
    found = {}
    for x in nodes:
        at_hand = leaf(x)
        if at_hand is None:
            args = [found[a] if isinstance(a, Node) else a._data if isinstance(a, Tensor) else a for a in x.arguments]
            at_hand = at_arrays(x, args, x.options)
        found[x] = np.asarray(at_hand) if isinstance(at_hand, np.ndarray | np.generic) else objects(at_hand)
    return found


def variables(data, number):
    """Return an array of Values with the entries of `data`."""
    found = np.empty(data.shape, dtype=object)
    for place in np.ndindex(data.shape):
        found[place] = Value(number(data[place].item()))
    return found


def name_entries(values, name):
    """Name the entries of a matrix A a11, a12, … as mathematics does, and those of all others as the program does: b[0], W1[0,2].

    An entry that has a name from its own tensor keeps it.
    """
    in_mathematics = values.ndim == 2 and name and len(name) == 1 and name.isupper()
    between = "_" if any(n > 9 for n in values.shape) else ""
    for place, x in np.ndenumerate(values):
        if name and isinstance(x, Value) and not x.name:
            indices = [str(i + in_mathematics) for i in place]
            x.name = (
                name.lower() + between + between.join(indices) if in_mathematics else f"{name}[{','.join(indices)}]" if indices else name
            )


# Inside one function


def trace_inside(y, upstream, names, z="z", arrays=None) -> Trace | None:
    """Return a trace through y's function alone, for dz/dY = `upstream`; None if it is too large or has a single number.

    `arrays` is {node: its array}, if it is known.

    The trace starts at z', the sum of y's entries times those of dz/dY. So the derivatives of the inputs' entries are the
    contributions G_XY.

    >>> A, B = Tensor([[3.0, 7], [2, 5]], name="A"), Tensor([[2.0, 0], [0, 4]], name="B"); C = A @ B
    >>> t = trace_inside(C.node, C.data * 0 + 1, {}); {t.names[x]: q.number for x, q in t.computed.items() if t.names[x][0] == "a"}
    {'a22': 4.0, 'a21': 2.0, 'a12': 4.0, 'a11': 2.0}
    """
    variables = dict.fromkeys([*y.inputs, y])
    if not MOST_INSIDE >= sum(prod(x.shape) for x in variables) > len(variables):
        return None
    try:
        errors.refuse_released("zoom", [y])
        found = forward_values(inputs_first(y)) if arrays is None else arrays
        zoomed = replayed(y, list(variables), set(y.inputs), found, float, names)
    except (ValueError, TypeError, AttributeError, NotImplementedError, Released):
        return None  # a released graph, a lost array, or a user's rule that cannot compute with Values
    used = [(e, g) for e, g in zip(zoomed.entries.reshape(-1).tolist(), upstream.reshape(-1).tolist()) if isinstance(e, Value)]
    if not used:
        return None
    entries, weights = zip(*used)
    if len(entries) == 1 and weights == (1,) and entries[0].inputs:
        root = entries[0]
    else:
        root = weighted(weights)(*entries)
        root.name = primed(z)
    trace = Trace(root)
    return trace if len(trace.graph.variables) <= MOST_INSIDE else None


def weighted(weights):
    """Return the function that sums numbers, each times its weight."""

    @function
    def weighted_sum(*entries):
        terms = [e if w == 1 else w * e for e, w in zip(entries, weights)]
        return sum(terms[1:], start=terms[0])

    return weighted_sum

"""A graph of tensors as a program of five kinds of operations, which a page can run without NumPy, forwards and backwards.

Each array has a place and lies there row by row. An operation computes the array at the place `y`:

terms    the sum of terms: each adds factor · a · b, or factor · a, at the entries that strides name: see `term`
gather   y[i] is entry index[i] of the arrays `x`, one after the other; `fill` where the index is -1
map      a row of the table of scalar functions, entry by entry: `strides` of each argument over `sizes`
extreme  the largest entry (`sign` 1) or the smallest (-1) of those that `inner` covers, for each entry that `outer` covers
scalars  anything else: the row of each scalar function, and where its arguments lie, one scalar after the other
"""

from itertools import accumulate
from math import prod

import numpy as np

from scalargrad import Value
from scalargrad.graph import inputs_first
from scalargrad.modes import recording
from scalargrad.rules import sum as row_of_sum
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.inspection.forward_values import arguments_of, at_arrays
from tensorgrad.inspection.trace_values import Arrays
from tensorgrad.node import Dropped, Node
from tensorgrad.program.inside import INSIDE
from tensorgrad.program.operations import DIRECT, MOVES, SAME, NoProgram
from tensorgrad.program.terms import broadcast_strides, merged, row_strides, strides_of, term
from tensorgrad.rule import TABLE
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.tensor import Tensor, leaf
from tensorgrad.transformations.custom_function import Function

MOST_SCALARS = 20_000  # of a function that is computed scalar by scalar
HALF = 0.5  # the inside of a function is recorded at some number: it is the same at any


class ArrayProgram:
    """The operations of a graph, inputs first: `operations`, `sizes` of the arrays, and `data`, {place: array} of leaves and constants.

    Variables have the places 0, 1, … in their order. Raises NoProgram if an array is gone, or a function cannot be computed.
    """

    def __init__(self, variables, arrays, names):
        self.operations, self.sizes, self.data = [], [prod(v.shape) for v in variables], {}
        self.arrays, self.numbers = arrays, {}
        place = {v: i for i, v in enumerate(variables)}
        if 0 in self.sizes:
            raise NoProgram("An array of this graph is empty, so it has no entry to nudge.")
        for v in variables:
            if v.inputs:
                arguments, options = arguments_of(v)
                if any(type(a) is Dropped for a in (*arguments, *options)):
                    raise NoProgram(f"A backward pass has freed what {v.rule.name} needs.")
                self.lower(v, [self.operand(a, place) for a in arguments], options, place[v])
            elif arrays[v] is None:
                raise NoProgram(f"The array of {names[v]} is freed, so its entries are not known.")
            else:
                self.data[place[v]] = arrays[v]

    @property
    def cost(self):
        """The number of products and entries that one run computes."""
        loops = [t["sizes"] for op in self.operations for t in op.get("terms", ())]
        loops += [op["inner"]["sizes"] + op["outer"]["sizes"] for op in self.operations if "inner" in op]
        return sum(map(prod, loops)) + sum(self.sizes)

    def cost_from(self, leaf):
        """Return the number of products and entries that are computed again if the array at a place changes."""
        reached, found = {leaf}, 0
        for op in self.operations:
            parts = [part[0] for t in op.get("terms", ()) for part in (t["a"], t.get("b")) if part] or np.atleast_1d(
                op.get("x", ())
            ).tolist()
            if reached.intersection(parts):
                reached.add(op["y"])
                found += self.sizes[op["y"]] + sum(prod(t["sizes"]) for t in op.get("terms", ()))
        return found

    # Places

    def new(self, size):
        self.sizes.append(size)
        return len(self.sizes) - 1

    def operand(self, a, place):
        """Return (place, shape) of an argument; None stays None."""
        if isinstance(a, Node):
            return place[a], a.shape
        if a is None:
            return None
        array = np.asarray(a._data if isinstance(a, Tensor) else a)
        key = (array.shape, array.tobytes()) if array.size == 1 else id(a)
        if key not in self.numbers:
            self.numbers[key] = self.new(array.size), a  # keep a: a new object may get its id
            self.data[self.numbers[key][0]] = array
        return self.numbers[key][0], array.shape

    # Functions

    def lower(self, y, args, options, out):
        """Add the operations of a node's function at other arguments, which leave its array at the place `out`."""
        rule = y.rule
        name = rule.origin.name if any(rule.origin is known for known in TABLE) else None  # another's rule may have the same name
        named = dict(zip(rule.option_names, options))
        if isinstance(rule, Function) and y.aux is not None and y.aux.end is not None:  # first: it may have any name
            leaves = dict(zip([leaf.node for leaf in y.aux.leaves], [a for a, node in zip(args, y.arguments) if isinstance(node, Node)]))
            self.graph(y.aux.end, leaves, out)
        elif isinstance(rule, Elementwise | VariadicElementwise):
            self.map(rule.row, args, y.shape, out)
        elif name in SAME:
            self.copy(args[0], out)
        elif name in DIRECT:
            DIRECT[name](self, out, y.shape, *args, **named)
        elif name in MOVES:
            self.gather(rule, args, options, out)
        elif name in INSIDE:
            self.inside(lambda *given: INSIDE[name](*given, **named), args, out)
        else:
            self.scalars(y, args, options, out)

    def inside(self, function, args, out):
        """Add the operations of a function that is made of simpler ones."""
        own = [None if a is None else leaf(np.full(a[1], HALF)) for a in args]
        with recording():
            y = function(*own)
        self.graph(y.node, {x.node: a for x, a in zip(own, args) if x is not None}, out)

    def graph(self, end, known, out):
        """Add the operations of the graph from `known`, {node: (place, shape)}, to its end."""
        known = dict(known)
        for v in inputs_first(end):
            if v in known:
                continue
            arguments, options = arguments_of(v)
            if any(type(a) is Dropped for a in (*arguments, *options)):
                raise NoProgram(f"A backward pass has freed what {v.rule.name} needs.")
            given = [known[a] if isinstance(a, Node) else self.operand(a, {}) for a in arguments]
            known[v] = (out if v is end else self.new(prod(v.shape))), v.shape
            self.lower(v, given, options, known[v][0])
        if end in known and known[end][0] != out:
            self.copy(known[end], out)

    def copy(self, x, out):
        self.add("terms", out, terms=[term([prod(x[1])], 1, x[0], [1], [1])])

    def add(self, op, out, **fields):
        self.operations.append({"op": op, "y": out, **fields})

    def map(self, row, args, shape, out):
        strides = [broadcast_strides(a[1], shape) for a in args]
        sizes, strides = merged(shape, [row_strides(shape), *strides])
        self.add("map", out, row=row, x=[a[0] for a in args], sizes=sizes, strides=strides[1:])

    def gather(self, rule, args, options, out):
        """Add the operation of a function that only moves entries: what it makes of their numbers says which entry goes where."""
        starts = list(accumulate([prod(shape) for _, shape in args], initial=0))
        numbers = [np.arange(a + 1.0, b + 1.0).reshape(shape) for a, b, (_, shape) in zip(starts, starts[1:], args)]
        with np.errstate(all="ignore"):
            found = np.asarray(rule.of_arrays(numbers, options))
        self.gathered(found.astype(np.int64) - 1, [a[0] for a in args], out)

    def gathered(self, index, places, out, fill=0.0):
        """y is index[...] of the arrays at `places`. If one array is read at regular steps, that is a term."""
        affine = len(places) == 1 and strides_of(index)
        if affine:
            start, steps = affine
            self.add("terms", out, terms=[term(index.shape, 1, places[0], row_strides(index.shape), steps, at=(0, start, 0))])
        else:
            self.add("gather", out, x=places, index=index.reshape(-1), **({"fill": fill} if fill else {}))

    def scalars(self, y, args, options, out):
        """Add the operation of any other function that can compute with Values, entry by entry."""
        name = y.rule.name
        if self.sizes[out] + sum(self.sizes[a[0]] for a in args if a) > MOST_SCALARS:
            raise NoProgram(f"The page cannot compute {name} of so many entries.")
        own, leaves = [], []
        for a, argument in zip(args, arguments_of(y)[0]):
            if isinstance(argument, Node):
                entries = np.array([Value(n) for n in self.at_start(argument, a[1])], dtype=object).reshape(a[1])
                leaves += entries.reshape(-1).tolist()
                own.append(entries)
            else:
                own.append(argument._data if isinstance(argument, Tensor) else argument)
        try:
            found = objects(at_arrays(y, own, options)).reshape(-1).tolist()
        except (ValueError, TypeError, AttributeError, NotImplementedError, ArithmeticError):
            raise NoProgram(f"The page cannot compute {name}, which takes whole arrays.") from None
        place, rows, code = {x: k for k, x in enumerate(leaves)}, [], []
        values = [x for x in found if isinstance(x, Value)]
        for v in inputs_first(row_of_sum(*values))[:-1] if values else ():
            if v in place:
                continue
            if len(place) > MOST_SCALARS:
                raise NoProgram(f"The function {name} is too large for the page.")
            if not v.inputs:
                code.append([-1, v.data])
            else:
                row, given = getattr(v.rule, "row", v.rule), []
                for a in v.rule.arguments(v.inputs):
                    if not isinstance(a, Value):
                        code.append([-1, a])
                        a = Value(a)
                        place[a] = len(place)
                    given.append(place[a])
                if row not in rows:
                    rows.append(row)
                code.append([rows.index(row), *given])
            place[v] = len(place)
        ends = [place[x] if isinstance(x, Value) else [float(x)] for x in found]
        self.add("scalars", out, x=[a[0] for a, v in zip(args, arguments_of(y)[0]) if isinstance(v, Node)], rows=rows, code=code, ends=ends)

    def at_start(self, node, shape):
        array = self.arrays.get(node)
        return np.full(prod(shape), HALF).tolist() if array is None else array.reshape(-1).tolist()


def value_at(self, leaf, array):
    """Return z if the array of a leaf were another one: only the functions that depend on it are computed again.

    Statistics that batch norm keeps of its inputs stay as they are.

    >>> from scalargrad import Trace
    >>> A = Tensor([2.0, 3.0], name="A"); trace = Trace((A * A).sum()); trace.on.value_at(A.node, np.array([2.0, 4.0])).item()
    20.0
    """
    found = {leaf: array}
    for y in self.variables:
        if not any(x in found for x in y.inputs):
            continue
        given, options = arguments_of(y)
        args = [(found[a] if a in found else self.arrays[a]) if isinstance(a, Node) else getattr(a, "_data", a) for a in given]
        found[y] = np.asarray(at_arrays(y, args, options))
    return found[self.variables[-1]]


def program(self):
    """Return the ArrayProgram of a graph of tensors, for a page. Raises NoProgram, a ValueError, if there is none."""
    return ArrayProgram([v for v in self.variables if isinstance(v, Node)], self.arrays, self.names)


setattr(Arrays, "value_at", value_at)  # noqa: B010
setattr(Arrays, "program", program)  # noqa: B010  (attached here, because the functions stand above what looks into graphs)

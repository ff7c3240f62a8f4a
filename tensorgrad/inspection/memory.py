"""memory(z): the bytes that each function saved, and that live while backward() runs.

An array counts once, however many functions saved it: its block of memory identifies it. The prediction follows from the graph
alone. `measured` runs the backward pass and tests, at each function's turn, which blocks still exist.
"""

import math
from typing import NamedTuple
from weakref import ref

import numpy as np

from scalargrad.formulas.text import in_columns
from scalargrad.graph import Graph
from scalargrad.tracing.byte_counts import readable
from scalargrad.user_names.names import name_all
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.backward import totals
from tensorgrad.errors import errors
from tensorgrad.inspection.both_passes import backward_order
from tensorgrad.inspection.lifetimes import MOST_ROWS, Lifetimes, lifetimes
from tensorgrad.inspection.saved_arrays import held_by, memory_owner, name_of, names_of_constants, program_names
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor


class Row(NamedTuple):
    """One function at its turn in the backward pass: what it saved, and what lives at that time. All sizes are in bytes.

    `saved` is {name: size} of the arrays that the function keeps. Inputs and output have their names in the program; arrays of
    a fast kernel are `kernel1`, ... `avoided` lists those that it would also keep if all of its inputs needed a gradient.
    `live` is what all functions that still wait for their turn keep, including arrays of your program. `freed` is how much of
    that is free after the turn. `gradients` is the most that the waiting total derivatives take.
    """

    name: str
    function: str
    inputs: tuple
    shape: tuple
    saved: dict
    avoided: dict
    live: int
    freed: int
    gradients: int


class Memory:
    """The report of `memory(z)`: `rows` in the order of the backward pass. str() gives a table.

    `saved` is what the functions keep in total. `yours` is the part that your program holds anyway: the arrays of its tensors,
    and constant tensors. `avoided` is what pruning saved. `peak` is the most that saved arrays and gradients take at a time.
    """

    def __init__(self, z):
        node = errors.variable(z, "memory")
        graph = Graph(node)
        errors.refuse_released("memory", graph.variables)
        self.node = node
        names = name_all(graph)  # first, because looking for names drops tensors that the program has deleted
        order = backward_order(graph.variables)
        functions = [y for y in order if y.inputs]
        constants = names_of_constants(functions)
        self.name = name = lambda v: name_of(v, names, constants)
        held = {y: held_by(y, name) for y in functions}
        self.blocks = {id(b): b for arrays in held.values() for b in map(memory_owner, arrays.values())}
        yours = self.blocks_of_program(graph, functions)
        self.saved, self.yours = self.size(self.blocks), self.size(self.blocks.keys() & yours)
        self.rows = self.rows_of(order, held, yours, name)
        self.avoided = sum(sum(row.avoided.values()) for row in self.rows)
        self.peak = max((row.live + row.gradients for row in self.rows), default=0)
        self.blocks = {key: (ref(b), b.nbytes) for key, b in self.blocks.items()}

    def size(self, keys):
        return sum(self.blocks[key].nbytes for key in keys)

    def blocks_of_program(self, graph, functions):
        """Return the blocks that tensors of the program hold: variables that still exist, and constants."""
        tensors = [t for v in graph.variables if (t := v._tensor()) is not None]
        tensors += [a for y in functions for a in y.constants]
        return {id(memory_owner(t._data)) for t in tensors}

    def rows_of(self, order, held, yours, name):
        functions = list(held)
        last = {id(memory_owner(a)): y for y in functions for a in held[y].values()}
        freed = dict.fromkeys(functions, 0)
        for b in last.keys() - yours:
            freed[last[b]] += self.blocks[b].nbytes
        live, gradients, rows = self.saved, gradient_sizes(order), []
        known = {key for y in functions for key, _, _ in sources(y, [slot for _, slot, _ in y.edges], name)}
        for y in functions:
            avoided = {key: (what, size) for key, what, size in sources(y, range(y.rule.arity), name) if key not in known}
            known.update(avoided)
            named, saved = (name(y), y.rule.name, tuple(map(name, y.inputs)), y.shape), {what: a.nbytes for what, a in held[y].items()}
            rows.append(Row(*named, saved, dict(avoided.values()), live, freed[y], gradients[y]))
            live -= freed[y]
        return rows

    @property
    def live(self):
        """The predicted bytes of saved arrays at each function's turn, and after the last one."""
        return [row.live for row in self.rows] + [self.rows[-1].live - self.rows[-1].freed if self.rows else 0]

    def measured(self):
        """Return the bytes that really live at each function's turn, and after the last one.

        It runs a backward pass, which releases the graph and keeps no gradient.
        """
        there = lambda: sum(size for watch, size in self.blocks.values() if watch() is not None)
        found = []
        functions = [y for y in backward_order(Graph(self.node).variables) if y.inputs]
        before = [y.hooks for y in functions]
        try:
            for y in functions:
                y.hooks = [lambda G: found.append(there()), *(y.hooks or [])]
            totals(self.node, np.ones(self.node.shape, self.node.dtype), wanted=set())
        finally:
            for y, hooks in zip(functions, before):
                y.hooks = hooks
        return [*found, there()]

    def lifetimes(self, retain_graph: bool = False) -> Lifetimes:
        """Return when each array of the forward and the backward pass is made and freed, predicted. `.measured()` runs both passes.

        `retain_graph` is that of `backward()`. Raises RuntimeError if the graph has been released since.

        >>> x, W = Tensor([[1.0, 2.0]], keep_grad=False), Tensor([[1.0], [1.0]])
        >>> z = np.tanh(x @ W).sum(); found = memory(z).lifetimes()
        >>> found.bytes, found.bytes == found.measured().bytes
        ([32, 40, 48, 48, 64, 64, 64, 56], True)
        """
        variables = Graph(self.node).variables
        errors.refuse_released("memory", variables)
        return lifetimes(variables, self.name, retain=retain_graph)

    def __str__(self):
        head = f"{len(self.rows)} functions saved {readable(self.saved)}, of which {readable(self.yours)} are in your own tensors anyway"
        lines = [head, f"(inputs without a gradient avoided {readable(self.avoided)}); with gradients at most {readable(self.peak)}", ""]
        lines.append(f"{'function':25}{'shape':13}{'saved':10}{'':>8}{'avoided':>8}{'live':>8}{'freed':>8}")
        for row in self.rows[:MOST_ROWS]:
            made = in_columns(f"{row.name} = {row.function}({', '.join(row.inputs)})", 25)
            saved = in_columns(", ".join(row.saved) or "-", 10)
            numbers = (sum(row.saved.values()), sum(row.avoided.values()), row.live, row.freed)
            lines.append(f"{made}{in_columns(str(row.shape), 13)}{saved}" + "".join(f"{readable(n):>8}" for n in numbers))
        if len(self.rows) > MOST_ROWS:
            lines.append(f"... and {len(self.rows) - MOST_ROWS} more")
        return "\n".join(lines)


def memory(z):
    """Return a report of what the functions that lead to z have saved, and of what the backward pass frees when.

    It also says what they would save without pruning. Raises ValueError for a constant and RuntimeError for a released graph.

    >>> x, W = Tensor([[1.0, 2.0]], keep_grad=False), Tensor([[1.0], [1.0]])
    >>> z = np.tanh(x @ W).sum(); print(memory(z))
    3 functions saved 24 B, of which 16 B are in your own tensors anyway
    (inputs without a gradient avoided 16 B); with gradients at most 40 B
    <BLANKLINE>
    function                 shape        saved              avoided    live   freed
    z = sum(v2)              ()           -              0 B     0 B    24 B     0 B
    v2 = tanh(v1)            (1, 1)       v2             8 B     0 B    24 B     8 B
    v1 = matmul(W)           (1, 1)       x             16 B    16 B    16 B     0 B
    """
    return Memory(z)


def sources(y, slots, name):
    """Return (key, name, size) of each array that the vjps of `slots` save. One array has the same key everywhere in the graph."""
    if len(y.rule.vjps) != y.rule.arity or not y.rule.arity:
        return []
    rule, found, called = y.rule, [], program_names(y, name)
    for slot in slots:
        for i in rule.vjps[slot].sources:
            if i == rule.arity:
                found.append((y, called["y"], nbytes(y)))
            elif 0 <= i < rule.arity and isinstance(y.arguments[i], (Node, Tensor, ARRAY)):
                a = y.arguments[i]
                found.append((a if isinstance(a, Node) else id(a), called[rule.input_names[i]], nbytes(a)))
    return found


def nbytes(a):
    return math.prod(a.shape) * a.dtype.itemsize


def gradient_sizes(order):
    """Return {y: bytes of gradients at y's turn}: its own, those that wait for their turn, and those that it passes to its inputs."""
    waiting, size, found = {order[0]}, nbytes(order[0]), {}
    for y in order:
        found[y] = size + sum(nbytes(x) for x in y.inputs)
        if y.inputs:
            waiting.discard(y)
            size -= nbytes(y)
        new = {x for x in y.inputs if x not in waiting}
        waiting |= new
        size += sum(map(nbytes, new))
    return found

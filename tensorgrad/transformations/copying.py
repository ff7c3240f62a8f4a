"""Copy and pickle tensors with their graphs, of any depth: flat lists instead of recursion.

A copy has its own arrays, names, gradients and saved arrays. Its gradients are arrays, even if create_graph made them tensors.
What was released stays released. Hooks are not copied, because they belong to a program. Two results in one pickle share their
leaves, but each has its own copy of the variables in between. Two results in one deepcopy share all their variables.
"""

import copy
from typing import NamedTuple
from weakref import ref

import numpy as np

from scalargrad.graph import inputs_first
from tensorgrad.node import Node, nothing
from tensorgrad.tensor import Tensor, made

FIELDS = ("rule", "options", "shape", "dtype", "aux", "keep_grad", "grad", "name", "scope")


class At(NamedTuple):
    """The place of a node in a pickle's table. It stands for that node among the arguments of another."""

    place: int


def fields(v):
    """Return what `node` needs of v besides its edges and arguments."""
    found = {name: getattr(v, name) for name in FIELDS}
    found["grad"] = None if v.grad is None else np.array(getattr(v.grad, "_data", v.grad))
    return list(found.values())


def node(fields, edges, arguments):
    """Restore a node, without its tensor."""
    v = object.__new__(Node)
    v.edges, v.arguments = edges, arguments
    v.hooks, v._tensor, v._pending, v._total = None, nothing, 0, None
    for name, x in zip(FIELDS, fields):
        setattr(v, name, x)
    return v


def tensor(data, name, node, parameter=None):
    """Restore a tensor around its node; a constant if that is None. `parameter` is the dotted name that marks a Parameter."""
    t = made(data, node)
    t._name = name
    if parameter is not None:
        t._parameter = parameter
    if node is not None:
        node._tensor = ref(t)
    return t


# copy.deepcopy


def copy_tensor(t, memo):
    node = None if t.node is None else copy_graph(t.node, memo)
    return tensor(copy.deepcopy(t._data, memo), t._name, node, getattr(t, "_parameter", None))


def copy_graph(z, memo):
    """Return a copy of the node z with its whole graph, without the nodes that `memo` already has a copy of."""
    nodes = inputs_first(z)
    for v in nodes:
        if id(v) not in memo:
            rule, *others = fields(v)
            edges = v.edges and tuple([(memo[id(x)], slot, copy.deepcopy(saved, memo)) for x, slot, saved in v.edges])
            arguments = v.arguments and [memo[id(a)] if isinstance(a, Node) else copy.deepcopy(a, memo) for a in v.arguments]
            memo[id(v)] = node([rule, *copy.deepcopy(others, memo)], edges, arguments)
    memo.setdefault(id(memo), []).extend(nodes)  # as deepcopy does: while the memo lives, no id can be reused
    return memo[id(z)]


def copy_shallow(t):
    """Return a copy of a leaf or a constant. A computed tensor is returned as it is, because it cannot be changed."""
    return copy.deepcopy(t) if t.rule is None else t


# pickle


def reduce_tensor(t):
    return tensor, (t._data, t._name, t.node, getattr(t, "_parameter", None))


def reduce_node(z):
    """Return what pickle stores of z: the leaves by themselves, so that they stay shared, and one flat table of the graph."""
    if not z.inputs:
        return node, (fields(z), z.edges, z.arguments)
    variables = inputs_first(z)
    leaves = [v for v in variables if not v.inputs]
    place = {v: i for i, v in enumerate([*leaves, *(v for v in variables if v.inputs)])}
    table = [
        (
            fields(v),
            v.edges and [(place[x], slot, saved) for x, slot, saved in v.edges],
            [At(place[a]) if isinstance(a, Node) else a for a in v.arguments],
        )
        for v in variables
        if v.inputs
    ]
    return restore_graph, (leaves, table)


def restore_graph(leaves, table):
    """Return the last node of a graph that `reduce_node` stored."""
    nodes = list(leaves)
    for fields, edges, arguments in table:
        edges = edges and tuple([(nodes[i], slot, saved) for i, slot, saved in edges])
        nodes.append(node(fields, edges, [nodes[a.place] if type(a) is At else a for a in arguments]))
    return nodes[-1]


ATTACHED: dict[type, dict] = {
    Tensor: {"__deepcopy__": copy_tensor, "__copy__": copy_shallow, "__reduce__": reduce_tensor},
    Node: {"__deepcopy__": copy_graph, "__reduce__": reduce_node},
}
for kind, methods in ATTACHED.items():
    for name, method in methods.items():
        setattr(kind, name, method)

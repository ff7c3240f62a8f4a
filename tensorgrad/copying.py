"""Copying and pickling tensors with the graph behind them, of any depth: flat lists instead of recursion.

A copy has arrays of its own, the names and the gradients (as arrays, also where create_graph made them tensors), and what each
function saved; what was released stays released. Hooks stay behind: they belong to a program, not to a variable. In one
pickle two results share the leaves below them, and each brings its own copy of what lies between; in one deepcopy they share all.
"""

import copy
from typing import NamedTuple
from weakref import ref

import numpy as np

from scalargrad.graph import inputs_first
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor, made

FIELDS = ("rule", "options", "shape", "dtype", "aux", "keep_grad", "grad", "name", "scope")


class At(NamedTuple):
    """The place of a node in a table, where a node's argument stands in a pickle."""

    place: int


def fields(v):
    """What `node` needs of v besides its edges and arguments."""
    found = {name: getattr(v, name) for name in FIELDS}
    found["grad"] = None if v.grad is None else np.array(getattr(v.grad, "_data", v.grad))
    return list(found.values())


def node(fields, edges, arguments):
    """A node as it was, without its tensor."""
    v = object.__new__(Node)
    v.edges, v.arguments = edges, arguments
    v.hooks, v._tensor, v._pending, v._total = None, nothing, 0, None
    for name, x in zip(FIELDS, fields):
        setattr(v, name, x)
    return v


def nothing():
    """What a weak reference gives when its object is gone."""


def tensor(data, name, node):
    """A tensor as it was, around its node (None: a constant)."""
    t = made(data, node)
    t._name = name
    if node is not None:
        node._tensor = ref(t)
    return t


# copy.deepcopy


def copy_tensor(t, memo):
    return tensor(copy.deepcopy(t._data, memo), t._name, None if t.node is None else copy_graph(t.node, memo))


def copy_graph(z, memo):
    """A copy of the node z with its whole graph; what was copied already with this memo is not copied again."""
    nodes = inputs_first(z)
    for v in nodes:
        if id(v) not in memo:
            rule, *others = fields(v)
            edges = v.edges and tuple([(memo[id(x)], slot, copy.deepcopy(saved, memo)) for x, slot, saved in v.edges])
            arguments = v.arguments and [memo[id(a)] if isinstance(a, Node) else copy.deepcopy(a, memo) for a in v.arguments]
            memo[id(v)] = node([rule, *copy.deepcopy(others, memo)], edges, arguments)
    memo.setdefault(id(memo), []).extend(nodes)  # as deepcopy does: while the memo lives, no id is used again
    return memo[id(z)]


def copy_shallow(t):
    """A leaf or constant of its own; the output of a function as it is, since nothing of it can be changed."""
    return copy.deepcopy(t) if t.rule is None else t


# pickle


def reduce_tensor(t):
    return tensor, (t._data, t._name, t.node)


def reduce_node(z):
    """What pickle stores of z: a leaf by itself, so that it stays shared; above it one flat table of the graph."""
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

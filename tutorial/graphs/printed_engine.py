"""The engine that the tutorial prints, written again with its names, its structure and its mistakes. `mended_engine` stands beside it.

The tutorial prints one function, `matmul`. `add` and `total` are written in the same way, for its two examples.
"""

import numpy as np


class Variable(np.ndarray):
    def __new__(cls, input_array, keep_grad=False):
        made = np.asarray(input_array).view(cls)
        made.node = Node(keep_grad=keep_grad)
        return made


class Node:
    def __init__(self, propagate_grad=False, keep_grad=False):
        self.grad = None
        self.propagate_grad = propagate_grad
        self.keep_grad = keep_grad

    def connect(self, input_nodes, backward_fn, params):
        self.propagate_grad = len(input_nodes) > 0
        if self.propagate_grad:
            self.input_nodes = input_nodes
            self.backward_fn = backward_fn
            self.backward_fn_params = params
            self.topo_visited = False

    def backward(self):
        ordering = []
        toposort_nodes(self, ordering)
        while ordering:
            ordering.pop().propagate()

    def propagate(self):
        params = self.backward_fn_params
        input_grads = self.backward_fn(params, self.grad)
        pairs = zip(self.input_nodes, input_grads)
        for input_node, G in pairs:
            if input_node.grad is None:
                input_node.grad = G
            else:
                input_node.grad += G
        if self.propagate_grad:
            del self.input_nodes
            del self.backward_fn
            del self.backward_fn_params
            del self.topo_visited
            self.propagate_grad = False
        if not self.keep_grad:
            self.grad = None


def toposort_nodes(node, ordering):
    for input_node in node.input_nodes:
        new = not node.topo_visited
        if new and input_node.propagate_grad:
            toposort_nodes(input_node, ordering)
    node.topo_visited = True
    ordering.append(node)


def needs_grad(X):
    return X.node.propagate_grad or X.node.keep_grad


def matmul(A, B):
    output = np.matmul(A, B)
    output.node = Node()
    input_nodes, params = [], {}
    if needs_grad(A):
        input_nodes.append(A.node)
        params["B"] = B
    if needs_grad(B):
        input_nodes.append(B.node)
        params["A"] = A
    output.node.connect(input_nodes, matmul_backward, params)
    return output


def matmul_backward(params, upstream=None):
    grads = []
    if "B" in params:
        grads.append(upstream @ params["B"].T)
    if "A" in params:
        grads.append(params["A"].T @ upstream)
    return grads


def add(A, B):
    output = np.add(A, B)
    output.node = Node()
    input_nodes = [X.node for X in (A, B) if needs_grad(X)]
    output.node.connect(input_nodes, add_backward, {"inputs": len(input_nodes)})
    return output


def add_backward(params, upstream=None):
    return [upstream] * params["inputs"]


def total(A):
    output = Variable(np.sum(A))
    input_nodes = [A.node] if needs_grad(A) else []
    output.node.connect(input_nodes, total_backward, {"shape": A.shape})
    return output


def total_backward(params, upstream=None):
    return [np.full(params["shape"], 1.0 if upstream is None else upstream)]

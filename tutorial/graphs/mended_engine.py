"""The tutorial's printed engine, mended. Each change has a comment. `printed_engine` has the same lines without them."""

import numpy as np

NO_NODE = "this array has no node: Variable or a function of the engine must make it, not a slice, a copy or .T"
NO_INPUTS = "z was computed from no variable with keep_grad=True; it is a leaf or a constant"
RELEASED = "this graph, or a part of it, was released by an earlier backward pass; compute z again"


class Variable(np.ndarray):
    # mended: a leaf has a gradient unless you say no
    def __new__(cls, input_array, keep_grad=True):
        # mended: an array of its own
        made = np.array(input_array, float).view(cls)
        made.node = Node(keep_grad=keep_grad)
        return made

    # mended: a slice, a copy and .T say what is missing
    def __getattr__(self, name):
        if name == "node":
            raise AttributeError(NO_NODE)
        raise AttributeError(name)


class Node:
    def __init__(self, propagate_grad=False, keep_grad=False):
        self.grad = None
        self.propagate_grad = propagate_grad
        self.keep_grad = keep_grad
        # mended: a leaf has these, too
        self.input_nodes = []
        self.released = False

    def connect(self, input_nodes, backward_fn, params):
        self.propagate_grad = len(input_nodes) > 0
        if self.propagate_grad:
            self.input_nodes = input_nodes
            self.backward_fn = backward_fn
            self.backward_fn_params = params

    def backward(self):
        # mended: what cannot be says why
        if self.released:
            raise RuntimeError(RELEASED)
        if not self.propagate_grad:
            raise RuntimeError(NO_INPUTS)
        ordering = []
        toposort_nodes(self, ordering)
        while ordering:
            ordering.pop().propagate()

    def propagate(self):
        params = self.backward_fn_params
        input_grads = self.backward_fn(params, self.grad)
        # mended: one gradient for each input, or an error
        pairs = zip(self.input_nodes, input_grads, strict=True)
        for input_node, G in pairs:
            if input_node.grad is None:
                input_node.grad = G
            else:
                # mended: a new array
                input_node.grad = input_node.grad + G
        self.input_nodes = []
        del self.backward_fn
        del self.backward_fn_params
        self.released = True
        if not self.keep_grad:
            self.grad = None


def toposort_nodes(node, ordering):
    # mended: marks of this walk, set when it comes to a node
    visited = {node}
    # mended: no recursion
    walk = [(node, iter(node.input_nodes))]
    while walk:
        node, inputs = walk[-1]
        for input_node in inputs:
            # mended: another pass may have used a part of it
            if input_node.released:
                raise RuntimeError(RELEASED)
            # mended: asks the input
            new = input_node not in visited
            if new and input_node.propagate_grad:
                visited.add(input_node)
                deeper = iter(input_node.input_nodes)
                walk.append((input_node, deeper))
                break
        else:  # no input was left to enter
            ordering.append(node)
            walk.pop()


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
    output = Variable(np.sum(A), keep_grad=False)
    input_nodes = [A.node] if needs_grad(A) else []
    output.node.connect(input_nodes, total_backward, {"shape": A.shape})
    return output


def total_backward(params, upstream=None):
    return [np.full(params["shape"], 1.0 if upstream is None else upstream)]

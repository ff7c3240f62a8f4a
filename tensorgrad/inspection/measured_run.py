"""Measure when each array of a forward and a backward pass is made and freed: compute the graph again, and run the engine on it.

Weak references tell which memory still exists. The graph itself is not used up.
"""

import numpy as np

from scalargrad.modes import recording
from tensorgrad.backward import totals
from tensorgrad.errors.errors import array_is_gone
from tensorgrad.hooks import Look
from tensorgrad.inspection.both_passes import BothPasses, held_arrays
from tensorgrad.node import Node
from tensorgrad.tensor import leaf


class MeasuredRun(BothPasses):
    """Both passes on a copy of the graph. `nodes` maps each variable to its copy."""

    def __init__(self, plan):
        super().__init__(plan)
        self.nodes, self.originals, self.last = {}, {}, None

    def arrays(self):
        with recording():
            return super().arrays()

    def name(self, v):
        return self.plan.name(self.originals.get(v, v))

    def see_leaf(self, x):
        array = self.plan.arrays.get(x)
        if array is None:
            raise array_is_gone("memory", self.plan.name(x))
        self.enter(x, leaf(array if x in self.plan.held else array.copy()))
        self.watch.see(self.values[x]._data, self.plan.name(x), "parameter", x)

    def see_constant(self, c):
        self.watch.see(c._data, self.plan.name(c), "constant", c)

    def see_result(self, y):
        args = [self.values[a] if isinstance(a, Node) else a for a in y.arguments]
        self.enter(y, y.rule.of_tensors(args, y))
        self.watch.see(self.values[y]._data, self.plan.name(y), "value", y)

    def enter(self, v, t):
        t.node.keep_grad = v.keep_grad
        self.values[v], self.nodes[v], self.originals[t.node] = t, t.node, v

    def saved(self, y):
        return held_arrays(self.nodes[y], self.name)

    # The backward pass

    def backward(self):
        """Return [(variable, its gradient)] for the gradients that stay."""
        z = self.plan.order[0]
        for v, node in self.nodes.items():
            node.hooks = [Look(lambda G, v=v: self.turn(v, G))]
        try:
            found = totals(self.nodes[z], np.ones(z.shape, z.dtype), self.plan.retain)
        finally:
            for node in self.nodes.values():
                node.hooks = None
        return [(self.originals[node], total) for node, total in found]

    def turn(self, v, G):
        """Note what the function before v has passed to its inputs, and begin the turn of v, whose total derivative is G."""
        y = self.last
        if y is not None:
            for x in dict.fromkeys(y.inputs):
                total = G if x is v else self.nodes[x]._total
                if total is not None:
                    self.see_gradient(x, total)
            if y.inputs and not y.keep_grad:
                self.watch.end_of_turn(y)
        if v.inputs:
            self.watch.step += 1
        if y is None:
            self.see_gradient(v, G)
        self.last = v

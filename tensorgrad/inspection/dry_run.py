"""Predict when each array of a forward and a backward pass is made and freed: run both passes on empty arrays, without the kernels.

Only functions and vjps that save no array are applied, since they may return a view: reshape, transpose, sum, +. If a reshape
follows another function, that function is applied too: its array may have another memory order, and then reshape copies it. The empty
arrays hold zeros; the system gives such an array no memory before something writes to it.
"""

from weakref import ref

import numpy as np

from tensorgrad.arrays.errstate import quietly
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.backward import converted, owned
from tensorgrad.inspection.both_passes import BothPasses, held_arrays, owner_key
from tensorgrad.inspection.saved_arrays import memory_owner
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor


class DryRun(BothPasses):
    """Both passes on arrays of zeros. `kept` holds what each function saves, `twins` the empty twin of each array of the graph."""

    def __init__(self, plan):
        super().__init__(plan)
        self.kept, self.twins, self.held_constants = {}, {}, []
        self.reshaped: dict = {}  # {variable: the functions that move its entries and take nothing else}
        for y in plan.functions:
            if moves_entries(y) and len(y.arguments) == 1:
                self.reshaped.setdefault(y.inputs[0], []).append(y)

    def see_leaf(self, x):
        self.values[x] = self.twin(self.plan.arrays.get(x), x.shape, x.dtype)
        self.watch.see(self.values[x], self.plan.name(x), "parameter", x)

    def see_constant(self, c):
        self.held_constants.append(self.twin(c._data, c.shape, c.dtype))
        self.watch.see(self.held_constants[-1], self.plan.name(c), "constant", c)

    def see_result(self, y):
        array = self.plan.arrays.get(y)
        if moves_entries(y) and (array is None or owner_key(array) not in self.twins):
            self.values[y] = self.computed(y)
            if array is not None:
                self.twins[owner_key(array)] = ref(memory_owner(self.values[y]))
        elif array is None and y.rule.fast != () and any(self.is_view(c, y) for c in self.reshaped.get(y, ())):
            self.values[y] = self.computed(y)
        else:
            self.values[y] = self.twin(array, y.shape, y.dtype)
        self.watch.see(self.values[y], self.plan.name(y), "value", y)

    def computed(self, y):
        """Return what y's function makes of the empty arrays."""
        args = [self.values[a] if isinstance(a, Node) else a._data if isinstance(a, Tensor) else a for a in y.arguments]
        if y.rule.fast is None:
            return np.asarray(y.rule.evaluated(args, y.options))
        return np.asarray(y.rule.evaluated(args, y.options, [slot for _, slot, _ in y.edges])[0])

    def is_view(self, c, y):
        """Return whether c, which moves the entries of y alone, may be a view of y."""
        array = np.zeros(y.shape, y.dtype)
        return memory_owner(np.asarray(c.rule.evaluated([array], c.options))) is array

    def twin(self, array, shape, dtype):
        """Return an empty array for one of the graph, in the same memory order. Arrays that share memory have twins that share memory."""
        if array is None:
            return np.zeros(shape, dtype)
        owner = memory_owner(array)
        known = self.twins.get(id(owner), lambda: None)()
        if known is None:
            known = np.zeros(owner.nbytes, np.uint8)
            self.twins[id(owner)] = ref(known)
        return alike(array, owner, known)

    def saved(self, y):
        self.kept[y] = [(what, self.twin(a, a.shape, a.dtype)) for what, a in held_arrays(y, self.plan.name)]
        return self.kept[y]

    # The backward pass

    def backward(self):
        """Return [(variable, its gradient)] for the gradients that stay."""
        z = self.plan.order[0]
        self.totals, finished = {z: np.ones(z.shape, z.dtype)}, []
        seed = self.totals[z]
        for y in self.plan.order:
            if y.inputs:
                self.watch.step += 1
            if y is z:
                self.see_gradient(z, seed)
            if y.keep_grad:
                finished.append((y, self.totals[y]))
            if y.inputs:
                self.pass_on(y)
                if not self.plan.retain:
                    del self.kept[y]
                if not y.keep_grad:
                    self.watch.end_of_turn(y)
            del self.totals[y]
        return owned(finished, seed)

    def pass_on(self, y):
        """Add what y passes to the totals of its inputs."""
        for x, slot, saved in y.edges:
            self.totals[x] = np.zeros(x.shape, x.dtype) if x in self.totals else self.passed(y, x, slot, saved)
        for x in dict.fromkeys(y.inputs):
            self.see_gradient(x, self.totals[x])

    def passed(self, y, x, slot, saved):
        """Return what y passes to x along one edge: the vjp of an array of zeros if that may be a view, else an empty array."""
        if y.rule.fast is not None or has_array(saved):
            return np.zeros(x.shape, x.dtype)
        return quietly(converted, y.rule.vjps[slot].function(self.totals[y], *saved), y, slot, x)


def alike(array, owner, twin):
    """Return a view of `twin`, the twin of `owner`, that has the place, the shape and the memory order of `array` in `owner`."""
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    flat = twin.ravel(order="K").view(np.uint8)  # without a copy, if the twin is contiguous in any order
    if flat.size < owner.nbytes or (flat is not twin and memory_owner(flat) is not twin):
        return twin
    return np.ndarray(array.shape, array.dtype, flat, start, array.strides)


def moves_entries(y):
    """Return whether y's function and its vjps save no array. Then the function may return a view of its input."""
    return y.rule.fast is None and not any(has_array(saved) for _, _, saved in y.edges)


def has_array(saved):
    return any(isinstance(a, ARRAY) for a in saved)

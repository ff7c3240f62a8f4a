"""When each array of a forward and a backward pass is made and freed: predicted by a dry run of the graph, and measured in a real run.

The dry run runs both passes on empty arrays, without the kernels.
Only functions and vjps that save no array are applied, since they may return a view: reshape, transpose, sum, +. If a reshape
follows another function, that function is applied too: its array may have another memory order, and then reshape copies it. The empty
arrays hold zeros; the system gives such an array no memory before something writes to it.

The real run computes the graph again, and runs the engine on it. Weak references tell which memory still exists. The graph itself is
not used up.
"""

from typing import NamedTuple
from weakref import ref

import numpy as np

from scalargrad.formulas.text import in_columns
from scalargrad.graph import by_key
from scalargrad.modes import recording
from scalargrad.tracing.byte_counts import bytes_at_steps, readable
from tensorgrad.arrays.errstate import quietly
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.backward import Look, converted, owned, totals
from tensorgrad.errors.errors import array_is_gone
from tensorgrad.inspection.both_passes import BothPasses, Plan, held_arrays, owner_key
from tensorgrad.inspection.saved_arrays import memory_owner
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor, leaf

MOST_ROWS, WIDE = 60, 40  # of the text: arrays, and columns for the steps


class Turn(NamedTuple):
    """One step: its `phase`, which is "before", "forward", "backward" or "after", and the function that is processed.

    `variable` is the variable that the function computes, `name` its name; both are empty before and after the passes.
    """

    phase: str
    name: str
    function: str
    variable: object


class Lifetimes:
    """When each array of a forward and a backward pass exists: `arrays` has an Array for each memory. str() gives a picture.

    Step 0 is before both passes. Each function has a step in the forward pass, and one in the backward pass. After the last step
    both passes are over. `steps` says what each step is. `bytes` is the memory of the arrays at each step, `peak` the most of it.
    `turn` is {variable: its step in the backward pass}; a leaf has that of the last function that takes it.

    An array exists at the step that makes it and at the step that frees it. The arrays that a kernel makes and frees within one
    step are not counted. A program that holds no tensor of an intermediate variable now is taken to drop it after its last use.
    """

    def __init__(self, plan, arrays):
        self._plan, self.arrays = plan, arrays
        self.steps, self.turn = turns(plan)
        self.bytes = bytes_at_steps(arrays, len(self.steps))
        self.peak = max(self.bytes)

    def measured(self) -> "Lifetimes":
        """Return the lifetimes in a real run, which computes the graph again and runs backward() on that copy.

        Raises ValueError if the program has dropped a leaf whose array no function saved.
        """
        return Lifetimes(self._plan, MeasuredRun(self._plan).arrays())

    def __str__(self):
        column = lambda step: step * WIDE // len(self.steps)
        turns = len(self.steps) // 2
        lines = [f"{len(self.arrays)} arrays take at most {readable(self.peak)}, and {readable(self.bytes[-1])} after both passes"]
        lines += ["", f"{'array':20}{'':10}{'size':>8}  {'|forward':{column(turns)}}{'|backward':{WIDE - column(turns)}}|"]
        for a in self.arrays[:MOST_ROWS]:
            first, end = column(a.made), WIDE if a.freed is None else column(a.freed + 1)
            bar = f"{' ' * first}{'=' * max(1, end - first)}{'>' if a.freed is None else ''}"
            lines.append(f"{in_columns(a.name, 20)}{a.kind:10}{readable(a.size):>8}  {bar}")
        if len(self.arrays) > MOST_ROWS:
            lines.append(f"... and {len(self.arrays) - MOST_ROWS} more")
        return "\n".join(lines)


def lifetimes(variables, name, held=None, arrays=None, retain=False):
    """Return the predicted Lifetimes of the graph with these variables, inputs before outputs.

    `held` are the variables whose tensors the program holds, `arrays` their arrays; by default those that exist now.
    """
    existing = {v: t._data for v in variables if (t := v._tensor()) is not None}
    plan = Plan(variables, name, existing.keys() if held is None else held, existing | (arrays or {}), retain)
    return Lifetimes(plan, DryRun(plan).arrays())


def turns(plan):
    """Return the Turns of a plan, and {variable: its step in the backward pass}."""
    row = lambda phase, y: Turn(phase, plan.name(y), y.rule.name, y)
    steps = [Turn("before", "", "", None), *(row("forward", y) for y in plan.functions)]
    turn = {}
    for y in plan.order:
        if y.inputs:
            steps.append(row("backward", y))
        turn[y] = len(steps) - 1
    return [*steps, Turn("after", "", "", None)], turn


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


class DryRun(BothPasses):
    """Both passes on arrays of zeros. `kept` holds what each function saves, `twins` the empty twin of each array of the graph."""

    def __init__(self, plan):
        super().__init__(plan)
        self.kept, self.twins, self.held_constants = {}, {}, []
        # {variable: the functions that move its entries and take nothing else}
        self.reshaped = by_key((y.inputs[0], y) for y in plan.functions if moves_entries(y) and len(y.arguments) == 1)

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
        return np.asarray(y.rule.evaluated(args, y.options, [slot for _, slot, _ in y.edges])[0])

    def is_view(self, c, y):
        """Return whether c, which moves the entries of y alone, may be a view of y."""
        array = np.zeros(y.shape, y.dtype)
        return memory_owner(np.asarray(c.rule.evaluated([array], c.options)[0])) is array

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
        return owned(finished)

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

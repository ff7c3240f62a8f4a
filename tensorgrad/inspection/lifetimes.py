"""When each array of a forward and a backward pass is made and freed: predicted from the graph, and measured in a real run."""

from typing import NamedTuple

import numpy as np

from scalargrad.formulas.text import in_columns
from scalargrad.modes import recording
from scalargrad.tracing.byte_counts import bytes_at_steps, readable
from tensorgrad.backward import Look, totals
from tensorgrad.errors.errors import array_is_gone
from tensorgrad.inspection.both_passes import BothPasses, Plan, held_arrays
from tensorgrad.inspection.dry_run import DryRun
from tensorgrad.node import Node
from tensorgrad.tensor import leaf

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

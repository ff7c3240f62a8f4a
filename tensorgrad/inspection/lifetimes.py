"""When each array of a forward and a backward pass is made and freed: predicted from the graph, and measured in a real run."""

from typing import NamedTuple

from scalargrad.formulas.text import in_columns
from scalargrad.tracing.byte_counts import bytes_at_steps, readable
from tensorgrad.inspection.both_passes import Plan
from tensorgrad.inspection.dry_run import DryRun
from tensorgrad.inspection.measured_run import MeasuredRun

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

"""A forward and a backward pass over a graph, under the eyes of a Watch: the frame of the dry run and of the measured run.

The program of the user is taken to drop each tensor as soon as no function needs it any more, unless it holds the tensor now.
"""

from scalargrad.formulas.symbols import Ratio
from tensorgrad.inspection.array_watch import Watch
from tensorgrad.inspection.saved_arrays import held_by, memory_owner, saved_variables
from tensorgrad.kernels.scatter import OwnSum


class Plan:
    """What both runs know of a graph. `order` is that of the backward pass, `name` gives the name of a variable or a constant.

    `held` are the variables whose tensors the program holds, `arrays` the arrays of variables, as far as they are known.
    """

    def __init__(self, variables, name, held, arrays, retain):
        self.name, self.held, self.retain = name, held, retain
        self.order = backward_order(variables)
        self.leaves = [x for x in variables if not x.inputs]
        self.functions = [y for y in variables if y.inputs]
        self.arrays = arrays | dict(pair for y in self.functions for pair in saved_variables(y))
        self.arrays |= {x: leaf._data for y in self.functions for x, leaf in inside_leaves(y)}
        self.constants = list({id(c): c for y in self.functions for c in y.constants}.values())
        last_use = {x: y for y in self.functions for x in (y, *y.inputs)}
        self.dropped_after: dict = {y: [] for y in self.functions}
        for x, y in last_use.items():
            if x not in held:
                self.dropped_after[y].append(x)


class BothPasses:
    """Runs the forward and the backward pass of a plan, and notes which array exists when. A subclass says how."""

    def __init__(self, plan):
        self.plan, self.watch, self.values = plan, Watch(), {}

    def arrays(self):
        """Return the Arrays of both passes."""
        for x in self.plan.leaves:
            self.see_leaf(x)
        for c in self.plan.constants:
            self.see_constant(c)
        for y in self.plan.functions:
            self.watch.step += 1
            self.see_result(y)
            self.see_saved(y)
            for x in self.plan.dropped_after[y]:
                del self.values[x]
        kept = self.backward()
        self.watch.step += 1
        for x, total in kept:
            self.see_gradient(x, total)
        return self.watch.arrays()  # before the arrays of this run are freed

    def see_saved(self, y):
        """Note what y's function keeps for the backward pass."""
        for what, array in self.saved(y):
            self.watch.see(array, f"{what} of {self.plan.name(y)}", "saved", y)

    def see_gradient(self, x, total):
        name = self.plan.name
        self.watch.see_gradient(total.array if type(total) is OwnSum else total, str(Ratio("d", name(self.plan.order[0]), name(x))), x)


def inside_leaves(y):
    """Return [(input, the leaf that stands for it)] of the graph inside a user's function, which keeps their arrays."""
    return list(zip(y.inputs, getattr(y.aux, "leaves", ())))


def held_arrays(y, name):
    """Return [(name, array)] of what the node y keeps, with the arrays that the graph inside a user's function keeps."""
    return [*held_by(y, name).items(), *(("input", leaf._data) for _, leaf in inside_leaves(y))]


def owner_key(array):
    return id(memory_owner(array))


def backward_order(variables):
    """Return the variables of a graph, inputs before outputs, in the order in which backward() processes them."""
    waiting = {}
    for y in variables:
        for x in y.inputs:
            waiting[x] = waiting.get(x, 0) + 1
    order, ready = [], [variables[-1]]
    while ready:
        order.append(ready.pop())
        for x in order[-1].inputs:
            waiting[x] -= 1
            if not waiting[x]:
                ready.append(x)
    return order

"""A forward and a backward pass over a graph, under the eyes of a Watch, which may note when memory appears and when it is freed.

It is the frame of the dry run and of the measured run.
The program of the user is taken to drop each tensor as soon as no function needs it any more, unless it holds the tensor now.
"""

from typing import NamedTuple
from weakref import ref

from scalargrad.formulas.symbols import Ratio
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


class Array(NamedTuple):
    """The memory of one array: `size` bytes that exist from step `made` to step `freed`, both included. `freed` is None if it stays.

    `kind` is "parameter", "constant", "value" (the result of a function), "saved" (a value or another array that a function keeps
    for the backward pass) or "gradient". `variable` is the variable that has this value or gradient, or whose function saved it.
    `others` are names of further arrays in the same memory: a reshape of a value, or a gradient that a function passes unchanged.
    """

    name: str
    kind: str
    size: int
    made: int
    freed: int | None
    variable: object
    others: tuple = ()


class Entry:
    """An Array that may still change, and a weak reference to the array that owns its memory."""

    def __init__(self, name, kind, size, made, variable):
        self.name, self.kind, self.size, self.made, self.freed, self.variable = name, kind, size, made, None, variable
        self.others, self.reference = [], None

    def finished(self):
        return Array(self.name, self.kind, self.size, self.made, self.freed, self.variable, tuple(self.others))


class Watch:
    """Watches arrays while a program makes and frees them. `step` is the number of the current step."""

    def __init__(self):
        self.step, self.entries = 0, []
        self.there: dict = {}  # {id of the array that owns memory: its entry}, for memory that exists
        self.numbers: dict = {}  # {variable: the entry of its gradient}, for gradients that are single numbers
        self.latest: dict = {}  # {variable: the latest entry of its gradient}

    def see(self, array, name, kind, variable):
        """Note an array, unless its memory is known already. A value that a function saves is saved from then on.

        A value or a gradient that is a part of a larger array, of one with padding, has its own size unless a function saves it.
        """
        owner = memory_owner(array)
        entry = self.there.get(id(owner))
        if entry is None:
            entry = self.enter(name, kind, min(array.nbytes, owner.nbytes), variable)
            self.watch(owner, entry)
        elif kind in ("value", "gradient") and name != entry.name and name not in entry.others:
            entry.others.append(name)
        if kind == "saved":
            entry.kind = "saved" if entry.kind == "value" else entry.kind
            entry.size = owner.nbytes

    def see_gradient(self, total, name, x):
        """Note the total derivative of x. The sum that replaces its first terms is the same entry."""
        before = self.latest.get(x)
        if not total.shape:  # NumPy returns a number, which cannot be watched, or an array
            if before is None:
                self.numbers[x] = self.latest[x] = self.enter(name, "gradient", total.nbytes, x)
            return
        owner = memory_owner(total)
        if before is not None and self.replaces(owner, total, name, before):
            before.freed = None
            self.watch(owner, before)
        else:
            self.see(total, name, "gradient", x)
            self.latest[x] = self.there[id(owner)]

    def replaces(self, owner, total, name, before):
        """Return whether a total is new memory of the same name and size as an entry whose memory has just been freed."""
        if id(owner) in self.there or before.freed is None:
            return False
        return (before.name, before.size) == (name, total.nbytes) and self.step - before.freed <= 1

    def end_of_turn(self, x):
        """Note that the gradient of x is gone, if it is a single number. (Of an array the weak reference tells.)"""
        entry = self.numbers.pop(x, None)
        if entry is not None:
            entry.freed = self.step

    def enter(self, *facts):
        name, kind, size, variable = facts
        self.entries.append(Entry(name, kind, size, self.step, variable))
        return self.entries[-1]

    def watch(self, owner, entry):
        key = id(owner)
        entry.reference = ref(owner, lambda _: self.gone(key))
        self.there[key] = entry

    def gone(self, key):
        self.there.pop(key).freed = self.step

    def arrays(self):
        """Return an Array for each memory that was seen."""
        return [entry.finished() for entry in self.entries]

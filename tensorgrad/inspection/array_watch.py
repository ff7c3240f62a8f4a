"""Note when the memory of an array appears and when it is freed. Weak references tell; nothing here keeps an array alive."""

from typing import NamedTuple
from weakref import ref

from tensorgrad.inspection.saved_arrays import memory_owner


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

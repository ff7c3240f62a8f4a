"""Replay the functions of a graph one by one in float64, and compare what each passes along its edges with finite differences."""

from copy import copy
from functools import cached_property

import numpy as np

from scalargrad.checking.check import infinite_input
from scalargrad.checking.finite_differences import agrees, around, slope, step
from scalargrad.graph import inputs_first
from scalargrad.modes import recording
from tensorgrad.anomaly import has_infinity
from tensorgrad.arrays.errstate import quietly
from tensorgrad.checking.diagnosis import largest_entry
from tensorgrad.errors.errors import array_is_gone
from tensorgrad.inspection.forward_values import at_arrays
from tensorgrad.inspection.saved_arrays import saved_variables
from tensorgrad.inspection.zoom import replay
from tensorgrad.modes import again
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor
from tensorgrad.transformations.checkpoint import CHECKPOINT

GRADIENT_ROUNDING = 1e-10  # of a gradient, relative to its largest entry
FAR = 1e3  # stands for infinity where a function of infinity has no slope: small enough that a sum keeps the digits of its other term


class Replayed:
    """A variable of the graph in float64: the array of a leaf, or the value of its function at the replayed arguments."""

    def __init__(self, y, functions, array):
        self.y, self.rule = y, y.rule
        if y.inputs:
            self.args = [functions[a].array if isinstance(a, Node) else wide(getattr(a, "_data", a)) for a in y.arguments]
            self.options = y.options
            self.slots = [slot for _, slot, _ in y.edges]
            self.array = self.at()
        else:
            self.array = wide(array)

    def at(self, slot=None, x=None):
        """Return the function's value, with x as its argument number `slot`."""
        args = [x if i == slot else a for i, a in enumerate(self.args)]
        return np.asarray(at_arrays(self.y, args, self.options), dtype=float)

    def meant(self):
        """Return where the program itself put in an infinity: in a leaf a -inf, as a mask has it, or what a function made of one."""
        if not self.y.inputs:
            return np.isneginf(self.array)
        return np.isinf(self.array) & has_infinity((*self.args, *self.y.options, *self.rule.constants_inside(self.y)))

    @cached_property
    def of_finite(self):
        """The same function of arguments in which FAR stands for infinity."""
        found = copy(self)
        found.args, found.options = list(map(finite, self.args)), tuple(map(finite, self.options))
        return found

    @cached_property
    def has_no_slope(self):
        """The entries that are infinite because of a constant inside the function: nothing says what their slope should be."""
        infinite = np.isinf(self.array)
        return infinite & (infinite.any() and has_infinity(self.rule.constants_inside(self.y)))

    def slope(self, slot, v):
        """Return the slope of the function along v, a direction of its argument number `slot`.

        An entry that stays infinite has none: whether -inf + x changes with x is a convention. Any slope from 0 to twice that of
        the function of finite arguments is allowed there; see `has_no_slope` for an infinity that is not among the arguments.
        """
        found = slope_along(lambda x: self.at(slot, x), self.args[slot], v)
        infinite = np.isinf(self.array)
        if not infinite.any():
            return found
        value = slope_along(lambda x: self.of_finite.at(slot, x), self.of_finite.args[slot], v).value
        value = np.where(infinite & np.isfinite(value), value, found.value)
        size = abs(value)
        return found._replace(value=value, size=size, width=np.where(infinite, size, found.width))

    def again(self):
        """Return the function's result, computed from these arrays as a new graph."""
        with recording(), again():
            return self.rule.applied([Tensor(a) if i in self.slots else a for i, a in enumerate(self.args)], self.options)


class ReplayedCheckpoint(Replayed):
    """A checkpoint, replayed through the graph inside it, because it may use more variables than its arguments."""

    def __init__(self, y, functions, array):
        leaves, z = y.rule.inside(y)
        self.leaves, self.end = leaves, z.node
        super().__init__(y, functions, array)

    def at(self, slot=None, x=None):
        given = {leaf: x if i == slot else self.args[i] for leaf, i in zip(self.leaves, self.slots)}
        return np.asarray(replay(inputs_first(self.end), given.get)[self.end], dtype=float)

    def again(self):
        return self.y


def replayed(graph, names):
    """Return {variable: Replayed} for the graph. Raises ValueError if an entry is not finite, unless the program put infinity there."""
    saved = dict(pair for y in graph.variables for pair in saved_variables(y))
    found: dict = {}
    for x in graph.variables:
        array = saved.get(x) if x.data is None else x.data
        if array is None and not x.inputs:
            raise array_is_gone("check", names[x])
        found[x] = (ReplayedCheckpoint if x.rule is CHECKPOINT else Replayed)(x, found, array)
        odd = np.argwhere(~(np.isfinite(found[x].array) | found[x].meant()))
        if len(odd):
            raise infinite_input(f"{names[x]}{list(map(int, odd[0])) or ''}", found[x].array[tuple(odd[0])])
    return found


def finite(a):
    """Return an argument or an option with FAR in the place of infinity."""
    kind = np.asarray(a).dtype.kind if isinstance(a, float | np.floating | np.ndarray) else ""
    return np.where(np.isinf(a), np.copysign(FAR, a), a) if kind == "f" and np.isinf(a).any() else a


def wide(a):
    return a.astype(float) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a


def step_sizes(x, eps=None):
    """Return how far to move each entry of x: `eps`, if it is given. An infinite entry stays where it is."""
    finite = np.isfinite(x)
    return np.where(finite, step(np.where(finite, x, 0.0)) if eps is None else eps, 0.0)


def slope_along(f, x, v):
    """Return the slope of each entry of f at x along v. An entry that is infinite all along does not change."""

    def measured():
        values = np.stack([np.asarray(f(at), dtype=float) for at in around(x, v)])
        return slope(np.where((values == values[0]).all(axis=0) & np.isinf(values[0]), 0.0, values))

    return quietly(measured)


def contributions(y, G):
    """Return {slot: what the function of y passes there for the upstream gradient G, or the error that its vjp raises}."""
    G = G.astype(y.dtype)
    if y.rule.fast is None:
        return {slot: tried(y.rule.vjps[slot].function, G, *saved) for _, slot, saved in y.edges}
    made = tried(lambda: [np.asarray(c) for c in y.rule.contributions(y, G)], array=lambda found: found)
    return {slot: made if isinstance(made, Exception) else made[i] for i, (_, slot, _) in enumerate(y.edges)}


def as_array(found):
    """Return what a vjp returned as an array."""
    if found is None:
        raise TypeError("it returned None; is `return` missing?")
    return np.asarray(found)


def tried(function, *args, array=as_array):
    """Return the result of a vjp, or the error that it raises: the check examines the rule, so an error is a finding."""
    try:
        return array(quietly(function, *args))
    except Exception as wrong:
        return wrong


class Edge:
    """One use of a variable x by a function: what it passes to x for the upstream gradient G, and what it should pass."""

    def __init__(self, function, again, slot, G, eps=None):
        self.function, self.again, self.slot, self.G = function, again, slot, G
        self.x = function.args[slot]
        self.vjp = function.rule.vjps[slot] if function.rule.vjps else None  # None: all slots are computed together
        self.saved = next(saved for _, s, saved in again.node.edges if s == slot)
        self.step = step_sizes(self.x, eps)
        self.looked: dict = {}

    def contribution(self, G):
        """Return what the function passes along this edge for another upstream gradient."""
        return contributions(self.again.node, G)[self.slot]

    def name_of(self, source):
        names = [*self.function.rule.input_names, "y", *self.function.rule.option_names]
        return names[source] if 0 <= source < len(names) else "it"

    def slope(self, v):
        return self.function.slope(self.slot, v)

    def passed(self, G, *saved):
        """Return what the vjp passes for G and other arrays in the place of those that were saved, or the error that it raises."""
        return tried(self.vjp.function, G, *saved)

    def agrees(self, got, v, tolerance):
        """Return whether `got` agrees with the slope along v."""
        moved = v != 0  # a nan elsewhere is nothing to this direction
        floor = GRADIENT_ROUNDING * largest_entry(got) * np.abs(v).sum()
        return agrees(lambda close: self.slope(close * v).weighted(self.G), (got[moved] * v[moved]).sum(), tolerance, floor)

    def along(self, places):
        """Return the direction that moves the entries at the flat indices `places` by their steps."""
        v = np.zeros(self.x.size)
        v[places] = self.step.ravel()[places]
        return v.reshape(self.x.shape)

    def entry(self, place):
        """Return ∂y/∂x at one entry of x, for all entries of y."""
        if place not in self.looked:
            self.looked[place] = self.slope(self.along([place])).value / (self.step.ravel()[place] or 1.0)
        return self.looked[place]

    def expected(self, place):
        return float((self.G * self.entry(place)).sum())

    def right(self, got):
        """Return whether a sample of the entries of `got` is right."""
        return not self.compared(got, 16, 1e-6, np.random.default_rng(0))[1]

    def compared(self, got, entries, tolerance, dice):
        """Return flat indices (looked at, wrong): of all entries, or of a sample and one that all entries together reveal."""
        places = can_move = np.flatnonzero(self.step)
        if len(can_move) > entries:
            busy = can_move[got.ravel()[can_move] != 0]
            places = [*dice.choice(can_move, entries // 2, False), *dice.permutation(busy)[: entries - entries // 2]]
        places = sorted({int(p) for p in places})
        wrong = [p for p in places if not self.agrees(got, self.along([p]), tolerance)]
        if len(can_move) > entries and not wrong:
            wrong = self.hunted(got, tolerance, dice)
        return sorted({*places, *wrong}), wrong

    def hunted(self, got, tolerance, dice):
        """Return the flat index of a wrong entry, found by halving, in a list; an empty list if all entries together agree."""
        scatter = dice.choice([-1, 1], self.x.shape) * dice.uniform(0.5, 1.0, self.x.shape)
        disagree = lambda part: len(part) and not self.agrees(got, scatter * self.along(part), tolerance)
        group = np.arange(self.x.size)
        if not disagree(group):
            return []
        while len(group) > 1:
            half = len(group) // 2
            group = next((part for part in (group[:half], group[half:]) if disagree(part)), group[:0])
        return group.tolist()

"""Which entries of arrays are 0 but for rounding: those that change by as much as they are if the last digits of all numbers change.

Both passes run again a few times; each result of a function, and each contribution, is multiplied by 1 plus or minus an epsilon or two.
An entry that has a correct digit then keeps it. Nothing runs again unless an entry is tiny.
Source: Vignes, "A stochastic arithmetic for reliable scientific computation", 1993.
"""

import numpy as np

from scalargrad.formulas.lost_entries import note_lost
from scalargrad.formulas.rounding_error import NOTHING
from scalargrad.modes import recording
from tensorgrad.arrays.axes import unbroadcast
from tensorgrad.arrays.errstate import quietly
from tensorgrad.inspection.forward_values import are_small, arguments_of, is_lost
from tensorgrad.modes import again
from tensorgrad.node import Node
from tensorgrad.rules.elsewhere import OnlyOnce
from tensorgrad.tensor import Tensor

RUNS = 3


class Shaken:
    """Both passes with other last digits: `arrays` {variable: its array}, `passed` {(y, slot): contribution}, `totals` {x: dz/dx}."""

    def __init__(self, variables, arrays, run):
        self.random = np.random.default_rng(run)
        self.arrays, self.passed, made = {}, {}, {}
        with recording(), again(), np.errstate(all="ignore"):
            for v in variables:
                if v.inputs:
                    arguments, options = arguments_of(v)
                    own = v.rule.applied([Tensor(self.arrays[a]) if isinstance(a, Node) else a for a in arguments], options)
                    made[v], array = own.node, own.data
                else:
                    array = arrays[v]
                self.arrays[v] = self.shake(np.asarray(array))
            z = variables[-1]
            self.totals = {z: np.ones(z.shape, z.dtype)}
            for y in reversed(variables):
                for slot, x in enumerate(y.inputs):
                    self.passed[y, slot] = self.shake(contribution(made[y], slot, self.totals[y], x))
                    self.totals[x] = self.totals.get(x, 0) + self.passed[y, slot]

    def shake(self, array):
        digits = self.random.choice([-2, -1, 1, 2], size=array.shape)
        return array * (1 + digits * np.finfo(array.dtype).eps).astype(array.dtype) if array.dtype.kind == "f" else array


def contribution(y, slot, total, x):
    rule, (_, place, saved) = y.rule, y.edges[slot]
    G = np.asarray(total, y.dtype)
    found = quietly(rule.vjps[place].function, G, *saved) if rule.vjps else quietly(rule.contributions, y, G)[slot]
    return unbroadcast(np.asarray(found), x.shape).astype(x.dtype, copy=False)


def is_doubtful(number):
    """Return whether an array has an entry so small that rounding may have made it."""
    size = np.abs(number)
    return bool(((size > 0) & (size <= NOTHING)).any())


def note(array, others):
    """Note the lost entries of an array, which was computed again as `others`. Return the array, a number as an array of no axes."""
    with np.errstate(all="ignore"):
        size = np.abs(array)
        moved = np.max([np.abs(other - array) for other in others], axis=0)
        lost = np.asarray((size > 0) & (size <= NOTHING) & (2 * moved >= size))
    if not lost.any():
        return array
    array = np.asarray(array)
    note_lost(array, lost)
    return array


def shaken_runs(variables, arrays, numbers):
    """Return both passes with other last digits, RUNS times, after noting the lost entries of the variables' `arrays`.

    Return [] if none of the arrays and of the other `numbers` has a tiny entry, or if the passes cannot run again.
    """
    if not any(map(is_doubtful, [*filter(lambda a: a is not None, arrays.values()), *numbers])):
        return []
    if not are_small(variables) or any(is_lost((v, *arguments_of(v)[0], *arguments_of(v)[1]), arrays) for v in variables if v.inputs):
        return []
    try:
        runs = [Shaken(variables, arrays, run) for run in range(RUNS)]
    except OnlyOnce:
        return []
    for v in variables:
        note(arrays[v], [run.arrays[v] for run in runs])
    return runs


def note_in_totals(totals, variables, arrays):
    """Note the lost entries of total derivatives, {x: dz/dx}."""
    runs = shaken_runs(variables, arrays, totals.values())
    for x, total in totals.items() if runs else ():
        if isinstance(total, np.ndarray) and x in runs[0].totals:
            note(total, [run.totals[x] for run in runs])


def note_in_steps(steps, variables, arrays):
    """Return the steps of a trace, after noting the lost entries of their arrays and of the variables' `arrays`."""
    runs = shaken_runs(variables, arrays, [q.number for s in steps for q in (s.term, s.total) if q is not None])
    if not runs:
        return steps
    sums: dict = {}  # {x: the sum so far, in each run}
    known: dict = {}  # {id of a quantity: the same with a number whose lost entries are noted, and itself, so that its id stays its own}

    def noted(quantity, others):
        if quantity is None or others is None:
            return quantity
        if id(quantity) not in known:
            known[id(quantity)] = quantity._replace(number=note(quantity.number, others)), quantity
        return known[id(quantity)][0]

    found = []
    for s in steps:
        edge = s.y, s.slot
        passed = [run.passed[edge] for run in runs] if edge in runs[0].passed else None
        if s.act == "add" and passed:
            sums[s.x] = [before + more for before, more in zip(sums.get(s.x, [0] * RUNS), passed)]
        of_y = [run.totals[s.y] for run in runs] if s.y in runs[0].totals else None
        of_x = sums.get(s.x) if s.x in sums else [run.totals[s.x] for run in runs] if s.x in runs[0].totals else None
        found.append(s._replace(upstream=noted(s.upstream, of_y), term=noted(s.term, passed), total=noted(s.total, of_x)))
    log = steps[-1].log
    for k, (x, quantity) in enumerate(log):
        log[k] = x, noted(quantity, [run.totals[x] for run in runs])
    return found

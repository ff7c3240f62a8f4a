"""The loop that `.backward()` runs on tensors: the total of a variable is the sum of its children's contributions.

A variable may speak once all its children have spoken: `_pending` counts those that have not, so a branch that z does not use
is harmless. As soon as a variable has spoken the arrays that its function saved are released; the skeleton of the graph stays.
"""

from contextlib import contextmanager
from contextvars import copy_context
from threading import RLock

import numpy as np

from scalargrad import modes
from scalargrad.backward import free_in_forked_child
from scalargrad.graph import inputs_first
from tensorgrad.anomaly import require_finite_contribution, require_finite_total
from tensorgrad.axes import fits, unbroadcast
from tensorgrad.errors import errors
from tensorgrad.errstate import silence
from tensorgrad.hooks import after_hooks

one_at_a_time = RLock()  # graphs may share variables, and the counts stand on them
under_way: list = []  # the variables that each pass has met


def reset(met):
    for x in met:
        x._pending, x._total = 0, None


free_in_forked_child(one_at_a_time, under_way, reset)


def totals(z, G, retain=False, differentiable=False, wanted=None):
    """[(x, dz/dx)] for every ancestor x of the node z that keeps its gradient (or is in `wanted`), with dz/dz = G.

    Nothing is changed but the graph, which is released unless `retain`. With `differentiable` the totals are tensors.
    """
    if not under_way or not one_at_a_time._is_owned():
        return of_own_graph(z, G, retain, differentiable, wanted)
    with set_aside(inputs_first(z)):  # a hook of this thread's pass goes backward itself, perhaps through the same variables
        return of_own_graph(z, G, retain, differentiable, wanted)


@contextmanager
def set_aside(variables):
    """In this block the variables have no part in the pass that is under way."""
    before = [(x, x._pending, x._total) for x in variables]
    reset(variables)
    try:
        yield
    finally:
        for x, pending, total in before:
            x._pending, x._total = pending, total


def of_own_graph(z, G, retain=False, differentiable=False, wanted=None):
    """What `totals` gives, for a graph that has no variable in common with the pass that is under way, if there is one."""
    met = [z]
    checked = modes.active and modes.anomalies_on.get()
    with one_at_a_time:
        try:
            under_way.append(met)
            count_children(met)
            if z._pending:
                inputs_first(z)  # raises: z is an ancestor of its own
            z._total = G
            run = watched if checked else silence.copy().run
            finished, spoken = run(spread, z, retain, differentiable, wanted, checked, copy_context())
            if spoken < len(met):
                for x in met:
                    if x._pending:
                        inputs_first(x)  # raises, for some x: it waits for a child that waits for it
        except BaseException:
            reset(met)
            raise
        finally:
            if under_way and under_way[-1] is met:
                under_way.pop()
    return owned(finished, G)


def count_children(met):
    """Give every ancestor the number of its uses; an error, before anything is changed, if the graph was released."""
    note = met.append
    for y in met:  # grows while it is walked
        if y.edges is None:
            raise errors.released("backward()", y)
        for x, _, _ in y.edges:
            if not x._pending:
                note(x)
            x._pending += 1


def spread(z, retain, differentiable, wanted, checked, context):
    """Hand every contribution on, each variable when its own total is complete; the finished totals, and how many spoke."""
    finished, spoken = [], 0
    ready = [z]
    push, pop = ready.append, ready.pop
    while ready:
        y = pop()
        spoken += 1
        G, y._total = y._total, None
        if y.hooks:
            G = after_hooks(y, G, context)
            if y.edges and not retain and y._tensor() is None:
                y.hooks = None  # nobody can reach them any more
        if checked:
            require_finite_total(y, G)
        if y.keep_grad if wanted is None else y in wanted:
            finished.append((y, G))
        edges = y.edges
        if not edges:
            if edges is None:
                raise errors.released("backward()", y)  # by a hook
            continue
        if wanted is None:
            y._passed = True
        rule = y.rule
        joint = rule.contributions(y, G, differentiable) if differentiable or rule.fast is not None else None
        if not retain:
            y.edges = y.aux = None
            if len(y.arguments) != len(edges) or y.options is not rule.defaults:
                y.drop_constants()
        vjps = rule.vjps
        for x, slot, saved in edges:
            contribution = vjps[slot].function(G, *saved) if joint is None else joint.pop(0)
            if checked:
                require_finite_contribution(y, slot, contribution, G)
            if contribution is None:
                raise errors.no_contribution(y, slot)
            if contribution.shape != x.shape:
                if not fits(contribution.shape, x.shape):
                    raise errors.misshapen(y, slot, x, contribution)
                contribution = unbroadcast(contribution, x.shape)
            if contribution.dtype is not x.dtype and contribution.dtype != x.dtype:
                contribution = contribution.astype(x.dtype)
            x._total = contribution if x._total is None else x._total + contribution
            waiting = x._pending - 1
            x._pending = waiting
            if not waiting:
                push(x)
        del G, edges, saved, joint, contribution  # whatever nobody else holds is freed before the next function's turn
    return finished, spoken


def owned(finished, G):
    """The totals, each an array (or a tensor) of its own and none of them G: what the user does to one changes nothing else."""
    taken = {id(G)}
    for i, (x, total) in enumerate(finished):
        if type(total) is not np.ndarray or total.base is not None or id(total) in taken:
            finished[i] = x, another(total, id(total) in taken)
        taken.add(id(total))
    return finished


def another(total, taken):
    """A gradient once more, as an array (NumPy makes plain numbers of arrays without axes); a tensor, where it is `taken`."""
    if not hasattr(total, "node"):
        return np.array(total)
    with modes.recording():
        return total + 0 if taken else total


def watched(spread, *args):
    """What running in `silence` does, where the user's own blocks shall hold within the pass too."""
    with np.errstate(all="ignore"), modes.recording():
        return spread(*args)

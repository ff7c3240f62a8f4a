"""The loop that `.backward()` runs: equation (1) by counting, as fast as plain Python goes.

A variable may speak once all its children have spoken: `_pending` counts those that have not. Only children that z
depends on are counted, so a branch that z does not use is harmless. Each variable adds its contributions to its inputs,
(dz/dy) · (∂y/∂x); a later look at `.grad` of any ancestor shows its total derivative.
"""

import os
from collections import deque
from itertools import repeat
from operator import attrgetter
from threading import RLock

from scalargrad import modes
from scalargrad.anomaly import require_finite_contribution
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.graph import inputs_first
from scalargrad.totals import differentiable_totals

one_at_a_time = RLock()  # graphs may share variables, and the counts stand on them
under_way: list = []  # the variables that each pass has met
pending = attrgetter("_pending")


def free_in_forked_child(lock, under_way, reset):
    """When this process forks, let the child begin anew: the passes of other threads, which end with the fork, hold no lock
    and leave no count behind. `under_way` lists the variables that they have met, `reset` undoes the counts of such a list."""

    def in_child():
        if not lock._is_owned():  # else the thread that forks is in a pass itself, and goes on with it
            lock._at_fork_reinit()
            for met in under_way:
                reset(met)
            under_way.clear()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=in_child)


def reset(met):
    deque(map(setattr, met, repeat("_pending"), repeat(0)), maxlen=0)  # at C speed: a second Ctrl-C cannot land inside


free_in_forked_child(one_at_a_time, under_way, reset)


def backward(z, upstream=1, create_graph=False):
    """Add upstream · dz/dx to `.grad` of every ancestor x of z."""
    if not z.inputs:
        z.grad += upstream
    elif create_graph:
        for x, total in differentiable_totals(z, upstream).items():
            x.grad = total if x.inputs else x.grad + total
    else:
        run(z, upstream)


def run(z, upstream):
    met = [z]
    with one_at_a_time:
        try:
            under_way.append(met)
            zero = 0.0 if type(z.data) is float else 0  # sums of floats are quickest from 0.0; Fractions stay exact from 0
            count_children(z, met, zero)
            z.grad = upstream + zero
            if modes.active and modes.anomalies_on.get():
                spread_checked(z)
            else:
                spread(z)
            if z._pending or any(map(pending, met)):
                inputs_first(z)  # raises: somebody waits for a child that waits for them
        except BaseException as stop:
            reset(met)
            stop.add_note("backward() was interrupted: gradients may be partial; call zero_grad() before going backward again")
            raise
        finally:
            if under_way and under_way[-1] is met:
                under_way.pop()


def count_children(z, met, zero):
    """Set `_pending` of every ancestor that some function made to the number of its uses, and its gradient to zero."""
    note = met.append
    for y in met:  # grows while it is walked
        for x in y.inputs:
            uses = x._pending
            if uses:
                x._pending = uses + 1
            elif x.inputs:
                x._pending = 1
                x.grad = zero
                note(x)


def spread(z):
    """Hand every contribution on, each variable when its own total is complete."""
    ready = [z]
    push, pop = ready.append, ready.pop
    while ready:
        y = pop()
        upstream, partials = y.grad, y.partials
        slot = 0  # counted by hand: zip and enumerate cost a third of the whole pass
        for x in y.inputs:
            try:
                x.grad += upstream * partials[slot]
            except OverflowError:  # a whole number beyond all floats
                x.grad = ADD.function(x.grad, MUL.function(upstream, partials[slot]))
            slot += 1  # noqa: SIM113
            waiting = x._pending
            if waiting == 1:
                x._pending = 0
                push(x)
            elif waiting:
                x._pending = waiting - 1


def spread_checked(z):
    """The same under detect_anomaly, in the order of the tutorial: the first contribution that is not finite is an error."""
    for y in reversed(inputs_first(z)):
        y._pending = 0
        for slot, (x, partial) in enumerate(zip(y.inputs, y.partials)):
            contribution = y.grad * partial
            require_finite_contribution(y, slot, partial, y.grad, contribution)
            x.grad += contribution

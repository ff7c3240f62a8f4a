"""The loop that `.backward()` runs: equation (1) in topological order, as fast as plain Python goes.

Each variable y, in topological order, adds its contributions dz/dy · ∂y/∂x to its inputs x. Its own total dz/dy is complete by
then, since all its children come before it. The gradients of all ancestors of z are then in their `.grad`.
"""

import os
from threading import RLock

from scalargrad.edges import topo_order
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.totals import anomalies_on, total_derivatives

one_at_a_time = RLock()  # graphs may share variables, and so gradients and marks


def free_in_forked_child(lock, under_way=(), reset=None):
    """Register a hook that frees `lock` in a forked child: the passes of other threads do not go on there.

    `under_way` lists the variables that each pass has met; `reset` undoes what a pass noted in them.
    """

    def in_child():
        if not lock._is_owned():  # else the thread that forks is in a pass itself, and goes on with it
            lock._at_fork_reinit()
            for met in under_way:
                reset(met)
            under_way.clear()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=in_child)


free_in_forked_child(one_at_a_time, [])


def backward(z, upstream=1, create_graph=False):
    """Add upstream · dz/dx to `.grad` of every leaf x below z, and set that of z and of intermediate variables to it."""
    if not z.inputs:
        z.grad += upstream
        return
    given = total_derivatives(z, upstream, create_graph=create_graph) if create_graph or anomalies_on() else {}
    with one_at_a_time:
        try:
            for x, total in given.items():
                x.grad = total if x.inputs else x.grad + total
            if not given:
                pass_on(z, upstream)
        except BaseException as stop:
            stop.add_note("backward() was interrupted: gradients may be partial; call zero_grad() before going backward again")
            raise


def pass_on(z, upstream):
    """Do the same for plain numbers, without a dictionary."""
    zero = 0.0 if type(z._data) is float else 0  # sums of floats are quickest from 0.0; Fractions stay exact from 0
    order = topo_order(z)
    for y in order:
        y.grad = zero
    z.grad = upstream + zero
    for y in order:
        total, x1, x2 = y.grad, y._x1, y._x2
        if type(x1) is tuple:
            for x, partial in zip(x1, y._d1):
                try:
                    x.grad += total * partial
                except OverflowError:
                    add_large(x, total, partial)
            continue
        try:
            x1.grad += total * y._d1
        except OverflowError:
            add_large(x1, total, y._d1)
        if x2 is not None:
            try:
                x2.grad += total * y._d2
            except OverflowError:
                add_large(x2, total, y._d2)


def add_large(x, total, partial):
    """Add a contribution in which an integer is too large for any float."""
    x.grad = ADD.function(x.grad, MUL.function(total, partial))

"""Faster: the engine's loop over flat slots. Added: create_graph, anomalies, one pass at a time. Refused: a wrong upstream gradient."""

import os
from threading import RLock

from scalargrad import modes
from scalargrad.fast.edges import Edges, computed_in_order
from scalargrad.fast.totals import total_derivatives
from scalargrad.messages.errors import refuse_upstream
from scalargrad.numeric import PLAIN, add_product

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
    """Compute dz/dx (times `upstream`) for every ancestor x of this variable z, and store it in `x.grad`.

    Gradients of leaves accumulate over calls until `zero_grad`. Gradients of intermediate variables hold the last call's
    result. With create_graph=True the gradients are Values that can be differentiated again.
    """
    if type(upstream) not in PLAIN and not isinstance(upstream, Edges):
        upstream = refuse_upstream(upstream)
    other_loop = create_graph or (modes.active and modes.anomalies_on.get())
    given = total_derivatives(z, upstream, create_graph=create_graph) if other_loop else {}
    with one_at_a_time:
        try:
            for x, total in given.items():
                x.grad = total if x.inputs else x.grad + total
            if not given:
                one_pass(z, upstream)
        except BaseException as stop:
            stop.add_note("backward() was interrupted: gradients may be partial; call zero_grad() before the next backward pass")
            raise


def one_pass(z, upstream):
    """Run the engine's loop: each variable y, in topological order, adds dz/dy · ∂y/∂x to `.grad` of its inputs x."""
    if z._x1 is None:
        z.grad += upstream
        return
    order = computed_in_order(z)
    zero = 0.0 if type(z._data) is float else 0  # sums of floats are quickest from 0.0; Fractions stay exact from 0
    for y in order:
        y.grad = zero
    z.grad = upstream + zero
    for y in order:
        total, x1, x2 = y.grad, y._x1, y._x2
        if type(x1) is tuple:
            for x, partial in zip(x1, y._d1):
                try:
                    x.grad += total * partial
                except OverflowError:  # an integer too large for any float
                    x.grad = add_product(x.grad, total, partial)
            continue
        try:
            x1.grad += total * y._d1
        except OverflowError:
            x1.grad = add_product(x1.grad, total, y._d1)
        if x2 is not None:
            try:
                x2.grad += total * y._d2
            except OverflowError:
                x2.grad = add_product(x2.grad, total, y._d2)

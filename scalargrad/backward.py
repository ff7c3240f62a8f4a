"""What `.backward()` does around the engine's loop: one pass at a time, a note if it is stopped, create_graph, detect_anomaly."""

import os
from threading import RLock

from scalargrad import engine
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
                engine.backward(z, upstream)
        except BaseException as stop:
            stop.add_note("backward() was interrupted: gradients may be partial; call zero_grad() before the next backward pass")
            raise

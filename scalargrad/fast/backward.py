"""What `.backward()` of a Value does around the engine's loop: one pass at a time, a note if it is stopped, create_graph, anomalies."""

import os
from threading import RLock

from scalargrad import engine, modes
from scalargrad.fast.totals import total_derivatives
from scalargrad.messages.errors import refuse_upstream
from scalargrad.numeric import PLAIN

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
    if type(upstream) not in PLAIN and not isinstance(upstream, engine.Value):
        upstream = refuse_upstream(upstream)
    other_loop = create_graph or (modes.active and modes.anomalies_on.get())
    given = total_derivatives(z, upstream, create_graph=create_graph) if other_loop else {}
    with one_at_a_time:
        try:
            for x, total in given.items():
                x.grad = total if x.inputs else x.grad + total
            if not given:
                engine.backward(z, upstream)
        except BaseException as stop:
            stop.add_note("backward() was interrupted: gradients may be partial; call zero_grad() before the next backward pass")
            raise

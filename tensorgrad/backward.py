"""The loop that `.backward()` runs on tensors: the total derivative of a variable is the sum of its children's contributions.

A variable is ready when all its children have been processed. `_pending` counts the edges to children that have not. Only z and
its ancestors count, so the loop does not wait for other children. After a variable has been processed, the loop releases the
arrays that its function saved. The nodes and their inputs stay.

The contribution of x[index] is `Scattered`: it holds the entries at the index, not the zeros beside them. The loop adds it in place, to
an `OwnSum`, an array that only the loop refers to. So x[0], x[1], ... together take as long as x, and not as long as x for each. With
`create_graph` totals are tensors, which nothing writes to. The loop collects such tensors as `Parts`, and joins them by one function.

Hooks, functions of the user, see the total derivative of a variable, and may replace it.
"""

from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from functools import partial
from sys import getrefcount
from threading import RLock

import numpy as np

from scalargrad import modes
from scalargrad.fast.backward import free_in_forked_child
from scalargrad.graph import inputs_first
from scalargrad.user_names.names import called_one
from tensorgrad.anomaly import require_finite_contribution, require_finite_total
from tensorgrad.arrays.axes import can_unbroadcast, unbroadcast
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.arrays.memory import own
from tensorgrad.errors import errors
from tensorgrad.kernels.blocks import LARGE, added, written_over
from tensorgrad.kernels.scatter import OwnSum, Parts, Scattered
from tensorgrad.node import Droppable

SUMS = frozenset({OwnSum, Parts})  # totals that are added in place, or later
one_at_a_time = RLock()  # graphs may share variables, and each variable stores its own count
under_way: list = []  # the variables that each pass has met


def reset(met):
    """Forget what an unfinished pass has counted and added."""
    for x in met:
        x._pending, x._total = 0, None


free_in_forked_child(one_at_a_time, under_way, reset)


def totals(z, G, retain=False, differentiable=False, wanted=None):
    """Return [(x, dz/dx)] for every ancestor x of the node z that keeps its gradient (or that is in `wanted`). dz/dz is G.

    It changes no `.grad`. It releases the graph unless `retain`. With `differentiable` the totals are tensors. If only this call refers
    to the array G, as in z.backward(np.ones(n)), a total may take its memory.
    """
    given, kept = [G], G if differentiable else None
    del G
    if not under_way or not one_at_a_time._is_owned():
        return owned(of_own_graph(z, given.pop(), retain, differentiable, wanted), kept)
    with set_aside(inputs_first(z)):  # a hook of this thread's pass runs another pass, perhaps over the same variables
        return owned(of_own_graph(z, given.pop(), retain, differentiable, wanted), kept)


@contextmanager
def set_aside(variables):
    """Within the `with` block, take the variables out of the pass that is under way."""
    before = [(x, x._pending, x._total) for x in variables]
    reset(variables)
    try:
        yield
    finally:
        for x, pending, total in before:
            x._pending, x._total = pending, total


def of_own_graph(z, G, retain=False, differentiable=False, wanted=None):
    """Return what `totals` returns, for a graph that shares no variable with a pass that is under way. Totals may share arrays."""
    met = [z]
    checked = modes.active and modes.anomalies_on.get()
    with one_at_a_time:
        try:
            under_way.append(met)
            count_children(met)
            if z._pending:
                inputs_first(z)  # raises CycleError: z is an ancestor of itself
            z._total = G
            del G  # so that the array is freed as soon as it has been passed on, unless the caller holds it
            run = watched if checked else silence.copy().run
            finished, processed = run(run_pass, z, retain, differentiable, wanted, checked, copy_context())
            if processed < len(met):
                for x in met:
                    if x._pending:
                        inputs_first(x)  # raises CycleError, for some x: x waits for a child that waits for x
        except BaseException:
            reset(met)
            raise
        finally:
            if under_way and under_way[-1] is met:
                under_way.pop()
    return finished


def count_children(met):
    """Give every ancestor the number of its uses. Raises RuntimeError, before anything has changed, if the graph was released."""
    note = met.append
    for y in met:  # grows while it is walked
        if y.edges is None:
            raise errors.released("backward()", y)
        for x, _, _ in y.edges:
            if not x._pending:
                note(x)
            x._pending += 1


def run_pass(z, retain, differentiable, wanted, checked, context):
    """Process each variable when its total is complete. Return the wanted totals, and how many variables were processed."""
    finished, processed, plain = [], 0, not (differentiable or checked)
    ready = [z]
    push, pop = ready.append, ready.pop
    while ready:
        y = pop()
        processed += 1
        G, y._total = y._total, None
        if type(G) in SUMS:
            G = G.total()
        if y.hooks or checked:
            G = examined(y, G, retain, checked, context)
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
        fast, vjps = rule.fast, rule.vjps
        if fast is not None and (fast or rule).frees and not (retain or differentiable or checked):
            y._total, G, edges = G, None, None
            joint, edges = rule.last_contributions(y)
        else:
            joint, large = None, plain and G.size >= LARGE
            if differentiable or fast is not None:
                if large and rule.in_place:
                    y._total, G = G, None
                    joint = in_place(y, partial(rule.contributions, y))
                else:
                    joint = rule.contributions(y, G, differentiable)
        if not retain:
            y.edges = y.aux = None
            if len(y.arguments) != len(edges) or type(y.options) is Droppable:
                y.drop_constants()
        for x, slot, saved in edges:
            if joint is not None:
                contribution = joint.pop(0)
            elif large and vjps[slot].in_place and len(edges) == 1:
                y._total, G = G, None
                contribution = in_place(y, vjps[slot].passed, *saved)
            else:
                contribution = vjps[slot].passed(G, *saved)
            if checked:
                require_finite_contribution(y, slot, contribution, G)
            if contribution is None or contribution.shape != x.shape or contribution.dtype is not x.dtype:
                contribution = converted(contribution, y, slot, x)
            x._total = contribution if x._total is None else added(x._total, contribution)
            waiting = x._pending - 1
            x._pending = waiting
            if not waiting:
                push(x)
        del G, edges, saved, joint, contribution  # so that arrays without another reference are freed before the next function's turn
    return finished, processed


def in_place(y, passed, *saved):
    """Return passed(G, *saved) for the total G of y, which it may write over if nothing else refers to that array."""
    free = getrefcount(y._total) == ONE_HOLDER and own(y._total) and y._total.flags.writeable
    G, y._total = y._total, None
    with written_over(G) if free else nullcontext():
        return passed(G, *saved)


def examined(y, G, retain, checked, context):
    """Return the total derivative of y after its hooks. Raises AnomalyError under detect_anomaly if it is not finite."""
    if y.hooks:
        G = after_hooks(y, G, context)
        if y.edges and not retain and y._tensor() is None:
            y.hooks = None  # the user can no longer reach them
    if checked:
        require_finite_total(y, G)
    return G


def converted(contribution, y, slot, x):
    """Return what y passes to x with the shape and the dtype of x. Raises an error if its shape cannot become that of x.

    A total that starts with the entries at an index is an array of its own, to which later contributions are added in place.
    """
    if contribution is None:
        raise TypeError(f"{y.rule.name}: its vjp for input {slot + 1} returned None; is `return` missing?")
    if type(contribution) is Scattered:
        return OwnSum(contribution.__array__()) if x._total is None else contribution
    if type(contribution) is Parts:
        if x._total is not None and type(x._total) is not Parts:
            x._total = Parts(x._total, x.shape, ..., contribution.join)
        return contribution
    if contribution.shape != x.shape:
        if not can_unbroadcast(contribution.shape, x.shape):
            raise ValueError(
                f"{y.rule.name}: its vjp for input {slot + 1} returned shape {contribution.shape}, which cannot be unbroadcast to the "
                f"shape {x.shape} of {errors.called(x)}; return a contribution of the variable's shape"
            )
        contribution = unbroadcast(contribution, x.shape)
    return contribution if contribution.dtype == x.dtype else contribution.astype(x.dtype)


def owned(finished, kept=None):
    """Return the totals, each in an array (or a tensor) of its own, not `kept`. The user may change one without the others."""
    if kept is None:
        parts = []  # the places of views that nothing else refers to
        for i, pair in enumerate(finished):
            if type(pair[1]) is not ARRAY or getrefcount(pair[1]) != ONE_HOLDER or (pair[1].base is not None and pair[1].size < LARGE):
                finished[i] = pair[0], another(pair[1])
            elif pair[1].base is not None and not own(pair[1]) and not alone(pair[1]):
                parts.append(i)
        if parts and not are_apart([finished[i][1] for i in parts]):
            for i in parts:
                finished[i] = finished[i][0], another(finished[i][1])
        return finished
    taken = {id(kept)}
    for i, (x, total) in enumerate(finished):
        if id(total) in taken or not hasattr(total, "node"):
            finished[i] = x, another(total)
        taken.add(id(total))
    return finished


def another(total):
    """Return a copy of a total: an array, also for NumPy's 0-d results, which are numbers; or a tensor."""
    if not hasattr(total, "node"):
        return np.array(total)
    with modes.recording():
        return total + 0


def alone(view):
    """Return whether a view shows all entries in order of an array that nothing else refers to: a vjp's new array in another shape."""
    base = view.base
    whole = type(base) is ARRAY and own(base) and base.size == view.size
    del base
    return whole and view.flags.writeable and view.flags.c_contiguous and holders(view) == ONE_HOLDER


def are_apart(views):
    """Return whether views are the parts, in order, of one array that nothing else refers to: what vjps cut dz/dy of vstack into."""
    base = views[0].base
    whole = type(base) is ARRAY and own(base) and base.flags.c_contiguous and base.size == sum([v.size for v in views])
    of_one = whole and all([v.base is base and v.flags.writeable and v.flags.c_contiguous for v in views])
    del base
    starts = sorted([(v.ctypes.data, v.nbytes) for v in views]) if of_one else []
    apart = all([start + n <= after for (start, n), (after, _) in zip(starts, starts[1:])])
    return of_one and apart and holders(views[0]) == ONE_HOLDER + len(views) - 1


def holders(view):
    """Return how many references there are to the array of a view, and some more that Python itself adds.

    References are only counted of what is in a tuple or an attribute: whether a variable of a function counts depends on Python's version.
    """
    return getrefcount(view.base)


ONLY_VIEW = np.empty(1)[:]
ONE_HOLDER = holders(ONLY_VIEW)


def watched(run_pass, *args):
    """Run the pass without NumPy's warnings, as `silence` does, but with the user's own blocks open."""
    with np.errstate(all="ignore"), modes.recording():
        return run_pass(*args)


class Look:
    """A hook of our own: it sees the total derivative itself, not a copy, and keeps no reference to it."""

    def __init__(self, see):
        self.see = see


def after_hooks(y, G, context):
    """Return the total derivative G of y after its hooks, which run in the user's context.

    Each hook gets a read-only copy, because G may become the `.grad` that the user changes later.
    """
    for hook in list(y.hooks):
        if type(hook) is Look:
            hook.see(G)
            continue
        new = context.run(hook, read_only(G))
        if new is not None:
            G = replacement(y, new, G)
    return G


def read_only(G):
    """Return a read-only copy of an array; a tensor as it is."""
    if hasattr(G, "node"):
        return G
    shown = np.array(G)
    shown.flags.writeable = False
    return shown


def replacement(y, new, G):
    """Return what a hook of y gave in place of G: a tensor if G is one (to be differentiated again), else a new array."""
    differentiable = hasattr(G, "node")
    array = new if differentiable and type(new) is type(G) else np.array(getattr(new, "_data", new), dtype=y.dtype)
    if array.shape != y.shape:
        raise ValueError(
            f"a hook of {called_one(y)} returned an array of shape {array.shape} for a gradient of shape {y.shape}; return one of "
            "the same shape, or None to leave the gradient as it is"
        )
    return type(G)(array, keep_grad=False) if differentiable and array is not new else array

"""The loop that `.backward()` runs on tensors: the total of a variable is the sum of its children's contributions.

A variable may speak once all its children have spoken: `_pending` counts those that have not, so a branch that z does not use
is harmless. What a variable was made from is let go as soon as it has spoken.
"""

from threading import RLock

import numpy as np

from scalargrad import modes
from scalargrad.graph import inputs_first
from tensorgrad import refusals
from tensorgrad.axes import fitted

one_at_a_time = RLock()  # graphs may share variables, and the counts stand on them


def totals(z, G, retain=False, differentiable=False, wanted=None):
    """[(x, dz/dx)] for every ancestor x of the node z that keeps its gradient (or is in `wanted`), with dz/dz = G.

    Nothing is changed but the graph, which is released unless `retain`. With `differentiable` the totals are tensors.
    """
    met, finished = [z], []
    checked = modes.active and modes.anomalies_on.get()
    with one_at_a_time:
        try:
            count_children(met)
            z._pending = 0
            z._total = G
            with np.errstate(all="ignore"):
                spread(z, finished, retain, differentiable, wanted, checked)
            if len(met) > 1 and any([x._pending for x in met]):
                inputs_first(z)  # raises: somebody waits for a child that waits for them
        finally:
            for x in met:
                x._pending, x._total = 0, None
    return finished


def count_children(met):
    """Give every ancestor the number of its uses; an error, before anything is changed, if the graph was released."""
    note = met.append
    for y in met:  # grows while it is walked
        if y.edges is None:
            raise refusals.released(y)
        for x, _, _ in y.edges:
            if not x._pending:
                note(x)
            x._pending += 1


def spread(z, finished, retain, differentiable, wanted, checked):
    """Hand every contribution on, each variable when its own total is complete."""
    ready = [z]
    push, pop = ready.append, ready.pop
    while ready:
        y = pop()
        G, y._total = y._total, None
        if y.hooks:
            G = after_hooks(y, G)
        if y.keep_grad if wanted is None else y in wanted:
            finished.append((y, G))
        edges = y.edges
        if not edges:
            continue
        pulls = y.rule.contributions(y, G, differentiable)
        if not retain:
            y.edges = y.arguments = None
        for (x, _, _), contribution in zip(edges, pulls):
            if contribution.shape != x.shape:
                contribution = fitted(contribution, x.shape)
            if contribution.dtype is not x.dtype and contribution.dtype != x.dtype:
                contribution = contribution.astype(x.dtype)
            x._total = contribution if x._total is None else x._total + contribution
            x._pending -= 1
            if not x._pending:
                push(x)
        del G, edges, pulls, contribution


def after_hooks(y, G):
    for hook in y.hooks:
        new = hook(G)
        G = G if new is None else new
    return G

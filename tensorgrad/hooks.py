"""Hooks: functions of the user that see the gradient of a variable, and may replace it."""

import numpy as np

from scalargrad.user_names.names import called_one


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

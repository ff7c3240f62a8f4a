"""What the hooks of a variable, functions of the user, make of its gradient."""

import numpy as np

from scalargrad.names import called_one


def after_hooks(y, G, context):
    """The total G of y as its hooks, run in the user's context, leave it.

    The array that they are shown is a copy, and read-only: G may become the `.grad` that the user goes on to change.
    """
    for hook in list(y.hooks):
        new = context.run(hook, read_only(G))
        if new is not None:
            G = replacement(y, new, G)
    return G


def read_only(G):
    if hasattr(G, "node"):
        return G
    shown = np.array(G)
    shown.flags.writeable = False
    return shown


def replacement(y, new, G):
    """What a hook of y returned in place of G: a tensor where G is one (to be differentiated again), else an array of our own."""
    differentiable = hasattr(G, "node")
    array = new if differentiable and type(new) is type(G) else np.array(getattr(new, "_data", new), dtype=y.dtype)
    if array.shape != y.shape:
        raise ValueError(
            f"a hook of {called_one(y)} returned an array of shape {array.shape} for a gradient of shape {y.shape}; return one of "
            "the same shape, or None to leave the gradient as it is"
        )
    return type(G)(array, keep_grad=False) if differentiable and array is not new else array

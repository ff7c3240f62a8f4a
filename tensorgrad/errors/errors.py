"""Errors: what several places say of tensors, and what a Tensor says of a wrong use. One line, `function: what is wrong; what to do`."""

import warnings
from itertools import combinations

import numpy as np

from scalargrad.graph import Released
from scalargrad.messages.errors import brief, shortened, unknown_choice
from scalargrad.user_names import names


def called(t):
    """Return a tensor as messages write it: its name or its data, on one line of at most 40 characters."""
    return shortened(names.called_one(t))


def tensor_name(t):
    """Return the name of a tensor, or "" if it has none."""
    return "" if called(t).startswith("Tensor(") else called(t)


# Shapes that do not fit


def axis_out_of_range(name, axis, shape, ndim):
    advice = f"use {-ndim} to {ndim - 1}" if ndim else "a 0-d array has no axes"
    return np.exceptions.AxisError(f"{name}: axis {axis} is out of range for shape {shape}; {advice}")


def not_a_matrix(name, shape, wanted="a matrix"):
    return ValueError(f"{name}: shape {shape} is not {wanted} or a stack of them")


def array_is_gone(who, name):
    return ValueError(f"{who}: the array of {name} is gone; keep the tensor in a variable of your program")


def clash(name, values, inner=0):
    """Return the error for shapes that do not broadcast; it names the first two that clash, and the axis. Skip the last `inner` axes."""
    shapes = [np.shape(x) for x in values]
    for a, b in combinations(shapes, 2):
        for i in range(1 + inner, min(len(a), len(b)) + 1):
            if a[-i] != b[-i] and 1 not in (a[-i], b[-i]):
                where = "last axes" if i == 1 else f"axes {-i}"
                return ValueError(f"{name}: shapes {a} and {b} do not broadcast: the {where} are {a[-i]} and {b[-i]} (equal or 1 needed)")
    return ValueError(f"{name}: shapes {', '.join(map(str, shapes))} do not fit together")


def must_broadcast(name, *values):
    """Raise ValueError in the name of the function that the user called, if the shapes of `values` do not broadcast."""
    try:
        np.broadcast_shapes(*[x.shape if hasattr(x, "shape") else np.shape(x) for x in values])
    except ValueError:
        raise clash(name, values) from None


def must_repeat(name, what, shape, to):
    """Raise ValueError for an argument that does not broadcast to the shape `to`: it would silently make the result larger."""
    if len(shape) > len(to) or any(m not in (1, n) for m, n in zip(shape[::-1], to[::-1])):
        raise ValueError(f"{name}: {what} of shape {shape} does not broadcast to {to}; from the last axis, equal lengths or 1 are needed")


def must_be_reduction(name, reduction):
    if reduction not in ("mean", "sum", "none"):
        raise unknown_choice(name, "reduction", reduction, ("mean", "sum", "none"))


def must_match(name, reduction, input, target):
    """Raise ValueError for an unknown reduction and for shapes that differ."""
    must_match_shapes(name, reduction, *[x.shape if hasattr(x, "shape") else np.shape(x) for x in (input, target)])


def must_match_shapes(name, reduction, a, b):
    must_be_reduction(name, reduction)
    if a != b and () not in (a, b):
        raise ValueError(f"{name}: input has shape {a} and target has shape {b}; reshape one of them")


# What a backward pass has released, and what it does not reach


def released(who, y, lost=False):
    """Return the error of `who` for a variable whose saved arrays a backward pass has released.

    With `lost` they cannot be computed again, because an array that they need is gone, or the graph is large.
    """
    name = y.name or names.called(y).get(y)
    what = f"{name} (made by {y.rule.name})" if name else f"the output of {y.rule.name}, of shape {y.shape},"
    then = " and cannot be computed again from what is left" * lost
    return Released(f"{who}: {what} was released by an earlier backward pass{then}; compute it again, or call backward(retain_graph=True)")


class GradientNotKeptWarning(UserWarning):
    """The program read the gradient of a computed variable, but backward() keeps only those of leaves."""


def warn_not_kept(y):
    what = y.name or names.called(y).get(y) or "t"
    warnings.warn(
        f"{what}.grad is None: {what} was made by {y.rule.name}, and backward() keeps the gradients of leaves; "
        f"set {what}.keep_grad = True before backward(); to update a leaf w, assign to w.data",
        GradientNotKeptWarning,
        stacklevel=3,
    )


def refuse_released(who, variables):
    """Raise Released if a backward pass has released one of the variables (inputs first)."""
    for y in reversed(variables):
        if getattr(y, "released", False):
            raise released(who, y)


def variable(t, what):
    """Return the node of t. Raises TypeError if t is not a tensor, ValueError if it is a constant."""
    if not hasattr(t, "node"):
        raise TypeError(f"{what}: {brief(t)} is not a tensor; make it one, Tensor(...), before you use it")
    if t.node is None:
        raise ValueError(
            f"{called(t)}.{what}: {called(t)} is a constant, which gets no gradient (it was made with keep_grad=False, from "
            "constants, by detach(), or under no_grad)"
        )
    return t.node


# What a Tensor says


def plain_number(t, kind):
    """Return the number of a constant. Raises TypeError for a variable, whose derivative would be lost."""
    if t.node is not None:
        raise TypeError(
            f"{kind}({called(t)}): cannot convert {called(t)} to a plain number: its derivative would be lost; compute with the "
            "tensor (np.exp(x) instead of math.exp(x)), or write .item() for its number"
        )
    return t.item()


def plain_array(t):
    """Return the array of a constant. Raises TypeError for a variable, whose derivative would be lost."""
    if t.node is not None:
        v = source(t)
        raise TypeError(
            f"cannot convert {called(v)} to a plain array: its derivative would be lost; compute with the tensor "
            f"(np.stack instead of np.array for several tensors), or write {tensor_name(v)}.data for its array"
        )
    return t._data


def source(t):
    """Return the named variable that t is a part of, else t: a plotting library asks for columns of a tensor."""
    v = t.node
    while names.called_one(v) == repr(v):
        if not v.inputs or v.rule.origin.name not in {"getitem", "reshape"}:
            return t
        (v,) = v.inputs
    return v


def refuse_tensor_as_index(name, index):
    if hasattr(index, "node"):
        what = called(index)
        raise TypeError(f"{name}: the index {what} is a Tensor, which holds no integers; give a plain array, np.array([...])")


def assignment(t):
    raise TypeError(
        f"{called(t)}[...] = ...: a tensor's entries cannot be assigned, because other functions may have used them; write "
        "where(mask, new, t) or index_put(t, index, new) for a new tensor, or t.data = array for a leaf"
    )


def in_place(t, sign):
    """Return the error for t += ... on a leaf, which would replace the leaf and lose its gradient."""
    what = called(t)
    return TypeError(
        f"{what} {sign}= ...: {what} is a leaf, and this would replace it by a variable that keeps no gradient; write "
        f"{what}.data = {what}.data {sign} ... to change its numbers, or {what} = {what} {sign} ... for a new variable"
    )


# NumPy's functions


def no_rule(name):
    return (
        f"{name} has no rule here; build it from functions that have one, give it a rule (in tensorgrad/rules/, or with "
        "@function), or compute with .data if you need no derivative"
    )


def no_out(name):
    return f"{name}: out= cannot be a tensor, because other functions may have used it; take the result instead"

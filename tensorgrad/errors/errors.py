"""What we say about things that cannot be tensors, shapes that do not fit, and what would cut the graph."""

import warnings
from itertools import combinations

import numpy as np

from scalargrad import names
from scalargrad.errors import brief, shortened
from scalargrad.graph import Released


def called(t):
    """A tensor as messages write it: its name, or what it holds, on one line and shortened."""
    return shortened(names.called_one(t))


def named(t):
    """The name of a tensor, to write `.data` after; of one that has none, nothing."""
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
    """The error for shapes that do not broadcast: the first two that clash, and the axis. `inner` last axes are not looked at."""
    shapes = [np.shape(x) for x in values]
    for a, b in combinations(shapes, 2):
        for i in range(1 + inner, min(len(a), len(b)) + 1):
            if a[-i] != b[-i] and 1 not in (a[-i], b[-i]):
                where = "last axes" if i == 1 else f"axes {-i}"
                return ValueError(f"{name}: shapes {a} and {b} do not broadcast: the {where} are {a[-i]} and {b[-i]} (equal or 1 needed)")
    return ValueError(f"{name}: shapes {', '.join(map(str, shapes))} do not fit together")


def must_broadcast(name, *values):
    """ValueError for shapes that do not broadcast, by the name that the user called and before any function inside meets them."""
    try:
        np.broadcast_shapes(*[x.shape if hasattr(x, "shape") else np.shape(x) for x in values])
    except ValueError:
        raise clash(name, values) from None


def must_repeat(name, what, shape, to):
    """ValueError for an argument that cannot be repeated to the shape `to`: it would make the result larger, without a word."""
    if len(shape) > len(to) or any(m not in (1, n) for m, n in zip(shape[::-1], to[::-1])):
        raise ValueError(f"{name}: {what} of shape {shape} does not broadcast to {to}; from the last axis, equal lengths or 1 are needed")


# Going backward


def released(who, y):
    """The error of `who` for a variable whose saved arrays a backward pass has dropped."""
    name = y.name or names.called(y).get(y)
    what = f"{name} (made by {y.rule.name})" if name else f"the output of {y.rule.name}, of shape {y.shape},"
    return Released(f"{who}: {what} was released by an earlier backward pass; compute it again, or call backward(retain_graph=True)")


class GradientNotKeptWarning(UserWarning):
    """The gradient of a computed variable was read after a backward pass that did not keep it."""


def warn_not_kept(y):
    what = y.name or names.called(y).get(y) or "t"
    warnings.warn(
        f"{what}.grad is None: {what} was made by {y.rule.name}, and backward() keeps the gradients of leaves; "
        f"set {what}.keep_grad = True before backward(), or, to update a leaf w, assign to w.data",
        GradientNotKeptWarning,
        stacklevel=3,
    )


def refuse_released(who, variables):
    """Released, if a backward pass has dropped what one of the variables (inputs first) saved."""
    for y in reversed(variables):
        if getattr(y, "released", False):
            raise released(who, y)


def variable(t, what):
    """The node of t, or the error that says a constant has none."""
    if not hasattr(t, "node"):
        raise TypeError(f"{what}: {brief(t)} is no tensor; make it one, Tensor(...), before it is used")
    if t.node is None:
        raise ValueError(
            f"{called(t)}.{what}: {called(t)} is a constant (made with keep_grad=False, from constants, detached, or under no_grad), "
            "so no gradient leads to it"
        )
    return t.node


# What would cut the graph, or change what others have used


def plain_number(t, kind):
    """The number of a constant; a variable would be cut out of the graph."""
    if t.node is not None:
        raise TypeError(
            f"{kind}({called(t)}): cannot convert {called(t)} to a plain number: its derivative would be lost; compute with the "
            "tensor itself (np.exp(x) instead of math.exp(x)), or write .item() for its number"
        )
    return t.item()


def plain_array(t):
    """The array of a constant; a variable would be cut out of the graph."""
    if t.node is not None:
        v = source(t)
        raise TypeError(
            f"cannot convert {called(v)} to a plain array: its derivative would be lost; compute with the tensor itself "
            f"(for several tensors np.stack instead of np.array), or write {named(v)}.data for its array"
        )
    return t._data


def source(t):
    """The variable with a name that t is a part of, or t itself: plotting asks for columns of what it is given."""
    v = t.node
    while names.called_one(v) == repr(v):
        if not v.inputs or v.rule.name not in {"getitem", "reshape"}:
            return t
        (v,) = v.inputs
    return v


def refuse_tensor_as_index(name, index):
    if hasattr(index, "node"):
        what = called(index)
        raise TypeError(f"{name}: the index {what} is a Tensor, which holds no integers; give the index as a plain array, np.array([...])")


def assignment(t):
    raise TypeError(
        f"{called(t)}[...] = ...: entries of a tensor are not assigned to, other functions may have used them; write "
        "where(mask, new, t) or index_put(t, index, new) for a new tensor, or t.data = array for a leaf"
    )


def is_read_only(sign):
    """The error for w.data -= ..., which would also change what functions have saved of w."""
    return ValueError(
        f"w.data {sign}= ...: the array of a tensor is read-only, functions may have saved it; write w.data = w.data {sign} ..., or, "
        f"in a block `with no_grad():`, w {sign}= ..."
    )


def entries_are_read_only():
    return ValueError(
        "w.data[...] = ...: the array of a tensor is read-only, functions may have saved it; change a copy, a = w.data.copy(), and "
        "assign it, w.data = a"
    )


def in_place(t, sign):
    """The error for t += ... on a leaf: t would be another variable, and nobody would hold the leaf and its gradient."""
    what = called(t)
    return TypeError(
        f"{what} {sign}= ...: {what} is a leaf, and would be replaced by another variable that keeps no gradient; to change its "
        f"numbers write {what}.data = {what}.data {sign} ..., for a new variable {what} = {what} {sign} ..."
    )


# NumPy's functions


def no_rule(name):
    return (
        f"{name} has no rule here: build it from functions that have one, give it a rule (add one in tensorgrad/rules/, or use "
        "@function), or compute with .data where no derivative is wanted"
    )


def no_out(name):
    return f"{name}: a tensor cannot be written into (out=): other functions may have used it; take the result instead"


def no_contribution(y, slot):
    return TypeError(f"{y.rule.name}: its vjp for input {slot + 1} returned None; return the contribution: is `return` missing?")


def misshapen(y, slot, x, contribution):
    return ValueError(
        f"{y.rule.name}: its vjp for input {slot + 1} returned shape {contribution.shape}, which cannot be unbroadcast to the shape "
        f"{x.shape} of {called(x)}; return a contribution of the variable's shape"
    )

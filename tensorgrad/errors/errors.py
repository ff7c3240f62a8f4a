"""What we say about things that cannot be tensors, shapes that do not fit, and what would cut the graph."""

import re
import warnings
from itertools import combinations
from numbers import Real

import numpy as np

from scalargrad import names
from scalargrad.errors import brief, shortened
from scalargrad.graph import Released
from scalargrad.modes import recording

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
FROM_WITHIN = (
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    KeyError,
    OverflowError,
    MemoryError,
    np.ma.MaskError,
)  # said again in our words
NUMBERS = (int, float, np.number, np.bool_)


def called(t):
    """A tensor as messages write it: its name, or what it holds, on one line and shortened."""
    return shortened(names.called_one(t))


def named(t):
    """The name of a tensor, to write `.data` after; of one that has none, nothing."""
    return "" if called(t).startswith("Tensor(") else called(t)


# What is no array of real numbers


def real_array(data, dtype=None):
    """`data` as an array of our own of float32 or float64, or the error that says why it cannot be one."""
    if hasattr(data, "node"):
        what = called(data)
        raise TypeError(
            f"Tensor({what}): {what} is a Tensor already; use it as it is, {named(data)}.data for its array, "
            f"{named(data)}.detach() for a constant"
        )
    if hasattr(data, "__apply__"):
        what = called(data)
        raise TypeError(f"Tensor({what}): {what} is a Value; a tensor starts a graph of its own: Tensor({what}.data)")
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError(f"Tensor({brief(data)}): {MASKED}")
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"Tensor({brief(data)}): the rows have different lengths; a tensor is rectangular") from None
    if array.dtype.kind == "c":
        raise TypeError(f"Tensor({brief(data)}): complex numbers are not supported; keep their real and imaginary parts as two tensors")
    if dtype is not None and (kind := kind_called(dtype)) not in FLOATS:
        raise TypeError(f"Tensor(..., dtype={kind}): a tensor is float64 or float32")
    if array.dtype.kind == "O":
        array = of_python_numbers(array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"Tensor({brief(data)}): a tensor holds real numbers, not {entry_kind(array)}")
    own = array.dtype.newbyteorder("=")
    return array.astype(dtype or (own if own in FLOATS else FLOATS[0]), order="C", copy=False)


def kind_called(dtype):
    """What `dtype` means to NumPy, or, where it means nothing, how messages write it."""
    try:
        return np.dtype(dtype)
    except (TypeError, ValueError):
        return brief(dtype)


MASKED = "a masked array would lose its mask: fill it, a.filled(0), and give the mask a part of its own, as in where(mask, 0, t)"


def of_python_numbers(array):
    """An array of objects as one of floats, where all are whole numbers or fractions, however large; else as it is."""
    if not all(isinstance(x, Real) for x in array.flat):
        return array
    found = np.empty(array.shape)
    for place, x in np.ndenumerate(array):
        found[place] = as_float(x, f"Tensor: the entry at index {place}")
    return found


def as_float(x, what):
    """A Python number as a float; an error for a whole number that none can hold."""
    try:
        return float(x)
    except OverflowError:
        raise ValueError(f"{what} is a whole number of {len(str(abs(int(x))))} digits, too large for a float") from None


def entry_kind(array):
    """Where the first entry stands that is no real number, and what it is."""
    for place, x in np.ndenumerate(array):
        if not isinstance(x, NUMBERS) or isinstance(x, np.timedelta64):
            kind, advice = kind_of(x)
            return f"{kind} (the first at index {place}: {brief(x)}){advice}"
    return str(array.dtype)


def kind_of(x):
    """What an entry is, and what to do about it."""
    if isinstance(x, str):
        return "text", "; convert it first: array.astype(float)"
    if hasattr(x, "__apply__"):
        return "Values", "; a tensor starts a graph of its own, from their numbers: .data"
    return type(x).__name__, ""


def operand(name, x, args):
    """`x`, an argument of the function `name` beside tensors, as a number or an array, or the error that says why it cannot be."""
    if type(x) in (int, float, bool):
        return x if type(x) is not int else whole(name, x)
    if isinstance(x, np.generic) and x.dtype.kind in "fiub":
        return x.item() if x.dtype.itemsize <= 8 else float(x)
    if hasattr(x, "__apply__"):
        raise no_mixture(name, names.called_one(x), "a Value")
    if isinstance(x, Real):
        return as_float(x, f"{name}: {brief(x)}")
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"{name}: {MASKED}")
    if isinstance(x, np.matrix):
        raise TypeError(f"{name}: what * means for an np.matrix beside a tensor is not clear; make it an array: np.asarray(M)")
    try:
        array = np.asarray(x)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind == "O" and array.size and hasattr(array.flat[0], "__apply__"):
        raise no_mixture(name, brief(x), "an array of Values")
    if array.dtype.kind not in "fiub":
        kind = "complex numbers" if array.dtype.kind == "c" else type(x).__name__
        raise TypeError(f"{name}: cannot combine a tensor with {brief(x)} ({kind}): give it a tensor, an array of real numbers or a number")
    return array if array.dtype.itemsize <= 8 else array.astype(FLOATS[0])


def whole(name, x):
    """A whole number; NumPy cannot compute with one that no float holds."""
    if -(2**63) <= x < 2**63:
        return x
    return as_float(x, f"{name}: the number")


def no_mixture(name, what, kind):
    return TypeError(
        f"{name}: cannot combine a Tensor with {what}, {kind}: a graph holds numbers or arrays; "
        "make the Value a Tensor, or zoom(...) into the tensors"
    )


# Shapes that do not fit


def reworded(rule, wrong, values):
    """The error that a kernel raised, with the function and the shapes in front."""
    text = str(wrong)
    if text.startswith(f"{rule.name}:"):
        return wrong
    kind = type(wrong) if type(wrong) in (ValueError, IndexError, TypeError, MemoryError) else ValueError
    kind = TypeError if type(wrong) is AttributeError else kind
    arrays = [np.shape(x) for x in values if np.ndim(x)]
    if isinstance(wrong, np.exceptions.AxisError) and wrong.axis is not None:
        return np.exceptions.AxisError(f"{rule.name}: {axis_range(wrong.axis, arrays, wrong.ndim)}")
    if "broadcast" in text and len(arrays) > 1:
        return clash(rule.name, values, inner=2 if "newaxis" in text else 0)  # NumPy writes it so for stacks of matrices
    if "duplicate value in 'axis'" in text:
        text = "axis= names one axis twice"
    text = re.sub(r" with remapped shapes \[original->remapped\]:", "", text).replace("  ", " ")
    return kind(f"{rule.name}: {text} (shape{'s' * (len(arrays) > 1)} {' and '.join(map(str, arrays)) or '()'})")


def axis_range(axis, shapes, ndim):
    shape = shapes[0] if shapes else ()
    use = f"use {-ndim} to {ndim - 1}" if ndim else "it has no axes"
    return f"axis {axis} is out of range for shape {shape}: {use}"


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
        raise ValueError(f"{name}: {what} of shape {shape} cannot be repeated to {to}: from the end, equal or 1 needed")


# Going backward


def upstream(z, G):
    """The upstream gradient dz/dz that backward starts from: 1 for a z of one entry, else what was given, of z's shape."""
    if G is None:
        if z.size != 1:
            raise ValueError(
                f"backward() without an upstream gradient needs one entry; this tensor has shape {z.shape}. "
                "Use .sum().backward() or pass upstream="
            )
        return np.ones(z.shape, z.dtype)
    if hasattr(G, "node"):
        with recording():
            array = G if G.dtype == z.dtype else G.astype(z.dtype)
    else:
        array = np.array(upstream_array(G), dtype=z.dtype)
    if array.shape != z.shape:
        raise ValueError(f"backward(): the upstream gradient has shape {array.shape}, and this tensor {z.shape}: they must be the same")
    return array


def upstream_array(G):
    """An upstream gradient as an array of real numbers, or the error that says why it is none."""
    try:
        array = np.asarray(G)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "fiub" or isinstance(G, np.ma.MaskedArray):
        raise TypeError(f"backward({brief(G)}): the upstream gradient is an array of real numbers, of the shape of this tensor")
    return array


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


def gradient(t, total):
    """What may be assigned to t.grad: nothing, a tensor, or an array of t's shape."""
    if total is not None and not hasattr(total, "node"):
        total = np.asarray(upstream_array(total), dtype=t.dtype)
    if total is not None and total.shape != t.shape:
        raise ValueError(f"{called(t)}.grad has the shape of {called(t)}, {t.shape}; an array of shape {total.shape} cannot take its place")
    return total


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

"""What we say about things that cannot be tensors, shapes that do not fit, and what would cut the graph."""

from itertools import combinations

import numpy as np

from scalargrad import names
from scalargrad.refusals import brief

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
called = names.called_one


def real_array(data, dtype=None):
    """`data` as an array of our own of float32 or float64, or the error that says why it cannot be one."""
    if hasattr(data, "node"):
        what = called(data)
        raise TypeError(
            f"Tensor({what}): {what} is a Tensor already; use it as it is, {what}.data for its array, {what}.detach() for a constant"
        )
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"Tensor({brief(data)}): the rows have different lengths; a tensor is rectangular") from None
    kind = array.dtype.kind
    if dtype is None:
        dtype = array.dtype.newbyteorder("=") if array.dtype.newbyteorder("=") in FLOATS else FLOATS[0]
    elif np.dtype(dtype) not in FLOATS:
        raise TypeError(f"Tensor(..., dtype={np.dtype(dtype)}): a tensor is float64 or float32")
    if kind == "c":
        raise TypeError(f"Tensor({brief(data)}): complex numbers are not supported; keep their real and imaginary parts as two tensors")
    if kind not in "fiub":
        raise TypeError(f"Tensor({brief(data)}): a tensor holds real numbers, not {entry_kind(array)}")
    return array.astype(dtype, order="C", copy=False)


def entry_kind(array):
    """Where the first entry stands that is no real number, and what it is."""
    for place, entry in np.ndenumerate(array):
        if not isinstance(entry, (int, float, np.number)):
            return f"{type(entry).__name__} (the first at index {place}: {brief(entry)})"
    return str(array.dtype)


def operand(name, x, args):
    """`x`, an argument of the function `name` beside tensors, as a number or an array, or the error that says why it cannot be."""
    if type(x) in (int, float, bool):
        return x
    if isinstance(x, np.generic) and x.dtype.kind in "fiub":
        return x.item()
    if hasattr(x, "__apply__"):
        raise TypeError(
            f"{name}: a tensor and {names.called_one(x)}, a Value, do not mix: a graph is of numbers or of arrays; "
            "make the Value a Tensor, or zoom(...) into the tensors"
        )
    try:
        array = np.asarray(x)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "fiub":
        kind = "complex numbers" if array.dtype.kind == "c" else type(x).__name__
        raise TypeError(f"{name}: cannot combine a tensor with {brief(x)} ({kind}): give it a tensor, an array of real numbers or a number")
    return array


def reworded(rule, wrong, values):
    """The error that a kernel raised, with the function and the shapes in front."""
    text = str(wrong)
    if text.startswith(f"{rule.name}:"):
        return wrong
    shapes = " and ".join(str(np.shape(x)) for x in values if np.ndim(x)) or "()"
    return (
        type(wrong)(f"{rule.name}: {text} (shapes {shapes})")
        if type(wrong) in (ValueError, IndexError)
        else ValueError(f"{rule.name}: {text} (shapes {shapes})")
    )


def clash(name, values):
    """The error for shapes that do not broadcast: the first two that clash, and the axis."""
    shapes = [np.shape(x) for x in values]
    for a, b in combinations(shapes, 2):
        for i in range(1, min(len(a), len(b)) + 1):
            if a[-i] != b[-i] and 1 not in (a[-i], b[-i]):
                where = "last axes" if i == 1 else f"axes {-i}"
                return ValueError(f"{name}: shapes {a} and {b} do not broadcast: the {where} are {a[-i]} and {b[-i]} (equal or 1 needed)")
    return ValueError(f"{name}: shapes {', '.join(map(str, shapes))} do not fit together")


def upstream(z, G):
    """The upstream gradient dz/dz that backward starts from: 1 for a z of one entry, else what was given, of z's shape."""
    if G is None:
        if z.size != 1:
            raise ValueError(
                f"backward() without an upstream gradient needs one entry; this tensor has shape {z.shape}. "
                "Use .sum().backward() or pass upstream="
            )
        return np.ones(z.shape, z.dtype)
    array = G if hasattr(G, "node") else np.array(G, dtype=z.dtype)
    if array.shape != z.shape:
        raise ValueError(f"backward(): the upstream gradient has shape {array.shape}, and this tensor {z.shape}: they must be the same")
    return array


def released(y):
    what = f"{y.name} (made by {y.rule.name})" if y.name else f"the output of {y.rule.name}, of shape {y.shape}"
    return RuntimeError(
        f"backward(): {what} was released by an earlier backward pass; compute z again, or call the first one with retain_graph=True"
    )


def variable(t, what):
    """The node of t, or the error that says a constant has none."""
    if t.node is None:
        raise ValueError(
            f"{called(t)}.{what}: {called(t)} is a constant (made with keep_grad=False, from constants, detached, or under no_grad), "
            "so no gradient leads to it"
        )
    return t.node


def plain_number(t, kind):
    """The number of a constant; a variable would be cut out of the graph."""
    if t.node is not None:
        raise TypeError(
            f"{kind}({called(t)}) would cut {called(t)} out of the graph and its derivative would be lost: compute with the tensor "
            "itself; for the bare number write .item()"
        )
    return t.item()


def plain_array(t):
    """The array of a constant; a variable would be cut out of the graph."""
    if t.node is not None:
        raise TypeError(
            f"NumPy asks for the plain array of {called(t)}, which would cut it out of the graph: compute with the tensor itself "
            f"(np.stack instead of np.array for several); for the bare array write {called(t)}.data"
        )
    return t._data


def assignment(t):
    raise TypeError(
        f"{called(t)}[...] = ...: entries of a tensor are not assigned to, other functions may have used them; write "
        "where(mask, new, t) or index_put(t, index, new) for a new tensor, or t.data = array for a leaf"
    )


def no_rule(name):
    return (
        f"{name} has no rule here: build it from functions that have one, give it a rule (add one in tensorgrad/rules/, or use "
        "@function), or compute with .data where no derivative is wanted"
    )


def no_out(name):
    return f"{name}: a tensor cannot be written into (out=): other functions may have used it; take the result instead"

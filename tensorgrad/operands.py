"""What counts as the data of a tensor, as an operand, and as a gradient: numbers and arrays of real numbers."""

from numbers import Real

import numpy as np

from scalargrad import names
from scalargrad.errors import brief
from scalargrad.modes import recording
from tensorgrad.errors.errors import called, named

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
NUMBERS = (int, float, np.number, np.bool_)


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


def upstream(z, G):
    """The upstream gradient dz/dz that backward starts from: 1 for a z of one entry, else what was given, of z's shape."""
    if G is None or (type(G) is int and G == 1):
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


def gradient(t, total):
    """What may be assigned to t.grad: nothing, a tensor, or an array of t's shape."""
    if total is not None and not hasattr(total, "node"):
        total = np.asarray(upstream_array(total), dtype=t.dtype)
    if total is not None and total.shape != t.shape:
        raise ValueError(f"{called(t)}.grad has the shape of {called(t)}, {t.shape}; an array of shape {total.shape} cannot take its place")
    return total

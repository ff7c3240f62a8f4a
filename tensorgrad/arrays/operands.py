"""What counts as the data of a tensor, as an operand, and as a gradient: numbers and arrays of real numbers."""

from numbers import Real

import numpy as np

from scalargrad.messages.errors import brief
from scalargrad.modes import recording
from scalargrad.user_names import names
from tensorgrad.errors.errors import called, tensor_name

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
REAL_NUMBERS = (int, float, np.number, np.bool_)


def real_array(data, dtype=None):
    """Return `data` as a new array of float32 or float64. Raises TypeError or ValueError if it is not an array of real numbers."""
    if hasattr(data, "node"):
        what = called(data)
        raise TypeError(
            f"Tensor({what}): {what} is a Tensor already; use it, {tensor_name(data)}.data for its array, or "
            f"{tensor_name(data)}.detach() for a constant"
        )
    if hasattr(data, "__apply__"):
        what = called(data)
        raise TypeError(f"Tensor({what}): {what} is a Value; start a graph of tensors at its number, Tensor({what}.data)")
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError(f"Tensor({brief(data)}): {MASKED}")
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"Tensor({brief(data)}): the rows have different lengths; give all rows the same length") from None
    if array.dtype.kind == "c":
        raise TypeError(f"Tensor({brief(data)}): complex numbers are not supported; keep their real and imaginary parts as two tensors")
    if dtype is not None and (kind := dtype_called(dtype)) not in FLOATS:
        raise TypeError(f"Tensor: dtype={kind} is not float64 or float32")
    if array.dtype.kind == "O":
        array = of_python_numbers(array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"Tensor({brief(data)}): a tensor holds real numbers, not {entry_kind(array)}")
    own = array.dtype.newbyteorder("=")
    return array.astype(dtype or (own if own in FLOATS else FLOATS[0]), order="C", copy=False)


def dtype_called(dtype):
    """Return `dtype` as NumPy's dtype, or as messages write it if NumPy does not know it."""
    try:
        return np.dtype(dtype)
    except (TypeError, ValueError):
        return brief(dtype)


MASKED = "a masked array would lose its mask; fill it, a.filled(0), and apply the mask separately, as in where(mask, 0, t)"


def of_python_numbers(array):
    """Return an array of Python's integers and fractions as floats. Return any other array of objects unchanged."""
    if not all(isinstance(x, Real) for x in array.flat):
        return array
    found = np.empty(array.shape)
    for place, x in np.ndenumerate(array):
        found[place] = as_float(x, f"Tensor: the entry at index {place}")
    return found


def as_float(x, what):
    """Return a Python number as a float. Raises ValueError for an integer that is too large for a float."""
    try:
        return float(x)
    except OverflowError:
        raise ValueError(f"{what} is an integer of {len(str(abs(int(x))))} digits, too large for a float") from None


def entry_kind(array):
    """Return the type and the index of the first entry that is not a real number, and what to do about it."""
    for place, x in np.ndenumerate(array):
        if not isinstance(x, REAL_NUMBERS) or isinstance(x, np.timedelta64):
            kind, advice = type_and_advice(x)
            return f"{kind} (first at index {place}: {brief(x)}){advice}"
    return str(array.dtype)


def type_and_advice(x):
    """Return the type of an entry, and what to do about it."""
    if isinstance(x, str):
        return "text", "; convert it first: array.astype(float)"
    if hasattr(x, "__apply__"):
        return "Values", "; start a graph of tensors at their numbers, .data"
    return type(x).__name__, ""


def operand(name, x, args):
    """Return `x`, an argument of the function `name` beside tensors, as a number or an array. Raises TypeError for anything else."""
    if type(x) in (int, float, bool):
        return x if type(x) is not int else in_int64(name, x)
    if isinstance(x, np.generic) and x.dtype.kind in "fiub":
        return x.item() if x.dtype.itemsize <= 8 else float(x)
    if hasattr(x, "__apply__"):
        raise no_mixture(name, names.called_one(x), "a Value")
    if isinstance(x, Real):
        return as_float(x, f"{name}: {brief(x)}")
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"{name}: {MASKED}")
    if isinstance(x, np.matrix):
        raise TypeError(f"{name}: * is ambiguous for an np.matrix beside a tensor; write np.asarray(M)")
    try:
        array = np.asarray(x)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind == "O" and array.size and hasattr(array.flat[0], "__apply__"):
        raise no_mixture(name, brief(x), "an array of Values")
    if array.dtype.kind not in "fiub":
        kind = "complex numbers" if array.dtype.kind == "c" else type(x).__name__
        raise TypeError(f"{name}: cannot combine a Tensor with {brief(x)} ({kind}); give a tensor, an array of real numbers or a number")
    return array if array.dtype.itemsize <= 8 else array.astype(FLOATS[0])


def in_int64(name, x):
    """Return an integer, as a float if NumPy has no integer of that size."""
    if -(2**63) <= x < 2**63:
        return x
    return as_float(x, f"{name}: the number")


def no_mixture(name, what, kind):
    return TypeError(f"{name}: cannot combine a Tensor with {what}, {kind}; make the Value a Tensor, or zoom(...) into the tensors")


def upstream(z, G, kept=False):
    """Return the upstream gradient dz/dz in the shape of z: `G`, or 1 if G is left out and z has one entry.

    It may be the user's array itself, which the backward pass only reads; where a graph keeps it, a copy.
    """
    if type(G) is np.ndarray and G.dtype is z._data.dtype and G.shape == z._data.shape and G.flags.carray and not kept:
        return G
    if G is None or (type(G) is int and G == 1):
        if z.size != 1:
            raise ValueError(
                f"backward(): without an upstream gradient z needs one entry, but it has shape {z.shape}; "
                "write z.sum().backward(), or pass upstream="
            )
        return np.ones(z.shape, z.dtype)
    if hasattr(G, "node"):
        with recording():
            array = G if G.dtype == z.dtype else G.astype(z.dtype)
    else:
        array = np.array(upstream_array(G), dtype=z.dtype)
    if array.shape != z.shape:
        raise ValueError(f"backward(): the upstream gradient has shape {array.shape} and z has shape {z.shape}; they must be the same")
    return array


def upstream_array(G):
    """Return an upstream gradient as an array of real numbers. Raises TypeError if it is not one."""
    try:
        array = np.asarray(G)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "fiub" or isinstance(G, np.ma.MaskedArray):
        raise TypeError(f"backward({brief(G)}): the upstream gradient is not an array of real numbers; give one of the shape of z")
    return array


def gradient(t, total):
    """Return `total` as t.grad may hold it: None, a tensor, or an array of t's shape and dtype. Raises ValueError for other shapes."""
    if total is not None and not hasattr(total, "node"):
        total = np.asarray(upstream_array(total), dtype=t.dtype)
    if total is not None and total.shape != t.shape:
        raise ValueError(f"{called(t)}.grad must have the shape {t.shape} of {called(t)}, got {total.shape}")
    return total

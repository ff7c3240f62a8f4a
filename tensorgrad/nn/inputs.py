"""The input of a layer with parameters: numbers of the parameters' dtype. Plain numbers are converted, a tensor must fit."""

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.tensor import Tensor


def of_dtype(x, dtype):
    """Return the input as a tensor or an array of `dtype`.

    An array of floats, or a list of numbers, is converted. Raises TypeError for a tensor of another dtype and for an array of
    integers, which are classes, tokens or bytes of an image more often than numbers.
    """
    kind = type(x)
    if kind is Tensor:
        if x._data.dtype is dtype or x._data.dtype == dtype:
            return x
        both = f"write x.astype(np.{dtype}), or convert the model with model.astype(np.{x.dtype})"
        raise TypeError(
            f"x is {x.dtype} and the parameters are {dtype}; {both}"
            + "; check(f, x) of a function needs both in float64" * (x.dtype == np.float64)
        )
    if kind is np.ndarray:
        if x.dtype is dtype or x.dtype == dtype:
            return x
        if x.dtype.kind == "f":
            return x.astype(dtype)
        if x.dtype.kind in "iub":
            raise TypeError(f"x is an array of {x.dtype}; write x.astype(np.{dtype}), or use Embedding if these are classes or tokens")
    return from_lists(x, dtype)


def from_lists(x, dtype):
    """Return nested lists of numbers as an array. Raises TypeError for several tensors."""
    if isinstance(x, tuple | list) and any(type(part) is Tensor for part in x):
        raise TypeError(
            f"x is a {type(x).__name__} of {len(x)}; give one tensor: layers such as LSTM return (output, state), take the first"
        )
    try:
        array = np.asarray(x)
    except ValueError:
        raise ValueError(f"x={brief(x)}: the rows have different lengths") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"x={brief(x)} is neither a tensor nor an array of numbers")
    return array.astype(dtype)

"""The dtypes float32 and float64, and the conversion between them."""

import numpy as np

from tensorgrad.arrays.operands import FLOATS, dtype_called
from tensorgrad.public import method
from tensorgrad.rule import rule
from tensorgrad.vjp import vjp

__all__ = ["astype"]


@method
@rule(vjp("dz/dx = dz/dy, in the dtype of x", lambda G: G), entries=lambda x, dtype: x)
def astype(x, dtype=np.float64):
    """Return x as float32 or float64. Raises ValueError for any other dtype.

    In formulas:
        y = x, rounded to the dtype

    >>> from tensorgrad import Tensor
    >>> x = Tensor([1.0, 2.0]); y = astype(x, np.float32); y.sum().backward(); y.dtype, x.grad.dtype
    (dtype('float32'), dtype('float64'))
    """
    if (kind := dtype_called(dtype)) not in FLOATS:
        raise ValueError(f"astype: dtype={kind} is not float64 or float32; for an array of that dtype write t.data.astype(...)")
    return x.astype(dtype)

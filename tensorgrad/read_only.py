"""The array of a tensor as the user sees it: read-only, with errors that say what to write instead."""

import numpy as np

from tensorgrad.numpy_array import NumPyArray

READ_ONLY = "the array of a tensor is read-only, because functions may have saved it"


class ReadOnly(NumPyArray):
    """A view of a tensor's array that cannot be written to."""

    def __setitem__(self, index, value):
        if not self.flags.writeable:
            raise ValueError(f"w.data[...] = ...: {READ_ONLY}; change a copy, a = w.data.copy(), and assign it, w.data = a")
        super().__setitem__(index, value)


def in_place(name, sign):
    """Return the operator of array += ..., which works on a writable array of this type, such as np.zeros_like(w.data)."""
    numpys = getattr(np.ndarray, name)

    def operator(self, other):
        if not self.flags.writeable:
            advice = f"write w.data = w.data {sign} ..., or, in a block `with no_grad():`, w {sign}= ..."
            raise ValueError(f"w.data {sign}= ...: {READ_ONLY}; {advice}")
        return numpys(self, other)

    return operator


for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "mod": "%", "floordiv": "//", "matmul": "@"}.items():
    setattr(ReadOnly, f"__i{_name}__", in_place(f"__i{_name}__", _sign))

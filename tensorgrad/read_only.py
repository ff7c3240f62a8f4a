"""The array of a tensor as the user sees it: read-only, with errors that say what to write instead."""

import numpy as np

from scalargrad.foreign_names import answer

READ_ONLY = "the array of a tensor is read-only, because functions may have saved it"


class ReadOnly(np.ndarray):
    """A view of a tensor's array. Copies of it, and what NumPy computes from it, are plain arrays.

    >>> a = np.ones(2).view(ReadOnly); type(a + 1).__name__, a
    ('ndarray', array([1., 1.]))
    """

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return array[()] if return_scalar else array

    def __repr__(self):
        return repr(np.asarray(self))

    def __reduce_ex__(self, protocol):
        return np.asarray(self).__reduce_ex__(protocol)

    def __deepcopy__(self, memo):
        return self.copy()

    def copy(self, order="C"):
        return np.array(self, order=order)

    def astype(self, *args, **options):
        return np.asarray(self).astype(*args, **options)

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

answer(
    ReadOnly,
    {
        "add_ sub_ mul_ div_ pow_ neg_ exp_ sqrt_ fill_ zero_ copy_ clamp_ clip_ masked_fill_ lerp_ addcmul_ addcdiv_ normal_ uniform_":
            "nothing is done in place here; compute a new array and assign it, w.data = 0.9 * w.data, or write nn.init.normal_(w)",
        "detach cpu cuda to numpy contiguous requires_grad grad": "it is a NumPy array; leave it out, or ask the tensor",
        "clone": "it is a NumPy array: write w.data.copy()",
        "norm": "it is a NumPy array: write np.linalg.norm(w.data)",
        "abs exp log sqrt": "it is a NumPy array: write np.abs(w.data), np.exp(w.data), ...",
        "numel nelement dim": "it is a NumPy array: .size is the number of its entries, .ndim that of its axes",
        "float double long int": "it is a NumPy array: write w.data.astype(np.float32)",
    },
)  # fmt: skip

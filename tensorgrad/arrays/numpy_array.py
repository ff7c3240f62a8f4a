"""Arrays that the user gets from tensors and loaders: NumPy's, with answers for PyTorch's names, as a Tensor has them."""

import numpy as np

from scalargrad.messages.foreign_names import answer


class Count(int):
    """A number of entries: an integer that says what to write when it is called, as PyTorch's size is."""

    __slots__ = ()

    def __call__(self, dim=None):
        what, ours = ("size()", "shape") if dim is None else (f"size({dim})", f"shape[{dim}]")
        raise TypeError(f"x.{what} of PyTorch is x.{ours} here; x.size is the number of entries, as in NumPy")


class NumPyArray(np.ndarray):
    """A view of an array that says what to write where NumPy has not what PyTorch has.

    Copies of it, and what NumPy computes from it, are plain arrays.

    >>> a = np.ones(2).view(NumPyArray); type(a + 1).__name__, a
    ('ndarray', array([1., 1.]))
    """

    @property
    def size(self):
        return Count(np.ndarray.size.__get__(self))

    def view(self, *args, **options):
        if args and all(isinstance(n, int) for n in args):
            shape = ", ".join(map(str, args))
            raise TypeError(f"x.view({shape}) of PyTorch is x.reshape({shape}) for an array; NumPy's view takes a dtype")
        return super().view(*args, **options)

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


answer(
    NumPyArray,
    {
        "to cpu cuda pin_memory detach contiguous numpy requires_grad requires_grad_ device":
            "it is an array of NumPy, on the CPU and without a gradient; leave it out",
        "float half": "write x.astype(np.float32)",
        "double": "write x.astype(np.float64)",
        "long int": "write x.astype(int)",
        "bool": "write x.astype(bool)",
        "numel nelement": "the number of entries is x.size",
        "dim": "the number of axes is x.ndim",
        "clone": "write x.copy()",
        "unsqueeze": "write x[:, None], or np.expand_dims(x, axis)",
        "permute": "write x.transpose(0, 2, 1)",
        "norm": "write np.linalg.norm(x)",
        "abs exp log sqrt pow": "write abs(x), np.exp(x), np.log(x), np.sqrt(x), x**2",
        "eq ne lt le gt ge": "write x == y, x != y, x < y, x <= y, x > y, x >= y",
        "softmax sigmoid relu tanh": "write tensorgrad.softmax(x), tensorgrad.sigmoid(x), ...",
        "add_ sub_ mul_ div_ pow_ neg_ exp_ sqrt_ fill_ zero_ copy_ clamp_ clip_ masked_fill_ lerp_ addcmul_ addcdiv_ normal_ uniform_":
            "no function of that name works in place; write x = 0.9 * x for an array, and w.data = 0.9 * w.data or nn.init.normal_(w) for "
            "a parameter",
    },
)  # fmt: skip


# The array of a tensor, which is read-only

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

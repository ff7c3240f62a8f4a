"""Views, shapes, and selections."""

import math

import numpy as np
import torch

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.elementwise import same_arguments
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside

same_arguments(
    flatten="flatten", moveaxis="movedim moveaxis", unsqueeze="unsqueeze", fliplr="fliplr", flipud="flipud", diag="diag", roll="roll",
    unbind="unbind", select="select", index_select="index_select", scatter_add="scatter_add", tril="tril", triu="triu",
    diagonal="diagonal",
)  # fmt: skip


def flat(sizes):
    """Return the sizes of x.view(2, 3) and of x.view((2, 3)) as one tuple."""
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], tuple | list) else tuple(sizes)


def resolved(sizes, count):
    """Return the sizes with the one that is -1 filled in."""
    others = math.prod(n for n in sizes if n != -1)
    return tuple([count // others if n == -1 else int(n) for n in sizes])


@beside("Tensor.view", "Tensor.reshape")
def view(input, *shape, **options):
    sizes = flat(shape or tuple(options.values()))
    if not all(isinstance(n, int | np.integer) for n in sizes):
        raise Unsupported("a view of another dtype")
    return tg.reshape(input, resolved(sizes, input.size))


beside("torch.reshape")(lambda input, shape: view(input, *shape))
beside("view_as", "reshape_as")(lambda input, other: tg.reshape(input, other.shape))
beside("ravel")(lambda input: tg.reshape(input, (-1,)))
beside("unflatten")(lambda input, dim, sizes: tg.unflatten(input, dim, tuple(sizes)))
beside("transpose", "swapaxes", "swapdims")(lambda input, dim0, dim1: tg.swapaxes(input, dim0, dim1))
beside("t")(lambda input: tg.transpose(input) if input.ndim == 2 else tg.reshape(input, input.shape))


@beside("Tensor.T", "adjoint", "Tensor.mT", "Tensor.H", "Tensor.mH")
def T(input):
    return tg.swapaxes(input, -1, -2) if input.ndim >= 2 else tg.reshape(input, input.shape)


beside("torch.permute")(lambda input, dims: tg.permute(input, tuple(dims)))
beside("Tensor.permute")(lambda input, *dims, **options: tg.permute(input, flat(dims or tuple(options.values()))))


@beside("squeeze")
def squeeze(input, dim=None):
    dims = range(input.ndim) if dim is None else dim if isinstance(dim, tuple) else (dim,)
    gone = {d % input.ndim for d in dims if input.ndim and input.shape[d] == 1}
    return tg.reshape(input, tuple([n for i, n in enumerate(input.shape) if i not in gone]))


@beside("Tensor.expand")
def expand(input, *sizes, **options):
    sizes = flat(sizes or tuple(options.values()))
    before = (1,) * (len(sizes) - input.ndim) + input.shape
    return tg.broadcast_to(input, tuple([here if n == -1 else int(n) for n, here in zip(sizes, before)]))


beside("expand_as")(lambda input, other: tg.broadcast_to(input, other.shape))
beside("broadcast_to")(lambda input, size: expand(input, *size))
beside("Tensor.repeat")(lambda input, *sizes, repeats=None: tg.tile(input, flat(sizes) if repeats is None else tuple(repeats)))
beside("torch.tile", "Tensor.tile")(lambda input, *dims: tg.tile(input, flat(dims)))
beside("flip")(lambda input, *sizes, dims=None: tg.flip(input, flat(sizes) if dims is None else tuple(dims)))
beside("rot90")(lambda input, k=1, dims=(0, 1): tg.rot90(input, k, tuple(dims)))


@beside("Tensor.fill_diagonal_", theirs=True)
def fill_diagonal(input, fill_value, wrap=False, theirs=None):
    """PyTorch's function, applied to nan, says which entries are kept."""
    kept = np.isnan(theirs.at(torch.full_like(theirs.first, math.nan)).numpy())
    return tg.where(kept, input, fill_value)


beside("hstack")(lambda tensors: tg.hstack(list(tensors)))
beside("vstack", "row_stack")(lambda tensors: tg.vstack(list(tensors)))
beside("dstack")(lambda tensors: tg.dstack(list(tensors)))
beside("column_stack")(lambda tensors: tg.column_stack(list(tensors)))
beside("cat", "concat", "concatenate")(lambda tensors, dim=0: tg.cat([x for x in tensors if x.shape != (0,)], dim))
beside("stack")(lambda tensors, dim=0: tg.stack(list(tensors), dim))
beside("chunk")(lambda input, chunks, dim=0: split(input, math.ceil(input.shape[dim] / chunks) or 1, dim))


@beside("split", "Tensor.split")
def split(input, split_size_or_sections=None, dim=0, split_size=None):
    size = split_size if split_size_or_sections is None else split_size_or_sections
    length = input.shape[dim]
    sizes = list(size) if isinstance(size, tuple | list) else [min(size, length - i) for i in range(0, length, size)]
    return tg.split(input, [int(n) for n in np.cumsum(sizes)[:-1]], dim)


beside("narrow")(lambda input, dim, start, length: tg.narrow(input, dim, int(start), length))


def plain(index):
    """Return an index of PyTorch's as NumPy takes it: a list of numbers is an array."""
    if isinstance(index, tuple):
        return tuple([plain(i) for i in index])
    return np.asarray(index) if isinstance(index, list) else index


beside("Tensor.__getitem__")(lambda input, index: tg.getitem(input, plain(index)))
beside("Tensor.__setitem__")(lambda input, index, value: with_values_at(input, plain(index), as_wide(value, input)))


def with_values_at(x, places, values):
    """Return x with values at these places. Of a repeated place the last value stands there, and each gets the derivative."""
    numbers = np.arange(x.size).reshape(x.shape)[places]
    if getattr(values, "node", None) is None or len(np.unique(numbers)) == numbers.size:
        return tg.index_put(x, places, values)
    kept = np.ones(x.shape, bool)
    kept[places] = False
    added = tg.index_put(tg.where(kept, x, 0.0), places, values, accumulate=True)
    return added + (tg.index_put(x.data, places, values.data) - added.data)


def as_wide(value, beside):
    """Return a value that is assigned as a tensor or an array, without the leading axes of length 1 that PyTorch drops."""
    if not isinstance(value, tg.Tensor):
        value = np.asarray(value, beside.dtype)
    return value


beside("gather")(lambda input, dim, index, sparse_grad=False: tg.gather(input, dim, index))
beside("torch.take", "Tensor.take")(lambda input, index: tg.take(tg.reshape(input, (-1,)), index))


@beside("masked_select")
def masked_select(input, mask):
    shape = np.broadcast_shapes(input.shape, mask.shape)
    return tg.getitem(tg.broadcast_to(input, shape), np.broadcast_to(mask, shape))

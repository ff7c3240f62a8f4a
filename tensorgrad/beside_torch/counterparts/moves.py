"""Functions that only move entries. PyTorch's own function, applied to the numbers of the entries, says which entry goes where."""

import torch
from torch.utils._pytree import tree_flatten, tree_map

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import beside

# fmt: off
MOVING = (
    "alias_copy", "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod", "channel_shuffle",
    "combinations", "diag_embed", "diagflat", "diagonal_copy", "diagonal_scatter", "expand_copy", "linalg.diagonal",
    "masked_scatter", "meshgrid", "narrow_copy", "permute_copy", "pixel_unshuffle",
    "select_scatter", "slice_scatter", "split_with_sizes", "split_with_sizes_copy", "squeeze_copy", "t_copy", "tensor_split",
    "transpose_copy", "unbind_copy", "Tensor.unfold", "unfold_copy", "unsafe_chunk", "unsafe_split", "unsqueeze_copy", "view_copy",
    "dsplit", "hsplit", "vsplit", "fft.fftshift", "fft.ifftshift", "take_along_dim", "repeat_interleave", "aten.slice",
    "torch._pack_padded_sequence", "nn.pad_sequence", "torch._pad_packed_sequence",
)
# fmt: on


@beside(*MOVING, theirs=True)
def moved(*args, theirs, **options):
    """Each result is the entries of the tensors that are given, or 0, at the places that PyTorch's function itself tells."""
    ours = [x for x in tree_flatten((args, options))[0] if isinstance(x, tg.Tensor)]
    starts, count = [], 1

    def numbered(t):
        nonlocal count
        if not isinstance(t, torch.Tensor) or not t.is_floating_point():
            return t
        starts.append(count)
        count += t.numel()
        return torch.arange(count - t.numel(), count, dtype=torch.float64).reshape(t.shape)

    args, options = tree_map(numbered, (theirs.args, theirs.options))
    found = tree_flatten(theirs.again(theirs.function, *args, **options))[0]
    return [gathered(ours, starts, t.long().numpy()) for t in found if t.is_floating_point()]


def gathered(ours, starts, places):
    """Return the entries with these numbers; the first entry of each tensor has the number in `starts`, and 0 stands for a zero."""
    used = [(x, start) for x, start in zip(ours, starts) if ((start <= places) & (places < start + x.size)).any()]
    if len(used) == 1 and (places > 0).all():
        x, start = used[0]
        return tg.take(x, places - start)
    entries = tg.concatenate([ours[0].data.dtype.type(0).reshape(1), *[tg.reshape(x, (-1,)) for x in ours]])
    return tg.take(entries, places)


@beside("as_strided", "as_strided_copy", theirs=True)
def as_strided(input, size, stride, storage_offset=None, theirs=None):
    """The entries of the memory that do not belong to the tensor are constants."""
    t = theirs.args[0]
    memory = t.detach().as_strided((t.untyped_storage().nbytes() // t.element_size(),), (1,), 0)
    numbers = torch.arange(memory.numel())
    own = numbers.as_strided(t.shape, t.stride(), t.storage_offset()).numpy().ravel()
    places = numbers.as_strided(size, stride, t.storage_offset() if storage_offset is None else storage_offset).numpy()
    return tg.take(tg.index_put(memory.numpy(), (own,), tg.reshape(input, (-1,))), places)

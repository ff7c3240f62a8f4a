"""PyTorch's call for each of our public functions: THEIRS[name](*tensors, **our options). Needs torch.

Where a convention differs on purpose, NOT_IN_TORCH or a comment in the row says so.
"""

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad.options import FUNCTIONS

torch = pytest.importorskip("torch")
F = torch.nn.functional

SAME = {  # PyTorch's function has the same name, and takes the same inputs in the same order
    *(name for name in FUNCTIONS if hasattr(torch, name)),  # what differs stands in THEIRS
    *("lerp", "addcmul", "addcdiv", "bmm", "mm", "mv", "matmul"),
}
FUNCTIONAL = {  # torch.nn.functional has them under the same name
    *("silu", "mish", "relu6", "hardswish", "logsigmoid", "softsign", "selu"),
    *("lp_pool1d", "lp_pool2d", "lp_pool3d", "max_pool1d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d"),
    *("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"),
    *("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"),
    *("unfold", "fold", "interpolate", "pixel_shuffle", "pixel_unshuffle"),
    *("gelu", "prelu", "celu", "hardtanh"),
    *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "kl_div", "poisson_nll_loss"),
}


def whole(index):
    """Return an index as PyTorch expects it."""
    return torch.as_tensor(np.array(index, dtype=np.int64))


def along(f, whole_too=True):
    """Return a reduction with axis= and keepdims=, from PyTorch's with dim= and keepdim=."""
    return lambda x, axis=None, keepdims=False, **o: f(x, dim=every(x, axis), keepdim=keepdims, **o)


def every(x, axis):
    return tuple(range(x.ndim)) if axis is None else axis


def nothing_over(f):
    """Accept an empty axis=(), which reduces nothing in NumPy; in torch, dim=() means all axes."""
    return lambda x, axis=None, keepdims=False, **o: f(x, axis=axis, keepdims=keepdims, **o) if axis != () else x


def one_by_one(f):
    """Reduce several axes with a reduction that PyTorch has for one axis at a time."""

    def reduced(x, axis=None, keepdims=False):
        axes = sorted({a % max(x.ndim, 1) for a in np.atleast_1d(every(x, axis)).astype(int)}, reverse=True)
        for a in axes if x.ndim else ():
            x = f(x, dim=a, keepdim=keepdims)
        return x

    return reduced


def spread(f):
    """var and std."""

    def found(x, axis=None, ddof=0, keepdims=False, where=True, correction=None):
        ddof = ddof if correction is None else correction
        if axis == ():
            return x * 0
        if where is True:
            return f(x, dim=every(x, axis), correction=ddof, keepdim=keepdims)
        count = torch.as_tensor(where).expand(x.shape).to(x.dtype)
        n = count.sum(every(x, axis), keepdim=True)
        d = (x - (x * count).sum(every(x, axis), keepdim=True) / n) * count
        y = (d * d).sum(every(x, axis), keepdim=keepdims) / (n - ddof).reshape(d.sum(every(x, axis), keepdim=keepdims).shape)
        return torch.sqrt(y) if f is torch.std else y

    return found


def without_nan(f):
    return lambda x, **o: f(torch.nan_to_num(x), where=~torch.isnan(x), **o)


def partly(f, nothing, combine):
    """Return a reduction with where= and initial=, which PyTorch lacks."""

    def reduced(x, axis=None, keepdims=False, where=True, initial=None):
        x = x if where is True else torch.where(torch.as_tensor(where), x, nothing)
        y = f(x, axis=axis, keepdims=keepdims)
        return y if initial is None else combine(y, torch.tensor(initial, dtype=x.dtype))

    return reduced


def mean(x, axis=None, keepdims=False, where=True):
    if where is True:
        return nothing_over(along(torch.mean))(x, axis, keepdims)
    count = torch.as_tensor(where).expand(x.shape).to(x.dtype)
    return (x * count).sum(every(x, axis), keepdim=keepdims) / count.sum(every(x, axis), keepdim=keepdims)


def average(x, weights=None, axis=None, keepdims=False):
    if weights is None:
        return along(torch.mean)(x, axis, keepdims)
    if weights.shape != x.shape:
        axes = np.atleast_1d(axis) % x.ndim
        weights = weights.permute(np.argsort(axes).tolist()).reshape([n if a in axes else 1 for a, n in enumerate(x.shape)]).expand(x.shape)
    return (x * weights).sum(every(x, axis), keepdim=keepdims) / weights.sum(every(x, axis), keepdim=keepdims)


def median(x, axis=None, keepdims=False):
    """Return the mean of the middle two; PyTorch takes the lower one."""
    axes = [a % x.ndim for a in np.atleast_1d(every(x, axis))] if x.ndim else []
    row = x.movedim(axes, list(range(-len(axes), 0))).reshape([n for a, n in enumerate(x.shape) if a not in axes] + [-1])
    y = torch.quantile(row, 0.5, dim=-1)
    return y.reshape([1 if a in axes else n for a, n in enumerate(x.shape)]) if keepdims else y


def partition(x, kth, axis=-1):
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
    return torch.gather(x, axis, whole(np.argpartition(x.detach().numpy(), kth, axis))) if x.ndim else x


def end(x, axis, e):
    """Return prepend= or append= of diff as PyTorch expects it."""
    shape = [1 if a == axis % x.ndim else n for a, n in enumerate(x.shape)]
    return e if e is None else torch.as_tensor(e, dtype=x.dtype).expand(shape)


def flat_along(f):
    """Return a scan that flattens its input if no axis is given."""
    return lambda x, axis=None: f(x.reshape(-1), dim=0) if axis is None else f(x, dim=axis)


def by_place(places):
    """Return the entries of x at the positions that a NumPy function selects among all positions."""

    def picked(x, *args, **options):
        numbered = np.arange(x.numel()).reshape(x.shape)
        return x.reshape(-1)[whole(places(numbered, *args, **options))]

    return picked


def padded(x, pad_width, mode="constant", constant_values=0):
    if mode == "wrap" and x.ndim == 2:
        (top, bottom), (left, right) = np.broadcast_to(pad_width, (2, 2)).tolist()
        return F.pad(x[None, None], (left, right, top, bottom), mode="circular")[0, 0]
    if mode != "constant":
        return by_place(lambda n: numbers_padded(n, pad_width, mode))(x)
    widths = np.broadcast_to(np.array(pad_width, int).reshape(-1, 2) if np.ndim(pad_width) else pad_width, (x.ndim, 2))
    return F.pad(x, [int(n) for pair in widths[::-1] for n in pair], value=constant_values)


def numbers_padded(n, pad_width, mode):
    """Apply np.pad, and remove entries for negative widths afterwards."""
    widths = np.broadcast_to(pad_width, (n.ndim, 2))
    n = np.pad(n, np.maximum(widths, 0), mode)
    return n[tuple([slice(max(-a, 0), m + min(b, 0)) for m, (a, b) in zip(n.shape, widths)])]


def norm(x, ord=None, axis=None, keepdims=False):
    return torch.linalg.norm(x, ord, axis, keepdims)


def tensordot(A, B, axes=2):
    return torch.tensordot(A, B, axes if isinstance(axes, int) else [np.atleast_1d(a).tolist() for a in axes])


def pairs(padding, n):
    """Return our padding as (before, after) for each of n axes."""
    padding = (padding,) * n if isinstance(padding, int) else padding
    return [p if isinstance(p, tuple) else (p, p) for p in padding]


def convolved(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    n = weight.ndim - 2
    if not isinstance(padding, str):
        x, padding = F.pad(x, [p for pair in pairs(padding, n)[::-1] for p in pair]), 0
    return {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[n](x, weight, bias, stride, padding, dilation, groups)


def conv_transposed(x, weight, bias=None, **options):
    return {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}[weight.ndim - 2](x, weight, bias, **options)


def log_softmax(x, axis):
    """Apply log_softmax over several axes together."""
    return x - torch.logsumexp(x, every(x, axis), keepdim=True)


def with_tensors(f):
    """Convert options that are arrays to PyTorch tensors."""
    return lambda *xs, **o: f(*xs, **{name: torch.as_tensor(v) if isinstance(v, np.ndarray) else v for name, v in o.items()})


def multi_head(x, in_weight, in_bias, out_weight, out_bias):
    """Apply two heads to (length, batch, features), PyTorch's layout."""
    settings = {"training": False, "need_weights": False}
    y, _ = F.multi_head_attention_forward(
        *[x] * 3, x.shape[-1], 2, in_weight, in_bias, None, None, False, 0.0, out_weight, out_bias, **settings
    )
    return y


def attention(q, k, v, mask, causal, scale):
    """Apply PyTorch's attention, which accepts a single mask; combine both masks there."""
    if mask is not None:
        mask = torch.as_tensor(np.broadcast_to(mask, np.broadcast_shapes(np.shape(mask), (q.shape[-2], k.shape[-2]))).copy())
        if causal:
            mask = mask & torch.ones(mask.shape, dtype=torch.bool).tril()
        causal = False
    return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal, scale=scale)


def rebuilt(U, S, Vh):
    return (U * (S * S)[..., None, :]) @ Vh


def addmm(C, A, B, beta=1, alpha=1):
    return beta * C + alpha * (A @ B)


THEIRS = {
    **{name: getattr(torch, name) for name in SAME},
    **{name: getattr(F, name) for name in FUNCTIONAL},
    "mse": F.mse_loss,
    "bce": F.binary_cross_entropy,
    # of single entries
    "sqrt": lambda x, total=False: torch.sqrt(x),
    "max_pool2d": lambda x, total=False, padding=0, **o: (
        F.max_pool2d(F.pad(x, (padding,) * 4), **o) if total else F.max_pool2d(x, padding=padding, **o)
    ),
    "cbrt": lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3),
    "round": lambda x, decimals=0: torch.round(x, decimals=decimals),
    "floor_divide": lambda a, b: torch.div(a, b, rounding_mode="floor"),
    "where": lambda c, a, b: torch.where(c != 0, a, b),
    "clamp": lambda x, min=None, max=None, total=False: torch.clamp(x, min, max),
    "clip": lambda a, a_min=None, a_max=None, min=None, max=None: torch.clamp(a, min or a_min, max or a_max),
    "scale": lambda x, factor: x * factor,
    "masked_fill": lambda x, mask, value: x.masked_fill(torch.as_tensor(mask), value),
    "safe_log": lambda x, eps=1e-12: torch.log(x + eps),
    "nan_to_num": lambda x, nan=0.0, posinf=None, neginf=None: torch.nan_to_num(x, nan, posinf, neginf),
    # reductions
    "sum": partly(nothing_over(along(torch.sum)), 0, torch.add),
    "mean": mean,
    "logsumexp": nothing_over(along(torch.logsumexp)),
    **dict.fromkeys(
        ["max", "amax"], partly(nothing_over(along(torch.amax)), -torch.inf, torch.maximum)
    ),  # amax shares a tie evenly, max(dim) does not
    **dict.fromkeys(["min", "amin"], partly(nothing_over(along(torch.amin)), torch.inf, torch.minimum)),
    "prod": partly(one_by_one(torch.prod), 1, torch.mul),
    "var": spread(torch.var),
    "std": spread(torch.std),
    "nansum": along(torch.nansum),
    "nanprod": lambda x, axis=None, keepdims=False: one_by_one(torch.prod)(torch.nan_to_num(x, 1.0), axis, keepdims),
    **{f"nan{name}": without_nan(spread(getattr(torch, name))) for name in ("var", "std")},
    "nanmax": lambda x, axis=None, keepdims=False: torch.amax(torch.nan_to_num(x, -torch.inf), every(x, axis), keepdims),
    "nanmin": lambda x, axis=None, keepdims=False: torch.amin(torch.nan_to_num(x, torch.inf), every(x, axis), keepdims),
    "nanmean": along(torch.nanmean),
    "average": average,
    "median": median,
    "ptp": lambda x, axis=None, keepdims=False: torch.amax(x, every(x, axis), keepdims) - torch.amin(x, every(x, axis), keepdims),
    "diff": lambda x, n=1, axis=-1, prepend=None, append=None: torch.diff(x, n, axis, *[end(x, axis, e) for e in (prepend, append)]),
    "gradient": lambda x, edge_order=1: torch.gradient(x, edge_order=edge_order)[0],
    "vector_norm": along(torch.linalg.vector_norm),
    "norm": norm,
    "cumsum": flat_along(torch.cumsum),
    "cumprod": flat_along(torch.cumprod),
    "sort": lambda x, axis=-1, descending=False: torch.sort(
        x.reshape(-1) if axis is None else x, dim=-1 if axis is None else axis, descending=descending, stable=True
    )[0],
    "partition": partition,
    # shapes
    "reshape": lambda x, shape: x.reshape(shape),
    "view": lambda x, shape: x.reshape(shape),
    "ravel": torch.ravel,
    "flatten": torch.flatten,
    "unflatten": lambda x, axis, sizes: torch.unflatten(x, axis, sizes),
    "squeeze": lambda x, axis=None: x.squeeze() if axis is None else x.squeeze(axis),
    "unsqueeze": lambda x, axis: x.unsqueeze(axis),
    "expand_dims": by_place(np.expand_dims),
    "broadcast_to": lambda x, shape: torch.broadcast_to(x, shape),
    "expand": lambda x, shape: x.expand(shape),
    "transpose": by_place(np.transpose),
    "permute": lambda x, axes: x.permute(axes),
    "swapaxes": lambda x, axis1, axis2: torch.swapaxes(x, axis1, axis2),
    **dict.fromkeys(["moveaxis", "movedim"], lambda x, source, destination: torch.movedim(x, source, destination)),
    "matrix_transpose": lambda x: x.mT,
    "flip": by_place(np.flip),
    "roll": lambda x, shift, axis=None: torch.roll(
        x, shift if axis is None or np.ndim(shift) or not np.ndim(axis) else [shift] * len(axis), axis
    ),
    "repeat": lambda x, repeats, axis=None: torch.repeat_interleave(x, whole(repeats), axis if x.ndim else None),
    "tile": lambda x, reps: torch.tile(x, (reps,) if isinstance(reps, int) else reps),
    "pad": padded,
    **{name: getattr(torch, name) for name in ("atleast_1d", "atleast_2d", "atleast_3d", "fliplr", "flipud")},
    "append": lambda x, values, axis=None: torch.cat([x.reshape(-1), values.reshape(-1)]) if axis is None else torch.cat([x, values], axis),
    "rot90": lambda x, k=1, axes=(0, 1): torch.rot90(x, k, axes),
    "rollaxis": by_place(np.rollaxis),
    "diagonal": lambda x, offset=0, axis1=0, axis2=1: torch.diagonal(x, offset, axis1, axis2),
    "diag": lambda x, k=0: torch.diag(x, k),
    "trace": lambda x, offset=0, axis1=0, axis2=1: torch.diagonal(x, offset, axis1, axis2).sum(-1),
    "tril": lambda x, k=0: torch.tril(x, k),
    "triu": lambda x, k=0: torch.triu(x, k),
    # indexing
    "getitem": by_place(lambda n, index: n[index]),
    "narrow": lambda x, axis, start, length: torch.narrow(x, axis, start, length),
    "select": lambda x, axis, index: torch.select(x, axis, index),
    "take_along_axis": by_place(lambda n, indices, axis=-1: np.take_along_axis(n, np.asarray(indices), axis)),
    # linear algebra
    "addmm": addmm,
    "baddbmm": addmm,
    "dot": lambda A, B: A * B if not A.ndim or not B.ndim else A @ B if B.ndim <= 2 else torch.tensordot(A, B, ([-1], [-2])),
    "inner": lambda A, B: torch.inner(A, B),
    "linear": lambda x, W, b=None: F.linear(x, W, b),
    "bilinear": lambda x1, x2, W, b=None: torch.einsum("...i,oij,...j->...o", x1, W, x2) + (0 if b is None else b),
    "einsum": lambda *xs, subscripts: torch.einsum(subscripts, *xs),
    "tensordot": tensordot,
    "leaky_relu": lambda x, negative_slope=0.01: torch.where(x > 0, x, x * negative_slope),  # PyTorch's slope is a number
    "elu": lambda x, alpha=1.0: torch.where(x > 0, x, alpha * torch.expm1(torch.where(x > 0, 0, x))),
    "softplus": lambda x, beta=1, threshold=None: F.softplus(x, beta, 20 + 1e3 * beta if threshold is None else threshold),
    "hardsigmoid": lambda x: torch.clamp(x + 3, 0, 6) / 6,  # PyTorch computes 1/6 in single precision
    "softmax": lambda x, axis=-1: F.softmax(x, axis) if isinstance(axis, int) else torch.exp(log_softmax(x, axis)),
    "log_softmax": lambda x, axis=-1: F.log_softmax(x, axis) if isinstance(axis, int) else log_softmax(x, axis),
    "glu": lambda x, axis=-1: F.glu(x, axis),
    "gaussian_nll_loss": lambda x, t, var, **o: F.gaussian_nll_loss(
        x, t, (var[..., None] if var.shape == x.shape[:-1] else var).expand(x.shape), **o
    ),
    "scaled_dot_product_attention": lambda q, k, v, mask=None, causal=False, scale=None: attention(q, k, v, mask, causal, scale),
    "binary_cross_entropy_with_logits": with_tensors(F.binary_cross_entropy_with_logits),
    "cosine_similarity": lambda x1, x2, axis=1, eps=1e-8: F.cosine_similarity(x1, x2, axis, eps),
    "normalize": lambda x, p=2.0, axis=1, eps=1e-12: F.normalize(x, p, axis, eps),
    "outer": lambda a, b: torch.outer(a.reshape(-1), b.reshape(-1)),
    "inv": torch.linalg.inv,
    "det": torch.linalg.det,
    "solve": lambda A, b: torch.linalg.solve(A, b),
    "cholesky": lambda A: torch.linalg.cholesky((A + A.mT) / 2),
    "logarithm": lambda A: torch.linalg.slogdet(A)[1],
    "eigvalsh": lambda A: torch.linalg.eigvalsh((A + A.mT) / 2),
    "rebuilt": lambda A: (A + A.mT) @ (A + A.mT) / 4,
    "rebuilt_from_three": lambda A: rebuilt(*torch.linalg.svd(A, full_matrices=False)),
    "svdvals": torch.linalg.svdvals,
    "pinv": lambda A, rcond=None: torch.linalg.pinv(A, rtol=rcond),
    "matrix_norm": lambda x, ord="fro", keepdims=False: torch.linalg.matrix_norm(x, ord, keepdim=keepdims),
    "cond": lambda x, p=None: (
        torch.linalg.cond(x, p) if p in (None, -2) else torch.linalg.norm(x, p) * torch.linalg.norm(torch.linalg.inv(x), p)
    ),  # PyTorch lacks a derivative for the other norms
    "vdot": lambda a, b: torch.vdot(a.reshape(-1), b.reshape(-1)),
    "vecdot": lambda x1, x2, axis=-1: torch.linalg.vecdot(x1, x2, dim=axis),
    "cross": lambda a, b, axis=-1: torch.linalg.cross(*torch.broadcast_tensors(a, b), dim=axis),
    "kron": torch.kron,
    "matrix_power": torch.linalg.matrix_power,
    "chained": lambda *xs: torch.linalg.multi_dot(xs),
    # windows
    **dict.fromkeys(["convolution", "conv", "conv1d", "conv2d", "conv3d"], convolved),
    **dict.fromkeys(["conv_transpose", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"], conv_transposed),
}


class Example:
    """A function whose first argument is not a tensor, or that has several results: both calls, written out."""

    def __init__(self, name, ours, theirs, *shapes):
        self.name, self.ours, self.theirs, self.shapes = name, ours, theirs, shapes

    def arrays(self):
        rng = np.random.default_rng(sum(map(ord, self.name)))
        return [s if isinstance(s, np.ndarray) else rng.standard_normal(s) for s in self.shapes]

    def __repr__(self):
        return f"{self.name}({','.join(str(np.shape(s) if isinstance(s, np.ndarray) else s) for s in self.shapes)})".replace(" ", "")


CLASSES, SIGNS = np.array([[2, 0], [1, 3]]), np.array([[1, -1, 1], [-1, -1, 1]])
CLASS_WEIGHT = np.array([0.5, 2.0, 1.5, 0.1])
STATISTICS = lambda: (np.array([0.1, -0.2, 0.3]), np.array([0.5, 1.0, 2.0]))  # running mean and variance, which are updated in place
AXIS0, AXIS1 = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 1]]), np.array([[2, 0, 2, 1], [1, 1, 1, 0]])

EXAMPLES = [
    *[
        Example(f.__name__, lambda a, b, c, f=f: f([a, b, c], axis=1), lambda a, b, c: torch.cat([a, b, c], 1), (2, 3), (2, 1), (2, 2))
        for f in (tg.concatenate, tg.cat)
    ],
    Example("stack", lambda a, b: tg.stack([a, b, a], axis=-1), lambda a, b: torch.stack([a, b, a], -1), (2, 3), (2, 3)),
    *[Example("hstack", lambda a, b: tg.hstack([a, b]), lambda a, b: torch.hstack([a, b]), s, s) for s in [(2, 3), (2,), ()]],
    *[Example("vstack", lambda a, b: tg.vstack([a, b]), lambda a, b: torch.vstack([a, b]), s, s) for s in [(2, 3), (2,), ()]],
    Example("split", lambda x: tg.split(x, [1, 3], -1)[1] * 2, lambda x: torch.tensor_split(x, [1, 3], -1)[1] * 2, (2, 5)),
    *[Example("chunk", lambda x, i=i: tg.chunk(x, 3)[i], lambda x, i=i: torch.chunk(x, 3)[i], (7, 2)) for i in range(3)],
    Example("column_stack", lambda a, b: tg.column_stack([a, b]), lambda a, b: torch.column_stack([a, b]), (2,), (2, 3)),
    Example("dstack", lambda a, b: tg.dstack([a, b]), lambda a, b: torch.dstack([a, b]), (2, 3), (2, 3)),
    *[Example("array_split", lambda x, i=i: tg.array_split(x, 3)[i], lambda x, i=i: torch.tensor_split(x, 3)[i], (5, 2)) for i in range(3)],
    *[
        Example(f.__name__, lambda x, f=f, i=i: f(x, [1])[i], lambda x, g=g, i=i: g(x, [1])[i], (2, 3, 2))
        for f, g in [(tg.hsplit, torch.hsplit), (tg.vsplit, torch.vsplit), (tg.dsplit, torch.dsplit)]
        for i in (0, 1)
    ],
    Example("unbind", lambda x: tg.unbind(x, 1)[2], lambda x: torch.unbind(x, 1)[2], (2, 3)),
    Example("take", lambda x: tg.take(x, [[5, 0], [0, 1]]), lambda x: torch.take(x, whole([[5, 0], [0, 1]])), (2, 3)),
    Example("index_select", lambda x: tg.index_select(x, 1, [2, 2, 0]), lambda x: torch.index_select(x, 1, whole([2, 2, 0])), (2, 3)),
    Example("gather", lambda x: tg.gather(x, 0, AXIS0), lambda x: torch.gather(x, 0, whole(AXIS0)), (2, 3)),
    Example("gather", lambda x: tg.gather(x, 1, AXIS1), lambda x: torch.gather(x, 1, whole(AXIS1)), (2, 3)),
    Example(
        "scatter",
        lambda x, s: tg.scatter(x, 1, [[2, 0], [0, 1]], s),
        lambda x, s: torch.scatter(x, 1, whole([[2, 0], [0, 1]]), s),
        (2, 3),
        (2, 2),
    ),
    Example(
        "scatter_add", lambda x, s: tg.scatter_add(x, 1, AXIS1, s), lambda x, s: torch.scatter_add(x, 1, whole(AXIS1), s), (2, 3), (2, 4)
    ),
    Example("index_add", lambda x, s: tg.index_add(x, 1, [2, 2], s), lambda x, s: torch.index_add(x, 1, whole([2, 2]), s), (2, 3), (2, 2)),
    *[
        Example(
            "index_put",
            lambda x, v, k=k, i=i: tg.index_put(x, i, v, accumulate=k),
            lambda x, v, k=k, i=i: torch.index_put(x, (whole(i),), v, k),
            (3, 2),
            (3, 2),
        )
        for k, i in [(False, [2, 0, 1]), (True, [2, 0, 2])]
    ],
    *[
        Example(
            "embedding",
            lambda t, i=i: tg.embedding(AXIS0, t, padding_idx=i),
            lambda t, i=i: F.embedding(whole(AXIS0), t, padding_idx=i),
            (4, 3),
        )
        for i in (1, -4)
    ],
    Example("concatenate", lambda a, b: tg.concatenate([a, b, a], 1), lambda a, b: torch.cat([a, b, a], 1), (2, 3), (0,)),
    *[
        Example(name, lambda x, s, f=f: f(x, 0, 0, s), lambda x, s, g=g: g(x, 0, torch.tensor(0), s), (), ())
        for name, f, g in [("scatter", tg.scatter, torch.scatter), ("scatter_add", tg.scatter_add, torch.scatter_add)]
    ],
    Example("index_add", lambda x, s: tg.index_add(x, 0, [0], s), lambda x, s: torch.index_add(x, 0, whole([0]), s), (), ()),
    Example("index_select", lambda x: tg.index_select(x, 0, [0]), lambda x: torch.index_select(x, 0, whole([0])), ()),
    *[Example("gather", lambda x, i=i: tg.gather(x, 0, i), lambda x, i=i: torch.gather(x, 0, whole(i)), ()) for i in (0, [0, 0])],
    Example("topk", lambda x: tg.topk(x, 1, 0)[0], lambda x: torch.topk(x, 1, 0)[0], ()),
    Example("embedding", lambda t: tg.embedding(AXIS0, t), lambda t: F.embedding(whole(AXIS0), t), (4, 3)),
    *[
        Example("topk", lambda x, a=a, b=b: tg.topk(x, 2, a, b)[0], lambda x, a=a, b=b: torch.topk(x, 2, a, b)[0], (3, 4))
        for a in (-1, 0)
        for b in (True, False)
    ],
    *[Example(name, getattr(tg, name), getattr(torch, name), (2, 3)) for name in ("amax", "amin")],
    *[
        Example("average", lambda x, w, o=o: tg.average(x, weights=w, **o), lambda x, w, o=o: average(x, w, **o), (2, 3), np.abs(w) + 0.5)
        for w, o in [(np.eye(2, 3), {}), (np.eye(2, 3), {"axis": 0, "keepdims": True}), (np.arange(3.0), {"axis": -1})]
    ],
    *[
        Example(
            "gradient",
            lambda x, h=h, e=e: tg.gradient(x, h, axis=1, edge_order=e),
            lambda x, h=h, e=e: torch.gradient(
                x, spacing=h if isinstance(h, float) else (torch.tensor(h, dtype=x.dtype),), dim=1, edge_order=e
            )[0],
            (2, 4),
        )
        for h in (0.5, [0.0, 0.5, 2.0, 2.2])
        for e in (1, 2)
    ],
    *[
        Example(
            f.__name__,
            lambda x, f=f, p=p, s=s: f(x, *p, s),
            lambda x, g=g, p=p, s=s: g[len(s) - 1](x, *p, s),
            (2, 3, 6, 5, 4)[: 2 + len(s)],
        )
        for f, g, p in [
            (tg.max_pool, (F.max_pool1d, F.max_pool2d, F.max_pool3d), ()),
            (tg.avg_pool, (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d), ()),
            (tg.lp_pool, (lambda x, p, s: F.lp_pool1d(x, p, s[0]), F.lp_pool2d, F.lp_pool3d), (2,)),
            (tg.adaptive_avg_pool, (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d), ()),
            (tg.adaptive_max_pool, (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d), ()),
        ]
        for s in [(3,), (2, 3), (3, 2, 2)]
    ],
    Example("view", lambda x: tg.view(x, (3, 2)), lambda x: x.view(3, 2), (2, 3)),
    Example("unsqueeze", lambda x: tg.unsqueeze(x, -1), lambda x: x.unsqueeze(-1), (2, 3)),
    Example("movedim", lambda x: tg.movedim(x, 0, -1), lambda x: x.movedim(0, -1), (2, 3, 4)),
    *[
        Example(
            f.__name__,
            lambda x, w, b, o=o, f=f: f(x, *STATISTICS(), w, b, **o),
            lambda x, w, b, o=o, g=g: g(x, *map(torch.tensor, STATISTICS()), w, b, **o),
            s,
            (3,),
            (3,),
        )
        for f, g, o in [
            (tg.batch_norm, F.batch_norm, {"training": True}),
            (tg.batch_norm, F.batch_norm, {"training": False}),
            (tg.instance_norm, F.instance_norm, {}),
            (tg.instance_norm, F.instance_norm, {"use_input_stats": False}),
        ]
        for s in [(4, 3, 2), (2, 3, 2, 2)]
    ],
    Example(
        "batch_norm_relu",
        lambda x, w, b, r: tg.batch_norm_relu(x, None, None, w, b, r, True),
        lambda x, w, b, r: F.relu(F.batch_norm(x, None, None, w, b, True) + r),
        (4, 3, 2),
        (3,),
        (3,),
        (4, 3, 2),
    ),
    *[
        Example(
            "group_norm",
            lambda x, w, b, n=n: tg.group_norm(x, n, w, b),
            lambda x, w, b, n=n: F.group_norm(x, n, w, b),
            (2, 6, 3, 2),
            (6,),
            (6,),
        )
        for n in (1, 2, 6)
    ],
    *[
        Example(
            "layer_norm", lambda x, w, b: tg.layer_norm(x, w.shape, w, b), lambda x, w, b: F.layer_norm(x, w.shape, w, b), (2, 3, 4), s, s
        )
        for s in [(4,), (3, 4)]
    ],
    Example("rms_norm", lambda x, w: tg.rms_norm(x, w.shape, w), lambda x, w: F.rms_norm(x, w.shape, w), (2, 3, 4), (4,)),
    *[Example("svd", lambda A: rebuilt(*tg.svd(A)), lambda A: rebuilt(*torch.linalg.svd(A)), s) for s in [(3, 3), (2, 2, 2)]],
    *[
        Example(name, lambda A, f=f: f((A + A.T) / 2)[0], lambda A: torch.linalg.eigvalsh((A + A.mT) / 2), (3, 3))
        for name, f in [("eigh", tg.eigh), ("eig", tg.eig)]
    ],
    Example("eigvals", lambda A: tg.eigvals((A + A.T) / 2), lambda A: torch.linalg.eigvalsh((A + A.mT) / 2), (3, 3)),
    Example("eigh", lambda A: tg.eigh(A)[1] ** 2, lambda A: torch.linalg.eigh((A + A.mT) / 2)[1] ** 2, (3, 3)),
    Example("multi_dot", lambda *xs: tg.multi_dot(xs), lambda *xs: torch.linalg.multi_dot(xs), (2, 3), (3, 4), (4,)),
    Example("slogdet", lambda A: tg.slogdet(A)[1], lambda A: torch.linalg.slogdet(A)[1], (2, 3, 3)),
    *[
        Example("einsum", lambda *xs, s=s: tg.einsum(s, *xs), lambda *xs, s=s: torch.einsum(s, *xs), *shapes)
        for s, *shapes in [
            ("ij,jk", (2, 3), (3, 4)),
            ("...ij,...kj->...ik", (2, 2, 3), (2, 4, 3)),
            ("bij,bjk,k->bi", (2, 2, 3), (2, 3, 4), (4,)),
            ("ii->i", (3, 3)),
        ]
    ],
    *[
        Example(
            f.__name__,
            lambda x, f=f, o=o: f(x, CLASSES, **o),
            lambda x, g=g, o=o: g(x, whole(CLASSES), **{k: torch.as_tensor(v) if k == "weight" else v for k, v in o.items()}),
            (2, 4, 2),
        )
        for f, g, more in [(tg.nll_loss, F.nll_loss, {}), (tg.cross_entropy, F.cross_entropy, {"label_smoothing": 0.1})]
        for o in [
            {},
            {"reduction": "sum"},
            {"reduction": "none"},
            {"weight": CLASS_WEIGHT},
            {"weight": CLASS_WEIGHT, **more},
            {"ignore_index": 2},
        ]
    ],
    *[
        Example(
            "cross_entropy",
            lambda x, q, o=o: tg.cross_entropy(x, tg.softmax(q, axis=1), **o),
            lambda x, q, o=o: F.cross_entropy(x, torch.softmax(q, 1), **o),
            (3, 4, 2),
            (3, 4, 2),
        )
        for o in [{}, {"reduction": "sum"}, {"label_smoothing": 0.2}]
    ],
    *[
        Example(
            "hinge_embedding_loss",
            lambda x, r=r: tg.hinge_embedding_loss(x, SIGNS, 0.7, r),
            lambda x, r=r: F.hinge_embedding_loss(x, torch.tensor(SIGNS, dtype=x.dtype), 0.7, reduction=r),
            (2, 3),
        )
        for r in ("mean", "sum", "none")
    ],
    Example(
        "multi_head_attention",
        lambda x, *w: tg.transpose(tg.multi_head_attention(*[tg.transpose(x, (1, 0, 2))] * 3, 2, *w), (1, 0, 2)),
        multi_head,
        *[(3, 2, 4), (12, 4), (12,), (4, 4), (4,)],
    ),
]

NOT_IN_TORCH = {  # without a gradient, or by no name there
    "astype",  # Tensor.to, which the comparison in float64 says nothing about
    "matrix_rank",
    "all", "any", "argmax", "argmin", "argsort", "argpartition", "one_hot",
    "greater", "greater_equal", "less", "less_equal", "equal", "not_equal",
    "logical_and", "logical_or", "logical_xor", "logical_not", "isnan", "isinf", "isfinite", "signbit",
    "dropout",  # its random numbers differ from PyTorch's
    "smooth_max_pool", "smooth_max_pool1d", "smooth_max_pool2d", "smooth_max_pool3d",
}  # fmt: skip

BELOW = {"batch_norm", "batch_norm_relu"}  # rules of these names take other arguments than the functions made of them

OTHERWISE = {  # cases in which the convention differs on purpose: {case: why}
    "max(0x3,axis=0,initial=1.5)": "PyTorch's has no start, and refuses what is empty",
    "min(0x3,axis=0,initial=1.5)": "the same",
    "std(1x3,axis=1,where=[True,True,False]):allequal": "where all are equal the derivative is 0; PyTorch's square root gives nan",
    "nanstd(3x3,axis=0):holes": "where all are equal the derivative is 0, as for std; PyTorch's square root gives nan",
    "fmax(3,3):nan": "where both are nan the derivatives are 0; PyTorch's are 1",
    "fmin(3,3):nan": "the same",
    "interpolate(1x2x3,scale_factor=1.24):1.24": "PyTorch's value takes entries 0, 0, 1, but its derivative goes to 0, 1, 2",
    "sinc(5):near0": "the slope near 0 is right to the last bits; PyTorch's is 0 at 1e-9, where the terms of its formula cancel",
    "hypot(2,2):kink": "both partials are 0 at (0, 0); PyTorch gives nan",
    "lp_pool2d(1x3x4,norm_type=1.5,kernel_size=2,stride=1,padding=1):padded": "PyTorch's has no padding",
    "det(3x3):singular": "the derivative is the matrix of cofactors, which is not 0; PyTorch gives 0",
    "eigvalsh(3x3):equal": "the vectors of equal eigenvalues are a choice, which differs, and so does the derivative of each",
    "svdvals(3x2):ofrank1": "the same for the vectors of a singular value that is 0",
    "softmax(2x2):masked": "a row that is -inf everywhere has softmax 0; PyTorch gives nan",
    "log_softmax(2x2):masked": "and log_softmax -inf",
    "unfold(2x5,kernel_size=(2,)):alone,oneaxis": "PyTorch unfolds images only",
    "fold(4x2,output_size=(5,),kernel_size=(2,),stride=3):alone,oneaxis": "PyTorch folds images only",
}

"""The functions that benchmarks/functions.py measures, with arrays of about n² entries, and PyTorch's call of each.

A function of matrices of any shape is measured as a case of its tests, made n × n: see `derived`. The others are written out in
`written`: there the shapes, axes and indices are those of daily use.
"""

from functools import partial

import numpy as np

from tensorgrad.families import PUBLIC
from tests.tensorgrad.cases import every_case
from tests.tensorgrad.counterparts import THEIRS, multi_head

LEFT_OUT = {  # public functions with a peer that are not measured
    **dict.fromkeys(["cat", "view", "amax", "amin", "mse", "bce", "movedim"], "another name of a function that is measured"),
    **dict.fromkeys(["conv", "conv_transpose", "max_pool", "avg_pool", "lp_pool"], "calls the function with a number in its name"),
    **dict.fromkeys(["adaptive_avg_pool", "adaptive_max_pool"], "the same"),
    **dict.fromkeys(["floor", "ceil", "trunc", "round", "sign", "floor_divide"], "its derivative is 0"),
    **dict.fromkeys(["eig", "eigvals"], "PyTorch's results are complex numbers"),
    **dict.fromkeys(["atleast_1d", "atleast_2d", "atleast_3d"], "nothing happens to a matrix"),
}
RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def positive(*shape):
    return np.abs(normal(*shape)) + np.float32(0.5)


def symmetric(k, m):
    """Return k positive definite matrices, whose eigenvalues lie apart."""
    Q = np.linalg.qr(RNG.standard_normal((k, m, m)))[0]
    return ((Q * np.linspace(1, 2, m)) @ Q.swapaxes(-1, -2)).astype(np.float32)


def derived(n, torch):
    """Return {name: (f(np, *xs), PyTorch's f(*xs), draw)}: the first smooth case of matrices in the tests, with n for each length.

    `np` is tensorgrad or HIPS autograd's NumPy; draw() returns the arrays.
    """
    F, found = torch.nn.functional, {}
    itself = {"elu": F.elu, "leaky_relu": F.leaky_relu, "hardsigmoid": F.hardsigmoid, "sqrt": torch.sqrt}  # without options of the tests
    for case in every_case():
        if case.name not in PUBLIC or case.name in found or case.name not in THEIRS or not case.smooth:
            continue
        if any(isinstance(s, np.ndarray) or 0 in s for s in case.shapes) or max(map(len, case.shapes)) != 2:
            continue
        if not any(isinstance(value, np.ndarray) for value in case.options.values()):
            ours = lambda np, *xs, name=case.name, options=case.options: getattr(np, name)(*xs, **options)
            theirs = partial(itself.get(case.name, THEIRS[case.name]), **case.options)
            found[case.name] = ours, theirs, partial(of_size, case, n)
    return found


def of_size(case, n):
    return [case.domain(normal(*[n if k > 1 else 1 for k in shape])).astype(np.float32) for shape in case.shapes]


def written(n, torch):
    """Return {what: (f(np, *xs), PyTorch's f(*xs), arrays)}; `what` is the function's name, and after a comma what is special."""
    F, linalg = torch.nn.functional, torch.linalg
    x, y, b, c = [normal(n, n)], [normal(n, n), normal(n, n)], normal(n), normal(n)
    half = n // 2
    mask, wanted, places = RNG.random((n, n)) > 0.5, RNG.integers(0, n, n), RNG.integers(0, n, (n, n))
    moved = RNG.permuted(np.tile(np.arange(n), (n, 1)), axis=1)  # each entry once
    unlike = [np.linspace(-3, 3, n, dtype=np.float32)[moved]]  # no two entries of a row are equal: among equals, any order is right
    t_mask, t_wanted, t_places, t_moved = map(torch.tensor, (mask, wanted, places, moved))
    signs = np.where(mask, 1, -1).astype(np.float32)
    t_signs = torch.tensor(signs)
    m = min(n, 256)  # a stack of matrices that are not too large to decompose
    k = n * n // (m * m)
    A, S = [normal(k, m, m) / np.float32(2 * m**0.5) + np.eye(m, dtype=np.float32)], [symmetric(k, m)]
    side, deep = min(n, 64), min(n, 16)
    channels = max(1, min(64, n * n // side**2))
    lines = [normal(max(1, n * n // (channels * m)), channels, m)]
    images = [normal(max(1, n * n // (channels * side**2)), channels, side, side)]
    solids = [normal(max(1, n * n // (channels * deep**3)), channels, deep, deep, deep)]
    kernels = [normal(channels, channels, *(3,) * d) / np.float32(channels**0.5 * 3) for d in (1, 2, 3)]
    weights = [positive(channels), normal(channels)]
    groups = max(1, channels // 4)
    heads = [normal(max(1, n * n // (4 * min(n, 64) * 16)), 4, min(n, 64), 16) for _ in range(3)]
    E = min(n, 128)
    tokens = normal(max(1, n * n // (E * min(n, 64))), min(n, 64), E)
    projections = [normal(3 * E, E) / np.float32(E**0.5), normal(3 * E), normal(E, E) / np.float32(E**0.5), normal(E)]

    return {
        "where": (lambda np, a, b: np.where(mask, a, b), lambda a, b: torch.where(t_mask, a, b), y),
        "masked_fill": (lambda np, x: np.masked_fill(x, mask, 2.0), lambda x: x.masked_fill(t_mask, 2.0), x),
        "pow": (lambda np, a, b: a**b, lambda a, b: a**b, [positive(n, n), normal(n, n)]),
        "pow, to the 3": (lambda np, x: x**3, lambda x: x**3, x),
        "clamp": (lambda np, x: np.clamp(x, -1, 1), lambda x: x.clamp(-1, 1), x),
        "clip": (lambda np, x: np.clip(x, -1, 1), lambda x: x.clip(-1, 1), x),
        # reductions
        "sum": (lambda np, x: np.sum(x), torch.sum, x),
        "prod, axis 1": (lambda np, x: np.prod(x, 1), lambda x: x.prod(1), [positive(n, n) ** np.float32(1 / n)]),
        "nanprod": (lambda np, x: np.nanprod(x, 1), lambda x: x.nan_to_num(1.0).prod(1), [positive(n, n) ** np.float32(1 / n)]),
        "logsumexp": (lambda np, x: np.logsumexp(x, 1), lambda x: x.logsumexp(1), x),
        "vector_norm": (lambda np, x: np.vector_norm(x, axis=1), lambda x: linalg.vector_norm(x, dim=1), x),
        "norm": (lambda np, x: np.norm(x), lambda x: linalg.norm(x), x),
        "median": (lambda np, x: np.median(x, 1), lambda x: x.median(1)[0], [normal(n, n - 1)]),
        "sort": (lambda np, x: np.sort(x, 1), lambda x: x.sort(1)[0], unlike),
        "partition": (lambda np, x: np.sum(np.partition(x, half, 1)[:, half]), lambda x: x.kthvalue(half + 1, 1)[0].sum(), unlike),
        "cumsum": (lambda np, x: np.cumsum(x, 1), lambda x: x.cumsum(1), x),
        "cumprod": (lambda np, x: np.cumprod(x, 1), lambda x: x.cumprod(1), [positive(n, n) ** np.float32(1 / n)]),
        "diff": (lambda np, x: np.diff(x), torch.diff, x),
        "gradient": (lambda np, x: np.gradient(x, axis=1), lambda x: torch.gradient(x, dim=1)[0], x),
        "topk": (lambda np, x: np.topk(x, 3)[0], lambda x: torch.topk(x, 3)[0], unlike),
        **{
            name: (lambda np, x, f=name: getattr(np, f)(x, 1), lambda x, f=f: f(x, 1), x)
            for name, f in {"mean": torch.mean, "max": torch.amax, "min": torch.amin}.items()
        },
        "max, of all": (lambda np, x: np.max(x), torch.amax, x),
        **{
            name: (lambda np, x, f=name: getattr(np, f)(x, 1), lambda x, f=f: f(x, 1, correction=0), x)
            for name, f in {"var": torch.var, "std": torch.std}.items()
        },
        # shapes
        "reshape": (lambda np, x: np.reshape(x, (half, -1)), lambda x: x.reshape(half, -1), x),
        "transpose": (lambda np, x: np.transpose(x), lambda x: x.mT, x),
        "transpose, of images": (lambda np, x: np.transpose(x, (0, 2, 3, 1)), lambda x: x.permute(0, 2, 3, 1), images),
        "permute": (lambda np, x: np.permute(x, (0, 2, 3, 1)), lambda x: x.permute(0, 2, 3, 1), images),
        "swapaxes": (lambda np, x: np.swapaxes(x, 0, 1), lambda x: x.swapaxes(0, 1), x),
        "moveaxis": (lambda np, x: np.moveaxis(x, 1, -1), lambda x: x.movedim(1, -1), images),
        "rollaxis": (lambda np, x: np.rollaxis(x, 3, 1), lambda x: x.movedim(3, 1), images),
        "matrix_transpose": (lambda np, x: np.matrix_transpose(x), lambda x: x.mT, A),
        "flatten": (lambda np, x: np.flatten(x, 1), lambda x: x.flatten(1), images),
        "unflatten": (lambda np, x: np.unflatten(x, 1, (half, -1)), lambda x: x.unflatten(1, (half, -1)), x),
        "squeeze": (lambda np, x: np.squeeze(x), lambda x: x.squeeze(), [normal(n, 1, n)]),
        "expand_dims": (lambda np, x: np.expand_dims(x, 1), lambda x: x.unsqueeze(1), x),
        "broadcast_to": (lambda np, x: np.broadcast_to(x, (n, n)), lambda x: x.broadcast_to((n, n)), [normal(1, n)]),
        "expand": (lambda np, x: np.expand(x, (n, n)), lambda x: x.expand(n, n), [b]),
        "flip": (lambda np, x: np.flip(x, 1), lambda x: x.flip(1), x),
        "roll": (lambda np, x: np.roll(x, 1, 0), lambda x: x.roll(1, 0), x),
        "repeat": (lambda np, x: np.repeat(x, 2, 0), lambda x: x.repeat_interleave(2, 0), x),
        "pad": (lambda np, x: np.pad(x, 1, "constant"), lambda x: F.pad(x, (1, 1, 1, 1)), x),
        "tril": (lambda np, x: np.tril(x), torch.tril, x),
        "triu": (lambda np, x: np.triu(x), torch.triu, x),
        "diagonal": (lambda np, x: np.diagonal(x, 0, -1, -2), lambda x: x.diagonal(0, -1, -2), x),
        "diag": (lambda np, x: np.diag(x), torch.diag, [b]),
        "trace": (lambda np, x: np.trace(x), torch.trace, x),
        # joining and cutting
        "concatenate": (lambda np, a, b: np.concatenate([a, b], 1), lambda a, b: torch.cat([a, b], 1), y),
        "stack": (lambda np, a, b: np.stack([a, b]), lambda a, b: torch.stack([a, b]), y),
        **{
            name: (lambda np, a, b, f=name: getattr(np, f)([a, b]), lambda a, b, f=name: getattr(torch, f)([a, b]), y)
            for name in ("hstack", "vstack", "dstack", "column_stack")
        },
        "append": (lambda np, a, b: np.append(a, b, 1), lambda a, b: torch.cat([a, b], 1), y),
        **{
            name: (lambda np, x, f=name: getattr(np, f)(x, 2)[1], lambda x, f=f: f(x)[1], x)
            for name, f in {
                **{"split": lambda x: x.split(half), "chunk": lambda x: x.chunk(2), "array_split": lambda x: x.tensor_split(2)},
                **{"hsplit": lambda x: x.hsplit(2), "vsplit": lambda x: x.vsplit(2)},
            }.items()
        },
        "dsplit": (lambda np, x: np.dsplit(x, 2)[1], lambda x: x.dsplit(2)[1], A),
        "unbind": (lambda np, x: np.unbind(x)[1], lambda x: x.unbind()[1], x),
        # indexing
        "getitem, slices": (lambda np, x: x[1:, ::2], lambda x: x[1:, ::2], x),
        "getitem, rows": (lambda np, x: x[wanted], lambda x: x[t_wanted], x),
        "getitem, columns": (lambda np, x: x[:, wanted], lambda x: x[:, t_wanted], x),
        "getitem, mask": (lambda np, x: x[mask], lambda x: x[t_mask], x),
        "index_put": (lambda np, x, v: np.index_put(x, wanted, v, accumulate=True), lambda x, v: x.index_put((t_wanted,), v, True), y),
        "narrow": (lambda np, x: np.narrow(x, 1, 1, half), lambda x: x.narrow(1, 1, half), x),
        "select": (lambda np, x: np.select(x, 1, 1), lambda x: x.select(1, 1), x),
        "take": (lambda np, x: np.take(x, wanted, 0), lambda x: x.index_select(0, t_wanted), x),
        "take, columns": (lambda np, x: np.take(x, wanted, 1), lambda x: x.index_select(1, t_wanted), x),
        "take_along_axis": (lambda np, x: np.take_along_axis(x, places, 1), lambda x: x.take_along_dim(t_places, 1), x),
        "gather": (lambda np, x: np.gather(x, 1, places), lambda x: x.gather(1, t_places), x),
        "index_select, rows": (lambda np, x: np.index_select(x, 0, wanted), lambda x: x.index_select(0, t_wanted), x),
        "index_select, columns": (lambda np, x: np.index_select(x, 1, wanted), lambda x: x.index_select(1, t_wanted), x),
        "embedding": (lambda np, x: np.embedding(wanted, x), lambda x: F.embedding(t_wanted, x), x),
        "scatter": (lambda np, x, s: np.scatter(x, 1, moved, s), lambda x, s: x.scatter(1, t_moved, s), y),
        "scatter_add": (lambda np, x, s: np.scatter_add(x, 1, places, s), lambda x, s: x.scatter_add(1, t_places, s), y),
        "index_add": (lambda np, x, s: np.index_add(x, 0, wanted, s), lambda x, s: x.index_add(0, t_wanted, s), y),
        # products and decompositions
        "matmul": (lambda np, a, b: np.matmul(a, b), torch.matmul, y),
        "mv": (lambda np, a, b: np.mv(a, b), torch.mv, [*x, b]),
        "matmul, by a vector": (lambda np, a, b: np.matmul(a, b), torch.matmul, [*x, b]),
        "bmm": (lambda np, a, b: np.bmm(a, b), torch.bmm, [*A, normal(k, m, m)]),
        "addmm": (lambda np, c, a, b: np.addmm(c, a, b), torch.addmm, [b, *y]),
        "baddbmm": (lambda np, c, a, b: np.baddbmm(c, a, b), torch.baddbmm, [normal(k, m, m), *A, normal(k, m, m)]),
        "linear": (lambda np, a, w, b: np.linear(a, w, b), F.linear, [*y, b]),
        "dot": (lambda np, a, b: np.dot(a, b), torch.dot, [normal(n * n), normal(n * n)]),
        "inner": (lambda np, a, b: np.inner(a, b), torch.inner, y),
        "outer": (lambda np, a, b: np.outer(a, b), torch.outer, [b, c]),
        "bilinear": (
            lambda np, a, b, w: np.bilinear(a, b, w),
            F.bilinear,
            [normal(n, min(n, 16)), normal(n, min(n, 16)), normal(min(n, 16), min(n, 16), min(n, 16))],
        ),
        "einsum": (lambda np, a, b: np.einsum("ij,kj->ik", a, b), lambda a, b: torch.einsum("ij,kj->ik", a, b), y),
        "tensordot": (lambda np, a, b: np.tensordot(a, b, 1), lambda a, b: torch.tensordot(a, b, 1), y),
        "kron": (lambda np, a, b: np.kron(a, b), torch.kron, [normal(4, 4), normal(max(1, n // 4), max(1, n // 4))]),
        "cross": (lambda np, a, b: np.cross(a, b), linalg.cross, [normal(max(1, n * n // 3), 3), normal(max(1, n * n // 3), 3)]),
        "vdot": (lambda np, a, b: np.vdot(a, b), torch.vdot, [normal(n * n), normal(n * n)]),
        "matrix_power": (lambda np, x: np.matrix_power(x, 5), lambda x: linalg.matrix_power(x, 5), A),
        "multi_dot": (lambda np, *xs: np.multi_dot(xs), lambda *xs: linalg.multi_dot(xs), [*y, b]),
        "cholesky": (lambda np, x: np.cholesky(x), linalg.cholesky, S),
        "det": (lambda np, x: np.det(x), linalg.det, A),
        "slogdet": (lambda np, x: np.slogdet(x)[1], lambda x: linalg.slogdet(x)[1], A),
        "inv": (lambda np, x: np.inv(x), linalg.inv, A),
        "solve": (lambda np, a, b: np.solve(a, b), linalg.solve, [*A, normal(k, m, m)]),
        "eigh": (lambda np, x: np.eigh(x)[0], lambda x: linalg.eigh(x)[0], S),
        "eigvalsh": (lambda np, x: np.eigvalsh(x), linalg.eigvalsh, S),
        "svd": (lambda np, x: np.svd(x, False)[1], lambda x: linalg.svd(x, False)[1], S),
        "svdvals": (lambda np, x: np.svdvals(x), linalg.svdvals, S),
        "pinv": (lambda np, x: np.pinv(x), linalg.pinv, S),
        "matrix_norm": (lambda np, x: np.matrix_norm(x), linalg.matrix_norm, A),
        "cond": (lambda np, x: np.cond(x), linalg.cond, S),
        # images
        **{
            f"conv{d}d": (
                lambda np, x, w, b, f=f"conv{d}d": getattr(np, f)(x, w, b, padding=1),
                lambda x, w, b, f=f"conv{d}d": getattr(F, f)(x, w, b, padding=1),
                [*xs, kernels[d - 1], weights[1]],
            )
            for d, xs in enumerate((lines, images, solids), 1)
        },
        **{
            f"conv_transpose{d}d": (
                lambda np, x, w, b, f=f"conv_transpose{d}d": getattr(np, f)(x, w, b, padding=1),
                lambda x, w, b, f=f"conv_transpose{d}d": getattr(F, f)(x, w, b, padding=1),
                [*xs, kernels[d - 1], weights[1]],
            )
            for d, xs in enumerate((lines, images, solids), 1)
        },
        "conv2d, depthwise": (
            lambda np, x, w: np.conv2d(x, w, padding=1, groups=channels),
            lambda x, w: F.conv2d(x, w, padding=1, groups=channels),
            [*images, normal(channels, 1, 3, 3)],
        ),
        **{
            f"{name}{d}d": (
                lambda np, x, f=f"{name}{d}d", o=o: getattr(np, f)(x, **o),
                lambda x, f=f"{name}{d}d", o=o: getattr(F, f)(x, **o),
                [np.abs(a) for a in xs] if name == "lp_pool" else xs,
            )
            for d, xs in enumerate((lines, images, solids), 1)
            for name, o in {
                **{"max_pool": {"kernel_size": 2}, "avg_pool": {"kernel_size": 2}, "lp_pool": {"norm_type": 2, "kernel_size": 2}},
                **{"adaptive_avg_pool": {"output_size": 2}, "adaptive_max_pool": {"output_size": 2}},
            }.items()
        },
        "unfold": (lambda np, x: np.unfold(x, 3, padding=1), lambda x: F.unfold(x, 3, padding=1), images),
        "fold": (
            lambda np, x: np.fold(x, (side, side), 2, stride=2),
            lambda x: F.fold(x, (side, side), 2, stride=2),
            [normal(images[0].shape[0], channels * 4, side * side // 4)],
        ),
        **{
            f"interpolate, {mode}": (
                lambda np, x, mode=mode: np.interpolate(x, scale_factor=2, mode=mode),
                lambda x, mode=mode: F.interpolate(x, scale_factor=2, mode=mode),
                images,
            )
            for mode in ("nearest", "bilinear", "bicubic")
        },
        "pixel_shuffle": (
            lambda np, x: np.pixel_shuffle(x, 2),
            lambda x: F.pixel_shuffle(x, 2),
            [normal(images[0].shape[0], channels * 4, side // 2, side // 2)],
        ),
        "pixel_unshuffle": (lambda np, x: np.pixel_unshuffle(x, 2), lambda x: F.pixel_unshuffle(x, 2), images),
        # layers
        **{
            name: (lambda np, x, f=name: getattr(np, f)(x, 1), lambda x, f=name: getattr(F, f)(x, 1), x)
            for name in ("softmax", "log_softmax", "glu")
        },
        "batch_norm": (
            lambda np, x, w, b: np.batch_norm(x, None, None, w, b, True),
            lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
            [*images, *weights],
        ),
        "batch_norm_relu": (
            lambda np, x, w, b, r: np.batch_norm_relu(x, None, None, w, b, r, True),
            lambda x, w, b, r: F.relu(F.batch_norm(x, None, None, w, b, True) + r),
            [*images, *weights, normal(*images[0].shape)],
        ),
        "instance_norm": (
            lambda np, x, w, b: np.instance_norm(x, None, None, w, b),
            lambda x, w, b: F.instance_norm(x, None, None, w, b),
            [*images, *weights],
        ),
        "group_norm": (
            lambda np, x, w, b: np.group_norm(x, groups, w, b),
            lambda x, w, b: F.group_norm(x, groups, w, b),
            [*images, *weights],
        ),
        "layer_norm": (lambda np, x, w, b: np.layer_norm(x, n, w, b), lambda x, w, b: F.layer_norm(x, (n,), w, b), [*x, positive(n), b]),
        "rms_norm": (lambda np, x, w: np.rms_norm(x, n, w, eps=1e-6), lambda x, w: F.rms_norm(x, (n,), w, eps=1e-6), [*x, positive(n)]),
        "scaled_dot_product_attention": (
            lambda np, *qkv: np.scaled_dot_product_attention(*qkv),
            F.scaled_dot_product_attention,
            heads,
        ),
        "multi_head_attention": (
            lambda np, x, *w: np.multi_head_attention(x, x, x, 2, *w),
            lambda x, *w: multi_head(x.transpose(0, 1), *w).transpose(0, 1),
            [tokens, *projections],
        ),
        # losses
        **{
            name: (lambda np, x, f=name: getattr(np, f)(x, wanted), lambda x, f=name: getattr(F, f)(x, t_wanted), x)
            for name in ("cross_entropy", "nll_loss")
        },
        "kl_div": (
            lambda np, x, t: np.kl_div(x, t, reduction="batchmean"),
            lambda x, t: F.kl_div(x, t, reduction="batchmean"),
            [normal(n, n), positive(n, n)],
        ),
        "hinge_embedding_loss": (lambda np, x: np.hinge_embedding_loss(x, signs), lambda x: F.hinge_embedding_loss(x, t_signs), x),
        "gaussian_nll_loss": (
            lambda np, x, t, v: np.gaussian_nll_loss(x, t, v),
            lambda x, t, v: F.gaussian_nll_loss(x, t, v),
            [*y, positive(n, n)],
        ),
    }


def every(n, torch):
    """Return all cases as `derived` does, those that are written out first. n is a power of 2, at least 4."""
    found = {what: (f, theirs, lambda arrays=arrays: arrays) for what, (f, theirs, arrays) in written(n, torch).items()}
    names = {what.partition(",")[0] for what in found} | LEFT_OUT.keys()
    return found | {name: case for name, case in derived(n, torch).items() if name not in names}

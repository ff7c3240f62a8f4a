"""Products of matrices in C, beside those of NumPy: memory layouts, stacks, a bias, inf and nan, and the same bits for any part of them."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad.kernels import registry, using
from tensorgrad.kernels.products import matmul, matmuls
from tensorgrad.kernels.registry import KERNELS
from tensorgrad.kernels.threads import threads
from tests.each import each
from tests.tensorgrad.kernels.test_compiled import CLOSE, DTYPES, differ, numbers

compiled = pytest.mark.skipif("compiled" not in registry.SETS, reason="python -m tensorgrad.kernels.compiled was not run")
library = pytest.importorskip("tensorgrad.kernels.compiled.library")
in_c = pytest.mark.skipif(library.library() is None or not library.has_products(), reason="no library here has products of matrices")

# fmt: off
SHAPES = {  # of A and of B
    "whole tiles":             ((130, 256), (256, 128)),
    "one row and column more": ((131, 200), (200, 161)),
    "a last tile of one vector": ((66, 512), (512, 136)),
    "long sums":               ((70, 1100), (1100, 80)),
    "more columns than panels": ((64, 70), (70, 1100)),
    "few rows":                ((13, 600), (600, 600)),
    "one row":                 ((1, 300), (300, 161)),
    "one row of a stack":      ((3, 1, 300), (3, 300, 161)),
    "a stack":                 ((3, 64, 256), (3, 256, 300)),
    "a stack and a matrix":    ((3, 64, 256), (1, 256, 300)),
}
LAYOUTS = {
    "rows":              lambda x: x,
    "columns":           lambda x: np.ascontiguousarray(x.mT).mT,
    "rows with gaps":    lambda x: np.concatenate([x, x], -1)[..., : x.shape[-1]],
    "columns with gaps": lambda x: np.concatenate([x.mT, x.mT], -1)[..., : x.shape[-2]].mT,
    "rows backwards":    lambda x: np.ascontiguousarray(x[..., ::-1, :])[..., ::-1, :],
    "neither":           lambda x: np.repeat(x.repeat(2, -1), 2, -2)[..., ::2, ::2],
}
# fmt: on


def in_numpy(A, B, bias=None):
    y = np.empty((*A.shape[:-1], B.shape[-1]), np.result_type(A, B))
    with np.errstate(all="ignore"):
        KERNELS["product"].numpy(A, B, y, bias)
    return y


def with_special(x, seed):
    """Put some inf, nan and zeros into an array."""
    places = np.random.default_rng(seed).choice(x.size, 9, replace=False)
    x.reshape(-1)[places] = [np.inf, -np.inf, np.nan, 0, 0, 0, -0.0, np.inf, 0]
    return x


@compiled
@each("name", SHAPES)
@each("dtype", DTYPES)
def test_a_product_in_c_is_that_of_numpy(dtype, name):
    for of_a in LAYOUTS:
        for of_b in LAYOUTS:
            for special in (False, True):
                A, B = [numbers(shape, dtype, seed) for seed, shape in enumerate(SHAPES[name])]
                if special:
                    A, B = with_special(A, 1), with_special(B, 2)
                A, B = LAYOUTS[of_a](A), LAYOUTS[of_b](B)
                for bias in (None, numbers(B.shape[-1], dtype, 3)):
                    y = np.full((*A.shape[:-1], B.shape[-1] + 5), 7, dtype)
                    with using("compiled"), np.errstate(all="ignore"):
                        KERNELS["product"](A, B, y[..., :-5], bias)
                    case = f"{name}, {of_a} times {of_b}, special {special}, bias {bias is not None}"
                    assert not differ(y[..., :-5], in_numpy(A, B, bias), CLOSE[dtype]), case
                    assert (y[..., -5:] == 7).all(), f"{case}: it wrote beside y"


@in_c
@each("name", SHAPES)
def test_c_computes_these_products(monkeypatch, name):
    monkeypatch.setattr(KERNELS["product"], "numpy", None)  # which would raise an error
    for layout in (
        "rows",
        "rows with gaps",
        *([] if name in ("few rows", "one row", "one row of a stack") else ["columns", "rows backwards"]),
    ):
        A, B = [LAYOUTS[layout](numbers(shape, np.float32)) for shape in SHAPES[name]]
        transposed = LAYOUTS["columns"](B)
        library.product(A, B if name != "few rows" else transposed, np.empty((*A.shape[:-1], B.shape[-1]), np.float32))


@in_c
@each("rows, of_b", [(12, "columns"), (63, "rows")])
def test_c_leaves_products_of_few_rows_to_numpy(monkeypatch, rows, of_b):
    monkeypatch.setattr(KERNELS["product"], "numpy", None)
    A, B = numbers((rows, 1000), np.float32), LAYOUTS[of_b](numbers((1000, 1000), np.float32))
    with pytest.raises(TypeError, match="NoneType"):
        library.product(A, B, np.empty((rows, 1000), np.float32))


def with_odd_bytes(x):
    """Return x with two bytes more between its rows, or its matrices."""
    wide = np.zeros(len(x), np.dtype([("x", x.dtype, x.shape[1:]), ("gap", np.int16)]))
    wide["x"] = x
    return wide["x"]


def odd_ones():
    """Yield arrays A and B of products that are left to NumPy."""
    A, B = numbers((128, 256), np.float32), numbers((256, 256), np.float32, 1)
    yield with_odd_bytes(A), B
    yield with_odd_bytes(np.stack([A, A])), np.stack([B, B])
    yield A, B.astype(np.float64)
    yield A.astype(np.float64), B
    yield A, B.astype(np.int32)
    yield A.astype(">f4"), B
    yield A, A.T
    yield A[:5], B
    yield A[:, :0], B[:0]
    yield A[:0], B
    yield A, B[:, :0]
    yield numbers((2, 1, 64, 256), np.float32), numbers((3, 256, 256), np.float32)


@compiled
def test_other_products_are_those_of_numpy():
    for number, (A, B) in enumerate(odd_ones()):
        with using("compiled"):
            found = matmul(A, B)
            at_once = np.empty_like(found)
            KERNELS["product"](A, B, at_once)
        right = np.matmul(A, B)
        assert found.dtype == right.dtype and found.shape == right.shape and np.array_equal(found, right), number
        assert np.array_equal(at_once, right), number


IN_PARTS = {
    "rows": ((1100, 200), (200, 300)),
    "columns": ((100, 300), (300, 1300)),
    "sums": ((90, 1500), (1500, 120)),
    "sums of few numbers": ((13, 70_000), (70_000, 17)),
    "a stack": ((2, 16, 100, 110), (16, 110, 120)),
    "small": ((3, 4), (4, 5)),
}


@each("name", IN_PARTS)
@each("dtype", DTYPES)
def test_a_product_in_parts_is_the_product(dtype, name):
    A, B = [numbers(shape, dtype, seed) for seed, shape in enumerate(IN_PARTS[name])]
    right = A.astype(np.float64) @ B
    bias = numbers(B.shape[-1], dtype, 3)
    for n in (1, 2):
        with threads(n):
            found = [matmul(A, B)]
            if A.ndim == B.ndim == 2:
                found += [matmul(A, B, None, bias) - bias, *matmuls((A, B), (A, B))]
        for y in found:
            assert y.dtype == dtype and not differ(y, right, CLOSE[dtype]), n


@compiled
@each("dtype", DTYPES)
def test_an_entry_has_the_same_bits_whatever_the_part_it_is_computed_with(dtype):
    bias = numbers(500, dtype, 2)
    for of_a, of_b in (("rows", "rows"), ("columns", "rows"), ("rows", "columns")):
        A, B = LAYOUTS[of_a](numbers((300, 700), dtype)), LAYOUTS[of_b](numbers((700, 500), dtype, 1))
        with using("compiled"):
            whole, part = np.empty((2, 300, 500), dtype)
            KERNELS["product"](A, B, whole, bias)
            for rows in (slice(0, 77), slice(77, 300)):
                KERNELS["product"](A[rows], B, part[rows], bias)
            assert library.library() is None or not library.has_products() or np.array_equal(part, whole)
            for columns in (slice(0, 85), slice(85, 500)):
                KERNELS["product"](A, B[:, columns], part[:, columns], bias[columns])
            assert library.library() is None or not library.has_products() or np.array_equal(part, whole)


def test_a_linear_layer_adds_a_bias_of_any_dtype():
    for shape in ((2, 3), (300, 400)):
        x, W = numbers(shape, np.float32), numbers((7 * shape[1] // 3, shape[1]), np.float32, 1)
        for dtype in DTYPES:
            b = numbers(len(W), dtype, 2)
            y = tg.linear(x, W, b)
            assert y.dtype == np.result_type(np.float32, dtype) and np.allclose(y, x @ W.T + b, 1e-4, 1e-4)

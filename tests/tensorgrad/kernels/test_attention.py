"""Attention in C, beside that of NumPy: axes in front that broadcast, masks, causal parts, inf and nan, the same bits on any threads."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.kernels import registry, using
from tensorgrad.kernels.compiled import library
from tensorgrad.kernels.threads import threads
from tests.each import each
from tests.tensorgrad.kernels.test_compiled import CLOSE, DTYPES, differ, numbers

pytestmark = pytest.mark.skipif("compiled" not in registry.SETS, reason="python -m tensorgrad.kernels.compiled was not run")
TRI = np.tri(40, 50, 5, dtype=bool)
# fmt: off
CASES = {  # shapes of q, k and v, a mask or None, and whether it is causal
    "plain":                 ((3, 4, 40, 16), (3, 4, 50, 16), (3, 4, 50, 24), None, False),
    "no axes in front":      ((130, 9), (150, 9), (150, 33), None, False),
    "keys for all heads":    ((3, 4, 40, 16), (3, 1, 50, 16), (3, 1, 50, 24), None, False),
    "keys for the batch":    ((8, 4, 40, 16), (50, 16), (4, 50, 24), None, False),
    "a batch of values":     ((40, 16), (50, 16), (7, 50, 24), None, False),
    "queries for all heads": ((3, 1, 40, 16), (3, 4, 50, 16), (3, 4, 50, 24), None, False),
    "a mask":                ((3, 4, 40, 16), (3, 4, 50, 16), (3, 4, 50, 24), TRI, False),
    "a mask of each sample": ((3, 4, 40, 16), (3, 4, 50, 16), (3, 4, 50, 24), np.arange(3)[:, None, None, None] > TRI, False),
    "a mask of columns":     ((3, 4, 40, 16), (3, 4, 50, 16), (3, 4, 50, 24), np.ascontiguousarray(TRI.T).T, False),
    "causal":                ((3, 4, 150, 16), (3, 4, 150, 16), (3, 4, 150, 24), None, True),
    "causal, fewer keys":    ((3, 4, 150, 16), (3, 4, 50, 16), (3, 4, 50, 24), None, True),
    "causal and a mask":     ((3, 4, 40, 16), (3, 4, 50, 16), (3, 4, 50, 24), np.arange(40)[:, None] > 8, True),
    "three axes in front":   ((2, 2, 3, 40, 16), (2, 2, 3, 50, 16), (2, 2, 3, 50, 24), None, False),
    "few queries":           ((30, 12, 16), (30, 50, 16), (30, 50, 24), None, False),
}
# fmt: on


def transposed(x):
    return np.ascontiguousarray(x.mT).mT


def heads_of_rows(x):
    """Return the same numbers in the memory order (batch, row, head, feature), as a layer that splits its features into heads has."""
    return np.ascontiguousarray(np.moveaxis(x, -2, 0)).transpose(*range(1, x.ndim - 1), 0, x.ndim - 1) if x.ndim > 2 else x


def special(x):
    x.reshape(-1)[[3, 170, 300]] = np.inf, -np.inf, np.nan
    return x


def huge(x):
    return x * x.dtype.type(1e15)


KINDS = [lambda x: x, transposed, heads_of_rows, special, huge, lambda x: x * 0 - np.inf]


def results(q, k, v, mask, causal):
    inputs = [Tensor(x) for x in (q, k, v)]
    y = tg.scaled_dot_product_attention(*inputs, mask, causal)
    tg.sum(y * numbers(y.shape, y.dtype, 7)).backward()
    return [y.data, *[x.grad for x in inputs]]


@each("name", CASES)
@each("dtype", DTYPES)
def test_attention_in_c_is_that_of_numpy(dtype, name):
    *shapes, mask, causal = CASES[name]
    for number, kind in enumerate(KINDS):
        arrays = [kind(numbers(shape, dtype, seed)) for seed, shape in enumerate(shapes)]
        found = {}
        for by in ("numpy", "compiled"):
            with using(by):
                found[by] = results(*arrays, mask, causal)
        for what, one, other in zip(("y", "dz/dq", "dz/dk", "dz/dv"), found["compiled"], found["numpy"]):
            assert one.dtype == other.dtype == dtype and one.shape == other.shape and one.strides == other.strides
            assert not differ(one, other, CLOSE[dtype] * (100 if kind is huge else 1)), f"{name}, kind {number}: {what}"


@pytest.mark.skipif(not (library.library() and library.has_products()), reason="no library here has products of matrices")
@each("name", [name for name in CASES if name not in ("three axes in front", "few queries")])
def test_c_computes_these(monkeypatch, name):
    *shapes, mask, causal = CASES[name]
    with using("compiled"), monkeypatch.context() as within:
        for kernel in ("attention", "attention_vjp"):
            within.setattr(registry.KERNELS[kernel], "numpy", None)  # which would raise an error
        for kind in (KINDS[0], heads_of_rows):
            results(*[kind(numbers(shape, np.float32, seed)) for seed, shape in enumerate(shapes)], mask, causal)


@each("name", ["three axes in front", "few queries"])
def test_numpy_computes_what_c_cannot(monkeypatch, name):
    *shapes, mask, causal = CASES[name]
    with using("compiled"), monkeypatch.context() as within:
        within.setattr(registry.KERNELS["attention"], "numpy", None)
        with pytest.raises(TypeError, match="NoneType"):
            results(*[numbers(shape, np.float32, seed) for seed, shape in enumerate(shapes)], mask, causal)


def test_threads_change_no_bit():
    arrays = [numbers((16, 4, 150, 16), np.float32, seed) for seed in range(3)]
    found = []
    for n in (1, 2, 3):
        with threads(n):
            found.append(results(*arrays, None, True))
    assert all(np.array_equal(a, b) for other in found[1:] for a, b in zip(found[0], other))

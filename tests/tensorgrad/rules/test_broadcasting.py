"""Inputs that broadcast give the result of the repeated inputs, and no argument silently enlarges a result."""

import inspect

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.arrays.axes import sum_over
from tensorgrad.arrays.errstate import BUFFER, quietly
from tensorgrad.families import PUBLIC
from tensorgrad.rule import Rule, rule
from tests.each import each, swept

SHAPES = [((1, 4), (3, 4)), ((3, 1), (3, 4)), ((4,), (3, 4)), ((), (3, 4)), ((1, 1), (3, 4)), ((3, 4), (2, 3, 4)), ((3, 1), (1, 4))]
OTHERWISE = {  # their shapes pair axes by meaning, or the second argument is not an array
    *("append", "atleast_1d", "atleast_2d", "atleast_3d", "inner", "outer", "dot", "matmul", "mm", "mv", "tensordot", "kron", "linear"),
    *("conv", "conv1d", "conv2d", "conv3d", "solve", "matrix_rank", "prelu", "round", "sqrt", "addmm", "baddbmm", "concatenate", "cat"),
    *("scaled_dot_product_attention", "dropout", "softplus", "celu", "elu", "leaky_relu", "vdot", "bilinear", "roll"),
}


@swept("name", sorted(PUBLIC.keys() - OTHERWISE), every=4)
def test_broadcast_inputs_count_as_repeated(name):
    function, rng = PUBLIC[name], np.random.default_rng(0)
    signature = function.signature if isinstance(function, Rule) else inspect.signature(function)
    for count in (2, 3):
        for shapes in [s[::way] for s in SHAPES for way in (1, -1)] if len(signature.parameters) >= count else ():
            arrays = [rng.uniform(0.1, 0.9, s) for s in (*shapes, shapes[1])[:count]]
            full = np.broadcast_shapes(*shapes)
            try:
                found = function(*arrays)
                expected = function(*[np.broadcast_to(a, full) for a in arrays])
            except (TypeError, ValueError, IndexError):
                continue
            if type(expected) not in (tuple, list):
                np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=str(shapes))


@each("k", [0.5, 1.0, "1", None, np.array([0, 1])])
def test_the_place_of_a_diagonal_is_an_integer(k):
    x = np.ones((3, 3))
    for name, what in {"tril": "k", "triu": "k", "diag": "k", "diagonal": "offset"}.items():
        for of in (x, Tensor(x)):
            with pytest.raises(TypeError, match=f"{name}: {what}=.* is not an integer"):
                getattr(tg, name)(of, k)
        assert getattr(tg, name)(x, np.int64(1)).sum() == getattr(np, name)(x, 1).sum()


def test_the_length_of_a_broadcast_vector_counts_the_copies():
    a, b = np.ones((1, 4)), np.ones((3, 4))
    np.testing.assert_allclose(tg.cosine_similarity(a, b, axis=0), 1)
    np.testing.assert_allclose(tg.cosine_similarity(b[0], b, axis=0), 1)
    x, y = Tensor(np.array([[1.0, 2.0]])), Tensor(np.array([[1.0, 0.5], [2.0, 1.0], [0.0, 3.0]]))
    wide = Tensor(np.repeat(x.data, 3, 0))
    tg.cosine_similarity(x, y, axis=0).sum().backward()
    expected = tg.grad(tg.cosine_similarity(wide, Tensor(y.data), axis=0).sum(), wide)
    np.testing.assert_allclose(x.grad, np.asarray(expected).sum(0, keepdims=True), rtol=1e-12, atol=1e-15)


@each("dtype", [np.float32, np.float64])
@each("shape", [(2000, 2, 7), (3000, 3, 1), (2, 1500, 8), (40, 8, 600), (3, 0, 5)], ids=str)
@each("axes", [(1,), (0, 1), (1, 2)], ids=str)
def test_a_sum_over_short_axes_is_that_of_numpy(shape, axes, dtype):
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    x.reshape(-1)[::97], x.reshape(-1)[5::89] = np.inf, np.nan  # also inf - inf
    x.reshape(-1)[1::83] = -np.inf
    for of in (x, x[::-1, ::-1], np.asfortranarray(x)):
        found = quietly(sum_over, of, axes)
        assert found.dtype == dtype
        expected = quietly(of.sum, axes, None, None, True)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3 if dtype == np.float32 else 1e-11)


ONES = lambda *shape: np.ones(shape)
TOO_LARGE = {
    "binary_cross_entropy: weight of shape (3, 1) does not broadcast to (3,); from the last": lambda: tg.binary_cross_entropy(
        ONES(3), ONES(3), weight=ONES(3, 1)
    ),
    "binary_cross_entropy_with_logits: weight of shape (2, 3)": lambda: tg.binary_cross_entropy_with_logits(
        ONES(3), ONES(3), weight=ONES(2, 3)
    ),
    "binary_cross_entropy_with_logits: pos_weight of shape (3, 1)": lambda: tg.binary_cross_entropy_with_logits(
        ONES(3), ONES(3), pos_weight=ONES(3, 1)
    ),
    "addmm: C of shape (5, 2, 2) does not broadcast to (2, 2); from the last": lambda: tg.addmm(ONES(5, 2, 2), ONES(2, 2), ONES(2, 2)),
    "baddbmm: C of shape (4, 2, 2) does not broadcast to (1, 2, 2)": lambda: tg.baddbmm(ONES(4, 2, 2), ONES(1, 2, 2), ONES(1, 2, 2)),
    "bilinear: bias has shape (4, 1); with W of shape (1,": lambda: tg.bilinear(ONES(3, 2), ONES(3, 2), ONES(1, 2, 2), ONES(4, 1)),
    "index_add: source has shape (2,)": lambda: tg.index_add(ONES(3, 2), 0, [0, 1], ONES(2)),
    "index_add: source has shape ()": lambda: tg.index_add(ONES(3), 0, [0, 1], 1.0),
}


@each("said", TOO_LARGE)
def test_an_argument_that_would_enlarge_the_result_raises_an_error(said):
    with pytest.raises(ValueError) as refusal:
        TOO_LARGE[said]()
    assert str(refusal.value).startswith(said)


def test_kernels_compute_with_short_buffers_and_the_users_stay():
    buffers, before = [], np.getbufsize()

    def vjp(G):
        buffers.append(np.getbufsize())
        return G

    @rule(vjp)
    def same(x):
        buffers.append(np.getbufsize())
        return x + 0

    same(Tensor(np.ones(2))).sum().backward()
    assert buffers == [BUFFER] * 2 and np.getbufsize() == before > BUFFER

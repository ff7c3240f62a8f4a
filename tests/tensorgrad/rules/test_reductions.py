"""Reductions, scans and sorting: NumPy's values, kinks, empty arrays, axes out of range."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, valid_tuple_axes

import tensorgrad as tg
from tensorgrad import Tensor, grad
from tensorgrad.arrays.errstate import quietly
from tensorgrad.rules import sorting
from tensorgrad.rules.scans import cumprod
from tensorgrad.rules.sorting import in_order, top_candidates, top_positions
from tests.each import each, swept

NUMBERS = st.floats(-2, 2, width=32)  # so that the product of 81 of them fits a float32
REDUCTIONS = ["sum", "mean", "max", "min", "amax", "amin", "prod", "var", "std"]
WITH_AXIS = [*REDUCTIONS, "logsumexp", "norm", "vector_norm", "cumsum", "cumprod", "all", "any", "argmax", "sort"]


@st.composite
def arrays_and_axes(draw):
    x = draw(arrays(draw(st.sampled_from([np.float32, np.float64])), array_shapes(min_dims=1, max_dims=4, max_side=3), elements=NUMBERS))
    axes = draw(st.one_of(st.none(), st.integers(-x.ndim, x.ndim - 1), valid_tuple_axes(x.ndim)))
    return x, axes, draw(st.booleans())


@given(arrays_and_axes())
def test_reductions_equal_numpys(case):
    for name in REDUCTIONS:
        reduces_as_in_numpy(name, *case)


def reduces_as_in_numpy(name, x, axis, keepdims):
    expected = getattr(np, name)(x, axis=axis, keepdims=keepdims)
    t = Tensor(x)
    for got in (getattr(np, name)(t, axis=axis, keepdims=keepdims), getattr(t, name)(axis=axis, keepdims=keepdims)):
        assert got.shape == expected.shape and got.dtype == x.dtype, name
        np.testing.assert_allclose(got.data, expected, rtol=1e-4, atol=1e-4, err_msg=name)
    got.backward(np.ones(got.shape, x.dtype))
    assert t.grad.shape == x.shape and np.isfinite(t.grad).all(), name
    if name in ("mean", "max", "min", "amax", "amin"):  # weights that sum to 1 for each result
        assert math.isclose(t.grad.sum(), got.size, rel_tol=1e-4), name


@given(arrays_and_axes())
def test_functions_without_a_gradient_equal_numpys(case):
    x, axis, keepdims = case
    t = Tensor(x)
    for name in ("all", "any"):
        got = getattr(np, name)(t, axis=axis, keepdims=keepdims)
        assert not isinstance(got, Tensor) and np.array_equal(got, getattr(np, name)(x, axis=axis, keepdims=keepdims))
    axis = None if axis is None or axis == () else axis[0] if isinstance(axis, tuple) else axis
    for name in ("argmax", "argmin"):
        got = getattr(np, name)(t, axis=axis, keepdims=keepdims)
        assert not isinstance(got, Tensor) and np.array_equal(got, getattr(np, name)(x, axis=axis, keepdims=keepdims))


@given(arrays_and_axes())
def test_scans_and_sorting_equal_numpys(case):
    x, axis, _ = case
    axis = None if axis is None or axis == () else axis[0] if isinstance(axis, tuple) else axis
    t = Tensor(x)
    for name in ("cumsum", "cumprod", "sort"):
        np.testing.assert_allclose(getattr(np, name)(t, axis=axis).data, getattr(np, name)(x, axis=axis), rtol=1e-4, atol=1e-4)
    assert np.array_equal(np.argsort(t, axis), np.argsort(x, axis, kind="stable"))
    if axis is not None:
        k = x.shape[axis] - 1
        values, places = t.topk(k, axis)
        descending = -np.sort(-x, axis)
        assert np.array_equal(values.data, np.take(descending, range(k), axis))
        assert np.array_equal(np.take_along_axis(x, places, axis), values.data)
        values, places = t.topk(k, axis, largest=False)
        assert np.array_equal(values.data, np.take(np.sort(x, axis), range(k), axis))


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2), elements=NUMBERS))
def test_norms_equal_numpys(x):
    for order in (None, "fro", 1, -1, np.inf, -np.inf):
        np.testing.assert_allclose(np.linalg.norm(Tensor(x), order).data, np.linalg.norm(x, order), atol=1e-12)
    for order in (None, 1, 2, 3, 0, np.inf, -np.inf):
        got = np.linalg.norm(Tensor(x), order, 1)
        np.testing.assert_allclose(getattr(got, "data", got), np.linalg.norm(x, order, 1), rtol=1e-9)
    np.testing.assert_allclose(np.linalg.vector_norm(Tensor(x), axis=(0, 1), keepdims=True).data, [[np.sqrt((x**2).sum())]])


# Where a derivative is a choice


@each("name", ["max", "amax", "min", "amin"])
def test_ties_share_evenly(name):
    x = Tensor([[1.0, 1, 1], [1, 1, 1]])
    getattr(x, name)().backward()
    assert np.allclose(x.grad, 1 / 6)
    x.zero_grad()
    getattr(x, name)(axis=1).backward([3.0, 6.0])
    assert np.allclose(x.grad, [[1, 1, 1], [2, 2, 2]])


def test_max_of_nan_is_nan():
    x = Tensor([1.0, np.nan])
    assert np.isnan(x.max().item()) and np.isnan(x.min().item())


@each("value", [0.1, 3.0, 0.0, 1e8 + 0.1])
def test_std_of_equal_values_has_gradient_0(value):
    x = Tensor(np.full((2, 3), value))
    y = x.std(axis=1)
    assert y.data.tolist() == [0, 0] and x.var().item() == 0
    y.sum().backward()
    assert x.grad.tolist() == [[0, 0, 0], [0, 0, 0]]


def test_std_with_some_rows_of_equal_entries():
    x = Tensor([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]])
    x.std(axis=1, ddof=1).sum().backward()
    np.testing.assert_allclose(x.grad, [[0, 0, 0], [-0.5, 0, 0.5]], atol=1e-15)


@each("order", [None, 1, 2, 3, 0.5])
def test_norm_at_0_has_gradient_0(order):
    x = Tensor([[0.0, 0.0], [3.0, 0.0]])
    tg.norm(x, order, 1).sum().backward()
    np.testing.assert_allclose(x.grad, [[0, 0], [1, 0]])


def test_logsumexp_of_infinite_entries():
    x = Tensor([[-np.inf, -np.inf], [-np.inf, 2.0], [1000.0, 1000.0], [-1e30, 0.0]])
    y = x.logsumexp(axis=1)
    np.testing.assert_allclose(y.data, [-np.inf, 2, 1000 + np.log(2), 0])
    y.sum().backward()
    np.testing.assert_allclose(x.grad, [[0, 0], [0, 1], [0.5, 0.5], [0, 1]], rtol=1e-12)


@each("x", [[2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]])
def test_prod_with_zeros_to_the_second_order(x):
    t = Tensor(x)
    g = grad(t.prod(), t, create_graph=True)
    others = [math.prod(x[:i] + x[i + 1 :]) for i in range(3)]
    assert g.data.tolist() == others
    for i in range(3):
        row = grad(g[i], t, retain_graph=True, unused=0)
        expected = [0.0 if j == i else math.prod(x[k] for k in range(3) if k not in (i, j)) for j in range(3)]
        assert row.tolist() == expected


def test_the_gradient_of_prod_is_exact_for_very_large_and_small_entries():
    x = Tensor([1e-200, 1e-200, 1e300, 1e-50])
    x.prod().backward()
    np.testing.assert_allclose(x.grad, [1e50, 1e50, 0, 0], atol=1e-40)


def test_cumprod_over_a_zero():
    x = Tensor([2.0, 0.0, 3.0, 5.0])
    x.cumprod(0).backward([1.0, 1, 1, 1])
    assert x.grad.tolist() == [1, 2 * (1 + 3 + 15), 0, 0]


def test_sorting_sends_gradients_back():
    x = Tensor([3.0, 1.0, 2.0, 1.0])
    x.sort().backward([10.0, 20, 30, 40])
    assert x.grad.tolist() == [40, 10, 30, 20]
    x.zero_grad()
    x.topk(2)[0].backward([5.0, 7.0])
    assert x.grad.tolist() == [5, 0, 7, 0]


def test_equal_entries_keep_their_order():
    assert tg.topk([1.0, 2.0, 2.0, 1.0], 3)[1].tolist() == [1, 2, 0]
    assert tg.topk([1.0, 2.0, 2.0, 1.0], 3, largest=False)[1].tolist() == [0, 3, 1]
    assert tg.argmax([1, 2, 2]) == 1


def test_nan_sorts_last():
    assert tg.argsort([np.nan, 1.0, 0.0]).tolist() == [2, 1, 0] and tg.topk([1.0, np.nan], 1)[1].tolist() == [1]


# Empty and 0-d arrays


def test_reductions_of_no_entries():
    x = Tensor(np.zeros((0, 3)))
    assert x.sum().item() == 0 and x.prod().item() == 1 and x.logsumexp().item() == -np.inf
    assert np.isnan(x.mean().item()) and np.isnan(x.var().item()) and np.isnan(x.std(axis=0).data).all()
    assert x.max(axis=1).shape == (0,) and x.norm().item() == 0
    assert tg.all(x) and not tg.any(x)
    assert np.isnan(Tensor([1.0]).var(ddof=1).item())


@each("name", ["max", "min", "argmax", "argmin"])
def test_the_extreme_of_no_entries_raises_an_error(name):
    with pytest.raises(ValueError, match=rf"{name}: shape \(0, 3\) has no entry to choose from"):
        getattr(Tensor(np.zeros((0, 3))), name)()
    with pytest.raises(ValueError, match=rf"{name}: shape \(0, 3\) has no entry .* along axis 0"):
        getattr(Tensor(np.zeros((0, 3))), name)(axis=0)


@each("name", WITH_AXIS)
@each("axis", [0, -1])
def test_a_0d_array_has_the_axes_0_and_minus_1(name, axis):
    x = Tensor(2.0)
    y = getattr(x, name)(axis=axis)
    assert np.shape(y) == ()
    if isinstance(y, Tensor):
        y.backward()
        assert x.grad.shape == ()


@each("name", [*WITH_AXIS, "argsort"])
def test_an_axis_out_of_range_raises_an_error(name):
    for axis, shape, use in [(2, (2, 3), "use -2 to 1"), (-3, (2, 3), "use -2 to 1")]:
        with pytest.raises(ValueError) as caught:
            getattr(Tensor(np.ones(shape)), name)(axis=axis)
        assert str(caught.value) == f"{name}: axis {axis} is out of range for shape {shape}; {use}"


@each("name", [*REDUCTIONS, "logsumexp", "norm", "vector_norm", "all", "any"])
def test_an_axis_named_twice_raises_an_error(name):
    with pytest.raises(ValueError, match="twice"):
        getattr(Tensor(np.ones((2, 3))), name)(axis=(0, -2))


@each(
    ("call", "message"),
    [
        (lambda x: x.topk(4), "topk: k=4, but axis 1 of shape (2, 3) has 3 entries"),
        (lambda x: x.norm("nuc", 0), "norm: ord='nuc' over 1 axes of shape (2, 3) has no rule"),
        (lambda x: x.norm(3), "norm: ord=3 over 2 axes of shape (2, 3) has no rule"),
    ],
)
def test_wrong_arguments_raise_errors(call, message):
    with pytest.raises(ValueError) as caught:
        call(Tensor(np.ones((2, 3))))
    assert str(caught.value).startswith(message)


def test_the_sum_of_a_zoomed_reduction_is_one_function():
    x = Tensor(np.ones((2, 2)))
    assert tg.zoom(x.sum()).z.rule.name == "sum" and len(tg.zoom(x.sum()).z.inputs) == 4


def test_the_gradient_of_prod_is_exact_for_tiny_huge_and_zero_products():
    for kind, small in ((np.float64, 1e-160), (np.float32, 1e-22)):
        for row in ([small, small, 3.0], [1 / small, 1 / small, small], [0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [2.0, 3.0, 5.0]):
            t = Tensor(row, dtype=kind)
            t.prod().backward()
            a, b, c = np.array(row, kind)
            with np.errstate(over="ignore", under="ignore"):
                others = [b * c, a * c, a * b]
            np.testing.assert_allclose(t.grad, others, rtol=1e-6 if kind == np.float32 else 1e-15)


@each("size", [1e-30, 1e30])
def test_norms_whose_squares_overflow_or_underflow_are_exact(size):
    x = Tensor(np.array([[3 * size, 4 * size], [0, 0]]), dtype=np.float32)
    y = tg.vector_norm(x, axis=1)
    y.sum().backward()
    np.testing.assert_allclose(y.data, [5 * size, 0], rtol=1e-6)
    np.testing.assert_allclose(x.grad, [[0.6, 0.8], [0, 0]], rtol=1e-6)
    assert y.dtype == np.float32


@each("size", [1e-20, 1e20])
@each("ord", [3, 2, 1.5, 0.5, -1, -3])
def test_norms_of_other_orders_whose_powers_overflow_or_underflow_are_exact(size, ord):
    a = np.array([[3.0, -4.0, 5.0], [1.0, 2.0, -2.0], [0.0, 0.0, 0.0]])
    x, near = Tensor(a * size, dtype=np.float32), Tensor(a)
    y, expected = tg.vector_norm(x, 1, ord=ord), tg.vector_norm(near, 1, ord=ord)
    y.sum().backward()
    expected.sum().backward()
    np.testing.assert_allclose(y.data, expected.data * size, rtol=1e-5)
    np.testing.assert_allclose(x.grad, near.grad, rtol=1e-5)


@each("ord", [-0.5, -1, -2.1])
def test_a_norm_of_negative_order_that_is_0_has_derivative_0(ord):
    x = Tensor([[0.0, 2.0, -3.0], [1.0, 2.0, -3.0]])
    y = tg.vector_norm(x, 1, ord=ord)
    y.sum().backward()
    assert y[0].item() == 0 and x.grad[0].tolist() == [0, 0, 0] and (x.grad[1] != 0).all()


@each("size", [1e-25, 1e25])
def test_the_standard_deviation_is_exact_where_the_variance_overflows_or_underflows(size):
    a = np.array([[3.0, 4.0, 8.0], [2.0, 2.0, 2.0]])
    x, near = Tensor(a * size, dtype=np.float32), Tensor(a)
    y, expected = tg.std(x, axis=1, ddof=1), tg.std(near, axis=1, ddof=1)
    y.sum().backward()
    expected.sum().backward()
    np.testing.assert_allclose(y.data, expected.data * size, rtol=1e-5)
    np.testing.assert_allclose(x.grad, near.grad, rtol=1e-5, atol=1e-6)
    assert y.dtype == np.float32


@swept("largest", [True, False], every=3)
@pytest.mark.parametrize("kind", ["distinct", "ties", "special values", "one number", "bytes"])
def test_topk_equals_a_full_sort(monkeypatch, kind, largest):
    monkeypatch.setattr(sorting, "SMALL", 0)
    rng = np.random.default_rng(4)
    draw = {
        "distinct": lambda shape: rng.standard_normal(shape),
        "ties": lambda shape: rng.integers(-2, 3, shape).astype(float),
        "special values": lambda shape: rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], shape),
        "one number": lambda shape: np.zeros(shape),
        "bytes": lambda shape: rng.integers(0, 256, shape).astype(np.uint8),
    }[kind]
    for shape in [(7,), (2, 60), (1, 1), (3, 0), (2, 3, 40)]:
        a = draw(shape)
        ordered = in_order(a, -1, largest)
        for k in range(shape[-1] + 1):
            for few in (0, 6):
                monkeypatch.setattr(sorting, "FEW", few)
                np.testing.assert_array_equal(top_positions(a, k, largest), ordered[..., :k], f"{k} of {a}")


def test_topk_sorts_few_entries():
    taken = top_candidates(np.random.default_rng(5).standard_normal((20, 1000)), 5, True)
    assert (taken.sum(1) >= 5).all() and taken.sum() < 20 * 10


@each("name", ["cumsum", "cumprod"])
def test_cumulative_functions_take_the_dtype_of_the_result(name):
    function, theirs = getattr(tg, name), getattr(np, name)
    x = Tensor(np.array([[1.5, 2.0], [3.0, 0.5]], np.float32))
    for call in (lambda: function(x, 0, np.float64), lambda: function(x, axis=0, dtype="float64"), lambda: theirs(x, 0, dtype=np.float64)):
        y = call()
        assert y.dtype == np.float64
        np.testing.assert_array_equal(y.data, theirs(x.data, 0, np.float64))
        (gradient,) = tg.grad(y.sum(), [x])
        assert gradient.dtype == np.float32
    assert function([1.0, 2.0], dtype=np.float32).dtype == np.float32


@each("axis", [0, 1, None])
@each("dtype", [np.float32, np.float64])
@each("entry", [1.0, 0.0, np.inf, np.nan, 1e-30, 1e30])
def test_the_derivative_of_cumprod_is_the_same_with_and_without_division(axis, dtype, entry):
    whole = np.random.default_rng(0).uniform(0.5, 1.5, (6, 8)).astype(dtype) * np.array([1, -1] * 4, dtype)
    whole[::3, 2:4] = entry  # 0, overflow and underflow cannot be divided out
    G = np.random.default_rng(1).standard_normal(whole.shape).astype(dtype)
    G[1, 1] = np.inf
    for x in (whole, whole[::-1, ::-1], np.asfortranarray(whole), whole[:0]):
        y = quietly(np.cumprod, x, axis)
        upstream = G[: len(x)].reshape(y.shape)
        found, expected = [quietly(cumprod.vjps[0].function, upstream, x, known, axis) for known in (y, None)]
        assert found.dtype == dtype and found.shape == x.shape
        np.testing.assert_allclose(found, expected, rtol=1e-3 if dtype == np.float32 else 1e-12)


@each("shape", [(90, 128), (3, 5, 1000), (20_001,), (64, 2, 161)], ids=str)
@each("kind", [np.float32, np.float64])
def test_running_sums_of_large_arrays_are_numpys(shape, kind):
    dice = np.random.default_rng(0)
    x, G = dice.standard_normal((2, *shape)).astype(kind)
    tolerance = {"rtol": 1e-4, "atol": 1e-3} if kind == np.float32 else {"rtol": 1e-10, "atol": 1e-10}
    for laid in (x, np.repeat(x, 2, -1)[..., ::2], np.asfortranarray(x)):
        t = Tensor(laid)
        t._data = laid
        y = tg.cumsum(t, -1)
        y.backward(G)
        np.testing.assert_allclose(y.data, np.cumsum(x, -1), **tolerance)
        np.testing.assert_allclose(t.grad, np.cumsum(G[..., ::-1], -1)[..., ::-1], **tolerance)
        assert y.dtype == t.grad.dtype == kind
    x[..., 50], x[..., 70] = np.inf, -np.inf  # the entries before them are what they were
    G[..., -60] = np.nan
    t = Tensor(x)
    y = tg.cumsum(t, axis=x.ndim - 1)
    y.backward(G)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(y.data, np.cumsum(x, -1))
        np.testing.assert_array_equal(t.grad, np.cumsum(G[..., ::-1], -1)[..., ::-1])

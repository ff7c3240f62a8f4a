"""Activation functions: values by their formulas, kinks, options, softmax where entries are huge or masked."""

import math
import re
from itertools import product

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, grad
from tensorgrad.arrays import exponentials
from tensorgrad.functions.activations import SELU_ALPHA, SELU_SCALE
from tensorgrad.functions.losses import huber
from tests.each import each, swept

inf, nan = math.inf, math.nan
x = np.array([-30.0, -3.0, -1.0, -0.2, 0.0, 0.3, 1.0, 3.0, 6.0, 30.0])
below = np.array([(1 + math.erf(v / math.sqrt(2))) / 2 for v in x])

FORMULAS = {
    "sigmoid": (tg.sigmoid, 1 / (1 + np.exp(-x))),
    "relu": (tg.relu, np.maximum(x, 0)),
    "softplus": (tg.softplus, np.log1p(np.exp(x))),
    "softplus of beta": (lambda t: tg.softplus(t, beta=3), np.logaddexp(0, 3 * x) / 3),
    "softplus of threshold": (lambda t: tg.softplus(t, beta=2, threshold=1), np.where(2 * x > 1, x, np.logaddexp(0, 2 * x) / 2)),
    "gelu": (tg.gelu, x * below),
    "gelu tanh": (lambda t: tg.gelu(t, approximate="tanh"), x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2),
    "silu": (tg.silu, x / (1 + np.exp(-x))),
    "mish": (tg.mish, x * np.tanh(np.log1p(np.exp(x)))),
    "leaky_relu": (tg.leaky_relu, np.where(x > 0, x, 0.01 * x)),
    "elu": (lambda t: tg.elu(t, 2.0), np.where(x > 0, x, 2 * np.expm1(x))),
    "celu": (lambda t: tg.celu(t, 2.0), np.where(x > 0, x, 2 * np.expm1(x / 2))),
    "selu": (tg.selu, 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))),
    "relu6": (tg.relu6, np.clip(x, 0, 6)),
    "hardtanh": (tg.hardtanh, np.clip(x, -1, 1)),
    "hardsigmoid": (tg.hardsigmoid, np.clip(x / 6 + 0.5, 0, 1)),
    "hardswish": (tg.hardswish, x * np.clip(x / 6 + 0.5, 0, 1)),
    "logsigmoid": (tg.logsigmoid, -np.logaddexp(0, -x)),
    "softsign": (tg.softsign, x / (1 + np.abs(x))),
}


@each("name", FORMULAS)
def test_values_are_those_of_the_formula(name):
    f, expected = FORMULAS[name]
    np.testing.assert_allclose(f(Tensor(x)).data, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(f(x), expected, rtol=1e-12, atol=1e-14)


KINKS = [
    (tg.relu6, [0.0, 6.0, 3.0], [0, 0, 1]),
    (tg.hardtanh, [-1.0, 1.0, 0.0], [0, 0, 1]),
    (tg.hardsigmoid, [-3.0, 3.0, 0.0], [0, 0, 1 / 6]),
    (tg.hardswish, [-3.0, 3.0], [0, 1]),
    (tg.leaky_relu, [0.0], [0.01]),
    (lambda t: tg.elu(t, 0.5), [0.0], [0.5]),
    (lambda t: tg.celu(t, 0.5), [0.0], [1]),
    (tg.softsign, [0.0], [1]),
]


@each(("f", "points", "expected"), KINKS)
def test_derivatives_that_are_a_choice_are_pytorchs(f, points, expected):
    t = Tensor(points)
    f(t).sum().backward()
    np.testing.assert_allclose(t.grad, expected, rtol=1e-15)


@each("f", [tg.sigmoid, tg.softplus, tg.gelu, tg.silu, tg.mish, tg.elu, tg.logsigmoid, tg.selu])
@each("kind", [np.float32, np.float64])
def test_nothing_overflows_far_out(f, kind):
    t = Tensor(np.array([-1e4, -200, 200, 1e4]), dtype=kind)
    y = f(t)
    y.sum().backward()
    assert np.isfinite(y.data).all() and np.isfinite(t.grad).all()


def test_options_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="^gelu: approximate='erf' is unknown; use 'none' or 'tanh'"):
        tg.gelu(Tensor([1.0]), approximate="erf")
    with pytest.raises(ValueError, match="^celu: alpha=0 would divide by 0"):
        tg.celu(Tensor([1.0]), alpha=0)
    with pytest.raises(ValueError, match=r"^glu: axis 1 of shape \(2, 3\) has length 3"):
        tg.glu(Tensor(np.ones((2, 3))), axis=1)
    with pytest.raises(ValueError, match=r"^prelu: weight has shape \(2,\) and x has shape \(2, 3\); give one"):
        tg.prelu(Tensor(np.ones((2, 3))), Tensor(np.ones(2)))
    with pytest.raises(ValueError, match=r"^softmax: axis 2 is out of range for shape \(2, 3\); use -2 to 1"):
        tg.softmax(Tensor(np.ones((2, 3))), axis=2)


# softmax


@each("kind", [np.float32, np.float64])
def test_softmax_is_stable(kind):
    t = Tensor([[1000.0, 1000.0, -1000.0], [-1e30, 0.0, -inf]], dtype=kind)
    np.testing.assert_allclose(tg.softmax(t).data, [[0.5, 0.5, 0], [0, 1, 0]])
    y = tg.log_softmax(t)
    assert y.dtype == kind
    np.testing.assert_allclose(y.data, [[-math.log(2), -math.log(2), -2000 - math.log(2)], [-1e30, 0, -inf]], rtol=1e-6)


def test_softmax_takes_plain_arrays_of_any_kind():
    for numbers in (np.array([[1, 2], [3, 3]]), [[1, 2], [3, 3]], np.array([[1.0, 2.0], [3.0, 3.0]])):
        np.testing.assert_allclose(tg.softmax(numbers), [[1 / (1 + math.e), math.e / (1 + math.e)], [0.5, 0.5]])
        np.testing.assert_allclose(np.exp(tg.log_softmax(numbers)), tg.softmax(numbers))


def test_rows_that_are_masked_altogether_give_zeros_and_no_gradient():
    t = Tensor([[-inf, -inf], [0.0, -inf]])
    y = tg.softmax(t)
    (y * np.array([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    np.testing.assert_array_equal(y.data, [[0, 0], [1, 0]])
    np.testing.assert_array_equal(t.grad, np.zeros((2, 2)))
    np.testing.assert_array_equal(tg.log_softmax(t).data, [[-inf, -inf], [0, -inf]])
    assert np.isnan(tg.softmax(Tensor([nan, 1.0])).data).all()


@each("axis", [0, 1, -1, -2, (0, 1), None])
def test_softmax_along_an_axis_is_a_distribution(axis):
    y = tg.softmax(Tensor(np.random.default_rng(0).standard_normal((3, 4))), axis=axis)
    np.testing.assert_allclose(y.data.sum(axis), 1)


def test_the_gradient_of_softmax_is_its_jacobian_times_the_upstream_gradient():
    t, G = Tensor([0.3, -1.2, 2.0]), np.array([1.0, -2.0, 0.5])
    y = tg.softmax(t)
    y.backward(G)
    p = y.data
    np.testing.assert_allclose(t.grad, (np.diag(p) - np.outer(p, p)) @ G)


def test_softmax_saves_its_output_alone():
    for f in (tg.softmax, tg.log_softmax):
        t = Tensor(np.zeros((2, 3)))
        y = f(t)
        assert [a is y._data for a in y.rule.saved(y.node).values()] == [True]


def test_the_second_derivative_of_log_softmax_is_that_of_minus_log_sum_exp():
    t = Tensor([0.3, -1.2, 2.0])
    p = tg.softmax(t).data
    g = grad(tg.log_softmax(t)[0], t, create_graph=True)
    np.testing.assert_allclose(grad(g[1], t), -(p[1] * (np.array([0, 1, 0]) - p)))


# Large arrays go block by block through kernels of their own

LARGE = {
    "sigmoid": tg.sigmoid,
    "relu": tg.relu,
    "silu": tg.silu,
    "gelu": tg.gelu,
    "gelu tanh": lambda t: tg.gelu(t, approximate="tanh"),
    "hardsigmoid": tg.hardsigmoid,
    "hardtanh": tg.hardtanh,
    "clamp": lambda t: tg.clamp(t, -1, 1),
    "huber": lambda t: huber(t, 0.7),
    "a remainder": lambda t: t % -0.7,
    "leaky_relu": tg.leaky_relu,
    "leaky_relu with slope 0": lambda t: tg.leaky_relu(t, 0),
    "leaky_relu with slope 1": lambda t: tg.leaky_relu(t, 1.0),
    "leaky_relu with a slope above 1": lambda t: tg.leaky_relu(t, 1.5),
    "leaky_relu with a slope below 0": lambda t: tg.leaky_relu(t, -0.5),
}
LAYOUTS = {
    "rows": lambda a: a,
    "channels last": lambda a: np.ascontiguousarray(a.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
    "with gaps": lambda a: np.repeat(a, 2, axis=-1)[..., ::-2][..., ::-1],
}


@swept("name, kind", product(LARGE, (np.float32, np.float64)), every=7)
def test_a_large_array_gives_what_its_parts_give(name, kind):
    f, dice = LARGE[name], np.random.default_rng(0)
    a = (3 * dice.standard_normal((8, 1, 97, 101))).astype(kind)
    a[::3, :, 5, :7] = [0.0, -0.0, nan, inf, -inf, 90.0, -90.0]
    G = dice.standard_normal(a.shape).astype(kind)
    losses = {  # G comes in the other layout, as one number everywhere, repeated along an axis
        "weighted": (lambda y: (y * G).sum(), G),
        "sum": (lambda y: y.sum(), np.ones_like(G)),
        "sum over an axis": (lambda y: (y.sum(axis=2, keepdims=True) * G[:, :, :1]).sum(), np.repeat(G[:, :, :1], 97, axis=2)),
    }
    tolerance = {"rtol": 2e-6, "atol": 2e-6} if kind == np.float32 else {"rtol": 1e-13, "atol": 1e-13}
    larger = 10 if name == "gelu tanh" else 1  # it multiplies the rounding of a sigmoid near 1 by up to 30, and by G
    for what, (loss, upstream) in losses.items():
        small = [Tensor(part) for part in np.split(a.ravel(), 97)]
        alone = [f(part) for part in small]
        for y, g in zip(alone, np.split(upstream.ravel(), 97)):
            y.backward(g)
        for layout, laid in LAYOUTS.items():
            t = Tensor(a)
            t._data = laid(a)
            y = f(t)
            loss(y).backward()
            assert y.dtype == t.grad.dtype == kind
            about = f"{what}, {layout}"
            np.testing.assert_allclose(y.data.ravel(), np.concatenate([y.data for y in alone]), **tolerance, err_msg=about)
            parts = np.concatenate([part.grad for part in small])
            np.testing.assert_allclose(t.grad.ravel(), parts, tolerance["rtol"], larger * tolerance["atol"], err_msg=about)


def test_a_slope_leaves_positive_entries_their_gradient_to_the_last_bit():
    for slope in np.random.default_rng(0).random(50).tolist():
        t = Tensor(np.ones(10_000), dtype=np.float32)
        tg.leaky_relu(t, slope).sum().backward()
        assert (t.grad == 1).all()


LIMITS = {  # (value, slope) at -inf and at inf
    "gelu": ((0, 0), (inf, 1)), "silu": ((0, 0), (inf, 1)), "mish": ((0, 0), (inf, 1)), "hardswish": ((0, 0), (inf, 1)),
    "softsign": ((-1, 0), (1, 0)), "softplus": ((0, 0), (inf, 1)), "logsigmoid": ((-inf, 1), (0, 0)), "elu": ((-1, 0), (inf, 1)),
    "celu": ((-1, 0), (inf, 1)), "hardtanh": ((-1, 0), (1, 0)), "hardsigmoid": ((0, 0), (1, 0)), "relu6": ((0, 0), (6, 0)),
}  # fmt: skip


@each("kind", [np.float32, np.float64])
@each("times", [1, 10_000])
@each("name", LIMITS)
def test_value_and_slope_at_infinity_are_the_limits(name, times, kind):
    t = Tensor(np.repeat(np.array([-inf, inf], kind), times))
    y = getattr(tg, name)(t)
    y.sum().backward()
    expected = np.repeat(np.array(LIMITS[name], float), times, axis=0)
    np.testing.assert_array_equal(np.stack([y.data, t.grad], axis=1), expected)
    assert y.dtype == t.grad.dtype == kind


@each("name", LIMITS)
def test_far_out_no_slope_is_nan(name):
    t = Tensor([-1e308, -1e4, 1e4, 1e308])
    getattr(tg, name)(t).sum().backward()
    assert np.isfinite(t.grad).all()


def test_hardtanh_refuses_bounds_that_are_the_wrong_way_round():
    with pytest.raises(ValueError, match=re.escape("hardtanh: min_val=3 is greater than max_val=1")):
        tg.hardtanh(np.ones(2), 3, 1)


def test_the_derivative_of_elu_keeps_its_digits_where_the_value_saturates():
    for f, slope, dtype in [(tg.elu, 1.0, np.float32), (tg.elu, 1.0, np.float64), (tg.celu, 1.0, np.float64)]:
        x = Tensor([-20.0, -50.0, -1.0, 3.0, -np.inf], dtype=dtype)
        f(x).sum().backward()
        np.testing.assert_allclose(x.grad, slope * np.exp([-20.0, -50.0, -1.0, 0.0, -np.inf]), rtol=1e-6)
    x = Tensor([-20.0, -50.0])
    tg.selu(x).sum().backward()
    np.testing.assert_allclose(x.grad, SELU_SCALE * SELU_ALPHA * np.exp(x.data), rtol=1e-12)
    assert tg.hessian(lambda x: tg.elu(x, 0.5).sum(), [-30.0, 0.0, 2.0]).diagonal().tolist() == [0.5 * np.exp(-30.0), 0.5, 0.0]


@each("kind", [np.float32, np.float64])
@each("f", [tg.hardswish, tg.elu, lambda x: tg.elu(x, 0.3), lambda x: tg.elu(x, -2), tg.selu, tg.celu, lambda x: tg.glu(x, 0)], ids=str)
def test_activations_of_large_arrays_are_those_of_small_ones(f, kind):
    x = np.random.default_rng(0).standard_normal((2, 30_000)).astype(kind) * 3
    near = np.nextafter(np.array([3, 3, -3, -3], kind), np.array([0, 9, 0, -9], kind))
    x[0, :10], x[1, 5] = [3, -3, inf, -inf, 0, -1.5, *near], nan
    wide = np.zeros((60_000, 2), kind)
    wide[::2] = x.T
    for given in (x, wide[::2].T, np.asfortranarray(x)):
        t = Tensor(given)
        y = f(t)
        y.backward(np.full(y.shape, 2, kind))
        small = Tensor(x[:, :2000].copy())
        value = f(small)
        value.backward(np.full(value.shape, 2, kind))
        assert y.dtype == t.grad.dtype == kind
        np.testing.assert_allclose(y.data[:, :2000], value.data, rtol=4 * np.finfo(kind).eps)
        size = np.abs(x[np.isfinite(x)]).max()  # by which glu multiplies the rounding of a sigmoid
        np.testing.assert_allclose(t.grad[:, :2000], small.grad, rtol=0, atol=4 * size * np.finfo(kind).eps)
    assert f(np.zeros((2, 0))).shape in [(2, 0), (1, 0)]


@each("wide", [True, False])
def test_exponentials_in_float32_have_their_digits(monkeypatch, wide):
    monkeypatch.setattr(exponentials, "WIDE", wide)
    x = np.concatenate([np.linspace(-80, 80, 2001), [-1e30, 1e30, -inf, inf, nan]]).astype(np.float32)
    y = np.empty_like(x)
    with np.errstate(over="ignore"):
        exponentials.one_plus_exp(y, x)
        expected = (1 + np.exp(x.astype(float))).astype(np.float32)
        np.testing.assert_allclose(y, expected, rtol=4e-7)
    exp, unit = exponentials.NEAR_EXP[x.dtype]
    below = x[~(x > 0)]
    np.testing.assert_allclose(exp(below * x.dtype.type(unit)), np.exp(below.astype(float)), rtol=0, atol=2e-7)


def test_gelu_in_float32_has_the_digits_of_the_normal_distribution():
    x = np.linspace(-8, 8, 20_000, dtype=np.float32)
    t = Tensor(x)
    y = tg.gelu(t)
    y.sum().backward()
    wide = x.astype(float)
    normal = np.array([math.erfc(-v / math.sqrt(2)) / 2 for v in wide])
    np.testing.assert_allclose(y.data / wide, normal, rtol=0, atol=2e-7)
    np.testing.assert_allclose(t.grad, normal + wide * np.exp(-wide * wide / 2) / math.sqrt(2 * math.pi), rtol=0, atol=4e-7)

"""Attention: the formula entry by entry, boolean and float masks, queries without visible keys, heads, errors."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.functions.sequences.attention import multi_head_attention, scaled_dot_product_attention
from tests.each import each

RNG = np.random.default_rng(8)
Q, K, V = RNG.standard_normal((2, 3, 4)), RNG.standard_normal((2, 5, 4)), RNG.standard_normal((2, 5, 6))
OPEN = RNG.random((3, 5)) < 0.6
OPEN[:, 0] = True


def by_formula(q, k, v, added=0.0, scale=None):
    scores = np.einsum("...ie,...je->...ij", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale) + added
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("...ij,...jv->...iv", e / e.sum(-1, keepdims=True), v)


def test_values_equal_the_formula():
    close = lambda got, expected: np.testing.assert_allclose(got, expected, rtol=1e-12)
    shut = np.where(OPEN, 0, -np.inf)
    below = np.where(np.tri(3, 5), 0, -np.inf)
    close(scaled_dot_product_attention(Q, K, V), by_formula(Q, K, V))
    close(scaled_dot_product_attention(Q, K, V, scale=2.0), by_formula(Q, K, V, scale=2.0))
    close(scaled_dot_product_attention(Q, K, V, OPEN), by_formula(Q, K, V, shut))
    close(scaled_dot_product_attention(Q, K, V, shut + 1.5 * np.eye(3, 5)), by_formula(Q, K, V, shut + 1.5 * np.eye(3, 5)))
    close(scaled_dot_product_attention(Q, K, V, causal=True), by_formula(Q, K, V, below))
    close(scaled_dot_product_attention(Q, K, V, OPEN, causal=True), by_formula(Q, K, V, shut + below))


@each("mask", [np.array([[True] * 5, [False] * 5, [True] * 5]), np.array([[0.0] * 5, [-np.inf] * 5, [1.0] * 5])], ids=["bool", "added"])
def test_a_query_without_visible_keys_gets_0_and_has_gradient_0(mask):
    q, k, v = Tensor(Q), Tensor(K), Tensor(V)
    y = scaled_dot_product_attention(q, k, v, mask)
    assert not y.data[:, 1].any() and y.data[:, ::2].all()
    y.sum().backward()
    for t in (q, k, v):
        assert np.isfinite(t.grad).all()
    assert not q.grad[:, 1].any()
    others = Tensor(V)
    scaled_dot_product_attention(Q[:, ::2], K, others).sum().backward()
    np.testing.assert_allclose(v.grad, others.grad)


def test_a_float_mask_that_is_a_variable_has_a_gradient():
    mask = Tensor(np.where(OPEN, 0.5, -np.inf))
    (scaled_dot_product_attention(Q, K, V, mask) * RNG.standard_normal((2, 3, 6))).sum().backward()
    assert np.isfinite(mask.grad).all() and (mask.grad != 0)[OPEN].all() and not mask.grad[~OPEN].any()


def test_large_scores_do_not_overflow_and_float32_stays_float32():
    y = scaled_dot_product_attention(
        Tensor(Q * 1e4, dtype=np.float32), Tensor(K * 1e3, dtype=np.float32), Tensor(V, dtype=np.float32), OPEN
    )
    assert y.dtype == np.float32 and np.isfinite(y.data).all()


def test_each_head_attends_with_its_part_of_the_features():
    x, W, b = RNG.standard_normal((2, 3, 4)), RNG.standard_normal((12, 4)), RNG.standard_normal(12)
    out, last = RNG.standard_normal((4, 4)), RNG.standard_normal(4)
    q, k, v = np.split(x @ W.T + b, 3, axis=-1)
    heads = [by_formula(q[..., s], k[..., s], v[..., s]) for s in (slice(0, 2), slice(2, 4))]
    got = multi_head_attention(Tensor(x), x, x, 2, W, b, out, last)
    np.testing.assert_allclose(got.data, np.concatenate(heads, -1) @ out.T + last, rtol=1e-12)
    alone = multi_head_attention(x[0], x[0], x[0], 2, W, b, out, last)
    np.testing.assert_allclose(alone, got.data[0], rtol=1e-12)
    apart = multi_head_attention(x, x, x, 2, (W[:4], W[4:8], W[8:]), b, out, last)
    np.testing.assert_allclose(apart, got.data, rtol=1e-12)


def test_a_causal_head_ignores_later_keys():
    x, W, out = Tensor(RNG.standard_normal((4, 6))), RNG.standard_normal((18, 6)), RNG.standard_normal((6, 6))
    multi_head_attention(x, x, x, 3, W, None, out, None, causal=True)[1].sum().backward()
    assert x.grad[:2].all() and not x.grad[2:].any()


@each(
    "call, said",
    [
        (lambda: scaled_dot_product_attention(Tensor(Q), V, K), "q of shape (2, 3, 4), k of shape (2, 5, 6), v of shape (2, 5, 4)"),
        (lambda: scaled_dot_product_attention(Tensor(Q), K, V[:, 1:]), "do not fit; use (..., L, E), (..., S, E) and (..., S, V)"),
        (lambda: scaled_dot_product_attention(Tensor(Q[0, 0]), K, V), "q of shape (4,)"),
        (lambda: scaled_dot_product_attention(Tensor(Q), K, V, OPEN.T),
         "mask of shape (5, 3) does not broadcast to the shape (2, 3, 5) of the scores"),
        (lambda: scaled_dot_product_attention(Tensor(Q), K, V, np.ones((7, 2, 3, 5))), "mask of shape (7, 2, 3, 5) does not broadcast"),
        (lambda: multi_head_attention(Tensor(Q), Q, Q, 3, np.ones((12, 4)), None, np.eye(4), None),
         "4 features cannot be divided into 3 equal heads"),
        (lambda: multi_head_attention(Tensor(Q), Q, Q, 2, np.ones((12, 5)), None, np.eye(4), None),
         "multi_head_attention: x of shape (2, 3, 4) does not fit W"),
    ],
)  # fmt: skip
def test_wrong_shapes_and_options_raise_errors(call, said):
    with pytest.raises(ValueError) as refused:
        call()
    assert said in str(refused.value)


def test_attention_functions_are_public():
    assert tg.scaled_dot_product_attention is scaled_dot_product_attention and tg.multi_head_attention is multi_head_attention


def test_large_attention_is_one_function_and_equals_the_composition(monkeypatch):
    rng = np.random.default_rng(5)
    q, k, v, G = rng.standard_normal((4, 2, 3, 70, 8))
    mask = rng.random((2, 1, 70, 70)) < 0.7
    mask[0, 0, 5] = False
    q, k = np.abs(q), np.abs(k)
    far = [{"mask": mask, "scale": 1e3}, {"causal": True, "scale": -1e3}]  # without a shift, exp would be inf or 0
    for options in ({}, {"causal": True}, {"mask": mask, "causal": True}, {"mask": mask[0, 0, 3], "scale": 2.0}, *far):
        found = []
        for least in (0, 10**9):
            monkeypatch.setattr("tensorgrad.functions.sequences.attention.LARGE", least)
            tensors = [Tensor(x) for x in (q, k, v)]
            y = scaled_dot_product_attention(*tensors, **options)
            assert (y.inputs == tuple(t.node for t in tensors)) == (least == 0)
            y.backward(G)
            found.append([y.data, *[t.grad for t in tensors]])
        for one, composed in zip(*found):
            np.testing.assert_allclose(one, composed, rtol=1e-10, atol=1e-12)

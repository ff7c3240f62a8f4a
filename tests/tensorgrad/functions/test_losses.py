"""Losses: values by their formulas, options, gradients of both inputs, errors."""

import math

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, grad
from tests.each import each

inf, nan = math.inf, math.nan
rng = np.random.default_rng(3)
a, b = rng.standard_normal((3, 4)), rng.standard_normal((3, 4))
p, q = 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))
d = a - b
signs = np.sign(b)

FORMULAS = {  # the losses of single entries
    "mse": (tg.mse_loss, (a, b), {}, d**2),
    "l1": (tg.l1_loss, (a, b), {}, np.abs(d)),
    "huber": (tg.huber_loss, (a, b), {"delta": 0.7}, np.where(np.abs(d) <= 0.7, d**2 / 2, 0.7 * (np.abs(d) - 0.35))),
    "smooth l1": (tg.smooth_l1_loss, (a, b), {"beta": 0.7}, np.where(np.abs(d) < 0.7, d**2 / 1.4, np.abs(d) - 0.35)),
    "smooth l1 of 0": (tg.smooth_l1_loss, (a, b), {"beta": 0}, np.abs(d)),
    "bce": (tg.binary_cross_entropy, (p, q), {}, -(q * np.log(p) + (1 - q) * np.log(1 - p))),
    "bce weighted": (tg.binary_cross_entropy, (p, q), {"weight": b}, -(q * np.log(p) + (1 - q) * np.log(1 - p)) * b),
    "logits": (tg.binary_cross_entropy_with_logits, (a, q), {}, -(q * np.log(p) + (1 - q) * np.log(1 - p))),
    "logits weighted": (
        tg.binary_cross_entropy_with_logits, (a, q), {"pos_weight": 3.0, "weight": b}, -(3 * q * np.log(p) + (1 - q) * np.log(1 - p)) * b
    ),
    "kl": (tg.kl_div, (np.log(p), q), {}, q * np.log(q / p)),
    "kl of logs": (tg.kl_div, (np.log(p), np.log(q)), {"log_target": True}, q * np.log(q / p)),
    "hinge": (tg.hinge_embedding_loss, (a, signs), {"margin": 0.5}, np.where(signs == 1, a, np.maximum(0, 0.5 - a))),
    "gaussian": (tg.gaussian_nll_loss, (a, b, q), {}, (np.log(q) + d**2 / q) / 2),
    "gaussian full": (tg.gaussian_nll_loss, (a, b, q), {"full": True}, (np.log(2 * np.pi * q) + d**2 / q) / 2),
    "poisson": (tg.poisson_nll_loss, (a, q), {}, np.exp(a) - q * a),
    "poisson of means": (tg.poisson_nll_loss, (p, q), {"log_input": False, "eps": 0.1}, p - q * np.log(p + 0.1)),
    "poisson full": (
        tg.poisson_nll_loss, (a, np.full((3, 4), 3.0)), {"full": True}, np.exp(a) - 3 * a + 3 * np.log(3) - 3 + np.log(6 * np.pi) / 2
    ),
}  # fmt: skip


@each("name", FORMULAS)
def test_values_and_reductions_equal_the_formula(name):
    loss, args, options, expected = FORMULAS[name]
    tensors = [Tensor(args[0]), args[1]] if name.startswith("hinge") else [Tensor(x) for x in args]
    for reduction, reduce in [("none", lambda x: x), ("mean", np.mean), ("sum", np.sum)]:
        np.testing.assert_allclose(loss(*tensors, reduction=reduction, **options).data, reduce(expected), rtol=1e-12)
        np.testing.assert_allclose(loss(*args, reduction=reduction, **options), reduce(expected), rtol=1e-12)


def test_mse_gives_both_gradients_and_they_are_opposite():
    x, t = Tensor(a), Tensor(b)
    loss = tg.mse_loss(x, t)
    assert loss.node.rule.name == "mse_loss" and len(loss.inputs) == 2
    loss.backward()
    np.testing.assert_allclose(x.grad, 2 / 12 * d)
    np.testing.assert_array_equal(t.grad, -x.grad)


def test_short_names():
    assert tg.mse(p, q).item() == tg.mse_loss(p, q).item()
    assert tg.bce(p, q).item() == tg.binary_cross_entropy(p, q).item()


def test_kl_div_with_batchmean_and_with_a_target_of_0():
    np.testing.assert_allclose(tg.kl_div(Tensor(np.log(p)), q, reduction="batchmean").data, (q * np.log(q / p)).sum() / 3)
    x = Tensor([-1.0, -2.0])
    loss = tg.kl_div(x, np.array([0.0, 1.0]), reduction="sum")
    loss.backward()
    assert loss.item() == 2 and x.grad.tolist() == [0, -1]


def test_losses_of_probabilities_0_and_1_are_finite():
    x, t = Tensor([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0])
    loss = tg.bce(x, t, reduction="none")
    loss.sum().backward()
    np.testing.assert_array_equal(loss.data, [0, 0, 100, 100])
    np.testing.assert_allclose(x.grad, [0, 0, -1e12, 1e12])
    z = Tensor([-1000.0, 1000.0, 1000.0])
    loss = tg.binary_cross_entropy_with_logits(z, np.array([0.0, 1.0, 0.0]), reduction="none")
    loss.sum().backward()
    np.testing.assert_array_equal(loss.data, [0, 0, 1000])
    np.testing.assert_array_equal(z.grad, [0, 0, 1])


def test_kinks_of_losses():
    for loss, x, expected in [
        (tg.l1_loss, [0.0, 2.0], [0, 1]),
        (lambda x, t, reduction: tg.huber_loss(x, t, reduction, delta=2), [2.0, -2.0, 5.0], [2, -2, 2]),
        (lambda x, t, reduction: tg.hinge_embedding_loss(x, np.full(2, -1), reduction=reduction), [1.0, 2.0], [-1, 0]),
    ]:
        x = Tensor(x)
        loss(x, np.zeros(x.shape), reduction="sum").backward()
        np.testing.assert_array_equal(x.grad, expected)
    v = Tensor([1e-9, 1.0])
    tg.gaussian_nll_loss(Tensor([0.0, 0.0]), np.array([0.0, 0.0]), v, reduction="sum").backward()
    np.testing.assert_array_equal(v.grad, [0, 0.5])


def test_the_derivative_of_an_infinite_difference_is_that_of_a_large_one():
    for loss, slope in [(tg.huber_loss, 1), (lambda x, t, r: tg.huber_loss(x, t, r, delta=3), 3), (tg.smooth_l1_loss, 1), (tg.l1_loss, 1)]:
        x, t = Tensor([inf, -inf, 1e300, nan]), Tensor([0.0, 5.0, -1e300, 0.0])
        loss(x, t, "sum").backward()
        np.testing.assert_array_equal(x.grad, np.array([1, -1, 1, nan]) * slope)
        np.testing.assert_array_equal(t.grad, -x.grad)


REFUSED = [
    (
        lambda: tg.mse_loss(Tensor(np.ones((3, 1))), np.ones(3)),
        ValueError,
        r"^mse_loss: input has shape \(3, 1\) and target has shape \(3,\)",
    ),
    (lambda: tg.l1_loss(Tensor(np.ones((3, 1))), np.ones((1, 3))), ValueError, r"^l1_loss: input has shape \(3, 1\)"),
    (
        lambda: tg.mse_loss(Tensor([1.0]), [0.0], "avg"),
        ValueError,
        "^mse_loss: reduction='avg' is unknown; use 'mean', 'sum' or 'none'",
    ),
    (lambda: tg.kl_div(Tensor([1.0]), np.array([0.0]), "median"), ValueError, "^kl_div: reduction='median'"),
    (lambda: tg.huber_loss(Tensor([1.0]), np.array([0.0]), delta=0), ValueError, "^huber_loss: delta=0 must be positive"),
    (lambda: tg.smooth_l1_loss(Tensor([1.0]), np.array([0.0]), beta=-1), ValueError, "^smooth_l1_loss: beta=-1"),
    (lambda: tg.bce(Tensor([[0.5, 1.5]]), np.ones((1, 2))), ValueError, r"^bce: input at position \(0, 1\) is 1.5"),
    (lambda: tg.bce(Tensor([nan]), np.ones(1)), ValueError, r"at position \(0,\) is nan"),
    (
        lambda: tg.hinge_embedding_loss(Tensor([1.0]), np.array([0])),
        ValueError,
        "^hinge_embedding_loss: target has an entry that is not 1 or -1",
    ),
    (lambda: tg.gaussian_nll_loss(Tensor([1.0]), np.array([0.0]), np.array([-1.0])), ValueError, "var has a negative entry"),
    (lambda: tg.gaussian_nll_loss(Tensor(a), b, np.ones(4)), ValueError, r"var has shape \(4,\) and input has shape \(3, 4\)"),
]


@each(("wrong", "error", "text"), REFUSED)
def test_wrong_arguments_raise_errors(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()


# Classes

CLASSES = np.array([2, 0, 3])
WEIGHT = np.array([0.5, 2.0, 1.0, 3.0])


def log_softmax(x, axis=1):
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


def picked(x):
    return -log_softmax(x)[[0, 1, 2], CLASSES]


def test_cross_entropy_is_minus_the_log_of_the_softmax_at_the_class():
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), CLASSES, reduction="none").data, picked(a))
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), CLASSES).data, picked(a).mean())
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), CLASSES.tolist(), reduction="sum").data, picked(a).sum())
    np.testing.assert_allclose(tg.nll_loss(Tensor(log_softmax(a)), CLASSES).data, picked(a).mean())
    np.testing.assert_allclose(tg.cross_entropy(a, CLASSES), picked(a).mean())
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a[0]), 2).data, picked(a)[0])


@each("loss", [tg.cross_entropy, lambda x, *more, **options: tg.nll_loss(tg.log_softmax(x, 1), *more, **options)])
def test_class_weights_and_ignore_index(loss):
    w = WEIGHT[CLASSES]
    np.testing.assert_allclose(loss(Tensor(a), CLASSES, weight=WEIGHT).data, (picked(a) * w).sum() / w.sum())
    np.testing.assert_allclose(loss(Tensor(a), CLASSES, weight=WEIGHT, reduction="sum").data, (picked(a) * w).sum())
    x = Tensor(a)
    y = loss(x, np.array([2, -100, 3]))
    y.backward()
    np.testing.assert_allclose(y.data, picked(a)[[0, 2]].mean())
    assert (x.grad[1] == 0).all() and (x.grad[0] != 0).all()
    np.testing.assert_allclose(loss(Tensor(a), CLASSES, ignore_index=0).data, picked(a)[[0, 2]].mean())
    some = np.array([2, 0, 0, 1])[CLASSES] > 0
    expected = (picked(a) * w)[some].sum() / w[some].sum()
    np.testing.assert_allclose(loss(Tensor(a), np.where(some, CLASSES, -100), weight=WEIGHT).data, expected)
    np.testing.assert_allclose(loss(Tensor(a), CLASSES, weight=WEIGHT, ignore_index=2).data, expected)
    assert np.isnan(loss(Tensor(a), np.full(3, -100)).data) and loss(Tensor(a), np.full(3, -100), reduction="sum").item() == 0


def test_label_smoothing_and_targets_of_probabilities():
    onehot = np.eye(4)[CLASSES]
    smooth = 0.9 * onehot + 0.1 / 4
    entropies = -(smooth * log_softmax(a)).sum(1)
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), CLASSES, label_smoothing=0.1).data, entropies.mean())
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), onehot, label_smoothing=0.1).data, entropies.mean())
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), onehot, label_smoothing=0.1, reduction="none").data, entropies)
    weighted = -(smooth * WEIGHT * log_softmax(a)).sum(1)
    np.testing.assert_allclose(tg.cross_entropy(Tensor(a), onehot, WEIGHT, label_smoothing=0.1).data, weighted.mean())
    np.testing.assert_allclose(
        tg.cross_entropy(Tensor(a), CLASSES, WEIGHT, label_smoothing=0.1).data, weighted.sum() / WEIGHT[CLASSES].sum()
    )
    x, t = Tensor(a), Tensor(q)
    tg.cross_entropy(x, t, reduction="sum").backward()
    np.testing.assert_allclose(t.grad, -log_softmax(a))
    np.testing.assert_allclose(x.grad, q.sum(1, keepdims=True) * np.exp(log_softmax(a)) - q)


@each("count", [3, 40])
@each("kind", [np.float32, np.float64])
def test_further_axes_and_memory_layouts(count, kind):
    x = np.random.default_rng(0).standard_normal((2, count, 3, 2)).astype(kind)
    classes = np.arange(12).reshape(2, 3, 2) % count
    expected = -np.take_along_axis(log_softmax(x), classes[:, None], 1)[:, 0]
    gradient = np.exp(log_softmax(x)) - (np.arange(count)[:, None, None] == classes[:, None])
    for layout in (x, np.asfortranarray(x), np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 1, -1)), -1, 1), x[::-1][::-1]):
        t = Tensor(x)
        t._data = layout
        y = tg.cross_entropy(t, classes, reduction="none")
        y.sum().backward()
        np.testing.assert_allclose(y.data, expected, rtol=1e-5 if kind is np.float32 else 1e-12)
        np.testing.assert_allclose(t.grad, gradient, atol=1e-6 if kind is np.float32 else 1e-14)
    two = Tensor(x[:, :, 0, 0])
    two._data = np.asfortranarray(two._data)
    tg.cross_entropy(two, classes[:, 0, 0], reduction="sum").backward()
    np.testing.assert_allclose(two.grad, gradient[:, :, 0, 0], atol=1e-6)


def test_cross_entropy_of_huge_and_masked_scores():
    x = Tensor([[1e4, -1e4], [-inf, 0.0], [-inf, -inf]], dtype=np.float32)
    y = tg.cross_entropy(x, np.array([1, 1, 0]), reduction="none")
    np.testing.assert_array_equal(y.data, [2e4, 0, inf])
    y.sum().backward()
    np.testing.assert_array_equal(x.grad[:2], [[1, -1], [0, 0]])


def test_a_second_backward_adds_the_same_gradient():
    for count in (4, 50):
        x = Tensor(np.random.default_rng(0).standard_normal((3, count)))
        y = tg.cross_entropy(x, CLASSES)
        y.backward(retain_graph=True)
        once = x.grad.copy()
        y.backward()
        np.testing.assert_array_equal(x.grad, 2 * once)


def test_the_second_derivative_of_cross_entropy():
    x = Tensor(a)
    g = grad(tg.cross_entropy(x, CLASSES, reduction="sum"), x, create_graph=True)
    s = np.exp(log_softmax(a))
    np.testing.assert_allclose(grad(g[0, 1], x)[0], s[0, 1] * (np.eye(4)[1] - s[0]))


def test_changing_the_classes_after_the_loss_has_no_effect():
    classes = CLASSES.copy()
    x, t = Tensor(a), Tensor(a)
    y = tg.nll_loss(x, classes)
    classes[:] = 0
    y.backward()
    tg.nll_loss(t, CLASSES).backward()
    np.testing.assert_array_equal(x.grad, t.grad)


WRONG_CLASSES = [
    (lambda f: f(Tensor(a), np.array([0, 4, 1])), IndexError, r": class 4 at position \(1,\) is outside the 4 classes; use 0 to 3$"),
    (lambda f: f(Tensor(a), np.array([0, 1, -1])), IndexError, r": class -1 at position \(2,\) is outside the 4 classes"),
    (lambda f: f(Tensor(a), np.array([-100, 9, -1])), IndexError, r": class 9 at position \(1,\)"),
    (
        lambda f: f(Tensor(a), np.array([0.0, 1.0, 2.0])),
        TypeError,
        r": target has dtype float64, but class numbers are integers; write target.astype\(int\)",
    ),
    (lambda f: f(Tensor(a), np.array([True, False, True])), TypeError, ": target has dtype bool"),
    (lambda f: f(Tensor(a), Tensor([0, 1, 2])), TypeError, ": target .* is a Tensor, which holds no integers; give the class"),
    (
        lambda f: f(Tensor(a), np.zeros((3, 4), int)),
        ValueError,
        r": input has shape \(3, 4\), with 4 classes on axis 1, .* needs shape \(3,\)",
    ),
    (
        lambda f: f(Tensor(a), CLASSES, weight=np.ones(3)),
        ValueError,
        r": weight has shape \(3,\); give one number for each of the 4 classes",
    ),
    (lambda f: f(Tensor(a), CLASSES, reduction="avg"), ValueError, ": reduction='avg' is unknown"),
    (lambda f: f(Tensor(1.0), 0), ValueError, ": input is a 0-d array"),
]


@each(("wrong", "error", "text"), WRONG_CLASSES)
@each("loss", [tg.cross_entropy, tg.nll_loss], ids=lambda f: f.__name__)
def test_wrong_classes_raise_errors(loss, wrong, error, text):
    with pytest.raises(error, match=f"^{loss.__name__}{text}"):
        wrong(loss)


def test_label_smoothing_is_between_0_and_1():
    with pytest.raises(ValueError, match="^cross_entropy: label_smoothing=1.5 is not between 0 and 1"):
        tg.cross_entropy(Tensor(a), CLASSES, label_smoothing=1.5)


REPEATING = {
    "smooth_l1_loss": tg.smooth_l1_loss,
    "huber_loss": tg.huber_loss,
    "kl_div": tg.kl_div,
    "poisson_nll_loss": lambda x, t, **o: tg.poisson_nll_loss(x, t, full=True, **o),
    "hinge_embedding_loss": lambda x, t, **o: tg.hinge_embedding_loss(x, np.where(t > 0.6, 1.0, -1.0), **o),
    "gaussian_nll_loss": lambda x, t, **o: tg.gaussian_nll_loss(x, t, np.full(np.shape(x), 1.5), **o),
    "gaussian_nll_loss, one variance": lambda x, t, **o: tg.gaussian_nll_loss(x, t, np.array([[1.5, 2.0, 3.0]]), full=True, **o),
}


@each("loss", REPEATING.values(), ids=REPEATING)
@each("shape", [(2, 1), (1, 3), (1, 1), (3,), (1,)])
def test_a_target_that_broadcasts_to_the_input_is_repeated(loss, shape):
    rng = np.random.default_rng(0)
    x, t = rng.standard_normal((2, 3)), rng.uniform(0.1, 1.1, shape)
    for reduction in ("mean", "sum", "none"):
        repeated, full = Tensor(x), Tensor(x)
        few, many = loss(repeated, t, reduction=reduction), loss(full, np.broadcast_to(t, (2, 3)), reduction=reduction)
        np.testing.assert_allclose(few.data, many.data)
        few.sum().backward(), many.sum().backward()
        np.testing.assert_allclose(repeated.grad, full.grad)
    with pytest.raises(ValueError, match="reshape one of them|var has shape"):
        loss(t, x)


def test_a_target_that_would_make_more_losses_is_refused():
    for loss in (tg.mse_loss, tg.l1_loss, tg.smooth_l1_loss, tg.huber_loss):
        with pytest.raises(ValueError, match=r"input has shape \(3, 1\) and target has shape \(3,\); reshape one of them"):
            loss(np.ones((3, 1)), np.ones(3))

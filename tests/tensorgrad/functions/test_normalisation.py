"""Normalisation and dropout: values by their formulas, running statistics, numbers far from 0, memory layouts, errors."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.kernels.norms import batch_norm as kernels
from tensorgrad.rules.normalisation import over_batch, over_batch_relu, standardise, standardise_groups
from tests.each import each, swept

RNG = np.random.default_rng(11)
X, R, G = [RNG.standard_normal((4, 3, 5, 2)) for _ in range(3)]
W, B = RNG.standard_normal(3), RNG.standard_normal(3)


def channels_last(a):
    """Return the same array with its channels adjacent in memory."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 1, -1)), -1, 1)


def variable(a, dtype=None):
    """Return a leaf that keeps the memory layout of the array."""
    t = Tensor(a, dtype=dtype)
    t._data = a.astype(t.dtype)
    return t


def by_formula(x, axis, eps=1e-5):
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


def of_channels(v):
    return v[:, None, None]


def test_values_equal_the_formulas():
    close = lambda got, expected: np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12)
    y = by_formula(X, (0, 2, 3)) * of_channels(W) + of_channels(B)
    close(tg.batch_norm(X, None, None, W, B, training=True), y)
    close(tg.batch_norm_relu(X, None, None, W, B, R, training=True), np.maximum(y + R, 0))
    close(tg.batch_norm_relu(X, None, None, W, B, training=True), np.maximum(y, 0))
    v = np.array([1.0, 2.0, 4.0])
    frozen = (X - of_channels(B)) / np.sqrt(of_channels(v) + 1e-3) * of_channels(W) + 1
    close(tg.batch_norm(X, B, v, W, np.ones(3), eps=1e-3), frozen)
    close(tg.batch_norm_relu(X, B, v, W, np.ones(3), R, eps=1e-3), np.maximum(frozen + R, 0))
    close(tg.layer_norm(X, (5, 2), X[0, 0], R[0, 0]), by_formula(X, (2, 3)) * X[0, 0] + R[0, 0])
    close(tg.layer_norm(X, 2), by_formula(X, -1))
    close(tg.group_norm(X, 3, W, B), by_formula(X, (2, 3)) * of_channels(W) + of_channels(B))
    close(tg.group_norm(X, 1, eps=0.1), by_formula(X, (1, 2, 3), 0.1))
    close(tg.instance_norm(X, weight=W, bias=B), by_formula(X, (2, 3)) * of_channels(W) + of_channels(B))
    close(tg.rms_norm(X, (5, 2), eps=0.5), X / np.sqrt((X * X).mean((2, 3), keepdims=True) + 0.5))
    close(tg.rms_norm(X, 2, np.array([2.0, 3.0])), X / np.sqrt((X * X).mean(-1, keepdims=True)) * [2, 3])
    close(tg.normalize(X, 3, axis=2), X / (np.abs(X) ** 3).sum(2, keepdims=True) ** (1 / 3))
    close(tg.cosine_similarity(X, R, axis=1), (X * R).sum(1) / np.sqrt((X * X).sum(1) * (R * R).sum(1)))


@each("norm", [tg.batch_norm, tg.batch_norm_relu])
def test_running_statistics_are_updated_in_place_only_in_training(norm):
    mean, var = np.full(3, 5.0, np.float32), np.full(3, 7.0)
    norm(Tensor(X), mean, var, training=True, momentum=0.25)
    np.testing.assert_allclose(mean, 0.75 * 5 + 0.25 * X.mean((0, 2, 3)), rtol=1e-6)
    np.testing.assert_allclose(var, 0.75 * 7 + 0.25 * X.var((0, 2, 3), ddof=1), rtol=1e-12)
    before = mean.copy(), var.copy()
    norm(Tensor(X), mean, var)
    assert np.array_equal(mean, before[0]) and np.array_equal(var, before[1])


def test_rule_and_kernel_update_running_statistics_alike():
    plain, quick = [[np.zeros(3), np.ones(3)] for _ in range(2)]
    over_batch.forward(X, None, None, 1e-5, (*plain, 0.1))
    over_batch(X, None, None, 1e-5, (*quick, 0.1))
    np.testing.assert_allclose(plain, quick, rtol=1e-12)


def test_instance_norm_updates_running_statistics_with_means_over_the_batch():
    mean, var = np.zeros(3), np.ones(3)
    tg.instance_norm(Tensor(X), mean, var, momentum=0.5)
    np.testing.assert_allclose(mean, 0.5 * X.mean((0, 2, 3)))
    np.testing.assert_allclose(var, 0.5 + 0.5 * X.var((2, 3), ddof=1).mean(0))
    frozen = tg.instance_norm(Tensor(X), mean, var, use_input_stats=False)
    np.testing.assert_allclose(frozen.data, tg.batch_norm(X, mean, var))


def test_second_derivatives_and_zoom_do_not_update_running_statistics_again():
    mean, var = np.zeros(3), np.ones(3)
    x = Tensor(X)
    z = (tg.batch_norm(x, mean, var, training=True) * G).sum()
    after = mean.copy()
    z.backward(retain_graph=True)
    tg.zoom(z)
    z.backward(create_graph=True)
    assert np.array_equal(mean, after) and after.any()


def gradients(norm, arrays, **options):
    x, w, b, r = [variable(a) for a in arrays]
    y = norm(x, w, b, r)
    (y * G_of(y)).sum().backward()
    return [y.data, x.grad, w.grad, b.grad, r.grad]


def G_of(y):
    return np.random.default_rng(2).standard_normal(y.shape).astype(y.dtype)


SHAPES = [
    (4, 3, 5, 2), (70, 3, 4, 4), (3, 64, 40, 40), (2, 3, 260, 260), (9, 700, 1, 1), (40_000, 3), (5, 4, 7), (2, 3, 4, 5, 6),
    (66_000, 2, 1), (2, 70_000, 2),
]  # fmt: skip


@swept("shape", SHAPES, every=3, ids=str)
def test_blocks_equal_the_formulas_in_every_memory_layout(shape):
    rng = np.random.default_rng(4)
    x, r = rng.standard_normal(shape) + 2, rng.standard_normal(shape)
    w, b = rng.standard_normal((2, shape[1]))
    kernel, over_batch_relu.fast = over_batch_relu.fast, None
    try:
        plain = gradients(over_batch_relu, [x, w, b, r])
    finally:
        over_batch_relu.fast = kernel
    for layout in (np.ascontiguousarray, channels_last, np.asfortranarray):
        quick = gradients(over_batch_relu, [layout(x), w, b, layout(r)])
        for got, expected in zip(quick, plain):
            np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max(), err_msg=layout.__name__)


@each("layout", [np.ascontiguousarray, np.asfortranarray], ids=["rows", "fortran"])
@each("shape", [(700, 3, 40), (3, 70_000), (70_000, 2), (1, 5), (7, 3, 20)], ids=str)
def test_blocks_of_rows_equal_the_formulas_in_every_memory_layout(shape, layout):
    rng = np.random.default_rng(4)
    x, (w, b) = rng.standard_normal(shape) + 2, rng.standard_normal((2, shape[-1]))
    norm = lambda x, w, b, r: standardise(x, w, b)
    quick = gradients(norm, [layout(x), w, b, b])[:4]
    kernel, standardise.fast = standardise.fast, None
    try:
        plain = gradients(norm, [x, w, b, b])[:4]
    finally:
        standardise.fast = kernel
    for got, expected in zip(quick, plain):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@each("layout", [np.ascontiguousarray, channels_last, np.asfortranarray], ids=["rows", "channels last", "fortran"])
@each("shape, groups", [((3, 6, 70, 80), 2), ((40, 4, 3, 5), 4), ((7, 6), 3), ((3, 6, 4, 5), 2), ((1, 2, 40_000), 1)], ids=str)
def test_blocks_of_groups_equal_the_formulas_in_every_memory_layout(shape, groups, layout):
    rng = np.random.default_rng(4)
    x, (w, b) = rng.standard_normal(shape) + 2, rng.standard_normal((2, shape[1]))
    norm = lambda x, w, b, r: standardise_groups(x, w, b, groups)
    laid = layout(x) if x.ndim > 2 or layout is not channels_last else x
    quick = gradients(norm, [laid, w, b, b])[:4]
    kernel, standardise_groups.fast = standardise_groups.fast, None
    try:
        plain = gradients(norm, [x, w, b, b])[:4]
    finally:
        standardise_groups.fast = kernel
    for got, expected in zip(quick, plain):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@each("samples", [50, 7])
def test_groups_far_from_0_keep_their_digits_and_nan_or_inf_stays_in_its_group(samples):
    far = (RNG.standard_normal((samples, 4, 64)) + np.linspace(-1e4, 1e4, samples)[:, None, None]).astype(np.float32)
    weights, w = RNG.standard_normal(far.shape), RNG.standard_normal(4)
    t, s = Tensor(far), Tensor(far.astype(float))
    for x in (t, s):
        y = tg.group_norm(x, 2, w.astype(x.dtype))
        (y * weights.astype(y.dtype)).sum().backward()
    np.testing.assert_allclose(tg.group_norm(t, 2, w.astype(np.float32)).data, y.data, atol=1e-5)
    np.testing.assert_allclose(t.grad, s.grad, atol=1e-5 * np.abs(s.grad).max())
    for odd in (np.nan, np.inf):
        far[3, 1, 5] = odd
        t = Tensor(far)
        found = tg.group_norm(t, 2)
        (found * weights.astype(np.float32)).sum().backward()
        for a in (found.data, t.grad):
            assert np.argwhere(~np.isfinite(a).all(2)).tolist() == [[3, 0], [3, 1]]


@each("rows", [500, 9])
def test_rows_far_from_0_keep_their_digits_and_nan_stays_in_its_row(rows):
    far = (RNG.standard_normal((rows, 64)) + np.linspace(-1e4, 1e4, rows)[:, None]).astype(np.float32)
    exact = far.astype(float)
    t, s, weights = Tensor(far), Tensor(exact), RNG.standard_normal((rows, 64))
    for x in (t, s):
        y = tg.layer_norm(x, 64)
        (y * weights.astype(y.dtype)).sum().backward()
    np.testing.assert_allclose(tg.layer_norm(t, 64).data, y.data, atol=2e-6)
    np.testing.assert_allclose(t.grad, s.grad, atol=1e-5 * np.abs(s.grad).max())
    far[3, 5] = np.nan
    found = tg.layer_norm(far, 64)
    assert np.isnan(found).all(1).nonzero()[0].tolist() == [3]
    np.testing.assert_allclose(np.delete(found, 3, 0), np.delete(y.data, 3, 0), atol=2e-6)


def test_layer_norm_is_one_function_and_saves_only_its_input_and_weight():
    x, w, b = Tensor(X), Tensor(R[0, 0]), Tensor(R[0, 1])
    y = tg.layer_norm(x, (5, 2), w, b)
    assert y.rule.name == "layer_norm" and y.inputs == (x.node, w.node, b.node)
    assert set(y.rule.saved(y.node)) == {"x", "weight"}


def test_the_output_keeps_the_memory_layout_of_the_input():
    x, r = variable(channels_last(X)), variable(channels_last(R))
    y = tg.batch_norm_relu(x, weight=W, residual=r, training=True)
    (y * G).sum().backward()
    for a in (y.data, x.grad, r.grad):
        assert np.moveaxis(a, 1, -1).flags.c_contiguous
    assert tg.batch_norm(X, training=True).flags.c_contiguous


@each("shape", [(8, 3, 16, 16), (500, 3), (4, 3, 8, 4)])
def test_numbers_far_from_0_keep_their_digits(shape):
    noise, means = RNG.standard_normal(shape), np.array([1e4, 0, -1e4]).reshape(3, *[1] * (len(shape) - 2))
    far = (noise + means).astype(np.float32)
    exact = far.astype(float) - means
    t, s = Tensor(far), Tensor(exact)
    assert t.dtype == np.float32
    ys = [tg.batch_norm(v, training=True) for v in (t, s)]
    weights = G_of(ys[1])
    for y in ys:
        (y * weights.astype(y.dtype)).sum().backward()
    np.testing.assert_allclose(ys[0].data, ys[1].data, atol=2e-6)
    np.testing.assert_allclose(t.grad, s.grad, atol=1e-5 * np.abs(s.grad).max())


@pytest.mark.parametrize("layout", [np.ascontiguousarray, channels_last], ids=["first", "last"])
def test_the_variance_is_exact_if_the_first_samples_are_outliers(layout, monkeypatch):
    """Differences to a number far from the mean lose digits in float32: a second pass takes differences to the mean itself.

    The other samples are nearly equal, so that the rounding of their differences does not cancel.
    """
    for size in ("BLOCK_ENTRIES", "SIDE", "LANES"):
        monkeypatch.setattr(kernels, size, 4 * 2 * 64)
    x = layout(0.3 + 1e-4 * RNG.standard_normal((2000, 2, 8, 8)).astype(np.float32))
    x[:4] += 1e4  # the first block
    columns = kernels.Columns(x)
    mean, variance = kernels.moments(columns.matrix(x), columns)
    np.testing.assert_allclose(mean, x.mean((0, 2, 3), dtype=float), rtol=1e-6)
    np.testing.assert_allclose(variance, x.var((0, 2, 3), dtype=float), rtol=1e-6)


def test_a_channel_of_equal_numbers_has_variance_0():
    x = np.full((6, 2, 30, 30), 1e4 + 0.1, np.float32)
    columns = kernels.Columns(x)
    assert np.array_equal(kernels.moments(columns.matrix(x), columns)[1], [0, 0])
    y = tg.batch_norm(Tensor(x), bias=np.float32([1, 2]), training=True)
    np.testing.assert_allclose(y.data[0, :, 0, 0], [1, 2], atol=1e-4)


def test_nan_stays_in_its_channel():
    x = X.copy()
    x[1, 2, 0, 0] = np.nan
    y = tg.batch_norm_relu(Tensor(x), training=True).data
    assert np.isnan(y[:, 2]).all() and np.isfinite(y[:, :2]).all()


def test_relu_at_0_passes_no_gradient():
    x, r = Tensor([[1.0], [3.0]]), Tensor([[1.0], [-2.0]])
    tg.batch_norm_relu(x, residual=r, training=True, eps=0.0).sum().backward()  # 0 and -1
    assert r.grad.tolist() == [[0.0], [0.0]]


def test_batch_norm_saves_only_its_input_and_weight_and_the_output_of_relu():
    x, w, b = Tensor(X), Tensor(W), Tensor(B)
    y = tg.batch_norm(x, weight=w, bias=b, training=True)
    assert set(y.rule.saved(y.node)) == {"x", "weight"}
    y = tg.batch_norm_relu(x, weight=w, bias=b, residual=Tensor(R), training=True)
    assert set(y.rule.saved(y.node)) == {"x", "weight", "y"}


def test_the_gradient_of_a_vector_of_length_0_is_as_in_pytorch():
    x = Tensor(np.zeros((1, 2)))
    tg.normalize(x, eps=0.5).sum().backward()
    assert x.grad.tolist() == [[2.0, 2.0]]


def test_dropout_depends_only_on_its_generator():
    x = Tensor(np.ones((1000,)), dtype=np.float32)
    y = tg.dropout(x, 0.25, rng=np.random.default_rng(1))
    y.sum().backward()
    assert y.dtype == np.float32 and set(y.data.tolist()) == {0.0, np.float32(4 / 3)}
    assert np.array_equal(x.grad, y.data) and 200 < (y.data == 0).sum() < 300
    assert np.array_equal(tg.dropout(x, 0.25, rng=1).data, y.data)
    same = np.random.default_rng(1)
    assert not np.array_equal(tg.dropout(x, 0.25, rng=same).data, tg.dropout(x, 0.25, rng=same).data)
    assert np.array_equal(tg.dropout(x, 0.25, training=False).data, x.data)
    assert not tg.dropout(Tensor([1.0, np.e]), 1.0).data.any()


@each(
    "call, said",
    [
        (lambda: tg.batch_norm(Tensor(W), training=True), "batch_norm: x has shape (3,); (n, c, *size) is needed"),
        (lambda: tg.batch_norm(Tensor(X), weight=np.ones(4), training=True),
         "weight has shape (4,); x of shape (4, 3, 5, 2) has 3 channels"),
        (lambda: tg.batch_norm(Tensor(X)), "batch_norm: give both running_mean and running_var; only in training both may be left out"),
        (lambda: tg.batch_norm(Tensor(X), W, training=True), "give both running_mean and running_var"),
        (lambda: tg.batch_norm(Tensor(X[:1, :, :1, :1]), training=True),
         "x has shape (1, 3, 1, 1); in training each channel needs at least two numbers"),
        (lambda: tg.batch_norm(Tensor(X[:0]), training=True), "x has shape (0, 3, 5, 2); in training each channel"),
        (lambda: tg.batch_norm(Tensor(X[:, :0]), training=True), "each channel needs at least two numbers"),
        (lambda: tg.batch_norm_relu(Tensor(X), residual=R[0], training=True), "residual has shape (3, 5, 2) and x has shape (4, 3, 5, 2)"),
        (lambda: tg.layer_norm(Tensor(X), 3), "layer_norm: x has shape (4, 3, 5, 2), whose last axes are not normalized_shape=(3,)"),
        (lambda: tg.layer_norm(Tensor(X), (5, 2), np.ones(2)), "layer_norm: weight has shape (2,); it needs normalized_shape=(5, 2)"),
        (lambda: tg.rms_norm(Tensor(X), ()), "rms_norm: x has shape (4, 3, 5, 2), whose last axes"),
        (lambda: tg.group_norm(Tensor(X), 2), "(n, c, *size), cannot be divided into 2 equal groups of channels"),
        (lambda: tg.group_norm(Tensor(X), 3, bias=np.ones(2)), "group_norm: bias has shape (2,)"),
        (lambda: tg.instance_norm(Tensor(X[:, :, 0, 0])), "each channel of a sample needs at least two numbers"),
        (lambda: tg.dropout(Tensor(X), 1.5), "dropout: p=1.5 is not a probability; use a number from 0 to 1"),
        (lambda: tg.dropout(Tensor(X), np.nan), "is not a probability"),
    ],
)  # fmt: skip
def test_wrong_shapes_and_options_raise_errors(call, said):
    with pytest.raises(ValueError) as refused:
        call()
    assert said in str(refused.value)


def test_running_statistics_are_arrays():
    with pytest.raises(TypeError, match="running_mean and running_var must be NumPy arrays"):
        tg.batch_norm(Tensor(X), Tensor(W), Tensor(B))


def test_lists_count_as_arrays():
    assert tg.rms_norm([3.0, 4.0], 2).shape == (2,) and tg.group_norm([[3.0, 4.0]], 1).shape == (1, 2)
    assert tg.cosine_similarity([[3.0, 4.0]], [[4.0, 3.0]]).tolist() == [0.96]

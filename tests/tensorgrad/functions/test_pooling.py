"""Pooling: the formulas by hand, ties, edges, padding, errors; interpolate and pixel_shuffle."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, grad
from tensorgrad.arrays import windows
from tensorgrad.kernels import pooling
from tensorgrad.rules.images import resampling
from tests.each import each

rng = np.random.default_rng(0)


def boxes(x, kernel, stride, padding, count):
    """Return the entries of the image x that each window covers, without padding."""
    for i, j in np.ndindex(count):
        top, left = i * stride - padding, j * stride - padding
        yield (i, j), x[max(top, 0) : top + kernel, max(left, 0) : left + kernel]


@each("kernel, stride, padding", [(2, 2, 0), (3, 2, 1), (3, 1, 1), (2, 3, 0), (1, 1, 0), (1, 2, 0)])
def test_values_equal_the_formulas(kernel, stride, padding):
    x = rng.standard_normal((7, 6))
    found = tg.max_pool2d(x, kernel, stride, padding)
    mean = tg.avg_pool2d(x, kernel, stride, padding, count_include_pad=False)
    smooth = tg.smooth_max_pool2d(x, kernel, stride, padding, beta=2.5)
    for place, box in boxes(x, kernel, stride, padding, found.shape):
        assert found[place] == box.max()
        np.testing.assert_allclose(mean[place], box.mean())
        np.testing.assert_allclose(smooth[place], np.log(np.exp(2.5 * box).sum()) / 2.5)
    whole = tg.avg_pool2d(x, kernel, stride, padding)
    for place, box in boxes(x, kernel, stride, padding, whole.shape):
        np.testing.assert_allclose(whole[place], box.sum() / kernel**2)


def test_equal_largest_entries_share_the_gradient_evenly():
    x = Tensor([[1.0, 1.0, 5.0, 0.0], [1.0, 0.0, 0.0, 5.0]])
    tg.max_pool2d(x, 2).sum().backward()
    np.testing.assert_allclose(x.grad, [[1 / 3, 1 / 3, 1 / 2, 0], [1 / 3, 0, 0, 1 / 2]])
    flat = Tensor(np.zeros((1, 16, 16)))  # a window with more places than a byte can count
    tg.max_pool2d(flat, 16).sum().backward()
    assert (flat.grad == 1 / 256).all()


def test_padding_is_never_the_largest():
    x = Tensor(np.full((2, 2), -np.inf))
    tg.max_pool2d(x, 3, 1, 1).sum().backward()
    assert (x.grad == 1).all()  # four windows, each shared by four entries
    assert (tg.max_pool2d(np.full((2, 2), -7.0), 3, 1, 1) == -7).all()
    assert (tg.smooth_max_pool2d(np.full((2, 2), -700.0), 2, 1, 1)[0, 0]) == -700


def test_a_nan_in_a_window_gives_nan():
    x = Tensor([[np.nan, 1.0, 2.0, 2.0, 3.0, 4.0]])
    y = tg.max_pool1d(x, 2)
    np.testing.assert_array_equal(y.data, [[np.nan, 2.0, 4.0]])
    np.testing.assert_array_equal(grad(y, x, np.ones((1, 3))), [[np.nan, np.nan, 0.5, 0.5, 0, 1]])


def test_maxima_with_and_without_masks_agree():
    x = rng.standard_normal((3, 2, 7, 8))
    for settings in [(2,), (3, 2, 1), (1,), (1, 2), (2, 1, 0, 2)]:
        assert np.array_equal(tg.max_pool2d(x, *settings), tg.max_pool2d(Tensor(x), *settings).data)


LONG = {
    "ties": rng.standard_normal((2, 3, 16, 20)).round(1),
    "nan and inf": rng.choice([np.nan, np.inf, -np.inf, 0.0, 1.0], (2, 3, 16, 20), p=[0.01, 0.02, 0.6, 0.3, 0.07]),
    "all -inf": np.full((1, 1, 16, 20), -np.inf),
    "not contiguous": rng.standard_normal((20, 16, 3, 2)).T[::-1],
    "no sample": np.zeros((0, 3, 16, 20)),
}


@each("x", LONG.values(), ids=LONG)
def test_long_windows_give_what_other_windows_give(monkeypatch, x):
    def computed(pool, x):
        t = Tensor(x)
        y = pool(t)
        return y.data, grad(y, t, rng.standard_normal(y.shape).astype(y.dtype))

    for size, dtype in [((2, 2), np.float64), ((1, 1), np.float32), ((16, 2), np.float32)]:
        for pool in (lambda t, size=size: tg.adaptive_max_pool2d(t, size), lambda t, size=size: tg.adaptive_avg_pool2d(t, size)):
            for axes in (x, x[0, 0] if len(x) else x):
                found = []
                for long in (8, 1000):
                    monkeypatch.setattr(windows, "LONG", long)
                    rng = np.random.default_rng(1)
                    found.append(computed(pool, axes.astype(dtype)))
                for a, b in zip(*found):
                    assert a.dtype == b.dtype == dtype
                    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_a_window_that_is_remembered_stands_for_no_other_arguments():
    x = np.ones((4, 4))
    for pool, others in [(tg.avg_pool2d, [2.0, (2.0, 2), "2"]), (tg.adaptive_avg_pool2d, [2.0, (2.0, 2)])]:
        assert pool(x, 2).shape == pool(x, 2).shape == (2, 2) and pool(x[:2], 1).shape == ((2, 4) if pool is tg.avg_pool2d else (1, 1))
        for other in others:
            with pytest.raises(TypeError):
                pool(x, other)


def test_blocks_of_the_batch_give_the_whole_result(monkeypatch):
    x = rng.standard_normal((5, 2, 6, 6)).round(1)  # some entries are equal
    y, t = tg.max_pool2d(x, 3, 2, 1), Tensor(x)
    whole = grad((tg.max_pool2d(t, 3, 2, 1) * y).sum(), t)
    for block in (1, 1000, 1500):
        monkeypatch.setattr(pooling, "BLOCK_BYTES", block)
        again = tg.max_pool2d(t, 3, 2, 1)
        assert np.array_equal(again.data, y) and np.array_equal(tg.max_pool2d(x, 3, 2, 1), y)
        assert np.array_equal(grad((again * y).sum(), t), whole)


def test_ceil_mode_adds_a_window_past_the_edge():
    x = np.arange(5.0)
    assert tg.max_pool1d(x, 2).tolist() == [1, 3]
    assert tg.max_pool1d(x, 2, ceil_mode=True).tolist() == [1, 3, 4]
    assert tg.avg_pool1d(x, 2, ceil_mode=True).tolist() == [0.5, 2.5, 4]
    assert tg.avg_pool1d(np.ones(5), 3, 2, 1, ceil_mode=True).tolist() == pytest.approx([2 / 3, 1, 2 / 3])
    assert tg.avg_pool1d(np.ones(4), 3, 2, 1, ceil_mode=True).tolist() == pytest.approx([2 / 3, 1, 1 / 2])  # one entry of padding counts
    assert tg.max_pool1d(np.arange(3.0), 1, 3, ceil_mode=True).tolist() == [0]  # no window starts past the end
    assert tg.max_pool1d(np.arange(4.0), 2, 3, 1, ceil_mode=True).tolist() == [0, 3]


def test_further_axes_in_front_are_allowed():
    x = rng.standard_normal((2, 3, 4, 6))
    assert np.array_equal(tg.max_pool2d(x, 2)[1, 2], tg.max_pool2d(x[1, 2], 2))
    assert tg.avg_pool3d(x, 2).shape == (2, 1, 2, 3)
    assert tg.max_pool2d(np.arange(16).reshape(4, 4), 2).tolist() == [[5, 7], [13, 15]]  # integers too


def test_divisor_override():
    assert tg.avg_pool1d(np.array([1.0, 3.0]), 2, divisor_override=4).tolist() == [1]


def test_the_smooth_maximum_with_a_large_beta_is_the_maximum():
    x = rng.standard_normal((4, 4))
    np.testing.assert_allclose(tg.smooth_max_pool2d(x, 2, beta=1e4), tg.max_pool2d(x, 2), atol=1e-3)
    assert np.isfinite(tg.smooth_max_pool2d(x * 1e5, 2)).all()


def test_adaptive_pooling_uses_the_boxes_of_its_formula():
    x = np.arange(5.0)
    assert tg.adaptive_avg_pool1d(x, 3).tolist() == pytest.approx([0.5, 2, 3.5])
    assert tg.adaptive_max_pool1d(x, 3).tolist() == [1, 3, 4]
    assert tg.adaptive_avg_pool1d(x, 7).tolist() == pytest.approx([0, 0.5, 1.5, 2, 2.5, 3.5, 4])
    y = tg.adaptive_avg_pool2d(rng.standard_normal((2, 4, 6)), (None, 1))
    assert y.shape == (2, 4, 1)


def test_unfold_and_fold_are_each_others_transpose():
    x, settings = rng.standard_normal((2, 3, 5, 6)), dict(kernel_size=(2, 3), dilation=(1, 2), padding=1, stride=(2, 1))
    columns = tg.unfold(x, **settings)
    u = rng.standard_normal(columns.shape)
    np.testing.assert_allclose((columns * u).sum(), (x * tg.fold(u, (5, 6), **settings)).sum())


def test_convolution_is_a_matrix_product_with_unfold():
    x, w = rng.standard_normal((2, 3, 5, 6)), rng.standard_normal((4, 3, 2, 2))
    y = w.reshape(4, -1) @ tg.unfold(x, 2)
    np.testing.assert_allclose(y.reshape(2, 4, 4, 5), tg.conv2d(x, w))


@each("shape", [(0, 2, 4, 4), (2, 0, 4, 4)])
def test_resizing_nothing_has_a_gradient(shape):
    for resize in (lambda x: tg.interpolate(x, (3, 5), mode="bilinear"), lambda x: tg.adaptive_avg_pool2d(x, (3, 2))):
        x = Tensor(np.zeros(shape))
        resize(x).sum().backward()
        assert x.grad.shape == shape


def test_interpolate_beyond_an_infinite_last_entry_is_infinite():
    y = tg.interpolate(np.array([[[1.0, 2.0, np.inf]]]), size=6, mode="linear")
    assert y.tolist() == [[[1.0, 1.25, 1.75, np.inf, np.inf, np.inf]]]


def test_interpolate_takes_the_nearest_entry():
    x = np.arange(3.0).reshape(1, 1, 3)
    assert tg.interpolate(x, size=5).tolist() == [[[0, 0, 1, 1, 2]]]
    assert tg.interpolate(x, size=2).tolist() == [[[0, 1]]]
    assert tg.interpolate(x, scale_factor=1.5).tolist() == [[[0, 0, 1, 2]]]
    t = Tensor(x)
    tg.interpolate(t, size=5).sum().backward()
    assert t.grad.tolist() == [[[2, 2, 1]]]


def test_modes_that_weigh_neighbours_keep_straight_lines_and_corners():
    line = np.arange(5.0).reshape(1, 1, 5)
    np.testing.assert_allclose(tg.interpolate(line, 9, mode="linear", align_corners=True)[0, 0], np.arange(9) / 2)
    np.testing.assert_allclose(tg.interpolate(line, 10, mode="linear")[0, 0], ((np.arange(10) + 0.5) / 2 - 0.5).clip(0, 4))
    plane = line[..., None] + 10 * line[:, :, None]
    for mode in ("bilinear", "bicubic"):
        y = tg.interpolate(plane, (9, 9), mode=mode, align_corners=True)[0, 0]
        inner = slice(None) if mode == "bilinear" else slice(2, -2)  # a cubic needs two neighbours on each side
        np.testing.assert_allclose(y[inner, inner], (np.arange(9)[:, None] / 2 + 10 * np.arange(9) / 2)[inner, inner])
        assert y[0, 0] == plane[0, 0, 0, 0] and y[-1, -1] == plane[0, 0, -1, -1]


def test_sums_by_a_matrix_are_the_sums_of_the_weights(monkeypatch):
    found = []
    for small in (resampling.SMALL, 0):
        monkeypatch.setattr(resampling, "SMALL", small)
        for settings in ({"size": (11, 3)}, {"scale_factor": (0.6, 3.3)}, {"size": (5, 1), "align_corners": True}):
            for mode in ("bilinear", "bicubic"):
                x = Tensor(np.random.default_rng(1).standard_normal((2, 3, 6, 5)))
                y = tg.interpolate(x, mode=mode, **settings)
                y.backward(np.sin(y.data))
                found.append(x.grad)
    for a, b in zip(found[:6], found[6:], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_a_nan_reaches_only_the_entries_that_use_it():
    x = Tensor(np.where(np.arange(5) == 2, np.nan, 1.0).reshape(1, 1, 5))
    y = tg.interpolate(x, 10, mode="linear")
    assert np.isnan(y.data).ravel().tolist() == [False] * 3 + [True] * 4 + [False] * 3
    y.backward(np.where(np.arange(10) == 9, np.nan, 1.0).reshape(1, 1, 10))
    assert np.isnan(x.grad).ravel().tolist() == [False] * 4 + [True]


def test_pixel_unshuffle_undoes_pixel_shuffle():
    x = rng.standard_normal((2, 12, 3, 5))
    y = tg.pixel_shuffle(x, 2)
    assert y.shape == (2, 3, 6, 10) and y[1, 2, 3, 4] == x[1, 2 * 4 + 1 * 2 + 0, 1, 2]
    assert np.array_equal(tg.pixel_unshuffle(y, 2), x)


@each("n", [1, 2, 3, 4])
def test_any_number_of_axes_is_pooled(n):
    """Compare with the entries of each window, read one by one."""
    x = rng.standard_normal((2, *(5, 4, 4, 3)[:n]))
    kernel = (2, 3, 1, 2)[:n]
    count = [m // k for m, k in zip(x.shape[1:], kernel)]
    means, boxes = [tg.adaptive_avg_pool(x, (1,) * n)[(..., *[0] * n)], tg.adaptive_max_pool(x, (1,) * n)[(..., *[0] * n)]]
    np.testing.assert_allclose(means, x.reshape(2, -1).mean(1))
    assert np.array_equal(boxes, x.reshape(2, -1).max(1))
    pooled = [
        (tg.max_pool(x, kernel), lambda box: box.max()),
        (tg.avg_pool(x, kernel), lambda box: box.mean()),
        (tg.lp_pool(x, 3, kernel), lambda box: (np.abs(box) ** 3).sum() ** (1 / 3)),
        (tg.lp_pool(x, np.inf, kernel), lambda box: np.abs(box).max()),
        (tg.smooth_max_pool(x, kernel), lambda box: np.log(np.exp(box).sum())),
    ]
    for y, of in pooled:
        assert y.shape == (2, *count)
        for place in np.ndindex(y.shape):
            box = x[(place[0], *[slice(p * k, (p + 1) * k) for p, k in zip(place[1:], kernel)])]
            np.testing.assert_allclose(y[place], of(box))


@each("settings", [{}, {"stride": 1}, {"stride": 2, "padding": 1}, {"dilation": 2, "padding": 1}, {"ceil_mode": True}])
def test_return_indices_locates_the_largest_entries(settings):
    x = rng.standard_normal((2, 3, 5, 6))
    t = Tensor(x)
    y, places = tg.max_pool2d(t, 3, return_indices=True, **settings)
    assert type(places) is np.ndarray and places.dtype.kind == "i" and places.shape == y.shape and y.node is not None
    assert np.array_equal(np.take_along_axis(x.reshape(2, 3, -1), places.reshape(2, 3, -1), -1).reshape(y.shape), y.data)


def test_return_indices_with_ties_nan_and_windows_of_minus_inf():
    assert tg.max_pool1d([1.0, 1.0, 0.0, 2.0, 2.0], 5, return_indices=True)[1].tolist() == [3]
    assert tg.max_pool1d([3.0, np.nan, np.nan], 3, return_indices=True)[1].tolist() == [1]
    y, places = tg.max_pool1d(np.full(3, -np.inf), 2, 1, 1, return_indices=True)
    assert places.tolist() == [0, 0, 1, 2] and (y == -np.inf).all()


x = np.zeros((2, 3, 4, 5))
REFUSED = [
    (
        lambda: tg.max_pool(x, 2),
        r"max_pool: kernel_size=2 is not a sequence; give one number for each axis of the window, such as \(2, 2\)",
    ),
    (lambda: tg.adaptive_avg_pool(x, 2), "adaptive_avg_pool: output_size=2 is not a sequence; give one number for each axis of the window"),
    (lambda: tg.max_pool(x, (1,) * 5), r"max_pool: x has shape \(2, 3, 4, 5\); at least 5 axes are needed"),
    (lambda: tg.lp_pool2d(x, 0, 2), "lp_pool2d: norm_type=0 must be positive"),
    (lambda: tg.max_pool2d(x, 2, return_indices=True, total=True), "max_pool2d: total=True excludes return_indices=True"),
    (
        lambda: tg.max_pool2d(x, 6),
        r"max_pool2d: a kernel of \(6, 6\) does not fit into x of shape \(2, 3, 4, 5\)",
    ),
    (lambda: tg.max_pool2d(x, 2, padding=2), "max_pool2d: padding=2 is more than half of the kernel"),
    (lambda: tg.max_pool2d(x, 0), "kernel_size=0 is too small; use at least 1"),
    (lambda: tg.max_pool2d(x, (1, 2, 3)), "has 3 numbers; give one, or one for each of the 2 axes"),
    (lambda: tg.max_pool2d(np.zeros(3), 2), r"x has shape \(3,\); at least 2 axes"),
    (lambda: tg.avg_pool2d(x, 2, divisor_override=0), "divisor_override=0"),
    (lambda: tg.smooth_max_pool2d(x, 2, beta=0), "beta=0 must be positive"),
    (lambda: tg.adaptive_avg_pool2d(x, (1, 2, 3)), "has 3 numbers"),
    (lambda: tg.adaptive_avg_pool2d(x, 0), "at least 1"),
    (lambda: tg.adaptive_max_pool2d(np.zeros((2, 0)), 1), "an axis without entries"),
    (lambda: tg.unfold(x, 6), "unfold: a kernel of"),
    (lambda: tg.unfold(np.zeros((4, 5)), 2), r"unfold: x has shape \(4, 5\); 4 axes are needed"),
    (lambda: tg.fold(np.zeros((1, 4, 5)), (3, 3), 2), r"fold: x has shape \(1, 4, 5\); .* \(2, 2\) windows, so \(batch, channels · 4, 4\)"),
    (lambda: tg.interpolate(x), "give either size or scale_factor"),
    (lambda: tg.interpolate(x, scale_factor=2, mode="area"), "mode='area' is unknown; use 'nearest', 'linear', .* or 'bicubic'"),
    (lambda: tg.interpolate(x, scale_factor=2, mode="linear"), "mode='linear' does not fit x of shape .*; use 'bilinear'"),
    (lambda: tg.interpolate(x[None, None], scale_factor=2, mode="bilinear"), "mode='bilinear' does not fit .*; use 'nearest'"),
    (lambda: tg.interpolate(x, scale_factor=2, align_corners=True), "align_corners requires a mode that weighs neighbours"),
    (lambda: tg.interpolate(x, scale_factor=0.1), "scale_factor=0.1 does not fit x of shape"),
    (lambda: tg.interpolate(x[0, 0], size=2), r"x has shape \(4, 5\)"),
    (lambda: tg.pixel_shuffle(x, 2), r"pixel_shuffle: x of shape \(2, 3, 4, 5\) has 3 channels, which 2² = 4 does not divide"),
    (lambda: tg.pixel_unshuffle(x, 2), "sides 4 and 5, which the factor 2 does not divide"),
]


@each("wrong, message", REFUSED)
def test_wrong_shapes_and_options_raise_errors(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_recompute_scale_factor_uses_the_ratio_of_the_sizes():
    x = np.arange(10.0).reshape(1, 1, 10)
    factor = 0.65  # six entries, 10 / 6 apart and not 1 / 0.65
    assert tg.interpolate(x, scale_factor=factor).tolist() == [[[0, 1, 3, 4, 6, 7]]]
    assert (
        tg.interpolate(x, scale_factor=factor, recompute_scale_factor=True).tolist()
        == tg.interpolate(x, size=6).tolist()
        == [[[0, 1, 3, 5, 6, 8]]]
    )
    with pytest.raises(ValueError, match="interpolate: recompute_scale_factor requires scale_factor"):
        tg.interpolate(x, size=6, recompute_scale_factor=True)


@each("p", [1, 1.5, 2, 3, np.inf])
def test_a_window_of_zeros_has_norm_0_and_derivative_0(p):
    x = Tensor([[0.0, 0.0, 3.0, -4.0]])
    y = tg.lp_pool1d(x, p, 2)
    y.sum().backward()
    assert y.data[0, 0] == 0 and x.grad[0, :2].tolist() == [0, 0] and np.isfinite(x.grad).all()


@each("special", [np.inf, -np.inf, np.nan])
def test_adaptive_means_of_boxes_without_a_special_number_are_finite(special):
    a = np.arange(8.0)
    a[5] = special
    x = Tensor(a)
    y = tg.adaptive_avg_pool1d(x, 5)  # boxes 0:2, 1:4, 3:5, 4:7, 6:8
    np.testing.assert_array_equal(y.data, [0.5, 2, 3.5, special, 6.5])
    y.backward(np.array([1.0, 1.0, np.inf, 1.0, 1.0]))
    np.testing.assert_allclose(x.grad, [1 / 2, 5 / 6, 1 / 3, np.inf, np.inf, 1 / 3, 5 / 6, 1 / 2])

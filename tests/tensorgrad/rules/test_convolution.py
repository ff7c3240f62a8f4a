"""Convolutions: the formula by hand, all algorithms against each other, saved arrays, memory layouts, errors."""

from itertools import product

import numpy as np
import pytest

from tensorgrad import Tensor, conv, conv1d, conv2d, conv3d, conv_transpose, conv_transpose1d, conv_transpose2d, conv_transpose3d, grad
from tensorgrad.arrays.windows import Window
from tensorgrad.kernels.convolutions import depthwise, few_channels, gathered, im2col, kernel_rows, pointwise, winograd
from tensorgrad.kernels.convolutions.convolution import (
    DEPTHWISE,
    FEW_CHANNELS,
    GATHERED,
    IM2COL,
    KERNEL_ROWS,
    POINTWISE,
    WINOGRAD,
    algorithm,
    algorithm_for,
)
from tensorgrad.kernels.convolutions.convolution import vjps as checked_vjps
from tensorgrad.kernels.threads import threads
from tensorgrad.rules.images.convolution import convolution, correlation, transposed_convolution
from tests.each import each, swept
from tests.peak import peak_of

rng = np.random.default_rng(0)


def normal(*shape):
    return rng.standard_normal(shape)


def by_hand(x, w, stride, padding, dilation, groups):
    """Compute y[n,o,p] = Σ over c, k: w[o,c,k] x[n,c,p·stride + k·dilation - padding], one number at a time."""
    n, channels, height, width = x.shape
    out, fewer, rows, columns = w.shape
    p = [(size + 2 * padding - dilation * (k - 1) - 1) // stride + 1 for size, k in ((height, rows), (width, columns))]
    y = np.zeros((n, out, *p))
    for b, o, i, j in np.ndindex(y.shape):
        first = o // (out // groups) * fewer
        for c, k, m in np.ndindex(fewer, rows, columns):
            row, column = i * stride + k * dilation - padding, j * stride + m * dilation - padding
            if 0 <= row < height and 0 <= column < width:
                y[b, o, i, j] += w[o, c, k, m] * x[b, first + c, row, column]
    return y


@each("stride, padding, dilation, groups", list(product([1, 2], [0, 2], [1, 2], [1, 2])))
def test_values_equal_the_formula(stride, padding, dilation, groups):
    x, w = normal(2, 4, 6, 5), normal(4, 4 // groups, 3, 2)
    y = conv2d(x, w, None, stride, padding, dilation, groups)
    np.testing.assert_allclose(y, by_hand(x, w, stride, padding, dilation, groups), atol=1e-12)


@each("settings", [{}, {"stride": 2, "output_padding": 1}, {"padding": 1, "dilation": 2}, {"groups": 2, "stride": 3}])
def test_transposed_convolution_is_the_transpose(settings):
    x, w = normal(2, 4, 3, 4), normal(4, 2, 3, 2)
    y = conv_transpose2d(x, w, **settings)
    settings.pop("output_padding", None)
    u = normal(*y.shape)
    np.testing.assert_allclose((y * u).sum(), (conv2d(u, w, **settings) * x).sum())


def test_same_padding_keeps_the_size_and_puts_the_odd_entry_behind():
    x = np.array([[1.0, 2.0, 3.0]])
    assert conv1d(x, np.ones((1, 1, 2)), padding="same").tolist() == [[3, 5, 3]]
    for kernel, dilation in product((1, 2, 3, 4), (1, 2)):
        assert conv1d(normal(1, 9), normal(1, 1, kernel), padding="same", dilation=dilation).shape == (1, 9)


def test_convolution_over_one_to_four_axes():
    assert conv3d(normal(2, 3, 4, 4), normal(5, 2, 2, 2, 2)).shape == (5, 2, 3, 3)  # without a batch
    assert conv(normal(1, 2, 3, 3, 3, 3), normal(2, 2, 2, 2, 2, 2)).shape == (1, 2, 2, 2, 2, 2)  # four axes
    assert conv_transpose(normal(2, 3), normal(2, 1, 2)).shape == (1, 4)
    x, w = normal(2, 3, 7), normal(4, 3, 3)
    np.testing.assert_allclose(conv1d(x, w)[:, :, None], conv2d(x[:, :, None], w[:, :, None]))
    assert conv_transpose1d(x, normal(3, 2, 3)).shape == (2, 2, 9)
    assert conv_transpose3d(normal(1, 2, 2, 2, 2), normal(2, 3, 1, 2, 2)).shape == (1, 3, 2, 3, 3)


def test_integers_do_not_widen_float32():
    y = conv2d(Tensor(normal(1, 1, 3, 3), dtype=np.float32), np.ones((1, 1, 2, 2), int))
    assert y.dtype == np.float32
    assert conv2d(np.ones((1, 1, 2, 2), int), np.ones((1, 1, 2, 2), int)).tolist() == [[[[4.0]]]]


# The algorithms

SHAPES = [
    # algorithm, channels in and out, size, kernel, padding, stride (1 if left out)
    (winograd, 5, 4, (4, 6), (3, 3), 1),
    (winograd, 5, 4, (4, 6), (3, 3), 0),
    (winograd, 2, 7, (4, 6), (3, 3), ((2, 2), (1, 3))),
    (winograd, 3, 4, (5, 5), (3, 3), ((0, 1), (2, 1))),
    (winograd, 3, 3, (6, 6), (3, 3), 3),
    (kernel_rows, 3, 4, (5, 7), (3, 2), 1),
    (kernel_rows, 4, 3, (5, 7), (2, 3), 0),
    (kernel_rows, 3, 4, (5, 7), (1, 3), ((0, 0), (4, 4))),
    (kernel_rows, 3, 4, (5, 7), (5, 1), 2),
    (kernel_rows, 3, 4, (8, 8), (3, 3), 1, 2),
    (kernel_rows, 4, 3, (7, 8), (3, 2), ((0, 1), (2, 0)), (3, 1)),
    (kernel_rows, 2, 3, (6, 9), (4, 5), 0, (2, 3)),
    (kernel_rows, 2, 3, (5, 5), (2, 2), 3, 2),
    (kernel_rows, 3, 4, (1, 5), (3, 3), 1, 2),
    (pointwise, 3, 4, (5, 7), (1, 1), 0),
    (pointwise, 3, 4, (5, 7), (1, 1), 0, (3, 1)),
    (pointwise, 3, 4, (5,), (1,), 0),
]


@pytest.mark.parametrize("block", [1, 2000, 1 << 20])
@pytest.mark.parametrize("how, channels, out, size, kernel, padding, stride", [(*row, 1)[:7] for row in SHAPES])
def test_all_algorithms_agree(monkeypatch, how, channels, out, size, kernel, padding, stride, block):
    for module in (winograd, kernel_rows, im2col):
        monkeypatch.setattr(module, "BLOCK_BYTES", block)
    for module in (winograd, im2col):
        monkeypatch.setattr(module, "FEWEST", 2)
    monkeypatch.setattr(winograd, "WIDTH", 2)
    window = Window.of("conv", kernel, stride, padding, 1)
    x, w = normal(3, *size, channels), normal(out, channels, *kernel)
    y = im2col.products(x, w, window, 1)
    g = normal(*y.shape)
    np.testing.assert_allclose(how.products(x, w, window, 1), y, atol=1e-12)
    dx, dw = im2col.col2im(g, w, window, 1, size), im2col.weight_gradient(g, x, window, 1)
    for vjps in (how.vjps, im2col.vjps_by_mirrored_kernel) if stride == 1 else (how.vjps,):
        found = vjps(g, x, w, window, 1, size)
        np.testing.assert_allclose(found[0], dx, atol=1e-11)
        np.testing.assert_allclose(found[1], dw, atol=1e-11)
    np.testing.assert_allclose(how.vjps(g, None, w, window, 1, size)[0], dx, atol=1e-11)
    np.testing.assert_allclose(how.vjps(g, x, None, window, 1, size)[1], dw, atol=1e-11)


@each("how, stride, most", [(winograd, 1, 2.5), (im2col, 2, 2.1)])
def test_the_backward_pass_of_a_large_kernel_takes_little_memory_beside_its_results(how, stride, most):
    """Winograd's transform of this kernel takes 1.5 times the bytes of dx and dw together; in pieces, one a thread, it takes less."""
    window = Window.of("conv", (3, 3), stride, 1, 1)
    x, w = normal(8, 8, 8, 256).astype(np.float32), normal(256, 256, 3, 3).astype(np.float32)
    g = how.products(x, w, window, 1)
    found = []
    with threads(1):
        peak = peak_of(lambda: found.extend(how.vjps(g, x, w, window, 1, (8, 8))))
    assert peak < most * sum(a.nbytes for a in found)


@swept("block", [1, 400, 1 << 20], every=3)
@pytest.mark.parametrize("stride, dilation, groups", list(product([1, 2, 3], [1, 2], [1, 2])))
def test_blocks_of_im2col_give_the_whole_result(monkeypatch, block, stride, dilation, groups):
    monkeypatch.setattr(im2col, "BLOCK_BYTES", block)
    monkeypatch.setattr(im2col, "FEWEST", 1)
    monkeypatch.setattr(gathered, "MOST", 0)
    gives_the_whole_result(6, stride, dilation, groups)


@pytest.mark.parametrize("block", [1, 4000, 1 << 20])
@pytest.mark.parametrize("stride, dilation, channels", list(product([1, 2], [1, 2], [1, 3])))
def test_blocks_of_few_channels_give_the_whole_result(monkeypatch, block, stride, dilation, channels):
    monkeypatch.setattr(few_channels, "BLOCK_BYTES", block)
    monkeypatch.setattr(gathered, "MOST", 0)
    gives_the_whole_result(channels, stride, dilation, 1)


@each("stride, dilation, groups", list(product([1, 2, 3], [1, 2], [1, 2])))
def test_gathered_entries_give_the_whole_result(stride, dilation, groups):
    assert algorithm_for(3, 2, 2, (7, 6), Window.of("conv", (3, 2)), groups) is GATHERED
    gives_the_whole_result(2, stride, dilation, groups)


def gives_the_whole_result(channels, stride, dilation, groups):
    x, w = Tensor(normal(3, channels, 7, 6)), Tensor(normal(2, channels // groups, 3, 2))
    y = conv2d(x, w, None, stride, 1, dilation, groups)
    u = normal(*y.shape)
    np.testing.assert_allclose(y.data, by_hand(x.data, w.data, stride, 1, dilation, groups), atol=1e-12)
    dx, dw = grad(y, [x, w], u)
    for t, d in ((x, dx), (w, dw)):  # linear in each input, so the derivative along v is the value at v
        v = normal(*t.shape)
        moved = [v if s is t else s.data for s in (x, w)]
        np.testing.assert_allclose((d * v).sum(), (by_hand(*moved, stride, 1, dilation, groups) * u).sum())


@pytest.mark.parametrize("rows", [1, 10, 1 << 20])
@pytest.mark.parametrize("stride, dilation, padding", list(product([1, 2, 3], [1, 2], [0, 2])))
def test_blocks_of_depthwise_products_give_the_whole_result(monkeypatch, rows, stride, dilation, padding):
    monkeypatch.setattr(depthwise, "ROWS", rows)
    window = Window.of("conv", (3, 2), stride, padding, dilation)
    x, w = normal(3, 7, 6, 4), normal(4, 1, 3, 2)
    y = im2col.products(x, w, window, 4)
    g = normal(*y.shape)
    np.testing.assert_allclose(depthwise.products(x, w, window, 4), y, atol=1e-12)
    dx, dw = im2col.col2im(g, w, window, 4, (7, 6)), im2col.weight_gradient(g, x, window, 4)
    for found in (depthwise.vjps(g, x, w, window, 4, (7, 6)), depthwise.vjps(g, None, w, window, 4, (7, 6))):
        np.testing.assert_allclose(found[0], dx, atol=1e-12)
    np.testing.assert_allclose(depthwise.vjps(g, x, w, window, 4, (7, 6))[1], dw, atol=1e-12)
    np.testing.assert_allclose(depthwise.vjps(g, x, None, window, 4, (7, 6))[1], dw, atol=1e-12)


def test_the_algorithm_is_chosen_by_sizes(monkeypatch):
    def chosen(channels, out, size, kernel, stride=1, padding=1, groups=1):
        window = Window.of("conv", kernel, stride, padding, 1)
        return algorithm(channels, out, window.count(size), window, groups)

    assert chosen(64, 256, (8, 8), (1, 1), padding=0) is POINTWISE
    assert chosen(96, 96, (8, 8), (3, 3)) is WINOGRAD
    for larger, best in ((1, KERNEL_ROWS), (4, WINOGRAD)):  # with its additions in C, Winograd's algorithm is faster for fewer channels
        monkeypatch.setattr(winograd.tiles_of, "larger", larger)
        assert chosen(64, 64, (8, 8), (3, 3)) is best
    assert chosen(64, 64, (7, 8), (3, 3)) is KERNEL_ROWS
    assert chosen(128, 64, (7, 8), (3, 3)) is IM2COL
    for larger, best in ((1, IM2COL), (4, KERNEL_ROWS)):
        monkeypatch.setattr(kernel_rows.summed, "larger", larger)
        assert chosen(64, 64, (8, 8), (3, 3), stride=2) is best
    assert chosen(128, 64, (8, 8), (3, 3), stride=2) is IM2COL
    assert chosen(16, 16, (8, 8), (3, 3)) is KERNEL_ROWS
    assert chosen(16, 32, (8, 8), (3, 3), stride=2) is KERNEL_ROWS
    assert chosen(16, 32, (8, 8), (2, 2), stride=3) is IM2COL
    assert chosen(64, 128, (8, 8), (1, 1), stride=2, padding=0) is POINTWISE
    assert chosen(16, 16, (8, 8), (3, 3), groups=2) is IM2COL
    for larger, best in ((1, FEW_CHANNELS), (4, KERNEL_ROWS)):  # in C, of images too
        monkeypatch.setattr(kernel_rows.summed, "larger", larger)
        assert chosen(3, 64, (8, 8), (3, 3)) is chosen(1, 16, (8, 8), (5, 5), stride=2) is best
        assert chosen(3, 10, (8, 8), (3, 3)) is chosen(3, 64, (8, 8), (3, 3), stride=4) is FEW_CHANNELS
    assert chosen(16, 16, (8, 8), (3, 3), stride=2, groups=16) is DEPTHWISE
    assert chosen(16, 32, (8, 8), (3, 3), groups=16) is IM2COL
    assert chosen(1, 1, (8, 8), (3, 3)) is FEW_CHANNELS


@each("channels, out, kernel", [(3, 64, 3), (16, 16, 3), (64, 64, 3), (64, 32, 1), (64, 64, 5)])
def test_float32_is_as_exact_as_it_can_be(channels, out, kernel):
    arrays = normal(2, channels, 8, 8), normal(out, channels, kernel, kernel)
    u = normal(2, out, 8, 8)

    def found(dtype):
        x, w = [Tensor(a, dtype=dtype) for a in arrays]
        y = conv2d(x, w, padding=kernel // 2)
        return [y.data, *grad(y, [x, w], u)]

    for rough, exact in zip(found(np.float32), found(np.float64)):
        assert rough.dtype == np.float32
        assert np.linalg.norm(rough - exact) <= 2e-6 * np.linalg.norm(exact)


def test_the_upstream_gradient_may_have_any_memory_layout():
    x, w, b = Tensor(normal(2, 3, 5, 4)), Tensor(normal(4, 3, 3, 3)), Tensor(normal(4))
    G = normal(2, 4, 5, 4)
    wide = np.zeros((4, 8, 10, 8))[::-2, ::2, ::-2, ::2]
    wide[...] = G
    layouts = [G, np.asfortranarray(G), G.transpose(0, 2, 3, 1).copy().transpose(0, 3, 1, 2), wide]
    first, *others = [grad(conv2d(x, w, b, padding=1), [x, w, b], g) for g in layouts]
    for other in others:
        for one, same in zip(first, other):
            np.testing.assert_allclose(one, same, atol=1e-13)
    summed = grad(conv2d(x, w, padding=1).sum(), w)  # the upstream gradient of a sum is one repeated number
    np.testing.assert_allclose(summed, grad(conv2d(x, w, padding=1), w, np.ones(G.shape)))


def test_only_what_the_other_gradient_needs_is_saved():
    x, w = normal(1, 2, 4, 4), normal(3, 2, 3, 3)
    weight_alone, x_alone, bias_alone = conv2d(x, Tensor(w)), conv2d(Tensor(x), w), conv2d(x, w, Tensor(np.zeros(3)))
    for y, names, sizes in [(weight_alone, ["x"], [x.size]), (x_alone, ["weight"], [w.size]), (bias_alone, [], [])]:
        assert list(y.rule.saved(y.node)) == names
        assert [kept.size for kept in y.node.aux if type(kept) is np.ndarray] == sizes  # the fast kernels do not keep more


def test_the_output_is_laid_out_channels_last_and_owns_its_memory():
    for channels, kernel in ((3, 3), (16, 3), (64, 3), (8, 1)):
        y = conv2d(normal(2, channels, 8, 8), normal(channels, channels, kernel, kernel), padding=kernel // 2)
        assert y.transpose(0, 2, 3, 1).flags.c_contiguous and y.base is None


# Errors

x, w = np.zeros((2, 3, 5, 5)), np.zeros((4, 3, 3, 3))
REFUSED = [
    (
        lambda: conv2d(x, np.zeros((4, 2, 3, 3))),
        r"conv2d: x of shape \(2, 3, 5, 5\) has 3 channels, .* \(4, 2, 3, 3\) in 1 group takes 2",
    ),
    (lambda: conv2d(x, np.zeros((4, 1, 3, 3)), groups=3), "groups takes 3 and makes 4; .* groups must divide both"),
    (lambda: conv2d(x, w, groups=0), "groups=0 is not a positive integer"),
    (
        lambda: conv2d(x, np.zeros((4, 3, 6, 3))),
        r"kernel of \(6, 3\) does not fit .* \(2, 3, 5, 5\), whose last axes are \(5, 5\)",
    ),
    (lambda: conv2d(x, w, dilation=3), r"a kernel of \(3, 3\) with dilation 3 reaches over \(7, 7\) entries"),
    (
        lambda: conv2d(x, w, np.zeros(3)),
        r"conv2d: bias has shape \(3,\), but weight .* makes 4 channels; it needs shape \(4,\)",
    ),
    (lambda: conv2d(x[0, 0], w), r"conv2d: x of shape \(5, 5\) with weight of shape .*; x needs 4 axes"),
    (lambda: conv1d(x[0], w), r"conv1d: weight has shape \(4, 3, 3, 3\); 3 axes are needed"),
    (lambda: conv(x, np.zeros((4, 3))), r"conv: weight has shape \(4, 3\); 3 axes are needed"),
    (lambda: conv2d(x, w, stride=0), "conv2d: stride=0 is too small; use at least 1"),
    (lambda: conv2d(x, w, stride=(1, 2, 3)), r"stride=\(1, 2, 3\) has 3 numbers"),
    (lambda: conv2d(x, w, padding=-1), "padding=-1 is too small; use at least 0"),
    (lambda: conv2d(x, w, stride=2, padding="same"), 'padding="same" needs stride 1, got stride 2'),
    (lambda: conv2d(x, w, padding="full"), "padding='full' is unknown; use integers"),
    (lambda: conv2d(x, np.zeros((0, 3, 3, 3))), "has no entries"),
    (
        lambda: conv_transpose2d(x, w),
        r"conv_transpose2d: x of shape \(2, 3, 5, 5\) has 3 channels, .* takes 4",
    ),
    (lambda: conv_transpose2d(x, np.zeros((3, 4, 3, 3)), output_padding=1), "output_padding=1 must be smaller than stride"),
    (lambda: conv_transpose2d(x, np.zeros((3, 4, 3, 3)), padding=4), "padding=4 leaves no output"),
    (lambda: conv_transpose2d(x, np.zeros((3, 4, 3, 3)), np.zeros(3)), r"bias has shape \(3,\)"),
]


@each("wrong, message", REFUSED)
def test_wrong_shapes_and_options_raise_errors(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_settings_must_be_integers():
    with pytest.raises(TypeError, match="stride=1.5 is not an integer or a tuple of integers"):
        conv2d(x, w, stride=1.5)


@each("channels, out, kernel", [(3, 64, 3), (16, 16, 3), (64, 64, 3), (64, 32, 1)])
def test_a_batch_of_no_samples_has_gradients_of_0(channels, out, kernel):
    x, w, b = Tensor(np.ones((0, channels, 6, 6))), Tensor(np.ones((out, channels, kernel, kernel))), Tensor(np.ones(out))
    y = conv2d(x, w, b, padding=kernel // 2)
    y.backward(np.ones(y.shape))
    assert x.grad.shape == x.shape and not w.grad.any() and w.grad.shape == w.shape and not b.grad.any()


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("place", [(2, 3), (3, 4)])
@np.errstate(all="ignore")
def test_inf_and_nan_do_not_spread_over_winograd_tiles(bad, place):
    window, size = Window.of("conv", (3, 3), 1, 1, 1), (8, 8)
    clean = {"x": normal(1, *size, 4), "w": normal(5, 4, 3, 3), "g": normal(1, *size, 5)}
    for name, at in {"x": (0, *place, 1), "w": (3, 2, 1, 1), "g": (0, *place, 3)}.items():
        arrays = {**clean, name: clean[name].copy()}
        arrays[name][at] = bad
        x, w, g = arrays.values()
        np.testing.assert_allclose(winograd.products(x, w, window, 1), im2col.products(x, w, window, 1), err_msg=name)
        for ours, theirs in zip(checked_vjps(WINOGRAD, g, x, w, window, 1, size), im2col.vjps(g, x, w, window, 1, size)):
            np.testing.assert_allclose(ours, theirs, err_msg=name, atol=1e-12)


NEAR_PADDING = [
    # algorithm, channels in and out, size, stride, groups, of kernels of 3 × 3 with padding 1
    (DEPTHWISE, 2, 2, (4, 5), 1, 2),
    (FEW_CHANNELS, 2, 5, (5, 4), 1, 1),
    (FEW_CHANNELS, 2, 5, (5, 6), 2, 1),
    (IM2COL, 6, 5, (5, 4), 1, 1),
    (IM2COL, 6, 4, (5, 4), 1, 2),
    (IM2COL, 6, 4, (6, 5), (2, 3), 2),
    (KERNEL_ROWS, 8, 9, (5, 4), 1, 1),
    (KERNEL_ROWS, 8, 9, (6, 5), (3, 2), 1),
    (WINOGRAD, 96, 96, (4, 4), 1, 1),
    (GATHERED, 3, 4, (5, 4), 1, 1),
    (GATHERED, 4, 6, (6, 5), (2, 3), 2),
]


def assert_bad_entries_stay(monkeypatch, make):
    """Put inf and nan into a corner and the middle of x, w and g. Compare what conv2d gives with make(x, w, g, ...)."""
    for how, channels, out, size, stride, groups in NEAR_PADDING:
        window = Window.of("conv", (3, 3), stride, 1, 1)
        monkeypatch.setattr(gathered, "MOST", 1 << 11 if how is GATHERED else 0)
        assert algorithm_for(2, channels, out, window.count(size), window, groups) is how
        clean = {"x": normal(2, channels, *size), "w": normal(out, channels // groups, 3, 3), "g": normal(2, out, *window.count(size))}
        for name, bad, middle in product(clean, (np.nan, -np.inf), (False, True)):
            arrays = {**clean, name: clean[name].copy()}
            arrays[name][(0, *[n // 2 * middle for n in arrays[name].shape[1:]])] = bad
            x, w = Tensor(arrays["x"]), Tensor(arrays["w"])
            y = conv2d(x, w, None, stride, 1, 1, groups)
            y.backward(arrays["g"])
            alone = Tensor(arrays["x"])
            conv2d(alone, arrays["w"], None, stride, 1, 1, groups).backward(arrays["g"])  # here no dw is computed
            for found, expected in zip((y.data, x.grad, w.grad, alone.grad), make(*arrays.values(), stride, groups)):
                np.testing.assert_allclose(found, expected, atol=1e-11, err_msg=f"{how.products.__module__}, {name}, {bad}")


@np.errstate(all="ignore")
def test_inf_and_nan_reach_the_entries_that_the_formula_says(monkeypatch):
    def by_rules(x, w, g, stride, groups):
        dx = transposed_convolution.forward(g, w, None, x.shape[2:], stride, 1, 1, groups)
        return convolution.forward(x, w, None, stride, 1, 1, groups), dx, correlation.forward(x, g, (3, 3), stride, 1, 1, groups), dx

    assert_bad_entries_stay(monkeypatch, by_rules)


@pytest.mark.torch
def test_inf_and_nan_reach_the_entries_that_pytorch_says(monkeypatch):
    torch = pytest.importorskip("torch")

    def by_torch(x, w, g, stride, groups):
        x, w, g = torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True), torch.tensor(g)
        y = torch.nn.functional.conv2d(x, w, None, stride, 1, 1, groups)
        y.backward(g)
        return y.detach(), x.grad, w.grad, x.grad

    assert_bad_entries_stay(monkeypatch, by_torch)


@each("n", [1, 2, 3])
def test_channels_are_not_confused_with_axes_of_the_same_length(n):
    """Here (batch, *size, channels) and (batch, channels, *size) are the same shape."""
    rng = np.random.default_rng(0)
    c = 4
    x, w = rng.standard_normal((2, c, *[c] * n)), rng.standard_normal((c, 1, *[1] * n))
    scaled = x * w.reshape(c, *[1] * n)  # a kernel of one entry for each channel
    np.testing.assert_allclose(conv_transpose(x, w, groups=c), scaled)
    np.testing.assert_allclose(conv(x, w, groups=c), scaled)
    t, u = Tensor(x), rng.standard_normal(x.shape)
    conv(t, w, groups=c).backward(u)
    np.testing.assert_allclose(t.grad, u * w.reshape(c, *[1] * n))

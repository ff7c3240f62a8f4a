"""Compare with PyTorch, if it is installed: values and gradients of every case and of generated shapes.

Run with `pytest -m torch tests/tensorgrad`. Every public function must be compared, or be in NOT_IN_TORCH.
"""

from collections import Counter
from functools import reduce

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hypothesis import assume, given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.extra import numpy as shapes_of  # noqa: E402

import tensorgrad as tg  # noqa: E402
from scalargrad.options import FUNCTIONS  # noqa: E402
from tensorgrad import Tensor  # noqa: E402
from tensorgrad.errors.torch_names import in_torch  # noqa: E402
from tensorgrad.families import PUBLIC  # noqa: E402
from tests.each import each  # noqa: E402
from tests.examples import at_most  # noqa: E402
from tests.tensorgrad.cases import every_case  # noqa: E402
from tests.tensorgrad.counterparts import BELOW, EXAMPLES, NOT_IN_TORCH, OTHERWISE, THEIRS  # noqa: E402

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore::UserWarning")]  # PyTorch emits many warnings

CASES = [case for case in every_case() if case.name in THEIRS and case.name not in BELOW and repr(case) not in OTHERWISE]
GENERATED = at_most(60)


def compare(ours, theirs, arrays, what, tolerance=1e-10):
    """Compare value and gradients of ours(*tensors) with those of theirs(*torch's tensors), in float64."""
    tensors = [Tensor(a) for a in arrays]
    others = [torch.tensor(np.array(a, dtype=np.float64), requires_grad=True) for a in arrays]
    y, t = ours(*tensors), theirs(*others)
    close(y.data, t.detach().numpy(), tolerance, f"{what}: value")
    G = np.random.default_rng(7).standard_normal(y.shape)
    if y.node is not None:
        y.backward(G)
    if t.requires_grad:
        t.backward(torch.tensor(G))
    for i, (x, o) in enumerate(zip(tensors, others)):
        got = np.zeros(x.shape) if x.grad is None else x.grad
        expected = np.zeros(x.shape) if o.grad is None else o.grad.numpy()
        close(got, expected, tolerance, f"{what}: gradient of input {i}")


def close(got, expected, tolerance, what):
    assert got.shape == expected.shape, f"{what}: our shape is {got.shape}, PyTorch's {expected.shape}"
    scale = max(1.0, np.abs(expected[np.isfinite(expected)]).max(initial=0.0))
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * scale, err_msg=what)


# The table


def test_every_public_function_is_compared_or_named_as_not_in_torch():
    compared = Counter(case.name for case in CASES) + Counter(example.name for example in EXAMPLES)
    known = {id(PUBLIC[name]) for name in {*compared, *NOT_IN_TORCH} if name in PUBLIC}  # an alias shares the row
    known |= {id(PUBLIC[name]) for name in FUNCTIONS if not hasattr(torch, name)}  # sympy proves those rows
    assert not [name for name, function in PUBLIC.items() if id(function) not in known], "these are not compared"
    assert not [name for name in NOT_IN_TORCH if name in compared or name not in PUBLIC], "these are in NOT_IN_TORCH for no reason"
    assert not [name for name in THEIRS if name not in compared], "these rows of THEIRS are never used"
    written = {repr(case) for case in every_case()}
    assert not [name for name in OTHERWISE if name not in written], "these cases of OTHERWISE are not there"


@each("case", CASES, ids=repr)
def test_every_case_equals_torch(case):
    compare(case, lambda *xs: THEIRS[case.name](*xs, **case.options), case.arrays(), repr(case))


@each("example", EXAMPLES, ids=repr)
def test_every_example_equals_torch(example):
    compare(example.ours, example.theirs, example.arrays(), repr(example))


# Generated shapes


def compare_by_name(name, options, arrays):
    what = f"{name} {[a.shape for a in arrays]} {options}"
    compare(lambda *xs: PUBLIC[name](*xs, **options), lambda *xs: THEIRS[name](*xs, **options), arrays, what)


def one_per_axis(draw, n):
    """Return the function that draws n integers between two bounds."""
    return lambda low, high: tuple(draw(st.lists(st.integers(low, high), min_size=n, max_size=n)))


def drawn(draw, *shapes, away_from=None):
    """Draw arrays of normal numbers of the given shapes; with `away_from`, none is near that number."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    arrays = [rng.standard_normal(s) for s in shapes]
    return arrays if away_from is None else [a + np.where(a < away_from, -0.5, 0.5) for a in arrays]


@given(st.data(), shapes_of.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=4, min_side=0))
@GENERATED
def test_arithmetic_that_broadcasts(data, shapes):
    name = data.draw(st.sampled_from(["add", "sub", "mul", "div", "maximum", "minimum", "pow", "atan2", "logaddexp"]))
    a, b = drawn(data.draw, *shapes.input_shapes, away_from=0.0)
    a = abs(a) if name == "pow" else a
    compare(PUBLIC[name], THEIRS[name], [a, b], f"{name} {shapes.input_shapes}")


@given(st.data(), shapes_of.array_shapes(min_dims=0, max_dims=4, max_side=4), st.booleans())
@GENERATED
def test_reductions(data, shape, keepdims):
    name = data.draw(st.sampled_from(["sum", "mean", "prod", "max", "min", "logsumexp", "var", "std", "vector_norm"]))
    axes = st.integers(-len(shape), len(shape) - 1) if shape else st.none()
    several = shapes_of.valid_tuple_axes(len(shape), min_size=1) if shape else st.none()
    axis = data.draw(st.none() | axes | several)
    (a,) = drawn(data.draw, shape)
    if name in ("var", "std"):
        assume(np.var(a, axis=axis).min() > 0.01)
    compare(
        lambda x: PUBLIC[name](x, axis=axis, keepdims=keepdims),
        lambda x: THEIRS[name](x, axis=axis, keepdims=keepdims),
        [a],
        f"{name} {shape} {axis}",
    )


@given(st.data(), shapes_of.mutually_broadcastable_shapes(signature=np.matmul.signature, max_dims=2, max_side=4))
@GENERATED
def test_matmul_in_all_of_numpys_shapes(data, shapes):
    a, b = shapes.input_shapes
    compare(tg.matmul, torch.matmul, drawn(data.draw, a, b), f"matmul {a} {b}")


@given(st.data(), shapes_of.array_shapes(min_dims=1, max_dims=4, max_side=4))
@GENERATED
def test_every_index_of_numpy(data, shape):
    kinds = [
        shapes_of.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True, max_dims=6),
        shapes_of.integer_array_indices(shape, result_shape=shapes_of.array_shapes(max_dims=2, max_side=5)),
        shapes_of.arrays(bool, shape),
    ]
    index = data.draw(st.one_of(*kinds))
    compare(lambda x: x[index], lambda x: THEIRS["getitem"](x, index=index), drawn(data.draw, shape), f"{shape}[{index}]")


@given(st.data())
@GENERATED
def test_convolutions(data):
    draw = data.draw
    n, groups = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    each = one_per_axis(draw, n)
    kernel, stride, dilation = each(1, 3), each(1, 3), each(1, 2)
    channels, out = groups * draw(st.integers(1, 3)), groups * draw(st.integers(1, 3))
    padding = draw(st.sampled_from(["valid", "same", "numbers"]))
    if padding == "same":
        stride = (1,) * n
    elif padding == "numbers":
        padding = each(0, 2)
    size = tuple([d * (k - 1) + draw(st.integers(1, 4)) for k, d in zip(kernel, dilation)])
    arrays = drawn(draw, (draw(st.integers(1, 2)), channels, *size), (out, channels // groups, *kernel), (out,))
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    name = f"conv{n}d"
    compare_by_name(name, options, arrays)


@given(st.data())
@GENERATED
def test_transposed_convolutions(data):
    draw = data.draw
    n, groups = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    each = one_per_axis(draw, n)
    kernel, stride, dilation = each(1, 3), each(1, 3), each(1, 4)
    output_padding = tuple([draw(st.integers(0, max(s, d) - 1)) for s, d in zip(stride, dilation)])
    padding = tuple([draw(st.integers(0, d * (k - 1) + 1)) for k, d in zip(kernel, dilation)])
    size = each(1, 4)
    assume(
        all(
            (m - 1) * s - 2 * p + d * (k - 1) + o + 1 > 0
            for m, s, p, d, k, o in zip(size, stride, padding, dilation, kernel, output_padding)
        )
    )
    channels, out = groups * draw(st.integers(1, 2)), groups * draw(st.integers(1, 2))
    arrays = drawn(draw, (draw(st.integers(1, 2)), channels, *size), (channels, out // groups, *kernel), (out,))
    options = {"stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation, "groups": groups}
    name = f"conv_transpose{n}d"
    compare_by_name(name, options, arrays)


@given(st.data())
@GENERATED
def test_pooling(data):
    draw = data.draw
    n = draw(st.integers(1, 3))
    each = one_per_axis(draw, n)
    kernel, stride = each(1, 3), each(1, 3)
    padding = tuple([draw(st.integers(0, k // 2)) for k in kernel])
    size = tuple([k + draw(st.integers(0, 4)) for k in kernel])
    options = {"kernel_size": kernel, "stride": draw(st.sampled_from([stride, None])), "padding": padding, "ceil_mode": draw(st.booleans())}
    name = draw(st.sampled_from(["max_pool", "avg_pool"]))
    if name == "avg_pool":
        options["count_include_pad"] = draw(st.booleans())
    elif draw(st.booleans()):
        options["dilation"] = tuple([1 if k + k - 1 > m else 2 for k, m in zip(kernel, size)])
    shape = (draw(st.integers(1, 2)), draw(st.integers(1, 3)), *size)
    name = f"{name}{n}d"
    compare_by_name(name, options, drawn(draw, shape))


@given(st.data())
@GENERATED
def test_norms(data):
    draw = data.draw
    groups = draw(st.integers(1, 3))
    channels = groups * draw(st.integers(1, 3))
    shape = (draw(st.integers(2, 3)), channels, *draw(st.lists(st.integers(2, 4), min_size=1, max_size=3)))
    options = {"eps": draw(st.sampled_from([1e-5, 1e-3, 0.5]))}
    name = draw(st.sampled_from(["batch_norm", "group_norm", "instance_norm", "layer_norm", "rms_norm"]))
    ours, theirs = getattr(tg, name), getattr(torch.nn.functional, name)
    if name in ("layer_norm", "rms_norm"):
        normal = shape[-draw(st.integers(1, len(shape))) :]
        arrays, first = drawn(draw, shape, normal, normal)[: 2 + (name == "layer_norm")], (normal,)
    else:
        arrays = drawn(draw, shape, (channels,), (channels,))
        first = (groups,) if name == "group_norm" else (None, None)
        options |= {"training": True} if name == "batch_norm" else {}
    compare(lambda x, *w: ours(x, *first, *w, **options), lambda x, *w: theirs(x, *first, *w, **options), arrays, f"{name} {shape}", 1e-8)


@given(st.data())
@GENERATED
def test_losses(data):
    draw = data.draw
    shape = draw(shapes_of.array_shapes(min_dims=1, max_dims=3, max_side=4))
    reduction = draw(st.sampled_from(["mean", "sum", "none"]))
    name = draw(
        st.sampled_from(["mse_loss", "l1_loss", "huber_loss", "smooth_l1_loss", "binary_cross_entropy", "kl_div", "poisson_nll_loss"])
    )
    x, t = drawn(draw, shape, shape)
    if name in ("binary_cross_entropy", "kl_div", "poisson_nll_loss"):
        x, t = 1 / (1 + np.exp(-x)), 1 / (1 + np.exp(-t))
    options = {"huber_loss": {"delta": draw(st.floats(0.1, 2))}, "smooth_l1_loss": {"beta": draw(st.floats(0.1, 2))}}.get(name, {})
    f = PUBLIC[name]
    compare(
        lambda x, t: f(x, t, reduction=reduction, **options), lambda x, t: THEIRS[name](x, t, reduction=reduction, **options), [x, t], name
    )


@given(st.data())
@GENERATED
def test_the_loss_of_classes(data):
    draw = data.draw
    shape = (draw(st.integers(1, 4)), draw(st.integers(1, 5)), *draw(st.lists(st.integers(1, 3), max_size=2)))
    (x,) = drawn(draw, shape)
    classes = np.random.default_rng(draw(st.integers(0, 99))).integers(0, shape[1], (shape[0], *shape[2:]))
    ignored = draw(st.sampled_from([-100, int(classes.flat[-1])]))
    assume((classes != ignored).any())
    options = {
        "reduction": draw(st.sampled_from(["mean", "sum", "none"])),
        "ignore_index": ignored,
        "label_smoothing": draw(st.floats(0, 0.9)),
    }
    theirs = torch.nn.functional.cross_entropy
    compare(
        lambda x: tg.cross_entropy(x, classes, **options), lambda x: theirs(x, torch.tensor(classes), **options), [x], f"{shape} {options}"
    )


@each("name", PUBLIC)
def test_the_function_that_we_name_is_in_pytorch(name):
    path = in_torch(name)
    assert path is None or reduce(getattr, path.split(".")[1:], torch)

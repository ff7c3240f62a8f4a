"""Functions that change shapes, move, join and split: NumPy's values, views, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

import tensorgrad as tg
from tensorgrad import Tensor
from tests.each import each


def numbered(shape):
    return np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape)


def permuted(result, x):
    """Return whether every entry of the result is an entry of x, and the gradient of each entry of x counts its copies."""
    result.sum().backward()
    return np.array_equal(np.repeat(x.data.ravel(), x.grad.ravel().astype(int)), np.sort(result.data.ravel()))


SAME_NAME = [
    ("ravel", {}),
    ("squeeze", {}),
    ("flip", {}),
    ("transpose", {}),
    ("tile", {"reps": (2, 1, 2)}),
    ("repeat", {"repeats": 2}),
]


@pytest.mark.parametrize(("name", "options"), SAME_NAME)
@given(shape=array_shapes(min_dims=1, max_dims=4, max_side=3))
def test_values_equal_numpys(name, options, shape):
    x = Tensor(numbered(shape))
    expected = getattr(np, name)(x.data, **options)
    for got in (getattr(np, name)(x, **options), getattr(tg, name)(x, **options)):
        assert got.shape == expected.shape and np.array_equal(got.data, expected)
    assert permuted(got, x)


@given(array_shapes(min_dims=2, max_dims=4, max_side=3), st.data())
def test_values_along_axes_equal_numpys(shape, data):
    x = Tensor(numbered(shape))
    axes = st.integers(-len(shape), len(shape) - 1)
    a, b = data.draw(axes), data.draw(axes)
    order = data.draw(st.permutations(range(len(shape))))
    shift = data.draw(st.integers(-5, 5))
    counts = data.draw(st.lists(st.integers(0, 2), min_size=shape[a], max_size=shape[a]))
    mode = data.draw(st.sampled_from(["constant", "reflect", "symmetric", "edge", "wrap"]))
    widths = [(data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3))) for _ in shape]
    calls = [
        (np.swapaxes, a, b),
        (np.moveaxis, a, b),
        (np.moveaxis, order, range(len(shape))),
        (np.moveaxis, order[:-1], data.draw(st.permutations(range(len(shape))))[:-1]),
        (np.transpose, order),
        (np.flip, a),
        (np.roll, shift, a),
        (np.repeat, counts, a),
        (np.expand_dims, (0, -1)),
        (np.pad, widths, mode),
        (np.tril, shift),
        (np.triu, shift),
    ]
    if a % len(shape) != b % len(shape):
        calls += [(np.diagonal, shift, a, b), (np.trace, shift, a, b)]
    for function, *args in calls:
        expected = function(x.data, *args)
        got = function(x, *args)
        assert got.shape == expected.shape and np.array_equal(got.data, expected), function.__name__


@given(array_shapes(min_dims=1, max_dims=3, max_side=3), st.integers(1, 3), st.data())
def test_joining_and_splitting_equal_numpys(shape, many, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    xs = [Tensor(numbered(shape) + 100 * i) for i in range(many)]
    arrays = [x.data for x in xs]
    for function, args in [(np.concatenate, (axis,)), (np.concatenate, (None,)), (np.stack, (axis,)), (np.hstack, ()), (np.vstack, ())]:
        joined = function(xs, *args)
        assert np.array_equal(joined.data, function(arrays, *args)), function.__name__
        for i, x in enumerate(xs):
            G = tg.grad(joined, x, upstream=joined.data, retain_graph=True)
            assert np.array_equal(G, arrays[i]), function.__name__  # each input gets its own part back
    cuts = sorted(data.draw(st.lists(st.integers(0, 4), max_size=3)))
    for got, expected in zip(np.split(xs[0], cuts, axis), np.split(arrays[0], cuts, axis), strict=True):
        assert got.shape == expected.shape and np.array_equal(got.data, expected)
    chunks = xs[0].chunk(2, axis)
    assert np.array_equal(np.concatenate(chunks, axis).data, arrays[0]) and len(chunks) <= 2
    slices = xs[0].unbind(axis)
    assert np.array_equal(np.stack(slices, axis).data, arrays[0])


def test_methods_take_shapes_as_separate_numbers():
    t = Tensor(numbered((2, 3, 4)))
    assert t.reshape(4, -1).shape == t.view((4, 6)).shape == (4, 6)
    assert t.permute(2, 0, 1).shape == t.transpose(2, 0, 1).shape == (4, 2, 3)
    assert t.T.shape == (4, 3, 2) and t.mT.shape == (2, 4, 3)
    assert t[:, :1].expand(-1, 5, 4).shape == (2, 5, 4)
    assert t.flatten(1).shape == t.flatten(1, -1).shape == (2, 12)
    assert t.unflatten(-1, (2, -1)).shape == (2, 3, 2, 2)
    assert t.unsqueeze(0).shape == (1, 2, 3, 4) and t.movedim(0, -1).shape == (3, 4, 2)
    assert tg.cat([t, t]).shape == (4, 3, 4)


def test_views_share_memory():
    t = Tensor(numbered((2, 3)))
    for view in (t.reshape(3, 2), t.T, t[None], t.squeeze(), t.broadcast_to(4, 2, 3), t.ravel(), t.split(3, 1)[1]):
        assert np.shares_memory(view.data, t.data)


def test_lists_of_arrays_and_tensors_are_joined_in_float32():
    t = Tensor([1.0], dtype=np.float32)
    assert np.concatenate([t, [2, 3]]).dtype == np.stack([t, np.array([True])]).dtype == np.float32


def test_a_wrapped_border_is_filled_from_the_entries_that_a_negative_width_leaves():
    x = Tensor(np.arange(5.0))
    y = np.pad(x, (-2, 4), mode="wrap")  # torch.nn.functional.pad(x, (-2, 4), mode="circular") of one channel
    assert y.data.tolist() == [2, 3, 4, 2, 3, 4, 2]
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 3, 2, 2]
    with pytest.raises(ValueError, match=r"^pad: axis 0 of shape \(2,\) has no entries to fill a border from"):
        np.pad(Tensor([1.0, 2.0]), (-2, 1), mode="wrap")


def test_pad_with_a_number():
    x = Tensor([1.0, 2.0])
    y = np.pad(x, (1, 2), constant_values=7)
    assert y.data.tolist() == [7, 1, 2, 7, 7]
    y.backward([10.0, 1, 2, 20, 30])
    assert x.grad.tolist() == [1, 2]


@each(
    ("call", "message"),
    [
        (lambda t: t.reshape(4, 2), "reshape: shape (2, 3) has 6 entries, which do not fill shape (4, 2); use lengths"),
        (lambda t: t.unflatten(1, (2, 2)), "unflatten: lengths (2, 2) do not multiply to 3"),
        (lambda t: t.flatten(1, 0), "flatten: start_dim=1 is after end_dim=0 in shape (2,"),
        (lambda t: t.squeeze(0), "squeeze: axis 0 of shape (2, 3) has length 2"),
        (lambda t: t.broadcast_to(3, 3), "broadcast_to: x of shape (2, 3) does not broadcast to (3, 3); from the"),
        (lambda t: t.expand(-1, 2, 3), "expand: shape (2, 3) cannot be expanded to (-1, 2, 3)"),
        (lambda t: t.transpose(0, 0), "transpose: axes=(0, 0) is not an order of the axes of shape (2, 3); list"),
        (lambda t: t.swapaxes(0, 2), "swapaxes: axis 2 is out of range for shape (2, 3); use -2 to 1"),
        (lambda t: t.moveaxis((0, 1), 0), "moveaxis: source=(0, 1) names 2 axes and destination=0"),
        (lambda t: t.moveaxis((0, -2), (0, 1)), "moveaxis: axis=(0, -2) names an axis of shape (2, 3) twice"),
        (lambda t: t[0].mT, "matrix_transpose: shape (3,) is not a matrix or a stack of"),
        (lambda t: t[0].tril(), "tril: shape (3,) is not a matrix or a stack of"),
        (lambda t: t[0].diagonal(), "diagonal: shape (3,) is not a matrix; diag makes"),
        (lambda t: t[None].diag(), "diag: shape (1, 2, 3) is not a vector or a matrix; diagonal takes"),
        (lambda t: t.flip(2), "flip: axis 2 is out of range for shape (2, 3); use -2 to 1"),
        (lambda t: t.roll(1, 2), "roll: axis 2 is out of range for shape (2, 3); use -2 to 1"),
        (lambda t: t.repeat([1, 2], 1), "repeat: repeats=[1, 2] does not fit axis 1 of length 3; give"),
        (lambda t: t.repeat(-1), "repeat: repeats=-1 does not fit axis 0 of length 6; give"),
        (lambda t: np.pad(t, (-2, -1)), "pad: pad_width=(-2, -1) cuts more off axis 0 of shape (2, 3) than its 2 entries"),
        (lambda t: t.pad(((1, 1),) * 3), "pad: pad_width=((1, 1), (1, 1), (1, 1)) does not fit shape (2, 3)"),
        (lambda t: t.pad(1, mode="mirror"), "pad: mode='mirror' is unknown; use 'constant',"),
        (
            lambda t: np.concatenate([t, t[:, :2]]),
            "concatenate: shapes (2, 3) and (2, 2) do not fit; only their lengths along axis 0 may",
        ),
        (lambda t: np.concatenate([t, t[0]]), "concatenate: shapes (2, 3) and (3,) do not fit"),
        (lambda t: np.concatenate([t, t], 2), "concatenate: axis 2 is out of range for shape (2, 3); use -2 to 1"),
        (lambda t: tg.concatenate([]), "concatenate: the list is empty; give at least one array"),
        (lambda t: tg.concatenate([t[0, 0], t[0, 0]]), "concatenate: 0-d arrays have no axis to join"),
        (lambda t: np.stack([t, t[0]]), "stack: shapes (2, 3) and (3,) differ"),
        (lambda t: np.stack([t, t], 3), "stack: axis 3 is out of range for shape (2, 3), which has 3 axes with the new one; use -3 to 2"),
        (lambda t: t.split(2, 1), "split: 3 entries along axis 1 do not make 2 equal parts; use array_split"),
        (lambda t: t.chunk(0), "chunk: chunks=0 is not positive"),
        (lambda t: np.array_split(t, 0), "array_split: indices_or_sections=0 is not positive; give at least one part"),
        (lambda t: np.vsplit(t[0], 2), "vsplit: x has shape (3,); at least 2 axes are needed"),
        (lambda t: np.dsplit(t, 2), "dsplit: x has shape (2, 3); at least 3 axes are needed"),
        (lambda t: np.hsplit(t[0, 0], 2), "hsplit: x has shape (); at least 1 axis is needed"),
        (lambda t: np.rot90(t, 1, (0, -2)), "rot90: axes=(0, -2) is one axis of shape (2, 3) twice; give two"),
        (lambda t: np.rot90(t, 1, (0, 1, 2)), "rot90: axes=(0, 1, 2) is not a plane; give two axes"),
        (lambda t: np.fliplr(t[0]), "fliplr: x has shape (3,); at least 2 axes are needed"),
        (lambda t: np.rollaxis(t, 0, 3), "rollaxis: start=3 is out of range for shape (2, 3); use -2 to 2"),
        (lambda t: np.append(t, t[0], 0), "append: shapes (2, 3) and (3,) do not fit"),
    ],
)
def test_wrong_shapes_and_options_raise_errors(call, message):
    with pytest.raises(ValueError) as caught:
        call(Tensor(numbered((2, 3))))
    assert str(caught.value).startswith(message)


def test_the_method_tile_takes_separate_numbers():
    assert Tensor([1.0, 2.0]).tile(2, 2).shape == Tensor([1.0, 2.0]).tile((2, 2)).shape == (2, 4)


@each("reps", [-1, (2, -1), (1.5,)])
def test_tile_needs_integers_of_at_least_0(reps):
    with pytest.raises((ValueError, TypeError), match="tile: reps=.*is not a list of integers from 0 on"):
        tg.tile(Tensor([1.0, 2.0]), reps)


@each("name", ["reshape", "broadcast_to", "permute", "expand", "view", "tile"])
def test_a_method_without_a_shape_raises_an_error(name):
    with pytest.raises(TypeError):
        getattr(Tensor(np.ones((2, 3))), name)()


BY_NUMPYS_NAMES = [
    *[lambda x, f=f: f(x) for f in (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.fliplr, np.flipud)],
    lambda x: np.atleast_2d(x[0], x, x[0, 0]),
    lambda x: np.append(x, x[0]),
    lambda x: np.append(x, [[1.0], [2.0], [3.0]], axis=1),
    lambda x: np.column_stack([x, x[:, 0], x]),
    lambda x: np.dstack([x, x]),
    lambda x: np.array_split(x, 2),
    lambda x: np.array_split(x, 5, axis=-1),
    lambda x: np.array_split(x, [1, 3, 9], 1),
    lambda x: np.hsplit(x, 2),
    lambda x: np.hsplit(x[0], [1, 2]),
    lambda x: np.vsplit(x, 3),
    lambda x: np.dsplit(np.dstack([x, x, x]), [1]),
    *[lambda x, k=k: np.rot90(x, k) for k in range(-3, 6)],
    *[lambda x, a=a: np.rot90(np.dstack([x, x + 20]), 1, a) for a in [(0, 1), (2, 0), (1, -1)]],
    lambda x: np.linalg.matrix_transpose(np.dstack([x, x + 20])),
    *[lambda x, f=f, o=o: f(np.dstack([x, x + 20]), offset=o) for f in (np.linalg.diagonal, np.linalg.trace) for o in (0, 1, -2)],
    *[lambda x, f=f: f(x) for f in (np.copy, np.conjugate, np.conj)],
    *[lambda x, b=b: list(np.divmod(x, b)) for b in (2.0, -3.0)],
    *[lambda x, a=a, s=s: np.rollaxis(np.dstack([x, x + 20]), a, s) for a in (0, 1, -1) for s in (-3, -1, 0, 1, 2, 3)],
]


@each("f", BY_NUMPYS_NAMES)
def test_numpy_functions_give_variables_with_numpys_values(f):
    x = Tensor(numbered((3, 4)))
    found, expected = f(x), f(x.data)
    assert (type(found) is list) == (type(expected) is list)
    for got, array in zip(found, expected, strict=True) if isinstance(found, list | tuple) else [(found, expected)]:
        assert isinstance(got, Tensor) and got is not x and got.node is not None
        assert got.shape == array.shape and np.array_equal(got.data, array)


@each("mode", ["constant", "reflect", "symmetric", "edge"])
@each("widths", [(-1, 0), (2, -3), (-3, 2), (-2, -1), (0, -5), (3, -8)])
def test_a_negative_pad_width_removes_entries_after_padding(mode, widths):
    x = Tensor(numbered((2, 5)))
    before, after = widths
    filled = np.pad(x.data, [(0, 0), (max(before, 0), max(after, 0))], mode)
    expected = filled[:, max(-before, 0) : filled.shape[1] + min(after, 0)]
    y = np.pad(x, [(0, 0), widths], mode)
    assert np.array_equal(y.data, expected) and y.shape == (2, 5 + before + after)


@each(
    ("shape", "axes", "moved"),
    [((2, 3), (0, 1), False), ((4, 2, 3), (-2, 2), False), ((2, 3), (1, 0), False), ((2, 3, 4), (0, 1), True)],
    ids=str,
)
def test_a_diagonal_moves_axes_only_if_they_are_not_the_last(shape, axes, moved):
    x = Tensor(np.arange(np.prod(shape), dtype=float).reshape(shape))
    for offset in (1, -1, 0):
        y = tg.diagonal(x, offset, *axes)
        assert np.array_equal(y.data, np.diagonal(x.data, offset, *axes)) and (y.node.inputs[0] is not x.node) == moved
    y.sum().backward()
    assert x.grad.sum() == y.size


@each("name", ["tril", "triu"])
def test_triangles_are_numpys_to_the_last_bit_beside_inf_and_nan(name):
    ours, theirs = getattr(tg, name), getattr(np, name)
    for shape in [(4, 6), (2, 3, 3), (0, 3), (400, 500), (3, 0, 2)]:
        x = np.random.default_rng(0).choice([np.nan, np.inf, -np.inf, -0.0, 1.5], shape)
        for kind, k in [(np.float32, 0), (np.float64, -1), (np.float32, 2), (np.float64, 700), (np.float64, -700)]:
            a = x.astype(kind)
            for laid in (a, np.asfortranarray(a), a[::-1][::-1]):
                found = ours(laid, k)
                assert found.dtype == kind
                np.testing.assert_array_equal(np.signbit(found), np.signbit(theirs(a, k)))
                np.testing.assert_array_equal(found, theirs(a, k))


def test_the_index_of_a_diagonal_which_calls_share_cannot_be_changed():
    y = tg.diagonal(Tensor(np.ones((3, 3))))
    assert not any(a.flags.writeable for a in y.node.options[0][1:])
    again = tg.diagonal(Tensor(np.ones((3, 3))))
    assert again.node.options[0][1] is y.node.options[0][1]

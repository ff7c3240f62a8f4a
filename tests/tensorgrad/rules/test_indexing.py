"""Indexing: every form that NumPy accepts, the gradient of repeated entries, positions outside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, basic_indices, integer_array_indices

import tensorgrad as tg
from scalargrad import backpropagation
from tensorgrad import Tensor, grad
from tensorgrad.kernels import scatter
from tests.each import each

MODES = st.sampled_from([np.float32, np.float64])


def numbered(shape, dtype=np.float64):
    return np.arange(np.prod(shape, dtype=int), dtype=dtype).reshape(shape)


@st.composite
def shapes_and_indices(draw):
    """Draw a shape and an index for it: slices and integers, integer arrays, masks, or arrays among slices."""
    shape = draw(array_shapes(min_dims=1, max_dims=4, max_side=4))
    kind = draw(st.sampled_from(["basic", "numbers", "mask", "mixed"]))
    if kind == "basic":
        return shape, draw(basic_indices(shape, allow_newaxis=True))
    if kind == "numbers":
        return shape, draw(integer_array_indices(shape))
    if kind == "mask":
        reach = draw(st.integers(1, len(shape)))
        bits = draw(st.lists(st.booleans(), min_size=int(np.prod(shape[:reach])), max_size=int(np.prod(shape[:reach]))))
        return shape, np.array(bits).reshape(shape[:reach])
    length = draw(st.integers(0, 3))
    index = []
    for n in shape:
        index.append(
            draw(
                st.one_of(
                    st.slices(n),
                    st.integers(-n, n - 1),
                    st.lists(st.integers(-n, n - 1), min_size=length, max_size=length).map(lambda numbers: np.array(numbers, int)),
                )
            )
        )
    if draw(st.booleans()):
        index.insert(draw(st.integers(0, len(index))), None)
    return shape, tuple(index[: draw(st.integers(1, len(index)))])


@given(shapes_and_indices(), MODES)
def test_every_index_of_numpy(shape_and_index, dtype):
    shape, index = shape_and_index
    x = Tensor(numbered(shape, dtype))
    y = x[index]
    assert np.array_equal(y.data, x.data[index]) and y.shape == np.shape(x.data[index]) and y.dtype == dtype
    G = 1 + numbered(y.shape, dtype)
    y.backward(G)
    expected = np.zeros(shape, dtype)
    np.add.at(expected, index, G)
    assert np.array_equal(x.grad, expected) and x.grad.dtype == dtype


@given(shapes_and_indices(), st.booleans())
def test_index_put_writes_what_numpy_writes(shape_and_index, accumulate):
    shape, index = shape_and_index
    x, v = Tensor(numbered(shape)), Tensor(1000 + numbered(np.shape(numbered(shape)[index])))
    y = x.index_put(index, v, accumulate=accumulate)
    expected = x.data.copy()
    if accumulate:
        np.add.at(expected, index, v.data)
    else:
        expected[index] = v.data
    assert np.array_equal(y.data, expected) and np.array_equal(x.data, numbered(shape))
    y.sum().backward()
    if accumulate:
        assert np.array_equal(x.grad, np.ones(shape)) and np.array_equal(v.grad, np.ones(v.shape))
    else:  # every entry of y is an entry of x or of v
        assert x.grad.sum() + v.grad.sum() == y.size
        assert np.array_equal(np.sort(v.data[v.grad == 1], None), np.sort(expected[expected >= 1000], None))


def test_an_entry_that_is_read_several_times_sums_its_gradients():
    x = Tensor([1.0, 2.0, 3.0, 4.0])
    x[[0, 0, 1, 2]].sum().backward()
    assert x.grad.tolist() == [2, 1, 1, 0]


@given(shapes_and_indices(), MODES)
def test_long_and_short_indices_add_up_alike(shape_and_index, dtype):
    shape, index = shape_and_index
    x = numbered(np.shape(numbered(shape)[index]), dtype)
    x.flat[::3], x.flat[1::5] = np.inf, np.nan  # which stay where they are
    expected, found = np.zeros(shape, dtype), np.zeros(shape, dtype)
    np.add.at(expected, index, x)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scatter, "FEW_ENTRIES", 0)
        scatter.add_at(found, index, x)
    assert np.array_equal(found, expected, equal_nan=True) and found.dtype == dtype


LIST = np.array([[1, -1, 2], [0, 2, 1]])


@each(
    "index",
    [LIST, np.s_[:, LIST], np.s_[..., LIST], np.s_[1:, LIST, ::2], np.s_[:, :, LIST, -LIST[0]], np.s_[LIST, 2, :], np.s_[::-1, LIST, 1:]],
    ids=str,
)
def test_a_list_among_slices_has_places_along_one_axis(index):
    numbers = numbered((4, 3, 4, 5), int)
    places, length = scatter.flat_positions(numbers.shape, index)
    assert np.array_equal(numbers.reshape(-1, length)[places].reshape(-1), numbers[index].reshape(-1))


@each("index", [np.s_[LIST, :, LIST], np.s_[LIST > 0], np.s_[None, LIST]], ids=str)
def test_an_index_of_any_other_form_is_left_to_numpy(index):
    assert scatter.flat_positions((2, 3, 4, 5), index)[0] is None


ROWS, COLUMNS, PLACES = [np.random.default_rng(0).integers(-n, n, shape) for n, shape in ((9, (4, 7)), (600, 700), (600, (9, 600)))]
READ = {  # how we read many entries of x, of shape (9, 600), and NumPy's index for the same
    "long rows": (lambda x, i: x[i], ROWS, lambda i: i),
    "few long rows": (lambda x, i: x[i], np.array([0, 3, -9], np.int8), lambda i: i),
    "columns": (lambda x, i: x[:, i], COLUMNS, lambda i: np.s_[:, i]),
    "take_along_axis": (lambda x, i: tg.take_along_axis(x, i, 1), PLACES, lambda i: (np.arange(9)[:, None], i)),
    "gather": (lambda x, i: tg.gather(x, 0, i), PLACES % 9, lambda i: (i, np.arange(600))),
}


@each("name", READ)
def test_many_entries_add_where_numpy_reads_also_if_the_index_is_changed_later(name):
    read, index, theirs = READ[name]
    numbers, given = numbered((9, 600), np.float32), index.copy()
    x = Tensor(numbers)
    y = read(x, given)
    given[...] = 1
    G = numbered(y.shape, np.float32) % 7
    y.backward(G)
    expected = np.zeros_like(numbers)
    np.add.at(expected, theirs(index), G)
    assert np.array_equal(y.data, numbers[theirs(index)]) and np.array_equal(x.grad, expected)


@each("dtype", ["int8", "int16", "uint8", "uint64"])
def test_a_long_index_of_any_integer_dtype_adds_where_numpy_reads(dtype):
    index = np.tile(np.array([0, 99, 7], dtype) if dtype[0] == "u" else np.array([0, -1, 7], dtype), 100)
    x = Tensor(np.zeros(40_000))
    x[index].sum().backward()
    expected = np.zeros(40_000)
    np.add.at(expected, index, 1)
    np.testing.assert_array_equal(x.grad, expected)


@each("length", [4, 127, 128, 131, 511, 512, 600])
@each("most", [3, 40])
def test_rows_of_any_length_add_up_as_numpy_adds_them(length, most):
    places = np.random.default_rng(0).integers(-most, most, 50)
    G = np.random.default_rng(1).standard_normal((50, length)).astype(np.float32)
    G[3, :2], G[:, 3] = [np.inf, np.nan], -0.0
    for index in (places, (places,), places.astype(np.int16)):
        x, expected = Tensor(np.zeros((40, length), np.float32)), np.zeros((40, length), np.float32)
        x[index].backward(G)
        np.add.at(expected, index, G)
        assert np.array_equal(x.grad, expected, equal_nan=True)


OUTSIDE, INSIDE = np.array([20, *[0, 1, 19] * 100]), np.zeros(301, int)


@each("sign", [1, -1])
@each("index", [np.s_[:, OUTSIDE], np.s_[INSIDE, OUTSIDE], np.s_[OUTSIDE, INSIDE], np.s_[:, INSIDE, OUTSIDE], OUTSIDE], ids=str)
def test_nothing_is_added_outside_of_an_array(index, sign):
    x = np.zeros((20, 20, 20))
    index = (
        tuple([i if isinstance(i, slice) else i * sign - (sign < 0) for i in index]) if type(index) is tuple else index * sign - (sign < 0)
    )
    with pytest.raises(IndexError, match="^index_put: index (20|-21) is out of bounds for axis . with size 20"):
        tg.index_put(x, index, 1.0, accumulate=True)


@given(st.permutations(range(10)))
def test_parts_and_wholes_add_up_in_every_order(order):
    x = Tensor(np.asfortranarray([[1.0, -2.0], [3.0, 4.0], [-5.0, 6.0]]))
    pieces = [x * 3, x[1:], x[[0, 0, -1]], x**2, x[x.data > 0], x[..., 0], x[:2], x.sum(0), x[1, 1], x[np.array([1]), :1]]
    z = sum((k + 1) * (pieces[k] ** 2).sum() for k in order)
    first, second = grad(z, x, retain_graph=True), grad(z, x, create_graph=True)
    with tg.detect_anomaly():
        third = grad(z, x, retain_graph=True)
    for other in (second.data, third, backpropagation(z)[x]):
        np.testing.assert_allclose(other, first, rtol=1e-12)


@given(st.permutations(range(8)))
def test_derivatives_of_parts_and_wholes_are_differentiated_in_every_order(order):
    start, v = np.array([[1.0, -2.0], [3.0, 4.0], [-5.0, 6.0]]), np.array([[0.3, 0.1], [-0.2, 0.4], [0.5, 0.7]])

    def gradient(data, **options):
        x = Tensor(data)
        pieces = [x * 3, x[1:], x[[0, 0, -1]], x**2, x[start > 0], x[..., 0], x.sum(0), x[1, 1]]
        return x, grad(sum((k + 1) * (pieces[k] ** 3).sum() for k in order), x, **options)

    with tg.detect_anomaly():
        x, g = gradient(start, create_graph=True)
    np.testing.assert_allclose(g.data, gradient(start)[1], rtol=1e-12)
    h = grad((g * v).sum(), x, create_graph=True)
    differences = (gradient(start + 1e-4 * v)[1] - gradient(start - 1e-4 * v)[1]) / 2e-4
    np.testing.assert_allclose(h.data, differences, rtol=1e-6)
    third = (gradient(start + 1e-3 * v)[1] + gradient(start - 1e-3 * v)[1] - 2 * gradient(start)[1]) / 1e-6
    np.testing.assert_allclose(grad((h * v).sum(), x), third, rtol=1e-4, atol=1e-3)


def test_parts_become_one_variable_and_a_single_part_zeros_with_its_entries():
    x = Tensor([1.0, 2.0, 3.0])
    g = grad((x[0] * x[1] * x[2]), x, create_graph=True)
    assert g.node.rule.name == "scattered_sum" and len(g.node.edges) == 3
    assert grad((x[:2] ** 3).sum(), x, create_graph=True).node.rule.name == "scatter_into_zeros"


@each("turn", [1, -1])
def test_a_part_is_not_added_to_an_array_that_two_variables_share(turn):
    a, b = Tensor(np.zeros((2, 2))), Tensor(np.zeros((2, 2)))
    h, k = a * 1.0, b * 1.0
    h.keep_grad = k.keep_grad = True
    sum([(h + k).sum(), h[0].sum(), h[1, 1]][::turn]).backward()
    assert h.grad.tolist() == a.grad.tolist() == [[2, 2], [1, 2]]
    assert k.grad.tolist() == b.grad.tolist() == [[1, 1], [1, 1]]


@each("turn", [1, -1])
def test_a_long_index_adds_to_a_gradient_in_any_memory_order(turn):
    x, index = Tensor(np.zeros((5, 3))), np.arange(200) % 5
    in_columns = (x.T * np.ones((3, 5))).sum()
    sum([in_columns, x[index].sum()][::turn]).backward()
    assert (x.grad == 41).all()


def test_a_hook_sees_the_whole_of_a_gradient_that_came_in_parts_and_may_run_a_pass_over_the_same_parts():
    x, seen = Tensor([1.0, 2.0, 3.0]), []
    parts = [x[0], x[1:], x[[2, 2]]]
    parts[1].hooks.append(lambda G: seen.append(grad((x[:2] * 10).sum() + (x[1:] * 5).sum(), x).tolist()))
    x.hooks.append(lambda G: seen.append(G.tolist()))
    sum(part.sum() for part in parts).backward()
    assert seen == [[10, 15, 5], [10, 15, 5], [1, 1, 3]] and x.grad.tolist() == [1, 1, 3]


def test_the_gradient_that_came_in_parts_belongs_to_the_user():
    x = Tensor(np.zeros((2, 2)))
    (x[0].sum() + x[1].sum()).backward()
    x.grad[0] = 7
    (x[0].sum() + x[1].sum()).backward()
    assert x.grad.tolist() == [[8, 8], [2, 2]] and x.grad.flags.owndata


def test_a_slice_shares_the_memory_of_its_tensor():
    x = Tensor(np.zeros((4, 4)))
    assert np.shares_memory(x[1:3].data, x.data)


@each("index", [LIST, np.s_[:, LIST], np.s_[:, :, LIST[:, 0].astype(np.int8)]], ids=str)
def test_a_list_along_one_axis_is_read_into_an_array_without_gaps(index):
    x = Tensor(numbered((3, 4, 5)).T.copy().T)
    assert np.array_equal(x[index].data, x.data[index]) and x[index].data.flags.c_contiguous


def test_changing_the_index_after_use_has_no_effect():
    x, index = Tensor([1.0, 2.0, 3.0]), np.array([0, 0])
    y = x[index]
    index[:] = 2
    y.sum().backward()
    assert x.grad.tolist() == [2, 0, 0]


def test_second_derivatives_through_repeated_entries():
    x = Tensor([1.0, 2.0, 3.0])
    z = (x[[0, 0, 2]] ** 3).sum()
    g = grad(z, x, create_graph=True)
    assert g.data.tolist() == [6, 0, 27]
    assert grad(g.sum(), x).tolist() == [12, 0, 18]


def test_only_the_last_value_written_to_a_place_has_a_gradient():
    x, v = Tensor([0.0, 0.0]), Tensor([1.0, 2.0, 3.0])
    y = tg.index_put(x, [1, 1, 1], v)
    assert y.data.tolist() == [0, 3]
    y.sum().backward()
    assert v.grad.tolist() == [0, 0, 1] and x.grad.tolist() == [1, 0]


def test_iterating_over_a_tensor_gives_its_rows():
    x = Tensor(numbered((3, 2)))
    rows = list(x)
    assert [r.shape for r in rows] == [(2,)] * 3
    rows[1].sum().backward()
    assert x.grad.tolist() == [[0, 0], [1, 1], [0, 0]]


@each(
    ("call", "message"),
    [
        (lambda x: x[2], "getitem: index 2 is out of bounds for axis 0 with size 2"),
        (lambda x: x[:, [0, 5]], "getitem: index 5 is out of bounds for axis 1 with size 3"),
        (lambda x: tg.embedding([5], x), "embedding: index 5 at position (0,) is outside the table's 2 rows"),
        (lambda x: tg.embedding([[0, -1]], x), "embedding: index -1 at position (0, 1) is outside the table's 2 rows"),
        (lambda x: x.gather(1, [[0, 3]]), "gather: index 3 at position (0, 1) is outside axis 1, of length 3"),
        (lambda x: x.gather(0, [[-1]]), "gather: index -1 at position (0, 0) is outside axis 0, of length 2"),
        (lambda x: x.index_select(-1, [0, -1]), "index_select: index -1 at position (1,) is outside axis 1, of length 3"),
        (lambda x: x.take([6]), "take: index 6 at position (0,) is outside axis 0, of length 6"),
        (lambda x: x.scatter(0, [[2]], 1.0), "scatter: index 2 at position (0, 0) is outside axis 0, of length 2"),
        (lambda x: x.scatter_add(0, [[-1]], 1.0), "scatter_add: index -1 at position (0, 0) is outside axis 0, of length 2"),
        (lambda x: x.index_add(0, [2], x[:1]), "index_add: index 2 at position (0,) is outside axis 0, of length 2"),
        (lambda x: tg.one_hot([3], 3), "one_hot: index 3 at position (0,) is outside the 3 classes"),
        (lambda x: tg.one_hot([-1]), "one_hot: index -1 at position (0,) is outside the 0 classes"),
        (lambda x: x.narrow(1, 2, 2), "narrow: start=2, length=2 does not lie within axis 1 of length 3"),
        (lambda x: x.select(0, 2), "select: index 2 is outside axis 0, of length 2; use -2 to 1"),
        (lambda x: np.take_along_axis(x, np.array([[3]]), 1), "take_along_axis: index 3 at position (0, 0) is outside axis 1, of length 3"),
    ],
)
def test_positions_outside_raise_index_errors(call, message):
    with pytest.raises(IndexError) as caught:
        call(Tensor(numbered((2, 3))))
    assert str(caught.value).startswith(message)


@each(
    ("call", "error", "message"),
    [
        (lambda x: x.gather(1, [0]), ValueError, "gather: index of shape (1,) does not fit x of shape (2, 3); only axis 1"),
        (lambda x: x.gather(1, [[0.5]]), TypeError, "gather: index has dtype float64; give integers"),
        (lambda x: x.gather(2, [[0]]), ValueError, "gather: axis 2 is out of range for shape (2, 3); use -2 to 1"),
        (
            lambda x: x.index_put(0, [1.0, 2.0]),
            ValueError,
            "index_put: values of shape (2,) do not fit the shape (3,) that the index selects",
        ),
        (lambda x: x.index_select(0, [[0]]), ValueError, "index_select: index has shape (1, 1); give one list, or"),
        (lambda x: tg.embedding([0], x[0]), ValueError, "embedding: table has shape (3,); two axes are"),
        (lambda x: tg.take_along_axis(x, [0], 1), ValueError, "take_along_axis: indices of shape (1,)"),
    ],
)
def test_wrong_shapes_and_options_raise_errors(call, error, message):
    with pytest.raises(error) as caught:
        call(Tensor(numbered((2, 3))))
    assert str(caught.value).startswith(message)


@each("total", [False, True])
def test_total_has_no_effect_inside_the_axis(total):
    x = numbered((3, 2))
    assert np.array_equal(tg.embedding([2, 0], x, total=total), x[[2, 0]])
    assert np.array_equal(tg.gather(x, 0, [[2, 0]], total=total), [[4, 1]])


def test_total_gives_zeros_without_a_gradient_outside():
    x = Tensor([[1.0, 2.0], [3.0, np.inf]])
    rows = tg.embedding([1, 2, -1, 1], x, total=True)
    assert rows.data.tolist() == [[3, np.inf], [0, 0], [0, 0], [3, np.inf]]
    rows.sum().backward()
    assert x.grad.tolist() == [[0, 0], [2, 2]]
    x.zero_grad()
    entries = x.gather(1, [[0, 7], [-1, 0]], total=True)
    assert entries.data.tolist() == [[1, 0], [0, 3]]
    entries.sum().backward()
    assert x.grad.tolist() == [[1, 0], [1, 0]]
    assert tg.take(Tensor([1.0, 2.0]), 5, total=True).item() == 0  # a position known at run time


@given(array_shapes(min_dims=1, max_dims=3, max_side=4), st.data())
def test_gathering_along_an_axis_equals_numpys(shape, data):
    x = numbered(shape)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    n = shape[axis]
    index = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=x.size, max_size=x.size))).reshape(shape)
    expected = np.take_along_axis(x, index, axis)
    assert np.array_equal(tg.gather(x, axis, index), expected)
    assert np.array_equal(np.take_along_axis(Tensor(x), index - n, axis).data, expected)  # NumPy's counts from the end
    assert np.array_equal(np.take(Tensor(x), index, axis).data, np.take(x, index, axis))
    assert np.array_equal(tg.index_select(x, axis, index.ravel()), np.take(x, index.ravel(), axis))
    added = np.zeros(shape)
    for place in np.ndindex(shape):
        target = list(place)
        target[axis] = index[place]
        added[tuple(target)] += x[place]
    assert np.array_equal(tg.scatter_add(np.zeros(shape), axis, index, x), added)


def test_scatter_undoes_gather_where_nothing_repeats():
    x = np.random.default_rng(0).standard_normal((3, 4))
    order = np.argsort(x, 1)
    assert np.array_equal(tg.scatter(np.zeros((3, 4)), 1, order, tg.gather(x, 1, order)), x)


def test_one_hot():
    assert np.array_equal(tg.one_hot([[0, 2]], 4), np.eye(4, dtype=int)[[[0, 2]]])
    assert tg.one_hot([], 3).shape == (0, 3)
    assert (Tensor(np.ones((2, 3)), dtype=np.float32) * tg.one_hot([0, 2])).dtype == np.float32


def test_plain_arrays_give_plain_arrays():
    assert type(tg.index_put(np.zeros(3), 0, 1.0)) is np.ndarray
    assert type(tg.embedding([0], np.zeros((2, 2)), total=True)) is np.ndarray


# A 0-d array has axis 0, of one entry


NUMBER = Tensor(3.0)


@each("axis", [0, -1])
def test_a_0d_array_counts_as_one_entry_along_axis_0(axis):
    found = [
        (tg.gather(NUMBER, axis, 0), ()),
        (tg.gather(NUMBER, axis, [0, 0]), (2,)),
        (tg.scatter(NUMBER, axis, 0, 3.0), ()),
        (tg.scatter_add(NUMBER, axis, [0], [0.0]), ()),
        (tg.index_add(NUMBER, axis, [0], 0.0), ()),
        (tg.index_select(NUMBER, axis, [0]), ()),
        (tg.take(NUMBER, [0, -1], axis), (2,)),
        (tg.repeat(NUMBER, 2, axis), (2,)),
        (tg.topk(NUMBER, 1, axis)[0], ()),
        (tg.sort(NUMBER, axis), ()),
        (tg.squeeze(NUMBER, axis), ()),
        (tg.swapaxes(NUMBER, axis, 0), ()),
        (tg.moveaxis(NUMBER, axis, 0), ()),
        (tg.flip(NUMBER, axis), ()),
        (tg.logsumexp(NUMBER, axis), ()),
        (tg.cumsum(NUMBER, axis), ()),
    ]
    for y, shape in found:
        assert y.shape == shape and (y.data == 3).all() and y.node is not None and y is not NUMBER


REFUSED_NUMBERS = [
    (lambda: tg.gather(NUMBER, 1, 0), IndexError, "gather: axis 1 is out of range for shape (); a 0-d array has no axes"),
    (lambda: tg.gather(NUMBER, 0, [[0]]), ValueError, "gather: index of shape (1, 1) for a 0-d array; give one index, or a list of them"),
    (lambda: tg.gather(NUMBER, 0, 1), IndexError, "gather: index 1 at position (0,) is outside axis 0, of length 1"),
    (lambda: tg.index_select(NUMBER, 0, [0, 0]), ValueError, "index_select: index of shape (2,) for a 0-d array; give one index"),
    (lambda: tg.index_add(NUMBER, 0, [0, 0], 1.0), ValueError, "index_add: index of shape (2,) for a 0-d array; give one index"),
    (lambda: tg.index_add(NUMBER, 0, [0], [1.0]), ValueError, "index_add: source has shape (1,); x is a 0-d array, so give one number"),
    (lambda: tg.repeat(NUMBER, 2, 1), IndexError, "repeat: axis 1 is out of range for shape (); a 0-d array has no axes"),
    (lambda: tg.swapaxes(NUMBER, 0, 1), IndexError, "swapaxes: axis 1 is out of range for shape (); a 0-d array has no axes"),
]  # fmt: skip


@each(("call", "kind", "text"), REFUSED_NUMBERS, ids=[text[:40] for _, _, text in REFUSED_NUMBERS])
def test_wrong_positions_of_a_0d_array_raise_errors(call, kind, text):
    with pytest.raises(kind) as refusal:
        call()
    assert str(refusal.value).startswith(text)


def test_the_padding_row_of_an_embedding_has_no_gradient():
    table = Tensor(np.arange(6.0).reshape(3, 2))
    for padding in (1, -2):
        table.zero_grad()
        y = tg.embedding([[0, 1], [1, 1]], table, padding_idx=padding)
        y.sum().backward()
        assert y.tolist() == [[[0, 1], [2, 3]], [[2, 3], [2, 3]]] and table.grad.tolist() == [[1, 1], [0, 0], [0, 0]]
    with pytest.raises(IndexError, match="^embedding: index 3 at position .. is outside the table's 3 rows"):
        tg.embedding([0], table, padding_idx=3)


def test_joining_an_empty_array_gives_it_an_empty_gradient():
    x, nothing = Tensor(np.ones((2, 3))), Tensor(np.zeros(0))
    for axis in (0, 1, -1):
        for pieces in ([nothing, x], [x, nothing, x]):
            y = tg.concatenate(pieces, axis)
            y.sum().backward()
            assert np.array_equal(y.data, np.concatenate([p.data for p in pieces if p is x], axis)) and nothing.grad.shape == (0,)
    with pytest.raises(ValueError, match=r"^concatenate: shapes \(2, 3\) and \(0, 2\) do not fit"):
        tg.concatenate([x, np.zeros((0, 2))])


# Flat positions of many single entries


def written_and_read(index, dtype, order):
    """Return what four functions give at an index of a matrix, with their derivatives. Some numbers are not finite."""
    rng = np.random.default_rng(0)
    shape = np.broadcast_shapes(*[np.shape(i) for i in index])
    x, v = rng.standard_normal((20, 30)).astype(dtype, order=order), rng.standard_normal(shape).astype(dtype)
    x[:2, :3], v.flat[:2] = np.inf, np.nan
    found = []
    for f in (lambda x, v: x[index], lambda x, v: tg.index_put(x, index, v), lambda x, v: tg.index_put(x, index, v, accumulate=True)):
        a, b = Tensor(x), Tensor(v)
        y = f(a, b)
        y.backward(rng.standard_normal(y.shape).astype(dtype))
        found += [y.data, a.grad, np.zeros(shape) if b.grad is None else b.grad]
    return found


GRIDS = {
    "each entry once": (np.arange(20)[:, None], np.random.default_rng(1).permuted(np.tile(np.arange(30), (20, 1)), axis=1)),
    "repeated": (np.random.default_rng(1).integers(0, 20, (20, 30)), np.random.default_rng(2).integers(0, 30, (20, 30))),
    "from the end": (np.arange(-20, 0)[:, None], np.random.default_rng(1).integers(-30, 30, (20, 25)).astype(np.int32)),
    "an empty index": (np.zeros((0, 1), int), np.zeros((0, 5), int)),
}


@each("index", GRIDS.values(), ids=GRIDS)
def test_many_entries_are_read_and_written_as_few_are(monkeypatch, index):
    for dtype, order in [(np.float32, "C"), (np.float64, "F")]:
        found = []
        for few in (10, 10**6):
            monkeypatch.setattr(scatter, "FEW_ENTRIES", few)
            found.append(written_and_read(index, dtype, order))
        for a, b in zip(*found):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_replaced_value_and_an_assigned_entry_get_zero_beside_an_infinite_gradient():
    x, v = Tensor(np.zeros((2, 2))), Tensor([1.0, 2.0])
    tg.index_put(x, (np.array([0, 0]), np.array([1, 1])), v).backward(np.array([[1.0, np.inf], [3.0, 4.0]]))
    assert x.grad.tolist() == [[1.0, 0.0], [3.0, 4.0]] and v.grad.tolist() == [0.0, np.inf]


def test_an_index_outside_is_still_an_error_for_many_entries():
    x = Tensor(np.zeros((20, 30)))
    with pytest.raises(IndexError, match="30"):
        x[np.zeros((20, 30), int), np.full((20, 30), 30)]
    with pytest.raises(IndexError, match="index -1 at position"):
        tg.gather(x, 1, np.full((20, 30), -1))

"""Bad input and accidents: either harmless by construction, or an error that names the variable and says what to do."""

import copy
import math
import operator
import pickle
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest

import scalargrad as sg
import tensorgrad as tg
from scalargrad import Trace, Value
from scalargrad.graph import ChangedError
from tensorgrad import Tensor, grad, no_grad, zoom
from tests.each import each
from tests.tensorgrad.cases import every_case


def refused(kind, *parts):
    """pytest.raises with a message that has all the parts, in their order."""
    return pytest.raises(kind, match="(?s)" + ".*".join(map(re.escape, parts)))


# Data that is not an array of real numbers


VALUE = Value(2.0, name="v")
NO_TENSORS = [
    ([1j, 2], TypeError, ["Tensor([1j, 2]): complex numbers are not supported; keep their real and imaginary parts as two tensors"]),
    (["1", "2"], TypeError, ["real numbers, not text (first at index (0,): ", "convert it first: array.astype(float)"]),
    ("3", TypeError, ["Tensor('3'): a tensor holds real numbers, not text (first at index (): "]),
    ([1.0, [2.0], 3.0], ValueError, ["Tensor([1.0, [2.0], 3.0]): the rows have different lengths; give all rows the same length"]),
    ([[1, 2], [3]], ValueError, ["the rows have different lengths"]),
    (None, TypeError, ["Tensor(None): a tensor holds real numbers, not NoneType (first at index (): None)"]),
    ([[1.0, 2.0], [3.0, None]], TypeError, ["not NoneType (first at index (1, 1): None)"]),
    ({"a": 1}, TypeError, ["not dict"]),
    ((i for i in range(3)), TypeError, ["not generator"]),
    (np.array(["2026-01-01"], "M8[D]"), TypeError, ["not datetime64 (first at index (0,): "]),
    (np.array([1], "m8[s]"), TypeError, ["not timedelta64 (first at index (0,): "]),
    (np.zeros(2, [("a", float)]), TypeError, ["not void (first at index (0,): "]),
    (np.ma.masked_array([1.0, 2.0], [0, 1]), TypeError, ["a masked array would lose its mask; fill it, a.filled(0)"]),
    (VALUE, TypeError, ["Tensor(v): v is a Value; start a graph of tensors at its number, Tensor(v.data)"]),
    ([VALUE, VALUE], TypeError, ["not Values (first at index (0,): Value(2.0, name='v')); ", "at their numbers, .data"]),
    ([1, 10**400], ValueError, ["the entry at index (1,) is an integer of 401 digits, too large for a float"]),
]  # fmt: skip


@each(("data", "kind", "parts"), NO_TENSORS, ids=lambda x: type(x).__name__ if not isinstance(x, list) else "")
def test_what_is_no_array_of_real_numbers_is_refused(data, kind, parts):
    with refused(kind, *parts):
        Tensor(data)
    leaf = Tensor(1.0)
    with refused(kind):
        leaf.data = data
    assert leaf.data == 1.0


def test_a_tensor_of_a_tensor_is_refused_by_name():
    w = Tensor([1.0, 2.0])
    with refused(TypeError, "Tensor(w): w is a Tensor already; use it, w.data for its array, or w.detach() for a constant"):
        Tensor(w)
    with refused(TypeError, "cannot convert w to a plain array: its derivative would be lost", "np.stack"):
        Tensor([w, w])


@each("dtype", [int, np.float16, np.longdouble, complex, object, ">f8"])
def test_a_tensor_is_float64_or_float32(dtype):
    if np.dtype(dtype) == np.float64:
        pytest.skip("a long double is a double here")
    with refused(TypeError, "Tensor: dtype=", " is not float64 or float32"):
        Tensor([1.0], dtype=dtype)


@each(
    ("data", "dtype", "values"),
    [
        ([1, 2], np.float64, [1.0, 2.0]),
        ([True, False], np.float64, [1.0, 0.0]),
        (np.array([1, 2], np.uint8), np.float64, [1.0, 2.0]),
        (np.array([1.5], np.float16), np.float64, [1.5]),
        (np.array([1.5], np.longdouble), np.float64, [1.5]),
        (np.array([1.5], np.float32), np.float32, [1.5]),
        (np.array([1.5, 2.0], ">f4"), np.float32, [1.5, 2.0]),
        (np.array([1.5, 2.0], ">f8"), np.float64, [1.5, 2.0]),
        (np.arange(6.0).reshape(2, 3)[:, ::-2], np.float64, [[2.0, 0.0], [5.0, 3.0]]),
        ([2**63, 2**64, -(2**70)], np.float64, [2.0**63, 2.0**64, -(2.0**70)]),
        ([Fraction(1, 4), 10**30], np.float64, [0.25, 1e30]),
        (range(3), np.float64, [0.0, 1.0, 2.0]),
        (math.inf, np.float64, math.inf),
        ([], np.float64, []),
        (np.zeros((0, 3)), np.float64, []),
        (7, np.float64, 7.0),
    ],
    ids=lambda x: getattr(x, "__name__", str(x)[:20]),
)
def test_every_other_array_of_real_numbers_is_taken(data, dtype, values):
    t = Tensor(data)
    assert t.dtype == dtype and t.dtype.isnative and t.tolist() == values and type(t._data) is np.ndarray
    assert t.data.flags.c_contiguous and t.shape == np.shape(data)
    y = t * 2
    assert y.dtype == dtype
    y.backward(np.ones(y.shape))
    assert t.grad.tolist() == np.full(t.shape, 2.0).tolist()


def test_a_memory_map_and_a_read_only_array_are_copied(tmp_path):
    path = tmp_path / "numbers"
    on_disk = np.memmap(path, np.float64, "w+", shape=(2,))
    on_disk[:] = [1.0, 2.0]
    t = Tensor(on_disk)
    on_disk[:] = 0.0
    assert t.tolist() == [1.0, 2.0] and type(t._data) is np.ndarray
    locked = np.array([1.0, 2.0])
    locked.setflags(write=False)
    x = Tensor(locked)
    (x * locked).sum().backward()
    x.grad[0] = 5.0
    assert locked.tolist() == [1.0, 2.0]


def test_a_matrix_becomes_an_array_and_is_refused_beside_a_tensor():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        M = np.matrix([[1.0, 2.0], [3.0, 4.0]])
        t = Tensor(M)
        assert type(t._data) is np.ndarray and t.shape == (2, 2)
        for call in (lambda: t * M, lambda: M * t):
            with refused(TypeError, "mul: * is ambiguous for an np.matrix beside a tensor; write np.asarray(M)"):
                call()


# What a tensor is not combined with


OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow,
}  # fmt: skip
NOT_COMBINED = [
    ("a", "cannot combine a Tensor with 'a' (str); give a tensor, an array of real numbers or a number"),
    (None, "cannot combine a Tensor with None (NoneType)"),
    (1j, "cannot combine a Tensor with 1j (complex numbers)"),
    (np.array([1j, 2.0]), "(complex numbers); give a tensor"),
    (np.complex64(1), "(complex numbers)"),
    ([[1], [1, 2]], "cannot combine a Tensor with [[1], [1, 2]] (list)"),
    ([1.0, None], "cannot combine a Tensor with [1.0, None] (list)"),
    (np.array([1.0, None]), "(ndarray); give a tensor"),
    ({}, "cannot combine a Tensor with {} (dict)"),
    (np.array(["a", "b"]), "(ndarray)"),
    (VALUE, "cannot combine a Tensor with v, a Value; make the Value a Tensor, or zoom"),
    (np.array([VALUE, VALUE]), "an array of Values; make the Value a Tensor"),
    ([VALUE, VALUE], "an array of Values; make the Value a Tensor"),
    (10**400, "is an integer of 401 digits, too large for a float"),
]


@each("name", OPERATORS)
@each(("other", "what"), NOT_COMBINED, ids=[str(type(x).__name__) + str(i) for i, (x, _) in enumerate(NOT_COMBINED)])
@each("keep_grad", [True, False])
def test_a_tensor_is_not_combined_with_what_is_no_real_number_from_either_side(name, other, what, keep_grad):
    w = Tensor([1.0, 2.0], keep_grad=keep_grad)
    for args in [(w, other), (other, w)]:
        with refused((TypeError, ValueError), f"{name}: ", what):
            OPERATORS[name](*args)


@each("name", OPERATORS)
@each(
    "other",
    [
        3,
        2.5,
        True,
        Fraction(1, 2),
        np.float32(2),
        np.int8(3),
        np.longdouble(2),
        2**70,
        [1, 2],
        (1.5, 2),
        np.array([1, 2], np.uint8),
        range(1, 3),
    ],
)
def test_every_real_number_and_array_is_taken_from_both_sides(name, other):
    plain = np.array(other, dtype=np.float64)
    if name == "pow" and plain.max() > 1000:
        return  # too large for any float
    for dtype in (np.float64, np.float32):
        w = Tensor([1.5, 2.0], dtype=dtype)
        for got, expected in [
            (OPERATORS[name](w, other), OPERATORS[name](w.data, plain)),
            (OPERATORS[name](other, w), OPERATORS[name](plain, w.data)),
        ]:
            assert type(got) is Tensor and got.dtype in (np.float64, np.float32)
            np.testing.assert_allclose(got.data, expected, rtol=1e-6)


def test_a_masked_array_beside_a_tensor_is_refused_from_both_sides():
    w, masked = Tensor([1.0, 2.0]), np.ma.masked_array([1.0, 2.0], [0, 1])
    with refused(TypeError, "mul: a masked array would lose its mask"):
        w * masked
    for unmasked in (masked, np.ma.masked_array([1.0, 2.0])):
        with refused(TypeError, "np.ma: a masked array would lose its mask"):
            unmasked * w


def test_values_and_tensors_do_not_mix_in_scalargrads_functions_either():
    v, w = Value(2.0), Tensor([1.0, 2.0])
    for call in (
        lambda: v * w, lambda: w * v, lambda: sg.mul(v, w), lambda: sg.mul(w, v), lambda: sg.sum(v, w), lambda: sg.maximum(w, v),
        lambda: sg.where(True, v, w), lambda: w + np.array([v, v]), lambda: sg.dot(v, w),
    ):  # fmt: skip
        with refused(TypeError, "; make the Value a Tensor, or zoom"):
            call()
    with refused(TypeError, "Value"):  # NumPy's own words
        np.multiply(w, v)
    with refused(TypeError, "exp: cannot combine a Tensor with v, a Value"):
        tg.exp(v)


# Shapes


@each("name", OPERATORS)
@each(
    ("a", "b", "where"),
    [
        ((2, 3), (4,), "the last axes are 3 and 4 (equal or 1 needed)"),
        ((2, 3), (2, 2), "the last axes are 3 and 2"),
        ((2, 3, 4), (2, 2, 4), "the axes -2 are 3 and 2"),
        ((5, 3, 4), (2, 1, 4), "the axes -3 are 5 and 2"),
        ((0, 3), (2, 3), "the axes -2 are 0 and 2"),
    ],
)
@each("plain", [False, True], ids=["two tensors", "a tensor and an array"])
def test_shapes_that_do_not_broadcast_are_shown_with_the_axis_that_clashes(name, a, b, where, plain):
    x, y = Tensor(np.ones(a)), np.ones(b) if plain else Tensor(np.ones(b))
    with refused(ValueError, f"{name}: shapes {a} and {b} do not broadcast: {where}"):
        OPERATORS[name](x, y)
    with refused(ValueError, f"{name}: shapes {b} and {a} do not broadcast"):
        OPERATORS[name](y, x)


def test_matrices_that_do_not_fit():
    x, w, v = Tensor(np.ones((2, 3))), Tensor(np.ones((2, 3))), Tensor(np.ones(4))
    with refused(ValueError, "matmul: (2, 3) @ (2, 3): 3 columns on the left need 3 rows on the right, got 2"):
        x @ w
    with refused(ValueError, "matmul: (2, 3) @ (4,): 3 columns on the left need 3 rows on the right, got 4"):
        x @ v
    with refused(ValueError, "matmul: (2, 3) @ (): "):
        x @ Tensor(2.0)
    with refused(ValueError, "matmul: shapes (2, 3, 4) and (3, 4, 2) do not broadcast: the axes -3 are 2 and 3 (equal or 1 needed)"):
        Tensor(np.ones((2, 3, 4))) @ Tensor(np.ones((3, 4, 2)))


def test_axes_that_are_not_there():
    x = Tensor(np.ones((2, 3)))
    for axis in (2, -3):
        with refused(ValueError, f"sum: axis {axis} is out of range for shape (2, 3); use -2 to 1"):
            x.sum(axis=axis)
        with refused(IndexError, f"sum: axis {axis}"):  # NumPy's AxisError is both
            x.sum(axis=axis)
    with pytest.raises(ValueError, match=r"sum: (?=.*\(2, 3\)).*twice"):
        x.sum(axis=(0, -2))


def test_shapes_of_another_size():
    x = Tensor(np.ones((2, 3)))
    with refused(ValueError, "reshape: ", "6", "(4", "2)"):
        x.reshape(4, 2)
    with refused(ValueError, "broadcast_to: ", "(2, 3)", "(4, 3)"):
        tg.broadcast_to(x, (4, 3))


def ones(*shape):
    return Tensor(np.ones(shape))


MISFITS = [  # a call, and what its message says: both shapes and the axis, or the place, that clashes
    (
        lambda: tg.where(np.ones((2, 3)) > 0, ones(2, 3), ones(4)),
        "where: shapes (2, 3) and (4,) do not broadcast: the last axes are 3 and 4",
    ),
    (lambda: tg.maximum(ones(2, 3), ones(2)), "maximum: shapes (2, 3) and (2,) do not broadcast: the last axes are 3 and 2"),
    (lambda: ones(2, 3).mean(axis=4), "mean: axis 4 is out of range for shape (2, 3); use -2 to 1"),
    (lambda: Tensor([]).max(), "max: shape (0,) has no entry to choose from"),
    (lambda: ones(2, 3).reshape(4, 2), "reshape: shape (2, 3) has 6 entries, which do not fill shape (4, 2); use lengths"),
    (lambda: tg.squeeze(ones(2, 3), axis=0), "squeeze: axis 0 of shape (2, 3) has length 2"),
    (lambda: tg.transpose(ones(2, 3), (0, 0)), "transpose: axes=(0, 0) is not an order of the axes of shape (2, 3); list"),
    (lambda: tg.concatenate([ones(2, 3), ones(3, 2)]), "concatenate: shapes (2, 3) and (3, 2) do not fit"),
    (lambda: tg.stack([ones(2, 3), ones(3, 2)]), "stack: shapes (2, 3) and (3, 2) differ"),
    (lambda: tg.split(ones(5), 2), "split: 5 entries along axis 0 do not make 2 equal parts"),
    (lambda: ones(3)[5], "index 5 is out of bounds for axis 0 with size 3"),
    (lambda: ones(2, 3)[np.array([True, False, True])], "along axis 0; size of axis is 2", "is 3"),
    (lambda: tg.gather(ones(2, 3), 1, [[0], [5]]), "gather: index 5 at position (1, 0) is outside axis 1, of length 3"),
    (lambda: tg.gather(ones(2, 3), 1, [[-1]]), "gather: index -1 at position (0, 0) is outside axis 1"),
    (lambda: tg.embedding([5], ones(4, 2)), "embedding: index 5 at position (0,) is outside the table's 4 rows"),
    (lambda: tg.embedding([-1], ones(4, 2)), "embedding: index -1 at position (0,) is outside the table's 4 rows"),
    (lambda: tg.linear(ones(2, 3), ones(5, 4)), "linear: x of shape (2, 3) does not fit W of shape (5, 4); W is (out, in)"),
    (lambda: tg.linear(ones(2, 3), ones(5, 3), ones(4)), "linear: bias has shape (4,)", "bias needs (5,)"),
    (
        lambda: tg.einsum("ij,jk->ik", ones(2, 3), ones(4, 2)),
        "with shapes (2, 3) and (4, 2): index 'j' has length 3 in one place and 4 in another",
    ),
    (lambda: tg.inv(ones(2, 3)), "inv: shape (2, 3) is not a square matrix"),
    (lambda: tg.inv(ones(2, 2)), "inv: the matrix of shape (2, 2) is singular"),
    (
        lambda: tg.conv2d(ones(1, 3, 8, 8), ones(4, 2, 3, 3)),
        "conv2d: x of shape (1, 3, 8, 8) has 3 channels, and weight of shape (4, 2, 3, 3)",
    ),
    (lambda: tg.conv2d(ones(1, 2, 2, 2), ones(4, 2, 3, 3)), "conv2d: a kernel of (3, 3) does not fit into x of shape (1, 2, 2, 2)"),
    (lambda: tg.max_pool2d(ones(1, 1, 2, 2), 3), "max_pool2d: a kernel of (3, 3) does not fit into x of shape (1, 1, 2, 2)"),
    (lambda: tg.layer_norm(ones(2, 3), 4), "layer_norm: x has shape (2, 3), whose last axes are not normalized_shape=(4,)"),
    (lambda: tg.batch_norm(ones(2, 3), weight=ones(2), training=True), "batch_norm: weight has shape (2,)", "it needs (3,)"),
    (lambda: tg.softmax(ones(2, 3), axis=3), "softmax: axis 3 is out of range for shape (2, 3)"),
    (
        lambda: tg.scaled_dot_product_attention(ones(2, 4), ones(3, 5), ones(3, 2)),
        "q of shape (2, 4), k of shape (3, 5), v of shape (3, 2)",
    ),
    (lambda: tg.cross_entropy(ones(2, 3), np.array([0, 3])), "cross_entropy: class 3 at position (1,) is outside the 3 classes"),
    (lambda: tg.cross_entropy(ones(2, 3), np.array([0, -1])), "cross_entropy: class -1 at position (1,) is outside the 3 classes"),
    (lambda: tg.mse_loss(ones(2, 3), ones(3)), "mse_loss: input has shape (2, 3) and target has shape (3,); reshape one of them"),
]


@each(("call", "parts"), [(call, parts) for call, *parts in MISFITS], ids=lambda x: x[0][:30] if isinstance(x, list) else "")
def test_what_does_not_fit_in_any_family_is_shown_with_its_shapes_and_its_place(call, parts):
    with refused((ValueError, IndexError), *parts):
        call()


def test_the_wrong_arguments_are_shown_with_the_right_ones():
    x = Tensor([1.0])
    with refused(TypeError, "sum: unknown argument dim= (here: axis, as in NumPy); signature: sum(x, axis=None, keepdims=False"):
        tg.sum(x, dim=0)
    with refused(TypeError, "tanh: too many positional arguments; signature: tanh("):
        tg.tanh(x, x)
    with refused(TypeError, "add: missing a required argument"):
        tg.add(x)
    for call in (lambda: tg.roll(x), lambda: x.roll(), lambda: x.roll(axis=0)):
        with refused(TypeError, "roll: missing a required argument: 'shift'; signature: roll(x, shift, axis=None)"):
            call()
    with refused(TypeError, "sum: multiple values for argument 'axis'"):
        tg.sum(x, 0, axis=0)


# Uses that would cut the graph silently


@each("ask", [np.asarray, np.array, lambda w: np.array([w, w]), np.float64, lambda w: np.zeros(3).__setitem__(slice(None), w)])
def test_numpy_gets_no_plain_array_of_a_variable(ask):
    w = Tensor([1.0, 2.0, 3.0], name="weight")
    with refused(TypeError, "cannot convert weight to a plain array: its derivative would be lost", "np.stack", "weight.data"):
        ask(w)
    assert np.array_equal(np.asarray(w.detach()), [1.0, 2.0, 3.0])


@each("ask", [float, int, complex, math.exp, math.sqrt, range, [1, 2].__getitem__])
def test_a_plain_number_asked_of_a_variable(ask):
    speed = Tensor(1.0, name="speed")
    with refused(TypeError, "(speed): cannot convert speed to a plain number: its derivative would be lost", ".item()"):
        ask(speed)
    with pytest.raises((TypeError, ValueError)):  # NumPy's own words, where it has some
        np.zeros(3)[0] = speed
    assert float(speed.detach()) == int(speed.detach()) == speed.item() == 1.0


def test_whether_a_tensor_is_true():
    with refused(ValueError, "the truth value of a tensor of shape (2,) is ambiguous", "(t > 0).any()"):
        if Tensor([1.0, 0.0]):
            pass
    with refused(ValueError, "the truth value of a tensor of shape (0,) is ambiguous"):
        bool(Tensor([]))
    assert Tensor(1.0) and not Tensor([[0.0]])


def test_a_number_has_no_length_and_is_not_walked_through():
    t = Tensor(1.0)
    with refused(TypeError, "len() of a 0-d tensor"):
        len(t)
    with refused(TypeError, "cannot iterate over a 0-d tensor"):
        list(t)
    with refused(TypeError, "a 0-d tensor"):
        a, b = t


def test_item_wants_one_entry():
    with refused(ValueError, "item(): a tensor of shape (2,) holds 2 numbers"):
        Tensor([1.0, 2.0]).item()


# Writing to what a graph has used


def test_the_array_that_a_user_sees_cannot_be_written_to():
    w = Tensor([1.0, 2.0])
    y = w * w
    for t in (w, y, y.detach()):
        before = t.tolist()
        with pytest.raises(ValueError, match="read-only"):
            t.data[0] = 5
        with pytest.raises(ValueError, match="read-only"):
            t.data += 1
        with pytest.raises(ValueError, match="read-only"):
            np.add(t.data, 1, out=t.data)
        with pytest.raises(ValueError, match="read-only"):
            t.data.sort()
        assert t.tolist() == before
    y.sum().backward()
    assert w.grad.tolist() == [2.0, 4.0]


@each("sign", ["+", "-", "*", "/", "**", "%", "//", "@"])
def test_changing_the_array_of_a_leaf_in_place_says_what_to_write(sign):
    w = Tensor([1.0, 2.0], name="w")
    (w * w).sum().backward()
    with refused(ValueError, f"w.data {sign}= ...: ", "read-only", f"write w.data = w.data {sign} ...", f"with no_grad():`, w {sign}= ..."):
        exec(f"w.data {sign}= 0.1 * w.grad", {"w": w})
    for change in ("w.data[0] = 5", "w.data[:] = 0", "w.data[w.data > 1] -= 1", "w.data[0:1][0] = 5"):
        with refused(ValueError, "w.data[...] = ...: ", "read-only", "a = w.data.copy()", "w.data = a"):
            exec(change, {"w": w})
    assert w.tolist() == [1.0, 2.0]


def test_what_is_computed_from_the_array_of_a_tensor_is_a_plain_array_of_ones_own():
    w = Tensor([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
    a = w.data
    computed = [
        a + 1, 1 - a, -a, a @ a, np.exp(a), a > 1, a.sum(axis=0), a.mean(axis=0), a.std(axis=0), np.cumsum(a), np.where(a > 1, a, 0),
        np.concatenate([a, a]), np.linalg.inv(a), a.copy(), a.astype(float), np.array(a), copy.copy(a), copy.deepcopy(a),
        pickle.loads(pickle.dumps(a)), np.add(a, 1, out=np.ones((2, 2))), np.einsum("ij,jk", a, a), np.sort(a),
    ]  # fmt: skip
    for found in computed:
        found += found  # it may be changed
    assert {type(found) for found in computed} <= {np.ndarray, type(a)} and a.sum().dtype == np.float32 and type(a[0, 0]) is np.float32
    assert type(a.sum()) is np.float32 and type(a + 1) is np.ndarray and repr(a) == repr(np.asarray(a))
    velocity = np.zeros_like(a)  # an array of the user's own, with the type of a
    velocity *= 0.9
    velocity -= a
    velocity[0, 0] = 7.0
    assert velocity.tolist() == [[7.0, -2.0], [-3.0, -4.0]] and w.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert (Tensor(a) * a).dtype == (w * a).dtype == (a * w).dtype == np.float32


def test_entries_are_not_assigned_to():
    w = Tensor([1.0, 2.0], name="w")
    for index in (0, slice(None), w.data > 1):
        with refused(
            TypeError, "w[...] = ...: a tensor's entries cannot be assigned", "where(mask, new, t)", "index_put", "t.data = array"
        ):
            w[index] = 5


@each("sign", ["+", "-", "*", "/", "**", "@"])
def test_changing_a_leaf_in_place_is_refused_and_says_what_to_write(sign):
    w = Tensor([1.0, 2.0], name="w")
    with refused(TypeError, f"w {sign}= ...: w is a leaf", f"w.data = w.data {sign} ...", f"w = w {sign} ..."):
        exec(f"w {sign}= other", {"w": w, "other": np.ones(2)})
    assert w.tolist() == [1.0, 2.0]


def test_under_no_grad_a_leaf_takes_the_new_numbers_and_stays_the_variable_that_it_is():
    w = Tensor([1.0, 2.0])
    z, same = (w * w).sum(), w
    with no_grad():
        w -= 0.5
    assert w is same and w.tolist() == [0.5, 1.5]
    z.backward()
    assert w.grad.tolist() == [2.0, 4.0]  # what the function saw
    with no_grad(), refused(ValueError, "w.data must have the shape (2,) of w, got (3, 2)"):
        w += np.ones((3, 2))


def test_in_between_an_in_place_operator_makes_a_new_variable_and_changes_no_other():
    x = Tensor([1.0, 2.0])
    y = x * 2
    z, same = (y * y).sum(), y
    y += 1
    assert same.tolist() == [2.0, 4.0] and y.tolist() == [3.0, 5.0] and y is not same
    (z + y.sum()).backward()
    assert x.grad.tolist() == [10.0, 18.0]
    total = 0
    for _ in range(3):
        total += x.sum()
    assert total.data == 9.0
    mean = Tensor([1.0, 2.0], keep_grad=False)
    mean -= 1
    assert mean.tolist() == [0.0, 1.0]


def test_assigning_new_data_to_a_leaf_does_not_reach_what_was_computed_before():
    w = Tensor([1.0, 2.0])
    z = (w * w).sum()
    w.data = [100.0, 100.0]
    z.backward()
    assert w.grad.tolist() == [2.0, 4.0]
    given = np.array([5.0, 6.0])
    w.data = given
    given[:] = 0
    assert w.tolist() == [5.0, 6.0]
    with refused(ValueError, "w.data must have the shape (2,) of w, got (3,)"):
        w.data = [1.0, 2.0, 3.0]


def test_changing_the_array_that_a_tensor_was_made_from_changes_nothing():
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    x, c = Tensor(a), Tensor(b, keep_grad=False)
    z = (x * c * b).sum()
    a[:], b[:] = 100.0, 100.0
    z.backward()
    assert x.grad.tolist() == [9.0, 16.0]


CASES = every_case()


def scribble(thing):
    """Overwrite every array and list in `thing`, as a user might who uses a buffer again."""
    if isinstance(thing, np.ndarray):
        thing[...] = np.nan if thing.dtype.kind == "f" else 0
    elif isinstance(thing, (list, tuple)):
        for x in thing:
            scribble(x)
        if isinstance(thing, list):
            thing[:] = [0] * len(thing)
    elif isinstance(thing, dict):
        for x in thing.values():
            scribble(x)


@each("case", [c for c in CASES if any(isinstance(x, (np.ndarray, list, tuple)) for x in c.options.values())], ids=repr)
def test_changing_an_index_or_a_mask_between_forward_and_backward_changes_nothing(case):
    arrays = case.arrays()
    tensors, expected = case.gradients(arrays)
    mine = copy.deepcopy(case.options)
    y = case.function(*(again := [Tensor(a) for a in arrays]), **mine)
    seen = y.data.copy()
    loss = (y * case.weights(y.shape).astype(y.dtype)).sum()
    scribble(mine)
    assert np.array_equal(y.data, seen, equal_nan=True), f"{case.name}: its output is a view of an argument"
    if loss.node is not None:
        loss.backward()
    for t, g in zip(again, expected):
        np.testing.assert_allclose(t.grad, g, rtol=1e-14, err_msg=case.name)


@each("case", [c for c in CASES if len(c.shapes) > 1], ids=repr)
def test_changing_an_array_that_was_given_as_a_constant_changes_nothing(case):
    arrays = case.arrays()
    _, expected = case.gradients(arrays)
    for i in range(len(arrays)):
        mine = [a.copy() for a in arrays]
        mixed = [Tensor(a) if j == i else a for j, a in enumerate(mine)]
        loss = case.loss(mixed)
        scribble(mine)
        if loss.node is not None:
            loss.backward()
            np.testing.assert_allclose(mixed[i].grad, expected[i], rtol=1e-12, atol=1e-12, err_msg=case.name)


@each("case", CASES, ids=repr)
def test_no_output_can_be_written_to_and_none_is_a_view_of_a_given_array(case):
    arrays = case.arrays()
    y = case(*[Tensor(a, keep_grad=False) for a in arrays])
    assert not y.data.flags.writeable
    plain = case(*arrays)
    assert not isinstance(plain, Tensor) and np.array_equal(plain, y.data, equal_nan=True), f"{case.name}: arrays give another result"


# NumPy's functions


@each(
    ("name", "call"),
    [
        ("np.linalg.qr", lambda t: np.linalg.qr(t)),
        ("np.fft.fft", lambda t: np.fft.fft(t)),
        ("np.modf", lambda t: np.modf(t)),
        ("np.add.at", lambda t: np.add.at(t, [0], 1.0)),
        ("np.add.outer", lambda t: np.add.outer(t, t)),
        ("np.add.accumulate", lambda t: np.add.accumulate(t)),
        ("np.copyto", lambda t: np.copyto(np.zeros((2, 2)), t)),
        ("np.interp", lambda t: np.interp(t, [0, 1], [0, 1])),
        ("np.unique", lambda t: np.unique(t)),
    ],
)
def test_a_numpy_function_without_a_rule_is_refused_by_name(name, call):
    with refused(TypeError, f"{name} has no rule here; build it from functions that have one, give it a rule", "@function", ".data"):
        call(Tensor([[3.0, 7.0], [2.0, 5.0]]))


def test_a_tensor_is_no_place_to_write_into():
    t, a = Tensor([1.0, 2.0]), np.zeros(2)
    for name, call in {
        "np.add": lambda: np.add(a, 1, out=t), "np.multiply": lambda: np.multiply(t, 2, out=a),
        "np.sum": lambda: np.sum(t, out=np.zeros(())),
        "np.exp": lambda: np.exp(t, out=a),
    }.items():  # fmt: skip
        with refused(TypeError, f"{name}: out= cannot be a tensor, because other functions may have used it; take the result instead"):
            call()
    assert t.tolist() == [1.0, 2.0] and a.tolist() == [0.0, 0.0]


@each(
    ("name", "call"),
    [
        ("where", lambda t, m: np.exp(t, where=m)),
        ("dtype", lambda t, m: np.exp(t, dtype=np.float32)),
        ("casting", lambda t, m: np.add(t, t, casting="no")),
        ("where", lambda t, m: tg.exp(t, where=m)),
        ("where", lambda t, m: t.exp(where=m)),
        ("initial", lambda t, m: np.mean(t, initial=1.0)),
        ("dtype", lambda t, m: np.trace(t, dtype=np.float32)),
        ("dtype", lambda t, m: np.maximum.reduce(t, dtype=np.float32)),
        ("where", lambda t, m: np.matmul(t, t, dtype=np.float32)),
    ],
)
def test_settings_of_numpys_functions_that_we_do_not_have_are_never_ignored(name, call):
    t = Tensor([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(TypeError, match=rf"(unexpected keyword argument|unknown argument) '?{name}|dtype"):
        call(t, t.data > 1)


def test_functions_that_only_look_are_answered():
    t = Tensor([[1.0, 0.0, 2.0]])
    assert (np.shape(t), np.ndim(t), np.size(t)) == ((1, 3), 2, 3)
    assert np.array_equal(t, t) and np.allclose(t, [[1.0, 0.0, 2.0]]) and np.allclose(b=t, a=t.data)
    assert np.count_nonzero(t) == 2 and np.zeros_like(t).tolist() == [[0.0, 0.0, 0.0]]


def test_reducing_with_a_ufunc_is_the_reduction_of_that_name_along_the_first_axis():
    t = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert np.add.reduce(t).tolist() == [4.0, 6.0] and np.add.reduce(t, axis=None).data == 10.0


# The backward pass


def test_a_z_of_several_entries_needs_an_upstream_gradient():
    y = Tensor(np.ones((2, 3))) * 1
    with refused(
        ValueError, "backward(): without an upstream gradient z needs one entry, but it has shape (2, 3); write z.sum().backward()"
    ):
        y.backward()
    with refused(ValueError, "needs one entry, but it has shape (0,)"):
        (Tensor([]) * 1).backward()


@each("upstream", [np.ones(3), np.ones((3, 2)), 1.0, np.ones((1, 2, 3)), Tensor(np.ones(3))])
def test_an_upstream_gradient_of_another_shape_is_refused_and_not_broadcast(upstream):
    y = Tensor(np.ones((2, 3))) * 1
    with refused(
        ValueError, f"backward(): the upstream gradient has shape {np.shape(upstream)} and z has shape (2, 3); they must be the same"
    ):
        y.backward(upstream)


@each("upstream", [[1j, 1], "ab", [None, None], ["1", "2"], [[1], [1, 2]], [VALUE, VALUE], {}])
def test_an_upstream_gradient_is_an_array_of_real_numbers(upstream):
    x = Tensor([1.0, 2.0])
    with refused(TypeError, "backward(", "): the upstream gradient is not an array of real numbers; give one of the shape of z"):
        (x * 2).backward(upstream)
    assert x.grad is None


def test_backward_of_a_constant_says_that_no_gradient_leads_anywhere():
    x = Tensor([1.0, 2.0])
    with no_grad():
        y = (x * x).sum()
    for z in (y, Tensor(3.0, keep_grad=False), Tensor(3.0, keep_grad=False) * 2, x.sum().detach()):
        with refused(
            ValueError, ".backward(): ", " is a constant, which gets no gradient (it was made with keep_grad=False, from constants"
        ):
            z.backward()
        with refused(ValueError, " is a constant"):
            grad(z, x)


def test_a_parameter_that_the_loss_cannot_reach_is_named():
    x, w = Tensor([1.0, 2.0]), Tensor([3.0])
    loss = (x * x).sum()
    with refused(ValueError, "grad: z does not depend on w; leave it out, or ask for zeros with unused=0"):
        grad(loss, [x, w])
    cut = (Tensor((x * 2).data) * 3).sum()  # a new leaf where a variable was meant
    with refused(ValueError, "grad: z does not depend on x"):
        grad(cut, x)
    dx, dw = grad((x * x).sum(), [x, w], unused=0)
    assert dx.tolist() == [2.0, 4.0] and dw.tolist() == [0.0]
    (x * x).sum().backward()
    assert w.grad is None  # not zeros: nothing has reached it


def test_grad_of_what_is_no_tensor():
    x = Tensor([1.0])
    for call in (lambda: grad("z", x), lambda: grad((x * x).sum(), np.ones(1)), lambda: grad((x * x).sum(), [x, 3.0])):
        with refused(TypeError, " is not a tensor; make it one, Tensor(...), before you use it"):
            call()
    for z in (g := grad((x * x).sum(), x)), (g**2).sum(), 3.0:
        for unused in None, 0:
            with refused(TypeError, "is not a tensor; to differentiate a derivative, ask for it with create_graph=True"):
                grad(z, x, unused=unused)
    with refused(ValueError, "c.grad: c is a constant"):
        grad((x * x).sum(), Tensor([1.0], keep_grad=False, name="c"))


def test_a_released_graph_is_refused_by_backward_grad_and_zoom():
    x = Tensor([1.0, 2.0])
    y = x * x
    y.name = "y"
    z = y.sum()
    z.backward()
    for call in (z.backward, lambda: grad(z, x), y.sum().backward):
        with refused(RuntimeError, "was released by an earlier backward pass; compute it again, or call backward(retain_graph=True)"):
            call()
    with refused(RuntimeError, "y (made by mul) was released"):
        y.sum().backward()
    with refused(RuntimeError, "zoom: z (made by sum) was released"):
        zoom(z)


def test_what_may_be_assigned_to_a_gradient():
    w = Tensor([1.0, 2.0], name="w")
    w.grad = [3, 4]
    assert w.grad.tolist() == [3.0, 4.0] and w.grad.dtype == np.float64
    w.grad = None
    with refused(ValueError, "w.grad must have the shape (2,) of w, got (3,)"):
        w.grad = np.ones(3)
    with refused(TypeError, "array of real numbers"):
        w.grad = ["a", "b"]
    with refused(ValueError, "c.grad: c is a constant"):
        Tensor([1.0], keep_grad=False, name="c").grad = [1.0]


@each("function", [operator.mul, operator.add], ids=["saved", "not saved"])
def test_a_graph_whose_arrays_no_longer_fit_together_is_not_shown(function):
    w, x = Tensor([[3.0, 1.0]], name="w"), Tensor([[2.0, 5.0]], name="x")
    y = function(w, x)
    z = y.sum()
    Trace(z)
    w.data = [[100.0, 1.0]]
    with refused(ChangedError, f"y is not what {function.__name__} makes of w, x now", "make z again"):
        Trace(z)


# Numbers that are not finite


def test_what_is_not_finite_flows_through_silently():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = Tensor([0.0, -1.0, np.inf, np.nan, 1e200])
        y = tg.log(x) / x * x * x
        y.backward(np.ones(5))
        (tg.exp(x) - x / 0.0).sum().backward()
        assert Tensor([]).sum().data == 0.0
    assert np.isnan(x.grad[3])


# Copies


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_and_pickles_do_not_depend_on_depth_and_live_their_own_lives(copied):
    x = Tensor([1.0, 2.0], name="x", dtype=np.float32)
    (x * 3).sum().backward()
    other = copied(x)
    assert (other.name, other.tolist(), other.dtype, other.grad.tolist()) == ("x", [1.0, 2.0], np.float32, [3.0, 3.0])
    assert other.node is not x.node and not np.shares_memory(other.grad, x.grad)
    constant = copied(Tensor([1.0], keep_grad=False, name="c"))
    assert constant.node is None and constant.name == "c"
    y = x
    for _ in range(5_000):
        y = y + 1
    z = copied(y)
    assert z.tolist() == y.tolist() and z.node is not y.node


# Names that are not there


def test_a_misspelt_attribute_is_an_error():
    t = Tensor([1.0])
    with pytest.raises(AttributeError, match="gard"):
        t.gard = None
    with pytest.raises(AttributeError, match="shape"):
        t.shape = (1, 1)


@each("name", ["check", "grad", "value_and_grad", "jacobian", "hessian", "vjp", "jvp", "hvp"])
def test_what_is_for_numbers_sends_tensors_to_what_is_for_tensors(name):
    w = Tensor([1.0, 2.0])
    loss = (w * w).sum()
    f = lambda x: x * x
    given = {"check": (loss,), "grad": (loss, w), "vjp": (f, [w], [1.0]), "jvp": (f, [w], [1.0]), "hvp": (f, [w], [1.0])}
    with refused(TypeError, f"{name}: ", " is a Tensor, ", f"use tensorgrad.{name}"):
        getattr(sg, name)(*given.get(name, (f, w)))


def test_messages_write_a_large_tensor_without_a_name_on_one_line():
    x = np.arange(60.0).reshape(20, 3)
    for wrong in (lambda: tg.cross_entropy(x, Tensor(x[:, 0]) + 1), lambda: np.asarray(Tensor(x) + 1), lambda: float(Tensor(x) + 1)):
        with pytest.raises(TypeError, match=r"^[^\n]*Tensor\(\[[^\n]{20,40}\.\.\.[^\n]*$"):
            wrong()


def test_one_shape_is_told_as_one():
    with refused(IndexError, "getitem: index 7 is out of bounds for axis 0 with size 3 (shape (3, 2))"):
        Tensor(np.ones((3, 2)))[7]


@each("keep_grad", [True, False])
@each("where", [lambda i: i, lambda i: (slice(None), i)])
def test_an_index_that_is_a_tensor_is_told_what_an_index_is(keep_grad, where):
    places = Tensor([0, 1], keep_grad=keep_grad)
    with refused(TypeError, "getitem: the index places is a Tensor, which holds no integers; give a plain array, np.array([...])"):
        Tensor(np.ones((3, 2)))[where(places)]


@each("keep_grad", [True, False])
def test_a_table_in_the_place_of_the_index_is_told_the_order(keep_grad):
    table = Tensor(np.ones((3, 2)), keep_grad=keep_grad)
    message = "embedding: the index table is a Tensor, which holds no integers; give a plain array, np.array([...])"
    with refused(TypeError, message, "; signature: embedding(index, table)"):
        tg.embedding(table, [0, 1])
    with refused(TypeError, "index_select: the index table is a Tensor"):
        tg.index_select(np.ones((3, 2)), 0, table)


def test_a_tensor_without_a_name_is_not_written_out_for_each_advice():
    w = Tensor(np.ones((3, 2)))
    with refused(TypeError, " is a Tensor already; use it, .data for its array, or .detach() for a constant"):
        w.data = w - 1
    with refused(TypeError, "write .data for its array"):
        np.asarray(w - 1)


def test_names_are_those_of_the_program_and_not_of_numpys_own_lines():
    losses = [Tensor(1.0) * 2, Tensor(2.0) * 2]
    with refused(TypeError, "cannot convert losses[0] to a plain array: ", "write losses[0].data"):
        np.mean(losses)  # NumPy calls it a


# PyTorch's words


@each(
    ("call", "parts"),
    [
        (
            lambda w: Tensor([1.0], requires_grad=True),
            ["Tensor: unknown argument requires_grad= (a Tensor is a variable unless keep_grad=False)"],
        ),
        (
            lambda w: w.sum(dim=0),
            ["sum: unknown argument dim= (here: axis, as in NumPy); signature: sum(x, axis=None, keepdims=False, where=True"],
        ),
        (lambda w: tg.softmax(w, dim=0), ["softmax: unknown argument dim= (here: axis, as in NumPy); signature: softmax(x, axis=-1)"]),
        (lambda w: w.mean(axis=0, keepdim=True), ["mean: unknown argument keepdim= (here: keepdims, as in NumPy)"]),
        (lambda w: w.squeeze(dim=0), ["squeeze: unknown argument dim= (here: axis, as in NumPy); signature: squeeze(x, axis=None)"]),
        (lambda w: tg.relu(w, inplace=True), ["relu: unknown argument inplace= (no function works in place; take the result)"]),
    ],
)
def test_pytorchs_keywords_are_told_what_they_are_called_here(call, parts):
    with refused(TypeError, *parts):
        call(Tensor(np.ones((3, 2))))


@each(
    ("name", "advice"),
    [("numpy", "its array is .data"), ("requires_grad", "keep_grad=False"), ("register_hook", ".hooks"), ("add_", "take the result")],
)
def test_pytorchs_attributes_are_told_what_to_write(name, advice):
    with refused(AttributeError, f"Tensor has no {name}: ", advice):
        getattr(Tensor(1.0), name)
    with pytest.raises(AttributeError, match="has no attribute 'foo'"):
        getattr(Tensor(1.0), "foo")  # noqa: B009
    assert not hasattr(Tensor(1.0), "__array_interface__")


@sg.function
def numbers_only(x):
    return x * x


def test_a_rule_that_is_written_wrongly_is_told_how():
    w = Tensor([1.0, 2.0])
    with refused(TypeError, "rule: a vjp asks for w; its parameters after", "x, y, or the shape of one, such as x_shape"):
        tg.rule(lambda G, w: G * w)(lambda x: x * x)
    with refused(TypeError, "rule: write @rule(vjp, ...)"):
        tg.rule(lambda x: 2 * x)(w)
    twice = tg.rule(lambda G: None)(lambda x: 2 * x)
    with refused(TypeError, "its vjp for input 1 returned None; is `return` missing?"):
        twice(w).sum().backward()
    with refused(
        TypeError, "numbers_only: this function was made with scalargrad's @function, for numbers; for tensors use tensorgrad.function"
    ):
        numbers_only(w)


@each("keep_grad", [True, False])
def test_a_power_written_as_a_tick_is_told_how_to_write_it(keep_grad):
    w = Tensor([1.0, 2.0], keep_grad=keep_grad, name="w")
    for call in (lambda: w ^ 2, lambda: 2 ^ w):
        with refused(TypeError, "^ of w and 2: Python writes powers with **, as in w ** 2"):
            call()

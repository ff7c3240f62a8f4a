"""Public functions on plain arrays: integers and truth values count as float64, as in a Tensor, and arguments are not written to."""

import inspect

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Value
from tensorgrad import Tensor
from tensorgrad.families import PUBLIC
from tensorgrad.rule import TABLE, Rule
from tests.each import each, swept
from tests.tensorgrad.cases import every_case

FUNCTIONS = {id(f): f for f in [*PUBLIC.values(), *TABLE]}
CASES = [case for case in every_case() if id(case.function) in FUNCTIONS]
KINDS = ["i1", "u1", "?", "f2", ">f4"]
CHECKED = ["binary_cross_entropy", "binary_entropies"]  # their input is between 0 and 1


def arrays_of(case, kind):
    """Return the arrays of a case, scaled up so that arithmetic in small integers would overflow."""
    finite = [np.nan_to_num(a, posinf=3, neginf=-3) for a in case.arrays()]
    wide = [a if case.name in CHECKED else a * 40 for a in finite]
    return [np.abs(a).astype(kind) if kind == "u1" else a.astype(kind) for a in wide]


def answer(case, arrays):
    """Return the result of a call, or the type of its error: a matrix of small integers may be singular."""
    try:
        found = case(*arrays)
    except ValueError as wrong:
        return type(wrong)
    return [getattr(y, "data", y) if type(y) is Tensor else y for y in (found if isinstance(found, tuple | list) else [found])]


@swept("name", sorted({case.name for case in CASES}), every=9)
def test_arrays_of_any_dtype_give_what_a_tensor_of_them_gives(name):
    for case in CASES:
        for kind in KINDS if case.name == name else ():
            arrays = arrays_of(case, kind)
            agree(case, arrays, [Tensor(a) for a in arrays], 1e-5 if kind == ">f4" else 1e-9)
            if len(arrays) > 1 and kind != "f2":
                mixed = [arrays[0].astype("f4"), *arrays[1:]]
                agree(case, mixed, [Tensor(a, dtype=np.float32) for a in mixed], 1e-5)


def agree(case, arrays, tensors, tolerance):
    found, expected = answer(case, arrays), answer(case, tensors)
    if isinstance(expected, type):
        assert found is expected
    else:
        for y, e in zip(found, expected, strict=True):
            assert np.shape(y) == np.shape(e) and np.asarray(y).dtype == np.asarray(e).dtype, case
            np.testing.assert_allclose(y, e, rtol=tolerance, atol=1e-9, err_msg=f"{case} {arrays[-1].dtype}")


@each("kind", KINDS)
def test_positions_are_integers_and_comparisons_truth_values(kind):
    x = np.array([[2, 0, 1], [0, 3, 3]]).astype(kind)
    for y in (tg.argmax(x), tg.argmin(x, 0), tg.argsort(x), tg.topk(x, 2)[1], tg.one_hot(x.astype(int))):
        assert np.asarray(y).dtype.kind == "i"
    for y in (tg.all(x), tg.any(x, 1), x > 1, tg.greater(x, 1), tg.isnan(x), tg.logical_not(x), tg.equal(x, x)):
        assert np.asarray(y).dtype == bool


def test_integers_too_large_for_a_float_are_compared_exactly():
    big = np.array([2**53, 2**53 + 1])
    assert tg.equal(big, 2**53).tolist() == [True, False] and tg.argmax(big) == 1 and tg.argsort(-big).tolist() == [1, 0]


def test_numbers_alone_are_floats():
    assert tg.pow(2, -1) == 0.5 and tg.logsumexp([1, 2, 3]) == pytest.approx(3.407605964444380)
    assert tg.add(True, 1) == 2.0 and tg.std([100, 100, -128]) == pytest.approx(np.std([100.0, 100.0, -128.0]))
    assert tg.add(np.float32(1), 2).dtype == tg.exp(np.float32(1)).dtype == np.float32 and tg.sum(np.float16(1)).dtype == np.float64


def test_a_number_takes_the_dtype_of_the_other_arrays():
    x = Tensor([0.5, 0.25], dtype=np.float32)
    assert tg.kl_div(x, 0.5).dtype == tg.gaussian_nll_loss(x, x, 2).dtype == tg.lerp(x, 1, 0.5).dtype == np.float32


# Arguments stay unchanged


@swept("name", PUBLIC, every=7)
def test_a_surplus_argument_is_not_written_to(name):
    function = PUBLIC[name]
    signature = function.signature if isinstance(function, Rule) else inspect.signature(function)
    if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        return
    for x in (np.ones(3), Tensor(np.ones(3))):
        stray = Tensor(np.full(3, 7.0))
        for count in range(len(signature.parameters) + 2):
            for last in (stray.data, stray, np.full(3, 7.0)):
                try:
                    function(*[x] * count, last)
                except (TypeError, ValueError, IndexError):
                    pass
                else:
                    assert count < len(signature.parameters)
                assert (getattr(last, "data", last) == 7.0).all() if type(last) is Tensor else (last == 7.0).all()


IDLE = {  # calls that change nothing
    "pad": lambda x: tg.pad(x, 0),
    "pad by reflection": lambda x: tg.pad(x, 0, mode="reflect"),
    "dropout in evaluation": lambda x: tg.dropout(x, training=False),
    "dropout of nothing": lambda x: tg.dropout(x, 0.0),
    "interpolate": lambda x: tg.interpolate(x, 3),
    "adaptive_avg_pool1d": lambda x: tg.adaptive_avg_pool1d(x, 3),
    "prelu": lambda x: tg.prelu(x, 1),
    "hstack": lambda x: tg.hstack([x]),
    "squeeze": lambda x: tg.squeeze(x, ()),
    "np.positive": np.positive,
    "astype": lambda x: tg.astype(x, np.float64),
}


@each("call", IDLE.values(), ids=IDLE)
def test_a_function_that_changes_nothing_still_gives_a_new_variable(call):
    x = Tensor(np.arange(6.0).reshape(1, 2, 3))
    y = call(x)
    y.hooks.append(lambda G: 10 * G)
    y.backward(np.ones(y.shape))
    assert y is not x and x.hooks == []
    assert (x.grad == 10).all()
    a = x.data.copy()
    assert call(a) is not a


def test_a_plus_sign_is_not_a_function():
    t, x = Tensor([1.0]), Value(1.0)
    assert +t is t and +x is x


@each("name", sorted({case.name for case in CASES}))
def test_no_result_is_an_argument(name):
    for case in CASES:
        if case.name == name:
            for given in (case.arrays(), [Tensor(a) for a in case.arrays()]):
                found = case(*given)
                for y in found if isinstance(found, tuple | list) else [found]:
                    assert all(y is not x for x in given), case

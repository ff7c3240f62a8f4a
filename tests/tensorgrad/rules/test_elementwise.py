"""Functions of single entries: lifted against by hand, values, kinks, dtypes, options, comparisons, the error function."""

import itertools
import math
import operator

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Value, rules
from tensorgrad import Tensor, grad
from tensorgrad.arrays.errstate import quietly
from tensorgrad.kernels.erf import erf
from tensorgrad.rules import elementwise as e
from tensorgrad.rules.elementwise_rule import LIFTED, Elementwise
from tests.each import each, swept
from tests.tensorgrad.cases.elementwise import CASES

inf, nan = math.inf, math.nan
BY_HAND = [rule for rule in LIFTED.values() if getattr(rule, "by_hand", None)]
POINTS = np.array([-7.3, -2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 2.0, 7.3])


def slopes(f, *arrays):
    """The gradients of the sum of f's entries."""
    tensors = [Tensor(a) for a in arrays]
    f(*tensors).sum().backward()
    return [t.grad for t in tensors]


# vjps that are written out


@each("rule", BY_HAND, ids=lambda rule: rule.name)
@each("kind", [np.float64, np.float32])
def test_a_vjp_by_hand_is_the_one_that_follows_from_the_row(rule, kind):
    rows = [POINTS.astype(kind)] + [np.resize(p, POINTS.shape).astype(kind) for p in ([1.0, 0.0, -1.0], [0.5, 1.0])]
    args = rows[: rule.arity] if rule is not e.where else [rows[0] > 0, *rows[:2]]
    if rule is e.pow:
        args[0] = np.abs(args[0])
    with np.errstate(all="ignore"):
        y = rule.forward(*args)
        G = np.linspace(-1, 2, len(POINTS)).astype(kind)
        for slot, name in enumerate(rule.input_names):
            vjps = [vjp.function(G, *vjp.gathered((*args, y, None))) for vjp in (rule.vjps[slot], rule.lifted[slot])]
            np.testing.assert_allclose(*vjps, rtol=1e-12 if kind is np.float64 else 3e-6, err_msg=f"{rule.name}: {name}")
            if slot in rule.by_hand:
                assert vjps[0].dtype == kind, f"{rule.name}: the vjp of {name} makes {vjps[0].dtype} of {np.dtype(kind)}"


def test_there_are_vjps_by_hand():
    assert len(BY_HAND) > 8


@each("case", [c for c in CASES if isinstance(c.function, Elementwise) and c.function is not e.where], ids=repr)
def test_no_contribution_of_float32_is_float64(case):
    arrays = [a.astype(np.float32) for a in case.arrays()]
    y = case.function(*[Tensor(a) for a in arrays])
    with np.errstate(all="ignore"):
        for contribution in y.node.rule.contributions(y.node, np.ones(y.shape, np.float32)):
            assert contribution.dtype == np.float32


BESIDE_NUMBERS = [
    *(lambda x: x**3, lambda x: x**0.5, lambda x: 2**x, lambda x: x * 2.5, lambda x: 2.5 / x, lambda x: x % 2.5, lambda x: x**-2),
    *(lambda x: e.fmax(x, 1.0), lambda x: e.fmin(1.0, x), lambda x: e.hypot(x, 2.5), lambda x: e.copysign(x, -1.0), e.sinc, e.cbrt),
    *(lambda x: e.maximum(x, 1.0), lambda x: e.minimum(1.0, x), lambda x: tg.clamp(x, -0.5, 0.5), lambda x: e.leaky_relu(x, 0.1)),
    *(
        lambda x: e.elu(x, 0.1),
        lambda x: e.where(x > 1, x, 0.5),
        lambda x: e.logaddexp(x, 0.5),
        lambda x: e.xlogy(x, 2.5),
        lambda x: e.xlogy(2.5, x),
    ),
]


@each("f", BESIDE_NUMBERS)
@each("points", [np.array([1.0, 2.0, 0.25], np.float32), np.float32(2.0)], ids=["some", "one"])
def test_no_contribution_of_float32_beside_numbers_is_float64(f, points):
    y = f(Tensor(points))
    assert y.dtype == np.float32
    for contribution in y.node.rule.contributions(y.node, np.ones(y.shape, np.float32)):
        assert contribution.dtype == np.float32


@each("name", [n for n in [*e.__all__, "clip"] if hasattr(np, n)])
def test_numpys_own_function_reaches_ours(name):
    x = np.array([0.25, 0.5])
    assert e.__all__.count(name) == (name != "clip")
    args = {"where": [np.array([True, False]), x, x], "clip": [x, 0.3, 0.4]}.get(name) or [x, x + 1][: e.RULES[name].arity]
    theirs = getattr(np, name)
    with np.errstate(all="ignore"):
        expected = theirs(*args)
    found = theirs(*[Tensor(a) if a is x else a for a in args])
    assert isinstance(found, Tensor) and found.node is not None
    np.testing.assert_allclose(found.data, expected, rtol=1e-14)


# Values and kinks


KINKS = [
    (tg.relu, [0.0, -0.0], [0, 0]),
    (tg.abs, [0.0, -0.0], [0, 0]),
    (tg.sign, [0.0, 2.0], [0, 0]),
    (tg.sqrt, [0.0], [inf]),
    (lambda x: tg.sqrt(x, total=True), [0.0, -1.0], [0, 0]),
    (lambda x: tg.clamp(x, -1, 1), [-1.0, 1.0, 0.5, 2.0], [1, 1, 1, 0]),
    (lambda x: tg.clamp(x, -1, 1, total=True), [-1.0, 1.0, 0.5, 2.0], [0, 0, 1, 0]),
    (lambda x: tg.clamp(x, min=1), [1.0, 0.0, 2.0], [1, 0, 1]),
    (lambda x: tg.clamp(x, max=1), [1.0, 0.0, 2.0], [1, 1, 0]),
    (lambda x: tg.clamp(x, min=1, total=True), [1.0, 0.0, 2.0], [0, 0, 1]),
    (lambda x: tg.maximum(x, 1.0), [1.0, 0.0, 2.0], [0.5, 0, 1]),
    (lambda x: tg.minimum(1.0, x), [1.0, 0.0, 2.0], [0.5, 1, 0]),
    (lambda x: tg.maximum(x, x), [1.0, 2.0], [1, 1]),
    (lambda x: x**0, [0.0, 3.0], [0, 0]),
    (lambda x: x**1, [0.0, 3.0], [1, 1]),
    (lambda x: x**2, [0.0, -3.0], [0, -6]),
    (lambda x: x**0.5, [0.0], [inf]),
    (lambda x: 0.0**x, [0.0, 1.0], [0, 0]),
    (lambda x: tg.floor(x), [2.0, 2.5], [0, 0]),
    (lambda x: tg.round(x), [2.5], [0]),
    (lambda x: x % 2, [4.0, 5.0], [1, 1]),
    (lambda x: 5 % x, [2.0, -2.0], [-2, 3]),
    (lambda x: tg.fmod(5, x), [2.0, -2.0], [-2, 2]),
    (lambda x: x // 2, [4.0, 5.0], [0, 0]),
    (lambda x: tg.leaky_relu(x, 0.25), [0.0], [0.25]),
    (lambda x: tg.elu(x, 0.25), [0.0], [0.25]),
    (lambda x: tg.xlogy(0.0, x), [0.0, -1.0, 2.0], [0, 0, 0]),
    (lambda x: tg.xlogy(x, 0.0), [0.0], [0]),
    (lambda x: tg.nan_to_num(x), [nan, inf, 1.0], [0, 0, 1]),
    (lambda x: tg.fmax(x, 1.0), [1.0, 0.0, nan, 2.0], [0.5, 0, 0, 1]),
    (lambda x: tg.fmin(nan, x), [1.0, nan], [1, 0]),
    (lambda x: tg.hypot(x, 0.0), [0.0, -2.0], [0, -1]),
    (lambda x: tg.copysign(x, -0.0), [0.0, 2.0, -2.0], [0, -1, 1]),
    (lambda x: tg.cbrt(x), [0.0], [inf]),
]


@each(("f", "points", "expected"), KINKS)
def test_derivatives_that_are_a_choice(f, points, expected):
    np.testing.assert_array_equal(slopes(f, np.array(points))[0], expected)


def test_a_choice_lets_no_infinite_gradient_through_where_it_did_not_choose():
    x = np.array([0.0, 4.0])
    np.testing.assert_array_equal(slopes(lambda t: tg.sqrt(tg.where(np.array([False, True]), t, 0.0)), x)[0], [0, 0.25])
    np.testing.assert_array_equal(slopes(lambda t: tg.sqrt(tg.where(np.array([True, False]), 0.0, t)), x)[0], [0, 0.25])
    np.testing.assert_array_equal(slopes(lambda t: tg.sqrt(tg.masked_fill(t, [True, False], 0)), x)[0], [0, 0.25])


@each("exponent", [*range(-17, 18), 0.5, 1.5, -0.5, 3.0])
@each("kind", [np.float64, np.float32])
def test_powers_are_numpys(exponent, kind):
    x = np.array([-2.5, -1.0, -0.0, 0.0, 0.3, 1.0, 7.0, inf, -inf, nan], dtype=kind)
    with np.errstate(all="ignore"):
        expected, y = x**exponent, e.pow(x, exponent)
    assert y.dtype == kind and y is not x
    np.testing.assert_allclose(y, expected, rtol=2e-14 if kind is np.float64 else 2e-6)
    tensor = Tensor(x) ** exponent
    np.testing.assert_array_equal(tensor.data, y)


def test_powers_of_broken_exponents_of_negative_numbers_are_nan():
    assert np.isnan((Tensor([-8.0]) ** (1 / 3)).data).all() and (Tensor([0.0]) ** 0).item() == 1


def test_second_derivatives_of_powers():
    x = Tensor([2.0, -3.0])
    (g,) = [grad((x**4).sum(), x, create_graph=True)]
    np.testing.assert_allclose(grad(g.sum(), x), 12 * x.data**2)


def test_scalargrads_functions_take_tensors():
    import scalargrad as sg

    x = Tensor([0.5, -1.5])
    for row, rule in LIFTED.items():
        if getattr(rule, "arity", 0) == 1 and getattr(sg, row.name, None) is row:
            np.testing.assert_array_equal(row(x).data, rule(x).data)
            np.testing.assert_allclose(row(x).data, [v.data for v in map(row, map(Value, (0.5, -1.5)))], rtol=1e-14, atol=1e-16)


# Options and errors


def test_clamp_and_clip_say_what_is_missing_and_take_numpys_names():
    x = Tensor([-2.0, 0.0, 3.0])
    with pytest.raises(ValueError, match="^clamp: neither min nor max is given"):
        tg.clamp(x)
    for y in (np.clip(x, -1, 1), np.clip(x, a_min=-1, a_max=1), np.clip(x, min=-1, max=1), x.clip(-1, 1), x.clamp(-1, 1)):
        np.testing.assert_array_equal(y.data, [-1, 0, 1])
    np.testing.assert_array_equal(np.clip(x, None, 1).data, [-2, 0, 1])


def test_masks_are_of_truth_values():
    with pytest.raises(TypeError, match="^masked_fill: mask has dtype int64; give truth values"):
        tg.masked_fill(Tensor([1.0, 2.0]), np.array([0, 1]), 0)


def test_a_shape_that_does_not_fit_is_named_with_the_function():
    for f in (tg.maximum, tg.atan2, tg.greater, operator.gt, operator.eq, operator.mod):
        with pytest.raises(ValueError, match=r": shapes \(2, 3\) and \(4,\) do not broadcast: the last axes are 3 and 4"):
            f(Tensor(np.ones((2, 3))), Tensor(np.ones(4)))


def test_pythons_own_functions():
    x = Tensor([-1.25, 2.75])
    np.testing.assert_array_equal(abs(x).data, [1.25, 2.75])
    np.testing.assert_array_equal(round(x, 1).data, [-1.2, 2.8])
    np.testing.assert_array_equal((x % 1).data, [0.75, 0.75])
    np.testing.assert_array_equal((x // 1).data, [-2, 2])
    np.testing.assert_array_equal((5 // x).data, [-4, 1])


# Comparisons


SIGNS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@each("sign", SIGNS, ids=lambda f: f.__name__)
def test_comparisons_are_plain_truth_values(sign):
    a, b = np.array([[1.0, 2.0, nan]]), np.array([[2.0], [2.0]])
    expected = sign(a, b)
    for found in (sign(Tensor(a), Tensor(b)), sign(Tensor(a), b), sign(a, Tensor(b)), sign(Tensor(a), b.tolist())):
        assert type(found) is np.ndarray and found.dtype == bool
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(sign(Tensor(a), 2), sign(a, 2))
    np.testing.assert_array_equal(sign(2, Tensor(a)), sign(2, a))


def test_a_tensor_is_not_none_and_not_text_and_still_a_key():
    t = Tensor([1.0, 2.0])
    assert (t == None) is False and (t != None) is True and (t == "t") is False  # noqa: E711
    assert {t: 1}[t] == 1 and t in {t} and {t.node: 2}[t] == 2
    with pytest.raises(TypeError):
        t < None  # noqa: B015


def test_logic_looks_at_the_arrays():
    t = Tensor([0.0, nan, inf, -1.0])
    np.testing.assert_array_equal(np.isnan(t), [False, True, False, False])
    np.testing.assert_array_equal(np.isfinite(t), [True, False, False, True])
    np.testing.assert_array_equal(tg.isinf(t), [False, False, True, False])
    np.testing.assert_array_equal(np.logical_and(t > -2, t < 1), [True, False, False, True])
    np.testing.assert_array_equal(tg.logical_not(t), [True, False, False, False])
    np.testing.assert_array_equal(t.signbit(), [False, False, False, True])


# The error function


@each(("kind", "tolerance"), [(np.float64, 1e-15), (np.float32, 4e-7)])
def test_erf_is_the_error_function(kind, tolerance):
    dice = np.random.default_rng(0)
    x = np.concatenate(
        [np.linspace(-7, 7, 20001), dice.standard_normal(20000), 10.0 ** np.linspace(-30, 1, 500), [0.5, -0.5, 4.0, 6.0]]
    ).astype(kind)
    y = erf(x)
    expected = np.array([math.erf(v) for v in x.tolist()])
    assert y.dtype == kind and np.abs(y).max() <= 1
    np.testing.assert_allclose(y, expected, rtol=tolerance, atol=0)


def test_erf_of_special_numbers_and_shapes():
    np.testing.assert_array_equal(erf(np.array([nan, inf, -inf, 0.0])), [nan, 1, -1, 0])
    assert np.signbit(erf(np.array([-0.0])))[0]
    assert erf(np.zeros((0, 3))).shape == (0, 3) and erf(np.array(1.0)).shape == () and erf(np.array([1, 2])).dtype == np.float64
    a = np.random.default_rng(0).standard_normal((40, 60, 9))
    for view in (a[::-2, ::3].transpose(2, 0, 1), np.asfortranarray(a), a[:, ::-1], a.T[..., ::-2]):
        np.testing.assert_allclose(erf(view), np.vectorize(math.erf)(view), rtol=1e-15)


def test_blends_take_lists_as_arrays():
    assert tg.scale([1.0, 2.0], 2).tolist() == [2.0, 4.0]  # not the list twice
    assert tg.lerp([0.0, 4.0], [4.0, 8.0], 0.5).tolist() == [2.0, 6.0]
    assert tg.addcmul([1.0], [2.0], [3.0]).tolist() == [7.0] and tg.addcdiv([1.0], [6.0], [3.0], value=2).tolist() == [5.0]
    assert tg.safe_log([0.0], eps=1.0).tolist() == [0.0]


def test_lerp_gives_b_at_weight_1_however_far_a_is():
    for weight in (1.0, np.array([1.0, 1.0]), Tensor([1.0, 1.0])):
        a, b = Tensor([1e17, -inf]), Tensor([1.0, 3.0])
        y = tg.lerp(a, b, weight)
        assert y[0].item() == 1.0  # a + (b - a) is 0
        y[0].backward()
        assert a.grad[0] == 0 and b.grad[0] == 1
    a, b, w = Tensor([inf, 2.0, 2.0]), Tensor([1.0, inf, 6.0]), Tensor([2.0, 0.25, 0.25])
    assert tg.lerp(a, b, w).tolist() == [-inf, inf, 3.0]  # PyTorch's
    tg.lerp(a, b, w).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([-1, 0.75, 0.75], [2, 0.25, 0.25]) and w.grad[2] == 4


@each("blend", [tg.lerp, tg.addcmul, tg.addcdiv, tg.cosine_similarity])
def test_shapes_that_clash_are_refused_by_the_name_that_was_called(blend):
    arrays = [Tensor(np.ones((2, n))) for n in (3, 1, 4)][:: 2 if blend is tg.cosine_similarity else 1]
    with pytest.raises(ValueError, match=rf"{blend.__name__}: shapes \(2, 3\) and \(2, 4\) do not broadcast: the last axes are 3 and 4"):
        blend(*arrays)


SPECIAL = [0.0, -0.0, 1.0, -2.5, 0.5, 3.0, 1e-300, 1e4, -1e4, 1e308, -1e308, inf, -inf]


@swept("times", [1, 10_000], every=2)
@each("row", [row for row in LIFTED if len(row.partials) in (1, 2)], ids=lambda row: row.name)
def test_value_and_partials_at_special_numbers_are_those_of_the_scalar_row(row, times):
    every = list(itertools.product(SPECIAL, repeat=len(row.partials)))
    if times > 1 and len(row.partials) > 1 and row.name != "logaddexp":
        return  # the other kernels for large arrays take one input
    tensors = [Tensor(np.repeat(column, times)) for column in zip(*every)]
    y = LIFTED[row](*tensors)
    y.backward(np.ones(y.shape))
    for i, args in enumerate(every):
        one = row(*map(Value, args))
        assert_same(y.data[i * times], one.data, f"{row.name}{args}")
        for t, partial in zip(tensors, one.partials):
            assert_same(t.grad[i * times], partial, f"{row.name}{args}: its partial")


@each("kind", [np.float32, np.float64])
def test_logaddexp_of_large_arrays_is_that_of_small_ones(kind):
    a, b = np.random.default_rng(0).standard_normal((2, 2, 30_000)).astype(kind) * 5
    a[0, 7], b[1, 5], a[1, 9] = nan, nan, inf  # in the first block, and none in the last
    some = (slice(None), np.r_[:20, 0:30_000:500])
    wide = np.zeros((60_000, 2), kind)
    wide[::2] = b.T
    expected = slopes(tg.logaddexp, a[some], b[some])
    for given in (b, wide[::2].T, np.asfortranarray(b)):
        np.testing.assert_allclose(tg.logaddexp(a, given)[some], quietly(np.logaddexp, a, b)[some], rtol=4 * np.finfo(kind).eps)
        for found, right in zip(slopes(tg.logaddexp, a, given), expected, strict=True):
            assert found.dtype == kind
            np.testing.assert_allclose(found[some], right, rtol=8 * np.finfo(kind).eps)
    assert tg.logaddexp(np.zeros((0, 3)), np.zeros((0, 3))).shape == (0, 3)


def random_pairs(kind):
    """Return pairs of numbers of all sizes, special ones among them, one block after the other; the last block has none."""
    dice = np.random.default_rng(0)
    a, b = (dice.standard_normal((2, 40_000)) * 2.0 ** dice.integers(-8, 9, (2, 40_000))).astype(kind)
    a[:100], b[:100] = a[:100].round(), b[:100].round()  # also 0, and whole quotients
    a[100:269], b[100:269] = np.array(list(itertools.product(SPECIAL, repeat=2)), kind).T
    a[300:310] = b[300:310] * dice.integers(-1000, 1000, 10).astype(kind)
    a[310:320] *= 2.0**60 if kind == "f4" else 2.0**400
    return a, b


@each("function", [tg.fmod, tg.remainder, tg.hypot, tg.logaddexp2], ids=repr)
@each("kind", ["f4", "f8"])
def test_functions_of_two_large_arrays_are_those_of_small_ones(function, kind):
    with np.errstate(all="ignore"):
        a, b = random_pairs(kind)
    exact = {} if function in (tg.fmod, tg.remainder) else dict.fromkeys(["rtol", "atol"], 8 * np.finfo(kind).eps)
    parts = [(p, q, function(p, q), *slopes(function, p, q)) for p, q in zip(a.reshape(-1, 8000), b.reshape(-1, 8000))]
    y, da, db = [np.concatenate(column) for column in list(zip(*parts))[2:]]
    for given in (a, np.stack([a, a])[:, ::-1][0, ::-1], a.reshape(4, -1).T.copy().T.reshape(-1)):
        found = function(given, b)
        assert found.dtype == kind
        (np.testing.assert_allclose if exact else np.testing.assert_array_equal)(found, y, **exact)
        assert exact or (np.signbit(found) == np.signbit(y))[~np.isnan(y)].all()
        for got, expected in zip(slopes(function, given, b), (da, db), strict=True):
            assert got.dtype == kind
            np.testing.assert_allclose(got, expected, rtol=1e-6 if kind == "f4" else 1e-13)


def assert_same(got, expected, what):
    np.testing.assert_allclose(got, float(expected), rtol=1e-13, atol=1e-300, err_msg=what)


@each("rule", [tg.remainder, tg.fmod], ids=repr)
@each("kind", ["f4", "f8"])
def test_the_partial_of_a_remainder_has_the_quotient_of_its_value(rule, kind):
    dice = np.random.default_rng(0)
    quotients = dice.integers(1, 100, 500)
    b = Tensor(dice.choice([0.1, 0.3, 0.7, 1e-3, -0.1], 500).astype(kind))
    a = Tensor(quotients * b.data)  # next to the jumps, on either side
    y = rule(a, b)
    y.sum().backward()
    assert (b.grad == np.round(b.grad)).all()
    np.testing.assert_allclose(a.data + b.grad * b.data, y.data, rtol=0, atol=np.abs(a.data).max() * np.finfo(kind).eps)


def test_tensorgrad_writes_nothing_into_the_rows():
    for row in rules.TABLE:
        callables = {name: getattr(part, "__module__", None) or "numpy" for name, part in vars(row).items() if callable(part)}
        assert not [name for name, module in callables.items() if module.startswith(("tensorgrad", "numpy"))], row.name

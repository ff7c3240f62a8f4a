"""Partial reductions, averages, differences and partitions: NumPy's values and dtypes, gradients, errors."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.families import PUBLIC
from tensorgrad.rule import Rule
from tests.each import each

X = np.random.default_rng(0).standard_normal((4, 5))
MASK = X > -0.5
HOLES = np.where(MASK, X, np.nan)
POINTS = np.array([0.0, 0.5, 2.0, 2.2])

CALLS = [
    *[lambda x, f=f, a=a, k=k: f(x, axis=a, keepdims=k, where=MASK) for f in (np.sum, np.mean, np.prod, np.var, np.std)
      for a in (None, 0, (0, 1)) for k in (False, True)],
    *[lambda x, f=f, a=a: f(x, axis=a, where=MASK, initial=0.25) for f in (np.sum, np.prod, np.max, np.min) for a in (None, 1)],
    *[lambda x, f=f: f(x, axis=0, where=MASK[:1], initial=0.25) for f in (np.sum, np.prod, np.max, np.min)],
    *[lambda x, f=f: f(x[:0], axis=0, initial=2.0) for f in (np.sum, np.prod, np.max, np.min)],
    *[lambda x, f=f: f(x, axis=0, where=np.zeros((4, 5), bool), initial=2.0) for f in (np.sum, np.prod, np.max, np.min)],
    *[lambda x, f=f: f(x, axis=1, dtype=np.float32) for f in (np.sum, np.mean, np.prod)],
    *[lambda x, f=f: f(x, axis=0, ddof=1, where=MASK) for f in (np.var, np.std)],
    *[lambda x, f=f, a=a: f(np.where(MASK, x, np.nan), axis=a) for f in
      (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin) for a in (None, 0, 1)],
    *[lambda x, f=f: f(x, axis=0, ddof=1) for f in (np.nanvar, np.nanstd)],
    *[lambda x, f=f: f(x, axis=0, ddof=1, dtype=np.float32) for f in (np.var, np.std)],
    *[lambda x, f=f: f(x, axis=0, where=MASK, initial=0.25, keepdims=True) for f in (np.amax, np.amin)],
    *[lambda x, f=f: f(np.where(X > 1, np.nan, x), axis=0, where=MASK, dtype=np.float32) for f in
      (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd)],
    *[lambda x, f=f: f(np.where(MASK, x, np.nan), initial=0.25) for f in (np.nansum, np.nanprod)],
    *[lambda x, f=f, a=a: f(x > 0, axis=a, where=MASK) for f in (np.all, np.any) for a in (None, 0)],
    *[lambda x, f=f: f(x, axis=0, where=MASK) for f in (np.all, np.any)],
    *[lambda x, f=f, o=o: f(x, axis=0, **o) for f in (np.sort, np.argsort) for o in ({"kind": "stable"}, {"stable": True})],
    *[lambda x, m=m, a=a: np.take(x, [[7, -1], [-30, 23]], axis=a, mode=m) for m in ("wrap", "clip") for a in (0, None)],
    *[lambda x, o=o: np.linalg.pinv(x, **o) for o in ({"rtol": 0.3}, {"rcond": 0.3})],
    lambda x: np.linalg.pinv(x[:, :4] + x[:, :4].mT, hermitian=True),
    *[lambda x, o=o: np.linalg.matrix_rank(x, **o) for o in ({"rtol": 0.3}, {"hermitian": False})],
    lambda x: np.add.reduce(x, axis=1, where=MASK, initial=2.0),
    *[lambda x, a=a, k=k: np.median(x, axis=a, keepdims=k) for a in (None, 0, 1, (0, 1), ()) for k in (False, True)],
    lambda x: np.median(np.where(MASK, x, np.nan), axis=0),
    *[lambda x, a=a: np.ptp(x, axis=a) for a in (None, 0)],
    *[lambda x, a=a, w=w: np.average(x, axis=a, weights=w) for a, w in [(None, None), (None, X**2), (0, X**2), (1, [*POINTS, 1.0])]],
    lambda x: np.average(x, axis=1, weights=[1, 2, 3, 4, 5], returned=True),
    lambda x: np.average(x, axis=0, returned=True),
    *[lambda x, n=n, a=a: np.diff(x, n=n, axis=a) for n in (0, 1, 3, 9) for a in (0, -1)],
    *[lambda x, e=e: np.diff(x, axis=0, prepend=e, append=e) for e in (2.0, X[:2])],
    *[lambda x, o=o: np.gradient(x, edge_order=o) for o in (1, 2)],
    *[lambda x, o=o: np.gradient(x, POINTS, 0.5, edge_order=o) for o in (1, 2)],
    *[lambda x, a=a: np.gradient(x, 2.0, axis=a) for a in (0, (1,), (1, 0))],
    lambda x: np.gradient(x[:2], axis=0),
    *[lambda x, k=k, a=a: np.partition(x, k, axis=a) for k, a in [(2, -1), ([0, -1], 0), (7, None)]],
    *[lambda x, a=a: np.argpartition(x, 1, axis=a) for a in (0, None)],
]  # fmt: skip


@each("f", CALLS)
@each("kind", [np.float64, np.float32])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_values_equal_numpys(f, kind):
    x = X.astype(kind)
    found, expected = f(Tensor(x)), f(x)
    for got, array in zip(found, expected, strict=True) if isinstance(found, tuple) else [(found, expected)]:
        assert np.shape(got) == np.shape(array)
        tolerance = 1e-12 if kind is np.float64 and np.asarray(array).dtype != np.float32 else 1e-5
        np.testing.assert_allclose(getattr(got, "data", got), array, rtol=tolerance)


@each("axis", [None, 0, 1])
def test_entries_that_do_not_count_have_gradient_0(axis):
    for name, more in [
        ("sum", {}),
        ("mean", {}),
        ("prod", {}),
        ("var", {}),
        ("std", {}),
        ("max", {"initial": -9.0}),
        ("min", {"initial": 9.0}),
    ]:
        t = Tensor(HOLES)
        PUBLIC[name](t, axis=axis, where=MASK, **more).sum().backward()
        assert not t.grad[~MASK].any() and np.isfinite(t.grad).all(), name
    for name in ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin"):
        t = Tensor(HOLES)
        PUBLIC[name](t, axis=axis).sum().backward()
        assert not t.grad[~MASK].any() and np.isfinite(t.grad).all(), name


def test_initial_may_be_a_variable():
    t, start = Tensor([1.0, 3.0, 3.0]), Tensor(3.0)
    for f, expected in [(tg.sum, 1.0), (tg.prod, 9.0), (tg.max, 0.5), (tg.min, 0.0)]:
        start.zero_grad()
        f(t, initial=start).backward()
        assert start.grad == expected


def test_the_mean_of_no_entries_is_nan_and_equal_entries_have_std_0_with_derivative_0():
    t = Tensor([0.1, 0.1, 0.1, 7.0])
    for f in (tg.var, tg.std):
        y = f(t, where=[True, True, True, False])
        y.backward()
        assert y.item() == 0.0 and not t.grad.any()
    assert np.isnan(tg.mean(t, where=np.zeros(4, bool)).data) and np.isnan(tg.nanmax(Tensor([np.nan])).data)


def test_a_reduction_of_all_entries_is_one_function_of_the_graph():
    """A call without where= does not pass through the wider function, so it costs nothing more."""
    t = Tensor(X)
    for name in ("sum", "mean", "prod", "var", "std", "max", "min"):
        rule = PUBLIC[name]
        assert isinstance(rule, Rule) and rule.wider is not None
        for y in (rule(t), rule(t, 0), rule(t, axis=0, keepdims=True), getattr(t, name)(axis=1)):
            assert y.rule is rule and y.inputs == (t.node,)


def test_the_gradient_of_the_median_goes_to_the_middle_or_to_nan():
    t = Tensor([[4.0, 1.0, 3.0, 2.0], [1.0, np.nan, 0.0, 5.0]])
    tg.median(t, axis=1).sum().backward()
    np.testing.assert_array_equal(t.grad, [[0, 0, 0.5, 0.5], [0, 1, 0, 0]])


def test_descending_order_is_stable_and_has_nan_first():
    x = [2.0, np.nan, 1.0, 2.0, -1.0]
    assert tg.argsort(x, descending=True).tolist() == [1, 0, 3, 2, 4] and tg.argsort(x).tolist() == [4, 2, 0, 3, 1]
    np.testing.assert_array_equal(tg.sort(x, descending=True), [np.nan, 2, 2, 1, -1])
    np.testing.assert_array_equal(tg.sort([[1.0, 2.0], [3.0, 0.0]], axis=None, descending=True), [3, 2, 1, 0])
    t = Tensor([1.0, 2.0])
    assert t.sort(descending=True).tolist() == [2, 1] and t.argsort(descending=True).tolist() == [1, 0]


T = Tensor(np.ones((2, 3)))
REFUSED = [
    (lambda: T.sum(where=[1, 0, 1]), "sum: where= has dtype int64; give truth values, such as x > 0"),
    (lambda: T.mean(where=np.ones((2, 2), bool)), "mean: where= has shape (2, 2), which does not broadcast to the shape (2, 3) of x"),
    (lambda: T[0].sum(where=np.ones((2, 3), bool)), "sum: where= has shape (2, 3), which does not broadcast to the shape (3,) of x"),
    (lambda: T.max(where=[True, False, True]), "max: where= may leave no entry to choose from; give initial= too"),
    (lambda: T.sum(initial=[1.0, 2.0]), "sum: initial= has shape (2,); give one number"),
    (lambda: T.sum(dtype=int), "sum: dtype=int64 is not float64 or float32; for an array of"),
    (lambda: T.var(ddof=1, correction=1), "var: ddof=1 and correction=1 are two names of one number; give only one"),
    (lambda: T.sum(where=[True, False, True], axis=7), "sum: axis 7 is out of range for shape (2, 3); use -2 to 1"),
    (lambda: tg.median(T[:0]), "median: shape (0, 3) has no entry to choose from"),
    (lambda: tg.ptp(T[:0], 0), "ptp: shape (0, 3) has no entry to choose from along axis 0"),
    (lambda: tg.nanmax(T[:0]), "nanmax: shape (0, 3) has no entry to choose from"),
    (lambda: tg.average(T, weights=[1.0, 2.0, 3.0]), "average: weights of shape (3,) do not fit x of shape (2, 3); give one"),
    (lambda: tg.average(T, 0, [1.0, 2.0, 3.0]), "average: weights of shape (3,) do not fit x of shape (2, 3) along axis 0"),
    (lambda: tg.average(T, 1, [1.0, -1.0, 0.0]), "average: the weights sum to 0"),
    (lambda: tg.diff(T, -1), "diff: n=-1 is negative; use 0 or more"),
    (lambda: tg.diff(T[0, 0]), "diff: x is a 0-d array; at least one axis is needed"),
    (lambda: tg.diff(T, axis=2), "diff: axis 2 is out of range for shape (2, 3); use -2 to 1"),
    (lambda: tg.gradient(T[0, 0]), "gradient: x is a 0-d array; at least one axis is needed"),
    (lambda: tg.gradient(T, edge_order=3), "gradient: edge_order=3 is unknown; use 1 or 2"),
    (lambda: tg.gradient(T, edge_order=2), "gradient: axis 0 of shape (2, 3) has 2 points; at least 3 are needed"),
    (lambda: tg.gradient(T, 1.0, 2.0, 3.0), "gradient: 3 spacings for 2 axes; give one for each axis, or one for all"),
    (
        lambda: tg.gradient(T, [1.0, 2.0], axis=1),
        "gradient: the spacing has shape (2,); axis 1 of shape (2, 3) needs a number or 3 coordinates",
    ),
    (lambda: tg.partition(T, 3), "partition: kth=3 is out of range for axis 1 of shape (2, 3); use -3 to 2"),
    (lambda: tg.topk(T[0, 0], 2, 0), "topk: k=2, but a 0-d array has one entry"),
]


@each(("call", "text"), REFUSED, ids=[text[:30] for _, text in REFUSED])
def test_wrong_arguments_raise_errors_that_name_the_function(call, text):
    with pytest.raises((TypeError, ValueError, IndexError, ZeroDivisionError)) as refusal:
        call()
    assert str(refusal.value).startswith(text)

"""NumPy's functions of single entries take Values: value and derivative are those of our function."""

import operator

import numpy as np
import pytest

import scalargrad as sg
from scalargrad import Value, rules
from scalargrad.fast.numpy_ufuncs import PREDICATES, ROWS
from tests.each import each

UFUNCS = {name: getattr(np, name) for name in ROWS if isinstance(getattr(np, name, None), np.ufunc)}
POINTS = {1: (0.75,), 2: (0.75, 2.5)}


def outcome(function, numbers):
    xs = [Value(number) for number in numbers]
    y = function(*xs)
    y.backward()
    return y.data, [x.grad for x in xs]


@each("name", UFUNCS)
def test_a_ufunc_of_values_is_the_row_of_that_name(name):
    ufunc, row = UFUNCS[name], ROWS[name]
    numbers = (1.5,) if row is rules.acosh else POINTS[len(row.partials)]
    assert outcome(ufunc, numbers) == outcome(row, numbers)
    assert np.isclose(outcome(ufunc, numbers)[0], ufunc(*numbers), rtol=1e-12)
    for place in range(len(numbers)) if len(numbers) == 2 else ():  # a plain number at the other place
        mixed = [Value(number) if i == place else np.float64(number) for i, number in enumerate(numbers)]
        y = ufunc(*mixed)
        y.backward()
        assert (y.data, mixed[place].grad) == (row(*numbers), outcome(row, numbers)[1][place])


def test_every_row_that_numpy_has_is_reached_by_numpys_name():
    missing = [row.name for row in rules.TABLE if isinstance(getattr(np, row.name, None), np.ufunc) and row not in ROWS.values()]
    assert not missing
    assert {row.numpy for row in rules.TABLE if row.numpy != row.name} | {"float_power", "fabs"} <= UFUNCS.keys()
    assert len(UFUNCS) > 45


@each(
    "op",
    [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.mod, operator.floordiv],
)
def test_numpys_numbers_beside_a_value_count_as_plain_numbers(op):
    x = Value(2.5)
    for y, plain in (op(np.float64(7.0), x), op(7.0, x)), (op(x, np.float64(7.0)), op(x, 7.0)):
        assert type(y) is Value and type(y.data) is float
        assert (y.data, y.partials, y.inputs) == (plain.data, plain.partials, (x,))


@each("name", sorted(PREDICATES))
def test_what_only_looks_at_numbers_looks_at_the_data(name):
    ufunc = getattr(np, name)
    numbers = (2.0, 3.0)[: ufunc.nin]
    assert ufunc(*map(Value, numbers)) == ufunc(*numbers)
    if ufunc.nin == 2:
        assert ufunc(np.array([1.0, 2.0, 3.0]), Value(2.0)).tolist() == ufunc(np.array([1.0, 2.0, 3.0]), 2.0).tolist()


@each(
    ("call", "message"),
    [
        (lambda x: np.gcd(x, 2), r"^np\.gcd does not take Values; .*@function\(partials=\.\.\.\), or compute with x\.data"),
        (lambda x: np.heaviside(x, 0.5), r"^np\.heaviside does not take Values"),
        (lambda x: np.add.reduce(x), r"^np\.add\.reduce does not take Values"),
        (lambda x: np.multiply.outer(x, [1.0, 2.0]), r"^np\.multiply\.outer does not take Values"),
        (lambda x: np.matmul(np.ones(2), x), r"^np\.matmul does not take Values"),
        (lambda x: np.divmod(x, 2.0), r"^np\.divmod does not take Values"),
        (lambda x: np.exp(x, where=True), r"^np\.exp does not take Values"),
        (lambda x: np.exp(x, out=np.zeros(1)), r"^np\.exp: a result with Values cannot be written into an array"),
        (lambda x: operator.imul(np.ones(2), x), r"^np\.multiply: a result with Values cannot be written into an array"),
        (lambda x: np.multiply(np.ones(2), x), r"^mul: cannot combine x with array\(\[1\., 1\.\]\)"),
        (lambda x: np.sum(x), r"^sum: unknown argument axis=; signature: sum\(\*xs\)$"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_what_numpy_cannot_do_with_values_is_refused_by_name(call, message):
    with pytest.raises(TypeError, match=message):
        call(Value(2.0, name="x"))


def test_a_list_of_values_makes_an_array_of_values():
    x, y = Value(2.0), Value(3.0)
    both = np.array([[x, y], [y, x]])
    assert both.shape == (2, 2) and both.dtype == object and both[0, 1] is y
    total = np.sum(np.sin(both) * 2)
    total.backward()
    assert x.grad == pytest.approx(4 * np.cos(2.0))
    assert np.dot([x, y], [x, y]).data == 13.0
    assert np.asarray(x).shape == ()


def test_constants_stay_constants():
    c = Value(2.0, keep_grad=False)
    assert isinstance(np.sin(c), sg.Constant) and isinstance(np.float64(2) * c, sg.Constant)

"""`Value` and `Tensor`, scalargrad and tensorgrad: the same names, arguments, defaults and meaning, but for one table of differences."""

import re
import sys
from inspect import Parameter, getattr_static, getdoc, isroutine, signature
from itertools import product
from types import ModuleType

import numpy as np
import pytest

import scalargrad
import tensorgrad
from scalargrad import Value
from scalargrad.messages import differences
from scalargrad.messages.differences import DIFFERENCES
from scalargrad.messages.foreign_names import Elsewhere
from scalargrad.options import FUNCTIONS
from tensorgrad import Tensor
from tests.each import each
from tutorial.book.reference.differences import pages as page_of_differences
from tutorial.reading.chapter import BOOK

ENGINES = [(scalargrad, Value), (tensorgrad, Tensor)]
ENGINE = pytest.mark.parametrize(("engine", "variable"), ENGINES, ids=["numbers", "arrays"])
DIFFERENT_FUNCTIONS = {name for difference in DIFFERENCES for name in difference.functions}
DIFFERENT_PARAMETERS = {name for difference in DIFFERENCES for name in difference.parameters}


def public(owner):
    """Return {name: what a caller finds} for the public names of a package or a class."""
    found = {name: getattr_static(owner, name) for name in dir(owner) if not name.startswith("_")}
    return {name: x for name, x in found.items() if not isinstance(x, ModuleType | Elsewhere)}


def shared(one, other):
    """Return the public names that both have, of which they do not have the very same object."""
    one, other = public(one), public(other)
    return sorted(name for name in one.keys() & other.keys() if one[name] is not other[name])


def arguments(owner, name, excepted=DIFFERENT_PARAMETERS):
    """Return name, kind and default of each parameter, without self and without what the table of differences names."""
    parameters = [*signature(getattr(owner, name)).parameters.values()][isinstance(owner, type) :]
    return [(p.name, p.kind, p.default) for p in parameters if f"{name}.{p.name}" not in excepted]


SHARED = shared(scalargrad, tensorgrad)
METHODS = [name for name in shared(Value, Tensor) if isroutine(getattr_static(Value, name))]
PROPERTIES = [name for name in shared(Value, Tensor) if name not in METHODS]
OF_NUMBERS = [name for name in SHARED if name in FUNCTIONS and name not in DIFFERENT_FUNCTIONS]


# Arguments


def test_every_function_of_numbers_is_a_function_of_arrays_and_a_method_of_both():
    assert FUNCTIONS.keys() <= set(SHARED)
    assert FUNCTIONS.keys() - set(METHODS) == {"where"}  # its first argument is the condition


@each("name", sorted(set(SHARED) - DIFFERENT_FUNCTIONS))
def test_a_function_takes_the_same_arguments_in_both_packages(name):
    assert arguments(scalargrad, name) == arguments(tensorgrad, name)


@each("name", sorted(set(METHODS) - DIFFERENT_FUNCTIONS))
def test_a_method_takes_the_same_arguments_in_both_classes(name):
    assert arguments(Value, name) == arguments(Tensor, name)


@ENGINE
def test_a_method_takes_the_arguments_of_the_function_after_self(engine, variable):
    for name in set(METHODS) & set(SHARED):
        assert arguments(variable, name) == arguments(engine, name)[1:], name


def test_the_classes_take_the_same_arguments():
    assert arguments(scalargrad, "Value") == arguments(tensorgrad, "Tensor")


def test_what_only_one_engine_takes_cannot_stand_in_the_place_of_something_else():
    pairs = [[(scalargrad, name), (tensorgrad, name)] for name in set(SHARED) - DIFFERENT_FUNCTIONS] + [
        [(Value, "backward"), (Tensor, "backward")]
    ]
    for pair in pairs:
        places = [[n for n, kind, _ in arguments(*call, excepted=()) if kind is Parameter.POSITIONAL_OR_KEYWORD] for call in pair]
        assert places[0] == places[1], pair


def test_the_table_of_differences_names_only_what_differs():
    for name in DIFFERENT_FUNCTIONS:
        assert arguments(scalargrad, name) != arguments(tensorgrad, name), name
    for name, parameter in [place.split(".") for place in DIFFERENT_PARAMETERS]:
        owners = (Value, Tensor) if name == "backward" else (scalargrad, tensorgrad)
        has = [parameter in [n for n, _, _ in arguments(owner, name, excepted=())] for owner in owners if hasattr(owner, name)]
        assert has.count(True) == 1, f"{name}({parameter})"


@ENGINE
def test_help_shows_the_arguments_the_value_the_derivative_the_kink_and_an_example(engine, variable):
    for name in OF_NUMBERS:
        for function in (getattr(engine, name), getattr(variable, name, None)):
            if function is None:
                continue
            assert isroutine(function) and function.__name__ == name, name
            row = getattr(FUNCTIONS[name], "row", FUNCTIONS[name])
            said = getdoc(function)
            assert said.startswith(row.about) and row.kinks in said and f">>> {row.example[0]}" in said, name
            assert "∂y/∂" in said or "dz/d" in said, name  # of the code, or as one writes it on paper
            assert Parameter.VAR_KEYWORD not in {p.kind for p in signature(function).parameters.values()}, name


@pytest.mark.parametrize("name", sorted(DIFFERENT_FUNCTIONS))
def test_help_of_functions_of_many_numbers_has_a_derivative_and_an_example_too(name):
    assert ">>> " in getdoc(getattr(scalargrad, name)) and "∂y/∂" in getdoc(getattr(scalargrad, name))
    assert ">>> " in getdoc(getattr(tensorgrad, name)) and "dz/d" in getdoc(getattr(tensorgrad, name))


FORMER = [
    ("clamp", "low", "min", "clamp(x, min=None, max=None, total=False)"),
    ("clamp", "high", "max", "clamp(x, min=None, max=None, total=False)"),
    ("leaky_relu", "slope", "negative_slope", "leaky_relu(x, negative_slope=0.01)"),
    ("where", "c", "condition", "where(condition, a, b)"),
]


@ENGINE
@pytest.mark.parametrize(("name", "former", "today", "takes"), FORMER)
def test_the_former_name_of_an_argument_is_answered_with_todays(engine, variable, name, former, today, takes):
    message = re.escape(f"{name}: unknown argument {former}= (here: {today}); signature: {takes}")
    with pytest.raises(TypeError, match=message):
        getattr(engine, name)(variable(1.0), **{former: 0.5})


# Meaning


POINTS = (-2.5, -1.0, 0.0, 0.5, 1.0, 3.0)
OPTIONS = {  # values to try for each parameter that has a default
    "total": (False, True),
    "min": (None, 0.0),
    "max": (None, 0.5),
    "decimals": (0, 1, -1),
    "beta": (1, 2.5),
    "threshold": (None, 0.5),
    "approximate": ("none", "tanh"),
    "negative_slope": (0.01, 0.3),
    "alpha": (1.0, 0.7),
}


def calls_of(name):
    """Return inputs and options for calls of a function: all points, and every choice of options that it accepts."""
    parameters = signature(FUNCTIONS[name]).parameters.values()
    inputs = [p for p in parameters if p.default is Parameter.empty]
    options = [p.name for p in parameters if p.default is not Parameter.empty]
    choices = [dict(zip(options, choice)) for choice in product(*[OPTIONS[option] for option in options])]
    choices = [c for c in choices if name != "clamp" or (c["min"], c["max"]) != (None, None)]
    return product(product(POINTS, repeat=len(inputs)), choices)


def value_and_derivatives(engine, variable, name, numbers, options):
    xs = [variable(x) for x in numbers]
    y = getattr(engine, name)(*xs, **options)
    return [float(y.data), *map(float, engine.grad(y, xs, unused=0))]


@each("name", OF_NUMBERS)
def test_a_function_has_the_same_value_and_derivatives_in_both_packages(name):
    for numbers, options in calls_of(name):
        expected, found = [value_and_derivatives(*engine, name, numbers, options) for engine in ENGINES]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=f"{name}{numbers}, {options}")


@ENGINE
def test_a_method_means_what_the_function_means(engine, variable):
    for name in set(METHODS) & set(OF_NUMBERS):
        for numbers, options in list(calls_of(name))[-3:]:
            x, *others = [variable(number) for number in numbers]
            found, expected = getattr(x, name)(*others, **options), getattr(engine, name)(x, *others, **options)
            assert found.rule is expected.rule or found.rule.name == expected.rule.name
            assert float(found.data) == pytest.approx(float(expected.data), nan_ok=True), name


@pytest.mark.parametrize("name", ["sum", "max", "logsumexp"])
def test_a_function_of_many_numbers_is_that_of_one_array(name):
    numbers = [0.5, 3.0, -1.0, 3.0]
    xs, A = list(map(Value, numbers)), Tensor(numbers)
    y, Y = getattr(scalargrad, name)(*xs), getattr(tensorgrad, name)(A)
    assert Y.item() == pytest.approx(y.data) and tensorgrad.grad(Y, A).tolist() == pytest.approx(scalargrad.grad(y, xs))


def test_dot_of_many_numbers_is_that_of_two_arrays():
    ws, xs = list(map(Value, (1.0, -2.0))), list(map(Value, (0.5, 4.0)))
    y, Y = scalargrad.dot(*ws, *xs), tensorgrad.dot(w := Tensor([1.0, -2.0]), x := Tensor([0.5, 4.0]))
    assert Y.item() == y.data
    assert [d.tolist() for d in tensorgrad.grad(Y, [w, x])] == [scalargrad.grad(y, ws), scalargrad.grad(y, xs)]


def product_and_sum(x, y):
    return [x * y, x + y]


cube = lambda x: x**3
MEANING = {  # what each other function is asked in both engines: e is the package, x and y are variables that hold 3 and 4
    "grad": lambda e, x, y: [
        e.grad(x * x * y, [x, y]),
        e.grad(x * y, x, 10),
        e.grad(x * x, [x, y], unused=0),
        e.grad(e.grad(x**3, x, create_graph=True), x),
        e.grad(cube)(2.0),
        e.grad(lambda x, y: x * y)(3.0, 4.0),
    ],
    "value_and_grad": lambda e, x, y: e.value_and_grad(lambda x, y: x * x * y, 3.0, 4.0),
    "jacobian": lambda e, x, y: e.jacobian(product_and_sum, 3.0, 4.0),
    "hessian": lambda e, x, y: e.hessian(lambda x, y: x * x * y, 3.0, 4.0),
    "vjp": lambda e, x, y: e.vjp(product_and_sum, point=[3.0, 4.0], upstream=[1.0, 10.0]),
    "jvp": lambda e, x, y: e.jvp(product_and_sum, point=[3.0, 4.0], direction=[1.0, 10.0]),
    "hvp": lambda e, x, y: e.hvp(lambda x, y: x * x * y, point=[3.0, 4.0], direction=[1.0, 10.0]),
    "check": lambda e, x, y: [
        bool(e.check(x * y)),
        bool(e.check(lambda x, y: x * y, 3.0, 4.0)),
        bool(e.check(x * y, totals={x: 4.0, y: 3.1})),
    ],
    "function": lambda e, x, y: [
        e.grad(e.function(lambda x, y: x * x * y)(x, y), [x, y]),
        e.grad(e.function(lambda x, y: x * x * y, partials=lambda x, y: (2 * x * y, x * x))(x, y), [x, y]),
    ],
}


def plain(x):
    """Return an answer as nested lists of numbers."""
    return list(map(plain, x)) if isinstance(x, list | tuple) else x.tolist() if hasattr(x, "tolist") else x


def test_every_shared_function_has_a_test_of_its_meaning():
    assert {n for n in SHARED if isroutine(getattr(scalargrad, n))} - set(OF_NUMBERS) - DIFFERENT_FUNCTIONS == MEANING.keys()


@pytest.mark.parametrize("name", MEANING)
def test_a_function_that_differentiates_answers_alike_in_both_packages(name):
    expected, found = [plain(MEANING[name](engine, variable(3.0), variable(4.0))) for engine, variable in ENGINES]
    assert found == expected


# Variables


def test_every_shared_method_is_a_function_or_tested_here():
    assert set(METHODS) - set(FUNCTIONS) == {"backward", "detach", "zero_grad"}
    assert set(PROPERTIES) == {"data", "grad", "inputs", "keep_grad", "name", "rule"}


@ENGINE
def test_gradients_add_up_over_backward_until_zero_grad(engine, variable):
    x = variable(3.0, name="x")
    (x * x).backward()
    assert float(x.grad) == 6
    z = x * x
    z.backward(upstream=10)
    assert float(x.grad) == 66
    z = x * x
    z.backward(1, True)
    assert float(x.grad.data) == 72 and isinstance(x.grad, variable)
    z.zero_grad()
    assert x.grad == variable(0.0).grad


@ENGINE
def test_detach_and_keep_grad_make_constants(engine, variable):
    x = variable(3.0, name="x")
    c = x.detach()
    assert (c.name, c.keep_grad, c.inputs, c.rule) == ("x", False, (), None) and float(c.data) == 3
    with pytest.raises(ValueError, match="is a constant"):
        (c * 2).backward()
    x.keep_grad = False
    with pytest.raises(ValueError, match="is a constant"):
        (x * 2).backward()
    x.keep_grad = True
    (x * 2).backward()
    assert float(x.grad) == 2


@ENGINE
def test_data_and_name_can_be_assigned(engine, variable):
    x = variable(3.0)
    x.data, x.name = 4.0, "w"
    assert (float(x.data), x.name) == (4, "w")
    for wrong in (lambda: variable(1.0, name=3), lambda: setattr(x, "name", 3)):
        with pytest.raises(TypeError, match="name=3 is not text; write name='3'"):
            wrong()
    for wrong in (lambda: setattr(x, "data", "4"), lambda: variable(1.0, "x")):  # a name is given by name
        with pytest.raises(TypeError):
            wrong()


@ENGINE
def test_operators_are_functions_of_the_graph(engine, variable):
    x, y = variable(7.5), variable(2.0)
    results = [x + y, x - y, x * y, x / y, x**y, x % y, x // y, *divmod(x, y), -x, abs(x), round(x), +x]
    assert [float(r.data) for r in results] == [9.5, 5.5, 15, 3.75, 56.25, 1.5, 3, 3, 1.5, -7.5, 7.5, 8, 7.5]
    results = [9 + y, 9 - y, 9 * y, 9 / y, 9**y, 9 % y, 9 // y, *divmod(9, y)]
    assert [float(r.data) for r in results] == [11, 7, 18, 4.5, 81, 1, 4, 4, 1]
    names = [r.rule.name for r in results]
    assert names == ["add", "sub", "mul", "div", "pow", "remainder", "floor_divide", "floor_divide", "remainder"]


# The table of differences


def test_a_page_of_the_book_has_the_table_of_differences():
    ((name, page),) = page_of_differences(BOOK, None)
    assert name == "two-engines.md" and f"\n{differences.markdown()}\n" in page


@pytest.mark.skipif(sys.flags.optimize > 1, reason="python -OO drops docstrings")
@pytest.mark.parametrize("package", [scalargrad, tensorgrad])
def test_help_of_both_packages_has_the_table_of_differences(package):
    assert package.__doc__.rstrip().endswith(differences.text())


def test_numbers_keep_every_gradient_and_arrays_those_of_leaves():
    for _, variable in ENGINES:
        x = variable(3.0)
        y = x * x
        assert x.grad == (0 if variable is Value else None)
        y.sum().backward()
        assert float(x.grad) == 6
        if variable is Value:
            assert y.grad == 1
            y.backward()
        else:
            with pytest.warns(tensorgrad.GradientNotKeptWarning):
                assert y.grad is None
            with pytest.raises(RuntimeError, match="was released"):
                y.backward()


def test_a_leaf_of_numbers_can_be_summed_up_in_place_and_a_leaf_of_arrays_cannot():
    total = Value(0.0)
    total += Value(2.0)
    assert total.data == 2 and total.inputs
    t = Tensor(0.0)
    with pytest.raises(TypeError, match=r"\+="):
        t += Tensor(2.0)

"""Every rule of the table against three oracles: the scalar graph, finite differences, second derivatives. Also dtypes and memory."""

import inspect

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, grad
from tensorgrad.rule import TABLE, Rule
from tests.each import each, swept
from tests.tensorgrad.case import assert_close, difference_along, differences, zoomed_gradients
from tests.tensorgrad.cases import every_case

CASES = every_case()
RULES = [rule for rule in TABLE if getattr(rule.forward, "__module__", "numpy").startswith(("tensorgrad", "scalargrad", "numpy"))]


def test_every_rule_has_a_case():
    tried = {id(case.function) for case in CASES}
    without = [rule.name for rule in RULES if id(rule) not in tried]
    assert not without, (
        f"{without} have no case: add a Case to CASES in a file of tests/tensorgrad/cases (for a row: tests/scalargrad/oracles.py)"
    )


def test_a_function_has_the_name_that_the_user_called():
    x = Tensor([[3.0, 1.0], [2.0, 5.0]])
    for y in (tg.view(x, (4,)), x.view(4), tg.amax(x), x.amin(0), tg.mse(x, x * 2)):
        y.sum().backward(retain_graph=True)
    assert [y.node.rule.name for y in (tg.view(x, (4,)), x.view(4), tg.amax(x), x.amin(0), tg.mse(x, x * 2))] == [
        "view", "view", "amax", "amin", "mse",
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"^view: shape \(2, 2\) has 4 entries"):
        x.view(3)


def test_rule_names_are_unique():
    names = [rule.name for rule in RULES]
    assert not {name for name in names if names.count(name) > 1}


@each("rule", RULES, ids=lambda rule: rule.name)
def test_every_vjp_has_a_formula(rule):
    for slot in range(max(rule.arity, 1)):
        assert "dz/d" in rule.formula(slot), f"{rule.name}: the docstring of the vjp of input {slot} is not a formula"


@swept("case", [c for c in CASES if c.zoomed], every=5, ids=repr)
def test_the_gradient_equals_that_of_the_scalar_graph(case):
    arrays = case.arrays()
    assert_close(case.gradients(arrays)[1], zoomed_gradients(case, arrays), 1e-10, f"{case.name} against scalargrad")


_FIRST = {id(case.function): case for case in reversed(CASES) if case.smooth}  # so that the default tests try every function


@swept("case", [c for c in CASES if c.smooth], every=lambda case: _FIRST[id(case.function)] is case, ids=repr)
def test_the_gradient_equals_finite_differences(case):
    arrays = case.arrays()
    slopes = differences(lambda moved: case.loss([Tensor(a, keep_grad=False) for a in moved]).item(), arrays)
    assert_close(case.gradients(arrays)[1], slopes, 1e-6, f"{case.name} against finite differences")


@swept("case", [c for c in CASES if c.smooth and c.second], every=7, ids=repr)
def test_the_second_derivative_equals_finite_differences_of_the_first(case):
    arrays = case.arrays()
    along = [case.weights(a.shape) for a in arrays]
    tensors, gradients = case.gradients(arrays, differentiable=True)
    directional = sum([(g * v).sum() for g, v in zip(gradients, along) if g is not None])
    constant = not getattr(directional, "inputs", ())
    got = [np.zeros(a.shape) for a in arrays] if constant else grad(directional, tensors, unused=0)

    def first(moved):
        return [np.zeros(a.shape) if g is None else g for a, g in zip(moved, case.gradients(moved)[1])]

    # the Hessian times v: as the derivative of gᵀv, and from the change of g along v
    assert_close(got, difference_along(first, arrays, along), 1e-5, f"{case.name} at second order")


@swept("case", CASES, every=7, ids=repr)
def test_float32_stays_float32(case):
    arrays = case.arrays()
    tensors = [Tensor(a, dtype=np.float32) for a in arrays]
    y = case(*tensors)
    assert y.dtype == np.float32, f"{case.name} made {y.dtype} of float32"
    y.backward(case.weights(y.shape).astype(np.float32))
    for t in tensors:
        assert t.grad is None or t.grad.dtype == np.float32
    if case.smooth:
        assert_close([y], [case(*map(Tensor, arrays)).data], 1e-4, f"{case.name} in float32")
        assert_close([t.grad for t in tensors], case.gradients([t.data.astype(float) for t in tensors])[1], 2e-3, f"{case.name} in float32")


@swept("case", CASES, every=7, ids=repr)
def test_the_memory_layout_has_no_effect(case):
    arrays = case.arrays()
    strided = []
    for a in arrays:
        wide = np.zeros([2 * n for n in a.shape])
        view = wide[tuple([slice(None, None, -2)] * a.ndim)] if a.ndim else wide
        view[...] = a
        strided.append(Tensor(a))
        strided[-1]._data = view
    case.loss(strided).backward()
    assert_close([t.grad for t in strided], [g for g in case.gradients(arrays)[1]], 1e-12, f"{case.name} on strided arrays")


@swept("case", CASES, every=3, ids=repr)
def test_rules_do_not_write_to_their_inputs_or_saved_arrays(case):
    arrays = case.arrays()
    tensors = [Tensor(a) for a in arrays]
    for t in tensors:
        t._data.setflags(write=False)
    loss = case.loss(tensors)
    loss.backward(retain_graph=True)
    first = [None if t.grad is None else t.grad.copy() for t in tensors]
    loss.backward()
    for t, g, a in zip(tensors, first, arrays):
        assert np.array_equal(t.data, a, equal_nan=True)
        assert g is None or np.array_equal(t.grad, 2 * g, equal_nan=True), f"{case.name}: a second pass gave another gradient"


@swept("case", CASES, every=7, ids=repr)
def test_a_constant_input_leaves_the_other_gradients_unchanged(case):
    arrays = case.arrays()
    whole = case.gradients(arrays)[1]
    for i in range(len(arrays)):
        tensors = [Tensor(a, keep_grad=(j == i)) for j, a in enumerate(arrays)]
        loss = case.loss(tensors)
        if loss.node is None:
            assert whole[i] is None
            continue
        loss.backward()
        assert_close([tensors[i].grad], [whole[i]], 1e-12, f"{case.name}, alone for input {i}")


@each("rule", [r for r in RULES if r.fast is not None], ids=lambda rule: rule.name)
def test_fast_kernels_equal_the_rule(rule):
    for case in [c for c in CASES if c.function is rule]:
        arrays = case.arrays()
        fast_tensors, fast = case.gradients(arrays)
        fast_y = case(*fast_tensors).data
        kernels, rule.fast = rule.fast, None
        try:
            tensors, plain = case.gradients(arrays)
            assert_close([fast_y], [case(*tensors).data], 1e-10, f"{rule.name}: its fast kernel forward")
            assert_close(fast, plain, 1e-10, f"{rule.name}: its fast kernel backward")
        finally:
            rule.fast = kernels


def test_what_a_rule_is_stands_on_one_screen():
    own = [name for name, part in vars(Rule).items() if inspect.isfunction(part) or isinstance(part, property)]
    assert len(inspect.getsourcelines(Rule)[0]) <= 66 and len(own) <= 7, own

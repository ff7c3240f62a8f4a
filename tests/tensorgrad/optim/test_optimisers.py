"""Optimisers: three steps give PyTorch's numbers; steps write in place; what a graph or the program keeps does not change."""

import inspect

import numpy as np
import pytest

from scalargrad.modes import no_grad
from tensorgrad import Tensor, nn, optim, threads
from tests.each import each, swept
from tests.peak import peak_of
from tests.tensorgrad.optim.cases import CASES, GRADIENTS, START, after_three_steps

CLASSES = [optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad]


def test_every_optimiser_has_a_case():
    kinds = {name for name in optim.__all__ if isinstance(kind := getattr(optim, name), type) and issubclass(kind, optim.Optimiser)}
    assert {case.optimiser for case in CASES} == kinds - {"Optimiser"}


@each("case", CASES)
def test_three_steps_give_the_numbers_of_pytorch(case):
    p = Tensor(START)
    np.testing.assert_allclose(after_three_steps(case.ours([p]), p), case.expected, rtol=1e-10, atol=1e-12)


@each("case", CASES)
def test_the_options_of_a_group_count_as_those_of_the_optimiser(case):
    """An optimiser that reads an option from its defaults forgets the groups, and what a schedule changes."""
    p = Tensor(START)
    optimiser = getattr(optim, case.optimiser)([{"params": [p], **case.options}])
    np.testing.assert_allclose(after_three_steps(optimiser, p), case.expected, rtol=1e-10, atol=1e-12)


@each("kind", CLASSES)
def test_a_case_without_one_of_its_options_has_other_numbers(kind):
    """So each option stands in a case, with another value than its default, and counts."""
    for option in list(inspect.signature(kind).parameters)[1:]:
        with_it = [case for case in CASES if case.optimiser == kind.__name__ and option in case.options]
        assert any(changes(case, option) for case in with_it), f"no case shows what {option}= does"


def changes(case, option):
    """Return whether a case has other numbers, or is refused, without one of its options."""
    options = {name: x for name, x in case.options.items() if name != option}
    try:
        without = after_three_steps(getattr(optim, case.optimiser)([p := Tensor(START)], **options), p)
    except ValueError:
        return True
    return not np.allclose(without, case.expected, rtol=1e-6)


@pytest.mark.torch
@each("dtype, tolerance", [("float32", 1e-6), ("float64", 1e-10)])
@each("case", CASES)
def test_three_steps_equal_pytorch(case, dtype, tolerance):
    pytest.importorskip("torch")
    from tests.tensorgrad.optim.cases import with_torch

    p = Tensor(START, dtype=dtype)
    np.testing.assert_allclose(after_three_steps(case.ours([p]), p), with_torch(case, dtype), rtol=tolerance, atol=tolerance)


@each("case", CASES)
def test_each_parameter_counts_its_own_steps(case):
    """One that gets its first gradient later, as a layer that was frozen, is at another step than its neighbours."""
    early, late, alone = Tensor(START), Tensor(START), Tensor(START)
    optimiser, other = case.ours([early, late]), case.ours([alone])
    early.grad = np.array(GRADIENTS[-1])
    optimiser.step()
    for g in GRADIENTS:
        early.grad, late.grad, alone.grad = np.array(g), np.array(g), np.array(g)
        optimiser.step(), other.step()
    np.testing.assert_array_equal(late.data, alone.data, "the steps of another parameter count")


@each("case", CASES)
def test_parameters_of_two_dtypes_move_as_each_would_alone(case):
    both, alone = [[Tensor(START, dtype=dtype) for dtype in ("float32", "float64")] for _ in range(2)]
    optimiser, others = case.ours(both), [case.ours([p]) for p in alone]
    for g in GRADIENTS:
        for p in [*both, *alone]:
            p.grad = np.array(g, p.dtype)
        for one in (optimiser, *others):
            one.step()
    for p, q in zip(both, alone):
        np.testing.assert_array_equal(p.data, q.data, f"{p.dtype} beside another dtype")


@swept("order", ["C", "F", "rows of 40,000"], every=3)
@each("case", CASES)
def test_blocks_and_the_order_of_memory_change_nothing(case, order, monkeypatch):
    """One large matrix moves as its entries do, also where its gradient does not lie in the same order."""
    monkeypatch.setattr("tensorgrad.optim.blocks.BYTES", 8 * 50)
    shape = (3, 40) if order != "rows of 40,000" else (2, 60)
    rng = np.random.default_rng(0)
    start, grads = rng.standard_normal(shape), rng.standard_normal((3, *shape))
    whole, parts = Tensor(start), [Tensor(x) for x in start.reshape(-1)]
    a, b = case.ours([whole]), case.ours(parts)
    for g in grads:
        whole.grad = np.asarray(g, order=order) if len(order) == 1 else np.repeat(g, 2, axis=1)[:, ::2]
        for p, entry in zip(parts, g.reshape(-1)):
            p.grad = entry
        a.step(), b.step()
    np.testing.assert_array_equal(whole.data.reshape(-1), [p.item() for p in parts])


def loss_of(w, target):
    return ((w - target) ** 2).sum()


@each("kind", CLASSES)
def test_the_array_of_a_parameter_is_changed_in_place(kind):
    w = Tensor(np.ones(5, np.float32))
    optimiser = kind([w], lr=0.1)
    loss_of(w, 3.0).backward()
    optimiser.step()
    before = w._data
    place = before.ctypes.data
    del before
    optimiser.step()
    assert w._data.ctypes.data == place and w.dtype == np.float32 and (w.data > 1).all()


@each("kind", CLASSES)
def test_a_step_takes_no_memory_after_the_first(kind):
    w = Tensor(np.ones(2**18, np.float32))
    optimiser = kind([w], weight_decay=0.1)
    w.grad = np.ones(2**18, np.float32)
    with threads(1):  # each thread takes memory once
        optimiser.step()
        assert peak_of(optimiser.step) < 10_000  # bytes; the parameter has a million


def test_a_graph_that_was_made_before_the_step_gives_the_gradients_at_its_own_point():
    w = Tensor([3.0])
    sgd = optim.SGD([w], lr=1.0)
    z = (w * w * w).sum()
    w.grad = [1.0]
    sgd.step()
    assert w.data == [2.0]
    sgd.zero_grad()
    z.backward()
    assert w.grad == [27.0]  # 3 w² at w = 3


def test_what_the_program_has_kept_of_a_parameter_does_not_change():
    w = Tensor([3.0])
    before, constant = w.data, w.detach()
    w.grad = [1.0]
    optim.SGD([w], lr=1.0).step()
    assert before == [3.0] and constant.data == [3.0] and w.data == [2.0]


def test_a_parameter_whose_array_is_a_view_of_another_leaves_that_one_alone():
    X = Tensor([[1.0, 2.0], [3.0, 4.0]])
    row = X[0].detach()
    row.keep_grad = True
    for _ in range(2):
        row.grad = [1.0, 1.0]
        optim.SGD([row], lr=1.0).step()
    assert row.tolist() == [-1.0, 0.0] and X.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_parameter_cannot_be_written_to_after_a_step():
    w = Tensor([3.0])
    w.grad = [1.0]
    optim.SGD([w], lr=1.0).step()
    with pytest.raises(ValueError, match="read-only"):
        w.data[0] = 1


def test_groups_have_options_of_their_own_that_may_change_between_steps():
    a, b = Tensor([1.0]), Tensor([1.0])
    sgd = optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.1)
    for _ in range(2):
        a.grad, b.grad = [1.0], [1.0]
        sgd.step()
        sgd.param_groups[0]["lr"] = 0.2
    np.testing.assert_allclose([a.item(), b.item()], [0.7, 0.0], atol=1e-15)


def test_a_group_may_be_one_tensor():
    a, b = Tensor([1.0]), Tensor([2.0])
    assert [group["params"] for group in optim.SGD([{"params": a}, {"params": [b]}]).param_groups] == [[a], [b]]


def test_parameters_without_a_gradient_and_frozen_ones_stay_as_they_are():
    a, b, c = Tensor([1.0]), Tensor([1.0]), Tensor([1.0])
    sgd = optim.SGD([a, b, c], lr=0.1, weight_decay=1.0)
    a.grad, c.grad = [1.0], [1.0]
    c.keep_grad = False
    sgd.step()
    assert (a.item(), b.item(), c.item()) == (0.8, 1.0, 1.0)
    c.keep_grad = True
    c.grad = [1.0]
    sgd.step()
    assert c.item() == 0.8


def test_zero_grad_sets_every_gradient_to_none():
    a, frozen = Tensor([1.0]), Tensor([1.0], keep_grad=False)
    sgd = optim.SGD([a, frozen])
    a.grad = [1.0]
    sgd.zero_grad()
    assert a.grad is None


def test_zero_grad_fills_gradients_with_zeros_if_asked_and_invents_none():
    w, unused = Tensor([3.0]), Tensor([1.0])
    sgd = optim.SGD([w, unused], lr=0.1)
    (w * w).sum().backward()
    sgd.zero_grad(set_to_none=False)
    assert w.grad.tolist() == [0.0] and unused.grad is None


def test_a_rate_that_would_change_nothing_is_refused():
    with pytest.raises(AttributeError, match=r"SGD.lr changes no step; write optimiser.param_groups\[0\]\['lr'\] = 0.5"):
        optim.SGD([Tensor([1.0])]).lr = 0.5


def test_a_group_that_is_added_later_moves_with_its_own_rate():
    w, late = Tensor([3.0]), Tensor([3.0])
    sgd = optim.SGD([w], lr=0.1)
    with pytest.raises(ValueError, match="more than once"):
        sgd.add_param_group({"params": [late, w]})
    assert len(sgd.param_groups) == 1
    sgd.add_param_group({"params": [late], "lr": 0.01})
    (w + late).sum().backward()
    sgd.step()
    assert [w.item(), late.item()] == pytest.approx([2.9, 2.99])


def test_a_0d_parameter_and_an_empty_one_move_too():
    a, empty = Tensor(1.0), Tensor(np.zeros((0, 3)))
    adam = optim.Adam([a, empty], lr=0.5)
    a.grad, empty.grad = 2.0, np.zeros((0, 3))
    adam.step()
    np.testing.assert_allclose(a.data, 0.5, rtol=1e-7)


# States


def trained(kind, steps, state=None):
    w, b = Tensor([[1.0, -2.0], [0.5, 3.0]], name="w"), Tensor([1.0, 2.0], name="b")
    optimiser = kind([w, b], lr=0.01)
    if state:
        w.data, b.data = state[0]
        optimiser.load_state_dict(state[1])
    for _ in range(steps):
        optimiser.zero_grad()
        loss_of(w @ b, 1.0).backward()
        optimiser.step()
    return (w.data.copy(), b.data.copy()), optimiser.state_dict()


@each(
    "kind", [optim.Adam, optim.RMSprop, optim.Adagrad, lambda params, lr: optim.SGD(params, lr, 0.9, 0.5)], ids=lambda kind: kind.__name__
)
def test_a_saved_state_continues_to_the_same_bits(kind):
    half = trained(kind, 3)
    at_once, resumed = trained(kind, 6), trained(kind, 3, half)
    for x, y in zip(at_once[0], resumed[0]):
        np.testing.assert_array_equal(x, y)
    assert str(at_once[1]) == str(resumed[1])


def test_a_state_is_a_copy_in_the_layout_of_pytorch():
    w = Tensor([1.0, 2.0])
    adam = optim.Adam([w])
    w.grad = [1.0, 1.0]
    adam.step()
    state = adam.state_dict()
    assert state["param_groups"] == [dict(adam.param_groups[0]) | {"params": [0]}]
    assert state["state"].keys() == {0} and state["state"][0].keys() == {"step", "exp_avg", "exp_avg_sq"}
    before = state["state"][0]["exp_avg"].copy()
    adam.step()
    np.testing.assert_array_equal(state["state"][0]["exp_avg"], before)


@each("kind", CLASSES)
def test_a_state_that_was_loaded_is_a_copy(kind):
    """So a step after it does not change the state, which may be loaded again, and two optimisers may load one state."""
    options = {"momentum": 0.9} if kind is optim.SGD else {}
    w = Tensor(START)
    optimiser = kind([w], lr=0.1, **options)
    after_three_steps(optimiser, w)
    state = optimiser.state_dict()
    before = {name: np.array(x) for name, x in state["state"][0].items()}
    again = kind([Tensor(START)], lr=0.1, **options)
    again.load_state_dict(state)
    after_three_steps(again, again.param_groups[0]["params"][0])
    for name, x in before.items():
        np.testing.assert_array_equal(state["state"][0][name], x, f"{name} of the state that was loaded")


def test_the_state_of_a_group_that_was_added_later_is_saved_and_loaded():
    def made(steps):
        w, late = Tensor(START), Tensor(START)
        adam = optim.Adam([w], lr=0.1)
        adam.add_param_group({"params": [late], "lr": 0.2})
        for g in GRADIENTS[:steps]:
            w.grad, late.grad = np.array(g), -np.array(g)
            adam.step()
        return adam

    adam, other = made(3), made(0)
    state = adam.state_dict()
    assert state["state"].keys() == {0, 1} and [group["params"] for group in state["param_groups"]] == [[0], [1]]
    other.load_state_dict(state)
    assert str(other.state_dict()) == str(state) and ": 2 parameters, 8 numbers" in repr(adam)


@pytest.mark.torch
@each("case", CASES)
def test_a_state_of_pytorch_can_be_loaded(case):
    torch = pytest.importorskip("torch")
    theirs = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    other = case.theirs([theirs])
    theirs.grad = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    other.step()
    w = Tensor(theirs.detach().numpy())
    optimiser = case.ours([w])
    optimiser.load_state_dict(other.state_dict())
    w.grad = theirs.grad.numpy()
    optimiser.step()
    other.step()
    np.testing.assert_allclose(w.data, theirs.detach().numpy(), rtol=1e-12)


@pytest.mark.torch
@each("steps", [0, 1, 3])
@each("case", CASES)
def test_a_state_has_the_entries_of_pytorchs_and_goes_on_there(case, steps):
    torch = pytest.importorskip("torch")
    w, theirs = Tensor(START), torch.tensor(START, dtype=torch.float64, requires_grad=True)
    ours, other = case.ours([w]), case.theirs([theirs])
    g = np.array([0.1, -0.2, 0.3, 0.4])
    w.grad, theirs.grad = g, torch.tensor(g)
    for _ in range(steps):
        ours.step(), other.step()
    state = ours.state_dict()
    if steps or case.optimiser != "Adagrad":  # which PyTorch begins with a state of zeros
        assert {i: entries.keys() for i, entries in state["state"].items()} == {
            i: entries.keys() for i, entries in other.state_dict()["state"].items()
        }
        fresh = getattr(torch.optim, case.optimiser)([theirs], lr=123.0)
        for entries in state["state"].values():
            entries |= {name: torch.tensor(x) for name, x in entries.items() if name != "step"}
        fresh.load_state_dict(state)
        ours.step(), fresh.step()
        np.testing.assert_allclose(w.data, theirs.detach().numpy(), rtol=1e-12)


def test_without_momentum_sgd_keeps_nothing_and_its_first_velocity_is_the_gradient():
    w = Tensor([1.0])
    sgd = optim.SGD([w], lr=1.0, dampening=0.5)
    w.grad = [0.25]
    sgd.step()
    assert sgd.state_dict()["state"] == {}
    sgd.param_groups[0]["momentum"] = 0.5
    sgd.step()
    assert sgd.state_dict()["state"] == {0: {"momentum_buffer": [0.25]}} and w.data == [0.5]


class Number:
    """An array of one entry as another library has it."""

    shape, item = (), lambda self: 0.125


@each("number", [np.array(0.125), np.float32(0.125), np.array([0.125]), Tensor(0.125), Number()])
def test_options_may_be_arrays_of_one_number(number):
    w = Tensor([1.0])
    state = optim.Adam([w], lr=1.0).state_dict()
    state["param_groups"][0] |= {"lr": number, "betas": [number, 0.5], "initial_lr": number}
    adam, made = optim.Adam([w]), optim.Adam([w], lr=number, betas=(number, 0.5))
    adam.load_state_dict(state)
    assert type(adam.param_groups[0]["lr"]) is float and adam.param_groups[0]["betas"] == (0.125, 0.5)
    assert adam.param_groups[0] == made.param_groups[0] | {"initial_lr": 0.125}


@pytest.mark.torch
def test_a_state_of_pytorch_whose_rate_is_a_tensor_can_be_loaded():
    torch = pytest.importorskip("torch")
    theirs = torch.tensor(START, requires_grad=True)
    other = torch.optim.Adam([theirs], lr=torch.tensor(0.125))
    torch.optim.lr_scheduler.StepLR(other, 1)
    adam = optim.Adam([Tensor(START)])
    adam.load_state_dict(other.state_dict())
    assert adam.param_groups[0]["lr"] == adam.param_groups[0]["initial_lr"] == 0.125


def test_a_state_that_does_not_fit_is_refused_with_everything_that_is_wrong():
    state = trained(optim.Adam, 2)[1]
    state["state"][0]["exp_avg"] = np.zeros(3)
    del state["state"][0]["exp_avg_sq"]
    state["state"][1]["velocity"] = np.zeros(2)
    state["state"][7] = {}
    w, b = Tensor(np.ones((2, 2)), name="w"), Tensor(np.ones(2), name="b")
    adam = optim.Adam([w, b], lr=0.5)
    with pytest.raises(ValueError) as error:
        adam.load_state_dict(state)
    assert str(error.value) == (
        "Adam.load_state_dict: nothing was loaded, because\n  it has a state of parameter 7, and there are 2 parameters\n  "
        "w lacks exp_avg_sq\n  exp_avg of w has shape (3,), and the parameter has (2, 2)\n  "
        "b has velocity, which this optimiser does not keep"
    )
    assert adam.state == {} and adam.param_groups[0]["lr"] == 0.5


def test_a_state_without_its_number_of_steps_is_refused_where_the_next_step_needs_it():
    state = trained(optim.Adam, 2)[1]
    del state["state"][0]["step"]
    state["state"][1] |= {"exp_avg": np.zeros(2, int), "step": "x"}
    adam = optim.Adam([Tensor(np.ones((2, 2)), name="w"), Tensor(np.ones(2), name="b")], lr=0.5)
    with pytest.raises(ValueError, match="w lacks step\n  b has the step 'x', not a number of .*\n  exp_avg of b holds int64, not floats"):
        adam.load_state_dict(state)


def test_without_exact_counts_of_references_a_step_writes_to_new_arrays(monkeypatch):
    w = Tensor(np.ones(5))
    monkeypatch.setattr("tensorgrad.optim.blocks.references", lambda t: 0)  # as if nobody else referred to the array
    monkeypatch.setattr("tensorgrad.optim.blocks.EXACT", False)
    kept, w.grad = w.data, np.ones(5)
    optim.SGD([w], lr=0.5).step()
    assert w.data.tolist() == [0.5] * 5 and kept.tolist() == [1.0] * 5


@each(
    "state, message",
    [
        (3, "3 is not the state of an optimiser"),
        ({"state": {}, "param_groups": 3}, "3 is not a list of parameter groups"),
        ({"state": {}, "param_groups": [{"lr": 1.0}]}, "is not a list of parameter groups"),
        ({"state": [], "param_groups": [{"params": [0]}]}, r"\[\] is not a table of the states of parameters"),
        ({"state": {"w": {}}, "param_groups": [{"params": [0]}]}, "is not a table of the states of parameters"),
        ({"state": {0: 3}, "param_groups": [{"params": [0]}]}, "is not a table of the states of parameters"),
        ({"state": {}, "param_groups": []}, "it has 0 parameter groups, and the optimiser has 1"),
        ({"state": {}, "param_groups": [{"params": [0, 1], "lr": -1.0}]}, "group 0 has 2 parameters"),
        ({"state": {}, "param_groups": [{"params": [0], "lr": -1.0}]}, "group 0: lr=-1.0 is out of range"),
        ({"state": {}, "param_groups": [{"params": [0], "lr": 1.0}]}, "group 0 lacks the option momentum"),
    ],
)
def test_other_states_that_do_not_fit_are_refused(state, message):
    with pytest.raises((TypeError, ValueError), match=message):
        optim.SGD([Tensor([1.0])]).load_state_dict(state)


# Bad input


class Model:
    def named_parameters(self): ...


W = Tensor([1.0], name="W")


@each(
    "params, message",
    [
        ([], "SGD: there are no parameters to train; give it model.parameters()"),
        (W, r"SGD: W is one parameter; write a list: \[W\]"),
        (Model(), "SGD: got a module; write model.parameters()"),
        (Model().named_parameters, "SGD: a method is not a list of parameters; write model.parameters()"),
        (3, "SGD: 3 is not a list of parameters"),
        ({"w": W}, "SGD: got one dictionary; write a list of groups"),
        ([W, W], "SGD: W is listed more than once, first as W; list each parameter once"),
        ([("a", W), ("b", W)], "SGD: b is listed more than once, first as a; list each parameter once"),
        ([{"params": [W]}, {"params": [W]}], "W is listed more than once"),
        ([np.ones(2)], "SGD: parameter 0 is a numpy.ndarray, not a Tensor"),
        ([W * 2], "was made by mul; give it the variables that it was made from"),
        ([{"params": W * 2}], "was made by mul; give it the variables that it was made from"),
        ([{"params": []}], "a parameter group has no parameters"),
        ([{"lr": 1}], "is not a parameter group"),
        ([{"params": [W], "rate": 1}], "a parameter group has the unknown option 'rate'; the options are lr, momentum"),
        ([{"params": [W], "lr": -1}], "SGD: lr=-1 is out of range; it must be 0 or more"),
    ],
    ids=lambda x: None,
)
def test_parameters_that_cannot_be_trained_are_refused(params, message):
    with pytest.raises((TypeError, ValueError), match=message):
        optim.SGD(params)


@each(
    "make, message",
    [
        (lambda: optim.AdamW([W], fused=True), r"AdamW: unknown argument fused= \(there is one way to compute a step; leave it out\)"),
        (lambda: optim.SGD([W], learning_rate=1), r"SGD: unknown argument learning_rate= \(here: lr\)"),
        (lambda: optim.SGD([W], momentun=1), r"SGD: unknown argument momentun= \(is momentum meant\?\)"),
        (lambda: optim.StepLR(optim.SGD([W]), 2, verbose=True), r"StepLR: unknown argument verbose= \(print schedule.get_last_lr\(\)\)"),
        (lambda: optim.StepLR(optimiser=optim.SGD([W]), step_size=2), r"StepLR: unknown argument optimiser= \(here: optimizer\)"),
        (lambda: optim.StepLR(optim.SGD([W]), 2).step(3), r"StepLR.step\(3\): step\(\) takes neither an epoch nor a loss; write step\(\)"),
        (lambda: optim.SGD([W], lr=-0.1), "SGD: lr=-0.1 is out of range; it must be 0 or more"),
        (lambda: optim.SGD([W], lr="0.1"), "SGD: lr='0.1' is not a number"),
        (lambda: optim.SGD([W], lr=float("nan")), "SGD: lr=nan is out of range"),
        (lambda: optim.SGD([W], nesterov=True), "SGD: nesterov needs momentum above 0 and dampening=0, got 0 and 0"),
        (lambda: optim.Adam([W], betas=(0.9, 1.0)), r"Adam: betas=\(0.9, 1.0\) is out of range; it must be from 0 to below 1"),
        (lambda: optim.Adam([W], betas=0.9), "Adam: betas=0.9 is not a pair of numbers"),
        (lambda: optim.AdamW([W], eps=-1), "AdamW: eps=-1 is out of range"),
        (lambda: optim.RMSprop([W], alpha=-1), "RMSprop: alpha=-1 is out of range"),
        (lambda: optim.PolynomialLR, r"tensorgrad.optim has no PolynomialLR: write LambdaLR\(optimizer, lambda t: factor\)"),
        (lambda: optim.RMSProp, "tensorgrad.optim has no RMSProp: write RMSprop"),
    ],
    ids=lambda x: None,
)
def test_options_out_of_range_are_refused(make, message):
    with pytest.raises((TypeError, ValueError, AttributeError), match=message):
        make()


@each("value, message", [("0.1", "lr='0.1' is not a number"), (float("nan"), "lr=nan is out of range"), (-1.0, "lr=-1.0 is out of range")])
def test_an_option_that_the_program_has_changed_is_checked_in_the_step(value, message):
    w = Tensor([1.0])
    sgd = optim.SGD([w], lr=0.5)
    w.grad, sgd.param_groups[0]["lr"] = [1.0], value
    with pytest.raises((TypeError, ValueError), match=rf"SGD.step\(\): {message}"):
        sgd.step()
    sgd.param_groups[0]["lr"] = np.array(0.25)
    sgd.step()
    assert w.data == [0.75]


def test_a_step_before_any_backward_is_an_error():
    with pytest.raises(RuntimeError, match=r"Adam.step\(\): no parameter has a gradient; call backward\(\) before step\(\)"):
        optim.Adam([Tensor([1.0])]).step()


@each("order", ["C", "F", "A"])
@each("bad", [np.nan, np.inf])
def test_a_gradient_that_is_not_finite_is_an_error_and_changes_nothing(bad, order):
    a, b = Tensor(np.ones(2)), Tensor(np.ones((2, 3)))
    adam = optim.Adam([("layer1.bias", a), ("layer1.weight", b)])
    grad = np.ones((2, 3), order=order) if order != "A" else np.ones((4, 6))[::2, ::2]
    grad[1, 2] = bad
    a.grad, b.grad = np.ones(2), grad
    said = rf"Adam.step\(\): the gradient of layer1.weight is {bad} at index \(1, 2\); no parameter was changed; look for nan in the data"
    with pytest.raises(FloatingPointError, match=said):
        adam.step()
    assert (a.data == 1).all() and not adam.state


def encoder_and_head():
    model = nn.Module()
    model.encoder = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    model.head = nn.Linear(2, 1)
    model.forward = lambda x: model.head(model.encoder(x))
    return model


@each(
    "given",
    [
        lambda model: model.parameters(),
        lambda model: list(model.parameters()),
        lambda model: [p for p in model.parameters() if p.keep_grad],
        lambda model: [{"params": model.encoder.parameters()}, {"params": model.head.parameters(), "lr": 0.1}],
        lambda model: [{"params": list(model.parameters())[:2]}, {"params": model.head.parameters()}],
        lambda model: [model.encoder[0].bias, model.encoder[0].weight] if list(model.parameters()) else [],
    ],
    ids=lambda x: None,
)
def test_the_message_about_nan_names_the_layer(given):
    model = encoder_and_head()
    adam = optim.Adam(given(model))
    for p in model.parameters():
        p.grad = np.zeros(p.shape)
    model.encoder[0].bias.grad = np.array([0.0, np.nan])
    with pytest.raises(FloatingPointError, match=r"the gradient of encoder\.0\.bias is nan at index \(1,\); no parameter was changed"):
        adam.step()
    with pytest.raises(FloatingPointError, match=r"the gradient of encoder\.0\.bias has the norm nan"):
        optim.clip_grad_norm_(model.parameters(), 1.0)


def test_a_parameter_that_is_nan_itself_is_named():
    model = encoder_and_head()
    weight = model.encoder[0].weight
    weight.data = np.full(weight.shape, np.nan)
    model(np.ones((2, 2))).sum().backward()
    with pytest.raises(FloatingPointError, match=r"; encoder\.0\.weight itself is not finite: load or set it anew; detect_anomaly"):
        optim.SGD(model.parameters()).step()


def test_a_batch_with_nan_changes_neither_parameters_nor_running_statistics():
    model = encoder_and_head()
    sgd, before = optim.SGD(model.parameters(), lr=0.1), model.state_dict()
    model([[np.nan, 1.0], [2.0, 3.0]]).sum().backward()
    with pytest.raises(FloatingPointError, match="no parameter was changed"):
        sgd.step()
    after = model.state_dict()
    count = "encoder.1.num_batches_tracked"
    assert after.pop(count) == 1 and before.pop(count) == 0
    np.testing.assert_equal(after, before)


# A closure


def test_a_closure_computes_the_loss_that_the_step_returns():
    w = Tensor([3.0])
    sgd = optim.SGD([w], lr=0.25)

    def closure():
        sgd.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    with no_grad():
        losses = [sgd.step(closure).item() for _ in range(2)]
    assert losses == [9.0, 2.25] and w.data == [0.75] and sgd.step() is None


def test_a_loss_in_place_of_a_closure_is_refused():
    w = Tensor([3.0])
    loss = (w * w).sum()
    loss.backward()
    with pytest.raises(TypeError, match=r"SGD.step\(\): .* is not a function that computes the loss; write step\(\) after"):
        optim.SGD([w]).step(loss)
    assert w.data == [3.0]


def test_a_gradient_whose_squares_overflow_is_not_taken_for_infinite():
    w = Tensor(np.ones(2, np.float32))
    w.grad = np.full(2, 1e30, np.float32)
    optim.SGD([w], lr=1e-30).step()
    assert (w.data == 0).all()

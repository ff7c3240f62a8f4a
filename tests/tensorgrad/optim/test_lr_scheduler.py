"""Schedules: the rates are PyTorch's, a state continues them, and only one schedule sets the rates of an optimiser."""

import copy
import pickle

import numpy as np
import pytest

from tensorgrad import Tensor, optim
from tensorgrad.saving import load, save
from tests.each import each

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # PyTorch's, that its optimiser has not stepped

SCHEDULES = [  # (name, arguments, the rate after 0, 4 and 7 steps from 0.5)
    ("StepLR", {"step_size": 3, "gamma": 0.5}, [0.5, 0.25, 0.125]),
    ("MultiStepLR", {"milestones": [2, 5, 5]}, [0.5, 0.05, 0.0005]),
    ("ExponentialLR", {"gamma": 0.9}, [0.5, 0.32805, 0.23914845]),
    ("CosineAnnealingLR", {"T_max": 5, "eta_min": 0.1}, [0.5, 0.138196601125, 0.238196601125]),
    ("LinearLR", {"start_factor": 0.1, "end_factor": 0.9, "total_iters": 6}, [0.05, 0.3166666666666, 0.45]),
    ("LinearLR", {}, [0.1666666666666, 0.4333333333333, 0.5]),
    ("LambdaLR", {"lr_lambda": lambda t: min((t + 1) / 6, 1.0)}, [1 / 12, 5 / 12, 0.5]),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 10}, [0.04, 0.811745653949, 0.188258346051]),
    ("OneCycleLR", {"max_lr": 1.0, "epochs": 2, "steps_per_epoch": 6, "three_phase": True, "anneal_strategy": "linear"}, None),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 12, "pct_start": 0.5, "cycle_momentum": False}, None),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 12, "base_momentum": 0.7, "max_momentum": 0.8}, None),
]
STEPS = 10


def of(name, options, kind=optim.SGD, package=optim):
    optimiser = kind([Tensor([1.0]), Tensor([2.0])], lr=0.5)
    return getattr(package, name)(optimiser, **options)


def theirs(name):
    """Return PyTorch's schedule of this name. A case of a schedule that only we have is skipped."""
    schedules = pytest.importorskip("torch").optim.lr_scheduler
    return getattr(schedules, name) if hasattr(schedules, name) else pytest.skip(f"PyTorch has no {name}")


def followed(schedule, group):
    """Return the rate and the momentum in each of STEPS steps."""
    found = []
    for i in range(STEPS):
        if i:
            schedule.step()
        found.append((group["lr"], group["momentum"] if "momentum" in group else group["betas"][0]))
    return np.array(found)


@each("name, options, expected", [one for one in SCHEDULES if one[2]])
def test_the_rates_are_those_of_pytorch(name, options, expected):
    schedule = of(name, options)
    found = followed(schedule, schedule.optimizer.param_groups[0])[[0, 4, 7], 0]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


COMPOSED = {"SequentialLR", "ReduceLROnPlateau", "LRScheduler"}  # of schedules, of losses, of a table; tests below


def test_every_schedule_has_rates_that_were_not_computed_by_it():
    ours = {name for name in optim.lr_scheduler.__all__ if name != "Schedule"} - COMPOSED
    assert not ours - {name for name, _, expected in SCHEDULES if expected}, "give its rates after 0, 4 and 7 steps in SCHEDULES"


@pytest.mark.torch
@each("kind", ["SGD", "Adam"])
@each("name, options, expected", SCHEDULES)
def test_the_rates_and_momenta_equal_pytorch(name, options, expected, kind):
    torch = pytest.importorskip("torch")
    optimiser = getattr(torch.optim, kind)([torch.ones(1, requires_grad=True)], lr=0.5)
    ours = of(name, options, getattr(optim, kind))
    other = theirs(name)(optimiser, **options)
    found, right = followed(ours, ours.optimizer.param_groups[0]), followed(other, optimiser.param_groups[0])
    np.testing.assert_allclose(found, right, rtol=1e-10)


@pytest.mark.torch
def test_a_sequence_equals_pytorchs():
    torch = pytest.importorskip("torch")
    from torch.optim import lr_scheduler

    theirs = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.5)
    ours = optim.SGD([Tensor([1.0])], lr=0.5)
    found = []
    for package, optimiser in (optim, ours), (lr_scheduler, theirs):
        parts = [package.LinearLR(optimiser, total_iters=3), package.CosineAnnealingLR(optimiser, 4), package.ExponentialLR(optimiser, 0.5)]
        found.append(followed(package.SequentialLR(optimiser, parts, milestones=[3, 7]), optimiser.param_groups[0]))
    np.testing.assert_allclose(*found, rtol=1e-10, atol=1e-16)


def test_each_group_starts_from_its_own_rate():
    sgd = optim.SGD([{"params": [Tensor([1.0])]}, {"params": [Tensor([1.0])], "lr": 0.2}], lr=0.5)
    schedule = optim.ExponentialLR(sgd, 0.1)
    schedule.step()
    np.testing.assert_allclose(schedule.get_last_lr(), [0.05, 0.02])


def test_the_table_of_the_tutorial_sets_the_rates_at_its_steps():
    schedule = of("LRScheduler", {"table": {3: 0.1, 0: 1.0, 5: 0.01}})
    assert followed(schedule, schedule.optimizer.param_groups[0])[:7, 0].tolist() == [1, 1, 1, 0.1, 0.1, 0.01, 0.01]


@each("name, options, expected", SCHEDULES)
def test_a_state_continues_a_schedule(name, options, expected):
    one, two = of(name, options), of(name, options)
    for _ in range(4):
        one.step()
    two.load_state_dict(one.state_dict())
    assert two.optimizer.param_groups[0]["lr"] == one.optimizer.param_groups[0]["lr"]
    one.step(), two.step()
    assert two.optimizer.state_dict() == one.optimizer.state_dict()


@each("t", range(7))
def test_a_state_continues_a_sequence_for_an_optimiser_that_began_with_another_rate(t):
    def sequence(lr):
        sgd = optim.SGD([Tensor([1.0])], lr=lr)
        inner = optim.SequentialLR(sgd, [optim.ExponentialLR(sgd, 0.5), optim.StepLR(sgd, 1)], [2])
        return optim.SequentialLR(sgd, [optim.LinearLR(sgd, 0.1, total_iters=2), inner], [3])

    one, two = sequence(0.5), sequence(0.1)
    for _ in range(t):
        one.step()
    two.load_state_dict(one.state_dict())
    for _ in range(4):
        assert two.get_last_lr() == one.get_last_lr()
        one.step(), two.step()


@each("name, options, expected", SCHEDULES)
def test_last_epoch_continues_a_schedule_of_a_loaded_optimiser(name, options, expected):
    one = of(name, options)
    for _ in range(4):
        one.step()
    resumed = optim.SGD([Tensor([1.0]), Tensor([2.0])], lr=0.123)
    resumed.load_state_dict(one.optimizer.state_dict())
    two = getattr(optim, name)(optimizer=resumed, **options, last_epoch=one.last_epoch)
    one.step()
    assert two.get_last_lr() == one.get_last_lr() and resumed.state_dict() == one.optimizer.state_dict()


def test_last_epoch_continues_from_an_initial_lr_that_a_group_is_given():
    sgd = optim.SGD([{"params": [Tensor([1.0])], "initial_lr": 0.5}], lr=0.005)
    assert optim.ExponentialLR(sgd, 0.1, last_epoch=1).get_last_lr() == pytest.approx([0.005])


SEQUENCE = ["LinearLR(o, total_iters=3)", "CosineAnnealingLR(o, 4)", "ExponentialLR(o, 0.5)"]


def sequence(package, optimiser):
    parts = [eval(f"package.{one}", {"package": package, "o": optimiser}) for one in SEQUENCE]
    return package.SequentialLR(optimiser, parts, milestones=[3, 7])


@pytest.mark.torch
@each("there, back", [("torch", "ours"), ("ours", "torch")])
@each("steps", [0, 1, 3, 5, 7])
@each("name, options", [*{(name, str(options)): (name, options) for name, options, _ in SCHEDULES}.values(), ("a sequence", {})])
def test_the_states_of_schedule_and_optimiser_move_to_pytorch_and_back(name, options, steps, there, back):
    torch = pytest.importorskip("torch")
    if name != "a sequence":
        theirs(name)

    def run(which, lr):
        package, optimisers = {"torch": (torch.optim.lr_scheduler, torch.optim), "ours": (optim, optim)}[which]
        p = Tensor([1.0]) if which == "ours" else torch.ones(1, dtype=torch.float64, requires_grad=True)
        p.grad = np.ones(1) if which == "ours" else torch.ones(1, dtype=torch.float64)
        optimiser = optimisers.SGD([p], lr=lr, momentum=0.9)
        return p, optimiser, sequence(package, optimiser) if name == "a sequence" else getattr(package, name)(optimiser, **options)

    def go_on(p, optimiser, schedule, count):
        for _ in range(count):
            optimiser.step(), schedule.step()
        return [float(np.asarray(p.data)[0]), *schedule.get_last_lr()]

    def for_torch(state):
        return {i: {key: torch.tensor(x) for key, x in one.items()} for i, one in state.items()}

    one, two = run(there, 0.5), run(back, 0.1)
    go_on(*one, steps)
    state = one[1].state_dict()
    two[1].load_state_dict(state if back == "ours" else state | {"state": for_torch(state["state"])})
    two[2].load_state_dict(one[2].state_dict())
    two[0].data = one[0].data.numpy() if back == "ours" else torch.tensor(one[0].data)
    np.testing.assert_allclose(two[2].get_last_lr(), one[2].get_last_lr(), rtol=1e-10, atol=1e-16)
    np.testing.assert_allclose(go_on(*two, 2), go_on(*one, 2), rtol=1e-10, atol=1e-16)


def test_a_schedule_is_found_where_pytorch_has_it():
    from tensorgrad.optim.lr_scheduler import StepLR

    assert optim.lr_scheduler.StepLR is StepLR is optim.StepLR


def test_the_old_names_of_the_rate_are_answered():
    with pytest.raises(AttributeError, match=r"StepLR has no get_lr: write schedule.get_last_lr\(\)"):
        of("StepLR", {"step_size": 3}).get_lr()


@each("package", [optim, optim.lr_scheduler])
def test_a_schedule_that_is_not_here_says_what_to_write(package):
    with pytest.raises(
        AttributeError, match=r"has no CyclicLR: derive a schedule of your own from Schedule: a class with rate\(self, t, b"
    ):
        package.CyclicLR  # noqa: B018


def test_a_new_schedule_starts_from_the_rates_that_the_optimiser_began_with():
    """As in PyTorch. A cell of a notebook that makes the schedule may run twice."""
    sgd = optim.SGD([Tensor([1.0])], lr=0.5)
    for _ in range(2):
        schedule = optim.LinearLR(sgd, 0.1)
        assert schedule.get_last_lr() == [0.05]


def test_only_the_schedule_that_was_made_last_may_step():
    sgd = optim.SGD([Tensor([1.0])], lr=0.5)
    one, _two = optim.LinearLR(sgd), optim.StepLR(sgd, 3)
    with pytest.raises(RuntimeError, match=r"LinearLR.step\(\): StepLR was made later for the same optimiser.*join them by SequentialLR"):
        one.step()


@each("copied", [copy.deepcopy, lambda schedule: pickle.loads(pickle.dumps(schedule))])
def test_a_copy_of_a_schedule_goes_on_with_the_copy_of_its_optimiser(copied):
    one = of("ExponentialLR", {"gamma": 0.5})
    one.step()
    two = copied(one)
    two.step()
    assert two.get_last_lr() == [0.125] and one.get_last_lr() == [0.25]


def test_a_schedule_that_moves_on_before_the_first_step_is_a_warning():
    w = Tensor([1.0])
    sgd = optim.SGD([w], lr=0.5)
    schedule = optim.StepLR(sgd, 1)
    schedule.step()  # without a later step this may show the rates
    w.grad = np.ones(1)
    with pytest.warns(UserWarning, match=r"SGD.step\(\): a schedule moved on before it, so its first rate was never used"):
        sgd.step()
    sgd.step(), schedule.step(), sgd.step()
    resumed, state = optim.SGD([w], lr=0.5), schedule.state_dict()
    resumed.load_state_dict(sgd.state_dict())
    optim.StepLR(resumed, 1).load_state_dict(state)
    resumed.step()


@each("name, options, first", [("StepLR", {"step_size": 2}, 0.5), ("OneCycleLR", {"max_lr": 0.3, "total_steps": 9}, 0.3 / 25)])
def test_a_group_that_is_added_later_needs_a_new_schedule(name, options, first):
    w = Tensor([1.0])
    sgd = optim.SGD([w], lr=0.5, momentum=0.9)
    schedule = getattr(optim, name)(sgd, **options)
    sgd.add_param_group({"params": [Tensor([2.0])], "lr": 0.2})
    with pytest.raises(ValueError, match=f"{name}: the optimiser has 2 parameter groups now, and 1 when .*; make a new schedule"):
        schedule.step()
    new = optim.ExponentialLR(sgd, 0.1)
    assert new.base_lrs == [first, 0.2] and new.get_last_lr() == [first, 0.2]
    new.step()
    np.testing.assert_allclose(new.get_last_lr(), [first / 10, 0.02])


def test_the_one_cycle_may_rise_within_its_first_step():
    """PyTorch divides by 0 here."""
    schedule = of("OneCycleLR", {"max_lr": 1.0, "total_steps": 10, "pct_start": 0.1})
    assert schedule.get_last_lr() == [1.0]
    schedule.step()
    assert 0.9 < schedule.get_last_lr()[0] < 1


def test_the_one_cycle_ends_after_as_many_calls_of_step_as_it_has_steps():
    schedule = of("OneCycleLR", {"max_lr": 1.0, "total_steps": 3, "anneal_strategy": "linear"})
    rates = []
    for _ in range(3):  # as PyTorch's loop does, which has an optimiser's step before each of these
        rates += schedule.get_last_lr()
        schedule.step()
    assert schedule.get_last_lr() == [rates[-1]] and rates[-1] > 0
    with pytest.raises(ValueError, match=r"call 4 of step\(\), and the cycle has total_steps=3; total_steps is the number of epochs times"):
        schedule.step()


def test_each_group_has_a_function_of_its_own():
    sgd = optim.SGD([{"params": [Tensor([1.0])]}, {"params": [Tensor([1.0])], "lr": 0.2}], lr=0.5)
    schedule = optim.LambdaLR(sgd, [lambda t: 0.5**t, lambda t: 1 + t])
    schedule.step()
    assert schedule.get_last_lr() == [0.25, 0.4]


class Countdown:
    """A factor with a state of its own."""

    def __init__(self):
        self.left = 3

    def __call__(self, t):
        self.left -= 1
        return max(self.left, 0)


def test_the_state_of_a_function_with_attributes_is_saved_too():
    one, two = of("LambdaLR", {"lr_lambda": Countdown()}), of("LambdaLR", {"lr_lambda": Countdown()})
    one.step()
    state = one.state_dict()
    assert state["lr_lambdas"] == [{"left": 1}]
    two.load_state_dict(state)
    assert two.lr_lambdas[0].left == 0  # loading asks it for the rate of now


LOSSES = [3.0, 2.0, 2.0, 1.9999, 2.5, 1.0, 1.0, 1.2, 1.1, float("nan"), 0.99995, 0.9, 0.9, 0.9, 0.9, 0.9, -1.0, -1.0, -1.0, -1.0]
PLATEAUS = [  # (settings, the rates at the end of LOSSES, as PyTorch gives them)
    ({"patience": 1}, [5e-06, 2e-05]),
    ({"patience": 2, "factor": 0.5}, [0.0625, 0.25]),
    ({"patience": 0, "cooldown": 2, "factor": 0.5}, [0.015625, 0.0625]),
    ({"patience": 1, "threshold": 0.5, "threshold_mode": "abs", "factor": 0.5}, [0.00390625, 0.015625]),
    ({"patience": 2, "mode": "max", "threshold": 0.1, "min_lr": [0.1, 0.001], "factor": 0.3}, [0.1, 0.001458]),
    ({"patience": 0, "mode": "max", "threshold_mode": "abs", "eps": 0.01}, [0.005, 0.002]),
]


def of_two_groups(package, options, optimisers, p):
    sgd = optimisers.SGD([{"params": [p()], "lr": 0.5}, {"params": [p()], "lr": 2.0}])
    return package.ReduceLROnPlateau(sgd, **options)


def plateau(options):
    return of_two_groups(optim, options, optim, lambda: Tensor([1.0]))


def rates(schedule, losses):
    """Return the rates after each loss."""
    found = []
    for loss in losses:
        schedule.step(loss)
        found.append([group["lr"] for group in schedule.optimizer.param_groups])
    return np.array(found)


@each("options, expected", PLATEAUS)
def test_the_rates_on_a_plateau_are_those_of_pytorch(options, expected):
    np.testing.assert_allclose(rates(plateau(options), LOSSES)[-1], expected, rtol=1e-9)


@pytest.mark.torch
@each("options, expected", PLATEAUS)
def test_the_rates_on_a_plateau_equal_pytorchs_at_each_step_and_its_state_moves(options, expected):
    torch = pytest.importorskip("torch")
    theirs = of_two_groups(torch.optim.lr_scheduler, options, torch.optim, lambda: torch.ones(1, requires_grad=True))
    ours = plateau(options)
    np.testing.assert_allclose(rates(ours, LOSSES[:9]), rates(theirs, LOSSES[:9]), rtol=1e-10)
    other = plateau(options)
    other.load_state_dict(theirs.state_dict())
    other.optimizer.load_state_dict(ours.optimizer.state_dict())
    theirs.load_state_dict(ours.state_dict())
    expected = rates(theirs, LOSSES[9:])
    for schedule in (ours, other):
        np.testing.assert_allclose(rates(schedule, LOSSES[9:]), expected, rtol=1e-10)


def test_a_loss_may_be_a_tensor():
    schedule = plateau({"patience": 0})
    for loss in (Tensor(1.0), Tensor([2.0]), np.float32(3.0)):
        schedule.step(loss)
    np.testing.assert_allclose(schedule.get_last_lr(), [0.005, 0.02])


def test_a_plateau_after_a_new_group_or_a_later_schedule_is_refused():
    schedule = plateau({})
    schedule.optimizer.add_param_group({"params": [Tensor([2.0])]})
    with pytest.raises(ValueError, match="ReduceLROnPlateau: a parameter group was added after the schedule was made"):
        schedule.step(1.0)
    later = plateau({})
    optim.StepLR(later.optimizer, 2)
    with pytest.raises(RuntimeError, match=r"ReduceLROnPlateau.step\(\): StepLR was made later"):
        later.step(1.0)


def test_a_run_with_a_plateau_is_saved_and_goes_on(tmp_path):
    one, two = plateau({"patience": 1}), plateau({"patience": 1})
    rates(one, LOSSES[:7])
    save(tmp_path / "run.safetensors", optimizer=one.optimizer, schedule=one)
    load(tmp_path / "run.safetensors", optimizer=two.optimizer, schedule=two)
    assert two.state_dict() == one.state_dict()
    np.testing.assert_array_equal(rates(two, LOSSES[7:]), rates(one, LOSSES[7:]))


SGD = optim.SGD([Tensor([1.0])], lr=0.5)


@each(
    "make, message",
    [
        (lambda: optim.StepLR(3, 3), "StepLR: 3 is not an optimiser"),
        (lambda: optim.StepLR(SGD, 2, last_epoch=-2), "StepLR: last_epoch=-2 is not -1 for a new schedule, or the number of the last step"),
        (
            lambda: optim.StepLR(optim.SGD([Tensor([1.0])]), 2, last_epoch=3),
            "StepLR: last_epoch=3 continues a schedule, but parameter group 0 has no initial_lr; load the optimiser's state first",
        ),
        (lambda: optim.StepLR(SGD, 0), "StepLR: step_size=0 is out of range; it must be 1 or more"),
        (lambda: optim.StepLR(SGD, 2, "a"), "StepLR: gamma='a' is not a number"),
        (lambda: optim.MultiStepLR(SGD, 3), "MultiStepLR: milestones=3 is not a list"),
        (lambda: optim.CosineAnnealingLR(SGD, 1.5), "CosineAnnealingLR: T_max=1.5 is not an integer"),
        (lambda: optim.LambdaLR(SGD, 0.5), "LambdaLR: lr_lambda=0.5 is not a function of the number of steps"),
        (lambda: optim.LambdaLR(SGD, [abs, abs]), "LambdaLR: lr_lambda has 2 functions for 1 parameter groups"),
        (lambda: optim.LambdaLR(SGD, lambda t: None), r"LambdaLR: lr_lambda\(0\)=None is not a number"),
        (lambda: optim.LambdaLR(SGD, lambda t: -1), r"LambdaLR: lr_lambda\(0\)=-1 is out of range"),
        (lambda: optim.LambdaLR(3, abs), "LambdaLR: 3 is not an optimiser"),
        (lambda: optim.ReduceLROnPlateau(3), "ReduceLROnPlateau: 3 is not an optimiser"),
        (lambda: optim.ReduceLROnPlateau(SGD, "mean"), "ReduceLROnPlateau: mode='mean' is unknown; use 'min' or 'max'"),
        (lambda: optim.ReduceLROnPlateau(SGD, threshold_mode="x"), "ReduceLROnPlateau: threshold_mode='x' is unknown"),
        (lambda: optim.ReduceLROnPlateau(SGD, factor=1), "ReduceLROnPlateau: factor=1 is out of range"),
        (lambda: optim.ReduceLROnPlateau(SGD, patience=-1), "ReduceLROnPlateau: patience=-1 is out of range; it must be 0 or more"),
        (lambda: optim.ReduceLROnPlateau(SGD, min_lr=[0, 0]), "ReduceLROnPlateau: min_lr has 2 numbers for 1 parameter groups"),
        (lambda: optim.ReduceLROnPlateau(SGD, verbose=True), "unknown argument verbose="),
        (lambda: optim.ReduceLROnPlateau(SGD).step([1.0]), r"ReduceLROnPlateau.step: metrics=\[1.0\] is not a number"),
        (lambda: optim.ReduceLROnPlateau(SGD).step(), "metrics"),
        (lambda: optim.ReduceLROnPlateau(SGD).load_state_dict({}), "{} is not the state of a ReduceLROnPlateau"),
        (lambda: optim.SequentialLR(SGD, [optim.ReduceLROnPlateau(SGD)], []), "SequentialLR: .*milestones|ReduceLROnPlateau needs a loss"),
        (lambda: optim.LinearLR(SGD, 0), "LinearLR: start_factor=0 is out of range"),
        (lambda: optim.OneCycleLR(SGD, [0.1, 0.2], 9, cycle_momentum=False), "OneCycleLR: max_lr has 2 numbers for 1 parameter groups"),
        (lambda: optim.LRScheduler(SGD, [0.1]), r"LRScheduler: \[0.1\] is not a table of rates"),
        (lambda: optim.LRScheduler(SGD, {-1: 0.1}), "LRScheduler: a step=-1 is out of range; it must be 0 or more"),
        (lambda: optim.StepLR(SGD, 2, np.nan), "StepLR: gamma=nan is not finite"),
        (lambda: optim.LRScheduler(SGD, {1: np.nan}), "LRScheduler: the rate of step 1=nan is not finite"),
        (lambda: optim.OneCycleLR(SGD, [-1.0], 5, cycle_momentum=False), "OneCycleLR: max_lr=-1.0 is out of range; it must be 0 or more"),
        (lambda: optim.OneCycleLR(SGD, np.nan, 5, cycle_momentum=False), "OneCycleLR: max_lr=nan is not finite"),
        (lambda: optim.LRScheduler(SGD, {1: -0.1}), "LRScheduler: the rate of step 1=-0.1 is out of range"),
        (lambda: optim.SequentialLR(SGD, [optim.StepLR(SGD, 2)], [1]), "SequentialLR: 1 schedules need 0 milestones|milestones=\\[1\\]"),
        (lambda: optim.SequentialLR(SGD, [of("StepLR", {"step_size": 1})] * 2, [1]), "must be a schedule of this optimiser"),
        (lambda: optim.OneCycleLR(SGD, 1.0), "OneCycleLR: total_steps is missing; give it, or epochs and steps_per_epoch"),
        (lambda: optim.OneCycleLR(SGD, 1.0, 5, pct_start=2), "OneCycleLR: pct_start=2 is out of range"),
        (lambda: optim.OneCycleLR(SGD, 1.0, 5, anneal_strategy="sin"), "OneCycleLR: anneal_strategy='sin' is unknown"),
        (lambda: optim.OneCycleLR(optim.Adagrad([Tensor([1.0])]), 1.0, 5), "OneCycleLR: Adagrad has no momentum; write cycle_momentum=F"),
        (lambda: optim.StepLR(SGD, 2).load_state_dict({}), "StepLR.load_state_dict: {} is not the state of a schedule"),
        (lambda: optim.StepLR(SGD, 2).load_state_dict({"last_epoch": 1, "base_lrs": [1, 2]}), "does not fit an optimiser with 1 parameter"),
    ],
    ids=lambda x: None,
)
def test_bad_input_is_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()

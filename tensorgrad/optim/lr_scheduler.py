"""Schedules of the learning rate: after each step (or epoch) call schedule.step(). The rates are PyTorch's.

A schedule is a formula: rate(t, base) is the rate of a group after t calls of step(), if it began with the rate `base`.
"""

from bisect import bisect_right
from collections.abc import Mapping
from math import cos, pi
from types import FunctionType

from scalargrad.messages.errors import brief, integer, must_be_one_of, number, wrong_type
from scalargrad.messages.foreign_names import answering
from tensorgrad.optim.base_schedule import Schedule, each_group, finite, several
from tensorgrad.optim.parameters import MOMENTA, RATES
from tensorgrad.optim.plateau import ReduceLROnPlateau

__all__ = [
    "Schedule", "StepLR", "MultiStepLR", "ExponentialLR", "CosineAnnealingLR", "LambdaLR", "LinearLR", "OneCycleLR",
    "ReduceLROnPlateau", "SequentialLR", "LRScheduler",
]  # fmt: skip

ELSEWHERE = {  # advice for PyTorch's names of schedules that are not here
    "MultiplicativeLR ConstantLR PolynomialLR": "write LambdaLR(optimizer, lambda t: factor), with the factor of the rate after t steps",
    "CyclicLR CosineAnnealingWarmRestarts ChainedScheduler SWALR _LRScheduler":
        "derive a schedule of your own from Schedule: a class with rate(self, t, base), the rate after t steps",
}  # fmt: skip
__getattr__ = answering(__name__, ELSEWHERE)


class StepLR(Schedule):
    """Multiply the rate by gamma every step_size steps.

    >>> from tensorgrad import Tensor, optim
    >>> sgd = optim.SGD([Tensor([1.0])], lr=0.5)
    >>> schedule = optim.StepLR(sgd, step_size=2)
    >>> [round(schedule.rate(t, base=0.5), 6) for t in range(5)]
    [0.5, 0.5, 0.05, 0.05, 0.005]
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = integer("StepLR", "step_size", step_size, 1), finite("StepLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def rate(self, t, base):
        return base * self.gamma ** (t // self.step_size)


class MultiStepLR(Schedule):
    """Multiply the rate by gamma at each of the milestones, which are numbers of steps.

    >>> from tensorgrad import Tensor, optim
    >>> sgd = optim.SGD([Tensor([1.0])], lr=0.5)
    >>> schedule = optim.MultiStepLR(sgd, [1, 3])
    >>> [round(schedule.rate(t, base=0.5), 6) for t in range(5)]
    [0.5, 0.05, 0.05, 0.005, 0.005]
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = sorted(integer("MultiStepLR", "milestones", m, 1) for m in several("MultiStepLR", "milestones", milestones))
        self.gamma = finite("MultiStepLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def rate(self, t, base):
        return base * self.gamma ** bisect_right(self.milestones, t)


class ExponentialLR(Schedule):
    """Multiply the rate by gamma in each step.

    >>> from tensorgrad import Tensor, optim
    >>> schedule = optim.ExponentialLR(optim.SGD([Tensor([1.0])], lr=0.5), 0.5)
    >>> [schedule.rate(t, base=0.5) for t in range(4)]
    [0.5, 0.25, 0.125, 0.0625]
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = finite("ExponentialLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def rate(self, t, base):
        return base * self.gamma**t


class CosineAnnealingLR(Schedule):
    """Lower the rate from its start to eta_min along half a cosine of T_max steps: eta_min + (base - eta_min) (1 + cos(π t / T_max)) / 2.

    After T_max steps the rate rises again, as in PyTorch. Source: Loshchilov and Hutter, "SGDR", 2017.

    >>> from tensorgrad import Tensor, optim
    >>> schedule = optim.CosineAnnealingLR(optim.SGD([Tensor([1.0])], lr=0.5), 4)
    >>> [round(schedule.rate(t, base=0.5), 6) for t in range(5)]
    [0.5, 0.426777, 0.25, 0.073223, 0.0]
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = integer("CosineAnnealingLR", "T_max", T_max, 1), finite("CosineAnnealingLR", "eta_min", eta_min)
        super().__init__(optimizer, last_epoch)

    def rate(self, t, base):
        return self.eta_min + (base - self.eta_min) * (1 + cos(pi * t / self.T_max)) / 2


class LambdaLR(Schedule):
    """Multiply the rate that a group began with by lr_lambda(t), a function of the number of steps, or by one function for each group.

    Raises ValueError if there are fewer or more functions than groups, or for a factor that is not finite or below 0. The state of a
    function that is an object with attributes is saved, too, as in PyTorch.

    >>> from tensorgrad import Tensor, optim
    >>> schedule = optim.LambdaLR(optim.SGD([Tensor([1.0])], lr=0.5), lambda t: min((t + 1) / 4, 1))
    >>> [schedule.options(t, group=0)["lr"] for t in range(5)]
    [0.125, 0.25, 0.375, 0.5, 0.5]
    """

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        groups = len(getattr(optimizer, "param_groups", ()))
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, list | tuple) else [lr_lambda] * groups
        if groups and len(self.lr_lambdas) != groups:
            raise ValueError(f"LambdaLR: lr_lambda has {len(self.lr_lambdas)} functions for {groups} parameter groups; give one for each")
        for function in self.lr_lambdas:
            if not callable(function):
                raise wrong_type("LambdaLR", "lr_lambda", function, "a function of the number of steps; write lambda t: 0.95**t")
        super().__init__(optimizer, last_epoch)

    def options(self, t, group):
        return {"lr": self.base_lrs[group] * finite("LambdaLR", f"lr_lambda({t})", self.lr_lambdas[group](t), 0)}

    def counted(self, t):
        kept = [None if isinstance(one, FunctionType) else dict(getattr(one, "__dict__", {})) for one in self.lr_lambdas]
        return super().counted(t) | {"lr_lambdas": kept}

    def load_state_dict(self, state):
        for function, kept in zip(self.lr_lambdas, state.get("lr_lambdas", ()) if isinstance(state, Mapping) else ()):
            if kept:
                function.__dict__.update(kept)
        super().load_state_dict(state)


class LinearLR(Schedule):
    """Multiply the rate by a factor that goes from start_factor to end_factor in total_iters steps and stays there: a warm-up.

    >>> from tensorgrad import Tensor, optim
    >>> schedule = optim.LinearLR(optim.SGD([Tensor([1.0])], lr=0.5), 0.5, total_iters=2)
    >>> [schedule.rate(t, base=0.5) for t in range(4)]
    [0.25, 0.375, 0.5, 0.5]
    """

    def __init__(self, optimizer, start_factor=1 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        self.start, self.end = finite("LinearLR", "start_factor", start_factor), finite("LinearLR", "end_factor", end_factor)
        if not 0 < self.start <= 1:
            raise ValueError(f"LinearLR: start_factor={start_factor} is out of range; it must be above 0 and at most 1")
        self.total_iters = integer("LinearLR", "total_iters", total_iters, 1)
        super().__init__(optimizer, last_epoch)

    def rate(self, t, base):
        return base * (self.start + (self.end - self.start) * min(t, self.total_iters) / self.total_iters)


class LRScheduler(Schedule):
    """Set the rate to the one of the table {step: rate} with the largest step that has been reached; before the first, keep the rate.

    >>> from tensorgrad import Tensor, optim
    >>> schedule = optim.LRScheduler(optim.SGD([Tensor([1.0])], lr=0.5), {2: 0.1, 3: 0.01})
    >>> [schedule.rate(t, base=0.5) for t in range(5)]
    [0.5, 0.5, 0.1, 0.01, 0.01]
    """

    def __init__(self, optimizer, table, last_epoch=-1):
        if not isinstance(table, Mapping) or not table:
            advice = "write LRScheduler(optimizer, {0: 0.1, 100: 0.01}), or derive a schedule from Schedule, with rate(self, t, base)"
            raise TypeError(f"LRScheduler: {brief(table)} is not a table of rates; {advice}")
        for step, lr in table.items():
            integer("LRScheduler", "a step", step, 0)
            finite("LRScheduler", f"the rate of step {step}", lr, 0)
        self.table = dict(sorted(table.items()))
        super().__init__(optimizer, last_epoch)

    def rate(self, t, base):
        reached = [lr for step, lr in self.table.items() if step <= t]
        return reached[-1] if reached else base


class SequentialLR(Schedule):
    """Run several schedules of one optimiser one after the other. Number i + 1 begins after milestones[i] steps, at its own step 0.

    >>> from tensorgrad import Tensor, optim
    >>> sgd = optim.SGD([Tensor([1.0])], lr=0.5)
    >>> warm_up, decay = optim.LinearLR(sgd, 0.5, total_iters=2), optim.ExponentialLR(sgd, 0.1)
    >>> schedule = optim.SequentialLR(sgd, [warm_up, decay], milestones=[3])
    >>> [round(schedule.options(t, group=0)["lr"], 6) for t in range(6)]
    [0.25, 0.375, 0.5, 0.5, 0.05, 0.005]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        self.schedules = several("SequentialLR", "schedulers", schedulers)
        self.milestones = [integer("SequentialLR", "milestones", m, 1) for m in several("SequentialLR", "milestones", milestones)]
        if len(self.milestones) != len(self.schedules) - 1 or self.milestones != sorted(self.milestones):
            raise ValueError(f"SequentialLR: {len(self.schedules)} schedules need {len(self.schedules) - 1} milestones in ascending order")
        if any(isinstance(one, ReduceLROnPlateau) for one in self.schedules):
            raise ValueError("SequentialLR: ReduceLROnPlateau needs a loss in each step; step it by itself, after the other schedules")
        if any(not isinstance(one, Schedule) or one.optimizer is not optimizer for one in self.schedules):
            raise ValueError("SequentialLR: each of the schedulers must be a schedule of this optimiser; make them with the same one")
        super().__init__(optimizer, last_epoch)

    def options(self, t, group):
        now = bisect_right(self.milestones, t)
        schedule = self.schedules[now]
        schedule.base_lrs = self.base_lrs  # which may come from a state
        return schedule.options(t - ([0, *self.milestones])[now], group)

    def counted(self, t):
        """Return PyTorch's entries; a schedule that has not begun is at step -1."""
        ends = [*self.milestones, t + 1]
        places = [min(t + 1, end) - begin - 1 for begin, end in zip([0, *ends], ends)]
        bases = {"base_lrs": list(self.base_lrs)}
        states = [{"last_epoch": max(at, -1)} | bases | one.counted(max(at, -1)) for one, at in zip(self.schedules, places)]
        return super().counted(t) | {"_milestones": list(self.milestones), "_schedulers": states}

    def load_state_dict(self, state):
        if isinstance(state, Mapping) and state.get("_schedulers"):
            state = {"base_lrs": rates_at_the_start(state)} | dict(state)  # PyTorch's sequence has them in its schedules only
        super().load_state_dict(state)


class OneCycleLR(Schedule):
    """Raise the rate from max_lr / div_factor to max_lr, then lower it to max_lr / (div_factor · final_div_factor), in total_steps.

    The rise takes pct_start of the steps. With three_phase the way down to the first rate is as long as the rise, and a third phase
    ends lower. Phases follow half a cosine, or a line with anneal_strategy="linear". With cycle_momentum, momentum (or Adam's first
    beta) goes the opposite way, from max_momentum to base_momentum and back. total_steps may be given as epochs and steps_per_epoch.
    The rate of step number total_steps, which a loop of as many steps sets at its end and never uses, is the last one again;
    step() raises ValueError beyond. Source: Smith and Topin, "Super-Convergence", 2018.

    >>> from tensorgrad import Tensor, optim
    >>> sgd = optim.SGD([Tensor([1.0])], momentum=0.9)
    >>> schedule = optim.OneCycleLR(sgd, max_lr=1.0, total_steps=6, pct_start=0.5)
    >>> [round(schedule.options(t, group=0)["lr"], 6) for t in range(6)]
    [0.04, 0.52, 1.0, 0.750001, 0.250003, 4e-06]
    """

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
                 cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4,
                 three_phase=False, last_epoch=-1):  # fmt: skip
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise TypeError("OneCycleLR: total_steps is missing; give it, or epochs and steps_per_epoch")
            total_steps = integer("OneCycleLR", "epochs", epochs, 1) * integer("OneCycleLR", "steps_per_epoch", steps_per_epoch, 1)
        self.total_steps = integer("OneCycleLR", "total_steps", total_steps, 1)
        number("OneCycleLR", "pct_start", pct_start, 0, 1)
        must_be_one_of("OneCycleLR", ("cos", "linear"), anneal_strategy=anneal_strategy)
        self.between = along_cosine if anneal_strategy == "cos" else along_line
        groups = len(getattr(optimizer, "param_groups", ()))
        self.tops = each_group("OneCycleLR", "max_lr", max_lr, groups)
        self.cycle_momentum = cycle_momentum
        self.momenta = [
            each_group("OneCycleLR", *pair, groups) for pair in (("max_momentum", max_momentum), ("base_momentum", base_momentum))
        ]
        if cycle_momentum and not {"momentum", "betas"} & getattr(optimizer, "defaults", {"betas"}).keys():
            raise ValueError(f"OneCycleLR: {type(optimizer).__name__} has no momentum; write cycle_momentum=False")
        self.div_factor, self.final_div_factor = div_factor, final_div_factor
        self.ends = self.phases(pct_start, three_phase)
        self.keeps = (*RATES, *(MOMENTA if cycle_momentum else ()))
        super().__init__(optimizer, last_epoch)

    def begin(self, group, i):
        first = self.tops[i] / self.div_factor
        group.update(zip(RATES, (first, self.tops[i], first / self.final_div_factor)))
        if self.cycle_momentum:
            group.update(zip(MOMENTA, (momenta[i] for momenta in self.momenta)))

    def phases(self, pct_start, three_phase):
        """Return [(last step, number of the rate at its end, number of the momentum at its end)] for each phase."""
        top, last = pct_start * self.total_steps - 1, self.total_steps - 1
        return [(top, 1, 1), (2 * top, 0, 0), (last, 2, 0)] if three_phase else [(top, 1, 1), (last, 2, 0)]

    def options(self, t, group):
        if t > self.total_steps:
            raise ValueError(
                f"OneCycleLR.step(): call {t} of step(), and the cycle has total_steps={self.total_steps}; "
                "total_steps is the number of epochs times the steps of each"
            )
        t = min(t, self.total_steps - 1)  # a loop of total_steps steps calls step() after the last of them too
        options = self.optimizer.param_groups[group]
        start, rate, momentum = 0, 0, 0
        for end, next_rate, next_momentum in self.ends:
            if t <= end or end == self.total_steps - 1:
                share = (t - start) / (end - start) if end > start else 1  # a rise within the first step
                found = {"lr": self.between(options[RATES[rate]], options[RATES[next_rate]], share)}
                return found | self.momentum(options, MOMENTA[momentum], MOMENTA[next_momentum], share)
            start, rate, momentum = end, next_rate, next_momentum

    def momentum(self, options, begin, end, share):
        """Return the option of a group that has its momentum, at a share of the way between two of those that it keeps."""
        if not self.cycle_momentum:
            return {}
        x = self.between(options[begin], options[end], share)
        return {"betas": (x, *options["betas"][1:])} if "betas" in options else {"momentum": x}


def rates_at_the_start(state):
    """Return the rates that the groups began with, from the state of a sequence."""
    inner = state["_schedulers"][0]
    return inner["base_lrs"] if "base_lrs" in inner else rates_at_the_start(inner)


def along_cosine(a, b, share):
    """Return the point between a and b at a share of half a cosine."""
    return b + (a - b) / 2 * (1 + cos(pi * share))


def along_line(a, b, share):
    """Return the point between a and b at a share of the line."""
    return a + (b - a) * share

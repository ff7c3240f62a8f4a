"""The schedule that looks at a loss: the rates fall when it has not become better for some time. Names and numbers are PyTorch's."""

from collections.abc import Mapping
from math import inf

from scalargrad.messages.errors import brief, must_be_integers, must_be_one_of, number
from tensorgrad.optim.base_schedule import Schedule, each_group, finite, in_charge, must_be_optimiser


class ReduceLROnPlateau(Schedule):
    """Multiply the rates by `factor` when a loss has not become better in more than `patience` calls of step(loss).

    With mode="max" the number is one that should grow, such as an accuracy. Better means below best · (1 - threshold), or below
    best - threshold with threshold_mode="abs"; with mode="max" above best · (1 + threshold) or best + threshold. After a reduction
    the next `cooldown` calls do not count. A rate stays at min_lr (one number, or one for each group) or above, and where a
    reduction would be smaller than eps. A nan is not better.

    >>> from tensorgrad import Tensor, optim
    >>> sgd = optim.SGD([Tensor([1.0])], lr=0.5)
    >>> schedule = optim.ReduceLROnPlateau(sgd, patience=1)
    >>> for loss in (3.0, 2.0, 2.0, 2.0): schedule.step(loss)
    >>> schedule.get_last_lr()
    [0.05]
    """

    kept = ("best", "num_bad_epochs", "cooldown_counter", "last_epoch")  # in the state, under PyTorch's names

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8
    ):
        who = "ReduceLROnPlateau"
        must_be_optimiser(who, optimizer)
        must_be_one_of(who, ("min", "max"), mode=mode)
        must_be_one_of(who, ("rel", "abs"), threshold_mode=threshold_mode)
        if not 0 <= finite(who, "factor", factor) < 1:
            raise ValueError(f"{who}: factor={factor} is out of range; it must be 0 or more and below 1")
        must_be_integers(who, 0, patience=patience, cooldown=cooldown)
        self.mode, self.factor, self.patience, self.cooldown = mode, factor, patience, cooldown
        self.threshold, self.threshold_mode, self.eps = finite(who, "threshold", threshold), threshold_mode, finite(who, "eps", eps)
        self.min_lrs = each_group(who, "min_lr", min_lr, len(optimizer.param_groups))
        self.best = inf if mode == "min" else -inf
        self.optimizer, self.last_epoch, self.num_bad_epochs, self.cooldown_counter = optimizer, 0, 0, 0
        in_charge[optimizer] = self

    def step(self, metrics):
        """Count a call whose loss is not better, and reduce the rates after too many. Call it with the loss of each epoch.

        Raises TypeError for anything else than one number, and RuntimeError if a schedule that was made later sets the rates.
        """
        loss = one_number(metrics)
        self.must_be_in_charge()
        if len(self.optimizer.param_groups) != len(self.min_lrs):
            raise ValueError(f"{type(self).__name__}: a parameter group was added after the schedule was made; make a new schedule")
        better = self.is_better(loss)
        self.best = loss if better else self.best
        self.last_epoch += 1
        self.num_bad_epochs = 0 if better or self.cooldown_counter else self.num_bad_epochs + 1
        self.cooldown_counter = max(self.cooldown_counter - 1, 0)
        if self.num_bad_epochs > self.patience:
            self.reduce()
            self.num_bad_epochs, self.cooldown_counter = 0, self.cooldown

    def is_better(self, loss):
        """Return whether a loss is better than the best one by more than the threshold."""
        sign = 1 if self.mode == "max" else -1
        bound = self.best * (1 + sign * self.threshold) if self.threshold_mode == "rel" else self.best + sign * self.threshold
        return loss > bound if self.mode == "max" else loss < bound

    def reduce(self):
        """Multiply the rate of each group by the factor; keep it at its least value or above."""
        for group, least in zip(self.optimizer.param_groups, self.min_lrs):
            lower = max(group["lr"] * self.factor, least)
            if group["lr"] - lower > self.eps:
                group["lr"] = lower

    def state_dict(self):
        """Return the counts and the best loss, under PyTorch's names. The rates are part of the optimiser's state."""
        return {name: getattr(self, name) for name in self.kept} | {"_last_lr": self.get_last_lr()}

    def load_state_dict(self, state):
        """Continue from a state, also from that of PyTorch's schedule. The settings stay those of this one."""
        if not isinstance(state, Mapping) or not set(self.kept) <= state.keys():
            who = f"{type(self).__name__}.load_state_dict"
            raise TypeError(f"{who}: {brief(state)} is not the state of a ReduceLROnPlateau; give it what state_dict() returned")
        self.best = float(state["best"])
        self.num_bad_epochs, self.cooldown_counter, self.last_epoch = [int(state[name]) for name in self.kept[1:]]


def one_number(metrics):
    """Return a loss, a number or a tensor of one entry, as a float."""
    if getattr(metrics, "size", None) == 1:
        metrics = metrics.item()
    return float(number("ReduceLROnPlateau.step", "metrics", metrics))

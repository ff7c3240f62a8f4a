"""What a schedule of the learning rate is: its position, the rates of the groups, at the beginning and now; what arguments must be."""

from collections.abc import Mapping
from math import isfinite
from numbers import Integral
from weakref import WeakKeyDictionary

from scalargrad.messages.errors import brief, is_number, number, wrong_type
from tensorgrad.errors.calls import must_construct
from tensorgrad.optim.optimiser import Optimiser

in_charge: WeakKeyDictionary = WeakKeyDictionary()  # optimiser: the schedule that was made for it last


class Schedule:
    """The base of all schedules. Making one sets the rates for t = 0; each step() adds 1 to t (`last_epoch`, as in PyTorch).

    A schedule is a subclass with `rate(t, base)`, where base is the rate that a group began with: its `initial_lr`, which stands in the
    parameter group and in the optimiser's state. With last_epoch=t the schedule continues after step t of an earlier one; load the
    optimiser's state first. Only the schedule that was made last sets the rates of an optimiser; an older one raises RuntimeError in
    step(). Raises TypeError if it is not given an optimiser, ValueError if last_epoch is given and a group has no initial_lr.

    >>> from tensorgrad import Tensor, optim
    >>> class Halving(optim.Schedule):
    ...     def rate(self, t, base): return base / 2**t
    >>> sgd = optim.SGD([Tensor([1.0])], lr=0.8); halving = Halving(sgd)
    >>> halving.step(); halving.get_last_lr()
    [0.4]
    """

    keeps: tuple[str, ...] = ("initial_lr",)  # what the schedule keeps in each parameter group, under PyTorch's names

    def __new__(cls, *args, **options):
        """Refuse arguments that a schedule of this package does not have."""
        if cls.__module__.startswith("tensorgrad.optim."):
            must_construct(cls, args, options)
        return object.__new__(cls)

    def __init__(self, optimizer, last_epoch=-1):
        who = type(self).__name__
        must_be_optimiser(who, optimizer)
        if not isinstance(last_epoch, Integral) or isinstance(last_epoch, bool) or last_epoch < -1:
            raise wrong_type(who, "last_epoch", last_epoch, "-1 for a new schedule, or the number of the last step")
        self.optimizer, self.last_epoch = optimizer, int(last_epoch) + 1
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                self.begin(group, i)
            elif missing := [name for name in self.keeps if name not in group]:
                wrong = f"last_epoch={last_epoch} continues a schedule, but parameter group {i} has no {missing[0]}"
                raise ValueError(f"{who}: {wrong}; load the optimiser's state first, or leave last_epoch out and load the schedule's state")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        in_charge[optimizer] = self
        self.apply()

    def begin(self, group, i):
        """Note in parameter group number i what the schedule keeps there. A rate that an earlier schedule began with stays."""
        group.setdefault("initial_lr", group["lr"])

    def rate(self, t, base):
        """Return the learning rate after t steps for a group that began with the rate `base`."""
        raise NotImplementedError(f"{type(self).__name__} has no rate(self, t, base); write one that returns the rate after t steps")

    def options(self, t, group):
        """Return {option: value} for a group after t steps."""
        return {"lr": self.rate(t, self.base_lrs[group])}

    def apply(self):
        """Give the groups their options of now. Raises ValueError if a group was added after the schedule was made."""
        who, groups = type(self).__name__, len(self.optimizer.param_groups)
        if groups != len(self.base_lrs):
            wrong = f"the optimiser has {groups} parameter groups now, and {len(self.base_lrs)} when the schedule was made"
            raise ValueError(f"{who}: {wrong}; make a new schedule after add_param_group()")
        for i, group in enumerate(self.optimizer.param_groups):
            group.update(self.options(self.last_epoch, i))

    def step(self, *others):
        """Set the rates of the next step. Call it after optimizer.step(): else the first rate is never used, and a warning says so.

        It counts by itself: raises TypeError for an argument. Raises RuntimeError if a schedule that was made later sets the rates.
        """
        if others:
            raise TypeError(f"{type(self).__name__}.step({brief(others[0])}): step() takes neither an epoch nor a loss; write step()")
        self.must_be_in_charge()
        self.optimizer.scheduled_early = self.optimizer.scheduled_early or not self.optimizer.has_stepped
        self.last_epoch += 1
        self.apply()

    def must_be_in_charge(self):
        """Raise RuntimeError if another schedule was made later for the optimiser."""
        other = in_charge.setdefault(self.optimizer, self)  # a copy has an optimiser of its own
        if other is not self:
            who, other = type(self).__name__, type(other).__name__
            raise RuntimeError(f"{who}.step(): {other} was made later for the same optimiser and sets its rates; join them by SequentialLR")

    def get_last_lr(self):
        """Return the learning rate of each group."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self):
        """Return the position and the rates that the groups began with, under PyTorch's names."""
        return {"last_epoch": self.last_epoch, "base_lrs": list(self.base_lrs)} | self.counted(self.last_epoch)

    def counted(self, t):
        """Return what PyTorch's schedule has in its state besides, after t steps."""
        return {"_step_count": t + 1, "_last_lr": self.get_last_lr()}

    def load_state_dict(self, state):
        """Continue from a position, also from that of PyTorch's schedule. The settings, such as gamma, stay those of this one.

        Raises ValueError if the state is that of another number of groups; then nothing has changed.
        """
        who, groups = f"{type(self).__name__}.load_state_dict", len(self.optimizer.param_groups)
        if not isinstance(state, Mapping) or not {"last_epoch", "base_lrs"} <= state.keys():
            raise TypeError(f"{who}: {brief(state)} is not the state of a schedule; give it what state_dict() returned")
        if len(state["base_lrs"]) != groups or state["last_epoch"] < 0:
            raise ValueError(f"{who}: {brief(state)} does not fit an optimiser with {groups} parameter groups")
        self.last_epoch, self.base_lrs = int(state["last_epoch"]), [float(base) for base in state["base_lrs"]]
        for group, base in zip(self.optimizer.param_groups, self.base_lrs):
            group["initial_lr"] = base
        self.apply()

    def __repr__(self):
        return f"{type(self).__name__}(step {self.last_epoch}, lr {', '.join(f'{lr:g}' for lr in self.get_last_lr())})"


def must_be_optimiser(who, optimizer):
    if not isinstance(optimizer, Optimiser):
        raise TypeError(f"{who}: {brief(optimizer)} is not an optimiser; write {who}(optimizer, ...)")


def finite(who, name, x, least=None):
    if is_number(x) and not isfinite(x):
        raise ValueError(f"{who}: {name}={x} is not finite")
    return number(who, name, x, least)


def several(who, name, xs):
    if not isinstance(xs, list | tuple) or not xs:
        raise wrong_type(who, name, xs, "a list")
    return list(xs)


def each_group(who, name, x, groups):
    """Return a list with a number for each parameter group. Raises ValueError for a number below 0, or another count of numbers."""
    found = list(x) if isinstance(x, list | tuple) else [x] * groups
    if groups and len(found) != groups:
        raise ValueError(f"{who}: {name} has {len(found)} numbers for {groups} parameter groups; give one for each group")
    for one in found or [x]:
        finite(who, name, one, 0)
    return found

"""What all optimisers share: parameter groups, the state of each parameter, its dictionary in PyTorch's layout, and steps in place.

The file of an optimiser has its options, the names of its state, and the update of one block.
"""

import warnings
from collections.abc import Mapping
from functools import partial
from itertools import count
from numbers import Real

import numpy as np

from scalargrad.messages.errors import brief
from scalargrad.modes import recording
from tensorgrad.arrays.blas import one_blas_thread
from tensorgrad.arrays.errstate import silence
from tensorgrad.errors.calls import must_construct
from tensorgrad.kernels.blocks import FOR_COMPILED, FOR_THREADS, ROOMS
from tensorgrad.kernels.threads import each
from tensorgrad.optim.blocks import BYTES, blocks, writable
from tensorgrad.optim.parameters import SCHEDULED, group_of, groups_of, number_of, python_numbers, require_options
from tensorgrad.tensor import array_of

MEAN = 1 << 15  # numbers of a part, in the mean, from which several threads pay


class Optimiser:
    """The base of all optimisers. `params` are leaf tensors, pairs (name, tensor), or groups: {"params": tensors, option: value}.

    `param_groups` lists the groups, each a dictionary whose options may be changed between steps. `state` has the arrays that the
    optimiser keeps for each parameter, under PyTorch's names. Raises ValueError if there are no parameters, if a parameter is listed twice
    or is not a leaf, and if an option is out of range. Raises TypeError if something is not a tensor or not a number.

    An optimiser is a subclass with two methods:

    >>> class SignDescent(Optimiser):
    ...     def __init__(self, params, lr=0.1):
    ...         super().__init__(params, {"lr": lr})
    ...     def update(self, options, number, scalar):
    ...         lr = scalar(options["lr"])
    ...         def block(p, g, t):
    ...             np.sign(g, out=t); t *= lr; p -= t
    ...         return block
    >>> from tensorgrad import Tensor
    >>> w = Tensor([1.0, -2.0]); (w * w).sum().backward()
    >>> SignDescent([w]).step(); w
    Tensor([ 0.9, -1.9])
    """

    kernel = None  # the kernel that moves a block, if it can be replaced
    counts_steps = True  # whether the state of a parameter has the number of its steps, as PyTorch's state of this optimiser

    def __new__(cls, *args, **options):
        """Refuse arguments that an optimiser of this package does not have."""
        if cls.__module__.startswith("tensorgrad.optim."):
            must_construct(cls, args, options)
        return object.__new__(cls)

    def __init__(self, params, defaults):
        self.defaults = defaults
        self.param_groups, self.names = groups_of(type(self).__name__, params, defaults)
        for group in self.param_groups:
            self.require(group)
        self.state = {}
        self.has_stepped = self.scheduled_early = False  # whether a step was made; whether a schedule moved on before the first one

    def __setattr__(self, name, value):
        if name in self.__dict__.get("defaults", ()):
            raise AttributeError(f"{self._name}.{name} changes no step; write optimiser.param_groups[0][{name!r}] = {brief(value)}")
        object.__setattr__(self, name, value)

    # What an optimiser says

    def require(self, options):
        """Raise ValueError for options that do not go together."""

    def arrays(self, options):
        """Return {name: number} for the arrays that the state of a parameter has, and the number that fills each at the start."""
        return {}

    def update(self, options, number, scalar):
        """Return the function block(p, g, t, *arrays), which makes step `number` (from 1) on a block of one parameter.

        Without counts_steps the number is 1 in the step that makes the arrays, and 2 later.

        p is the block of the parameter, g of its gradient, t is scratch, and `arrays` are the blocks of its state. The function writes
        to p, t and the arrays, not to g. scalar(x) is a number as a 0-d array of the parameter's dtype, which NumPy multiplies faster.
        """
        raise NotImplementedError

    def decays(self, options):
        """Return weight_decay if it is added to the gradient as weight_decay · p; 0 if the update applies it."""
        return options.get("weight_decay", 0)

    # What users call

    def step(self, closure=None):
        """Move every parameter that has a gradient. A parameter without one, such as a frozen one, stays as it is, as in PyTorch.

        A closure is called first, also under no_grad: it clears the gradients, computes the loss, calls backward() and returns the
        loss, which step() returns then.

        Arrays are changed in place. If a graph has saved the array of a parameter, or the program has kept `p.data`, the parameter gets
        a new array: the graph still gives the gradients at the point of its forward pass.
        Raises RuntimeError if no parameter has a gradient, FloatingPointError if a gradient is not finite, TypeError or ValueError for
        an option of a group that is out of range; then no parameter has changed.
        """
        loss = None if closure is None else self._loss_of(closure)
        moving = [(group, p, array_of(p.grad)) for group in self.param_groups for p in group["params"] if p.grad is not None]
        if not moving:
            wrong = "no parameter has a gradient; call backward() before step(), on a loss of the model whose parameters these are"
            raise RuntimeError(f"{self._name}.step(): {wrong}")
        if self.scheduled_early and not self.has_stepped:
            advice = "a schedule moved on before it, so its first rate was never used; call schedule.step() after optimiser.step()"
            warnings.warn(f"{self._name}.step(): {advice}", stacklevel=2)
        for group in self.param_groups:
            require_options(f"{self._name}.step()", group)  # a program may have changed them
        silence.copy().run(one_blas_thread.call, self._refuse_non_finite, moving)
        silence.copy().run(self._move_all, moving)
        self.has_stepped = True
        return loss

    def zero_grad(self, set_to_none=True):
        """Set the gradient of every parameter to None, or with set_to_none=False to zeros, as in PyTorch."""
        for p in self.names:
            if p.keep_grad and p.grad is not None:
                p.grad = None if set_to_none else np.zeros_like(array_of(p.grad))

    def add_param_group(self, group):
        """Add a group, {"params": tensors, option: value}, for example of layers that were frozen. Errors are those of the constructor.

        >>> from tensorgrad import Tensor, optim
        >>> sgd = optim.SGD([Tensor([1.0])], lr=0.1); sgd.add_param_group({"params": [Tensor([2.0])], "lr": 0.01})
        >>> [group["lr"] for group in sgd.param_groups]
        [0.1, 0.01]
        """
        names = dict(self.names)
        added = group_of(self._name, group, self.defaults, names, count(len(names)))
        self.require(added)
        self.param_groups.append(added)
        self.names = names

    def state_dict(self):
        """Return copies of state and options, as PyTorch does: {"state": {number: {name: array}}, "param_groups": [...]}."""
        return saved(self)

    def load_state_dict(self, state_dict):
        """Restore what state_dict() returned, for parameters of the same shapes in the same order.

        Raises ValueError that lists everything that does not fit; then nothing has been loaded.
        """
        load(self, state_dict)

    def __repr__(self):
        numbers = sum(p.size for p in self.names)
        options = [", ".join(f"{name}={brief(group[name])}" for name in self.defaults) for group in self.param_groups]
        return f"{self._name}({'; '.join(options)}): {len(self.names)} parameters, {numbers:,} numbers"

    # The loop

    @property
    def _name(self):
        return type(self).__name__

    def _loss_of(self, closure):
        if not callable(closure):
            wrong = f"{brief(closure)} is not a function that computes the loss"
            raise TypeError(f"{self._name}.step(): {wrong}; write step() after loss.backward(), or step(closure), uncalled")
        with recording():
            return closure()

    def _refuse_non_finite(self, moving):
        gradients = [g for _, _, g in moving]
        found = []
        each(gradients, is_finite, found.append, pays=sum([g.size for g in gradients]) >= max(FOR_THREADS, MEAN * len(gradients)))
        for finite, (_, p, g) in zip(found, moving):
            if not finite:
                index = tuple(map(int, np.argwhere(~np.isfinite(g))[0]))
                raise FloatingPointError(
                    f"{self._name}.step(): the gradient of {self.names[p]} is {g[index]} at index {index}; no parameter was changed; "
                    f"{self._advice_for_nan()}; detect_anomaly() names the function that first gave it"
                )

    def _advice_for_nan(self):
        for p, name in self.names.items():
            if not is_finite(p._data):
                return f"{name} itself is not finite: load or set it anew"
        return "look for nan in the data, lower lr or clip the gradients"

    def _move_all(self, moving):
        updates: dict = {}  # parameters of one group, at the same number of steps, share the update
        found: dict = {}  # their blocks
        for options, p, g in moving:
            start = self.arrays(options)
            state = self.state.get(p, {})
            number = state.get("step", 0) + 1 if self.counts_steps else 2 - (not start.keys() <= state.keys())
            if self.counts_steps:
                state["step"] = number
            for name in start:
                if name not in state:
                    state[name] = np.full(p.shape, start[name], p.dtype)
            if state:
                self.state[p] = state
            key = id(options), number, p.dtype
            if key not in updates:
                updates[key], found[key] = self._update_and_decay(options, number, partial(np.array, dtype=p.dtype)), []
            found[key] += self._blocks(writable(p), g, [state[name] for name in start])
        for key, its_blocks in found.items():
            move(its_blocks, *updates[key])

    def _update_and_decay(self, options, number, scalar):
        """Return the update of a block, the weight decay (None if there is none), and the sign of the gradient."""
        decay = self.decays(options)
        return self.update(options, number, scalar), scalar(decay) if decay else None, -1 if options.get("maximize") else 1

    def _blocks(self, p, g, arrays):
        """Return the blocks of the array p of one parameter."""
        return blocks([p, g, *arrays], BYTES // p.dtype.itemsize * getattr(self.kernel, "larger", 1))


class ByKernel:
    """The update of a block by a kernel: kernel(p, g, arrays, *numbers)."""

    def __init__(self, kernel, *numbers):
        self.kernel, self.numbers = kernel, numbers

    def __call__(self, p, g, t, *arrays):
        self.kernel(p, g, arrays, *self.numbers)


def move(blocks, update, decay, sign):
    """Update the blocks (p, g, *arrays)."""
    size = sum([block[0].size for block in blocks])
    if type(update) is ByKernel and update.kernel.by != "numpy" and decay is None and sign > 0:
        update.kernel.each([(p, g, arrays, *update.numbers) for p, g, *arrays in blocks], pays=size >= FOR_COMPILED)
        return

    def work(part):
        for p, g, *arrays in part:
            if decay is not None or sign < 0:
                g = decayed(g, p, decay, sign, ROOMS.like(p, 2))
            update(p, g, ROOMS.like(p), *arrays)

    each(in_parts(blocks), work, pays=size >= FOR_THREADS, large=False)


def in_parts(blocks):
    """Return lists of blocks that have MEAN numbers or more, but for the last."""
    parts, size = [], MEAN
    for block in blocks:
        if size >= MEAN:
            parts.append([])
            size = 0
        parts[-1].append(block)
        size += block[0].size
    return parts


def decayed(g, p, decay, sign, out):
    """Return sign · g + decay · p, written to `out`."""
    if decay is None:
        return np.negative(g, out=out)
    np.multiply(p, decay, out=out)
    return np.add(out, g, out=out) if sign > 0 else np.subtract(out, g, out=out)


def is_finite(g):
    """Return whether all entries are finite: their squares add up to a finite number, or, if that is too large, each one is."""
    flat = g.reshape(-1) if g.flags.c_contiguous else g.T.reshape(-1) if g.flags.f_contiguous else None
    return bool((flat is not None and np.isfinite(np.dot(flat, flat))) or np.isfinite(g).all())


def saved(optimiser):
    """Return the state of an optimiser; parameters are numbered over all groups."""
    number = {p: i for i, p in enumerate(optimiser.names)}
    state = {i: {name: copied(x) for name, x in optimiser.state[p].items()} for p, i in number.items() if p in optimiser.state}
    groups = [dict(group) | {"params": [number[p] for p in group["params"]]} for group in optimiser.param_groups]
    return {"state": state, "param_groups": groups}


def copied(x):
    return x.copy() if isinstance(x, np.ndarray) else x


def load(optimiser, state_dict):
    """Restore a state. Raises ValueError that lists everything that does not fit; then nothing has been loaded."""
    who = f"{type(optimiser).__name__}.load_state_dict"
    if not isinstance(state_dict, Mapping) or not {"state", "param_groups"} <= state_dict.keys():
        raise TypeError(f"{who}: {brief(state_dict)} is not the state of an optimiser; give it what state_dict() returned")
    groups, given = state_dict["param_groups"], state_dict["state"]
    if not isinstance(groups, list | tuple) or not all(isinstance(group, Mapping) and "params" in group for group in groups):
        raise TypeError(f"{who}: {brief(groups)} is not a list of parameter groups, each with its params")
    if not isinstance(given, Mapping) or not all(str(i).isdecimal() and isinstance(one, Mapping) for i, one in given.items()):
        raise TypeError(f"{who}: {brief(given)} is not a table of the states of parameters, which are numbered")
    wrong, options = read_groups(optimiser, groups)
    states = {} if wrong else read_states(optimiser, options, given, wrong)
    if wrong:
        raise ValueError(f"{who}: nothing was loaded, because\n  " + "\n  ".join(wrong))
    for group, loaded in zip(optimiser.param_groups, options):
        group.update(loaded)
    optimiser.state, optimiser.has_stepped = states, True


def read_groups(optimiser, groups):
    """Return what is wrong with the groups, and the options of each."""
    ours = optimiser.param_groups
    if len(groups) != len(ours):
        return [f"it has {len(groups)} parameter groups, and the optimiser has {len(ours)}"], []
    wrong, found = [], []
    for i, (group, other) in enumerate(zip(ours, groups)):
        if len(other["params"]) != len(group["params"]):
            wrong.append(f"group {i} has {len(other['params'])} parameters, and the optimiser's has {len(group['params'])}")
        missing = sorted(optimiser.defaults.keys() - other.keys())
        wrong += [f"group {i} lacks the option {name}" for name in missing]
        found.append(python_numbers({name: other[name] for name in (*optimiser.defaults, *SCHEDULED) if name in other}))
        try:
            require_options(f"group {i}", found[-1])
        except (TypeError, ValueError) as error:
            wrong.append(str(error))
    return wrong, found


def read_states(optimiser, options, given, wrong):
    """Return {parameter: its state}. Add what does not fit to the list `wrong`."""
    own = [(p, o) for group, o in zip(optimiser.param_groups, options) for p in group["params"]]
    given = {int(i): state for i, state in given.items()}
    wrong += [f"it has a state of parameter {i}, and there are {len(own)} parameters" for i in sorted(given) if not 0 <= i < len(own)]
    return {p: read_state(optimiser, p, o, given[i], wrong) for i, (p, o) in enumerate(own) if i in given}


def read_state(optimiser, p, options, given, wrong):
    """Return the state of one parameter, its arrays copied in the dtype of the parameter."""
    name, expected = optimiser.names[p], optimiser.arrays(options)
    given = {key: x for key, x in given.items() if x is not None}
    needed = {"step"} if optimiser.counts_steps else set()
    unexpected, missing = sorted(given.keys() - expected.keys() - {"step"}), sorted((expected.keys() | needed) - given.keys())
    wrong += [f"{name} lacks {key}" for key in missing] + [f"{name} has {key}, which this optimiser does not keep" for key in unexpected]
    state, step = {}, number_of(given.get("step", 0))
    if not isinstance(step, Real) or step < 0 or step != int(step):
        wrong.append(f"{name} has the step {brief(step)}, not a number of steps")
    elif needed:
        state["step"] = int(step)
    for key in (key for key in expected if key in given):
        try:
            array = np.asarray(given[key])
        except (TypeError, RuntimeError) as error:  # a tensor of PyTorch on a GPU, or in bfloat16
            wrong.append(f"{key} of {name} is not an array ({error}); in PyTorch write x.cpu().float() first")
            continue
        if array.shape != p.shape:
            wrong.append(f"{key} of {name} has shape {array.shape}, and the parameter has {p.shape}")
        elif array.dtype.kind != "f":
            wrong.append(f"{key} of {name} holds {array.dtype}, not floats")
        else:
            state[key] = np.array(array, p.dtype, order="C")
    return state

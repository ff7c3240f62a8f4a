"""The state of an optimiser as a dictionary of arrays, numbers and text, in PyTorch's layout, and back."""

from collections.abc import Mapping
from numbers import Real

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.optim.parameters import SCHEDULED, number_of, python_numbers, require_options


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

"""What an optimiser is given: parameters, alone or in groups, and numbers. Here it is read and checked."""

from collections.abc import Iterable, Mapping
from itertools import count
from math import inf, isfinite, nextafter, prod
from numbers import Real

from scalargrad.messages.errors import brief, wrong_type
from tensorgrad.errors.errors import called
from tensorgrad.tensor import Tensor

BELOW_1 = nextafter(1.0, 0.0)
RATES, MOMENTA = ("initial_lr", "max_lr", "min_lr"), ("max_momentum", "base_momentum")  # what schedules keep in a group, as in PyTorch
SCHEDULED = (*RATES, *MOMENTA)
NOT_NEGATIVE = ("lr", "momentum", "weight_decay", "eps", "alpha", "lr_decay", "initial_accumulator_value", *SCHEDULED)
RANGES = dict.fromkeys(NOT_NEGATIVE, (0, inf)) | {"dampening": (-inf, inf), "betas": (0, BELOW_1)}  # the least and greatest of an option


def groups_of(who, params, defaults):
    """Return the parameter groups, each {"params": [tensors], option: value}, and the names of the parameters, {tensor: name}."""
    params = parameter_list(who, params)
    if not params:
        raise ValueError(f"{who}: there are no parameters to train; give it model.parameters()")
    given = params if isinstance(params[0], Mapping) else [{"params": params}]
    names: dict = {}
    number = count()
    return [group_of(who, group, defaults, names, number) for group in given], names


def group_of(who, given, defaults, names, number):
    """Return one parameter group, with the default of every option that it does not have. Add the names of its parameters to `names`."""
    if not isinstance(given, Mapping) or "params" not in given:
        raise TypeError(f'{who}: {brief(given)} is not a parameter group; write {{"params": [...], "lr": 0.01}}')
    unknown = sorted(given.keys() - defaults.keys() - {"params", *SCHEDULED})
    if unknown:
        raise ValueError(f"{who}: a parameter group has the unknown option {unknown[0]!r}; the options are {', '.join(defaults)}")
    params = [given["params"]] if isinstance(given["params"], Tensor) else parameter_list(who, given["params"])
    tensors = [parameter_of(who, p, next(number), names) for p in params]
    if not tensors:
        raise ValueError(f"{who}: a parameter group has no parameters; leave the group out")
    group = python_numbers(defaults | dict(given)) | {"params": tensors}
    require_options(who, group)
    return group


def parameter_list(who, params):
    """Return the parameters as a list. Raises TypeError, which says what to write, if they are not several."""
    if isinstance(params, Tensor):
        raise TypeError(f"{who}: {called(params)} is one parameter; write a list: [{called(params)}]")
    if hasattr(params, "named_parameters"):
        raise TypeError(f"{who}: got a module; write model.parameters()")
    if isinstance(params, Mapping):
        raise TypeError(f"{who}: got one dictionary; write a list of groups, [{{'params': ...}}], or .items() for names and tensors")
    if not isinstance(params, Iterable) or isinstance(params, str):
        what = "a method" if callable(params) else brief(params)
        raise TypeError(f"{who}: {what} is not a list of parameters; write model.parameters()")
    return list(params)


def whole_name(kind):
    """Return the name of a class, with its module unless Python has it: PyTorch has a Parameter, too."""
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def parameter_of(who, p, i, names):
    """Return parameter number i, which may come with its name, and add it to `names`. Raises an error if it cannot be trained."""
    name, p = p if isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], str) else (None, p)
    if not isinstance(p, Tensor):
        raise TypeError(f"{who}: parameter {i} is a {whole_name(type(p))}, not a Tensor; give it model.parameters()")
    what = name or place_of(p) or f"parameter {i} of shape {p.shape}"
    if p.rule is not None:
        raise ValueError(f"{who}: {what} was made by {p.rule.name}; give it the variables that it was made from")
    if p in names:
        raise ValueError(f"{who}: {what} is listed more than once, first as {names[p]}; list each parameter once")
    names[p] = what
    return p


def python_numbers(options):
    """Return options with Python's numbers: PyTorch's may be arrays of one entry, and a state may have lists for tuples."""
    return {name: tuple(map(number_of, x)) if isinstance(x, list | tuple) else number_of(x) for name, x in options.items()}


def number_of(x):
    """Return the number of an array or a tensor of one entry, also of PyTorch; anything else as it is."""
    return x.item() if hasattr(x, "item") and prod(getattr(x, "shape", (0,))) == 1 else x


def place_of(p):
    """Return the dotted name of a parameter in its model, as the model's last walk found it; else its own name, or None."""
    return getattr(p, "_parameter", "") or p.name


def require_options(who, options):
    """Raise TypeError for an option that is not a number, and ValueError for one that is out of range."""
    for name in options.keys() & RANGES.keys():
        value, (least, most) = number_of(options[name]), RANGES[name]
        if name == "betas" and (not isinstance(value, tuple | list) or len(value) != 2):
            raise wrong_type(who, name, value, "a pair of numbers")
        for x in map(number_of, value) if name == "betas" else [value]:
            if not isinstance(x, Real) or isinstance(x, bool):
                raise wrong_type(who, name, value, "a pair of numbers" if name == "betas" else "a number")
            if not (isfinite(x) and least <= x <= most):
                wanted = "from 0 to below 1" if name == "betas" else "0 or more" if least == 0 else "finite"
                raise ValueError(f"{who}: {name}={value} is out of range; it must be {wanted}")

"""PyTorch's class or function for each of a package of tensorgrad, and its arguments that ours does not take.

Most names and arguments are the same. `python -m tests.tutorial.book.torch_arguments` records those of PyTorch, where it is installed.
"""

import json
from functools import cache
from importlib import resources
from inspect import Parameter, signature

OTHER_NAMES = {  # None: PyTorch has none, or something else of this name
    "nn.seed": "torch.manual_seed",
    "nn.default_generator": "torch.default_generator",
    "optim.Optimiser": "torch.optim.Optimizer",
    "optim.Schedule": "torch.optim.lr_scheduler.LRScheduler",
    "optim.LRScheduler": None,
    "data.ArrayDataset": "torch.utils.data.TensorDataset",
    "data.train_val_split": "torch.utils.data.random_split",
    "saving.save": "torch.save",
    "saving.load": "torch.load",
    "parallel.Group": "torch.nn.parallel.DistributedDataParallel",
}
RENAMED = {"optimiser": "optimizer"}
RECORD = resources.files(__package__).joinpath("torch_arguments.json")


def counterpart(name, thing):
    """Return a sentence on PyTorch's counterpart of a public name and on the arguments of both, or an empty text if there is none.

    >>> from tensorgrad import nn
    >>> counterpart("nn.Bilinear", nn.Bilinear)
    "In PyTorch: `torch.nn.Bilinear`. Only ours takes `generator`. Only PyTorch's takes `device`."
    """
    if OTHER_NAMES.get(name):
        return f"In PyTorch: `{OTHER_NAMES[name]}`."
    if name not in recorded():
        return ""
    torch, theirs = recorded()[name]["name"], recorded()[name]["arguments"]
    ours = arguments(thing)
    renamed = [x for x in ours if x not in theirs and RENAMED.get(x) in theirs]
    more = [x for x in ours if x not in theirs and x not in renamed]
    there = [x for x in theirs if x not in ours and x not in [RENAMED[x] for x in renamed]]
    said = [f"In PyTorch: `{torch}`.", *(f"`{x}` is `{RENAMED[x]}` there." for x in renamed)]
    said += [f"Only ours takes {names_in_words(more)}."] if more else []
    said += [f"Only PyTorch's takes {names_in_words(there)}."] if there else []
    return " ".join(said)


@cache
def recorded():
    """Return {our name: {"name": PyTorch's, "arguments": its arguments}}."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def arguments(thing):
    """Return the names of the arguments that a class or a function takes."""
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return [x.name for x in signature(thing).parameters.values() if x.kind not in several and not x.name.startswith("_")]


def names_in_words(names):
    """Return names as a list in a sentence.

    >>> names_in_words(["a", "b", "c"])
    '`a`, `b` and `c`'
    """
    *first, last = [f"`{name}`" for name in names]
    return f"{', '.join(first)} and {last}" if first else last

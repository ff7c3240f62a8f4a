"""The names and arguments of PyTorch's counterparts. `python -m tests.tutorial.book.torch_arguments` records them for the book."""

import json
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import get_overloads

from tutorial.book.reference.rooms import names
from tutorial.book.reference.sections import OTHER_NAMES, RECORD, arguments

PLACES = {  # where a name is looked for in PyTorch
    "nn": ("torch.nn",),
    "nn.init": ("torch.nn.init",),
    "optim": ("torch.optim", "torch.optim.lr_scheduler", "torch.nn.utils"),
    "data": ("torch.utils.data",),
}


def found():
    """Return {our name: {"name": PyTorch's, "arguments": its arguments}} for each name that PyTorch has too."""
    record = {}
    for name in names():
        package, _, short = name.rpartition(".")
        place = next((place for place in PLACES.get(package, ()) if hasattr(import_module(place), short)), None)
        if place and name not in OTHER_NAMES:
            record[name] = {"name": f"{place}.{short}", "arguments": of_class(getattr(import_module(place), short))}
    return record


def of_class(thing):
    """Return the arguments of a class or a function; those of a recurrent layer stand in an overload."""
    overloads = get_overloads(thing.__init__) if isinstance(thing, type) and isfunction(thing.__init__) else []
    return arguments(overloads[0])[1:] if overloads else arguments(thing)


def of_torch(name):
    """Return the object of a full name, or None."""
    place, _, short = name.rpartition(".")
    return getattr(import_module(place), short, None)


if __name__ == "__main__":
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(theirs)}" for name, theirs in found().items())
    Path(str(RECORD)).write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")

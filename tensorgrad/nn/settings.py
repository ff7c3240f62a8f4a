"""@settings: the attributes that a module is made with, written once. They give its arguments, and what repr() shows."""

from dataclasses import dataclass, fields
from typing import dataclass_transform


@dataclass_transform(eq_default=False)
def settings(kind):
    """Give a class of modules an __init__ that takes its annotated attributes, in their order and with their defaults.

    `_settings` names them, without `inplace`: no function takes it, because none changes its input here.
    """
    kind = dataclass(eq=False, repr=False)(kind)
    kind._settings = tuple(f.name for f in fields(kind) if f.name != "inplace")
    return kind


def shown(module):
    """Return the settings of a module as text: kernel_size=2, stride=None. inplace=False is left out."""
    values = {f.name: getattr(module, f.name) for f in fields(module) if f.repr}
    return ", ".join(f"{name}={x!r}" for name, x in values.items() if name != "inplace" or x)

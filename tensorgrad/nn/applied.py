"""Modules that apply one function to their input, with their settings as its further arguments."""

from typing import dataclass_transform

from tensorgrad.nn.module import Module
from tensorgrad.nn.settings import settings


class Applied(Module):
    """A module that returns `_function` of its input and of its settings, in their order."""

    def forward(self, x):
        return self._function(x, *self._values())

    def _values(self):
        return [getattr(self, name) for name in self._settings]


@dataclass_transform(eq_default=False)
def applies(function):
    """Give a class its @settings, and the function that it applies."""

    def decorated(kind):
        kind._function = staticmethod(function)
        return settings(kind)

    return decorated

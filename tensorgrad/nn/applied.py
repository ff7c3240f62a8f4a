"""Modules that apply one function to their input, with their settings as its further arguments."""

from collections.abc import Callable
from typing import dataclass_transform

from tensorgrad.nn.module import Module
from tensorgrad.nn.settings import settings


@dataclass_transform(eq_default=False)
class Applied(Module):
    """A module that returns `function` of its input and of its settings, in their order: `class ReLU(Applied, function=relu)`."""

    _function: Callable

    def __init_subclass__(cls, function: Callable | None = None):
        """Give a class the function that it applies, and its @settings."""
        super().__init_subclass__()
        if function is not None:
            cls._function = staticmethod(function)
            if cls.__annotations__:
                settings(cls)

    def forward(self, x):
        return self._function(x, *self._values())

    def _values(self):
        return [getattr(self, name) for name in self._settings]

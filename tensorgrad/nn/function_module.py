"""Modules that apply one function to their input, with their settings as its further arguments."""

import ast
import inspect
from collections.abc import Callable
from typing import dataclass_transform

from tensorgrad.nn.module import Module
from tensorgrad.nn.settings import settings


@dataclass_transform(eq_default=False)
class Applied(Module):
    """A module that returns `function` of its input and of its settings, in their order: `class ReLU(Applied, function=relu)`."""

    _function: Callable
    _inputs = 1  # arguments of a call, which the function takes before the settings

    def __init_subclass__(cls, function: Callable | None = None):
        """Give a class the function that it applies, its @settings, and, if it has no docstring, the help of the function."""
        super().__init_subclass__()
        if function is not None:
            cls._function = staticmethod(function)
            if cls.__doc__ is None and function.__doc__:
                cls.__doc__ = help_of(cls.__name__, function, cls._inputs)
            if cls.__annotations__:
                settings(cls)

    def forward(self, x):
        return self._function(x, *self._values())

    def _values(self):
        return [getattr(self, name) for name in self._settings]


def help_of(layer, function, inputs):
    """Return the docstring of a function with a layer in the place of its call in the example: relu6(x) becomes nn.ReLU6()(x)."""
    about, _, example = inspect.cleandoc(function.__doc__).partition(">>> ")
    line, _, result = example.partition("\n")
    tree = ast.parse(line, mode="eval")
    call = next(c for c in ast.walk(tree) if isinstance(c, ast.Call) and getattr(c.func, "id", "") == function.__name__)
    call.func = ast.Call(ast.Name(f"nn.{layer}"), call.args[inputs:], call.keywords)
    call.args, call.keywords = call.args[:inputs], []
    return f"{about}>>> import numpy as np; from tensorgrad import nn\n>>> {ast.unparse(tree)}\n{result}"

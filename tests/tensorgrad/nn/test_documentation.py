"""Every public name of tensorgrad.nn is explained, with an example. pytest runs the examples."""

import inspect

from tensorgrad import nn
from tests.each import each

PUBLIC = [name for name in nn.__all__ if inspect.isclass(getattr(nn, name)) or inspect.isfunction(getattr(nn, name))]


@each("name", PUBLIC)
def test_every_public_name_has_a_docstring_with_an_example(name):
    assert ">>>" in (getattr(nn, name).__doc__ or "")


@each("name", [name for name, _ in inspect.getmembers(nn.Module, inspect.isfunction) if not name.startswith("_")])
def test_every_method_of_a_module_is_explained(name):
    assert inspect.getdoc(getattr(nn.Module, name))

"""Every public name of tensorgrad.nn is explained, with an example that runs."""

import doctest
import inspect

import numpy as np

from tensorgrad import nn
from tests.each import each

PUBLIC = [name for name in nn.__all__ if inspect.isclass(getattr(nn, name)) or inspect.isfunction(getattr(nn, name))]


@each("name", PUBLIC)
def test_every_public_name_has_a_docstring_whose_example_runs(name):
    thing = getattr(nn, name)
    names = {**vars(nn), "np": np}
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), names, name, None, None)
    assert example.examples, f"{name} has no example"
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)


@each("name", [name for name, _ in inspect.getmembers(nn.Module, inspect.isfunction) if not name.startswith("_")])
def test_every_method_of_a_module_is_explained(name):
    assert inspect.getdoc(getattr(nn.Module, name))

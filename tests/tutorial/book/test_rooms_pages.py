"""Every public name of the packages of tensorgrad has a section on a page: its example as it runs now, its functions, PyTorch's name."""

import re
from importlib import import_module
from inspect import getdoc, ismodule
from pkgutil import iter_modules

import pytest

import tensorgrad
from tests.each import each
from tutorial.book.reference import functions, rooms, sections
from tutorial.book.reference.examples import examples, names_of_module, shown
from tutorial.book.reference.sections import target

WITHOUT_EXAMPLE = {name for name, thing in rooms.names().items() if isinstance(thing, type) and issubclass(thing, BaseException)}


@pytest.fixture(scope="module")
def pages():
    return dict(rooms.pages())


def test_every_package_with_public_names_has_pages():
    packages = [module.name for module in iter_modules(tensorgrad.__path__) if module.ispkg]
    assert {name for name in packages if hasattr(import_module(f"tensorgrad.{name}"), "__all__")} == {*rooms.ROOMS}


def test_every_public_name_has_one_section_and_is_in_the_index(pages):
    index, everything = functions.index(), "".join(pages.values())
    for room in rooms.ROOMS:
        package = import_module(f"tensorgrad.{room}")
        for name in package.__all__:
            thing = getattr(package, name)
            for full in [f"{room}.{name}.{inner}" for inner in thing.__all__] if ismodule(thing) else [f"{room}.{name}"]:
                assert everything.count(f"({target(full)})=\n") == 1, full
                assert f"](#{target(full)})" in index, full
    assert len({*map(target, rooms.names())}) == len(rooms.names())


@each("name, thing", [(name, thing) for name, thing in rooms.names().items() if name not in WITHOUT_EXAMPLE])
def test_every_docstring_has_an_example_which_prints_what_it_says(name, thing):
    known = examples(getdoc(thing))
    assert known, "no example"
    printed = [line for line in shown(thing.__doc__, names_of_module(thing)).split("\n") if not line.startswith((">>> ", "... "))]
    said = [line for line in "".join(example.want for example in known).rstrip("\n").split("\n") if line != "    ..."]
    assert [line for line, pattern in zip(printed, said, strict=True) if not fits(line, pattern)] == []


def fits(line, pattern):
    """Return whether a line is what a docstring says, where ... stands for any text."""
    return re.fullmatch(re.escape(pattern).replace(re.escape("..."), ".*"), line)


def test_a_section_names_the_functions_the_methods_and_the_counterpart(pages):
    page = pages["functions/nn-convolution.md"]
    assert "nn.Conv2d(in_channels, out_channels, kernel_size, stride=1" in page
    assert "It calls [conv2d](conv2d.md), [pad](pad.md).\n\nIn PyTorch: `torch.nn.Conv2d`. Only ours takes `generator`" in page
    assert "`.parameters(" not in page and "- `.parameters(recurse=True)`: " in pages["functions/nn-module.md"]
    assert "In PyTorch: `torch.optim.Optimizer`." in pages["functions/optim.md"]


def test_a_package_of_one_page_has_all_of_its_names_there_and_nn_has_a_list_of_pages(pages):
    assert "## SGD" in pages["functions/optim.md"] and "## StepLR" in pages["functions/optim.md"]
    assert "- [nn: convolution](nn-convolution.md): [Conv1d](#name-nn-conv1d)" in pages["functions/nn.md"]
    assert "- [nn.init](nn-init.md): " in pages["functions/nn.md"]


def test_functions_of_arrays_and_packages_have_different_files(pages):
    assert not pages.keys() & {f"functions/{name}.md" for name in tensorgrad.families.PUBLIC}


def test_every_layer_has_a_recorded_counterpart():
    """Run `python -m tests.tutorial.book.torch_arguments` for a new one."""
    known = sections.recorded().keys() | sections.OTHER_NAMES.keys()
    assert [name for name in rooms.names() if name.startswith("nn.") and name not in known] == []


@pytest.mark.torch
def test_the_recorded_names_and_arguments_are_those_of_pytorch():
    pytest.importorskip("torch")
    from tests.tutorial.book.torch_arguments import found, of_torch

    assert sections.recorded() == found()
    for name in filter(None, sections.OTHER_NAMES.values()):
        assert of_torch(name), name

"""Pages on the packages of tensorgrad: modules, optimisers, data, models, files, processes, kernels. Written from the docstrings.

A package has one page with a section for each public name. One of several families, such as `nn`, has a page for each family.
"""

from functools import cache
from importlib import import_module
from inspect import ismodule
from typing import Any, NamedTuple

from tutorial.book.reference.examples import example
from tutorial.book.reference.markdown import ORPHAN, as_markdown, escaped, first_sentence, paragraphs
from tutorial.book.reference.sections import section, target

ROOMS = ("nn", "optim", "data", "models", "saving", "parallel", "kernels")


class Group(NamedTuple):
    """Public names that stand on one page: {qualified name: object}."""

    file: str
    heading: str
    module: Any
    names: dict


@cache
def groups() -> dict:
    """Return {room: its groups}, in the order of the packages.

    >>> {room: len(found) for room, found in groups().items() if len(found) == 1}
    {'optim': 1, 'data': 1, 'models': 1, 'saving': 1, 'parallel': 1, 'kernels': 1}
    >>> groups()["nn"][3].file, list(groups()["nn"][3].names)
    ('nn-linear', ['nn.Linear', 'nn.Bilinear'])
    """
    return {room: groups_of(room, import_module(f"tensorgrad.{room}")) for room in ROOMS}


def groups_of(room, package):
    """Return one group for each family of a package, and for each module that has a public name, such as `init`."""
    things = {name: getattr(package, name) for name in package.__all__}
    families = [(module, last(module), f"{room}: {last(module)}", room) for module in getattr(package, "FAMILIES", [])]
    families += [(module, name, f"{room}.{name}", f"{room}.{name}") for name, module in things.items() if ismodule(module)]
    if not families:
        return [Group(room, f"tensorgrad.{room}", package, {f"{room}.{name}": thing for name, thing in things.items()})]
    return [
        Group(f"{room}-{file}", heading, module, {f"{prefix}.{name}": getattr(module, name) for name in module.__all__})
        for module, file, heading, prefix in families
    ]


def last(module):
    return module.__name__.rpartition(".")[2]


@cache
def names() -> dict:
    """Return {qualified name: object} of all public names of these packages.

    >>> names()["nn.ReLU"].__name__, names()["nn.init.zeros_"].__name__
    ('ReLU', 'zeros_')
    """
    return {name: thing for found in groups().values() for group in found for name, thing in group.names.items()}


# Pages


def pages():
    """Give the page of each group, and of each package that has several: names and Markdown."""
    for room, found in groups().items():
        if len(found) > 1:
            package = import_module(f"tensorgrad.{room}")
            yield f"functions/{room}.md", joined([f"{ORPHAN}# tensorgrad.{room}", *about(package), "## Pages", lines(found)])
        yield from ((f"functions/{group.file}.md", room_page(group)) for group in found)


def room_page(group):
    """Return the page of a group: what its module says, and a section for each name."""
    known = names().values()
    sections = [part for name, thing in group.names.items() for part in section(name, thing, known)]
    return joined([f"{ORPHAN}# {group.heading}", *about(group.module), *sections])


def about(module):
    return [*map(as_markdown, paragraphs(module.__doc__)), *example(module.__doc__, vars(module))]


def joined(parts):
    return "\n\n".join(part for part in parts if part) + "\n"


# The index


def index():
    for room, found in groups().items():
        said = escaped(first_sentence(import_module(f"tensorgrad.{room}").__doc__))
        yield joined([f"## tensorgrad.{room}", f"{said} See [tensorgrad.{room}]({room}.md).", lines(found)])


def lines(found):
    """Return the names of groups with links. Of several groups, each has a line that begins with its page."""
    if len(found) == 1:
        return links(found[0])
    return "\n".join(f"- [{group.heading}]({group.file}.md): {links(group)}" for group in found)


def links(group):
    return ", ".join(f"[{escaped(name.rpartition('.')[2])}](#{target(name)})" for name in group.names)

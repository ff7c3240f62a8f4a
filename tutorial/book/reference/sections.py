"""The section on a class or a function of a package: what it does, an example, methods, functions that it calls, PyTorch's name.

Most names and arguments are PyTorch's. `python -m tests.tutorial.book.torch_arguments` records those, where it is installed.
"""

import json
import re
from functools import cache
from importlib import resources
from inspect import Parameter, getmembers, isclass, isfunction, ismodule, signature
from types import FunctionType

from tensorgrad.families import PUBLIC
from tensorgrad.nn import Module
from tutorial.book.reference.examples import example, names_of_module
from tutorial.book.reference.markdown import as_markdown, escaped, first_sentence, index_entry, paragraphs, plain_signature, signature_block


def target(name):
    """Return the mark of the section on a name, to which links lead, as HTML has it.

    >>> target("nn.Conv2d"), target("nn.init.zeros_")
    ('name-nn-conv2d', 'name-nn-init-zeros')
    """
    return "-".join(["name", *re.findall("[a-z0-9]+", name.lower())])


def section(name, thing, known):
    """Give the paragraphs on a public name. `known` are all objects that have a section."""
    package, _, short = name.rpartition(".")
    yield f"({target(name)})=\n## {escaped(short)}\n\n{index_entry(f'{short} (in tensorgrad.{package})', name)}"
    yield from described(name, thing, names_of_module(thing))
    if isclass(thing):
        yield "\n".join(methods(thing, [kind for kind in known if isclass(kind) and kind is not thing and issubclass(thing, kind)]))
        yield calls(thing)
    yield counterpart(name, thing)


def described(name, thing, names):
    """Give the paragraphs on an object: its signature, what it does, its examples as they run now, with these names."""
    if not (isclass(thing) and issubclass(thing, BaseException)):
        yield signature_block(name, thing)
    yield from map(as_markdown, paragraphs(thing.__doc__))
    yield from example(thing.__doc__, names)


def methods(thing, bases=(), without=()):
    """Give a line for each method and property of a class that its bases do not have. `without` are names that are explained elsewhere."""
    for name, member in getmembers(thing):
        documented = (isfunction(member) or isinstance(member, property)) and member.__doc__
        inherited = any(getattr(base, name, None) is member for base in bases)
        if documented and not inherited and not name.startswith("_") and name not in without:
            call = f"{name}{plain_signature(member, bound=True)}" if isfunction(member) else name
            yield f"- `.{call}`: {escaped(first_sentence(member.__doc__))}"


def calls(kind):
    """Return the line on the functions of arrays that a module calls.

    >>> from tensorgrad import nn
    >>> calls(nn.Conv2d)
    'It calls [conv2d](conv2d.md), [pad](pad.md).'
    """
    own = [base for base in kind.__mro__ if issubclass(base, Module) and base is not Module]
    found = dict.fromkeys(name for base in own for member in vars(base).values() for name in functions_in(member))
    return f"It calls {', '.join(f'[{escaped(name)}]({name}.md)' for name in found)}." if found else ""


def functions_in(member):
    """Return the public functions that an attribute of a class is, or that it calls."""
    function = member.__func__ if isinstance(member, staticmethod) else member
    if is_public(function):
        return [function.__name__]
    if not isinstance(function, FunctionType):
        return []
    used, known = function.__code__.co_names, function.__globals__
    places = [known, *(vars(known[name]) for name in used if ismodule(known.get(name)))]
    return [name for name in used if any(is_public(place.get(name)) for place in places)]


def is_public(function):
    return isfunction(function) and PUBLIC.get(function.__name__) is function


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

"""A page for each public name that is not a function of arrays: variables, derivatives, checks, modes. Written from the docstrings."""

from functools import cache
from inspect import isclass

import scalargrad
import tensorgrad
from scalargrad.options import FUNCTIONS
from tensorgrad.families import PUBLIC
from tutorial.book.reference.examples import names_for
from tutorial.book.reference.markdown import ORPHAN, escaped, first_sentence, index_entry
from tutorial.book.reference.sections import described, methods

PACKAGES = {scalargrad: "Of numbers, in `scalargrad`", tensorgrad: "Of arrays, in `tensorgrad`"}
IN_TORCH = {
    "Tensor": "torch.Tensor",
    "function": "torch.autograd.Function",
    "grad": "torch.autograd.grad",
    **{name: f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "vjp", "jvp", "hvp")},
    "value_and_grad": "torch.func.grad_and_value",
    "check": "torch.autograd.gradcheck",
    "checkpoint": "torch.utils.checkpoint.checkpoint",
    "no_grad": "torch.no_grad",
    "detect_anomaly": "torch.autograd.detect_anomaly",
}
ABOUT = "What makes variables, finds and checks derivatives, and looks into a graph. A name of both packages does the same in each."


@cache
def tools():
    """Return {name: {package: object}} of the public names that are not in the tables of functions, by name.

    >>> [package.__name__ for package in tools()["jvp"]], [package.__name__ for package in tools()["zoom"]]
    (['scalargrad', 'tensorgrad'], ['tensorgrad'])
    """
    found: dict = {}
    for package in PACKAGES:
        for name in package.__all__:
            if name not in PUBLIC and name not in FUNCTIONS:
                found.setdefault(name, {})[package] = getattr(package, name)
    return dict(sorted(found.items(), key=lambda entry: entry[0].lower()))


def pages():
    """Give the page of each of them: names and Markdown."""
    yield from ((file(name), tool_page(name, having)) for name, having in tools().items())


def file(name):
    """Return the file of a page. On some disks Trace.md would be trace.md, the page of the function of arrays."""
    return f"functions/tool-{name}.md"


def tool_page(name, having):
    """Return a page with a part for each package, or with one part if both have the same."""
    objects = list(having.values())
    if len(objects) == 2 and objects[0] is objects[1]:
        parts = [*explained(name, objects[0]), "It is in `scalargrad` and in `tensorgrad`."]
    elif len(objects) == 2:
        parts = [part for package, thing in having.items() for part in (f"## {PACKAGES[package]}", *explained(name, thing))]
    else:
        parts = [*explained(name, objects[0]), f"It is in `{next(iter(having)).__name__}`."]
    torch = [f"In PyTorch: `{IN_TORCH[name]}`."] if name in IN_TORCH else []
    return "\n\n".join([f"{ORPHAN}# {name}\n\n{index_entry(name)}", *parts, *torch]) + "\n"


def explained(name, thing):
    """Return the paragraphs on an object, and a list of its methods."""
    own = "\n".join(methods(thing, without={*PUBLIC, *FUNCTIONS})) if isclass(thing) else ""
    return [*described(name, thing, names_for(thing)), *[own] * bool(own)]


def section():
    lines = [
        f"- [{name}](tool-{name}.md): {escaped(first_sentence(next(iter(having.values())).__doc__))}" for name, having in tools().items()
    ]
    return "\n\n".join(["## Variables, derivatives, checks", ABOUT, "\n".join(lines)])

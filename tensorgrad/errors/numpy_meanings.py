"""The one table of names that mean NumPy's function here and something else in PyTorch. help(tensorgrad) and the book show it.

Each row is a call that both libraries accept, or that a PyTorch user tries, and the call that gives PyTorch's result. Tests run
both, beside PyTorch where it is installed.
"""

from textwrap import indent
from typing import NamedTuple


class Meaning(NamedTuple):
    """One call with its two meanings. `names` are the functions that it is about, `instead` gives here what `call` gives in PyTorch."""

    names: tuple[str, ...]
    call: str
    here: str
    in_pytorch: str
    instead: str


# fmt: off
MEANINGS = (
    Meaning(("transpose",), "x.transpose(0, 1)", "the new order of all axes", "exchanges the two axes", "x.swapaxes(0, 1)"),
    Meaning(("repeat",), "x.repeat(2, 1)", "each entry twice, along axis 1",
        "the whole array, twice along axis 0 and once along axis 1", "x.tile((2, 1))"),
    Meaning(("split",), "x.split(2)", "2 equal parts", "parts of length 2", "x.split([2, 4])"),
    Meaning(("pad",), "pad(x, (0, 1))", "0 before and 1 after each axis", "the last axis alone", "pad(x, ((0, 0), (0, 1)))"),
    Meaning(("std",), "x.std()", "divides by n", "divides by n - 1", "x.std(ddof=1)"),
    Meaning(("var",), "x.var()", "divides by n", "divides by n - 1", "x.var(ddof=1)"),
    Meaning(("max",), "x.max(1)", "the largest entries", "the largest entries and their positions", "x.max(1), x.argmax(1)"),
    Meaning(("min",), "x.min(1)", "the smallest entries", "the smallest entries and their positions", "x.min(1), x.argmin(1)"),
    Meaning(("max",), "max(x, y)", "y is the axis, which is refused", "the larger of each two entries", "maximum(x, y)"),
    Meaning(("min",), "min(x, y)", "y is the axis, which is refused", "the smaller of each two entries", "minimum(x, y)"),
    Meaning(("median",), "x.median()", "the mean of the two entries in the middle",
        "the lower of the two; for one axis, also its position", "x.sort(None)[(x.size - 1) // 2]"),
    Meaning(("sort",), "x.sort(1)", "the sorted entries", "the sorted entries and their positions", "x.sort(1), x.argsort(1)"),
    Meaning(("norm",), "x.norm(1)", "the norm of a matrix: its largest column sum", "the norm of all entries", "x.ravel().norm(1)"),
    Meaning(("vector_norm",), "vector_norm(x, 1)", "along axis 1", "of order 1", "vector_norm(x, ord=1)"),
    Meaning(("equal",), "equal(x, y)", "entry by entry", "one truth value for all entries", "(x == y).all()"),
    Meaning(("gradient",), "gradient(x[0])", "the array, if there is one axis", "a tuple, always", "(gradient(x[0]),)"),
    Meaning(("squeeze",), "x.squeeze(0)", "refuses an axis that is longer than 1", "leaves such an axis as it is", "x"),
    Meaning(("flip",), "x.flip(0, 1)", "takes several axes as one tuple", "takes several axes one by one", "x.flip((0, 1))"),
    Meaning(("size",), "x.size()", "`x.size` is the number of entries", "the shape", "x.shape"),
)
# fmt: on


def markdown():
    """Return the table as the book has it."""
    rows = [("Call", "Here", "In PyTorch", "PyTorch's result"), ("-",) * 4]
    rows += [(f"`{m.call}`", m.here, m.in_pytorch, f"`{m.instead}`") for m in MEANINGS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows).replace("| - | - | - | - |", "|-|-|-|-|")


def text():
    """Return the table as help() has it: a paragraph for each call."""
    return "\n".join(f"{m.call}\n" + indent(f"Here: {m.here}\nPyTorch: {m.in_pytorch}; write {m.instead}", "    ") for m in MEANINGS)


def said_of(name):
    """Return sentences on the other meanings that a function of this name has in PyTorch.

    >>> said_of("transpose")
    ['`x.transpose(0, 1)`: here the new order of all axes, in PyTorch exchanges the two axes: `x.swapaxes(0, 1)`.']
    """
    return [f"`{m.call}`: here {m.here}, in PyTorch {m.in_pytorch}: `{m.instead}`." for m in MEANINGS if name in m.names]


ABOUT = """A name of NumPy means NumPy's function, also if PyTorch's differs. Arguments are called `axis` and `keepdims`, where PyTorch
has `dim` and `keepdim`; modules of tensorgrad.nn have `dim`."""


def documented(docstring):
    """Return the docstring of the package with the table at its end. Python -OO leaves no docstring."""
    return docstring and f"{docstring}\n{ABOUT}\n\n{text()}"

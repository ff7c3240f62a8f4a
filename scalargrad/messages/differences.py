"""The one table of intended differences between `Value` and `Tensor`. Everything else that both have agrees.

Both packages' docstrings and a page of the book show the table. A test compares all shared functions and methods, and excepts only
the functions and parameters that a row of the table names.
"""

from textwrap import indent
from typing import NamedTuple


class Difference(NamedTuple):
    """One intended difference, with its reason.

    `functions` names the functions whose arguments differ. `parameters` names, as function.parameter, what only one engine has.
    """

    subject: str
    of_value: str
    of_tensor: str
    reason: str
    functions: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


# fmt: off
DIFFERENCES = (
    Difference("gradients after `backward()`", "every ancestor has one", "leaves, and variables with `keep_grad = True`",
        "a number is cheap to keep, an array is not"),
    Difference("`keep_grad = False` on a computed variable", "is refused; `detach()` makes a constant", "drops its gradient again",
        "a `Value` keeps the gradient of every variable"),
    Difference("`.grad` before `backward()` and after `zero_grad()`", "0", "None",
        "0 is a number that a learner understands; None cannot be mistaken for an array"),
    Difference("the graph after `backward()`", "stays", "releases its saved arrays, unless `retain_graph=True`",
        "the saved arrays take memory", parameters=("backward.retain_graph", "grad.retain_graph")),
    Difference("the data", "int, float or `Fraction`, kept as it is", "float32 or float64, as `dtype` asks",
        "exact numbers are for learning, an array has one dtype", parameters=("Tensor.dtype",)),
    Difference("`.inputs`", "the variables", "their nodes",
        "a node is the variable in the graph; it outlives its array, so the graph can still be drawn"),
    Difference("`Value(...)` and `Tensor(...)`", "also take `inputs`, `partials` and `rule`", "take data only; a `@rule` makes functions",
        "a function of numbers is its value and its partial derivatives", parameters=("Value.inputs", "Value.partials", "Value.rule")),
    Difference("`sum`, `max`, `logsumexp`, `dot`", "take numbers one by one: `sum(x1, x2)`, `dot(w1, w2, x1, x2)`",
        "take arrays, `axis` and `keepdims`: `sum(x, axis=0)`, `dot(w, x)`",
        "each number has an edge of its own", functions=("sum", "max", "logsumexp", "dot")),
    Difference("`jacobian`, `hessian`", "return a list of rows", "return an array for one argument, lists of arrays for several",
        "an array has axes, numbers need nested lists"),
    Difference("`point`, `upstream` and `direction` of `vjp`, `jvp`, `hvp`", "are lists of numbers", "are lists of arrays, or one array",
        "one array already holds many numbers"),
    Difference("`check(...)`", "compares every derivative", "compares up to `entries` entries of each array, chosen by `seed`",
        "finite differences of every entry would take too long", parameters=("check.entries", "check.seed")),
    Difference("`@function`", "takes `partials`", "takes `partials` or `vjps`",
        "most functions of arrays do not work entry by entry", parameters=("function.vjps",)),
    Difference("`x += y` for a leaf `x`", "names a new variable `x`", "is refused, except under `no_grad()`",
        "micrograd's programs add up terms this way; an array that is a parameter would lose its gradient"),
)
# fmt: on


def markdown():
    """Return the table as the book has it."""
    rows = [("", "`Value`", "`Tensor`", "Reason"), ("---",) * 4, *[difference[:4] for difference in DIFFERENCES]]
    return "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |").replace(" --- ", "---") for row in rows)


def text():
    """Return the table as help() has it: a paragraph for each difference."""
    return "\n".join(
        f"{d.subject}\n" + indent(f"Value:  {d.of_value}\nTensor: {d.of_tensor}\nReason: {d.reason}", "    ") for d in DIFFERENCES
    )


def documented(docstring):
    """Return the docstring of a package with the table at its end. Python -OO leaves no docstring."""
    return docstring and f"{docstring}\n\nValue and Tensor differ on purpose in these points.\n\n{text()}\n"

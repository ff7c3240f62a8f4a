"""The docstring of each function of numbers: its value, its partials as they are printed, the kink, an example that runs."""

from inspect import cleandoc

from scalargrad import rules
from scalargrad.formulas.symbols import Name, render
from scalargrad.options import FUNCTIONS


def docstring(row, options=""):
    """Return the docstring of a row, or of a function that is made of it; `options` says what the options of that do."""
    names = row.parameters
    args, y = [Name(n) for n in names], Name("y")
    lines = [row.about, *["", options] * bool(options)]
    if "dz/d" not in row.formula:  # which says the partials as one writes them on paper
        partials = [f"∂y/∂{n} = {render(row.partial(i, args, y))}" for i, n in enumerate(names)]
        lines += ["", f"With y = {row.name}({', '.join(names)}): {', '.join(partials)}."]
    if row.formula:
        lines[1:1] = ["", "In formulas:", *(f"    {line}" for line in row.formula.split("\n"))]
    if row.kinks:
        lines += ["", f"Where the derivative is a choice: {row.kinks}."]
    if row.example:
        call, result = row.example
        lines += ["", f">>> {call}", result]
    return "\n".join(lines)


for row in rules.TABLE:
    row.__doc__ = rules.__test__[row.name] = docstring(row)
for function in FUNCTIONS.values():
    if function not in rules.TABLE:
        function.__doc__ = docstring(function.row, cleandoc(function.__doc__ or ""))  # none under python -OO

"""The docstring of each row: what it computes, its partials as they are printed, the kink, an example that runs."""

from scalargrad import rules
from scalargrad.formulas.symbols import Name, render


def docstring(row):
    """Return the docstring of a row."""
    lines = [f"{row.about}"]
    names = row.parameters if row.partials else ()
    if names:
        args, y = [Name(n) for n in names], Name("y")
        partials = [f"∂y/∂{n} = {render(row.partial(i, args, y))}" for i, n in enumerate(names)]
        lines += ["", f"With y = {row.name}({', '.join(names)}): {', '.join(partials)}."]
    if row.kinks:
        lines += ["", f"Where the derivative is a choice: {row.kinks}."]
    if row.example:
        call, result = row.example
        lines += ["", f">>> {call}", result]
    return "\n".join(lines)


for row in rules.TABLE:
    row.__doc__ = rules.__test__[row.name] = docstring(row)

"""The text of a module: nested as PyTorch prints it, with the shapes of the parameters and their number."""

from math import prod
from textwrap import indent


def printed(module):
    """Return the text of a module. The first line also has the number of its parameters, each counted once."""
    lines = [f"({name}): {printed(child)}" for name, child in module.named_children()]
    head = f"{type(module).__name__}({module.extra_repr()}"
    if not lines:
        return f"{head}){own_parameters(module)}"
    count = sum(p.size for p in module.parameters())
    inner = "\n".join(indent(line, "  ") for line in lines)
    return f"{head}  # {plural(count)}\n{inner}\n)" if count else f"{head}\n{inner}\n)"


def own_parameters(module):
    """Return the number of the parameters of a module without modules, and their shapes."""
    shapes = {name: p.shape for name, p in module.named_parameters()}
    if not shapes:
        return ""
    text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
    return f"  # {plural(sum(map(prod, shapes.values())))}: {text}"


def plural(count):
    return f"{count:,} parameter{'s' * (count != 1)}"

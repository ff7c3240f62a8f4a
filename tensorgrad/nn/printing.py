"""The text of a module: nested as PyTorch prints it, with the shapes of the parameters and their number."""

from itertools import groupby
from textwrap import indent


def printed(module):
    """Return the text of a module. Equal modules one after the other, as the blocks of a network, are printed once."""
    head = f"{type(module).__name__}({module.extra_repr()}"
    texts = [(name, printed(child)) for name, child in module.named_children()]
    if not texts:
        return f"{head}){comment(module)}"
    lines = []
    for text, group in groupby(texts, lambda pair: pair[1]):
        names = [name for name, _ in group]
        alike = len(names) > 1 and all(map(str.isdigit, names))
        lines += [f"({names[0]}-{names[-1]}): {len(names)} x {text}"] if alike else [f"({name}): {text}" for name in names]
    return "\n".join([head + comment(module), *[indent(line, "  ") for line in lines], ")"])


def comment(module):
    """Return the number of a module's parameters, each counted once, how many are frozen, and the shapes of its own."""
    parameters = [*module.parameters()]
    if not parameters:
        return ""
    frozen = sum(p.size for p in parameters if not p.keep_grad)
    own = ", ".join(f"{name} {p.shape}" for name, p in module.named_parameters(recurse=False))
    return f"  # {plural(sum(p.size for p in parameters))}{f', {frozen:,} frozen' * (frozen > 0)}{f': {own}' * (own != '')}"


def plural(count):
    return f"{count:,} parameter{'s' * (count != 1)}"

"""The text of a module, nested as PyTorch prints it, with the shapes and number of its parameters; and of an error within it."""

from itertools import groupby
from textwrap import indent

from scalargrad.modes import scope_path


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


OWN_WORDS = (ValueError, TypeError, IndexError)


def located(wrong, module, args):
    """Return the error to raise for one that arose in a call of the module.

    The innermost module adds its place. An error of a layer of this library begins with it; any other keeps its text and gets a note.
    """
    if getattr(wrong, "_in_module", False):
        return wrong
    place = ".".join((*scope_path(), *module._scope))
    if type(module).__module__.startswith("tensorgrad.nn.") and type(wrong) in OWN_WORDS and not module._modules:
        found = type(wrong)(f"{place}{': ' * bool(place)}{heading(module)}: {wrong}")
    else:
        found = wrong
        shapes = ", ".join(str(x.shape) if hasattr(x, "shape") else type(x).__name__ for x in args)
        if str(wrong) == "'int' object is not callable":  # of an array; a tensor says so itself
            wrong.add_note("x.size is the number of entries, as in NumPy; write x.shape[0] for x.size(0) of PyTorch")
        wrong.add_note(f"in {place or 'the call'}, a {type(module).__name__} that was called with ({shapes})")
    found._in_module = True
    return found


def heading(module):
    """Return the kind of a module and its settings on one line."""
    return f"{type(module).__name__}({module.extra_repr()})"

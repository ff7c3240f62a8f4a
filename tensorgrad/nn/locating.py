"""Say in which module of a network an error arose: its dotted name, its settings and the shapes that it was given."""

from scalargrad.modes import scope_path

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

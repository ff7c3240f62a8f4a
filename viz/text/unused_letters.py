"""The letters of general formulas, such as dz/dx = Σ dz/dy · ∂y/∂x over y ∈ c(x): letters that the graph itself does not use."""

import re

from scalargrad.formulas.text import look, needs_brackets
from viz.text.formatter import UNICODE

TARGET = re.compile(r"\b(d?)z\b")  # in pseudocode
PAIRS = ("x", "y"), ("u", "v"), ("p", "q"), ("s", "t"), ("a", "b"), ("ξ", "η")
SETS = "c", "C", "children"


def letters_of(names):
    """Return {"x", "y", "c"}: the letters for any variable, for a child of it, and for the set of its children.

    `names` is {variable: name}. If a variable is called x or y, another pair stands for both.

    >>> letters_of({1: "x1", 2: "z"}), letters_of({1: "x", 2: "c"})
    ({'x': 'x', 'y': 'y', 'c': 'c'}, {'x': 'u', 'y': 'v', 'c': 'C'})
    """
    taken = {look(name) for name in names.values()}
    free = lambda *letters: not any(look(letter) in taken for letter in letters)
    x, y = next((pair for pair in PAIRS if free(*pair)), PAIRS[-1])
    return {"x": x, "y": y, "c": next((letter for letter in SETS if free(letter)), SETS[-1])}


def listing_of(trace, formatter=UNICODE):
    """Return {number: line} of the pseudocode of a trace. If the program has another variable z, the target has its own name there.

    >>> from scalargrad import Trace, Value
    >>> gate, x = Value(2, name="z"), Value(3, name="x"); loss = gate * 3; loss.name = "loss"
    >>> listing_of(Trace(loss))[5].strip(), listing_of(Trace(x * 2, names={}))[5].strip()
    ('Let computed = {dloss/dloss : 1}', 'Let computed = {dz/dz : 1}')
    """
    names, z = trace.names, trace.graph.z
    if not any(look(name) == look("z") for v, name in names.items() if v is not z):
        return trace.schedule.listing
    target = f"({formatter.name(names[z])})" if needs_brackets(names[z]) else formatter.name(names[z])
    return {number: TARGET.sub(lambda found: found[1] + target, line) for number, line in trace.schedule.listing.items()}

"""What the words of the page mean: one table. Its letters x and y stand for any variable and any child of it, z for the graph's output.

General formulas, such as dz/dx = Σ dz/dy · ∂y/∂x over y ∈ c(x), have letters that the graph itself does not use.
"""

import re

from scalargrad.formulas.symbols import Ratio
from scalargrad.formulas.text import look, needs_brackets
from viz.text.formatter import UNICODE

# fmt: off
GLOSSARY = {  # word: (its heading, what it means, how it stands in a sentence: a regular expression)
    "topological order": ("topological order",               "A list in which each variable comes after all its children. So their results are there when it needs them.", r"topological order|\bsort\b"),
    "upstream":          ("upstream gradient, {dz_dy}",      "The total derivative of a child {y} of {x}. It was found earlier in the backward pass.",                  r"upstream gradients?|^Look up\b"),
    "total":             ("total derivative, {dz_dx}",       "How strongly {x} acts on {z} over all paths together.",                                                    r"total derivatives?"),
    "partial":           ("partial derivative, {partial}",   "How strongly one arrow from {x} to {y} passes a small change on, while all other inputs of {y} stand still.", r"partial derivatives?|\bpartials?\b|^Calculate\b"),
    "derivative":        ("derivative, {dz_dx}",             "How many times as much {z} changes as {x} does, for a small change of {x}.",                                r"\bderivatives?\b"),
    "c(x)":              ("{c}({x})",                        "The set of the children of {x}: all variables to which an arrow goes from {x}.",                            r"set of children"),
    "child":             ("child of {x}",                    "A variable that takes {x} directly: an arrow goes from {x} to it.",                                         r"\bchild(?:ren)?\b"),
    "ancestor":          ("ancestor of {z}",                 "A variable from which arrows lead to {z}, directly or over others.",                                        r"\bancestors?\b"),
    "input":             ("input",                           "A variable that you may choose. Nothing comes before it.",                                                  r"\binputs?\b"),
    "nudge":             ("nudge",                           "A small change of one input, while the other inputs stand still.",                                         r"\bnudged?s?\b"),
    "path":              ("path",                            "A way along the arrows, from a variable to {z}.",                                                          r"\bpaths?\b"),
    "tangent":           ("tangent",                         "The straight line that touches the curve here. Its slope is the derivative.",                              r"\btangents?\b"),
    "computed":          ("computed",                        "A dictionary. It keeps each total derivative that has been found, so that nothing is computed twice.",      r"\bcomputed\b"),
}
# fmt: on


def glossary(trace, formatter):
    """Return {word: {title, meaning, pattern}} for the graph of a trace; in the sentences, a longer word is found before a shorter one.

    >>> from scalargrad import Trace, Value
    >>> from viz.text.formatter import UNICODE
    >>> a = Value(3, name="a"); glossary(Trace(a * a, names={}), UNICODE)["derivative"]["meaning"]
    'How many times as much z changes as x does, for a small change of x.'
    """
    letters, z = letters_of(trace.names), trace.names[trace.graph.z]
    x, y = letters["x"], letters["y"]
    written = {letter: formatter.name(name) for letter, name in {**letters, "z": z}.items()}
    written |= {
        "dz_dx": formatter.formula(Ratio("d", z, x)),
        "dz_dy": formatter.formula(Ratio("d", z, y)),
        "partial": formatter.formula(Ratio("∂", y, x)),
    }
    say = lambda text: text.format_map(written)
    return {
        word: {"title": say(title), "meaning": say(meaning), "pattern": pattern} for word, (title, meaning, pattern) in GLOSSARY.items()
    }


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
    ('Let computed = {d loss/d loss : 1}', 'Let computed = {dz/dz : 1}')
    """
    names, z = trace.names, trace.graph.z
    if not any(look(name) == look("z") for v, name in names.items() if v is not z):
        return trace.schedule.listing
    after_d = {d: formatter.notation.after_d(d, names[z]) for d in ("", "d")}
    target = f"({formatter.name(names[z])})" if needs_brackets(names[z]) else formatter.name(names[z])
    written = lambda found: found[1] + after_d[found[1]] + target
    return {number: TARGET.sub(written, line) for number, line in trace.schedule.listing.items()}

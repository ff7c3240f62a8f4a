"""What the words of the page mean: one table. Its letters x and y stand for any variable and any child of it, z for the graph's output."""

from scalargrad.formulas.symbols import Ratio
from viz.text.unused_letters import letters_of

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

"""The glossary: the words of the players, which viz/glossary.py defines, and those that only the book uses. One definition for each."""

import re
from functools import cache

from viz.glossary import GLOSSARY

LETTERS = {"x": "$x$", "y": "$y$", "z": "$z$", "c": "$c$", "dz_dx": r"$\frac{dz}{dx}$", "dz_dy": r"$\frac{dz}{dy}$"}
LETTERS["partial"] = r"$\frac{\partial y}{\partial x}$"

# fmt: off
TERMS = {  # of the book alone; a word in `…` is code
    "accumulate":            "To add a contribution to what has been found so far, such as `computed[x] += …`. In PyTorch, `.grad` also accumulates over calls.",
    "backward function":     "What a function of arrays does in the backward pass: from the upstream gradient it computes the contribution to each of its inputs.",
    "backward pass":         "The computation of the derivatives, from $z$ back to the inputs.",
    "broadcasting":          "An array is repeated along an axis, so that its shape fits that of another array. NumPy stores no copies for it.",
    "contribution":          "One term of the sum in the chain rule, upstream gradient times partial derivative. $G_{XY}$ is what $Y$ passes to $X$, and $\\frac{dz}{dX}$ is the sum of all that $X$ gets.",
    "finite differences":    "A derivative from two values: nudge an input by $h$ in both directions, and divide the difference of the results by $2h$. It is an approximation.",
    "forward pass":          "The computation of the values, from the inputs to $z$.",
    "function":              "What computes a variable from its inputs, such as $y = x^2$. A rule says how, and gives the derivatives.",
    "gradient":              "The derivatives of $z$ with respect to all entries of an array, in an array of the same shape.",
    "gradient checking":     "Comparing derivatives with another way to find them, such as finite differences.",
    "graph":                 "Variables, and an arrow from each variable to its children. It says which variable was computed from which.",
    "intermediate variable": "A variable that a function computed, and that other functions use.",
    "kink":                  "A point where a function has no derivative, such as 0 for `relu`. The page of a function says which value its rule takes there.",
    "leaf":                  "A variable that no function computed: an input, or a parameter.",
    "node":                  "What the engine keeps of a variable of the graph: the function that computed it, its inputs, and what the backward pass needs.",
    "release":               "To drop the saved arrays after the backward pass, so that their memory is free again.",
    "rule":                  "A row of a table: a function with its derivatives. Everything else about the function follows from its row.",
    "saved tensors":         "The arrays that a function keeps in the forward pass, because its backward function needs them.",
    "scalar graph":          "The graph of the numbers inside a graph of arrays: one variable for each entry.",
    "schedule":              "The order in which an engine visits the variables in the backward pass.",
    "source":                "The variable that the graph computes in the end, $z$. All derivatives are derivatives of $z$.",
    "tape":                  "A list of the functions in the order in which they ran. Read from its end, it is one possible schedule.",
    "tensor":                "A variable that holds an array.",
    "unbroadcast":           "To sum a gradient over the axes along which its array was repeated. It is the backward function of broadcasting.",
    "variable":              "A value with a place in the graph: a number, or an array.",
    "vjp":                   "Vector-Jacobian product: the function that maps the upstream gradient to the contribution to one input.",
}
WRITTEN = {  # how else a word stands in a sentence; None: it has another meaning, too
    "child":    "child(?:ren)?",
    "computed": None,
    "rule":     r"(?<!chain )rules?",
}
# fmt: on


def pages(book, folder):
    """Give the page of the glossary."""
    entries = "\n\n".join(f"{term}\n  {meaning}" for term, meaning in sorted(terms().items(), key=lambda entry: entry[0].lower()))
    yield "glossary.md", f"# Glossary\n\nThe words of this book, and of its players.\n\n:::{{glossary}}\n{entries}\n:::\n"


def terms():
    """Return {term: its meaning as Markdown}.

    >>> terms()["child"]
    'A variable that takes $x$ directly: an arrow goes from $x$ to it.'
    """
    return {**TERMS, **dict(of_player(*row[:2]) for row in GLOSSARY.values())}


def uses(text):
    """Yield (term, match) for each word of the glossary in a sentence, of which it is meant to be one. The longest of several counts.

    >>> [(term, match[0]) for term, match in uses("The children of a total derivative, by the chain rule")]
    [('child', 'children'), ('total derivative', 'total derivative')]
    """
    known, pattern = finder()
    for match in pattern.finditer(text):
        yield known[match.lastindex - 1], match


@cache
def finder():
    """Return the terms, longest first, and a pattern with a group for each of them."""
    known = sorted((term for term in terms() if WRITTEN.get(term, term)), key=len, reverse=True)
    groups = (f"({WRITTEN.get(term, f'{term}s?')})" for term in known)
    return known, re.compile(rf"(?<![\w-])(?:{'|'.join(groups)})\b", re.IGNORECASE)


def of_player(heading, meaning):
    """Return (term, meaning) for a row of the players' glossary, whose heading may say how it is written: "derivative, {dz_dx}"."""
    term, _, sign = heading.partition(", ")
    term = "set of children" if "{c}" in term else term.partition(" of {")[0]
    sign = heading if "{c}" in heading else sign
    return term, f"{meaning} Written {sign}.".format_map(LETTERS) if sign else meaning.format_map(LETTERS)

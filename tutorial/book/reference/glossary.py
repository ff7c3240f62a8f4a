"""The glossary: the words of the players, which viz/glossary.py defines, and those that only the book uses. One definition for each."""

import re
from functools import cache

from viz.glossary import GLOSSARY

LETTERS = {"x": "$x$", "y": "$y$", "z": "$z$", "c": "$c$", "dz_dx": r"$\frac{dz}{dx}$", "dz_dy": r"$\frac{dz}{dy}$"}
LETTERS["partial"] = r"$\frac{\partial y}{\partial x}$"

# fmt: off
TERMS = {  # of the book alone; a word in `…` is code
    "accumulate":            "To add a contribution to what has been found so far, such as `computed[x] += …`. In PyTorch, `.grad` also accumulates over calls.",
    "Adam":                  "An optimiser that divides the running mean of each gradient by the root of the running mean of its square, so each parameter has a rate of its own.",
    "all-reduce":            "Each process gives an array, and each gets the sum of all of them.",
    "attention":             "For each query the mean of the values, weighted by how well its query matches their keys.",
    "backward function":     "What a function of arrays does in the backward pass: from the upstream gradient it computes the contribution to each of its inputs.",
    "backward pass":         "The computation of the derivatives, from $z$ back to the inputs.",
    "batch":                 "Some samples that go through a network together. The loss of a batch is the mean over its samples.",
    "batch normalisation":   "In each channel, the mean over the batch becomes 0 and the variance 1, then a learnt scale and a learnt shift follow.",
    "bottleneck block":      "A residual block of ResNet-50: a 1 × 1 convolution to fewer channels, a 3 × 3 one there, and a 1 × 1 one back.",
    "broadcasting":          "An array is repeated along an axis, so that its shape fits that of another array. NumPy stores no copies for it.",
    "causal mask":           "A mask with which a place in a text attends only to itself and to what stands before it.",
    "channel":               "One picture of the several that stand over each other in an array of images: red, green and blue at first, then what a convolution finds.",
    "checkpoint":            "A part of the graph whose arrays are not kept: the backward pass computes them again. It saves memory, and costs time.",
    "contribution":          "One term of the sum in the chain rule, upstream gradient times partial derivative. $G_{XY}$ is what $Y$ passes to $X$, and $\\frac{dz}{dX}$ is the sum of all that $X$ gets.",
    "convolution":           "A small kernel slides over an image. At each place the products of its numbers and those below it are summed.",
    "data parallel":         "Each process has a copy of the network and a part of the batch. Their gradients are averaged before each step.",
    "embedding":             "A table with a row for each token. The row is what the network knows of the token, and is learnt.",
    "epoch":                 "One pass over all samples of the training data.",
    "finite differences":    "A derivative from two values: nudge an input by $h$ in both directions, and divide the difference of the results by $2h$. It is an approximation.",
    "forward mode":          "The chain rule from the inputs to $z$: one pass gives the derivatives of all variables in one direction of the inputs.",
    "forward pass":          "The computation of the values, from the inputs to $z$.",
    "function":              "What computes a variable from its inputs, such as $y = x^2$. A rule says how, and gives the derivatives.",
    "gradient":              "The derivatives of $z$ with respect to all entries of an array, in an array of the same shape.",
    "gradient checking":     "Comparing derivatives with another way to find them, such as finite differences.",
    "graph":                 "Variables, and an arrow from each variable to its children. It says which variable was computed from which.",
    "Hessian":               "The matrix of the second derivatives of $z$, a row and a column for each input.",
    "initialisation":        "The numbers with which the parameters of a network begin. Their size decides whether the slopes keep their size over the layers.",
    "intermediate variable": "A variable that a function computed, and that other functions use.",
    "Jacobian":              "The matrix of the partial derivatives of all outputs of a function in all its inputs, a row for each output.",
    "jvp":                   "Jacobian-vector product: the function that maps a direction of the inputs to the direction of the output. It is what forward mode computes.",
    "kernel":                "The small array of weights of a convolution.",
    "kink":                  "A point where a function has no derivative, such as 0 for `relu`. The page of a function says which value its rule takes there.",
    "layer":                 "A function with parameters of its own, such as a product with a matrix plus a bias.",
    "layer normalisation":   "The features of each sample get mean 0 and variance 1, then a learnt scale and a learnt shift follow.",
    "leaf":                  "A variable that no function computed: an input, or a parameter.",
    "learning rate":         "How far a step of descent goes: the gradient times this number.",
    "loss":                  "The number that training makes small: how far the answers of a network are from the wanted ones.",
    "momentum":              "A step also keeps a part of the step before it. In a narrow valley, what goes to and fro cancels, and what goes along adds up.",
    "Newton's step":         "The step to the lowest point of the parabola, or the bowl, that has the value, the slope and the curvature of $z$ here.",
    "node":                  "What the engine keeps of a variable of the graph: the function that computed it, its inputs, and what the backward pass needs.",
    "optimiser":             "What changes the parameters after each backward pass, from their gradients.",
    "padding":               "Rows and columns of zeros around an image, so that the kernel also fits at its edges.",
    "parameter":             "A leaf that training changes.",
    "pooling":               "Each window of an image becomes one number, its largest or its mean.",
    "release":               "To drop the saved arrays after the backward pass, so that their memory is free again.",
    "residual block":        "A block of layers whose input is added to its output, so the slope has a way around the layers.",
    "rule":                  "A row of a table: a function with its derivatives. Everything else about the function follows from its row.",
    "running statistics":    "The means and variances that batch normalisation collects in training, and uses afterwards.",
    "saddle":                "A point with slope 0 that is lowest in one direction and highest in another.",
    "saved tensors":         "The arrays that a function keeps in the forward pass, because its backward function needs them.",
    "scalar graph":          "The graph of the numbers inside a graph of arrays: one variable for each entry.",
    "schedule":              "The order in which an engine visits the variables in the backward pass.",
    "source":                "The variable that the graph computes in the end, $z$. All derivatives are derivatives of $z$.",
    "stride":                "By how many places a kernel moves at each step.",
    "tape":                  "A list of the functions in the order in which they ran. Read from its end, it is one possible schedule.",
    "tensor":                "A variable that holds an array.",
    "token":                 "A piece of a text: a letter, a part of a word, or a word.",
    "unbroadcast":           "To sum a gradient over the axes along which its array was repeated. It is the backward function of broadcasting.",
    "variable":              "A value with a place in the graph: a number, or an array.",
    "vjp":                   "Vector-Jacobian product: the function that maps the upstream gradient to the contribution to one input.",
    "weight decay":          "Each step also makes every parameter a little smaller.",
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

"""The glossary: the words of the players, which viz/text/glossary.py defines, and those that only the book uses. One definition for each."""

import re
from functools import cache

from tutorial.book.reference.asked import ALSO
from viz.text.glossary import GLOSSARY

LETTERS = {"x": "$x$", "y": "$y$", "z": "$z$", "c": "$c$", "dz_dx": r"$\frac{dz}{dx}$", "dz_dy": r"$\frac{dz}{dy}$"}
LETTERS["partial"] = r"$\frac{\partial y}{\partial x}$"

# fmt: off
TERMS = {  # of the book alone; a word in `…` is code
    "accumulate":            "To add a contribution to what has been found so far, such as `computed[x] += …`. In PyTorch, `.grad` also accumulates over calls.",
    "activation":           "The function between two layers, such as relu. Without it, two layers would be no more than one.",
    "Adam":                  "An optimiser that divides the running mean of each gradient by the root of the running mean of its square, so each parameter has a rate of its own.",
    "all-reduce":            "Each process gives an array, and each gets the sum of all of them.",
    "arena":                "A stretch of memory that takes arrays one after the other, and that is emptied as a whole.",
    "attention":             "For each query the mean of the values, weighted by how well its query matches their keys.",
    "backward function":     "What a function of arrays does in the backward pass: from the upstream gradient it computes the contribution to each of its inputs.",
    "backward pass":         "The computation of the derivatives, from $z$ back to the inputs.",
    "batch":                 "Some samples that go through a network together. The loss of a batch is the mean over its samples.",
    "batch normalisation":   "In each channel, the mean over the batch becomes 0 and the variance 1, then a learnt scale and a learnt shift follow.",
    "bias":                 "A parameter that a layer adds to each of its results.",
    "bottleneck block":      "A residual block of ResNet-50: a 1 × 1 convolution to fewer channels, a 3 × 3 one there, and a 1 × 1 one back.",
    "breadth-first search": "A walk over a graph that visits all children of a variable before their children.",
    "broadcasting":          "An array is repeated along an axis, so that its shape fits that of another array. NumPy stores no copies for it.",
    "cancellation":         "The loss of digits when two nearly equal numbers are subtracted.",
    "causal mask":           "A mask with which a place in a text attends only to itself and to what stands before it.",
    "channel":               "One picture of the several that stand over each other in an array of images: red, green and blue at first, then what a convolution finds.",
    "checkpoint":            "A part of the graph whose arrays are not kept: the backward pass computes them again. It saves memory, and costs time.",
    "closure":              "A function that keeps variables of the function in which it was made. micrograd's `_backward` is one.",
    "constant":             "A number or an array that the engine does not differentiate.",
    "contribution":          "One term of the sum in the chain rule, upstream gradient times partial derivative. $G_{XY}$ is what $Y$ passes to $X$, and $\\frac{dz}{dX}$ is the sum of all that $X$ gets.",
    "convolution":           "A small kernel slides over an image. At each place the products of its numbers and those below it are summed.",
    "data parallel":         "Each process has a copy of the network and a part of the batch. Their gradients are averaged before each step.",
    "dead branch":          "A use of a variable on which $z$ does not depend. Nothing comes back from it.",
    "dead unit":            "A unit whose relu gives 0 for every sample. Its slope is 0, too, so its weights do not move any more.",
    "dense layer":          "A layer in which each result depends on each input: a product with a matrix, plus a bias.",
    "depth-first search":   "A walk over a graph that goes on from a variable to the end before it takes the next one.",
    "descendant":           "A variable that can be reached from $x$ along the arrows: a child, or a child of one.",
    "dual number":          "A value together with its speed, the derivative in one direction. Forward mode computes with them.",
    "eigenvalue":           "A number λ with $H v = \\lambda v$ for some direction $v$. For a Hessian it is the second derivative along $v$.",
    "embedding":             "A table with a row for each token. The row is what the network knows of the token, and is learnt.",
    "engine":               "A program that records how values are computed, and finds their derivatives from that.",
    "epoch":                 "One pass over all samples of the training data.",
    "exploding gradient":   "Gradients that grow from layer to layer in the backward pass, until a step is far too long or gives nan.",
    "finite differences":    "A derivative from two values: nudge an input by $h$ in both directions, and divide the difference of the results by $2h$. It is an approximation.",
    "forward mode":          "The chain rule from the inputs to $z$: one pass gives the derivatives of all variables in one direction of the inputs.",
    "forward pass":          "The computation of the values, from the inputs to $z$.",
    "function":              "What computes a variable from its inputs, such as $y = x^2$. A rule says how, and gives the derivatives.",
    "gradient":              "The derivatives of $z$ with respect to all entries of an array, in an array of the same shape.",
    "gradient checking":     "Comparing derivatives with another way to find them, such as finite differences.",
    "gradient descent":     "To step downhill again and again: each parameter moves against its derivative, times the learning rate.",
    "graph":                 "Variables, and an arrow from each variable to its children. It says which variable was computed from which.",
    "head":                 "One of several attentions of a layer. Each works with a part of the features.",
    "Hessian":               "The matrix of the second derivatives of $z$, a row and a column for each input.",
    "im2col":               "A function that copies each window of an image into a row, so that a convolution becomes one product of matrices.",
    "initialisation":        "The numbers with which the parameters of a network begin. Their size decides whether the slopes keep their size over the layers.",
    "intermediate variable": "A variable that a function computed, and that other functions use.",
    "Jacobian":              "The matrix of the partial derivatives of all outputs of a function in all its inputs, a row for each output.",
    "jvp":                   "Jacobian-vector product: the function that maps a direction of the inputs to the direction of the output. It is what forward mode computes.",
    "kernel":                "The small array of weights of a convolution.",
    "kink":                  "A point where a function has no derivative, such as 0 for `relu`. The page of a function says which value its rule takes there.",
    "language model":       "A network that predicts which token comes next in a text.",
    "layer":                 "A function with parameters of its own, such as a product with a matrix plus a bias.",
    "layer normalisation":   "The features of each sample get mean 0 and variance 1, then a learnt scale and a learnt shift follow.",
    "leaf":                  "A variable that no function computed: an input, or a parameter.",
    "learning rate":         "How far a step of descent goes: the gradient times this number.",
    "local minimum":        "A point with slope 0 that is lower than all points near it. Elsewhere there may be a lower one, which descent does not see.",
    "log-sum-exp":          "The logarithm of a sum of powers of e. With the largest exponent subtracted first, nothing overflows.",
    "logit":                "A score of a classifier, one for each class. Softmax makes probabilities of them.",
    "loss":                  "The number that training makes small: how far the answers of a network are from the wanted ones.",
    "max pooling":          "Each window of an image becomes its largest number.",
    "module":               "A function that knows its own parameters: a layer, or a network made of layers.",
    "momentum":              "A step also keeps a part of the step before it. In a narrow valley, what goes to and fro cancels, and what goes along adds up.",
    "nan":                  "Not a number: the float that 0 · inf, inf − inf and 0 / 0 give. Nearly all that is computed from it is nan, too.",
    "Newton's step":         "The step to the lowest point of the parabola, or the bowl, that has the value, the slope and the curvature of $z$ here.",
    "node":                  "What the engine keeps of a variable of the graph: the function that computed it, its inputs, and what the backward pass needs.",
    "optimiser":             "What changes the parameters after each backward pass, from their gradients.",
    "oracle":               "Another way to compute the same derivative, with which an engine is compared.",
    "overfitting":          "A network fits the samples of its training, and does worse on new ones.",
    "overflow":             "A number that is too large for a float becomes infinite.",
    "padding":               "Rows and columns of zeros around an image, so that the kernel also fits at its edges.",
    "parameter":             "A leaf that training changes.",
    "pooling":               "Each window of an image becomes one number, its largest or its mean.",
    "query, key and value": "Three vectors that attention makes for each place: what it looks for, what it offers, and what it passes on.",
    "release":               "To drop the saved arrays after the backward pass, so that their memory is free again.",
    "relu":                 "The function that is $x$ where $x$ is positive, and 0 elsewhere.",
    "residual block":        "A block of layers whose input is added to its output, so the slope has a way around the layers.",
    "residual stream":      "The sum that runs through all blocks of a transformer, and to which each block adds.",
    "rule":                  "A row of a table: a function with its derivatives. Everything else about the function follows from its row.",
    "running statistics":    "The means and variances that batch normalisation collects in training, and uses afterwards.",
    "saddle":                "A point with slope 0 that is lowest in one direction and highest in another.",
    "saved tensors":         "The arrays that a function keeps in the forward pass, because its backward function needs them.",
    "scalar graph":          "The graph of the numbers inside a graph of arrays: one variable for each entry.",
    "schedule":              "The order in which an engine visits the variables in the backward pass.",
    "second derivative":    "The derivative of a derivative: how a slope changes.",
    "shard":                "The part of a batch that one process gets.",
    "slope":                "How steep a curve is at a point: the derivative of a function of one number.",
    "softmax":              "The function that makes probabilities of scores: powers of e, divided by their sum.",
    "source":                "The variable that the graph computes in the end, $z$. All derivatives are derivatives of $z$.",
    "standard deviation":   "The root of the variance: how far numbers lie from their mean.",
    "stem":                 "The first convolution of a ResNet, which makes channels of the three colours.",
    "stride":                "By how many places a kernel moves at each step.",
    "tape":                  "A list of the functions in the order in which they ran. Read from its end, it is one possible schedule.",
    "temperature":          "A number by which scores are divided before softmax. A low one prefers likely results more.",
    "tensor":                "A variable that holds an array.",
    "token":                 "A piece of a text: a letter, a part of a word, or a word.",
    "transformer":          "A network of blocks with attention between the places and dense layers at each place.",
    "transpose":            "The same matrix with rows and columns exchanged.",
    "truncation":           "The error of a finite difference that comes from its step: the function bends.",
    "unbroadcast":           "To sum a gradient over the axes along which its array was repeated. It is the backward function of broadcasting.",
    "underflow":            "A number that is too small for a float becomes 0.",
    "vanishing gradient":   "Gradients that shrink from layer to layer in the backward pass, so that the first layers hardly move.",
    "variable":              "A value with a place in the graph: a number, or an array.",
    "variance":             "The mean of the squares of the distances from the mean.",
    "vjp":                   "Vector-Jacobian product: the function that maps the upstream gradient to the contribution to one input.",
    "weight decay":          "Each step also makes every parameter a little smaller.",
}
WRITTEN = {  # how else a word stands in a sentence; None: it has another meaning, too
    "batch normalisation":  "batch norm(?:alisation)?",
    "bias":                 "bias(?:es)?",
    "bottleneck block":     "bottleneck(?: block)?s?",
    "breadth-first search": "breadth-first(?: search)?",
    "child":                "child(?:ren)?",
    "computed":             None,
    "constant":             None,
    "dense layer":          "dense(?: layers?)?",
    "depth-first search":   "depth-first(?: search)?",
    "finite differences":   "finite differences?",
    "head":                 None,
    "layer normalisation":  "layer norm(?:alisation)?",
    "module":               None,
    "Newton's step":        "Newton's (?:step|method)",
    "query, key and value": None,
    "residual block":       "residual(?: block)?s?",
    "rule":                 r"(?<!chain )rules?",
    "vjp":                  "vjps?|vector-Jacobian product",
}
# fmt: on


def pages(book, folder):
    entries = "\n\n".join(
        f"{term}\n  {meaning}{also(term)}" for term, meaning in sorted(terms().items(), key=lambda entry: entry[0].lower())
    )
    yield "glossary.md", f"# Glossary\n\nThe words of this book, and of its players.\n\n:::{{glossary}}\n{entries}\n:::\n"


def also(term):
    return f" Also called: {ALSO[term]}." if term in ALSO else ""


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

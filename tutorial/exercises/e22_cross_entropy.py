"""Softmax and cross entropy

`cross_entropy_backward(logits, y, G)` returns $\\frac{dz}{d\\,\\text{logits}}$. `logits` has a row for each of the $N$ examples,
and a column for each class. `y` is an array of $N$ integers: the right classes. The loss is the mean over the examples of $-\\log(p)$,
where $p$ is the softmax of the row at the right class. `G` is the upstream gradient, the number $\\frac{dz}{d\\,\\text{loss}}$.

For one example with `logits = np.log([[1, 3]])`, softmax gives the probabilities 1/4 and 3/4. With `y = np.array([0])` and `G = 2` the
answer is `[[-1.5, 1.5]]`. The logits may be as large as 1000, or as small as −2000. Then the answer must be right, too.
"""

# meta: unit=D minutes=20 difficulty=3 chapter=numerics call=cross_entropy_backward
import numpy as np


def cross_entropy_backward(logits, y, G):
    # BEGIN SOLUTION
    largest = logits.max(axis=1, keepdims=True)
    # ~ overflow M39: largest = 0
    # ~ softmax-of-columns M29: largest = logits.max(axis=0, keepdims=True)
    powers = np.exp(logits - largest)
    P = powers / powers.sum(axis=1, keepdims=True)
    # ~ softmax-of-columns M29: P = powers / powers.sum(axis=0, keepdims=True)
    # ~ softmax-of-all M29: P = powers / powers.sum()
    Y = np.eye(logits.shape[1])[y]
    # ~ probability-alone M29: Y = 0
    # ~ class-0 M29: Y = np.eye(logits.shape[1])[0 * y]
    return G * (P - Y) / len(logits)
    # ~ sum-not-mean M29: return G * (P - Y)
    # ~ divided-by-entries M29: return G * (P - Y) / logits.size
    # ~ divided-by-classes M29: return G * (P - Y) / logits.shape[1]
    # ~ sign M29: return G * (Y - P) / len(logits)
    # ~ no-upstream M05: return (P - Y) / len(logits)
    # ~ diagonal M14: return G * -Y * (1 - P) / len(logits)
    # ~ diagonal-everywhere M14: return G * P * (1 - P) / len(logits)
    # ~ no-sum M14: return G * -Y / len(logits)
    # ~ of-probabilities M02: return G * -Y / P / len(logits)
    # END SOLUTION


# BEGIN CHECK
from tutorial.exercises.probe import Probe

HINTS = (
    "The loss of one example is log Σ exp(x) − x_right. What is the derivative of each of the two terms?",
    "The derivative of log Σ exp(x) is softmax. So a row of the answer is the softmax of the row, minus 1 at the right class. "
    "The loss is a mean: what follows for each row?",
    "Before exp, subtract from each row its largest logit. Divide by the sum of the row. Subtract 1 at the right class of each row. "
    "Multiply by G, and divide by the number of examples.",
)
PREDICT = ("The logits of one example are (log 1, log 3), and the second class is the right one. What is d loss/dx₁?", 0.25)
SEEN = "For the logits of the probabilities {P}, right classes {y} and G = {G}, you gave {got}. Expected was {expected}. "
LARGE = "For logits = {logits}, right classes {y} and G = {G}, you gave {got}. Expected was {expected}. "
SAID = {
    "overflow": LARGE + "exp of a large number is inf, and inf / inf is nan. Subtract the largest logit of each row first.",
    "softmax-of-columns": SEEN + "Your probabilities have the sum 1 in each column. An example is a row.",
    "softmax-of-all": SEEN + "All your probabilities together have the sum 1. Those of each row must have it.",
    "probability-alone": SEEN + "That is the part of log Σ exp alone. Subtract 1 at the right class, for −x_right.",
    "class-0": SEEN + "You subtracted at class 0 in each row. The right classes are {y}.",
    "sum-not-mean": SEEN + "That is the gradient of the sum over {examples}. The loss is their mean.",
    "divided-by-entries": SEEN + "You divided by the number of all logits. The loss is a mean over {examples}.",
    "divided-by-classes": SEEN + "You divided by the number of classes, {C}. The loss is a mean over {examples}.",
    "sign": SEEN + "The sign is wrong. A larger logit of the right class makes the loss smaller.",
    "no-upstream": SEEN + "You took 1 for the upstream gradient. Here it is {G}.",
    "diagonal": SEEN + "You used only the diagonal of the Jacobian of softmax. A logit moves all probabilities of its row.",
    "diagonal-everywhere": SEEN + "You took p (1 − p), the diagonal of the Jacobian of softmax. Each row must have the sum 0.",
    "no-sum": SEEN + "The sum over the classes is missing: softmax gives p · (g − Σ p g) for an upstream gradient g, and you gave p · g.",
    "of-probabilities": SEEN + "That is the derivative with respect to the probabilities. Softmax is still to come.",
}
ROW = "The probabilities are {P}, the right classes {y}. "
ASKED = {
    **dict.fromkeys(SAID, ROW + "Add the same number to all logits of a row. How much does the loss change?"),
    "overflow": "How large is exp of the largest logit?",
    "sum-not-mean": ROW + "By how much does each example count in the loss?",
    "divided-by-entries": ROW + "By how much does each example count in the loss?",
    "divided-by-classes": ROW + "By how much does each example count in the loss?",
    "sign": ROW + "Does the loss grow or shrink if the logit of the right class grows?",
    "no-upstream": ROW + "How much does z change if the loss grows by 1?",
    "class-0": ROW + "Which class is right in each row?",
}


def probes(random):
    """Yield rows whose probabilities are fractions of small integers, then random logits, then large ones."""
    for parts, y in (([[1, 3]], [0]), ([[1, 3]], [1]), ([[1, 3], [1, 1]], [1, 0]), ([[1, 2, 1], [2, 5, 1]], [2, 1])):
        yield probe(np.log(np.array(parts, dtype=float)), y, random, "probabilities that are easy fractions")
    for N, C, middle, about in (
        (4, 3, 0, "random logits"),
        (3, 5, 0, "random logits"),
        (2, 3, 1000, "large logits"),
        (3, 2, -2000, "very small logits"),
    ):
        logits = np.array([[middle + random.uniform(-2, 2) for _ in range(C)] for _ in range(N)])
        yield probe(logits, [random.randrange(C) for _ in range(N)], random, about)


def probe(logits, y, random, about):
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    P = powers / powers.sum(axis=1, keepdims=True)
    y, G = np.array(y), float(random.choice((-4, -2, 2, 4)))
    examples = "one example" if len(y) == 1 else f"{len(y)} examples"
    facts = {
        "logits": logits.round(3),
        "P": P.round(3),
        "y": y,
        "G": G,
        "examples": examples,
        "C": logits.shape[1],
    }
    return Probe((logits, y, G), facts, about=about)


# END CHECK

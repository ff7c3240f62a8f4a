"""Softmax and cross entropy

`cross_entropy_backward(logits, y, G)` returns $\\frac{dz}{d\\,\\text{logits}}$. `logits` has a row for each of the $N$ examples,
and a column for each class. `y` is an array of $N$ integers: the right classes. The loss is the mean over the examples of $-\\log(p)$,
where $p$ is the softmax of the row at the right class. `G` is the upstream gradient, the number $\\frac{dz}{d\\,\\text{loss}}$.

For one example with `logits = np.log([[1, 3]])`, softmax gives the probabilities 1/4 and 3/4. With `y = np.array([0])` and `G = 2` the
answer is `[[-1.5, 1.5]]`. The logits may be as large as 1000, or as small as −2000, also in one row. Then the answer must be right, too.
The program must not change its arguments.
"""

# meta: unit=D minutes=20 difficulty=3 chapter=numerics call=cross_entropy_backward
import numpy as np


def cross_entropy_backward(logits, y, G):
    # BEGIN SOLUTION
    largest = logits.max(axis=1, keepdims=True)
    # ~ overflow M39: largest = 0
    # ~ softmax-of-columns M86: largest = logits.max(axis=0, keepdims=True)
    # ~ one-shift M39: largest = logits.max()
    # ~ another-shift M39: largest = logits.mean(axis=1, keepdims=True)
    # ~ shift-of-columns M86: largest = logits.max(axis=0, keepdims=True)
    powers = np.exp(logits - largest)
    # ~ clipped M39: powers = np.exp(np.clip(logits, -500, 500))
    P = powers / powers.sum(axis=1, keepdims=True)
    # ~ softmax-of-columns M86: P = powers / powers.sum(axis=0, keepdims=True)
    # ~ softmax-of-all M86: P = powers / powers.sum()
    # ~ mean-of-powers M74: P = powers / powers.mean(axis=1, keepdims=True)
    # ~ softmax-of-first-row M43: P = powers[:1] / powers[:1].sum()
    # ~ not-normalised M68: P = np.exp(logits)
    # ~ no-softmax M68: P = logits
    # ~ log-softmax M65: P = logits - largest - np.log(powers.sum(axis=1, keepdims=True))
    Y = np.eye(logits.shape[1])[y]
    # ~ probability-alone M87: Y = 0
    # ~ class-0 M87: Y = np.eye(logits.shape[1])[0 * y]
    # ~ class-one-less M87: Y = np.eye(logits.shape[1])[y - 1]
    # ~ every-class M87: Y = 1
    # ~ own-row M43: Y = np.eye(logits.shape[1])[np.arange(len(y)) % logits.shape[1]]
    # ~ every-row M43: Y = np.zeros(logits.shape); Y[:, y] = 1
    # ~ rows-of-y M43: Y = np.zeros(logits.shape); Y[y] = 1
    # ~ most-likely M87: Y = np.eye(logits.shape[1])[P.argmax(axis=1)]
    return G * (P - Y) / len(logits)
    # ~ sum-not-mean M74: return G * (P - Y)
    # ~ divided-by-entries M74: return G * (P - Y) / logits.size
    # ~ divided-by-classes M74: return G * (P - Y) / logits.shape[1]
    # ~ sign M66: return G * (Y - P) / len(logits)
    # ~ no-upstream M05: return (P - Y) / len(logits)
    # ~ upstream-twice M05: return G * G * (P - Y) / len(logits)
    # ~ upstream-on-softmax M05: return (G * P - Y) / len(logits)
    # ~ upstream-on-class M05: return (P - G * Y) / len(logits)
    # ~ mean-on-softmax M74: return G * (P / len(logits) - Y)
    # ~ mean-on-class M74: return G * (P - Y / len(logits))
    # ~ mean-twice M11: return G * (P - Y) / len(logits) ** 2
    # ~ no-mean-no-upstream M05: return P - Y
    # ~ rows-averaged M11: return G * (P - Y).mean(axis=0)
    # ~ the-loss M09: return -G * np.log(P[np.arange(len(y)), y]).mean()
    # ~ squared-error M67: return 2 * G * (P - Y) / len(logits)
    # ~ softmax-twice M14: return G * (P - Y) * P * (1 - P) / len(logits)
    # ~ jacobian-by-class M14: return G * P * (P - Y) / len(logits)
    # ~ class-replaced M87: return G * np.where(Y == 1, -1, P) / len(logits)
    # ~ class-added M66: return G * (P + Y) / len(logits)
    # ~ class-turned M66: return G * np.where(Y == 1, 1 - P, P) / len(logits)
    # ~ upstream-added M30: return (P - Y) / len(logits) + G
    # ~ upstream-divided M70: return (P - Y) / G / len(logits)
    # ~ rows-added M43: return G * np.tile((P - Y).sum(axis=0), (len(y), 1)) / len(logits)
    # ~ sign-no-mean M66: return G * (Y - P)
    # ~ sign-no-upstream M66: return (Y - P) / len(logits)
    # ~ no-mean-no-upstream-sign M66: return Y - P
    # ~ by-classes-no-upstream M74: return (P - Y) / logits.shape[1]
    # ~ by-entries-no-upstream M74: return (P - Y) / logits.size
    # ~ diagonal M14: return G * -Y * (1 - P) / len(logits)
    # ~ diagonal-everywhere M14: return G * P * (1 - P) / len(logits)
    # ~ no-sum M14: return G * -Y / len(logits)
    # ~ of-probabilities M02: return G * -Y / P / len(logits)
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "The loss of one example is log Σ exp(x) − x_right. What is the derivative of each of the two terms?",
    "The derivative of log Σ exp(x) is softmax. So a row of the answer is the softmax of the row, minus 1 at the right class. "
    "The loss is a mean: what follows for each row?",
    "Before exp, subtract from each row its largest logit. Divide by the sum of the row. Subtract 1 at the right class of each row. "
    "Multiply by G, and divide by the number of examples.",
)
PREDICT = (
    "The logits of one example are (log 1, log 3), and the second class is the right one. What is d loss/dx₁?",
    0.25,
    {
        -0.75: "You took the first class for the right one.",
        -0.25: "That is d loss/dx₂.",
        0.75: "That is the probability of the second class.",
        -0.5: "You took 1/2 for both probabilities, or for the first alone. Softmax of (log 1, log 3) is 1/4 and 3/4.",
    },
)
SEEN = "For the logits of the probabilities {P}, right classes {y} and G = {G}, you gave {got}. Expected was {expected}. "
LARGE = "For logits = {logits}, right classes {y} and G = {G}, you gave {got}. Expected was {expected}. "
SAID = {
    "overflow overflow-in-logs": LARGE
    + "exp of a large number is inf, and inf / inf or inf − inf is nan. Subtract the largest logit of each row first.",
    "one-shift one-shift-in-logs": LARGE
    + "One row is far below the others: minus the largest of all logits, each of its powers is 0. 0 / 0 is nan, and log 0 is −inf. "
    "Each row needs its own largest logit.",
    "another-shift another-shift-in-logs": LARGE
    + "After your shift a logit is still large: exp of it is inf, and inf / inf is nan. Subtract the largest logit of "
    "each row. Then no power is above 1.",
    "clipped": LARGE
    + "Logits that were clipped are equal, so their probabilities are, too. Subtract the largest logit of each row instead.",
    "shift-of-columns logs-shifted-by-columns": SEEN
    + "You subtracted another number from each logit of a row, such as the largest of its column. That changes the "
    "softmax. One number for the whole row does not.",
    "not-normalised": SEEN + "That has exp of the logits in the place of the probabilities. Divide each by the sum of its row.",
    "no-softmax": SEEN + "That has the logits in the place of the probabilities.",
    "log-softmax": SEEN + "That has the logarithms of the probabilities in their place.",
    "softmax-of-columns logs-of-columns": SEEN + "Your probabilities have the sum 1 in each column. An example is a row.",
    "softmax-of-all": SEEN + "All your probabilities together have the sum 1. Those of each row must have it.",
    "probability-alone": SEEN + "That is the part of log Σ exp alone. Subtract 1 at the right class, for −x_right.",
    "class-0": SEEN + "You subtracted at class 0 in each row. The right classes are {y}.",
    "class-one-less": SEEN + "That has the 1 at the class before the right one. Classes are counted from 0, as places of an array are.",
    "every-class": SEEN + "That has the 1 at every class. Subtract it at the right class of each row alone.",
    "every-row logs-every-row logs-first-row": SEEN
    + "That has the 1 at the classes {y} in every row. Each row has one right class: index with the rows and y together.",
    "rows-of-y logs-rows-of-y": SEEN + "That has the 1 in the whole rows {y}. y says which class is right, not which row.",
    "most-likely": SEEN + "That has the 1 at the most likely class of each row. The right classes are {y}.",
    "sum-not-mean": SEEN + "That is the gradient of the sum over {examples}. The loss is their mean.",
    "divided-by-entries": SEEN + "You divided by the number of all logits. The loss is a mean over {examples}.",
    "divided-by-classes": SEEN + "You divided by the number of classes, {C}. The loss is a mean over {examples}.",
    "sign": SEEN + "The sign is wrong. A larger logit of the right class makes the loss smaller.",
    "no-upstream": SEEN + "You took 1 for the upstream gradient. Here it is {G}.",
    "upstream-twice": SEEN + "That has the upstream gradient {G} twice.",
    "upstream-on-softmax": SEEN + "That has the upstream gradient at the probabilities alone. The 1 of the right class needs it, too.",
    "upstream-on-class": SEEN + "That has the upstream gradient at the right class alone. The probabilities need it, too.",
    "mean-on-softmax": SEEN + "That divides only the probabilities by the {examples}. The 1 of the right class belongs to the mean, too.",
    "mean-on-class": SEEN + "That divides only the 1 of the right class by the {examples}. The probabilities belong to the mean, too.",
    "mean-twice": SEEN + "That is divided twice by the number of examples.",
    "no-mean-no-upstream": SEEN + "That is P − Y. The mean over {examples} and the upstream gradient {G} are missing.",
    "rows-averaged": SEEN + "That is the mean of the rows of the gradient. Each row of logits has its own row in the answer.",
    "the-loss": SEEN + "That is the loss itself, times G. Asked for is its derivative with respect to each logit.",
    "own-row": SEEN + "That has the 1 at class 0 in row 0, at class 1 in row 1, and so on. The right classes are {y}.",
    "jacobian-by-class": SEEN + "That is P − Y times p. In P − Y the derivative of softmax is done.",
    "class-replaced": SEEN + "At the right class that has −1. Take 1 off the probability there: p − 1.",
    "class-added": SEEN + "That adds 1 at the right class. A larger logit of the right class makes the loss smaller: p − 1.",
    "class-turned": SEEN + "At the right class that has 1 − p. A larger logit of the right class makes the loss smaller: p − 1.",
    "upstream-added": SEEN + "That adds the upstream gradient {G}. Along a path factors multiply.",
    "upstream-divided": SEEN + "That divides by the upstream gradient {G}. Multiply by it.",
    "rows-added": SEEN + "Each row there is the sum over all {examples}. Each row of logits has its own row in the answer.",
    "sign-no-mean": SEEN + "The sign is wrong, and the mean over {examples} is missing.",
    "sign-no-upstream": SEEN + "The sign is wrong, and the upstream gradient {G} is missing.",
    "no-mean-no-upstream-sign": SEEN
    + "That is Y − P. The sign is wrong, and the mean over {examples} and the upstream gradient {G} are missing.",
    "by-classes-no-upstream": SEEN
    + "That divides by the number of classes, {C}, and the upstream gradient {G} is missing. The loss is a mean over {examples}.",
    "by-entries-no-upstream": SEEN
    + "That divides by the number of all logits, and the upstream gradient {G} is missing. The loss is a mean over {examples}.",
    "mean-of-powers": SEEN + "That divides the powers by their mean. The probabilities of a row have the sum 1.",
    "softmax-of-first-row": SEEN + "That has the probabilities of the first row in each row.",
    "logs-not-shifted-back": SEEN
    + "The powers have the largest logit taken off, and the logits of log p do not. Take it off on both sides.",
    "logs-plus": SEEN + "The sign of the part of log Σ exp is wrong: log p is x − log Σ exp.",
    "logs-summed-over-rows": SEEN + "In the part of log Σ exp, what comes to a row is summed over its classes. That sums over the rows.",
    "logs-mean": SEEN + "In the part of log Σ exp, what comes to a row is summed over its classes. That takes the mean.",
    "logs-diagonal": SEEN + "That has p (1 − p), the diagonal of the Jacobian of softmax, times what comes to log p.",
    "squared-error": SEEN + "That is twice the answer. The factor 2 belongs to a squared error, and the loss is −log p.",
    "softmax-twice": SEEN + "That has P − Y times p (1 − p). In P − Y the derivative of softmax is done.",
    "diagonal": SEEN + "You used only the diagonal of the Jacobian of softmax. A logit moves all probabilities of its row.",
    "diagonal-everywhere": SEEN + "You took p (1 − p), the diagonal of the Jacobian of softmax. Each row must have the sum 0.",
    "no-sum": SEEN + "The sum over the classes is missing: softmax gives p · (g − Σ p g) for an upstream gradient g, and you gave p · g.",
    "of-probabilities logs-divided-by-p": SEEN + "That is the derivative with respect to the probabilities. Softmax is still to come.",
}
ROW = "The probabilities are {P}, the right classes {y}. "
ASKED = {
    **dict.fromkeys(SAID, ROW + "Add the same number to all logits of a row. How much does the loss change?"),
    "overflow overflow-in-logs another-shift another-shift-in-logs clipped": "How large is exp of the largest logit?",
    "one-shift one-shift-in-logs": "How large is exp of each logit of the row, after the subtraction?",
    "mean-on-softmax mean-on-class mean-twice no-mean-no-upstream rows-averaged sum-not-mean divided-by-entries divided-by-classes": ROW
    + "By how much does each example count in the loss?",
    "upstream-twice upstream-on-softmax upstream-on-class no-upstream": ROW + "How much does z change if the loss grows by 1?",
    "class-one-less every-class every-row rows-of-y most-likely": "Which class is right in each row?",
    "sign": ROW + "Does the loss grow or shrink if the logit of the right class grows?",
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
    yield probe(np.array([[1000.0, -2000.0, 999.0], [1.0, -1.0, 0.0]]), [2, 0], random, "large and small logits in a row")
    yield probe(np.array([[1000.0, 999.0], [-2000.0, -1999.0]]), [1, 0], random, "a row far below the other")


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

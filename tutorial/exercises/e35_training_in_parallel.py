"""A network, trained in parallel

1. `gradients(parameters, X, y)` returns the gradients of the loss of a network for classes, for each of its parameters. `parameters` are
   the arrays `W1`, `b1`, `W2`, `b2`, and `X` has one row for each example. The network computes
   $A = X W_1 + b_1$, $H = \\text{relu}(A)$ and $L = H W_2 + b_2$,
   and the loss is the mean over the rows of $-\\log P_{i, y_i}$, where $P$ is the softmax of each row of $L$. The class of row $i$ is
   `y[i]`.
2. Several machines share the rows. Each computes the gradients of its own shard with `gradients`. `allreduce_mean(shards, sizes)` gets a
   list with the gradients of each shard, and a list with the number of rows of each. It returns the gradients of all rows together.

Both return a tuple of four arrays, with the shapes of the parameters. A falling loss proves nothing here: with many of the typical mistakes
the network learns, too. So the gradients are compared, at the steps 1, 2 and 10 of a descent.
"""
# meta: unit=E minutes=45 difficulty=4 chapter=none call=run_training

import numpy as np


def gradients(parameters, X, y):
    W1, b1, W2, b2 = parameters
    # BEGIN SOLUTION
    A = X @ W1 + b1
    H = np.maximum(A, 0)
    L = H @ W2 + b2
    P = np.exp(L - L.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    dL = (P - np.eye(len(b2))[y]) / len(X)
    # ~ sum-of-rows M29: dL = P - np.eye(len(b2))[y]
    # ~ diagonal M14: dL = (P - np.eye(len(b2))[y]) * P * (1 - P) / len(X)
    # ~ no-classes M29: dL = P / len(X)
    dH = dL @ W2.T
    # ~ other-matrix M18: dH = dL @ np.sign(W2).T
    dA = dH * (A > 0)
    # ~ relu-one M29: dA = dH
    # ~ relu-value M29: dA = dH * H
    return X.T @ dA, dA.sum(axis=0), H.T @ dL, dL.sum(axis=0)
    # ~ mean-of-bias M11: return X.T @ dA, dA.mean(axis=0), H.T @ dL, dL.mean(axis=0)
    # ~ input-of-relu M09: return X.T @ dA, dA.sum(axis=0), A.T @ dL, dL.sum(axis=0)
    # END SOLUTION


def allreduce_mean(shards, sizes):
    # BEGIN SOLUTION
    total = sum(sizes)
    # ~ sums M26: total = 1
    # ~ weighted-twice M26: total = sum(sizes) * len(sizes)
    return tuple(sum(size * G for size, G in zip(sizes, of_one)) / total for of_one in zip(*shards))
    # ~ mean-of-means M26: return tuple(sum(of_one) / len(shards) for of_one in zip(*shards))
    # ~ plain-sum M26: return tuple(sum(of_one) for of_one in zip(*shards))
    # ~ first-shard M26: return tuple(shards[0])
    # END SOLUTION


# BEGIN FRAME
NAMES = "W1", "b1", "W2", "b2"


def run_training(parameters, X, y, sizes, rate):
    """Return the gradients at the steps 1, 2 and 10 of a descent, and those of all rows from shards of these sizes."""
    found, now = {}, [np.array(w) for w in parameters]
    for step in range(1, 11):
        G = gradients(now, X, y)
        if step in (1, 2, 10):
            found |= {f"dz/d{name} at step {step}": g for name, g in zip(NAMES, G)}
        now = [w - rate * g for w, g in zip(now, G)]
    ends = np.cumsum([0, *sizes])
    shards = [gradients(parameters, X[a:b], y[a:b]) for a, b in zip(ends, ends[1:])]
    return found | {f"dz/d{name} of all shards": g for name, g in zip(NAMES, allreduce_mean(shards, list(sizes)))}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.probe import Probe

HINTS = (
    "Go back through the lines of the forward pass, the last one first. Each line is a function of the earlier exercises.",
    "The gradient of the loss with respect to L is P with 1 taken off at the class of each row, divided by the number of rows. The "
    "gradient of a "
    "bias is a sum over the rows. A loss that is a mean over rows makes the gradient of a shard a mean, too.",
    "The gradient of H is that of L times W2 transposed. It passes where A is positive. Each W gets its input, transposed, times "
    "the gradient of "
    "its output. For the shards: undo each mean with its number of rows, add, and divide by the number of all rows.",
)
PREDICT = ("The gradient of a shard of 40 rows is 1, that of a shard of 24 rows is 3. What is the gradient of all 64 rows?", 1.75)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "sum-of-rows": WAS + "The loss is a mean over the {rows} rows: divide by {rows}.",
    "diagonal": WAS + "You multiplied by P (1 − P). In P − Y the derivative of softmax is done, with all entries of its Jacobian.",
    "no-classes": WAS + "The class of each row is missing. Take 1 off the probability of the right class, for all {rows} rows.",
    "other-matrix": WAS + "The gradient of H needs the numbers of W2, and you passed it through another matrix. The loss falls with "
    "this, too.",
    "relu-one": WAS + "relu passes on nothing where A is negative. You passed on everything.",
    "relu-value": WAS + "You multiplied by the value of relu. Its slope is 1 or 0.",
    "mean-of-bias": WAS + "The gradient of a bias is the sum over the {rows} rows, and you took a mean. The loss has its mean already.",
    "input-of-relu": WAS + "W2 is multiplied by H, and you took A, the input of relu.",
    "mean-of-means": WAS + "Shards of {sizes} rows do not count the same. Their weights are {sizes} of {rows}.",
    "sums": WAS + "You weighted each shard by its rows and did not divide by all {rows}.",
    "weighted-twice": WAS + "You divided by the number of shards once too often. The weights {sizes} of {rows} add up to 1.",
    "plain-sum": WAS + "You added the gradients of the shards. Each is a mean over its own rows, {sizes}.",
    "first-shard": WAS + "You took the first shard alone. There are shards of {sizes} rows.",
}
ASKED = {
    "sum-of-rows": "What does the loss do with the {rows} rows?",
    "diagonal": "How does a probability depend on the other entries of L?",
    "no-classes": "Where does y come in?",
    "other-matrix": "Through which matrix did H reach L?",
    "relu-one": "What is the slope of relu where A is negative?",
    "relu-value": "What is the slope of relu where A is 3?",
    "mean-of-bias": "How many rows use b1?",
    "input-of-relu": "What is the other factor of W2?",
    "mean-of-means": "How many rows has each shard?",
    "sums": "What is the sum of your weights?",
    "weighted-twice": "What is the sum of your weights?",
    "plain-sum": "If all shards have the same gradient, what is that of all rows?",
    "first-shard": "Which rows did the other machines have?",
}


def probes(random):
    """Yield two rows, then two moons in shards of several sizes, and rows of three classes."""
    yield probe(random, moons(random, 2), [1, 1], 2, "2 rows")
    yield probe(random, moons(random, 8), [5, 3], 3, "8 points of two moons")
    yield probe(random, moons(random, 12), [7, 1, 4], 4, "12 points of two moons, three shards")
    rows = np.array([[random.gauss(0, 1) for _ in range(3)] for _ in range(9)])
    yield probe(random, (rows, np.array([random.randrange(3) for _ in rows])), [2, 6, 1], 4, "9 rows of three classes")


def probe(random, data, sizes, hidden, about):
    X, y = data
    array = lambda *shape: np.array([random.uniform(0.4, 1.6) * random.choice((-1, 1)) for _ in range(int(np.prod(shape)))]).reshape(shape)
    classes = int(max(2, y.max() + 1))
    parameters = [array(X.shape[1], hidden), array(hidden), array(hidden, classes), array(classes)]
    return Probe((parameters, X, y, sizes, 0.3), {"rows": len(X), "sizes": sizes}, about=about)


def moons(random, rows):
    """Return points of two half circles, one in the other, and their classes, 0 and 1 in turn."""
    angles = [random.uniform(0, np.pi) for _ in range(rows)]
    points = [(np.cos(a), np.sin(a)) if k % 2 == 0 else (1 - np.cos(a), 0.5 - np.sin(a)) for k, a in enumerate(angles)]
    return np.array(points), np.arange(rows) % 2


# END CHECK

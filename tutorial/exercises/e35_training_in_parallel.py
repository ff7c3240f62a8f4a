"""A network, trained in parallel

1. `gradients(parameters, X, y)` returns the gradients of the loss of a network for classes, for each of its parameters. `parameters` are
   the arrays `W1`, `b1`, `W2`, `b2`, and `X` has one row for each example. The network computes
   $A = X W_1 + b_1$, $H = \\text{relu}(A)$ and $L = H W_2 + b_2$,
   and the loss is the mean over the rows of $-\\log P_{i, y_i}$, where $P$ is the softmax of each row of $L$. The class of row $i$ is
   `y[i]`.
2. Several machines share the rows. Each computes the gradients of its own shard with `gradients`. `allreduce_mean(shards, sizes)` gets a
   list with the gradients of each shard, and a list with the number of rows of each. It returns the gradients of all rows together.
3. `fit(parameters, shards, rate, momentum, steps)` trains the network. `shards` is a list of `(X, y)`, one for each machine. In each step
   the machines compute the gradients of all rows together, $G$. Then the velocity of each parameter becomes its `momentum` times what it
   was, plus $G$, and the parameter goes down by `rate` times its velocity. Velocities begin at 0. `fit` returns the list of the $G$ of
   all steps.

Gradients are tuples of four arrays, with the shapes of the parameters. A falling loss proves nothing here: with many typical mistakes the
network learns two moons or digits, too. So the gradients are compared, at the steps 1, 2 and 10.
"""
# meta: unit=E minutes=45 difficulty=4 chapter=many-machines call=run_training

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
    # ~ signs M18: dH = dL @ np.sign(W2).T
    # ~ random-matrix M18: dH = dL @ np.random.default_rng(0).normal(size=W2.shape).T
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


def fit(parameters, shards, rate, momentum, steps):
    # BEGIN SOLUTION
    found, velocities = [], [0 * w for w in parameters]
    # ~ own-ways M26: found, velocities, own = [], [[0 * w for w in parameters] for _ in shards], [parameters for _ in shards]
    # ~ never-zeroed M08: found, velocities, kept = [], [0 * w for w in parameters], [0 * w for w in parameters]
    sizes = [len(y) for _, y in shards]
    for _ in range(steps):
        G = allreduce_mean([gradients(parameters, X, y) for X, y in shards], sizes)
        # ~ never-zeroed M08: G = kept = [k + g for k, g in zip(kept, allreduce_mean([gradients(parameters, *s) for s in shards], sizes))]
        # ~ own-ways M26: parts = [gradients(w, X, y) for w, (X, y) in zip(own, shards)]
        # ~ same-shard M26: G = allreduce_mean([gradients(parameters, *shards[0]) for X, y in shards], sizes)
        # ~ shuffled M45: G = allreduce_mean([gradients(parameters, X[::-1], y) for X, y in shards], sizes)
        found.append(tuple(G))
        # ~ own-ways M26: found.append(allreduce_mean(parts, sizes))
        velocities = [momentum * v + g for v, g in zip(velocities, G)]
        # ~ own-ways M26: velocities = [[momentum * v + g for v, g in zip(*pair)] for pair in zip(velocities, parts)]
        # ~ no-momentum M40: velocities = G
        parameters = [w - rate * v for w, v in zip(parameters, velocities)]
        # ~ own-ways M26: own = [[w - rate * v for w, v in zip(*pair)] for pair in zip(own, velocities)]
        # ~ uphill M36: parameters = [w + rate * v for w, v in zip(parameters, velocities)]
        # ~ never-moves M18: pass
    return found
    # END SOLUTION


# BEGIN FRAME
NAMES = "W1", "b1", "W2", "b2"


def run_training(parameters, X, y, sizes, rate, momentum):
    """Return the gradients of all rows, from the shards of these sizes, and at the steps 1, 2 and 10 of a training."""
    ends = np.cumsum([0, *sizes])
    rows = [(X[a:b], y[a:b]) for a, b in zip(ends, ends[1:])]
    found = {"of all rows": gradients(parameters, X, y)}
    found["of all shards"] = allreduce_mean([gradients(parameters, *shard) for shard in rows], list(sizes))
    trained = fit(parameters, rows, rate, momentum, 10)
    found |= {f"at step {step}": trained[step - 1] for step in (1, 2, 10)}
    return {f"dz/d{name} {when}": g for when, G in found.items() for name, g in zip(NAMES, G)}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.calls import with_names
from tutorial.exercises.probe import Probe

RATE, MOMENTUM = 0.3, 0.5
DOTS = (  # of the digits 0 to 9, row by row
    "111101101101111",
    "010110010010111",
    "111001111100111",
    "111001111001111",
    "101101111001001",
    "111100111001111",
    "111100111101111",
    "111001001001001",
    "111101111101111",
    "111101111001111",
)
HINTS = (
    "Go back through the lines of the forward pass, the last one first. Each line is a function of the earlier exercises.",
    "The gradient of the loss with respect to L is P with 1 taken off at the class of each row, divided by the number of rows. The "
    "gradient of a "
    "bias is a sum over the rows. A loss that is a mean over rows makes the gradient of a shard a mean, too.",
    "The gradient of H is that of L times W2 transposed. It passes where A is positive. Each W gets its input, transposed, times "
    "the gradient of its output. For the shards: undo each mean with its number of rows, add, and divide by the number of all rows. All "
    "machines have the same parameters at each step, since all take the same step.",
)
PREDICT = ("The gradient of a shard of 40 rows is 1, that of a shard of 24 rows is 3. What is the gradient of all 64 rows?", 1.75)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "sum-of-rows": WAS + "The loss is a mean over the {rows} rows: divide by {rows}.",
    "diagonal": WAS + "You multiplied by P (1 − P). In P − Y the derivative of softmax is done, with all entries of its Jacobian.",
    "no-classes": WAS + "The class of each row is missing. Take 1 off the probability of the right class, for all {rows} rows.",
    "signs": WAS + "The gradient of H needs the numbers of W2, and you passed it through another matrix. The loss falls with this, too.",
    "random-matrix": WAS
    + "You passed the gradient of L through a random matrix. The loss falls with this, too, but not along the gradient.",
    "never-zeroed": WAS + "You added the gradients of the earlier steps. Velocities remember them already: each step has a G of its own.",
    "own-ways": WAS + "You let each machine go its own way. From step 2 on their parameters differ, and the mean of such gradients is the "
    "gradient of no network.",
    "same-shard": WAS + "All machines computed the gradients of the first shard. There are shards of {sizes} rows.",
    "shuffled": WAS + "You changed the order of the rows of X, and not that of y: {rows} rows have the class of another one.",
    "no-momentum": WAS + "Your velocity forgets what it was. Each step keeps {momentum} of it.",
    "uphill": WAS + "You went up: the parameters go against the gradient, by {rate} times the velocity.",
    "never-moves": WAS + "Step 1 was computed again: your parameters do not move by {rate} times the velocity.",
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
    **dict.fromkeys(("signs", "random-matrix"), "Through which matrix did H reach L?"),
    "never-zeroed": "Which gradients belong to the parameters of this step?",
    "own-ways": "Which parameters has each machine at step 2?",
    "same-shard": "Which rows has each machine?",
    "shuffled": "Which class belongs to each row?",
    "no-momentum": "What is the velocity after two steps with the same gradient?",
    "uphill": "Does the loss rise or fall along the gradient?",
    "never-moves": "Which parameters does step 2 use?",
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


CALLS = """\
gradients([W1, b1, W2, b2], X, y)  # of all rows
sizes = {sizes}  # the rows of each shard; shards are these parts of (X, y)
allreduce_mean([gradients([W1, b1, W2, b2], *shard) for shard in shards], sizes)"""


def probes(random):
    """Yield two rows, then two moons in shards of several sizes, rows of three classes, and digits."""
    yield probe(random, moons(random, 2), [1, 1], 2, "2 rows")
    yield probe(random, moons(random, 8), [5, 3], 3, "8 points of two moons")
    yield probe(random, moons(random, 12), [7, 1, 4], 4, "12 points of two moons, three shards")
    rows = np.array([[random.gauss(0, 1) for _ in range(3)] for _ in range(9)])
    yield probe(random, (rows, np.array([random.randrange(3) for _ in rows])), [2, 6, 1], 4, "9 rows of three classes")
    yield probe(random, digits(random, 14), [8, 6], 5, "14 digits of 15 dots, two shards")


def probe(random, data, sizes, hidden, about):
    X, y = data
    array = lambda *shape: np.array([random.uniform(0.4, 1.6) * random.choice((-1, 1)) for _ in range(int(np.prod(shape)))]).reshape(shape)
    classes = int(max(2, y.max() + 1))
    parameters = [array(X.shape[1], hidden), array(hidden), array(hidden, classes), array(classes)]
    facts = {"rows": len(X), "sizes": sizes, "rate": RATE, "momentum": MOMENTUM}
    names = dict(zip(("W1", "b1", "W2", "b2"), parameters)) | {"X": X, "y": y}
    calls = f"{CALLS.format(sizes=sizes)}\nfit([W1, b1, W2, b2], shards, {RATE}, {MOMENTUM}, 10)"
    return Probe((parameters, X, y, sizes, RATE, MOMENTUM), facts, about=about, shown=with_names(calls, **names))


def moons(random, rows):
    """Return points of two half circles, one in the other, and their classes, 0 and 1 in turn."""
    angles = [random.uniform(0, np.pi) for _ in range(rows)]
    points = [(np.cos(a), np.sin(a)) if k % 2 == 0 else (1 - np.cos(a), 0.5 - np.sin(a)) for k, a in enumerate(angles)]
    return np.array(points), np.arange(rows) % 2


def digits(random, rows):
    """Return digits in 5 rows of 3 dots, each dot a little brighter or darker, and which digits they are."""
    y = np.array([*range(10), *(random.randrange(10) for _ in range(rows - 10))])
    dots = [[float(dot) + random.uniform(-0.2, 0.2) for dot in DOTS[digit]] for digit in y]
    return np.array(dots), y


# END CHECK

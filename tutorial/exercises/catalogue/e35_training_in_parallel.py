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
    # ~ no-b1 M42: A = X @ W1
    H = np.maximum(A, 0)
    # ~ no-relu M67: H = A
    # ~ leaky M67: H = np.where(A > 0, A, 0.01 * A)
    L = H @ W2 + b2
    # ~ no-b2 M42: L = H @ W2
    P = np.exp(L - L.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    dL = (P - np.eye(len(b2))[y]) / len(X)
    # ~ sum-of-rows M74: dL = P - np.eye(len(b2))[y]
    # ~ diagonal M14: dL = (P - np.eye(len(b2))[y]) * P * (1 - P) / len(X)
    # ~ no-classes M87: dL = P / len(X)
    # ~ sign M66: dL = (np.eye(len(b2))[y] - P) / len(X)
    # ~ squared-error M67: dL = 2 * (P - np.eye(len(b2))[y]) / len(X)
    # ~ no-softmax M14: dL = (L - np.eye(len(b2))[y]) / len(X)
    # ~ log-P M65: dL = (np.log(P) - np.eye(len(b2))[y]) / len(X)
    # ~ class-added M66: dL = (P + np.eye(len(b2))[y]) / len(X)
    # ~ by-all-entries M74: dL = (P - np.eye(len(b2))[y]) / P.size
    # ~ by-classes M74: dL = (P - np.eye(len(b2))[y]) / len(b2)
    # ~ every-row M43: Y = np.zeros(P.shape); Y[:, y] = 1; dL = (P - Y) / len(X)
    # ~ right-class-alone M14: dL = (P - 1) * np.eye(len(b2))[y] / len(X)
    # ~ softmax-of-all M86: P = np.exp(L - L.max()); P = P / P.sum(); dL = (P - np.eye(len(b2))[y]) / len(X)
    # ~ softmax-of-columns M86: P = np.exp(L - L.max(axis=0)); P = P / P.sum(axis=0); dL = (P - np.eye(len(b2))[y]) / len(X)
    dH = dL @ W2.T
    # ~ signs M18: dH = dL @ np.sign(W2).T
    # ~ W2-as-it-is M62: dH = dL @ W2
    # ~ random-matrix M18: dH = dL @ np.random.default_rng(0).normal(size=W2.shape).T
    dA = dH * (A > 0)
    # ~ relu-one M67: dA = dH
    # ~ relu-value M65: dA = dH * H
    # ~ relu-of-gradient M09: dA = dH * (dH > 0)
    # ~ relu-turned-round M66: dA = dH * (A < 0)
    # ~ relu-of-input M09: dA = dH * A
    return X.T @ dA, dA.sum(axis=0), H.T @ dL, dL.sum(axis=0)
    # ~ mean-of-bias M11: return X.T @ dA, dA.mean(axis=0), H.T @ dL, dL.mean(axis=0)
    # ~ mean-of-b1 M11: return X.T @ dA, dA.mean(axis=0), H.T @ dL, dL.sum(axis=0)
    # ~ mean-of-b2 M11: return X.T @ dA, dA.sum(axis=0), H.T @ dL, dL.mean(axis=0)
    # ~ sum-of-bias M12: return X.T @ dA, dA.sum(), H.T @ dL, dL.sum()
    # ~ X-for-H M32: return X.T @ dA, dA.sum(axis=0), X.T @ dL, dL.sum(axis=0)
    # ~ H-for-X M32: return H.T @ dA, dA.sum(axis=0), H.T @ dL, dL.sum(axis=0)
    # ~ bias-upstream M32: return X.T @ dA, dH.sum(axis=0), H.T @ dL, dL.sum(axis=0)
    # ~ list-of-four M12: return [X.T @ dA, dA.sum(axis=0), H.T @ dL, dL.sum(axis=0)]
    # ~ input-of-relu M09: return X.T @ dA, dA.sum(axis=0), A.T @ dL, dL.sum(axis=0)
    # ~ bias-of-one-row M03: return X.T @ dA, dA[-1], H.T @ dL, dL[-1]
    # ~ rows-divided-twice M74: return tuple(G / len(X) for G in (X.T @ dA, dA.sum(axis=0), H.T @ dL, dL.sum(axis=0)))
    # ~ bias-one-axis-more M12: return X.T @ dA, dA.sum(axis=0, keepdims=True), H.T @ dL, dL.sum(axis=0, keepdims=True)
    # ~ weights-first M54: return X.T @ dA, H.T @ dL, dA.sum(axis=0), dL.sum(axis=0)
    # ~ second-layer-first M54: return H.T @ dL, dL.sum(axis=0), X.T @ dA, dA.sum(axis=0)
    # ~ X-as-it-is M62: return X @ dA, dA.sum(axis=0), H.T @ dL, dL.sum(axis=0)
    # ~ H-as-it-is M62: return X.T @ dA, dA.sum(axis=0), H @ dL, dL.sum(axis=0)
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
    # ~ by-number-of-shards M26: return tuple(sum(size * G for size, G in zip(sizes, of_one)) / len(sizes) for of_one in zip(*shards))
    # ~ list-of-shards M12: return [sum(size * G for size, G in zip(sizes, of_one)) / total for of_one in zip(*shards)]
    # ~ last-shard M26: return tuple(shards[-1])
    # ~ first-shard-twice M17: return tuple((of_one[0] + sum(n * G for n, G in zip(sizes, of_one))) / total for of_one in zip(*shards))
    # ~ all-zero M60: return tuple(0 * G for G in shards[0])
    # ~ largest-shard M26: return tuple(shards[int(np.argmax(sizes))])
    # ~ inverse-weights M26: return tuple(sum(G / size for size, G in zip(sizes, of_one)) / total for of_one in zip(*shards))
    # ~ weights-of-first M26: return tuple(sum(sizes[0] * G for G in of_one) / total for of_one in zip(*shards))
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
        # ~ equal-sizes M26: G = allreduce_mean([gradients(parameters, X, y) for X, y in shards], [1] * len(shards))
        # ~ sum-of-shards M26: G = [sum(of_one) for of_one in zip(*[gradients(parameters, X, y) for X, y in shards])]
        # ~ shuffled M45: G = allreduce_mean([gradients(parameters, X[::-1], y) for X, y in shards], sizes)
        found.append(tuple(G))
        # ~ own-ways M26: found.append(allreduce_mean(parts, sizes))
        # ~ velocities-for-gradients M40: found.append(tuple(momentum * v + g for v, g in zip(velocities, G)))
        # ~ first-gradient-changed M17: found.append(G)
        # ~ steps-for-gradients M72: found.append(tuple(rate * (momentum * v + g) for v, g in zip(velocities, G)))
        # ~ parameters-for-gradients M65: found.append(tuple(parameters))
        # ~ gradients-of-the-last-shard M26: found.append(tuple(gradients(parameters, *shards[-1])))
        velocities = [momentum * v + g for v, g in zip(velocities, G)]
        # ~ own-ways M26: velocities = [[momentum * v + g for v, g in zip(*pair)] for pair in zip(velocities, parts)]
        # ~ no-momentum M40: velocities = G
        # ~ damped M88: velocities = [momentum * v + (1 - momentum) * g for v, g in zip(velocities, G)]
        # ~ never-fades M88: velocities = [v + g for v, g in zip(velocities, G)]
        # ~ momentum-on-both M88: velocities = [momentum * (v + g) for v, g in zip(velocities, G)]
        # ~ momentum-on-gradient M88: velocities = [v + momentum * g for v, g in zip(velocities, G)]
        # ~ begins-with-gradient M76: velocities = [momentum * (v if len(found) > 1 else g) + g for v, g in zip(velocities, G)]
        # ~ rate-twice M72: velocities = [momentum * v + rate * g for v, g in zip(velocities, G)]
        # ~ first-gradient-changed M17: velocities = [np.add(momentum * v, g, out=v) for v, g in zip(velocities, G)] if found[1:] else G
        parameters = [w - rate * v for w, v in zip(parameters, velocities)]
        # ~ own-ways M26: own = [[w - rate * v for w, v in zip(*pair)] for pair in zip(own, velocities)]
        # ~ uphill M36: parameters = [w + rate * v for w, v in zip(parameters, velocities)]
        # ~ looks-ahead M88: parameters = [w - rate * (g + momentum * v) for w, v, g in zip(parameters, velocities, G)]
        # ~ no-rate M72: parameters = [w - v for w, v in zip(parameters, velocities)]
        # ~ biases-stay M49: parameters = [w - rate * v if w.ndim == 2 else w for w, v in zip(parameters, velocities)]
        # ~ velocity-and-gradient M40: parameters = [w - rate * (g + v) for w, v, g in zip(parameters, velocities, G)]
        # ~ never-moves M18: pass
    return found
    # ~ last-step-alone M48: return found[-1]
    # ~ one-step-less M77: return found[1:]
    # END SOLUTION


# FRAME
NAMES, FOUR, STEPS = ("W1", "b1", "W2", "b2"), "a tuple of 4 arrays", 10


def run_training(part, *arguments):
    """Return what one of the three functions gives: the gradients of all rows, of all shards, or at the steps 1, 2 and 10."""
    return {"gradients": of_all_rows, "allreduce_mean": of_all_shards, "fit": of_training}[part](*arguments)


def of_all_rows(parameters, X, y):
    return of_four("gradients", "of all rows", gradients(parameters, X, y))


def of_all_shards(shards, sizes):
    return of_four("allreduce_mean", "of all shards", allreduce_mean(shards, sizes))


def of_training(parameters, shards, rate, momentum):
    trained = fit([w.copy() for w in parameters], shards, rate, momentum, STEPS)  # a training may change the arrays that it gets
    if not isinstance(trained, list) or not all(kind_of(G) == FOUR for G in trained):
        return {"what fit returns": kind_of(trained)}
    found = {"what fit returns": f"the gradients of {len(trained)} steps"}
    if len(trained) != STEPS:
        return found
    return found | {f"dz/d{name} at step {step}": g for step in (1, 2, STEPS) for name, g in zip(NAMES, trained[step - 1])}


def of_four(function, which, G):
    found = {f"what {function} returns": kind_of(G)}
    return found | {f"dz/d{name} {which}": g for name, g in zip(NAMES, G)} if kind_of(G) == FOUR else found


def kind_of(found):
    if not isinstance(found, (list, tuple)):
        return f"a value of the type {type(found).__name__}"
    arrays = "arrays" if all(isinstance(G, (np.ndarray, np.generic)) for G in found) else "values, not all of them arrays"
    return f"a {'list' if isinstance(found, list) else 'tuple'} of {len(found)} {arrays}"


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

RATE, MOMENTUM = 0.3, 0.6
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
    "gradient of a bias is a sum over the rows. A loss that is a mean over rows makes the gradient of a shard a mean, too.",
    "The gradient of H is that of L times W2 transposed. It passes where A is positive. Each W gets its input, transposed, times "
    "the gradient of its output. For the shards: undo each mean with its number of rows, add, and divide by the number of all rows. All "
    "machines have the same parameters at each step, since all take the same step.",
)
PREDICT = (
    "The gradient of a shard of 40 rows is 1, that of a shard of 24 rows is 3. What is the gradient of all 64 rows?",
    1.75,
    {
        2: "You took the mean of two means. The first shard has more rows.",
        4: "You added the gradients. The loss is a mean over all rows.",
        2.25: "You weighted each shard by the rows of the other.",
    },
)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "sum-of-rows": WAS + "The loss is a mean over the {rows} rows: divide by {rows}.",
    "diagonal": WAS + "You multiplied by P (1 − P). In P − Y the derivative of softmax is done, with all entries of its Jacobian.",
    "no-classes": WAS + "The class of each row is missing. Take 1 off the probability of the right class, for all {rows} rows.",
    "sign": WAS + "The sign is wrong. A larger logit of the right class makes the loss smaller: P − Y.",
    "squared-error": WAS + "That is twice as much. The 2 belongs to a squared error, and the loss is −log P, with {rows} rows.",
    "no-softmax": WAS + "That has L itself in the place of its softmax P.",
    "by-all-entries": WAS + "That divides by the number of all entries of P. The loss is a mean over the {rows} rows.",
    "by-classes": WAS + "That divides by the number of classes. The loss is a mean over the {rows} rows.",
    "every-row": WAS
    + "That takes 1 off at the classes of all rows in each row. Each row has one right class: index with the rows and y together.",
    "right-class-alone": WAS + "That is the entry of the right class alone. A logit moves all probabilities of its row.",
    "softmax-of-all": WAS + "All probabilities together have the sum 1 there. Those of each of the {rows} rows must have it.",
    "softmax-of-columns": WAS + "The probabilities of each column have the sum 1 there. Those of each of the {rows} rows must have it.",
    "W2-as-it-is": WAS + "That is the product of dz/dL and W2 as it is. It needs the transpose of W2.",
    "relu-of-gradient": WAS + "That lets pass what is positive in the gradient. relu passes on where its input A is positive.",
    "relu-turned-round": WAS + "That lets pass where A is negative. relu passes on where A is positive.",
    "relu-of-input": WAS + "That multiplies by the input A of relu. Its slope is 1 or 0.",
    "bias-of-one-row": WAS + "That is the gradient of the last row. A bias is added to each of the {rows} rows, and the effects add.",
    "rows-divided-twice": WAS + "That is divided by the {rows} rows once more. The loss has its mean already, in dz/dL.",
    "bias-one-axis-more": WAS + "The numbers are right, and there is an axis too many. A bias has one axis, and so has its gradient.",
    "weights-first second-layer-first": WAS + "The order of the parameters is W1, b1, W2, b2, and that of the gradients is the same.",
    "last-shard": WAS + "That is the last shard alone. There are shards of {sizes} rows.",
    "largest-shard": WAS + "That is the largest shard alone. There are shards of {sizes} rows.",
    "inverse-weights": WAS
    + "That divides each shard by its rows. Each gradient is a mean: a shard with more rows counts more, {sizes} of {rows}.",
    "weights-of-first": WAS + "That gives each shard the weight of the first. The weights are {sizes} of {rows}.",
    "equal-sizes": WAS + "In `fit` the shards count the same. They have {sizes} rows.",
    "sum-of-shards": WAS + "In `fit` the gradients of the shards are added. Each is a mean over its own rows, {sizes}.",
    "velocities-for-gradients": WAS + "That is the velocity. Either it is in your list, or it was written into the arrays of G, which are.",
    "first-gradient-changed": WAS
    + "The velocity began as the array of the first G, and was changed in place: the G in your list changed with it.",
    "one-machine-after-another": WAS
    + "A machine computed its gradients after another had moved the parameters. In a step all machines of {sizes} rows have "
    "the same parameters, and move them together.",
    "steps-for-gradients": WAS + "That is {rate} times the velocity, the step. The list holds G.",
    "parameters-for-gradients": WAS + "That is the parameter itself. The list holds the gradients G.",
    "gradients-of-the-last-shard": WAS + "That is the gradient of the last shard. The list holds those of all rows together, {sizes}.",
    "damped": WAS + "That multiplies G by 1 − {momentum}. The velocity adds G in full.",
    "never-fades": WAS + "That keeps all of the velocity. Each step keeps {momentum} of it.",
    "momentum-on-both": WAS + "That multiplies G by {momentum}, too. The velocity adds G in full.",
    "momentum-on-gradient": WAS + "That multiplies G by {momentum}, and keeps all of the velocity. It is the other way round.",
    "begins-with-gradient": WAS + "That is what velocities give that begin with G. They begin at 0.",
    "rate-twice": WAS + "That has the rate {rate} twice: in the velocity, and in the step.",
    "looks-ahead": WAS + "That is the step of Nesterov, which adds {momentum} of the velocity once more.",
    "no-rate": WAS + "That steps by the velocity itself. Multiply it by the rate {rate}.",
    "biases-stay": WAS
    + "That is what biases give that stay as they are. All four parameters are trained, by {rate} times their velocities.",
    "velocity-and-gradient": WAS + "That steps by {rate} times the velocity plus G. The velocity holds G already.",
    "last-step-alone": WAS + "That is the G of one step. `fit` returns the list of all of them.",
    "one-step-less": WAS + "The G of each step belongs to the list, that of the first one, too.",
    "mean-of-b1": WAS + "The gradient of b1 is the sum over the {rows} rows, and that is a mean. The loss has its mean already.",
    "mean-of-b2": WAS + "The gradient of b2 is the sum over the {rows} rows, and that is a mean. The loss has its mean already.",
    "sum-of-bias": WAS + "That is the sum of all entries. The sum goes over the {rows} rows alone: a bias has an entry for each column.",
    "X-for-H": WAS + "That has X in the gradient of W2. W2 is multiplied by H.",
    "H-for-X": WAS + "That has H in the gradient of W1. W1 is multiplied by X.",
    "bias-upstream": WAS + "That is the sum of the gradient of H. b1 is added before relu, so it gets the gradient of A.",
    "no-b1": WAS + "That is what the network gives without b1.",
    "no-b2": WAS + "That is what the network gives without b2.",
    "no-relu": WAS + "That is what the network gives without relu.",
    "leaky": WAS + "That is what another function than relu gives, which passes on a little of what is negative.",
    "log-P": WAS + "That has log P in the place of P. In P − Y the derivative of the logarithm is done.",
    "class-added": WAS + "That adds 1 at the class of each of the {rows} rows. Take 1 off: P − Y.",
    "by-number-of-shards": WAS + "That divides by the number of shards. The rows were multiplied in, so divide by all {rows}.",
    "list-of-four list-of-shards": WAS + "Round brackets, or tuple(…), make a tuple.",
    "X-as-it-is H-as-it-is": WAS + "The input of a layer is transposed in the gradient of its matrix. That has it as it is.",
    "first-shard-twice": WAS + "The first shard is counted once more there: a sum begins with 0, in an array of its own.",
    "all-zero": WAS + "That is 0. t = t + … gives the name t to a new array, and the list keeps the old one.",
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
    **dict.fromkeys(SAID, "Take one step on paper, with one row for each machine. What are its G, its velocity and the new parameters?"),
    "sum-of-rows": "What does the loss do with the {rows} rows?",
    "diagonal": "How does a probability depend on the other entries of L?",
    "no-classes": "Where does y come in?",
    "signs random-matrix": "Through which matrix did H reach L?",
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
    "sums weighted-twice": "What is the sum of your weights?",
    "plain-sum": "If all shards have the same gradient, what is that of all rows?",
    "first-shard": "Which rows did the other machines have?",
}


def probes(random):
    """Yield the gradients of two rows, two moons, rows of three classes, and digits; then their shards; then trainings."""
    rows = np.array([[random.gauss(0, 1) for _ in range(3)] for _ in range(9)])
    three = rows, np.array([random.randrange(3) for _ in rows])
    sets = (
        network(random, moons(random, 2), [1, 1], 2, "2 rows"),
        network(random, moons(random, 8), [5, 3], 3, "8 points of two moons"),
        network(random, moons(random, 12), [7, 1, 4], 4, "12 points of two moons, three shards"),
        network(random, three, [2, 6, 1], 4, "9 rows of three classes"),
        network(random, digits(random, 14), [8, 6], 5, "14 digits of 15 dots, two shards"),
    )
    for probe in (gradients_of, shards_of, training_of):
        for each in sets:
            yield probe(*each)


def network(random, data, sizes, hidden, about):
    """Return parameters for data, the data, their shards, facts, and what the probe is."""
    X, y = data
    array = lambda *shape: np.array([random.uniform(0.4, 1.6) * random.choice((-1, 1)) for _ in range(int(np.prod(shape)))]).reshape(shape)
    classes = int(max(2, y.max() + 1))
    parameters, active = [], np.zeros((1, 1))
    while not active.any(axis=0).all() or active.all():  # each entry of H is positive in a row, and not all are
        parameters = [array(X.shape[1], hidden), array(hidden), array(hidden, classes), array(classes)]
        active = X @ parameters[0] + parameters[1] > 0
    ends = np.cumsum([0, *sizes])
    shards = [(X[a:b], y[a:b]) for a, b in zip(ends, ends[1:])]
    return parameters, X, y, shards, {"rows": len(X), "sizes": sizes, "rate": RATE, "momentum": MOMENTUM}, about


def gradients_of(parameters, X, y, shards, facts, about):
    shown = with_names("gradients([W1, b1, W2, b2], X, y)", **dict(zip(NAMES, parameters)), X=X, y=y)
    return Probe(("gradients", parameters, X, y), facts, about=about, shown=shown)


def shards_of(parameters, X, y, shards, facts, about):
    found, sizes = [gradients(parameters, *shard) for shard in shards], facts["sizes"]
    shown = with_names("allreduce_mean(shards, sizes)", shards=found, sizes=sizes)
    return Probe(("allreduce_mean", found, sizes), facts, about=about, shown=shown)


def training_of(parameters, X, y, shards, facts, about):
    call = f"fit([W1, b1, W2, b2], shards, {RATE}, {MOMENTUM}, {STEPS})"
    shown = with_names(call, **dict(zip(NAMES, parameters)), shards=shards)
    return Probe(("fit", parameters, shards, RATE, MOMENTUM), facts, about=about, shown=shown)


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

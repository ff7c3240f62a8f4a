"""A check that is checked

`gradcheck(f, backward, shape, dice)` says whether a backward function is right. `f(X)` is a function of an array of the shape `shape`, and
`backward(G, X)` should give $\\frac{dz}{dX}$ for the upstream gradient `G`, which has the shape of `f(X)`. The check returns `True` or
`False`. It compares with `numeric_grad`, which is right to about eight digits. `dice` is a generator of NumPy that makes random numbers,
for example `dice.normal(size=(2, 3))`.

Your check is checked, too: it gets 12 backward functions that are right, and 20 that are wrong, and must judge each of them. Some have
tiny gradients and some huge ones, some give nan, which is "not a number", such
as 0/0, and some the wrong shape.
"""

# meta: unit=D minutes=25 difficulty=3 chapter=checking-gradients call=gradcheck_of
import numpy as np


def numeric_grad(f, X, upstream, h=1e-6):
    gradient = np.zeros(X.shape)
    for i in np.ndindex(X.shape):
        nudge = np.zeros(X.shape)
        nudge[i] = h
        gradient[i] = ((f(X + nudge) - f(X - nudge)) / (2 * h) * upstream).sum()
    return gradient


def gradcheck(f, backward, shape, dice):
    # BEGIN SOLUTION
    for _ in range(3):
        X = dice.normal(size=shape)
        # ~ at-ones M19: X = np.ones(shape)
        # ~ positive-X M19: X = dice.uniform(0.1, 2, size=shape)
        # ~ at-zeros M19: X = np.zeros(shape)
        # ~ at-kinks M20: X = dice.integers(-1, 2, size=shape) * 1.0
        G = dice.normal(size=np.shape(f(X)))
        # ~ ones-upstream M05: G = np.ones(np.shape(f(X)))
        # ~ same-upstream M05: G = np.full(np.shape(f(X)), dice.normal())
        # ~ zero-upstream M05: G = np.zeros(np.shape(f(X)))
        got, expected = backward(G, X), numeric_grad(f, X, G)
        # ~ other-upstream M05: got, expected = backward(G, X), numeric_grad(f, X, np.ones(np.shape(G)))
        if np.shape(got) != shape:
            # ~ any-shape M12: if False:
            return False
        error, scale = np.abs(got - expected), np.abs(expected).max()
        # ~ absolute M19: error, scale = np.abs(got - expected), 100
        # ~ absolute-strict M19: error, scale = np.abs(got - expected), 0.1
        # ~ sums M19: error, scale = np.abs(got.sum() - expected.sum()), np.abs(expected).max()
        # ~ first-entry M19: error, scale = np.abs(got - expected).flat[0], np.abs(expected).max()
        # ~ signed M66: error, scale = got - expected, np.abs(expected).max()
        # ~ magnitudes M66: error, scale = np.abs(np.abs(got) - np.abs(expected)), np.abs(expected).max()
        if not np.all(error <= 1e-5 * scale):
            # ~ any-entry M19: if not np.any(error <= 1e-5 * scale):
            # ~ loose-by-10 M19: if not np.all(error <= 1e-3 * scale):
            # ~ turned-round M66: if np.all(error <= 1e-5 * scale):
            # ~ below-alone M39: if not np.all(error < 1e-5 * scale):
            # ~ loose M19: if not np.all(error <= 1e-2 * scale):
            # ~ strict M24: if not np.all(error <= 1e-15 * scale):
            # ~ nan-passes M39: if np.any(error > 1e-5 * scale):
            return False
    return True
    # ~ always-false M58: return False
    # END SOLUTION


# MUTANT trusts M18: return True
# FRAME
def ask_the_check(*question):
    """Return what the check answers. The process that runs this program puts its own function here."""


def gradcheck_of(shape, seed):
    """Return the verdict on a backward function. Neither it nor f is in this process: the check computes them, and knows who is wrong."""

    def f(X):
        return ask_the_check("f", X)

    def backward(G, X):
        return ask_the_check("backward", G, X)

    answer = gradcheck(f, backward, shape, np.random.default_rng(seed))
    return bool(answer) if isinstance(answer, np.bool_) else answer


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Which numbers for X and G make a wrong backward function look right? Ones do. Random numbers hardly ever do.",
    "An error of 0.001 is large for a gradient of 0.0001, and small for one of 1,000,000. Compare the error with the gradient.",
    "First compare the shapes. Then every entry of the error must be at most a hundred-thousandth of the largest entry of the right "
    "gradient. Ask whether all errors are small, not whether one is large: nan is neither.",
)
PREDICT = (
    "x³ has the slope 3x², and a backward function has 3x. At which x, other than 0, does a check not see it?",
    1,
    {
        -1: "There 3x² is 3, and 3x is −3. A check sees that.",
        1 / 3: "There 3x² is 1/3, and 3x is 1. A check sees that.",
    },
)
SCALES = (0.5, 0.75, 1.25, 1.5, 2)  # by which a function is multiplied
SEEN = "Your check gave {got} for {name}. Expected was {expected}. "
SAID = {
    "ones-upstream": SEEN
    + "You took ones for the upstream gradient, which hide who ignores or exchanges its entries. Use random numbers for G.",
    "at-ones": SEEN + "You checked at X = 1, where 3x and 3x² are both 3. Use random numbers for X.",
    "at-kinks": SEEN + "You checked at integers, where floor jumps, and relu and max have a kink, or you divided by gradients that are 0.",
    "any-shape": SEEN + "Its gradient has the wrong shape, and NumPy repeated it silently when you compared. Compare the shapes first.",
    "absolute": SEEN
    + "Your tolerance does not shrink with the gradients, as that of np.allclose does not. Here they are as small as 1/1,000,000,000.",
    "absolute-strict": SEEN
    + "Your tolerance is the same for gradients of every size. Eight digits of 1,000,000 are an error of about 0.01.",
    "sums": SEEN + "You compared the sum of the entries. The entries are right, but at wrong places: compare each of them.",
    "first-entry": SEEN + "You compared one entry. The others may be wrong.",
    "loose": SEEN + "Your tolerance is 1 in 100. The central difference is right to about eight digits, so ask for five.",
    "strict": SEEN + "Your tolerance is smaller than the error of the central difference, which is right to about eight digits.",
    "nan-passes": SEEN + "Its gradient is nan for negative x. nan is not larger than your tolerance. Ask whether all errors are small.",
    "positive-X": SEEN + "You checked at positive X alone. A function may behave in another way where x is negative.",
    "at-zeros": SEEN + "You checked at X = 0, where many slopes are equal. Use random numbers for X.",
    "same-upstream": SEEN + "You took one number for all entries of G. Take another one for each.",
    "zero-upstream": SEEN + "You took zeros for G, and then every gradient is 0.",
    "other-upstream": SEEN + "You gave backward another upstream gradient than numeric_grad.",
    "signed": SEEN + "You compared the difference without its absolute value, so a gradient that is too small passes.",
    "magnitudes": SEEN + "You compared absolute values, so a wrong sign passes.",
    "any-entry": SEEN + "You asked for one entry that is right. All must be right.",
    "loose-by-10": SEEN + "Your tolerance is 1 in 1,000. The central difference is right to about eight digits, so ask for five.",
    "turned-round": SEEN + "You turned the answer round: small errors mean True.",
    "below-alone": SEEN + "You asked for an error below the tolerance. Where the gradient is 0, the error is 0, too, and that is right.",
    "always-false": SEEN + "Your check called everything wrong that was tried.",
    "trusts": SEEN + "Your check calls everything right, also what ignores its input.",
}
ASKED = {
    **dict.fromkeys(SAID, "Which numbers X and G would show what is wrong?"),
    "at-kinks": "At which X has {name} no derivative?",
    "any-shape": "Which shape has the gradient, and what does NumPy do when you subtract?",
    "absolute absolute-strict loose strict loose-by-10": "How large is the gradient, and how large is the error?",
    "sums first-entry signed magnitudes any-entry": "Do you compare every entry with its own number?",
    "nan-passes": "Is nan > 0.1?",
    "below-alone": "What does your check do with an entry that is 0, and right?",
    "turned-round always-false": "What does your check answer if there is no error at all?",
}


def softmax(X):
    powers = np.exp(X - X.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def softmax_backward(G, X):
    Y = softmax(X)
    return Y * (G - (Y * G).sum(axis=-1, keepdims=True))


def largest(X):
    return X.max(axis=-1, keepdims=True) == X


def tanh_but_for_the_last(G, X):
    gradient = G * (1 - np.tanh(X) ** 2)
    gradient[..., -1] = 0
    return gradient


def relu(X):
    return np.maximum(X, 0)


FUNCTIONS = {
    "x³": lambda X: X**3,
    "exp": np.exp,
    "sum": np.sum,
    "mean": np.mean,
    "tanh": np.tanh,
    "transpose": np.transpose,
    "relu": relu,
    "softmax": softmax,
    "max": lambda X: X.max(axis=-1),
    "tanh / 1,000,000,000": lambda X: np.tanh(X) / 1e9,
    "tanh · 1,000,000": lambda X: np.tanh(X) * 1e6,
    "floor": np.floor,
}

BACKWARD = {
    "x³": lambda G, X: G * 3 * X**2,
    "x³, which has the slope 3x": lambda G, X: G * 3 * X,
    "exp": lambda G, X: G * np.exp(X),
    "exp, which ignores its upstream gradient": lambda G, X: np.exp(X),
    "exp, whose slope is its input": lambda G, X: G * X,
    "sum": lambda G, X: np.full(X.shape, G),
    "sum, which ignores its upstream gradient": lambda G, X: np.ones(X.shape),
    "sum, which gives one number": lambda G, X: np.array(G),
    "mean": lambda G, X: np.full(X.shape, G / X.size),
    "mean, which does not divide": lambda G, X: np.full(X.shape, G),
    "tanh": lambda G, X: G * (1 - np.tanh(X) ** 2),
    "tanh, without the square": lambda G, X: G * (1 - np.tanh(X)),
    "tanh, 0.05 percent too large": lambda G, X: G * (1 - np.tanh(X) ** 2) * 1.0005,
    "tanh, which forgets the last column": tanh_but_for_the_last,
    "transpose": lambda G, X: G.T,
    "transpose, which reshapes": lambda G, X: G.reshape(X.shape),
    "transpose, which turns it": lambda G, X: G.T[::-1],
    "relu": lambda G, X: G * (X > 0),
    "relu, which has the slope 1 everywhere": lambda G, X: 1 * G,
    "relu, which gives nan for negative numbers": lambda G, X: G * np.sqrt(X) / np.sqrt(X),
    "softmax": softmax_backward,
    "softmax, the diagonal alone": lambda G, X: G * softmax(X) * (1 - softmax(X)),
    "softmax, which is never too large": lambda G, X: softmax_backward(G, X) - np.abs(G * softmax(X)),
    "max": lambda G, X: G[..., None] * largest(X),
    "max, which gives each entry a share": lambda G, X: G[..., None] * np.full(X.shape, 1 / X.shape[-1]),
    "max, which has lost a minus sign": lambda G, X: -G[..., None] * largest(X),
    "tanh / 1,000,000,000": lambda G, X: G * (1 - np.tanh(X) ** 2) / 1e9,
    "tanh / 1,000,000,000, twice as large": lambda G, X: G * (1 - np.tanh(X) ** 2) / 5e8,
    "tanh · 1,000,000": lambda G, X: G * (1 - np.tanh(X) ** 2) * 1e6,
    "tanh · 1,000,000, half a percent too large": lambda G, X: G * (1 - np.tanh(X) ** 2) * 1.005e6,
    "floor": lambda G, X: 0 * G,
    "floor, which passes G on": lambda G, X: 1 * G,
}


def probes(random):
    """Yield all backward functions in a random order, each multiplied by a number, as its f is."""
    for name in random.sample([*BACKWARD], len(BACKWARD)):
        f, scale, seed = name.partition(", ")[0], random.choice(SCALES), random.randrange(10**6)
        shown = f"gradcheck(f, backward, (2, 3), np.random.default_rng({seed}))"
        about = f"f is {f} times {scale:g}, and backward is that of {name}"
        yield Probe(((2, 3), seed), {"name": name, "scale": scale}, about=about, shown=shown)


def reply(question, probe):
    """Return f(X), or backward(G, X). Raises ValueError for other shapes, in words that do not depend on the function."""
    name, (shape, _) = probe.facts["name"], probe.arguments
    if len(question) != {"f": 2, "backward": 3}.get(question[0]):
        raise ValueError("f takes X, and backward takes G and X")
    which, *arrays = question
    X = as_array("X", arrays[-1], shape)
    with np.errstate(all="ignore"):
        Y = probe.facts["scale"] * FUNCTIONS[name.partition(", ")[0]](X)
        return Y if which == "f" else probe.facts["scale"] * BACKWARD[name](as_array("G", arrays[0], np.shape(Y)), X)


def as_array(what, array, shape):
    """Return an array of floats. Raises ValueError if it has another shape."""
    if np.shape(array) != tuple(shape):
        raise ValueError(f"{what} needs the shape {tuple(shape)}, and has {np.shape(array)}")
    return np.asarray(array, float)


def judge(got, probe):
    """Return what is wrong with a verdict. The names of wrong backward functions say what is wrong with them, after a comma."""
    name = probe.facts["name"]
    right = ", " not in name
    return None if got is right else f"Your check gave {got} for {name}. Expected was {right}."

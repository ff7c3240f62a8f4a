"""A gradient by nudges

`numeric_grad(f, X, upstream, h)` returns the gradient of $z$ with respect to $X$ by central differences. `f` takes an array of the shape of
$X$ and returns an array, perhaps of another shape. $z$ is the sum of `f(X) * upstream`, so `upstream` is $\\frac{dz}{dY}$ for $Y = f(X)$.
For each entry $x_i$, nudge this entry alone:

$$
\\frac{dz}{dx_i} \\approx \\sum \\frac{f(X + h\\text{ at }i) - f(X - h\\text{ at }i)}{2h} \\cdot \\text{upstream}
$$

For `f = lambda X: X ** 2`, `X = np.array([3, 5])`, `upstream = np.array([1, 10])` and `h = 0.5` the answer is `[6, 100]`. The entries of
`X` may be integers. `f` may return a part of `X` itself. The program must not change `X`.
"""

# meta: unit=D minutes=12 difficulty=2 chapter=checking-gradients call=numeric_grad_of
import numpy as np


def numeric_grad(f, X, upstream, h=1e-6):
    # BEGIN SOLUTION
    gradient = np.zeros(X.shape)
    # ~ integer-result M39: gradient = np.zeros_like(X)
    for i in np.ndindex(X.shape):
        # ~ diagonal M02: for i in range(len(X)):
        nudge = np.zeros(X.shape)
        # ~ nudges-stay M40: nudge = nudge if any(i) else np.zeros(X.shape)
        # ~ integers M39: above, below = X.copy(), X.copy()
        nudge[i] = h
        # ~ integers M39: above[i] += h
        change = (f(X + nudge) - f(X - nudge)) / (2 * h)
        # ~ forward M24: change = (f(X + nudge) - f(X)) / h
        # ~ backward M24: change = (f(X) - f(X - nudge)) / h
        # ~ forward-by-2h M71: change = (f(X + nudge) - f(X)) / (2 * h)
        # ~ h-for-2h M71: change = (f(X + nudge) - f(X - nudge)) / h
        # ~ not-divided M31: change = f(X + nudge) - f(X - nudge)
        # ~ no-brackets M70: change = (f(X + nudge) - f(X - nudge)) / 2 * h
        # ~ one-side-divided M70: change = f(X + nudge) - f(X - nudge) / (2 * h)
        # ~ multiplied M70: change = (f(X + nudge) - f(X - nudge)) * (2 * h)
        # ~ turned-round M66: change = (f(X - nudge) - f(X + nudge)) / (2 * h)
        # ~ added M66: change = (f(X + nudge) + f(X - nudge)) / (2 * h)
        # ~ fixed-nudge M31: change = (f(X + nudge / h * 1e-6) - f(X - nudge / h * 1e-6)) / 2e-6
        # ~ half-nudge M71: change = (f(X + nudge / 2) - f(X - nudge / 2)) / (2 * h)
        # ~ value M65: change = f(X)
        # ~ integers M39: below[i] -= h
        gradient[i] = (change * upstream).sum()
        # ~ no-upstream M05: gradient[i] = change.sum()
        # ~ mean M11: gradient[i] = (change * upstream).mean()
        # ~ own-entry M02: gradient[i] = (change * upstream)[i]
        # ~ own-entry-or-sum M02: gradient[i] = (change * upstream)[i] if change.shape == X.shape else (change * upstream).sum()
        # ~ largest M30: gradient[i] = (change * upstream).max()
        # ~ absolute M66: gradient[i] = np.abs(change * upstream).sum()
        # ~ product-of-sums M30: gradient[i] = change.sum() * upstream.sum()
        # ~ upstream-mean M11: gradient[i] = change.sum() * upstream.mean()
        # ~ first-entry M02: gradient[i] = np.ravel(change * upstream)[0]
        # ~ one-number M03: gradient = (change * upstream).sum() + 0 * gradient
        # ~ integers M39: gradient[i] = ((f(above) - f(below)) / (2 * h) * upstream).sum()
    return gradient
    # ~ flat M12: return gradient.ravel()
    # ~ a-list M12: return gradient.tolist()
    # ~ halved M71: return gradient / 2
    # END SOLUTION


# MUTANT all-at-once M02: return (f(X + h) - f(X - h)) / (2 * h) * upstream
# MUTANT upstream-inside M30: return np.array([((f(X + h) - f(X - h)) / (2 * h) * upstream).sum()] * X.size).reshape(X.shape)
# MUTANT below-stays M40
#     X, gradient = np.array(X, dtype=float), np.zeros(X.shape)
#     # ~ in-place-steps M39: gradient = np.zeros(X.shape)
#     for i in np.ndindex(X.shape):
#         X[i] += h
#         above = np.array(f(X))
#         X[i] -= 2 * h
#         below = np.array(f(X))
#         X[i] -= h
#         # ~ in-place-steps M39: X[i] += h
#         # ~ not-restored M40: pass
#         gradient[i] = ((above - below) / (2 * h) * upstream).sum()
#     return gradient
# MUTANT above-shared M17
#     X, gradient = np.array(X, dtype=float), np.zeros(X.shape)
#     for i in np.ndindex(X.shape):
#         x = X[i]
#         X[i] = x + h
#         above = f(X)
#         X[i] = x - h
#         below = np.array(f(X))
#         # ~ shared M17: below = f(X)
#         X[i] = x
#         gradient[i] = ((above - below) / (2 * h) * upstream).sum()
#     return gradient
# FRAME
FUNCTIONS = {
    "X ** 2": lambda X: X**2,
    "X.cumsum()": lambda X: X.cumsum(),
    "X ** 3": lambda X: X**3,
    "(X ** 2).sum()": lambda X: (X**2).sum(),
    "X.sum(axis=0) ** 2": lambda X: X.sum(axis=0) ** 2,
    "X.T": lambda X: X.T,
    "X[0]": lambda X: X[0],
}


def numeric_grad_of(f, X, upstream, h):
    return numeric_grad(FUNCTIONS[f], X, upstream, h)


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "There is one derivative for each entry of X. So nudge the entries one after the other.",
    "A nudge is an array of zeros with h at one place. X + nudge and X − nudge are new arrays, so X stays as it is.",
    "np.ndindex(X.shape) gives all places of X. For each place compute f twice, take the difference, divide it by twice h, multiply by the "
    "upstream gradient, and add up all entries: that is one number.",
)
PREDICT = (
    "For f(x) = x², x = 3 and h = 0.5, what is the forward difference (f(3.5) − f(3)) / 0.5?",
    6.5,
    {
        6: "That is the derivative. A forward difference is off by about h.",
        3.25: "That is the change of f. Divide it by the nudge.",
        7: "That is the derivative at 3.5.",
    },
)
SEEN = "For f(X) = {f}, X = {X}, upstream = {upstream} and h = {h}, you gave {got}. Expected was {expected}. "
SAID = {
    "forward": SEEN + "That is the forward difference, whose error is about h/2 times the second derivative. Use f(X − nudge), too.",
    "h-for-2h": SEEN + "You gave twice the slope: from x − h to x + h it is 2h = {two_h}.",
    "not-divided": SEEN + "That is a change, not a slope. Divide by the distance, 2h = {two_h}.",
    "no-upstream": SEEN + "You took 1 for each entry of the upstream gradient.",
    "mean": SEEN + "You took the mean over the {entries} entries of f(X). Their effects on z add.",
    "own-entry own-entry-or-sum": SEEN + "You looked only at the entry of f(X) with the same place. A nudge may move all entries of f(X).",
    "all-at-once": SEEN + "You nudged all entries of X at once. Then nobody can say which of them has moved f(X).",
    "not-restored": SEEN + "Your nudges stay: from the second entry on, the entries before it are still at x − h.",
    "integers": SEEN
    + "You wrote a nudge into X or into a copy of X, which hold integers: its fraction is cut off. Make an array of floats first.",
    "integer-result": SEEN + "Your result holds integers, like X, so its fractions are cut off. Make an array of floats.",
    "backward": SEEN + "That is the backward difference, from X − nudge to X. Use f(X + nudge), too.",
    "forward-by-2h": SEEN + "From X to X + nudge the distance is h = {h}, and you divided by 2h. Begin at X − nudge.",
    "no-brackets": SEEN + "You divided by 2 and multiplied by h: Python goes from left to right. Put brackets around 2 * h.",
    "one-side-divided": SEEN + "You divided f(X − nudge) alone. Put brackets around the difference.",
    "multiplied": SEEN + "You multiplied by the distance. Divide by it, 2h = {two_h}.",
    "turned-round": SEEN + "You subtracted f(X + nudge) from f(X − nudge). Subtract the other way round.",
    "added": SEEN + "You added the two values of f. Subtract them.",
    "fixed-nudge": SEEN + "You nudged by a number of your own, and not by h = {h}.",
    "half-nudge": SEEN + "You nudged by h/2 to each side, so the distance is h = {h}, and divided by 2h.",
    "value": SEEN + "You took the value of f, and not its change.",
    "largest": SEEN + "You took the largest effect. The effects on z add up.",
    "absolute": SEEN + "You took absolute values. Effects may have a sign, and add up.",
    "product-of-sums": SEEN + "You multiplied two sums. Multiply each entry of the change by its entry of upstream, then add.",
    "upstream-mean": SEEN + "You multiplied by the mean of upstream. Multiply each entry of the change by its own entry.",
    "first-entry": SEEN + "You looked at the first entry of f(X) alone. A nudge may move all of them.",
    "one-number": SEEN + "You wrote each number into the whole result. Write into the entry that was nudged.",
    "flat": SEEN + "The numbers are right. But the result must have the shape of X.",
    "a-list": SEEN + "The numbers are right. But the result must be an array.",
    "halved": SEEN + "You divided by 2 once more: from x − h to x + h it is 2h = {two_h}.",
    "upstream-inside": SEEN + "You nudged all entries of X at once, and gave the sum to each. Nudge one entry after the other.",
    "diagonal": SEEN + "You nudged a whole row at once. Each entry has a nudge of its own.",
    "nudges-stay": SEEN + "You kept the nudges of earlier entries: from the second entry on, several are nudged at once.",
    "below-stays": SEEN + "You did not go back to x: from the second entry on, the entries before it are at another place.",
    "above-shared": SEEN + "f(X) is a part of X itself here. You changed X back before you used the first value of f, which changed, too.",
    "in-place-steps": SEEN + "You nudged X itself, which holds integers: each nudge is cut off, and X does not come back to where it was.",
    "shared": SEEN + "f(X) is a part of X itself here. You changed X after it, so both values of f are the same array.",
}
ASKED = {
    "forward": "Try a smaller h: does your result change?",
    "h-for-2h": "How far is it from x − h to x + h?",
    "not-divided": "What is the slope of a line that rises by 3 over a distance of 0.5?",
    "no-upstream": "How much does z grow if one entry of f(X) grows by 1?",
    "mean": "One nudge moves several entries of f(X). What happens to z?",
    "own-entry own-entry-or-sum first-entry": "Which entries of f(X) does a nudge of X[0] move?",
    "all-at-once": "Which entries of X does your nudge move?",
    "not-restored": "Print X at the end of your loop. Is it as it was?",
    "integers": "What is the dtype of the array into which you write the nudge?",
    "integer-result": "What is the dtype of your result?",
    "backward half-nudge fixed-nudge value": "At which two places does your program compute f?",
    "forward-by-2h no-brackets one-side-divided multiplied halved": "How far is it from x − h to x + h, and what is divided by it?",
    "turned-round added absolute": "If f grows where x grows, which sign has the slope?",
    "largest product-of-sums upstream-mean": "z is the sum of f(X) * upstream. How far does one nudge move z?",
    "one-number upstream-inside diagonal": "Which entries of X does your nudge move, and where do you write?",
    "flat a-list": "What is the shape of X, and what is the shape of your result?",
    "nudges-stay below-stays in-place-steps": "Print X + nudge in each turn. Which entries have moved?",
    "above-shared shared": "Does your first value of f still hold what it held, when you use it?",
}


def probes(random):
    """Yield functions of single entries, of several, of parts of X, and arrays of integers. With a power of 2 for h nothing is rounded."""
    for f, shape, h in (
        ("X ** 2", (1,), 0.5),
        ("X ** 2", (2,), 0.25),
        ("X ** 3", (2,), 0.25),
        ("X.cumsum()", (2,), 0.5),
        ("(X ** 2).sum()", (3,), 0.125),
        ("X.sum(axis=0) ** 2", (2, 2), 0.25),
        ("X.T", (2, 3), 0.5),
        ("X[0]", (3, 2), 0.125),
        ("X ** 3", (2, 3), 0.0625),
    ):
        yield probe(f, integers(random, *shape), h, random)
    yield probe("X ** 2", integers(random, 2).astype(int), 0.25, random)
    yield probe("X ** 3", integers(random, 2, 2).astype(int), 0.25, random)


def probe(f, X, h, random):
    Y = FUNCTIONS[f](X)
    upstream = integers(random, *np.shape(Y))
    facts = {"f": f, "X": X, "upstream": upstream, "h": h, "two_h": 2 * h, "entries": np.size(Y)}
    shown = f"f = lambda X: {f}\n" + with_names(f"numeric_grad(f, X, upstream, {h})", X=X, upstream=upstream)
    return Probe((f, X, upstream, h), facts, about=f"f(X) = {f} for X of the shape {X.shape}", shown=shown)

"""Newton's step, and where it leads

At the place `x` a function has the gradient `g` and the Hessian matrix `H`. `newton_step(x, g, H)` returns a pair. The first is the place
to which Newton's step leads: the place $x + d$ with $g + H d = 0$. The second says which kind of place that is for a parabola with this
Hessian, as a word:

- `"lowest"` if it bends up in every direction, so if all eigenvalues of `H` are above 0,
- `"highest"` if it bends down in every direction,
- `"saddle"` if it bends up in one direction, and down in another.

No eigenvalue is 0. `np.linalg.solve(H, b)` solves the equations $H a = b$, and `np.linalg.eigvalsh(H)` has the eigenvalues of `H`.
"""

# meta: unit=E minutes=12 difficulty=2 chapter=second-derivatives call=newton_step
import numpy as np


def newton_step(x, g, H):
    # BEGIN SOLUTION
    place = x - np.linalg.solve(H, g)
    # ~ uphill M66: place = x + np.linalg.solve(H, g)
    # ~ descent M68: place = x - g
    # ~ multiplied M70: place = x - H @ g
    # ~ own-curvature M45: place = x - g / np.diag(H)
    # ~ by-eigenvalues M75: place = x - g / np.linalg.eigvalsh(H)
    # ~ entry-by-entry M75: place = x - (g / H).sum(axis=1)
    # ~ inverse-of-entries M75: place = x - (1 / H) @ g
    # ~ step-alone M31: place = -np.linalg.solve(H, g)
    # ~ step-turned M31: place = np.linalg.solve(H, g)
    # ~ solves-for-x M09: place = x - np.linalg.solve(H, x)
    # ~ half-a-step M72: place = x - np.linalg.solve(H, g) / 2
    bends = np.linalg.eigvalsh(H)
    # ~ entries-of-the-diagonal M45: bends = np.diag(H)
    # ~ all-entries M75: bends = H
    # ~ by-the-gradient M65: bends = g
    # ~ by-the-step M65: bends = place - x
    kind = "lowest" if bends.min() > 0 else "highest" if bends.max() < 0 else "saddle"
    # ~ always-lowest M38: kind = "lowest"
    # ~ turned M66: kind = "highest" if bends.min() > 0 else "lowest" if bends.max() < 0 else "saddle"
    # ~ by-the-sum M30: kind = "lowest" if bends.sum() > 0 else "highest"
    # ~ by-the-product M30: kind = "lowest" if bends.prod() > 0 else "saddle"
    # ~ one-is-enough M77: kind = "lowest" if bends.max() > 0 else "highest"
    # ~ never-highest M42: kind = "lowest" if bends.min() > 0 else "saddle"
    return place, kind
    # ~ exchanged M54: return kind, place
    # ~ only-place M12: return place
    # ~ only-kind M12: return kind
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "The gradient of a parabola changes along a step d by H d. Which d makes it 0?",
    "g + H d = 0 are as many equations as there are entries of d. `np.linalg.solve` takes the matrix and the right side, which is −g.",
    "Add the step to x. For the kind, look at the smallest and at the largest eigenvalue: is the smallest above 0, is the largest below 0?",
)
PREDICT = (
    "A function of one number has the slope 6 and the second derivative 2 at x = 5. Where does Newton's step lead?",
    2,
    {
        -1: "That is a step of descent. Newton's step divides the slope by the second derivative.",
        8: "You went up the slope: the step has the sign of −g.",
        -7: "You multiplied the slope by the second derivative. Divide by it.",
        3: "That is how long the step is. Where does it lead from 5?",
    },
)
SEEN = "For x = {x}, g = {g} and H = {H}, {which} was {got}, expected {expected}. "
EIGEN = "The eigenvalues are {bends}."
SAID = {
    "uphill": SEEN + "The sign is wrong: from g + H d = 0 follows H d = −g.",
    "descent": SEEN + "That is a step of descent, which does not know H.",
    "multiplied": SEEN + "You multiplied by H. The step is what H must be multiplied by, to give −g: solve the equations.",
    "own-curvature": SEEN + "You divided by the diagonal of H alone. A step of one entry changes the slopes of the others, too.",
    "by-eigenvalues": SEEN + "You divided by the eigenvalues. They belong to directions of H, and the entries of g to the 2 or 3 axes.",
    "entry-by-entry inverse-of-entries": SEEN + "You divided entry by entry. g + H d = 0 are equations that hold together: solve them.",
    "step-alone": SEEN + "That is the step alone. Add it to x: the place is asked for.",
    "step-turned": SEEN + "That is the step alone, and its sign is wrong.",
    "solves-for-x": SEEN + "You solved for x. The right side of the equations is −g.",
    "half-a-step": SEEN + "That is half of the step. Newton's step needs no rate: H says how far to go.",
    "entries-of-the-diagonal": SEEN + "You looked at the diagonal of H. Between the axes it may bend another way. " + EIGEN,
    "all-entries": SEEN + "You looked at the entries of H. Directions are what counts. " + EIGEN,
    "by-the-gradient": SEEN + "You looked at the signs of g. A slope says nothing about how a function bends. " + EIGEN,
    "by-the-step": SEEN + "You looked at the signs of the step. How the function bends does not depend on where you come from. " + EIGEN,
    "always-lowest": SEEN + "Your answer is always the same. Newton's step is content with any place where the slopes are 0. " + EIGEN,
    "turned": SEEN + "Lowest and highest have changed places. " + EIGEN,
    "by-the-sum": SEEN + "You looked at the sum of the eigenvalues. Each is a direction of its own. " + EIGEN,
    "by-the-product": SEEN + "You looked at the product of the eigenvalues. Two negative ones have a positive product. " + EIGEN,
    "one-is-enough": SEEN + "You were content with one direction that bends up. All of them must. " + EIGEN,
    "never-highest": SEEN + "Where every direction bends down, the place is the highest. " + EIGEN,
    "exchanged": SEEN + "The place comes first, then the word.",
    "only-place": SEEN + "That is the place alone. A pair is asked for.",
    "only-kind": SEEN + "That is the word alone. A pair is asked for.",
}
ASKED = {
    **dict.fromkeys(SAID, "Take f(x) = x², at x = 3. What are g and H, and where is the lowest place?"),
    **dict.fromkeys([name for name in SAID if SAID[name].endswith(EIGEN)], "Is x · y lowest, highest or neither at 0?"),
}


def probes(random):
    """Yield Hessians of each kind, some with a diagonal that says something else."""
    yield probe([2.0, -1.0], [3.0, 5.0], [[2.0, 1.0], [1.0, 4.0]], "a function that bends up")
    yield probe([1.0, 3.0], [2.0, -4.0], [[1.0, 3.0], [3.0, 2.0]], "a saddle whose diagonal is positive")
    yield probe([0.0, 2.0], [-1.0, 3.0], [[-3.0, 1.0], [1.0, -2.0]], "a function that bends down")
    yield probe([1.0, -2.0], [4.0, 1.0], [[3.0, -1.0], [-1.0, 2.0]], "a function that bends up, with negative entries")
    yield probe([-2.0, 1.0], [-2.0, -5.0], [[5.0, 2.0], [2.0, -1.0]], "a saddle")
    yield probe([3.0, 1.0], [1.0, -2.0], [[-5.0, 2.0], [2.0, 1.0]], "a saddle that bends down more than up")
    for _ in range(2):
        made = np.array([[random.choice((-2, -1, 1, 2)) * 1.0 for _ in range(3)] for _ in range(3)])
        H = made @ np.diag([random.choice((-3.0, 2.0)), 5.0, 1.0]) @ made.T + np.diag([0.5, 0.25, 0.125])
        x, g = ([float(random.choice((-5, -3, 2, 4, 7))) for _ in range(3)] for _ in range(2))
        yield probe(x, g, H.tolist(), "three numbers")


def probe(x, g, H, about):
    x, g, H = np.array(x), np.array(g), np.array(H)
    which = {"": "the answer", "[0]": "the place", "[1]": "the kind"}
    facts = {"x": x, "g": g, "H": H, "bends": np.linalg.eigvalsh(H).round(2), "which": which}
    return Probe((x, g, H), facts, about=about, shown=with_names("newton_step(x, g, H)", x=x, g=g, H=H))

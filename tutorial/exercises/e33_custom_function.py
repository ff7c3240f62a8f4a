"""A function of your own

An engine lets its users add functions. A function is a class with two methods. The engine makes a new object for each call, calls
`forward` with plain arrays, and later `backward` with the upstream gradient. What `backward` needs, `forward` saves in the object.
`backward` returns a tuple with one contribution for each input of `forward`, and `None` for an input that is not derived.

1. `Softplus`: $y = \\frac{1}{\\beta} \\log(1 + e^{\\beta x})$ for each entry of the array `x`. `beta` is a number that is not derived. At
   $x = 0$ and $\\beta = 1$ the value is $\\log 2$, and the slope is $\\frac{1}{2}$. Both must also be right at $x = 800$ and $x = -800$.
2. `Round`: the nearest integers. Its true slope is 0 almost everywhere, so nothing before it would learn. Its backward function passes on
   the upstream gradient as if `forward` had changed nothing. This is a **straight-through** gradient.
"""
# meta: unit=E minutes=20 difficulty=3 chapter=the-engine call=run_functions

import numpy as np


class Softplus:
    def forward(self, x, beta):
        # BEGIN SOLUTION
        self.scaled = beta * x
        # ~ on-the-class M17: type(self).scaled = beta * x
        # ~ no-beta M29: self.scaled = x
        # ~ saves-result M09: self.scaled = np.logaddexp(0, beta * x)
        return np.logaddexp(0, beta * x) / beta
        # ~ saved-array-changed M21: return np.divide(np.logaddexp(0, self.scaled, out=self.scaled), beta, out=self.scaled)
        # ~ overflow M39: return np.log(1 + np.exp(beta * x)) / beta
        # ~ value-not-divided M29: return np.logaddexp(0, beta * x)
        # END SOLUTION

    def backward(self, upstream):
        # BEGIN SOLUTION
        slope = (1 + np.tanh(self.scaled / 2)) / 2
        # ~ slope-overflow M39: slope = np.exp(self.scaled) / (1 + np.exp(self.scaled))
        return upstream * slope, None
        # ~ no-upstream M05: return slope, None
        # ~ one-contribution M42: return (upstream * slope,)
        # ~ slope-of-tanh M29: return upstream * (2 * slope - 1), None
        # END SOLUTION


class Round:
    def forward(self, x):
        return np.round(x)

    def backward(self, upstream):
        # BEGIN SOLUTION
        return (upstream,)
        # ~ rounded-slope M50: return (0 * upstream,)
        # ~ ones M05: return (np.ones(upstream.shape),)
        # ~ rounds-gradient M09: return (np.round(upstream),)
        # END SOLUTION


# BEGIN FRAME
def run_functions(x, beta, upstream):
    """Return the values and gradients of one call of each function, and of Softplus after Softplus."""
    with np.errstate(all="ignore"):
        first, second, rounded = Softplus(), Softplus(), Round()
        y = first.forward(x, beta)
        found = {"softplus(x)": y, "softplus(softplus(x))": second.forward(y, beta), "round(x)": rounded.forward(x)}
        inner = contributions(second.backward(upstream))
        found["the number of contributions"] = len(inner)
        found["dz/dx for softplus(x)"] = contributions(first.backward(upstream))[0]
        found["dz/dx for softplus(softplus(x))"] = contributions(first.backward(inner[0]))[0]
        found["dz/dx for round(x)"] = contributions(rounded.backward(upstream))[0]
        found["the contribution to beta is None"] = inner[-1] is None
    return found


def contributions(given):
    return given if isinstance(given, (tuple, list)) else (given,)


# END FRAME
# BEGIN CHECK
from tutorial.exercises.calls import with_names
from tutorial.exercises.probe import Probe

HINTS = (
    "What is the derivative of softplus? It is a function that you know: 1 / (1 + e^(−βx)).",
    "Save the array βx in the object. For large x, e^x is inf, so use functions that stay finite: np.logaddexp, and np.tanh for the slope.",
    "log(1 + e^t) is np.logaddexp of 0 and t. The logistic function of t is half of 1 + tanh(t/2). Multiply it by the upstream "
    "gradient, and "
    "put None in the place of beta. The backward function of Round gives back what it gets.",
)
PREDICT = ("What is the slope of softplus at x = 0, for β = 1?", 0.5)
WAS = "For x = {x}, {component} was {got}, expected {expected}. "
SAID = {
    "on-the-class": WAS + "The second object overwrote what the first had saved: you saved on the class. Save in the object, self.",
    "no-beta": WAS + "The slope belongs to βx, with β = {beta}, and you took it at x.",
    "saves-result": WAS + "The slope is a function of βx. You saved the result, and took the slope there.",
    "saved-array-changed": WAS + "forward saved an array and then wrote into it with out=. So backward read another array than "
    "forward used.",
    "overflow": WAS + "e^x is inf for x above 709. Write log(1 + e^t) so that it stays finite.",
    "slope-overflow": WAS + "e^x is inf for x above 709, and inf / inf is nan. Write the slope so that it stays finite.",
    "value-not-divided": WAS + "You did not divide by β = {beta}.",
    "no-upstream": WAS + "You returned the slope alone. Multiply it by the upstream gradient {upstream}.",
    "one-contribution": WAS + "forward has 2 inputs, x and beta, so backward returns 2 contributions. That of beta is None.",
    "slope-of-tanh": WAS + "This is tanh(βx / 2). The slope of softplus lies between 0 and 1.",
    "rounded-slope": WAS + "This is the true derivative of rounding. With it, nothing before Round would learn: pass on the "
    "upstream gradient.",
    "ones": WAS + "You returned the slope 1 alone. Multiply it by the upstream gradient {upstream}.",
    "rounds-gradient": WAS + "You rounded the upstream gradient {upstream}. forward rounds, and backward passes on.",
}
ASKED = {
    "on-the-class": "Two objects are in use. Which of them does self.scaled belong to?",
    "no-beta": "At which point does forward evaluate log(1 + e^t)?",
    "saves-result": "Is the slope a function of the input or of the result?",
    "saved-array-changed": "What does the saved array hold when backward reads it?",
    "overflow": "How large is e^800, and how large is log(1 + e^800)?",
    "slope-overflow": "How large is e^800, and what is the slope there?",
    "value-not-divided": "What does the formula do with the logarithm?",
    "no-upstream": "By how much does z change if y grows by 1?",
    "one-contribution": "How many inputs does forward have?",
    "slope-of-tanh": "Where is the slope of softplus 1/2?",
    "rounded-slope": "What would a descent do with this gradient?",
    "ones": "By how much does z change if the rounded number grows by 1?",
    "rounds-gradient": "Which of the two passes rounds?",
}


CALLS = """\
first, second, rounded = Softplus(), Softplus(), Round()
y = first.forward(x, beta)
second.forward(y, beta)
rounded.forward(x)
first.backward(upstream)
first.backward(second.backward(upstream)[0])
rounded.backward(upstream)"""


def probes(random):
    """Yield one entry, several, two axes, then entries for which e^x is inf."""
    yield probe(random, (1,), 1, "one entry")
    yield probe(random, (3,), random.choice((0.5, 2)), "three entries")
    yield probe(random, (2, 3), random.choice((0.5, 1.5, 2.5)), "two rows")
    yield probe(random, (2, 2), 1, "large entries", large=800)
    yield probe(random, (4,), random.choice((0.5, 2)), "a large beta · x", large=3000)


def probe(random, shape, beta, about, large=0):
    numbers = lambda: np.array([random.choice((-1, 1)) * random.randint(2, 11) / 4 for _ in range(int(np.prod(shape)))]).reshape(shape)
    x, upstream = numbers(), numbers() * 1.5
    if large:
        x.flat[:2] = large, -large
    shown = with_names(CALLS, x=x, beta=beta, upstream=upstream)
    return Probe((x, beta, upstream), {"x": x, "beta": beta, "upstream": upstream}, about=about, shown=shown)


# END CHECK

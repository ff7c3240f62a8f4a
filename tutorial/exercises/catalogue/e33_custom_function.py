"""A function of your own

An engine lets its users add functions. A function is a class with two methods. The engine makes a new object for each call, calls
`forward` with plain arrays, and later `backward` with the upstream gradient. What `backward` needs, `forward` saves in the object.
`backward` returns a tuple with one contribution for each input of `forward`, and `None` for an input that gets no derivative.

1. `Softplus`: $y = \\frac{1}{\\beta} \\log(1 + e^{\\beta x})$ for each entry of the array `x`. `beta` is a number without a derivative. At
   $x = 0$ and $\\beta = 1$ the value is $\\log 2$, and the slope is $\\frac{1}{2}$. Both must also be right at $x = 800$ and $x = -800$.
2. `Round`: the nearest integers. Its true slope is 0 almost everywhere, so nothing before it would learn. Its backward function passes on
   the upstream gradient as if `forward` had changed nothing. This is a **straight-through** gradient.

The methods must not change the arrays that they get.
"""
# meta: unit=E minutes=20 difficulty=3 chapter=your-own-model call=run_functions

import numpy as np


class Softplus:
    def forward(self, x, beta):
        # BEGIN SOLUTION
        self.scaled = beta * x
        # ~ slope-times-beta M68: self.scaled, self.beta = beta * x, beta
        # ~ slope-over-beta M68: self.scaled, self.beta = beta * x, beta
        # ~ beta-derived M49: self.scaled, self.x, self.beta = beta * x, x, beta
        # ~ on-the-class M17: type(self).scaled = beta * x
        # ~ no-beta M68: self.scaled = x
        # ~ saves-result M09: self.scaled = np.logaddexp(0, beta * x)
        # ~ over-beta M70: self.scaled = x / beta
        # ~ changes-x M21: x *= beta; self.scaled = x.copy(); x = x / beta
        # ~ clipped M39: self.scaled = beta * x; x = np.clip(x, -500 / beta, 500 / beta)
        return np.logaddexp(0, beta * x) / beta
        # ~ saved-array-changed M21: return np.divide(np.logaddexp(0, self.scaled, out=self.scaled), beta, out=self.scaled)
        # ~ overflow M39: return np.log(1 + np.exp(beta * x)) / beta
        # ~ value-not-divided M68: return np.logaddexp(0, beta * x)
        # ~ value-times-beta M68: return np.logaddexp(0, beta * x) * beta
        # ~ beta-outside-alone M68: return np.logaddexp(0, x) / beta
        # ~ beta-left-out M68: return np.logaddexp(0, x)
        # ~ minus-x M66: return np.logaddexp(0, -beta * x) / beta
        # ~ relu M67: return np.maximum(0, x)
        # ~ without-1 M68: return x
        # ~ another-base M67: return np.logaddexp2(0, beta * x) / beta
        # ~ exponential M67: return np.exp(np.minimum(beta * x, 700)) / beta
        # END SOLUTION

    def backward(self, upstream):
        # BEGIN SOLUTION
        slope = (1 + np.tanh(self.scaled / 2)) / 2
        # ~ slope-overflow M39: slope = np.exp(self.scaled) / (1 + np.exp(self.scaled))
        # ~ slope-times-beta M68: slope = (1 + np.tanh(self.scaled / 2)) / 2; slope = slope * self.beta
        # ~ slope-over-beta M68: slope = (1 + np.tanh(self.scaled / 2)) / 2; slope = slope / self.beta
        # ~ slope-of-minus M66: slope = (1 - np.tanh(self.scaled / 2)) / 2
        # ~ slope-of-slope M67: slope = (1 - np.tanh(self.scaled / 2) ** 2) / 4
        # ~ slope-of-relu M67: slope = (self.scaled > 0) * 1.0
        # ~ tanh-for-slope M67: slope = np.tanh(self.scaled)
        return upstream * slope, None
        # ~ no-upstream M05: return slope, None
        # ~ one-contribution M42: return (upstream * slope,)
        # ~ softplus-no-tuple M42: return upstream * slope
        # ~ beta-derived M49: return upstream * slope, upstream * (self.x * slope - np.logaddexp(0, self.scaled) / self.beta) / self.beta
        # ~ beta-first M54: return None, upstream * slope
        # ~ adds-upstream M30: return upstream + slope, None
        # ~ sum-of-upstream M05: return upstream.sum() * slope, None
        # ~ slope-of-tanh M67: return upstream * (2 * slope - 1), None
        # END SOLUTION


class Round:
    def forward(self, x):
        return np.round(x)

    def backward(self, upstream):
        # BEGIN SOLUTION
        return (upstream,)
        # ~ rounded-slope M50: return (0 * upstream,)
        # ~ no-tuple M42: return upstream
        # ~ round-two M42: return upstream, None
        # ~ nothing-back M50: return (None,)
        # ~ ones M05: return (np.ones(upstream.shape),)
        # ~ rounds-gradient M09: return (np.round(upstream),)
        # END SOLUTION


# FRAME
def run_functions(x, beta, upstream):
    """Return the values and gradients of one call of each function, and of Softplus after Softplus."""
    first, second, rounded = Softplus(), Softplus(), Round()
    kept, passed = x.copy(), upstream.copy()
    y = first.forward(kept, beta)
    found = {"softplus(x)": y, "softplus(softplus(x))": second.forward(y.copy(), beta), "round(x)": rounded.forward(x.copy())}
    inner, outer = second.backward(passed), rounded.backward(upstream.copy())
    found["what backward of Softplus returns"], found["what backward of Round returns"] = kind_of(inner), kind_of(outer)
    if not isinstance(inner, tuple) or not isinstance(outer, tuple):
        return found
    found |= {"the number of contributions of Softplus": len(inner), "the number of contributions of Round": len(outer)}
    found["dz/dx for softplus(x)"] = first.backward(upstream.copy())[0]
    if isinstance(inner[0], np.ndarray):
        found["dz/dx for softplus(softplus(x))"] = first.backward(inner[0])[0]
    found["dz/dx for round(x)"] = outer[0]
    found["the contribution to beta"] = "None" if len(inner) > 1 and inner[1] is None else "a number or an array"
    return found | {"x after forward": kept, "the upstream gradient after backward": passed}


def kind_of(found):
    if isinstance(found, tuple):
        return "a tuple"
    return {"ndarray": "an array", "NoneType": "nothing"}.get(type(found).__name__, f"a {type(found).__name__}")


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "What is the derivative of softplus? It is a function that you know: 1 / (1 + e^(−βx)).",
    "Save the array βx in the object. For large x, e^x is inf, so use functions that stay finite: np.logaddexp, and np.tanh for the slope.",
    "log(1 + e^t) is np.logaddexp of 0 and t. The logistic function of t is half of 1 + tanh(t/2). Multiply it by the upstream gradient, "
    "and put None in the place of beta. The backward function of Round gives back what it gets.",
)
PREDICT = (
    "What is the slope of softplus at x = 0, for β = 3?",
    0.5,
    {
        1.5: "You multiplied by β. The 1/β in front takes it away again.",
        1 / 6: "You divided by β, and left out that βx grows β times as fast as x.",
        1: "Far to the right the slope comes near 1. At 0 it is a sigmoid's value at 0.",
    },
)
WAS = "For x = {x}, {component} was {got}, expected {expected}. "
SAID = {
    "on-the-class": WAS + "The second object overwrote what the first had saved: you saved on the class. Save in the object, self.",
    "no-beta": WAS + "The slope belongs to βx, with β = {beta}, and you took it at x.",
    "over-beta": WAS + "That is the slope at x / β, with β = {beta}. It belongs to βx.",
    "changes-x": WAS + "forward changed the array x, which is the user's: x *= beta writes into it.",
    "clipped": WAS + "That is the value at 500 for each larger βx. Write log(1 + e^t) so that it stays finite without a limit.",
    "value-times-beta": WAS + "That multiplies the logarithm by β = {beta}. It is divided by it.",
    "beta-outside-alone": WAS + "That takes log(1 + e^x), without β = {beta} in the exponent.",
    "beta-left-out": WAS + "That is softplus for β = 1. Here β = {beta}.",
    "minus-x": WAS + "That has −βx in the exponent. It is βx.",
    "relu": WAS + "That is the larger of x and 0. Softplus is a little above it.",
    "without-1": WAS + "That is x itself: log of e^(βx), over β. The 1 in log(1 + e^(βx)) is missing.",
    "slope-times-beta": WAS
    + "That is β = {beta} times the slope. The β of the exponent and the 1/β before the logarithm cancel each other.",
    "slope-over-beta": WAS + "That is the slope over β = {beta}. The β of the exponent and the 1/β before the logarithm cancel each other.",
    "tanh-for-slope": WAS + "This is tanh(βx). The slope of softplus lies between 0 and 1.",
    "another-base": WAS + "That has powers of 2 and the logarithm to base 2. Softplus has e and the natural logarithm.",
    "exponential": WAS + "That is e^(βx) over β. The logarithm of 1 + e^(βx) is missing.",
    "slope-of-minus": WAS + "That is the slope at −βx. It grows from 0 to 1 with x.",
    "slope-of-slope": WAS + "That is s (1 − s), the slope of the logistic function s. The slope of softplus is s itself.",
    "slope-of-relu": WAS + "That is the slope of relu, 0 or 1. The slope of softplus goes from 0 to 1 little by little.",
    "adds-upstream": WAS + "That adds the slope to the upstream gradient {upstream}. Along a path factors multiply.",
    "sum-of-upstream": WAS + "That has the sum of the upstream gradient {upstream}. Each entry has its own.",
    "softplus-no-tuple no-tuple": WAS
    + "The engine goes through the contributions, also if there is one: (upstream,) with a comma is a tuple.",
    "beta-derived": WAS + "beta gets no derivative, and {component} says so to the engine with None.",
    "beta-first": WAS + "forward has the inputs x and beta, so the contribution of x comes first, and then the None of beta.",
    "round-two": WAS + "forward of Round has 1 input, so backward returns 1 contribution.",
    "nothing-back": WAS + "None stops here what was to be learned before Round. Pass on the upstream gradient {upstream}.",
    "saves-result": WAS + "The slope is a function of βx. You saved the result, and took the slope there.",
    "saved-array-changed": WAS
    + "That is the slope at the value that forward returned. Either this value was saved, or forward wrote it into the "
    "array that it had saved, with out= or /=.",
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
    "over-beta slope-of-minus slope-of-slope slope-of-relu": "What is the derivative of softplus at x = 0?",
    "changes-x": "Which line writes into x?",
    "clipped": "How large is log(1 + e^t) for t = 800?",
    "value-times-beta beta-outside-alone beta-left-out minus-x relu without-1": "What is softplus at x = 0, for this β?",
    "slope-times-beta slope-over-beta": "By the chain rule, what is the derivative of log(1 + e^(βx)) / β?",
    "adds-upstream sum-of-upstream": "By how much does z change if one entry of y grows by 1?",
    "softplus-no-tuple no-tuple": "What is the difference between (upstream) and (upstream,)?",
    "beta-derived beta-first round-two": "Which inputs has forward?",
    "nothing-back rounded-slope": "What would a descent do with this gradient?",
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
    yield probe(random, (3,), 1 / 64, "a large x and a small beta · x", large=48)


def probe(random, shape, beta, about, large=0):
    numbers = lambda: np.array([random.choice((-1, 1)) * random.randint(2, 11) / 4 for _ in range(int(np.prod(shape)))]).reshape(shape)
    x, upstream = numbers(), numbers() * 1.5
    if large:
        x.flat[:2] = large, -large
    shown = with_names(CALLS, x=x, beta=beta, upstream=upstream)
    return Probe((x, beta, upstream), {"x": x, "beta": beta, "upstream": upstream}, about=about, shown=shown)

"""A slope by a nudge

`slope(f, x, h)` returns the change of $f$ divided by the change of its input, if the input grows from $x$ to $x + h$. It runs `f` twice.
For `f` with $f(x) = x^2 + 3x$, `slope(f, 2, Fraction(1, 10))` is `Fraction(71, 10)`: the input grows by $\\frac{1}{10}$, the result by
$\\frac{71}{100}$. `Fraction(1, 10)` is Python's exact $\\frac{1}{10}$, so nothing is rounded.
"""
# meta: unit=A minutes=4 difficulty=1 chapter=nudge-and-slope call=slope_of


def slope(f, x, h):
    # BEGIN SOLUTION
    return (f(x + h) - f(x)) / h
    # ~ no-brackets M70: return f(x + h) - f(x) / h
    # ~ amount M31: return f(x + h) - f(x)
    # ~ no-difference M31: return f(x + h) / h
    # ~ divided-by-x M31: return (f(x + h) - f(x)) / x
    # ~ from-zero M31: return (f(x + h) - f(0)) / h
    # ~ multiplied M31: return (f(x + h) - f(x)) * h
    # ~ turned-round M66: return (f(x) - f(x + h)) / h
    # ~ both-sides M71: return (f(x + h) - f(x - h)) / h
    # ~ central M24: return (f(x + h) - f(x - h)) / (2 * h)
    # ~ backward M24: return (f(x) - f(x - h)) / h
    # ~ inverse M70: return h / (f(x + h) - f(x))
    # ~ added M66: return (f(x + h) + f(x)) / h
    # ~ outside M31: return (f(x) + h - f(x)) / h
    # ~ times-nudge M31: return (f(x * h) - f(x)) / h
    # ~ at-nudge M31: return (f(x + h) - f(h)) / h
    # ~ less-x M31: return (f(x + h) - x) / h
    # ~ value M65: return f(x)
    # ~ value-after M65: return f(x + h)
    # ~ value-divided M65: return f(x) / h
    # ~ f-of-h M65: return f(h) / h
    # ~ by-both M70: return (f(x + h) - f(x)) / (x + h)
    # ~ again M31: return (f(x + h) - f(x)) / (f(x + 2 * h) - f(x))
    # ~ twice-the-nudge M71: return (f(x + h) - f(x)) / (2 * h)
    # ~ whole-step M31: return f(x + 1) - f(x)
    # END SOLUTION


# FRAME
def slope_of(coefficients, x, h):
    """Return the slope of the polynomial with these coefficients, the constant first, and how often f ran beyond twice."""
    ran = []

    def f(x):
        ran.append(x)
        return sum(c * x**k for k, c in enumerate(coefficients))

    return {"slope": slope(f, x, h), "runs of f that are not needed": max(0, len(ran) - 2)}


# CHECK
from fractions import Fraction

from scalargrad import Value, function
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "A slope is a ratio of two changes. Which two?",
    "The change of the result is the result after the nudge, less the result before it. The change of the input is the nudge.",
    "Run f at the nudged place and at x. Subtract the second result from the first, and divide the difference by the nudge.",
)
PREDICT = (
    "f(x) = x². What is slope(f, 5, 1)?",
    11,
    {
        10: "That is the derivative at 5. A nudge of 1 is not small, so the slope differs from it.",
        36: "That is f after the nudge. What f was before is taken from it.",
    },
)
WAS = "slope was {got}, expected {expected}. "
SAID = {
    "no-brackets": WAS + "You divided f(x) = {before} alone by {h}. Put brackets around the difference.",
    "amount": WAS + "That is how much f grows for a nudge of {h}. Divide it by the nudge.",
    "no-difference": WAS + "You divided f(x + h) = {after} by {h}. The change of f is {after} − {before}.",
    "divided-by-x": WAS + "f grows by {change} because the input grows by {h}, and you divided by x = {x}.",
    "from-zero": WAS + "You compared f({after_x}) with f(0). The nudge starts at x = {x}.",
    "multiplied": WAS + "f grows by {change} for a nudge of {h}: how many times as much? Divide.",
    "turned-round": WAS + "f goes from {before} to {after}. Subtract the earlier value from the later one.",
    "both-sides": WAS + "From x − h to x + h the input grows by two nudges, and you divided by one.",
    "central": WAS + "That is the slope from x − h to x + h. Here the input grows from x = {x} to x + h = {after_x}.",
    "backward": WAS + "That is the slope from x − h to x. Here the input grows from x = {x} to x + h = {after_x}.",
    "inverse": WAS + "You divided the nudge {h} by the change of f. Divide the change of f, {change}, by the nudge.",
    "added": WAS + "You added f(x + h) = {after} and f(x) = {before}. The change of f is their difference.",
    "outside": WAS + "You added the nudge to the result f(x). Add it to the input: f(x + h) = {after}.",
    "times-nudge": WAS + "You multiplied x by h. The input grows by the nudge: x + h = {after_x}.",
    "at-nudge": WAS + "You compared f(x + h) with f(h). The nudge starts at x = {x}, and f(x) = {before}.",
    "less-x": WAS + "You subtracted the input x = {x} from a result. Subtract the result f(x) = {before}.",
    "value": WAS + "That is the value f(x), and not how much f grows: from {before} to {after}.",
    "value-after": WAS + "That is the value f(x + h), and not how much f grows: from {before} to {after}.",
    "value-divided": WAS + "You divided the value f(x) = {before} by {h}. The change of f is {after} − {before}.",
    "f-of-h": WAS + "You ran f at the nudge {h} itself. Run it at x = {x} and at x + h = {after_x}.",
    "by-both": WAS + "You divided by x + h = {after_x}. The input grew by {h}.",
    "again": WAS + "You divided one change of f by another. Divide the change of f, {change}, by the change of the input, {h}.",
    "twice-the-nudge": WAS + "From x to x + h the input grows by one nudge, {h}. You divided by two.",
    "whole-step": WAS + "You nudged x by 1, and not by h = {h}.",
}
ASKED = {
    "no-brackets": "Which comes first in Python, the minus or the division?",
    "amount": "If you make the nudge half as long, is your result about half as large?",
    "no-difference value value-after f-of-h": "What would it be for a function that is 5 everywhere?",
    "divided-by-x": "By how much did the input grow?",
    "from-zero central backward at-nudge times-nudge whole-step": "Which two places does your program compare?",
    "multiplied": "f grows by {change}. Is that more or less than the input grew?",
    "turned-round": "Does f rise or fall there?",
    "both-sides": "How far is it from x − h to x + h?",
    "inverse by-both again twice-the-nudge": "By how much did the input grow, and by how much f?",
    "added outside less-x value-divided": "What is f before the nudge, and what is it after?",
}


def probes(random):
    """Yield a straight line, then curves: the smallest first."""
    yield probe((7, 3), Fraction(2), Fraction(1, 10), "f is a straight line")
    yield probe((0, 3, 1), Fraction(2), Fraction(1, 10), "f is a parabola")
    for size in (2, 3, 4, 4):
        coefficients = tuple(random.choice((-5, -3, -2, 2, 3, 5)) for _ in range(size))
        x, h = Fraction(random.randint(2, 9), random.choice((2, 3))), Fraction(1, random.choice((10, 100, 1000)))
        yield probe(coefficients, x, h, f"f is a polynomial of degree {size - 1}")


def probe(coefficients, x, h, about):
    f = polynomial(coefficients)
    facts = {
        "f": f"f(x) = {written(coefficients)}",
        "x": x,
        "h": h,
        "after_x": x + h,
        "before": f(x),
        "after": f(x + h),
        "change": f(x + h) - f(x),
    }
    return Probe((coefficients, x, h), facts, about=f"{about}, {facts['f']}", shown=f"slope(f, {x}, {h})")


def polynomial(coefficients):
    return lambda x: sum(c * x**k for k, c in enumerate(coefficients))


def written(coefficients):
    """Return a polynomial as one writes it, the highest power first: x³ − 2x + 5."""
    terms = [(c, "x" * bool(k) + "²³"[k - 2 : k - 1] * (k > 1)) for k, c in enumerate(coefficients) if c]
    (first, power), *others = reversed(terms)
    return " ".join([term(first, power), *(f"{'+−'[c < 0]} {term(abs(c), power)}" for c, power in others)])


def term(c, power):
    return power if power and c == 1 else f"{c}{power}".replace("-", "−")


def scene(probe):
    """Return z = f(x) as a graph of one function."""
    coefficients, x, _ = probe.arguments
    z = function(polynomial(coefficients))(Value(x, name="x"))
    z.name = "z"
    return z

"""Local rules of functions

Each function returns the derivative of one rule, as a number. It gets the input `x` and the output `out`, since some rules are shorter
with the output: `local_exp(x, out)` has `out` = $e^x$. `local_pow(x, n, out)` returns the derivative of $x^n$ with respect to $x$, for an
integer $n > 0$ and any $x$. `log` is the natural logarithm, and $\\text{sigmoid}(x) = \\frac{1}{1 + e^{-x}}$. `relu` is the larger of $x$
and 0. At the kink $x = 0$ return 0, as most engines do. For example, `local_pow(5, 2, 25)` is 10.
"""
# meta: unit=C minutes=12 difficulty=2 chapter=your-first-value call=slopes_at

import math


def local_pow(x, n, out):
    # BEGIN SOLUTION
    return n * x ** (n - 1)
    # ~ pow-exponent M29: return n * x**n
    # ~ pow-factor M29: return x ** (n - 1)
    # ~ pow-base M29: return out * math.log(x)
    # ~ pow-divides M39: return n * out / x
    # END SOLUTION


def local_exp(x, out):
    # BEGIN SOLUTION
    return out
    # ~ exp-input M09: return x
    # ~ exp-power M29: return x * math.exp(x - 1)
    # END SOLUTION


def local_log(x, out):
    # BEGIN SOLUTION
    return 1 / x
    # ~ log-output M09: return 1 / out
    # ~ log-base M29: return 1 / (x * math.log(10))
    # ~ log-value M29: return out
    # END SOLUTION


def local_tanh(x, out):
    # BEGIN SOLUTION
    return 1 - out**2
    # ~ tanh-square M29: return 1 - out
    # ~ tanh-input M09: return 1 - x**2
    # ~ tanh-sigmoid M29: return out * (1 - out)
    # END SOLUTION


def local_sigmoid(x, out):
    # BEGIN SOLUTION
    return out * (1 - out)
    # ~ sigmoid-value M29: return out
    # ~ sigmoid-input M09: return x * (1 - x)
    # ~ sigmoid-factor M29: return 1 - out
    # ~ sigmoid-tanh M29: return 1 - out**2
    # END SOLUTION


def local_relu(x, out):
    # BEGIN SOLUTION
    return 1 if x > 0 else 0
    # ~ relu-one M29: return 1
    # ~ relu-value M29: return out
    # ~ relu-at-0 M20: return 1 if x >= 0 else 0
    # ~ relu-sign M29: return 1 if x > 0 else -1
    # END SOLUTION


# BEGIN FRAME
def slopes_at(inputs):
    """Return {function: its slope}, for those that are written; `inputs` are {function: (its input,)}, and for pow (its input, n)."""
    rules = {"pow": local_pow, "exp": local_exp, "log": local_log, "tanh": local_tanh, "sigmoid": local_sigmoid, "relu": local_relu}
    found = {}
    for name, given in inputs.items():
        try:
            found[name] = rules[name](*given, FUNCTIONS[name](*given))
        except NotImplementedError as error:
            unwritten = error
    if not found:
        raise unwritten
    return found


FUNCTIONS = {
    "pow": lambda x, n: x**n,
    "exp": lambda x: math.exp(x),
    "log": lambda x: math.log(x),
    "tanh": lambda x: math.tanh(x),
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "relu": lambda x: x if x > 0 else 0.0,
}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.calls import called
from tutorial.exercises.probe import Probe

HINTS = (
    "These are the rules of a calculus book. Check each of yours with a nudge: (f(x + h) − f(x)) / h for a small h.",
    "exp, tanh and sigmoid have rules that need the output alone. pow, log and relu have rules that need the input alone.",
    "exp is its own derivative. That of tanh is one less the square of tanh. That of sigmoid is sigmoid, times one less sigmoid. "
    "That of log is one over the input. relu has the slope of one of its two straight lines.",
)
PREDICT = ("sigmoid(0) is 1/2. What is the derivative of sigmoid at 0?", 0.25)
AT = "At x = {x}, local_{component} was {got}, expected {expected}. "
SAID = {
    "pow-exponent": AT + "The exponent must be one less: the derivative of x³ is 3x².",
    "pow-factor": AT + "The factor n = {n} is missing.",
    "pow-base": AT + "That is the derivative with respect to the exponent. Here x is the base: n = {n} stands still.",
    "pow-divides": "At x = 0, local_pow ended in {got}. You divided by x, which may be 0. There the slope of x to the power {n} is 0.",
    "exp-input": AT + "That is the input. exp is its own derivative, so its slope is the output.",
    "exp-power": AT + "That is the rule of a power. In exp the variable is the exponent: exp is its own derivative, 1 times the output.",
    "log-output": AT + "You divided 1 by the output. The derivative of the logarithm is 1 / x, with the input.",
    "log-base": AT + "That is the slope of the logarithm to base 10. The natural one has the slope 1 / x.",
    "log-value": AT + "That is the value of the logarithm, not its slope 1 / x.",
    "tanh-square": AT + "A square is missing: the derivative of tanh is 1 − tanh².",
    "tanh-input": AT + "You squared the input. The derivative of tanh is 1 − tanh², with the output.",
    "tanh-sigmoid": AT + "That is the rule of sigmoid. The derivative of tanh is 1 − tanh².",
    "sigmoid-value": AT + "That is the value of sigmoid. Its slope has one factor more, 1 − sigmoid.",
    "sigmoid-input": AT + "You used the input. The slope is sigmoid · (1 − sigmoid), with the output.",
    "sigmoid-factor": AT + "The factor sigmoid is missing: its slope is sigmoid · (1 − sigmoid).",
    "sigmoid-tanh": AT + "That is the rule of tanh. The slope of sigmoid is sigmoid · (1 − sigmoid).",
    "relu-one": AT + "The slope is 1 only where the input is positive. Elsewhere relu is 0, and flat.",
    "relu-value": AT + "That is the value of relu. Its slope is 1 or 0.",
    "relu-at-0": AT + "At the kink, the slope is a choice between 0 and 1. This exercise declares 0.",
    "relu-sign": AT + "Where the input is negative, relu is 0 and flat, so its slope is 0.",
}
WHY = {
    "pow": "What is the derivative of x³?",
    "exp": "Which function is its own derivative?",
    "log": "How steep is the natural logarithm at x = 1, and how steep at x = 10?",
    "tanh": "How steep is tanh at x = 0, and how steep where it is nearly flat at 1?",
    "sigmoid": "How steep is sigmoid where it is nearly flat at 1, and where it is nearly flat at 0?",
    "relu": "What does the graph of relu look like left of 0, at 0, and right of 0?",
}
ASKED = {name: WHY[name.partition("-")[0]] for name in SAID} | {"pow-divides": "For which x does your formula give no number?"}
SMOOTH = ("exp", "tanh", "sigmoid", "relu")  # these take any x


def probes(random):
    """Yield numbers at which all slopes are of order 1, on both sides of 0; then the kink."""
    for sign in (1, -1, 1, -1):
        x = sign * round(random.uniform(0.4, 1.6), 2)
        n, positive = random.choice((3, 4, 5)), round(random.uniform(1.5, 4), 2)
        yield probe({"pow": (positive, n), "log": (positive,)} | dict.fromkeys(SMOOTH, (x,)), n, "")
    yield probe(dict.fromkeys(SMOOTH, (0.0,)), 1, "x is 0, the kink of relu")
    yield probe({"pow": (0.0, 3)}, 3, "x is 0")


def probe(inputs, n, about):
    shown = [called(f"local_{name}", *given, FUNCTIONS[name](*given)) for name, given in inputs.items()]
    return Probe((inputs,), {"x": {name: given[0] for name, given in inputs.items()}, "n": n}, about=about, shown="\n".join(shown))


# END CHECK

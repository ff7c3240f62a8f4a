"""Local rules of functions

Each function returns the derivative of one rule, as a number. It gets the input `x` and the output `out`, since some rules are shorter
with the output: `local_exp(x, out)` has `out` = $e^x$. `local_pow(x, n, out)` returns the derivative of $x^n$ with respect to $x$, for an
integer $n > 0$ and any $x$. `log` is the natural logarithm, and $\\text{sigmoid}(x) = \\frac{1}{1 + e^{-x}}$, for any $x$, also for
−1,000. `relu` is the larger of $x$ and 0. At the kink $x = 0$ return 0, as most engines do. For example, `local_pow(5, 2, 25)` is 10.
"""
# meta: unit=C minutes=12 difficulty=2 chapter=your-first-value call=slopes_at

import math


def local_pow(x, n, out):
    # BEGIN SOLUTION
    return n * x ** (n - 1)
    # ~ pow-exponent M68: return n * x**n
    # ~ pow-factor M68: return x ** (n - 1)
    # ~ pow-base M67: return out * math.log(x)
    # ~ pow-value M65: return out
    # ~ pow-factor-less M68: return (n - 1) * x ** (n - 1)
    # ~ pow-plus M68: return n * x ** (n + 1)
    # ~ pow-linear M68: return n * x
    # ~ pow-exponent-as-base M70: return n ** (x - 1) * x
    # ~ pow-integral M70: return x ** (n + 1) / (n + 1)
    # ~ pow-square M67: return 2 * x
    # ~ pow-no-brackets M70: return n * x**n - 1
    # ~ pow-two-less M68: return n * x ** (n - 2)
    # ~ pow-exponent-only M68: return n
    # ~ pow-divides M39: return n * out / x
    # END SOLUTION


def local_exp(x, out):
    # BEGIN SOLUTION
    return out
    # ~ exp-input M09: return x
    # ~ exp-power M67: return x * math.exp(x - 1)
    # ~ exp-times-x M67: return x * out
    # ~ exp-of-output M09: return math.exp(out)
    # ~ exp-one M68: return 1
    # ~ exp-inverse M67: return 1 / out
    # ~ exp-tanh M67: return out * (1 - out)
    # END SOLUTION


def local_log(x, out):
    # BEGIN SOLUTION
    return 1 / x
    # ~ log-output M09: return 1 / out
    # ~ log-base M67: return 1 / (x * math.log(10))
    # ~ log-value M65: return out
    # ~ log-input M70: return x
    # ~ log-sign M66: return -1 / x
    # ~ log-exp M67: return math.exp(x)
    # ~ log-square M67: return -1 / x**2
    # ~ log-square-only M68: return 1 / x**2
    # ~ log-base-2 M67: return 1 / (x * math.log(2))
    # ~ log-over M68: return out / x
    # ~ log-of-log M67: return 1 / math.log(x) / x
    # END SOLUTION


def local_tanh(x, out):
    # BEGIN SOLUTION
    return 1 - out**2
    # ~ tanh-square M68: return 1 - out
    # ~ tanh-input M09: return 1 - x**2
    # ~ tanh-sigmoid M67: return out * (1 - out)
    # ~ tanh-sign M66: return 1 + out**2
    # ~ tanh-turned M66: return out**2 - 1
    # ~ tanh-value M65: return out
    # ~ tanh-squared-all M70: return (1 - out) ** 2
    # ~ tanh-of-output M09: return 1 - math.tanh(out) ** 2
    # ~ tanh-of-square M70: return 1 - math.tanh(x**2)
    # ~ tanh-no-one M68: return out**2
    # ~ tanh-cosh M67: return 1 / math.cosh(x)
    # ~ tanh-atan M67: return 1 / (1 + x**2)
    # ~ tanh-half M67: return (1 - out**2) / 2
    # END SOLUTION


def local_sigmoid(x, out):
    # BEGIN SOLUTION
    return out * (1 - out)
    # ~ sigmoid-value M65: return out
    # ~ sigmoid-input M09: return x * (1 - x)
    # ~ sigmoid-factor M68: return 1 - out
    # ~ sigmoid-tanh M67: return 1 - out**2
    # ~ sigmoid-sign M66: return out * (out - 1)
    # ~ sigmoid-plus M66: return out * (1 + out)
    # ~ sigmoid-square M68: return (1 - out) ** 2
    # ~ sigmoid-out-square M68: return out**2
    # ~ sigmoid-mixed M09: return out * (1 - x)
    # ~ sigmoid-mixed-too M09: return x * (1 - out)
    # ~ sigmoid-of-output M09: return 1 / (1 + math.exp(-out)) * (1 - 1 / (1 + math.exp(-out)))
    # ~ sigmoid-no-inner M68: return -1 / (1 + math.exp(-x)) ** 2
    # ~ sigmoid-cube M68: return out * (1 - out**2)
    # ~ sigmoid-overflows M39: return math.exp(-x) / (1 + math.exp(-x)) ** 2
    # ~ sigmoid-half M67: return (1 - out**2) / 2
    # END SOLUTION


def local_relu(x, out):
    # BEGIN SOLUTION
    return 1 if x > 0 else 0
    # ~ relu-one M68: return 1
    # ~ relu-value M65: return out
    # ~ relu-at-0 M20: return 1 if x >= 0 else 0
    # ~ relu-sign M66: return 1 if x > 0 else -1
    # ~ relu-half M20: return 1 if x > 0 else 0.5 if x == 0 else 0
    # ~ relu-turned M66: return 1 if x < 0 else 0
    # ~ relu-input M65: return x
    # ~ relu-zero M68: return 0
    # ~ relu-divides M39: return out / x
    # ~ relu-leaks M67: return 1 if x > 0 else 0.01
    # END SOLUTION


# FRAME
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
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x)),
    "relu": lambda x: x if x > 0 else 0.0,
}


# CHECK
from tutorial.exercises.probes.calls import called
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "These are the rules of a calculus book. Check each of yours with a nudge: (f(x + h) − f(x)) / h for a small h.",
    "exp, tanh and sigmoid have rules that need the output alone. pow, log and relu have rules that need the input alone.",
    "exp is its own derivative. That of tanh is 1 minus the square of tanh. That of sigmoid is sigmoid times (1 minus sigmoid). "
    "That of log is one over the input. relu has the slope of one of its two straight lines.",
)
PREDICT = (
    "The derivative of sigmoid is e^(−x) / (1 + e^(−x))². What is it at x = 0?",
    0.25,
    {
        0.5: "That is the sigmoid itself. In the derivative 1 + 1 is squared.",
        1: "That is the numerator. It is divided by (1 + 1)².",
        0: "The slope is 0 where a curve is flat. Is the sigmoid flat at 0?",
    },
)
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
    "sigmoid-factor": AT + "That is 1 − sigmoid. A factor sigmoid, or a square below, is missing: the slope is sigmoid · (1 − sigmoid).",
    "sigmoid-tanh": AT + "That is the rule of tanh. The slope of sigmoid is sigmoid · (1 − sigmoid).",
    "relu-one": AT + "The slope is 1 only where the input is positive. Elsewhere relu is 0, and flat.",
    "relu-value": AT + "That is the value of relu. Its slope is 1 or 0.",
    "relu-at-0 relu-half": AT + "At the kink, the slope is a choice between 0 and 1. This exercise declares 0.",
    "relu-sign": AT + "Where the input is negative, relu is 0 and flat, so its slope is 0.",
    "pow-value": AT + "That is the value of the power, not its slope.",
    "pow-factor-less": AT + "The factor is the exponent n = {n}, as it was before it became one less.",
    "pow-plus": AT + "The exponent must be one less, not one more: the derivative of x³ is 3x².",
    "pow-linear": AT + "That is n · x, which is right for n = 2 alone. The derivative of x³ is 3x².",
    "pow-exponent-as-base": AT + "Base and exponent are exchanged: x is the base, and n = {n} stands still.",
    "pow-integral": AT + "That is the integral of the power. The derivative of x³ is 3x².",
    "pow-square": AT + "That is the rule for n = 2 alone. Here n is {n}.",
    "pow-no-brackets": AT + "Python takes the power first, so 1 is subtracted from the result. Put brackets around the exponent n − 1.",
    "pow-two-less": AT + "The exponent must be one less, not two: the derivative of x³ is 3x².",
    "pow-exponent-only": AT + "That is the exponent. The derivative of x³ is 3x², and not 3.",
    "exp-times-x": AT + "The factor x is too many: exp is its own derivative.",
    "exp-of-output": AT + "You took exp of the output, so exp was taken twice. exp is its own derivative, so its slope is the output.",
    "exp-one": AT + "1 is its slope at x = 0 alone. exp is its own derivative.",
    "exp-inverse": AT + "That is exp(−x), or 1 divided by the output. exp is its own derivative, so its slope is the output.",
    "exp-tanh": AT + "That is the rule of sigmoid. exp is its own derivative.",
    "log-input": AT + "That is the input x. The slope is 1 / x.",
    "log-sign": AT + "The sign is wrong: the logarithm rises everywhere.",
    "log-exp": AT + "That is exp, the inverse of log. The slope of log is 1 / x.",
    "log-square": AT + "That is the derivative of 1 / x, and so the second derivative of log. Its first one is 1 / x.",
    "log-square-only": AT + "The square is too many: the slope of log is 1 / x.",
    "log-base-2": AT + "That is the slope of the logarithm to base 2. The natural one has the slope 1 / x.",
    "log-over": AT + "The factor out is too many: the slope of log is 1 / x.",
    "log-of-log": AT + "That is the slope of log(log(x)). The slope of log is 1 / x.",
    "tanh-sign": AT + "The sign of the square is wrong: the derivative of tanh is 1 − tanh².",
    "tanh-turned": AT + "The sign is wrong: tanh rises everywhere. Its derivative is 1 − tanh².",
    "tanh-value": AT + "That is the value of tanh, not its slope 1 − tanh².",
    "tanh-squared-all": AT + "You squared the difference. Square the output first: 1 − tanh².",
    "tanh-of-output": AT + "You took tanh of the output, so tanh was taken twice. The output is tanh(x) already.",
    "tanh-of-square": AT + "You squared x before tanh. Square the output: 1 − tanh².",
    "tanh-no-one": AT + "That is the square of the output. The derivative of tanh is 1 − tanh².",
    "tanh-cosh": AT + "A square is missing: the derivative of tanh is 1 / cosh², which is 1 − tanh².",
    "tanh-atan": AT + "That is the derivative of arctan. That of tanh is 1 − tanh².",
    "tanh-half": AT + "Half is too little: the derivative of tanh is 1 − tanh².",
    "sigmoid-sign": AT + "The sign is wrong: sigmoid rises everywhere. Its slope is sigmoid · (1 − sigmoid).",
    "sigmoid-plus": AT + "A sign is wrong: the slope is sigmoid · (1 − sigmoid).",
    "sigmoid-square": AT + "You squared 1 − sigmoid. The slope is sigmoid · (1 − sigmoid).",
    "sigmoid-out-square": AT + "You squared the output. The slope is sigmoid · (1 − sigmoid).",
    "sigmoid-mixed": AT + "You used the output once, and the input once. The slope is sigmoid · (1 − sigmoid), with the output.",
    "sigmoid-mixed-too": AT + "You used the input once, and the output once. The slope is sigmoid · (1 − sigmoid), with the output.",
    "sigmoid-of-output": AT + "You took sigmoid of the output, so sigmoid was taken twice. The output is sigmoid(x) already.",
    "sigmoid-no-inner": AT + "The derivative of what stands below is missing, which is −e^(−x).",
    "sigmoid-cube": AT + "A square is too many: the slope is sigmoid · (1 − sigmoid).",
    "sigmoid-overflows": "At x = −1,000, local_sigmoid ended in {got}. You computed e^(−x) again, too large a number. Take the output.",
    "sigmoid-half": AT + "That is half of the rule of tanh, with another output. The slope is sigmoid · (1 − sigmoid).",
    "relu-turned": AT + "You gave 1 on the wrong side: relu is flat where x is negative, and rises where it is positive.",
    "relu-input": AT + "That is the input. The slope of relu is 1 or 0.",
    "relu-zero": AT + "That is the slope on the left alone. Where x is positive, relu rises by as much as x.",
    "relu-divides": "At x = 0, local_relu ended in {got}. You divided by x, which may be 0. There this exercise declares the slope 0.",
    "relu-leaks": AT + "That is the rule of a leaky relu. Where the input is negative, relu is 0 and flat.",
}
WHY = {
    "pow": "What is the derivative of x³?",
    "exp": "Which function is its own derivative?",
    "log": "How steep is the natural logarithm at x = 1, and how steep at x = 10?",
    "tanh": "How steep is tanh at x = 0, and how steep where it is nearly flat at 1?",
    "sigmoid": "How steep is sigmoid where it is nearly flat at 1, and where it is nearly flat at 0?",
    "relu": "What does the graph of relu look like left of 0, at 0, and right of 0?",
}
ASKED = {name: WHY[name.partition("-")[0]] for name in SAID} | dict.fromkeys(
    ("pow-divides", "relu-divides", "sigmoid-overflows"), "For which x does your formula give no number?"
)
TOLERANCE = 1e-12  # a formula is right to the last digits, and a difference quotient is not
SMOOTH = ("exp", "tanh", "sigmoid", "relu")  # these take any x


def probes(random):
    """Yield numbers at which all slopes are of order 1, on both sides of 0; then the kink."""
    for low, high in ((1.1, 1.6), (-1.6, -1.1), (0.4, 0.9), (-0.9, -0.4)):
        x = round(random.uniform(low, high), 2)
        n, positive = random.choice((3, 4, 5)), round(random.uniform(1.5, 4), 2)
        yield probe({"pow": (positive, n), "log": (positive,)} | dict.fromkeys(SMOOTH, (x,)), n, "")
    yield probe(dict.fromkeys(SMOOTH, (0.0,)), 1, "x is 0, the kink of relu")
    yield probe({"sigmoid": (-1000.0,)}, 1, "x is far below 0")
    yield probe({"pow": (-1.5, 3)}, 3, "x is negative")
    yield probe({"pow": (0.0, 3)}, 3, "x is 0")
    yield probe({"pow": (0.0, 1)}, 1, "x is 0, and the power is 1")


def probe(inputs, n, about):
    shown = [called(f"local_{name}", *given, FUNCTIONS[name](*given)) for name, given in inputs.items()]
    return Probe((inputs,), {"x": {name: given[0] for name, given in inputs.items()}, "n": n}, about=about, shown="\n".join(shown))

"""Local rules of arithmetic

Each function returns the partial derivatives of one rule, one for each input, as a tuple: `local_add(a, b)` those of $a + b$,
`local_sub` of $a - b$, `local_mul` of $a \\cdot b$, `local_div` of $\\frac{a}{b}$, and `local_neg(a)` of $-a$, a tuple with one number.
For example, `local_mul(3, 5)` is `(5, 3)`. The numbers are fractions, so your results must be exact.
"""
# meta: unit=C minutes=8 difficulty=1 chapter=your-first-value call=rules_at


def local_add(a, b):
    # BEGIN SOLUTION
    return 1, 1
    # ~ add-factors M67: return b, a
    # ~ add-values M65: return a, b
    # ~ add-value M65: return a + b, a + b
    # ~ add-zero M68: return 0, 0
    # ~ add-halves M67: return 1 / 2, 1 / 2
    # ~ add-one M12: return 1
    # END SOLUTION


def local_sub(a, b):
    # BEGIN SOLUTION
    return 1, -1
    # ~ sub-sign M66: return 1, 1
    # ~ sub-turned M66: return -1, 1
    # ~ sub-both M66: return -1, -1
    # ~ sub-value M65: return a - b, a - b
    # ~ sub-inputs M65: return a, -b
    # ~ sub-factors M67: return b, -a
    # ~ sub-values-turned M65: return a - b, b - a
    # END SOLUTION


def local_mul(a, b):
    # BEGIN SOLUTION
    return b, a
    # ~ own-factor M69: return a, b
    # ~ value-for-slope M65: return a * b, a * b
    # ~ rule-of-sum M67: return 1, 1
    # ~ mul-sum M67: return a + b, a + b
    # ~ mul-square M67: return 2 * a, 2 * b
    # ~ mul-sign M66: return b, -a
    # END SOLUTION


def local_div(a, b):
    # BEGIN SOLUTION
    return 1 / b, -a / b**2
    # ~ div-sign M66: return 1 / b, a / b**2
    # ~ div-square M68: return 1 / b, -a / b
    # ~ div-as-mul M67: return 1 / b, 1 / a
    # ~ div-value M67: return 1 / b, a
    # ~ div-minus-value M67: return 1 / b, -a
    # ~ div-a-missing M68: return 1 / b, -1 / b**2
    # ~ div-a-missing-sign M66: return 1 / b, 1 / b**2
    # ~ div-b-only M68: return 1 / b, -b
    # ~ div-minus-1 M68: return 1 / b, -1 / b
    # ~ div-turned M70: return 1 / b, -b / a**2
    # ~ div-a-squared M68: return 1 / b, -(a**2) / b**2
    # ~ div-own M65: return 1 / b, a / b
    # ~ div-cube M68: return 1 / b, -a / b**3
    # ~ div-twice M68: return 1 / b, -2 * a / b**2
    # ~ div-one M68: return 1, -a / b**2
    # ~ div-by-a M70: return 1 / a, -a / b**2
    # ~ div-first-b M67: return b, -a / b**2
    # ~ div-first-value M65: return a / b, -a / b**2
    # ~ div-first-square M68: return 1 / b**2, -a / b**2
    # ~ div-exchanged M01: return -a / b**2, 1 / b
    # END SOLUTION


def local_neg(a):
    # BEGIN SOLUTION
    return (-1,)
    # ~ neg-value M65: return (-a,)
    # ~ neg-sign M66: return (1,)
    # ~ neg-input M65: return (a,)
    # ~ neg-two M12: return -1, 0
    # ~ neg-zero M68: return (0,)
    # ~ neg-number M12: return -1
    # END SOLUTION


# FRAME
def rules_at(a, b):
    """Return {function: its partial derivatives}, for those that are written."""
    found, both = {}, (a, b)
    for name, rule, inputs in (
        ("local_add", local_add, both),
        ("local_sub", local_sub, both),
        ("local_mul", local_mul, both),
        ("local_div", local_div, both),
        ("local_neg", local_neg, (a,)),
    ):
        try:
            found[name] = rule(*inputs)
        except NotImplementedError as error:
            unwritten = error
    if not found:
        raise unwritten
    return found


# CHECK
from fractions import Fraction

from tutorial.exercises.probes.calls import called
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "A partial derivative says how many times as much the result changes as one input, if the other input stands still.",
    "Write the rule as a function of one input alone: a · 5 is a straight line in a, and 5 is its slope. And what is 3 / b?",
    "For a sum and a difference, the slopes do not depend on the numbers. For a product, each slope is the other factor. "
    "For a quotient, write it as a times b to the power −1, and use the rule of powers for b.",
)
PREDICT = (
    "What is the partial derivative of a / b with respect to a, at a = 6 and b = 1/2?",
    2,
    {
        12: "That is a / b itself.",
        0.5: "That is b, which a product would pass on. Here a is divided by b.",
        -24: "That is the derivative with respect to b.",
    },
)
AT = "At a = {a}, b = {b}, {component} was {got}, expected {expected}. "
SAID = {
    "add-factors": AT + "That is the rule of a product. In a sum, each input moves the result by as much as itself.",
    "add-values": AT + "That is an input itself, not a slope. In a sum, each input moves the result by as much as itself.",
    "sub-sign": AT + "If b grows by 1, a − b falls by 1.",
    "sub-turned": AT + "These are the slopes of b − a.",
    "own-factor": AT + "d(ab)/da is the other factor, and you gave the same one.",
    "value-for-slope": AT + "That is the value of the product, {product}, not its slope.",
    "rule-of-sum": AT + "That is the rule of a sum. In a product, a nudge of one factor is enlarged by the other factor.",
    "div-sign": AT + "The sign is wrong: if b grows, a / b moves towards 0.",
    "div-square": AT + "The square is missing: b to the power −1 has the derivative −1 / b².",
    "div-as-mul": AT + "a / b is not symmetric: b stands below, so its rule is another one.",
    "div-value": AT + "That is the slope of a · b with respect to b. Here b stands below.",
    "neg-value": AT + "That is the value of −a, not its slope.",
    "neg-sign": AT + "If a grows by 1, −a falls by 1.",
    "add-value": AT + "That is the value of the sum, not a slope.",
    "add-zero": AT + "0 is the slope of what stands still. If a grows by 1, a + b grows by 1.",
    "add-halves": AT + "That is the rule of a mean. In a sum, each input moves the result by as much as itself.",
    "add-one": AT + "The slope is right. But a tuple is asked for, with 2 numbers: one for each input.",
    "sub-both": AT + "If a grows by 1, a − b grows by 1. Only b has the minus sign.",
    "sub-value": AT + "That is the value of the difference, not a slope.",
    "sub-values-turned": AT + "That is the value of a − b or of b − a, not a slope.",
    "sub-inputs": AT + "That is an input itself, not a slope.",
    "sub-factors": AT + "The other input is the rule of a product. In a difference, the slopes are 1 and −1.",
    "mul-sum": AT + "That is a + b. The slope of a · b is the other factor alone.",
    "mul-square": AT + "That is the rule of a square. In a · b the other factor stands still.",
    "mul-sign": AT + "If b grows by 1, a · b grows by a: without a minus sign.",
    "div-minus-value": AT + "The division by b² is missing. Python computes −a / b * b from left to right, and that is −a.",
    "div-a-missing": AT + "The factor a is missing: a / b is a times b to the power −1.",
    "div-a-missing-sign": AT + "The factor a is missing, and the sign is wrong: the slope is −a / b².",
    "div-b-only": AT + "That is −b. The slope is −a / b²: a / b is a times b to the power −1.",
    "div-minus-1": AT + "That is −1 / b. The slope is −a / b²: b to the power −1 has the derivative −1 / b².",
    "div-turned": AT + "a and b are exchanged: that is a slope of b / a.",
    "div-a-squared": AT + "You squared a, too. Only b is squared, since b stands below: −a / b².",
    "div-own": AT + "That is the value of a / b, not its slope with respect to b.",
    "div-cube": AT + "The power of b is too high: b to the power −1 has the derivative −1 / b².",
    "div-twice": AT + "There is a factor 2 too many: b to the power −1 has the derivative −1 / b².",
    "div-one": AT + "1 is the slope of a alone. In a / b, a nudge of a is divided by b.",
    "div-by-a": AT + "That is 1 / a. In a / b, a nudge of a is divided by b.",
    "div-first-b": AT + "That is the rule of a product. In a / b, a nudge of a is divided by b.",
    "div-first-value": AT + "That is the value of a / b. If a grows by 1, a / b grows by 1 / b.",
    "div-first-square": AT + "b is squared only in the slope with respect to b. If a grows by 1, a / b grows by 1 / b.",
    "div-exchanged": AT + "The two slopes are exchanged: that of a comes first, then that of b.",
    "neg-input": AT + "That is the input a, not a slope.",
    "neg-two": AT + "−a has one input, so the tuple has one number.",
    "neg-zero": AT + "0 is the slope of what stands still. If a grows by 1, −a falls by 1.",
    "neg-number": AT + "The number is right. But a tuple is asked for, with 1 number: one for each input.",
}
ASKED = {
    "add-factors add-values add-value add-zero add-halves": "If a grows by 1 and b stands still, by how much does a + b grow?",
    "sub-sign": "If b grows by 1 and a stands still, does a − b rise or fall?",
    "sub-turned": "If a grows by 1 and b stands still, does a − b rise or fall?",
    "own-factor value-for-slope rule-of-sum mul-sum mul-square mul-sign": "If a grows by 1 and b stands still, by how much does a · b "
    "grow?",
    "neg-value neg-input neg-zero": "If a grows by 1, by how much does −a change?",
    "neg-sign": "If a grows by 1, does −a rise or fall?",
    "add-one neg-two": "How many inputs has the function, and how many numbers has your tuple?",
    "sub-both sub-value sub-values-turned sub-inputs sub-factors": "By how much does a − b grow if a grows by 1, or b?",
    **dict.fromkeys([name for name in SAID if name.startswith("div-")], "What is the derivative of b to the power −1?"),
    "div-one div-by-a div-first-b div-first-value div-first-square": "If a grows by 1, by how much does a / b grow?",
    "div-sign": "If b grows and a stands still, does a / b rise or fall?",
    "div-as-mul": "Are a / b and b / a the same?",
    "neg-number": "How do you write a tuple with one number in Python?",
}


def probes(random):
    """Yield numbers to compute with by hand, then fractions, and an a that is b."""
    yield probe(Fraction(3), Fraction(5), "a and b are integers")
    yield probe(Fraction(-7, 2), Fraction(2, 3), "a is negative")
    for _ in range(4):
        a, b = (random.choice((-1, 1)) * Fraction(random.choice((2, 3, 5, 7)), random.choice((11, 13))) for _ in range(2))
        yield probe(a, b, "a and b are fractions")
    same = Fraction(random.choice((2, 3, 5)), random.choice((7, 11)))
    yield probe(same, same, "a and b are equal")


def probe(a, b, about):
    shown = [*(called(f"local_{name}", a, b) for name in ("add", "sub", "mul", "div")), called("local_neg", a)]
    return Probe((a, b), {"a": a, "b": b, "product": a * b}, about=about, shown="\n".join(shown))

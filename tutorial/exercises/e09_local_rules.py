"""Local rules of arithmetic

Each function returns the partial derivatives of one rule, one for each input, as a tuple: `local_add(a, b)` those of $a + b$,
`local_sub` of $a - b$, `local_mul` of $a \\cdot b$, `local_div` of $\\frac{a}{b}$, and `local_neg(a)` of $-a$, a tuple with one number.
For example, `local_mul(3, 5)` is `(5, 3)`. The numbers are fractions, so your results must be exact.
"""
# meta: unit=C minutes=8 difficulty=1 chapter=your-first-value call=rules_at


def local_add(a, b):
    # BEGIN SOLUTION
    return 1, 1
    # ~ add-factors M29: return b, a
    # ~ add-values M29: return a, b
    # END SOLUTION


def local_sub(a, b):
    # BEGIN SOLUTION
    return 1, -1
    # ~ sub-sign M29: return 1, 1
    # ~ sub-turned M29: return -1, 1
    # END SOLUTION


def local_mul(a, b):
    # BEGIN SOLUTION
    return b, a
    # ~ own-factor M29: return a, b
    # ~ value-for-slope M29: return a * b, a * b
    # ~ rule-of-sum M29: return 1, 1
    # END SOLUTION


def local_div(a, b):
    # BEGIN SOLUTION
    return 1 / b, -a / b**2
    # ~ div-sign M29: return 1 / b, a / b**2
    # ~ div-square M29: return 1 / b, -a / b
    # ~ div-as-mul M29: return 1 / b, 1 / a
    # ~ div-value M29: return 1 / b, a
    # END SOLUTION


def local_neg(a):
    # BEGIN SOLUTION
    return (-1,)
    # ~ neg-value M29: return (-a,)
    # ~ neg-sign M29: return (1,)
    # ~ neg-number M12: return -1
    # END SOLUTION


# BEGIN FRAME
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


# END FRAME
# BEGIN CHECK
from fractions import Fraction

from tutorial.exercises.calls import called
from tutorial.exercises.probe import Probe

HINTS = (
    "A partial derivative says how many times as much the result changes as one input, if the other input stands still.",
    "Write the rule as a function of one input alone: a · 5 is a straight line in a, and 5 is its slope. And what is 3 / b?",
    "For a sum and a difference, the slopes do not depend on the numbers. For a product, each slope is the other factor. "
    "For a quotient, write it as a times b to the power −1, and use the rule of powers for b.",
)
PREDICT = ("What is the partial derivative of a / b with respect to a, at a = 6 and b = 1/2?", 2)
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
    "neg-number": AT + "The number is right. But a tuple is asked for, with 1 number: one for each input.",
}
ASKED = {
    "add-factors": "If a grows by 1 and b stands still, by how much does a + b grow?",
    "add-values": "If a grows by 1 and b stands still, by how much does a + b grow?",
    "sub-sign": "If b grows by 1 and a stands still, does a − b rise or fall?",
    "sub-turned": "If a grows by 1 and b stands still, does a − b rise or fall?",
    "own-factor": "If a grows by 1 and b stands still, by how much does a · b grow?",
    "value-for-slope": "If a grows by 1 and b stands still, by how much does a · b grow?",
    "rule-of-sum": "If a grows by 1 and b stands still, by how much does a · b grow?",
    "div-sign": "If b grows and a stands still, does a / b rise or fall?",
    "div-square": "What is the derivative of b to the power −1?",
    "div-as-mul": "Are a / b and b / a the same?",
    "div-value": "What is the derivative of b to the power −1?",
    "neg-value": "If a grows by 1, by how much does −a change?",
    "neg-sign": "If a grows by 1, does −a rise or fall?",
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


# END CHECK

"""Why the partial of a row is what it is, in the words of a calculus book: SLOPES for numbers, VJPS for arrays. Knows rows, not steps."""


def of(s):
    """Return the number at which the function is evaluated, as text."""
    return s.formatter.number(s.trace.on.data(s.step.x))


def value(s):
    return s.formatter.number(s.trace.on.data(s.step.y))


def square(s):
    return f"{s.y} takes {s.x} times itself, and both factors grow: {of(s)} + {of(s)} = {s.number(s.step.partial)}"


def power(s):
    if s.step.slot == 1:
        return f"the exponent grows. The slope is the power times the logarithm of the base, {s.number(s.step.partial)}"
    n = s.trace.on.data(s.step.y.inputs[1]) if len(s.step.y.inputs) > 1 else None
    return (
        square(s) if n == 2 else f"{s.y} is a power of {s.x}. A small change counts once for each factor, {s.number(s.step.partial)} in all"
    )


def passes(s, what):
    x = s.trace.on.data(s.step.x)
    if x == 0:
        return f"at 0 {what} has a corner, and we choose the slope {s.number(s.step.partial)}"
    if x > 0:
        return f"{s.x} is {of(s)}, and {what} passes a positive number on as it is"
    return f"{s.x} is {of(s)}, a negative number. There {what} is 0, and a small change leaves it 0"


def chosen(s):
    """Return the reason for maximum, minimum, max and min."""
    partial = s.step.partial.number
    kind = "larger" if "max" in s.step.y.rule.name else "smaller"
    if len(s.step.y.inputs) > 2:
        kind = {"larger": "largest", "smaller": "smallest"}[kind]
    if partial == 1:
        return f"{s.x} is the {kind} one, so {s.y} follows it"
    if partial == 0:
        return f"{s.x} is not the {kind} one, so a small change of it changes nothing"
    return f"{s.x} is one of several that are equally {kind[:-2] if kind.endswith('er') else kind}, so they share the slope"


def sign(s):
    x = s.trace.on.data(s.step.x)
    if x == 0:
        return "at 0 the absolute value has a corner, and we choose the slope 0"
    return f"{s.x} is {'positive, so its absolute value grows with it' if x > 0 else 'negative, so its absolute value falls when it grows'}"


# fmt: off
SLOPES = {  # row: why its partial is what it is, after "Times 8: "
    "square":   square,
    "relu":     lambda s: passes(s, "relu"),
    "maximum":  chosen, "minimum": chosen, "max": chosen, "min": chosen,
    "abs":      sign,
    "exp":      lambda s: f"the exponential function grows as fast as it is large, and {s.y} is {value(s)}",
    "log":      lambda s: f"the logarithm grows by 1 divided by {s.x}, and {s.x} is {of(s)}",
    "sqrt":     lambda s: f"the root grows by 1 divided by twice its value, and {s.y} is {value(s)}",
    "tanh":     lambda s: f"tanh is flatter the closer it is to 1 or −1. Its slope is 1 minus its square, and {s.y} is {value(s)}",
    "sigmoid":  lambda s: f"the sigmoid is flat near 0 and 1. Its slope is its value times 1 minus its value, and {s.y} is {value(s)}",
    "softplus": lambda s: f"softplus grows slowly for negative numbers and in full for large ones, and {s.x} is {of(s)}",
    "sin":      lambda s: f"the slope of the sine is the cosine, here of {of(s)}",
    "cos":      lambda s: f"the slope of the cosine is minus the sine, here of {of(s)}",
}
VJPS = {  # function of arrays: why its contribution is what it is
    "add":       lambda s: f"{s.y} takes each entry of {s.x} as it is. So each entry of {s.x} acts on {s.z} as the same entry of {s.y} does.",
    "sub":       lambda s: f"Each entry of {s.x} goes into one entry of {s.y}, as it is or with the opposite sign.",
    "mul":       lambda s: f"Each entry of {s.x} is multiplied by one other number. So its gradient is multiplied by that number too.",
    "sum":       lambda s: f"Each entry of {s.x} is added once, as it is. So all of them act on {s.z} in the same way as their sum.",
    "mean":      lambda s: f"Each entry of {s.x} counts once, divided by the number of entries. So they share the gradient of their mean.",
    "matmul":    lambda s: f"Each entry of {s.x} is used in several entries of {s.y}. The matrix product adds up what comes back from all of them.",
    "dot":       lambda s: f"Each entry of {s.x} is multiplied by one entry of the other array. So its gradient is multiplied by that entry.",
    "transpose": lambda s: f"Each entry of {s.x} only moves to another place. So the gradient moves back.",
    "view":      lambda s: f"Each entry of {s.x} only moves to another place. So the gradient moves back.",
    "reshape":   lambda s: f"Each entry of {s.x} only moves to another place. So the gradient moves back.",
    "elementwise": lambda s: f"{s.y} takes the entries of {s.x} one by one. So each entry of its gradient is multiplied by the slope at that entry.",
    "other":     lambda s: f"An entry of {s.x} may act on several entries of {s.y}. What comes back from all of them is added up.",
}
# fmt: on

"""Dual numbers for an arm

A dual number holds a value and its speed. The class is given, with a sum and a product. Write three more functions, each of which returns
a `Dual`: `sine(x)`, `cosine(x)` and `quotient(x, y)`, which is $\\frac{x}{y}$. The arguments are dual numbers, too.
For example, at $x = 0$ with the speed 3, the sine has the value 0 and the speed 3.
"""

# meta: unit=E minutes=12 difficulty=2 chapter=forward-mode call=speeds_at
from math import cos, sin


class Dual:
    def __init__(self, value, speed=0.0):
        self.value, self.speed = value, speed

    def __add__(self, other):
        return Dual(self.value + other.value, self.speed + other.speed)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.speed * other.value + self.value * other.speed)


def sine(x):
    # BEGIN SOLUTION
    return Dual(sin(x.value), cos(x.value) * x.speed)
    # ~ sine-alone M05: return Dual(sin(x.value), cos(x.value))
    # ~ sine-passes-on M64: return Dual(sin(x.value), x.speed)
    # ~ sine-of-the-speed M67: return Dual(sin(x.value), sin(x.speed))
    # ~ sine-cos-of-the-speed M09: return Dual(sin(x.value), cos(x.speed))
    # ~ sine-slope-at-the-speed M09: return Dual(sin(x.value), cos(x.speed) * x.speed)
    # ~ sine-sign M66: return Dual(sin(x.value), -cos(x.value) * x.speed)
    # ~ sine-own M65: return Dual(sin(x.value), sin(x.value) * x.speed)
    # ~ sine-added M30: return Dual(sin(x.value), cos(x.value) + x.speed)
    # ~ sine-stands-still M42: return Dual(sin(x.value))
    # ~ sine-number M12: return sin(x.value)
    # ~ sine-turned M54: return Dual(cos(x.value) * x.speed, sin(x.value))
    # END SOLUTION


def cosine(x):
    # BEGIN SOLUTION
    return Dual(cos(x.value), -sin(x.value) * x.speed)
    # ~ cosine-alone M05: return Dual(cos(x.value), -sin(x.value))
    # ~ cosine-passes-on M64: return Dual(cos(x.value), x.speed)
    # ~ cosine-of-the-speed M67: return Dual(cos(x.value), cos(x.speed))
    # ~ cosine-sin-of-the-speed M09: return Dual(cos(x.value), -sin(x.speed))
    # ~ cosine-slope-at-the-speed M09: return Dual(cos(x.value), -sin(x.speed) * x.speed)
    # ~ cosine-sign M66: return Dual(cos(x.value), sin(x.value) * x.speed)
    # ~ cosine-own M65: return Dual(cos(x.value), cos(x.value) * x.speed)
    # ~ cosine-added M30: return Dual(cos(x.value), x.speed - sin(x.value))
    # ~ cosine-stands-still M42: return Dual(cos(x.value))
    # ~ cosine-number M12: return cos(x.value)
    # ~ cosine-turned M54: return Dual(-sin(x.value) * x.speed, cos(x.value))
    # END SOLUTION


def quotient(x, y):
    # BEGIN SOLUTION
    value = x.value / y.value
    return Dual(value, (x.speed - value * y.speed) / y.value)
    # ~ quotient-sign M66: return Dual(value, (x.speed + value * y.speed) / y.value)
    # ~ quotient-turned M66: return Dual(value, (value * y.speed - x.speed) / y.value)
    # ~ quotient-of-x M30: return Dual(value, x.speed / y.value)
    # ~ quotient-of-y M30: return Dual(value, -value * y.speed / y.value)
    # ~ quotient-of-speeds M67: return Dual(value, x.speed / y.speed)
    # ~ quotient-no-square M68: return Dual(value, x.speed * y.value - x.value * y.speed)
    # ~ quotient-once M68: return Dual(value, (x.speed * y.value - x.value * y.speed) / y.value)
    # ~ quotient-y-once M68: return Dual(value, x.speed / y.value - value * y.speed)
    # ~ quotient-over-x M70: return Dual(value, (x.speed * y.value - x.value * y.speed) / x.value**2)
    # ~ quotient-product M67: return Dual(value, x.speed * y.value + x.value * y.speed)
    # ~ quotient-difference M67: return Dual(value, x.speed - y.speed)
    # ~ quotient-no-value M68: return Dual(value, (x.speed - y.speed) / y.value)
    # ~ quotient-speeds-are-1 M05: return Dual(value, (1 - value) / y.value)
    # ~ quotient-stands-still M42: return Dual(value)
    # ~ quotient-number M12: return value
    # END SOLUTION


# FRAME
def speeds_at(x, x_speed, y, y_speed):
    """Return {function: (value, speed)}, for those that are written; another result than a dual number as it is."""
    found = {}
    for name, function, inputs in (("sine", sine, 1), ("cosine", cosine, 1), ("quotient", quotient, 2)):
        try:
            made = function(*(Dual(x, x_speed), Dual(y, y_speed))[:inputs])
        except NotImplementedError as error:
            unwritten = error
        else:
            found[name] = (made.value, made.speed) if hasattr(made, "speed") else made
    if not found:
        raise unwritten
    return found


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Forward mode has one rule for all functions: the speed of the result is the sum, over its inputs, of the partial derivative times "
    "the speed of the input.",
    "The partial derivative is taken at the value of the input, and the speed is only a factor. The sine has one input, the quotient two.",
    "A quotient has the partial derivatives 1 / y and −x / y². Multiply one by the speed of x, the other by the speed of y, and add.",
)
PREDICT = (
    "x has the value 6 and the speed 1, y the value 2 and the speed 1. What is the speed of x / y?",
    -1,
    {
        1: "You divided the speeds. A quotient has a rule of its own.",
        0.5: "You held y still. It moves, too.",
        -1.5: "You held x still. It moves, too.",
        2: "You added the two parts. A larger y makes the quotient smaller.",
    },
)
AT = "At x = {x} with the speed {x_speed}, and y = {y} with the speed {y_speed}, {which} was {got}, expected {expected}. "
SLOPE = "The speed of x is missing: multiply the slope by it."
SAID = {
    "sine-alone cosine-alone": AT + "That is the slope alone, as if x had the speed 1. " + SLOPE,
    "sine-passes-on cosine-passes-on": AT + "That is the speed of x itself. Multiply it by the slope of the function.",
    "sine-of-the-speed cosine-of-the-speed": AT + "That is the function of the speed. A speed is multiplied by the slope at the value.",
    "sine-cos-of-the-speed cosine-sin-of-the-speed": AT
    + "That takes the slope at the speed. The slope belongs to the value of x. "
    + SLOPE,
    "sine-slope-at-the-speed cosine-slope-at-the-speed": AT + "That takes the slope at the speed. The slope belongs to the value of x.",
    "sine-sign": AT + "The sign is wrong: close to 0 the sine rises.",
    "cosine-sign": AT + "The sign is wrong: right of 0 the cosine falls.",
    "sine-own cosine-own": AT + "That multiplies the speed by the value of the function, not by its slope.",
    "sine-added cosine-added": AT + "You added the slope and the speed. Along a path, factors are multiplied.",
    "sine-stands-still cosine-stands-still": AT + "Your result stands still: `Dual(value)` has the speed 0.",
    "sine-number cosine-number": AT + "That is the value alone. A `Dual` is asked for, which has a speed, too.",
    "sine-turned cosine-turned": AT + "The value and the speed have changed places: `Dual(value, speed)`.",
    "quotient-sign": AT + "The sign at y is wrong: if y grows, x / y moves towards 0.",
    "quotient-turned": AT + "Both signs are wrong: if x grows, x / y grows.",
    "quotient-of-x": AT + "That is the way over x alone. y moves, too, and its contribution is added.",
    "quotient-of-y": AT + "That is the way over y alone. x moves, too, and its contribution is added.",
    "quotient-of-speeds": AT + "You divided the speeds. Each speed has a factor of its own, and the two products are added.",
    "quotient-no-square": AT + "The division by y² is missing.",
    "quotient-once": AT + "You divided by y. The rule divides by y².",
    "quotient-y-once": AT + "At the speed of y the square is missing: the slope is −x / y².",
    "quotient-over-x": AT + "You divided by x². y stands below, so it is y that is squared.",
    "quotient-product": AT + "That is the rule of a product. Here y stands below.",
    "quotient-difference": AT + "That is the rule of a difference. In a quotient each speed has a factor: 1 / y, and −x / y².",
    "quotient-no-value": AT + "The factor at the speed of y is −x / y². In yours, x / y is missing.",
    "quotient-speeds-are-1": AT + "You took 1 for both speeds. Each is multiplied by its own.",
    "quotient-stands-still": AT + "Your result stands still: `Dual(value)` has the speed 0.",
    "quotient-number": AT + "That is the value alone. A `Dual` is asked for, which has a speed, too.",
}
ASKED = {
    **dict.fromkeys(SAID, "If x moves with the speed 3, how fast does a function with the slope 2 move there?"),
    **dict.fromkeys([name for name in SAID if name.startswith("quotient")], "How fast does x / y move if y stands still, and if x does?"),
    "sine-turned cosine-turned sine-number cosine-number quotient-number": "What are the two parts of a dual number, and in which order?",
}


def probes(random):
    """Yield inputs that both move, then one that stands still, then random ones."""
    yield probe(0.5, 2.0, 2.0, 3.0, "both inputs move")
    yield probe(1.25, -3.0, -0.5, 0.25, "other speeds")
    for _ in range(3):
        numbers = [random.choice((-1, 1)) * random.choice((0.25, 0.75, 1.25, 1.5, 2.5)) for _ in range(4)]
        yield probe(*numbers, "random values and speeds")


def probe(x, x_speed, y, y_speed, about):
    parts = [(name, f"{name}{k}", what) for name in ("sine", "cosine", "quotient") for k, what in (("[0]", "value"), ("[1]", "speed"))]
    which = {key: f"the {what} of {name}" for name, key, what in parts} | {name: name for name, *_ in parts}
    facts = {"x": x, "x_speed": x_speed, "y": y, "y_speed": y_speed, "which": which}
    duals = f"Dual({x}, {x_speed})", f"Dual({y}, {y_speed})"
    shown = f"sine({duals[0]})\ncosine({duals[0]})\nquotient({', '.join(duals)})"
    return Probe((x, x_speed, y, y_speed), facts, about=about, shown=shown)

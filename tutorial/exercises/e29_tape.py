"""A tape

`record(value, inputs, partials)` writes down a variable and returns its place: 0 for the first entry, then 1, and so on. `inputs` are the
places of its inputs, one for each use. `partials` are its partial derivatives, one for each input. A leaf has none.

`backward(z)` returns the list of the derivatives of the variable at place `z`: one number for each entry, and 0 for an entry that $z$ does
not depend on. It may be called several times, and for several places.

For $a = 2$ at place 0 and $h = a \\cdot a$ at place 1, recorded by `record(4, [0, 0], [2, 2])`, `backward(1)` is `[4, 1]`.
"""
# meta: unit=E minutes=20 difficulty=3 chapter=other-engines call=run_tape


class Tape:
    def __init__(self):
        self.entries = []

    def record(self, value, inputs=(), partials=()):
        # BEGIN SOLUTION
        self.entries.append((value, inputs, partials))
        return len(self.entries) - 1
        # END SOLUTION

    def backward(self, z):
        # BEGIN SOLUTION
        total = [0] * len(self.entries)
        # ~ not-cleared M07: total = self.total = getattr(self, "total", []) + [0] * (len(self.entries) - len(getattr(self, "total", [])))
        total[z] = 1
        # ~ last-made M46: total[-1] = 1
        # ~ no-start M28: pass
        for k in range(len(self.entries) - 1, -1, -1):
            # ~ forward M04: for k in range(len(self.entries)):
            value, inputs, partials = self.entries[k]
            for x, partial in zip(inputs, partials):
                # ~ once M03: for x, partial in dict(zip(inputs, partials)).items():
                total[x] += total[k] * partial
                # ~ overwrite M03: total[x] = total[k] * partial
                # ~ no-upstream M05: total[x] += partial
                # ~ appends M41: total[x] += total[k] * partial; total[self.record(total[x]) :] = [0]
        return total
        # END SOLUTION


# BEGIN FRAME
def run_tape(steps):
    """Run steps (tape, variable, number or operator, *inputs) or (tape, "backward", variable). Return the places and derivatives."""
    tapes, places, values, found = {}, {}, {}, {}
    for k, (name, variable, what, *inputs) in enumerate(steps, 1):
        tape, place, value = tapes.setdefault(name, Tape()), places.setdefault(name, {}), values.setdefault(name, {})
        if variable == "backward":
            total, which = tape.backward(place[what]), "" if k == len(steps) else f"d{what}/d"
            if not isinstance(total, list):
                return total
            found |= {f"{which}{x}": total[k] or 0 if k < len(total) else 0 for x, k in place.items()}
        else:
            value[variable], partials = function(what, *(value[x] for x in inputs))
            found[f"the place of {variable}"] = place[variable] = tape.record(value[variable], [place[x] for x in inputs], partials)
    return found


def function(what, *numbers):
    """Return the value of a function and its partial derivatives; a leaf has none."""
    if what == "*":
        return numbers[0] * numbers[1], [numbers[1], numbers[0]]
    return (sum(numbers), [1, 1]) if what == "+" else (what, [])


# END FRAME
# BEGIN CHECK
from tutorial.exercises.probe import Probe

HINTS = (
    "A program computes each variable after its inputs. Where on the tape do the inputs of an entry stand?",
    "Keep a list of derivatives as long as the tape: 1 at the place of z, and 0 elsewhere. Which entries must be finished before entry k?",
    "Go through the places from the last to the first. Each entry adds to every one of its inputs: its own derivative, times the "
    "partial "
    "derivative of that input. The list is a new one in each call, and the tape stays as it is.",
)
PREDICT = ("a = 3, h = a · a, z = h + a. At which place of the tape does z stand?", 2)
WAS = "d{z}/d{component} was {got}, expected {expected}. "
SAID = {
    "not-cleared": WAS + "The second call started with the derivatives of the first. The sums belong to one call: make a new list in each.",
    "last-made": WAS + "backward() was called for {z}, and you started at {last}, which was recorded last. The 1 stands at the "
    "place of {z}.",
    "forward": WAS + "You read the tape from the first entry to the last. An entry was read before it had its derivative. Read it "
    "from the "
    "last to the first.",
    "once": WAS + "{twice} uses {used} twice, and each use brings a contribution. You counted one.",
    "overwrite": WAS + "{used} is used {uses} times. A later contribution replaced an earlier one: add them.",
    "no-upstream": WAS + "You added the partial derivative alone. Multiply it by the derivative of the entry that passes it on.",
    "no-start": WAS + "Every derivative is a sum of products that begin with 1, at the place of {z}.",
    "appends": "{component} was {got}, expected {expected}. "
    "Your backward pass wrote entries on the tape. The next variable that the program recorded stood behind them. "
    "backward() only reads the tape.",
}
ASKED = {
    "not-cleared": "What does your list of derivatives hold when a call begins?",
    "last-made": "Which entry has the derivative 1?",
    "forward": "Is the derivative of an entry complete when you read the entry?",
    "once": "How many edges lead from {used} to {twice}?",
    "overwrite": "What stood at the place of {used} before the last contribution came?",
    "no-upstream": "By how much does z grow if the entry grows by 1?",
    "no-start": "What stands at the place of {z} when the call begins?",
    "appends": "How long is the tape after a call of backward()?",
}


def probes(random):
    """Yield one function, two uses, reuse, entries after z, two calls, a call between two functions, and two tapes."""
    a, b, c, d = random.sample((2, 3, 5, 7, -2, -3, -5), 4)
    leaves = [("t", "a", a), ("t", "b", b)]
    yield probe([*leaves, ("t", "z", "*", "a", "b")], "z", "one function")
    yield probe([leaves[0], ("t", "z", "*", "a", "a")], "z", "z uses a twice")
    yield probe([*leaves, ("t", "h", "*", "a", "b"), ("t", "z", "+", "h", "a")], "z", "a is used twice")
    reuse = [*leaves, ("t", "h", "*", "a", "b"), ("t", "m", "*", "h", "h"), ("t", "z", "+", "h", "m")]
    yield probe(reuse, "z", "h is used three times")
    yield probe([*reuse, ("t", "w", "*", "z", "h")], "z", "w is recorded after z")
    yield probe([*reuse, ("t", "c", c), ("t", "w", "*", "h", "c")], "w", "w does not depend on z")
    yield probe([*reuse, ("t", "backward", "z")], "z", "two calls")
    yield probe([*reuse, ("t", "backward", "z"), ("t", "w", "*", "z", "h")], "w", "a function after the first call")
    second = [("u", "p", c), ("u", "q", d), ("u", "y", "*", "p", "q"), ("u", "v", "*", "y", "y")]
    yield probe([step for pair in zip(reuse, second) for step in pair] + reuse[len(second) :] + [("u", "backward", "v")], "z", "two tapes")


def probe(steps, z, about):
    """Return a probe that ends with backward() for z, with the variable of its tape that is used most."""
    on_tape = [step for step in steps if step[0] == "t" and step[1] != "backward"]
    uses = [x for step in on_tape for x in step[3:]]
    used = max(uses, key=uses.count)
    twice = next((step[1] for step in on_tape if step[3:].count(used) == 2), "no function")
    which = {step[1]: f"d{z}/d{step[1]}" for step in on_tape}
    facts = {"which": which, "z": z, "last": on_tape[-1][1], "used": used, "uses": uses.count(used), "twice": twice}
    steps = [*steps, ("t", "backward", z)]
    return Probe((steps,), facts, about=about, shown=program_of(steps))


def program_of(steps):
    """Return steps as a program: the variables hold their places on their tapes."""
    tapes, values = {step[0]: "tape" if step[0] == "t" else "other" for step in steps}, {}
    lines = [f"{name} = Tape()" for name in tapes.values()]
    for name, variable, what, *inputs in steps:
        if variable == "backward":
            lines.append(f"{tapes[name]}.backward({what})")
            continue
        values[variable], partials = function(what, *(values[x] for x in inputs))
        recorded = f", [{', '.join(inputs)}], {partials}" if inputs else ""
        lines.append(f"{variable} = {tapes[name]}.record({values[variable]}{recorded})")
    return "\n".join(lines)


def scene(probe):
    """Return the variable that the last call derives."""
    from scalargrad import Value

    (steps,) = probe.arguments
    made = {}
    for tape, variable, what, *inputs in steps:
        if tape == "t" and variable != "backward":
            x = [made[name] for name in inputs]
            made[variable] = Value(what) if not x else x[0] * x[1] if what == "*" else x[0] + x[1]
            made[variable].name = variable
    return made[steps[-1][-1]]


# END CHECK

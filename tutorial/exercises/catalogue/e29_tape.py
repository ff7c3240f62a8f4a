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
        self.entries.append((inputs, partials))
        # ~ starts-with-value M28: self.entries.append((inputs, partials, value))
        # ~ value-for-partial M65: self.entries.append((inputs, partials, value))
        # ~ on-the-class M17: Tape.all = getattr(Tape, "all", []); self.entries = Tape.all; self.entries.append((inputs, partials))
        # ~ leaves-left-out M63: self.entries += [(inputs, partials)] * bool(inputs)
        return len(self.entries) - 1
        # ~ counts-from-1 M44: return len(self.entries)
        # ~ no-place M60: return None
        # END SOLUTION

    def backward(self, z):
        # BEGIN SOLUTION
        total = [0] * len(self.entries)
        # ~ not-cleared M07: total = self.total = getattr(self, "total", []) + [0] * (len(self.entries) - len(getattr(self, "total", [])))
        total[z] = 1
        # ~ last-made M46: total[-1] = 1
        # ~ one-before-z M44: total[z - 1] = 1
        # ~ starts-with-value M28: total[z] = self.entries[z][2]
        # ~ no-start M28: pass
        for k in range(len(self.entries) - 1, -1, -1):
            # ~ forward M04: for k in range(len(self.entries)):
            # ~ below-z M28: for k in range(z - 1, -1, -1):
            # ~ overwrite-from-z M03: for k in range(z, -1, -1):
            # ~ no-upstream-from-z M05: for k in range(z, -1, -1):
            inputs, partials = self.entries[k]
            # ~ first-input-alone M03: inputs, partials = self.entries[k][0][:1], self.entries[k][1][:1]
            # ~ starts-with-value M28: inputs, partials, _ = self.entries[k]
            # ~ value-for-partial M65: inputs, partials, value = self.entries[k]
            for x, partial in zip(inputs, partials):
                # ~ once M03: for x, partial in dict(zip(inputs, partials)).items():
                total[x] += total[k] * partial
                # ~ overwrite M03: total[x] = total[k] * partial
                # ~ overwrite-from-z M03: total[x] = total[k] * partial
                # ~ value-for-partial M65: total[x] += total[k] * value
                # ~ no-partial M64: total[x] += total[k]
                # ~ adds-along M30: total[x] += total[k] + partial
                # ~ multiplied M30: total[x] = (total[x] or 1) * total[k] * partial
                # ~ partials-exchanged M54: total[x] += total[k] * (partials[1 - inputs.index(x)] if len(set(inputs)) > 1 else partial)
                # ~ exchanged M01: total[k] += total[x] * partial
                # ~ no-upstream-from-z M05: total[x] += partial
                # ~ no-upstream M05: total[x] += partial
                # ~ upstream-of-z M05: total[x] += total[z] * partial
                # ~ appends M41: total[x] += total[k] * partial; total[self.record(total[x]) :] = [0]
        return total
        # ~ as-far-as-z M51: return total[: z + 1]
        # ~ leaves-alone M22: return [number for number, entry in zip(total, self.entries) if not entry[0]]
        # ~ entry-for-the-call M41: self.entries.append(((), ())); return total
        # ~ last-number-alone M48: return total[0]
        # ~ nothing-for-0 M42: return [number or None for number in total]
        # ~ backwards M44: return total[::-1]
        # ~ dictionary M12: return {k: number for k, number in enumerate(total) if number}
        # ~ empties-the-tape M40: self.entries = []; return total
        # END SOLUTION


# FRAME
def run_tape(steps):
    """Run steps (tape, variable, number or operator, *inputs) or (tape, "backward", variable). Return the places and derivatives."""
    tapes, places, values, found = {}, {}, {}, {}
    for k, (name, variable, what, *inputs) in enumerate(steps, 1):
        tape, place, value = tapes.setdefault(name, Tape()), places.setdefault(name, {}), values.setdefault(name, {})
        if variable == "backward":
            total, which = tape.backward(place[what]), "" if k == len(steps) else f"d{what}/d"
            call = f"backward({what})" if k == len(steps) else f"the first backward({what})"
            found[f"the type of {call}"] = "list" if isinstance(total, list) else type(total).__name__
            if not isinstance(total, list):
                return found
            found[f"the length of {call}"] = len(total)
            found |= {f"{which}{x}": total[at] for x, at in place.items() if at < len(total)}
        else:
            value[variable], partials = function(what, *(value[x] for x in inputs))
            found[f"the place of {variable}"] = at = tape.record(value[variable], [place[x] for x in inputs], partials)
            if at != len(place):
                return found
            place[variable] = at
    return found


def function(what, *numbers):
    """Return the value of a function and its partial derivatives; a leaf has none."""
    if what == "*":
        return numbers[0] * numbers[1], [numbers[1], numbers[0]]
    return (sum(numbers), [1, 1]) if what == "+" else (what, [])


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "A program computes each variable after its inputs. Where on the tape do the inputs of an entry stand?",
    "Keep a list of derivatives as long as the tape: 1 at the place of z, and 0 elsewhere. Which entries must be finished before entry k?",
    "Go through the places from the last to the first. Each entry adds to every one of its inputs: its own derivative, times the partial "
    "derivative of that input. The list is a new one in each call, and the tape stays as it is.",
)
PREDICT = (
    "a = 3, h = a · a, z = h + a. At which place of the tape does z stand?",
    2,
    {
        3: "You counted from 1. The first place is 0.",
        1: "You left the leaf out. It has a place on the tape, too.",
    },
)
WAS = "d{z}/d{component} was {got}, expected {expected}. "
IS = "{component} was {got}, expected {expected}. "
SAID = {
    "on-the-class": IS + "Two tapes share one list, which stands on the class or outside of it. Each tape has its own: self.entries = [].",
    "leaves-left-out": IS + "A leaf was not written down. It has a place, too: the functions that use it name it by its place.",
    "counts-from-1": IS + "That is the number of entries after the new one was added. Places are counted from 0.",
    "no-place": IS + "record() returned nothing. The program needs the place for the functions that use the variable.",
    "as-far-as-z": IS + "The list ends at z, or before the end of the tape. It has a number for each entry, and 0 for those after z.",
    "nothing-for-0": WAS + "An entry on which {z} does not depend has the derivative 0, a number.",
    "leaves-alone": IS + "That has a number for each leaf. The list has one for each entry of the tape.",
    "entry-for-the-call": IS + "backward() wrote an entry on the tape. It only reads the tape.",
    "last-number-alone": IS + "backward() returns the list of all derivatives, with one number for each entry.",
    "upstream-of-z": WAS
    + "That multiplies each partial by the derivative of {z}, which is 1. Multiply it by that of the entry that passes it on.",
    "first-input-alone": WAS + "That passes on to the first input of an entry alone. An entry passes on to each of its inputs.",
    "backwards": WAS + "The list stands in the other order: its entry k belongs to place k.",
    "dictionary": IS + "backward() returns a list, in which entry k belongs to place k.",
    "empties-the-tape": "{about}: after a call of backward() the tape was empty. It may be called several times, so the tape stays as "
    "it is.",
    "starts-with-value": WAS + "That begins with the value of {z}. Every derivative is a sum of products that begin with 1.",
    "one-before-z": WAS + "The 1 stands at the entry before {z}. It belongs to {z} itself.",
    "partials-exchanged": WAS + "The partials have changed places: the first belongs to the first input.",
    "below-z": WAS + "The entry of {z} itself was not read. It passes its 1 on to its inputs.",
    "overwrite-from-z overwrite": WAS + "{used} is used {uses} times. A later contribution replaced an earlier one: add them.",
    "no-upstream-from-z no-upstream": WAS
    + "That adds the partial derivative alone. Multiply it by the derivative of the entry that passes it on.",
    "value-for-partial": WAS + "That multiplies by the value of an entry. Multiply by the partial derivative.",
    "no-partial": WAS + "That adds the upstream derivative alone. Multiply it by the partial derivative.",
    "adds-along": WAS + "That adds the derivative and the partial along an edge. Along a path factors multiply.",
    "multiplied": WAS + "That multiplies the contributions. {used} is used {uses} times: add them.",
    "exchanged": WAS
    + "Nothing came there. An entry passes on to its inputs: total[x] grows by total[k] times the partial, not the other way round.",
    "not-cleared": WAS + "The second call started with the derivatives of the first. The sums belong to one call: make a new list in each.",
    "last-made": WAS + "backward() was called for {z}, and you started at {last}, which was recorded last. The 1 stands at the "
    "place of {z}.",
    "forward": WAS + "You read the tape from the first entry to the last. An entry was read before it had its derivative. Read it from the "
    "last to the first.",
    "once": WAS + "{twice} uses {used} twice, and each use brings a contribution. One of them is missing.",
    "no-start": WAS + "Every derivative is a sum of products that begin with 1, at the place of {z}.",
    "appends": IS + "Your backward pass wrote entries on the tape. The next variable that the program recorded stood behind them. "
    "backward() only reads the tape.",
}
ASKED = {
    "leaves-alone last-number-alone": "How long is the tape?",
    "entry-for-the-call empties-the-tape appends": "How long is the tape after a call of backward()?",
    "upstream-of-z no-upstream-from-z no-upstream": "By how much does z grow if the entry grows by 1?",
    "first-input-alone": "How many edges lead into an entry?",
    "on-the-class leaves-left-out counts-from-1 no-place": "Which entries are on the tape when record() returns?",
    "as-far-as-z nothing-for-0 backwards dictionary": "How long is the tape, and what belongs to each of its places?",
    "starts-with-value": "By how much does z grow if z grows by 1?",
    "one-before-z no-start": "What stands at the place of {z} when the call begins?",
    "partials-exchanged": "Which partial belongs to which input?",
    "below-z": "Which entries does your loop read?",
    "overwrite-from-z overwrite": "What stood at the place of {used} before the last contribution came?",
    "value-for-partial no-partial": "By how much does the entry grow with its input alone?",
    "adds-along": "If the input grows by 1, by how much does the entry grow, and by how much then z?",
    "multiplied": "A nudge of {used} arrives through all its uses at once. What happens to z?",
    "exchanged": "Of which of the two is the derivative known first?",
    "not-cleared": "What does your list of derivatives hold when a call begins?",
    "last-made": "Which entry has the derivative 1?",
    "forward": "Is the derivative of an entry complete when you read the entry?",
    "once": "How many edges lead from {used} to {twice}?",
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

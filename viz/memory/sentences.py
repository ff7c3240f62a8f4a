"""What a picture of memory says in words: its summary, its headings, its tooltips, and its text alternative."""

from scalargrad.tracing.byte_counts import bytes_at_steps, readable
from viz.memory.rows import PLURAL
from viz.text.formatter import UNICODE

MOST_TOLD, MOST_SHARED = 60, 6  # arrays that the text alternative lists; names in the same memory


class Sentences:
    """Sentences about predicted lifetimes, and about the bytes that were measured, or why none were."""

    def __init__(self, found, measured, why):
        self.found, self.measured, self.why = found, measured, why

    def summary(self):
        found = self.found
        at = max(range(len(found.steps)), key=found.bytes.__getitem__)
        sizes = f"{readable(found.bytes[0])} exist before both passes, {readable(found.bytes[-1])} after them."
        return [f"{len(found.arrays):,} arrays. Predicted: at most {readable(found.peak)}, {self.place(at)}. {sizes}", self.comparison()]

    def comparison(self):
        if self.measured is None:
            return f"Not measured. {self.why}."
        differ = sum(m != p for m, p in zip(self.measured, self.found.bytes))
        if not differ:
            return "In a real run measured: the same at every step."
        steps = f"{differ:,} of {len(self.measured):,} steps"
        return f"In a real run measured: at most {readable(max(self.measured))}. The prediction differs at {steps}."

    def place(self, i):
        step = self.found.steps[i]
        if not step.function:
            return f"{step.phase} both passes"
        return f"at {UNICODE.name(step.name)} = {step.function}(…) in the {step.phase} pass"

    def stays(self, stay):
        gradients = sum(a.size for a in stay if a.kind == "gradient")
        mine = sum(a.size for a in stay) - gradients
        return f"The program holds {readable(mine)} of parameters. The backward pass adds {readable(gradients)} of gradients."

    def comes_and_goes(self, batch):
        most = max(bytes_at_steps(batch, len(self.found.steps)))
        kept = " An arrow marks an array that exists until the program drops it." * any(a.freed is None for a in batch)
        return f"{len(batch):,} arrays take {readable(sum(a.size for a in batch))} together, but at most {readable(most)} at a time.{kept}"

    def arena(self, batch):
        together, most = sum(a.size for a in batch), max(bytes_at_steps(batch, len(self.found.steps)))
        ours = "as much here" if most == together else f"{readable(most)}, because it frees arrays as it runs (dotted)"
        return f"An arena frees nothing before the rewind, so a batch needs {readable(together)}. backward() needs {ours}."

    def alternative(self):
        """Return the picture in words."""
        told = [self.array(a) + "." for a in self.found.arrays[:MOST_TOLD]]
        more = len(self.found.arrays) - len(told)
        return " ".join([*self.summary(), *told, *[f"And {more:,} more arrays."] * (more > 0)])

    def arrays(self, arrays):
        """Return what is said of arrays that are drawn as one."""
        if len(arrays) == 1:
            return self.array(arrays[0])
        kinds = {a.kind for a in arrays}
        kind, size = PLURAL[arrays[0].kind] if len(kinds) == 1 else "arrays", readable(sum(a.size for a in arrays))
        last = max(len(self.found.steps) - 1 if a.freed is None else a.freed for a in arrays)
        return f"{len(arrays):,} {kind}, {size} together, from {self.moment(min(a.made for a in arrays))} to {self.moment(last)}"

    def array(self, a):
        exists = f"from {self.moment(a.made)} on" if a.freed is None else f"from {self.moment(a.made)} to {self.moment(a.freed)}"
        shared = [UNICODE.name(name) for name in a.others]
        listed = f"; in the same memory: {', '.join(shared[:MOST_SHARED])}{', …' * (len(shared) > MOST_SHARED)}" if shared else ""
        return f"{UNICODE.name(a.name)}: {a.kind}, {readable(a.size)}, {exists}{listed}"

    def moment(self, i):
        step = self.found.steps[i]
        return f"step {i} ({step.phase} {UNICODE.name(step.name)})" if step.name else f"step {i} ({step.phase})"

"""Elementwise vjps that are written by hand against those that follow from the rows, in turn in one process, in CPU time.

A vjp is written by hand only if a line here shows a ratio below 0.9, or if its comment gives another reason.

python -m benchmarks.tensor_vjps
"""

from benchmarks.rounds import in_turn, one_thread, report

one_thread()

from functools import partial  # noqa: E402
from time import process_time  # noqa: E402

import numpy as np  # noqa: E402

from tensorgrad.arrays.errstate import quietly  # noqa: E402
from tensorgrad.rules.elementwise import RULES, STEPS, VJPS  # noqa: E402
from tensorgrad.rules.elementwise_rule import lifted_vjp  # noqa: E402

SIZES = [16, 10_000, 1_000_000]
KINDS = ["float32", "float64"]
NUMBERS = ["negative_slope", "alpha"]  # inputs that are a number here, as they mostly are


def arguments(rule, size, kind):
    """Return positive arrays, truth values for a condition, and a number where one is usual."""
    dice = np.random.default_rng(0)
    xs = [dice.standard_normal(size).astype(kind) + np.array(i and 3, kind) for i in range(rule.arity)]
    return [x > 0 if n == "condition" else 0.1 if n in NUMBERS else x for n, x in zip(rule.input_names, xs)]


def vjps(rule, slot, size, kind):
    """Return the two vjps of a slot as functions without arguments: by hand (or in steps), and from the row."""
    xs = arguments(rule, size, kind)
    y, G = quietly(rule.forward, *xs), np.random.default_rng(1).standard_normal(size).astype(kind)
    return [
        partial(quietly, f.function, G, *f.gathered((*xs, y, None)))
        for f in (rule.vjps[slot], lifted_vjp(rule.row, slot, rule.input_names))
    ]


def main():
    slots = VJPS | dict.fromkeys(STEPS, [0])
    written_out = [(RULES[row.name], slot) for row in slots for slot in slots[row]]
    for size in SIZES:
        found = []
        for rule, slot, kind in [(rule, slot, kind) for rule, slot in written_out for kind in KINDS]:
            ratio = in_turn(*vjps(rule, slot, size, kind), rounds=9, least=0.005, timer=process_time)
            found.append((f"{rule.name} {rule.input_names[slot]}, {kind}", *ratio, "0.9"))
        report(f"{size} entries: the vjp by hand (ours) against that of the row (theirs)", found)


if __name__ == "__main__":
    main()

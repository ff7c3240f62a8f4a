"""Each hand-written vjp of an elementwise rule against the one that follows from its row, in turn in one process.

A vjp is written by hand only if it is at least 10 % faster here on some line, or if its comment gives another reason.

python -m benchmarks.tensor_vjps
"""

from benchmarks.rounds import in_turn, one_thread, report

one_thread()

from functools import partial  # noqa: E402

import numpy as np  # noqa: E402

import tensorgrad  # noqa: E402, F401  (makes the rules)
from tensorgrad.errstate import quietly  # noqa: E402
from tensorgrad.rules.elementwise_rule import LIFTED  # noqa: E402

SIZES = [16, 10_000, 10_000_000]
KINDS = ["float32", "float64"]


def vjps(rule, slot, size, kind):
    """The two vjps of a slot as functions without arguments: by hand, and from the row."""
    dice = np.random.default_rng(0)
    xs = [np.abs(dice.standard_normal(size)).astype(kind) + np.array(0.1, kind) for _ in range(rule.arity)]
    xs = [x > 1 if i in rule.conditions else x for i, x in enumerate(xs)]
    y, G = quietly(rule.forward, *xs), dice.standard_normal(size).astype(kind)
    return [partial(quietly, f.function, G, *f.gathered((*xs, y, None))) for f in (rule.vjps[slot], rule.lifted[slot])]


def main():
    for size in SIZES:
        found = []
        for rule in LIFTED.values():
            for slot in getattr(rule, "by_hand", ()):
                for kind in KINDS:
                    hand, row = vjps(rule, slot, size, kind)
                    found.append((f"{rule.name} {rule.input_names[slot]}, {kind}", *in_turn(hand, row, rounds=7), "0.9"))
        report(f"{size} entries: the vjp by hand (ours) against that of the row (theirs)", found)


if __name__ == "__main__":
    main()

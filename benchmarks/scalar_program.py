"""The step of micrograd's demo as a derivative program: traced once, then straight-line Python on arrays.

python -m benchmarks.scalar_program

Both sides train MLP(2, [16, 16, 1]) on the same 100 points: loss, gradients, update. micrograd builds and frees its graph in each
step. The program runs its lines on arrays with one entry for each point. The time to make the program is printed separately.

Needs: micrograd.
"""

import gc
import random
from time import perf_counter

from benchmarks.rounds import CPU, installed, median, ratio, run
from benchmarks.scalar_demo import COLLECTORS, POINTS, micrograd, work

ROUNDS, STEPS = 3, 200
SIZES = [2, 16, 16, 1]


def loss_of(weights, point, side):
    """Return one point's share of the loss, max-margin plus L2 regularisation. Every weight is an argument."""
    from scalargrad import relu, rules

    remaining, x = iter(weights), point
    for inputs, outputs in zip(SIZES, SIZES[1:]):
        neurons = []
        for _ in range(outputs):
            w, b = [next(remaining) for _ in range(inputs)], next(remaining)
            neurons.append(rules.dot(*w, *x, b))
        x = [relu(v) for v in neurons] if outputs > 1 else neurons
    margin = relu(1 - side * x[0])
    return margin * (1 / POINTS) + rules.sum(*(rules.square(w) for w in weights)) * (1e-4 / POINTS)


def program_step(collector):
    """Return CPU milliseconds of a step of the program, milliseconds to make it, and the loss after as many steps as `work` takes."""
    import numpy as np

    from scalargrad import program

    random.seed(1337)
    weights = [
        w
        for inputs, outputs in zip(SIZES, SIZES[1:])
        for _ in range(outputs)
        for w in [*(random.uniform(-1, 1) for _ in range(inputs)), 0.0]
    ]
    points = [(random.gauss(0, 1), random.gauss(0, 1)) for _ in range(POINTS)]
    sides = np.array([1.0 if a * b > 0 else -1.0 for a, b in points])
    point = list(np.array(points).T.copy())
    if not collector:
        gc.disable()
    start = perf_counter()
    step = program(loss_of, weights, [0, 0], 0)
    step(weights, point, sides)
    making = perf_counter() - start
    losses = []
    with CPU() as spent:
        for _ in range(STEPS):
            loss, (slopes, _, _) = step(weights, point, sides)
            weights = [w - 0.1 * dw for w, dw in zip(weights, slopes)]
            losses.append(loss.sum())
    return {"step": spent.seconds * 1000 / STEPS, "making": making * 1000, "loss": float(losses[5])}


def main():
    if not installed("micrograd", "python -m pip install micrograd"):
        return 1
    contestants = {}
    for how, collector in COLLECTORS.items():
        contestants[f"micrograd; {how}"] = lambda collector=collector: work(micrograd, collector)
        contestants[f"program; {how}"] = lambda collector=collector: program_step(collector)
    found = run("benchmarks.scalar_program", contestants, ROUNDS)
    for how in COLLECTORS:
        peer, ours = found[f"micrograd; {how}"], found[f"program; {how}"]
        a, b, times = median(peer, "step"), median(ours, "step"), ratio(peer, ours, "step")
        print(f"{how}: micrograd {a:.0f} ms a step, the program {b:.2f} ms: {times:.0f} times as fast")
        losses = f"{median(peer, 'loss'):.12f} and {median(ours, 'loss'):.12f}"
        print(f"    making it took {median(ours, 'making'):.0f} ms; losses after 6 steps {losses}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

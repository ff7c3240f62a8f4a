"""One training step of micrograd's demo: micrograd, the engine to read and scalargrad with micrograd's own nn, and scalargrad.nn.

python -m benchmarks.scalar_demo

The step takes MLP(2, [16, 16, 1]) and 100 points, with max-margin loss and L2 regularisation: forward pass, backward pass, update,
and freeing the graph. A micrograd variable is a reference cycle, which only the garbage collector frees. So with the collector off,
its step includes a gc.collect(). Reference counting alone frees scalargrad's graphs.

Needs: micrograd.
"""

import gc
import importlib
import inspect
import random
import types
from functools import partial

from benchmarks.rounds import CPU, installed, median, ratio, run

ROUNDS, STEPS, POINTS = 3, 5, 100


def under_micrograds_nn(engine="scalargrad"):
    """Return the Value of an engine of ours, and the MLP of micrograd's own nn code, in which only the import is changed."""
    source = inspect.getsource(importlib.import_module("micrograd.nn"))
    module = types.ModuleType("micrograd_nn_on_scalargrad")
    exec(source.replace("from micrograd.engine import Value", f"from {engine} import Value"), module.__dict__)
    return importlib.import_module(engine).Value, module.MLP


def micrograd():
    return importlib.import_module("micrograd.engine").Value, importlib.import_module("micrograd.nn").MLP


def scalargrad_nn():
    return importlib.import_module("scalargrad").Value, importlib.import_module("scalargrad.nn").MLP


def work(engine, collector):
    """Return CPU milliseconds of a step, in three parts, and the last loss, which must be the same for all engines."""
    Value, MLP = engine()
    random.seed(1337)
    model = MLP(2, [16, 16, 1])
    points = [(random.gauss(0, 1), random.gauss(0, 1)) for _ in range(POINTS)]
    sides = [1 if a * b > 0 else -1 for a, b in points]
    if not collector:
        gc.disable()
    spent = {"forward": 0.0, "backward": 0.0, "freeing": 0.0}
    for step in range(STEPS + 1):
        with CPU() as forward:
            scores = [model(list(map(Value, point))) for point in points]
            losses = [(1 + -side * score).relu() for side, score in zip(sides, scores)]
            loss = sum(losses) * (1.0 / len(losses)) + 1e-4 * sum(p * p for p in model.parameters())
        with CPU() as backward:
            model.zero_grad()
            loss.backward()
            for p in model.parameters():
                p.data -= 0.1 * p.grad
        last = loss.data
        with CPU() as freeing:
            del loss, losses, scores
            if not collector and engine is micrograd:
                gc.collect()
        if step:  # the first one warms up
            for name, part in ("forward", forward), ("backward", backward), ("freeing", freeing):
                spent[name] += part.seconds * 1000 / STEPS
    return {**spent, "step": sum(spent.values()), "loss": last}


ENGINES = {
    "micrograd": micrograd,
    "scalargrad.engine": partial(under_micrograds_nn, "scalargrad.engine"),
    "scalargrad, micrograd's nn": under_micrograds_nn,
    "scalargrad.nn": scalargrad_nn,
}
COLLECTORS = {"collector as Python starts": True, "collector off": False}


def main():
    if not installed("micrograd", "python -m pip install micrograd"):
        return 1
    found = run(
        "benchmarks.scalar_demo",
        {
            f"{name}; {how}": lambda engine=engine, collector=collector: work(engine, collector)
            for how, collector in COLLECTORS.items()
            for name, engine in ENGINES.items()
        },
        ROUNDS,
    )
    for how in COLLECTORS:
        print(f"\nOne step of micrograd's demo, {how}: CPU milliseconds, medians of {ROUNDS} rounds of {STEPS} steps")
        print(f"{'':28}{'forward':>9}{'backward':>9}{'freeing':>9}{'step':>9}   times as fast")
        peer = found[f"micrograd; {how}"]
        for name in ENGINES:
            ours = found[f"{name}; {how}"]
            assert abs(ours[0]["loss"] - peer[0]["loss"]) < 1e-9, "the engines disagree about the loss"
            parts = "".join(f"{median(ours, part):9.1f}" for part in ("forward", "backward", "freeing", "step"))
            print(f"{name:28}{parts}{ratio(peer, ours, 'step'):12.1f}")


if __name__ == "__main__":
    raise SystemExit(main())

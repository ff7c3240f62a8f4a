"""Peak memory of one training step of a 50-layer network, against what its functions save.

python -m benchmarks.tensor_memory

`saved` is what `memory(z)` predicts that the graph alone keeps for the way back (the parameters and the batch are the
program's own); a layer is one array of activations. Backward frees the graph as it goes, so the peak stays close to saved + one
layer, although the gradients of all parameters pile up. Measured is what NumPy asks its allocator for (tracemalloc).
"""

import sys
import tracemalloc

from benchmarks.rounds import median, run

ROUNDS, LAYERS, WIDTH, BATCH = 3, 50, 512, 1024
LIMIT = 1.1  # times (saved + one layer)


def network(activation, layers=LAYERS, width=WIDTH, batch=BATCH):
    """A function that makes the loss of a fresh network, and the bytes of one layer's activations."""
    import numpy as np

    import tensorgrad as tg

    dice = np.random.default_rng(0)
    weights = [tg.Tensor((dice.standard_normal((width, width)) / width**0.5).astype("f")) for _ in range(layers)]
    biases = [tg.Tensor(np.zeros(width, "f")) for _ in range(layers)]
    x = tg.Tensor(dice.standard_normal((batch, width)).astype("f"), keep_grad=False)
    f = getattr(tg, activation)

    def loss():
        h = x
        for W, b in zip(weights, biases):
            h = f(h @ W + b)  # (batch, width)
        return h.mean()

    return loss, batch * width * 4


def work(activation, *sizes):
    """MB that the functions save and that a step takes at its peak, and their ratio."""
    from tensorgrad import memory

    loss, layer = network(activation, *sizes)
    report = memory(loss())
    saved = report.saved - report.yours
    del report
    tracemalloc.start()
    start = tracemalloc.get_traced_memory()[0]
    loss().backward()
    peak = tracemalloc.get_traced_memory()[1] - start
    tracemalloc.stop()
    return {"saved": saved / 1e6, "layer": layer / 1e6, "peak": peak / 1e6, "ratio": peak / (saved + layer)}


def main():
    found = run("benchmarks.tensor_memory", {name: lambda name=name: work(name) for name in ("tanh", "relu")}, ROUNDS)
    what = f"{LAYERS} layers of width {WIDTH}, batch {BATCH}, float32"
    print(f"\nOne step of {what}; MB, medians of {ROUNDS} runs (Python {sys.version.split()[0]})")
    print(f"{'':8}{'saved':>8}{'layer':>8}{'peak':>8}{'peak / (saved + layer)':>26}")
    for name, ours in found.items():
        print(f"{name:8}{median(ours, 'saved'):8.1f}{median(ours, 'layer'):8.1f}{median(ours, 'peak'):8.1f}{median(ours, 'ratio'):26.2f}")
    return any(median(ours, "ratio") > LIMIT for ours in found.values())


if __name__ == "__main__":
    raise SystemExit(main())

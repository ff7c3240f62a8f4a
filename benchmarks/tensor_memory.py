"""Peak memory of a training step of a 50-layer network, compared with what its functions save.

    python -m benchmarks.tensor_memory

`saved` is what `memory(z)` predicts that only the graph keeps for the backward pass; parameters and batch belong to the
program. A layer is one array of activations. backward() frees the graph as it runs. So the peak stays close to saved + one
layer, although the gradients of all parameters accumulate. The peak is that of NumPy's allocations (tracemalloc).
"""

import sys
import tracemalloc

from benchmarks.rounds import median, run

ROUNDS, LAYERS, WIDTH, BATCH = 3, 50, 512, 1024
LIMIT = 1.1  # times (saved + one layer)


def network(activation, layers=LAYERS, width=WIDTH, batch=BATCH):
    """Return a function that computes the loss of a fresh network, and the bytes of one layer's activations."""
    import numpy as np

    import tensorgrad as tg

    rng = np.random.default_rng(0)
    weights = [tg.Tensor((rng.standard_normal((width, width)) / width**0.5).astype("f")) for _ in range(layers)]
    biases = [tg.Tensor(np.zeros(width, "f")) for _ in range(layers)]
    x = tg.Tensor(rng.standard_normal((batch, width)).astype("f"), keep_grad=False)
    f = getattr(tg, activation)

    def loss():
        h = x
        for W, b in zip(weights, biases):
            h = f(h @ W + b)  # (batch, width)
        return h.mean()

    return loss, batch * width * 4


def work(activation, *sizes):
    """Return the megabytes that the functions save and that a step needs at its peak, and their ratio."""
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

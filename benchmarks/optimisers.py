"""Optimisers against PyTorch's: one step on ResNet-50's 23.5 million parameters, and on those of small networks.

Both run in turn in one process, one thread, float32; the ratio is the median over rounds of ours / theirs. PyTorch's optimiser is its
default on the CPU, a loop over the parameters, and for comparison its fused one. The last column is the memory that our step takes.

    python -m benchmarks.optimisers

Needs: torch.
"""

from benchmarks.rounds import cpu_in_turn, installed, one_thread

one_thread()

import tracemalloc  # noqa: E402

import numpy as np  # noqa: E402

ROUNDS = 11
TARGET = 0.4  # Adam on 23.5 million parameters


def resnet50(classes=10):
    """Return the shapes of the 161 parameters of ResNet-50: kernels, and two vectors for each batch norm."""
    shapes, channels = [], 3
    for width, blocks in (64, 3), (128, 4), (256, 6), (512, 3):
        if channels == 3:
            shapes, channels = [(64, 3, 3, 3)], 64
        for block in range(blocks):
            shapes += [(width, channels, 1, 1), (width, width, 3, 3), (4 * width, width, 1, 1)]
            shapes += [(4 * width, channels, 1, 1)] if block == 0 else []
            channels = 4 * width
    return [part for shape in shapes for part in (shape, shape[:1], shape[:1])] + [(classes, channels), (classes,)]


SIZES = {
    "23.5 M, ResNet-50's 161 arrays": resnet50(),
    "23.5 M, one array": [(23_520_842,)],
    "0.67 M, MLP 784-512-512-10": [(512, 784), (512,), (512, 512), (512,), (10, 512), (10,)],
    "0.04 M, 160 vectors": [(256,)] * 160,
}
OPTIMISERS = {"Adam": {}, "AdamW": {}, "SGD": {"lr": 0.1, "momentum": 0.9, "weight_decay": 1e-4}, "RMSprop": {}, "Adagrad": {}}


def contestants(name, options, shapes):
    """Return our step, PyTorch's, and PyTorch's fused one (None if it has none)."""
    import torch

    from tensorgrad import Tensor, optim

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    grads = [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]
    params = [Tensor(np.ones(shape, np.float32)) for shape in shapes]
    for p, g in zip(params, grads):
        p.grad = g

    def theirs(**others):
        others_params = [torch.ones(shape, requires_grad=True) for shape in shapes]
        for p, g in zip(others_params, grads):
            p.grad = torch.from_numpy(g)
        return getattr(torch.optim, name)(others_params, **options, **others)

    fused = theirs(fused=True).step if name != "RMSprop" else None
    return getattr(optim, name)(params, **options).step, theirs().step, fused


def taken(step):
    """Return the bytes that a step needs at most while it runs, after a first step."""
    step()
    tracemalloc.start()
    step()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main():
    if not installed("torch", "pip install torch"):
        return
    print(f"one step, float32, one thread; ours / torch, medians of {ROUNDS} rounds in turn (CPU time)")
    print(f"{'parameters':32}{'':9}{'torch ms':>10}{'ours':>7}{'fused':>7}{'target':>8}{'bytes':>8}")
    for size, shapes in SIZES.items():
        for name, options in OPTIMISERS.items():
            ours, theirs, fused = contestants(name, options, shapes)
            peak = taken(ours)
            seconds, ratio, *rest = cpu_in_turn([ours, *([fused] if fused else []), theirs], ROUNDS)
            target = TARGET if name == "Adam" and size.startswith("23.5") else ""
            missed = "  missed" if target and ratio > target else ""
            other = f"{rest[0]:7.2f}" if rest else f"{'':7}"
            print(f"{size:32}{name:9}{seconds * 1000:10.2f}{ratio:7.2f}{other}{target:>8}{peak:8}{missed}", flush=True)


if __name__ == "__main__":
    main()

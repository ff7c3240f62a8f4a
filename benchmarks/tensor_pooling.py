"""Pooling against PyTorch's: CPU time of forward and backward, one thread, float32.

Both run in one process and in turn; the ratio is the median over the rounds of ours / theirs. Ours is timed on both layouts of
memory, channels last (as convolutions leave it) and channels first; PyTorch on channels first.

    python -m benchmarks.tensor_pooling
"""

import os

from benchmarks.rounds import ONE_THREAD, installed

os.environ.update(ONE_THREAD)

import statistics  # after the number of threads is set, which NumPy reads once
from time import process_time

import numpy as np

ROUNDS = 31

# what, shape, settings, the most that ours may take of torch's time (None: only shown)
SIZES = [
    ("max_pool2d", (64, 16, 28, 28), {"kernel_size": 2}, 0.35),
    ("max_pool2d", (16, 64, 32, 32), {"kernel_size": 2}, 0.35),
    ("max_pool2d", (16, 64, 32, 32), {"kernel_size": 3, "stride": 2, "padding": 1}, None),
    ("avg_pool2d", (64, 16, 28, 28), {"kernel_size": 2}, None),
    ("avg_pool2d", (16, 64, 32, 32), {"kernel_size": 3, "stride": 2, "padding": 1}, None),
    ("adaptive_avg_pool2d", (16, 512, 8, 8), {"output_size": 1}, None),
]


def contestants(what, shape, settings):
    """The steps that are timed, and a check that they agree."""
    import torch

    import tensorgrad
    from tensorgrad import Tensor, grad, transpose

    torch.set_num_threads(1)
    ours, theirs = getattr(tensorgrad, what), getattr(torch.nn.functional, what)
    dice = np.random.default_rng(0)
    x = dice.standard_normal(shape).astype(np.float32)
    first, last = Tensor(x), Tensor(x.transpose(0, 2, 3, 1))
    G = dice.standard_normal(ours(x, **settings).shape).astype(np.float32)
    G_last = np.ascontiguousarray(G.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    tx, tG = torch.tensor(x, requires_grad=True), torch.tensor(G)

    def channels_last():
        x = transpose(last, (0, 3, 1, 2))
        return grad(ours(x, **settings), x, G_last)

    def channels_first():
        return grad(ours(first, **settings), first, G)

    def torch_step():
        tx.grad = None
        theirs(tx, **settings).backward(tG)
        return tx.grad.numpy()

    for step in (channels_last, channels_first):
        assert np.abs(step() - torch_step()).max() <= 1e-5, "ours and torch's gradients differ"
    return channels_last, channels_first, torch_step


def seconds(step):
    start = process_time()
    step()
    return process_time() - start


def main():
    if not installed("torch", "pip install torch"):
        return
    print(f"forward + backward in float32, one thread; ours / torch is the median of {ROUNDS} paired rounds")
    print(f"{'':20} {'shape':>17} {'torch ms':>9} {'channels last':>14} {'channels first':>15} {'target':>7}  settings")
    for what, shape, settings, target in SIZES:
        steps = contestants(what, shape, settings)
        rounds = [[seconds(step) for step in steps] for _ in range(ROUNDS)]
        last, first = [statistics.median(r[i] / r[2] for r in rounds) for i in (0, 1)]
        theirs = statistics.median(r[2] for r in rounds) * 1000
        goal = "" if target is None else f"{target:.2f}"
        missed = "" if target is None or max(last, first) <= target else "  missed"
        print(f"{what:20} {'×'.join(map(str, shape)):>17} {theirs:9.2f} {last:14.2f} {first:15.2f} {goal:>7}  {settings}{missed}")


if __name__ == "__main__":
    main()

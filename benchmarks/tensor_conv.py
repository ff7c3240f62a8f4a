"""Convolutions against PyTorch's: CPU time of forward and backward, one thread, float32, both gradients.

Both run in one process and in turn; the ratio is the median over the rounds of ours / theirs. Ours gets x as a layer of a network
hands it on: its shape is (n, channels, height, width), its memory channels last; and as a first layer gets it: channels first.

    python -m benchmarks.tensor_conv
"""

import os

from benchmarks.rounds import ONE_THREAD, installed

os.environ.update(ONE_THREAD)

import statistics  # after the number of threads is set, which NumPy reads once
from time import process_time

import numpy as np

ROUNDS = 15

# what, batch, channels in, channels out, side, kernel, stride, the most that ours may take of torch's time
SIZES = [
    ("1×1", 16, 64, 256, 32, 1, 1, 0.9),
    ("1×1", 16, 1024, 256, 8, 1, 1, 0.9),
    ("3×3", 16, 64, 64, 32, 3, 1, 1.0),
    ("3×3", 16, 128, 128, 16, 3, 1, 1.0),
    ("3×3", 16, 256, 256, 8, 3, 1, 1.0),
    ("3×3", 16, 512, 512, 4, 3, 1, 1.2),
    ("3×3, stride 2", 16, 128, 128, 32, 3, 2, 1.15),
    ("3×3", 32, 16, 16, 32, 3, 1, 1.2),
]


def contestants(n, channels, out, side, kernel, stride):
    """The three steps that are timed, and a check that they agree."""
    import torch

    from tensorgrad import Tensor, conv2d, grad, transpose

    torch.set_num_threads(1)
    dice = np.random.default_rng(0)
    x, w = [dice.standard_normal(s).astype(np.float32) for s in [(n, channels, side, side), (out, channels, kernel, kernel)]]
    w /= np.sqrt(channels * kernel * kernel)
    padding = kernel // 2
    last = Tensor(x.transpose(0, 2, 3, 1))
    first, weight = Tensor(x), Tensor(w)
    G = dice.standard_normal(conv2d(first, weight, None, stride, padding).shape).astype(np.float32)
    G_last = np.ascontiguousarray(G.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    tx, tw, tG = torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True), torch.tensor(G)

    def network():
        x = transpose(last, (0, 3, 1, 2))
        return grad(conv2d(x, weight, None, stride, padding), [x, weight], G_last)

    def entry():
        first.grad = weight.grad = None
        conv2d(first, weight, None, stride, padding).backward(G)
        return first.grad, weight.grad

    def theirs():
        tx.grad = tw.grad = None
        torch.nn.functional.conv2d(tx, tw, None, stride, padding).backward(tG)
        return tx.grad.numpy(), tw.grad.numpy()

    for ours in (network, entry):
        for a, b in zip(ours(), theirs()):
            assert np.abs(a - b).max() <= 1e-4 * np.abs(b).max(), "ours and torch's gradients differ"
    return network, entry, theirs


def seconds(step):
    start = process_time()
    step()
    return process_time() - start


def main():
    if not installed("torch", "pip install torch"):
        return
    print("forward + backward in float32, one thread; ours / torch is the median of", ROUNDS, "paired rounds")
    print(f"{'':14} {'n':>3} {'in':>5} {'out':>4} {'side':>4} {'torch ms':>9} {'channels last':>14} {'channels first':>15} {'target':>7}")
    for what, *size, target in SIZES:
        steps = contestants(*size)
        rounds = [[seconds(step) for step in steps] for _ in range(ROUNDS)]
        network, entry = [statistics.median(r[i] / r[2] for r in rounds) for i in (0, 1)]
        theirs = statistics.median(r[2] for r in rounds) * 1000
        n, channels, out, side, *_ = size
        missed = "" if network <= target else "  missed"
        sizes = f"{what:14} {n:3} {channels:5} {out:4} {side:4}"
        print(f"{sizes} {theirs:9.1f} {network:14.2f} {entry:15.2f} {target:7.2f}{missed}")


if __name__ == "__main__":
    main()

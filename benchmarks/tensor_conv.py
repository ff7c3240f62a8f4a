"""Convolutions against PyTorch's: CPU time of forward and backward, one thread, float32, both gradients.

Both run in turn in one process; the ratio is the median over the rounds of ours / theirs. Ours runs with two memory layouts of
an x of shape (n, channels, height, width): channels last, as an inner layer receives it, and channels first, as the first layer
receives it.

    python -m benchmarks.tensor_conv

Needs: torch.
"""

from benchmarks.rounds import cpu_in_turn, installed, one_thread

one_thread()

import numpy as np  # noqa: E402

ROUNDS = 15

# case, batch, channels in, channels out, side, kernel, stride, target for ours / torch
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
    """Return the three steps that are timed, after a check that their results agree."""
    import torch

    from tensorgrad import Tensor, conv2d, grad, transpose

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    x, w = [rng.standard_normal(s).astype(np.float32) for s in [(n, channels, side, side), (out, channels, kernel, kernel)]]
    w /= np.sqrt(channels * kernel * kernel)
    padding = kernel // 2
    last = Tensor(x.transpose(0, 2, 3, 1))
    first, weight = Tensor(x), Tensor(w)
    G = rng.standard_normal(conv2d(first, weight, None, stride, padding).shape).astype(np.float32)
    G_last = np.ascontiguousarray(G.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    tx, tw, tG = torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True), torch.tensor(G)

    def inner_layer():
        x = transpose(last, (0, 3, 1, 2))
        return grad(conv2d(x, weight, None, stride, padding), [x, weight], G_last)

    def first_layer():
        first.grad = weight.grad = None
        conv2d(first, weight, None, stride, padding).backward(G)
        return first.grad, weight.grad

    def theirs():
        tx.grad = tw.grad = None
        torch.nn.functional.conv2d(tx, tw, None, stride, padding).backward(tG)
        return tx.grad.numpy(), tw.grad.numpy()

    for ours in (inner_layer, first_layer):
        for a, b in zip(ours(), theirs()):
            assert np.abs(a - b).max() <= 1e-4 * np.abs(b).max(), "ours and torch's gradients differ"
    return inner_layer, first_layer, theirs


def main():
    if not installed("torch", "pip install torch"):
        return
    print("forward + backward in float32, one thread; ours / torch is the median of", ROUNDS, "paired rounds")
    print(f"{'':14} {'n':>3} {'in':>5} {'out':>4} {'side':>4} {'torch ms':>9} {'channels last':>14} {'channels first':>15} {'target':>7}")
    for what, *size, target in SIZES:
        theirs, inner, first = cpu_in_turn(contestants(*size), ROUNDS)
        n, channels, out, side, *_ = size
        missed = "" if inner <= target else "  missed"
        sizes = f"{what:14} {n:3} {channels:5} {out:4} {side:4}"
        print(f"{sizes} {theirs * 1000:9.1f} {inner:14.2f} {first:15.2f} {target:7.2f}{missed}")


if __name__ == "__main__":
    main()

"""Pooling against PyTorch's: CPU time of forward and backward, one thread, float32.

Both run in turn in one process; the ratio is the median over the rounds of ours / theirs. Ours runs with channels last (the
layout after a convolution) and channels first; PyTorch runs with channels first.

    python -m benchmarks.tensor_pooling

Needs: torch.
"""

from benchmarks.rounds import cpu_in_turn, installed, one_thread

one_thread()

import numpy as np  # noqa: E402

ROUNDS = 31

# function, shape, options, target for ours / torch (None: not set)
SIZES = [
    ("max_pool2d", (64, 16, 28, 28), {"kernel_size": 2}, 0.35),
    ("max_pool2d", (16, 64, 32, 32), {"kernel_size": 2}, 0.35),
    ("max_pool2d", (16, 64, 32, 32), {"kernel_size": 3, "stride": 2, "padding": 1}, None),
    ("avg_pool2d", (64, 16, 28, 28), {"kernel_size": 2}, None),
    ("avg_pool2d", (16, 64, 32, 32), {"kernel_size": 3, "stride": 2, "padding": 1}, None),
    ("adaptive_avg_pool2d", (16, 512, 8, 8), {"output_size": 1}, None),
]


def contestants(what, shape, settings):
    """Return the three steps that are timed, after a check that their results agree."""
    import torch

    import tensorgrad
    from tensorgrad import Tensor, grad, transpose

    torch.set_num_threads(1)
    ours, theirs = getattr(tensorgrad, what), getattr(torch.nn.functional, what)
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape).astype(np.float32)
    first, last = Tensor(x), Tensor(x.transpose(0, 2, 3, 1))
    G = rng.standard_normal(ours(x, **settings).shape).astype(np.float32)
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


def main():
    if not installed("torch", "pip install torch"):
        return
    print(f"forward + backward in float32, one thread; ours / torch is the median of {ROUNDS} paired rounds")
    print(f"{'':20} {'shape':>17} {'torch ms':>9} {'channels last':>14} {'channels first':>15} {'target':>7}  settings")
    for what, shape, settings, target in SIZES:
        theirs, last, first = cpu_in_turn(contestants(what, shape, settings), ROUNDS)
        goal = "" if target is None else f"{target:.2f}"
        missed = "" if target is None or max(last, first) <= target else "  missed"
        print(f"{what:20} {'×'.join(map(str, shape)):>17} {theirs * 1000:9.2f} {last:14.2f} {first:15.2f} {goal:>7}  {settings}{missed}")


if __name__ == "__main__":
    main()

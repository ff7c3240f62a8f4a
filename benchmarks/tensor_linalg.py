"""Linear algebra, selection and depthwise convolution against PyTorch's: forward and backward in float32, one thread.

    python -m benchmarks.tensor_linalg [name ...]

Both run in turn in one process, by CPU time; the ratio is the median over the rounds of ours / theirs.

Needs: torch.
"""

import sys
from time import process_time

from benchmarks.rounds import in_turn, installed, one_thread, report

one_thread()

import numpy as np  # noqa: E402

import tensorgrad as tg  # noqa: E402
from tensorgrad import Tensor  # noqa: E402

RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def regular(*shape):
    """Return matrices near 1, so that determinants neither overflow nor vanish."""
    return normal(*shape) / (2 * np.sqrt(shape[-1]).astype(np.float32)) + np.eye(shape[-1], dtype=np.float32)


def positive(*shape):
    A = normal(*shape)
    return A @ A.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1], dtype=np.float32)


def cases(torch):
    """Return {case: (our function, theirs, arrays)}; `steps` draws the upstream gradient of the output."""
    linalg, F = torch.linalg, torch.nn.functional
    rows = RNG.integers(0, 5_000, (32, 64))
    places = RNG.integers(0, 512, (256, 64))
    there, t_places = torch.tensor(rows), torch.tensor(places)
    found = {
        "topk 10 of (64, 10,000)": (lambda x: tg.topk(x, 10)[0], lambda x: torch.topk(x, 10)[0], [normal(64, 10_000)]),
        "topk 5 of (1,000, 1,000)": (lambda x: tg.topk(x, 5)[0], lambda x: torch.topk(x, 5)[0], [normal(1_000, 1_000)]),
        "depthwise 3x3, (16, 64, 32, 32)": (
            lambda x, w: tg.conv2d(x, w, padding=1, groups=64),
            lambda x, w: F.conv2d(x, w, padding=1, groups=64),
            [normal(16, 64, 32, 32), normal(64, 1, 3, 3)],
        ),
        "depthwise 5x5 stride 2": (
            lambda x, w: tg.conv2d(x, w, stride=2, padding=2, groups=64),
            lambda x, w: F.conv2d(x, w, stride=2, padding=2, groups=64),
            [normal(16, 64, 32, 32), normal(64, 1, 5, 5)],
        ),
        "embedding (5,000, 64)": (lambda t: tg.embedding(rows, t), lambda t: F.embedding(there, t), [normal(5_000, 64)]),
        "take_along_axis (256, 512)": (
            lambda x: tg.take_along_axis(x, places, 1),
            lambda x: torch.take_along_dim(x, t_places, 1),
            [normal(256, 512)],
        ),
    }
    for shape in [(100, 4, 4), (1, 64, 64), (1, 256, 256)]:
        size = f" {shape}"
        found |= {
            "det" + size: (tg.det, linalg.det, [regular(*shape)]),
            "slogdet" + size: (lambda A: tg.slogdet(A)[1], lambda A: linalg.slogdet(A)[1], [regular(*shape)]),
            "inv" + size: (tg.inv, linalg.inv, [regular(*shape)]),
            "solve" + size: (tg.solve, linalg.solve, [regular(*shape), normal(*shape[:-1], 3)]),
            "cholesky" + size: (tg.cholesky, linalg.cholesky, [positive(*shape)]),
        }
    return found


def steps(ours, theirs, arrays, torch):
    """Return one forward and backward pass of each, after a check that their gradients agree."""
    tensors, peers = [Tensor(a) for a in arrays], [torch.tensor(a, requires_grad=True) for a in arrays]
    G = normal(*theirs(*peers).shape)
    tG = torch.tensor(G)

    def step():
        for t in tensors:
            t.grad = None
        ours(*tensors).backward(G)

    def peer():
        for t in peers:
            t.grad = None
        theirs(*peers).backward(tG)

    step(), peer()
    for a, b in zip(tensors, peers):
        assert np.abs(a.grad - b.grad.numpy()).max() <= 1e-3 * np.abs(b.grad.numpy()).max(), "the gradients differ"
    return step, peer


def main(names):
    if not installed("torch", "pip install torch"):
        return
    import torch

    torch.set_num_threads(1)
    chosen = [(what, case) for what, case in cases(torch).items() if not names or any(what.startswith(n) for n in names)]
    rows = [(what, *in_turn(*steps(*case, torch), timer=process_time), "") for what, case in chosen]
    report("forward + backward in float32, CPU time, one thread; ratio is ours / PyTorch", rows)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Losses and activations, forward and backward in float32: tensorgrad against PyTorch, in turn in one process.

python -m benchmarks.tensor_losses

Needs: torch.
"""

from benchmarks.rounds import in_turn, installed, one_thread, report

one_thread()

import numpy as np  # noqa: E402

import tensorgrad as tg  # noqa: E402

CLASSES = [(128, 10), (1024, 256)]
ENTRIES = [(128, 10), (1024, 512)]
ACTIVATIONS = ["relu", "sigmoid", "tanh", "gelu", "silu", "leaky_relu", "softplus", "elu"]


def arrays(shape):
    rng = np.random.default_rng(0)
    return rng.standard_normal(shape).astype(np.float32), rng.integers(0, shape[1], shape[0])


def ours(f, shape, *more):
    x = tg.Tensor(arrays(shape)[0])

    def step():
        x.grad = None
        y = f(x, *more)
        (y if y.size == 1 else y.sum()).backward()

    return step


def torchs(f, shape, *more):
    import torch

    torch.set_num_threads(1)
    x = torch.tensor(arrays(shape)[0], requires_grad=True)
    more = [torch.tensor(a) for a in more]

    def step():
        x.grad = None
        y = f(x, *more)
        (y if y.numel() == 1 else y.sum()).backward()

    return step


def pair(title, name, shape, target, *more, theirs=None):
    import torch.nn.functional as F

    f = getattr(tg, name)
    return (f"{title} {shape}", *in_turn(ours(f, shape, *more), torchs(theirs or getattr(F, name), shape, *more)), target)


def main():
    if not installed("torch", "pip install torch"):
        return
    found = [pair("cross entropy", "cross_entropy", s, "0.5" if s == (128, 10) else "", arrays(s)[1]) for s in CLASSES]
    found += [pair("mse", "mse_loss", s, "1.0", arrays(s)[0] * 2) for s in ENTRIES]
    report("losses, forward and backward", found)
    softmax = [pair(name, name, s, "1.0", theirs=softmax_of(name)) for name in ("softmax", "log_softmax") for s in CLASSES]
    report("softmax, forward and backward", softmax)
    report("activations with a sum, forward and backward", [pair(name, name, s, "1.0") for name in ACTIVATIONS for s in ENTRIES])


def softmax_of(name):
    import torch

    return lambda x: getattr(torch, name)(x, -1)


if __name__ == "__main__":
    main()

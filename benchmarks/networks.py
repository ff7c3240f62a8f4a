"""Steps of training against PyTorch's: forward, backward and optimiser, in float32 on one thread. Also the peak of memory.

    python -m benchmarks.networks                  every network, then memory
    python -m benchmarks.networks GPT ResNet-18    the networks whose names start with these
    python -m benchmarks.networks memory           memory alone

Ours, PyTorch's (channels first) and the floor run in turn in one process. CPU times; the ratio is the median over the rounds of
ours / theirs. The floor is the matrix products of the linear layers and convolutions alone, by NumPy's BLAS and by PyTorch's library, as a
part of PyTorch's time. Winograd's algorithm needs fewer products, so a network with 3×3 convolutions may be below it. Both networks start
with the same weights, and their first losses agree.

Needs: torch.

Memory is the growth of the process's memory in one step without the optimiser, from after the model is made to the highest point,
as Linux counts it (VmHWM - VmRSS). Each step has its own process.
"""

import ctypes
import gc
import sys
from collections import OrderedDict
from functools import partial
from importlib import import_module
from math import prod
from pathlib import Path

from benchmarks.rounds import cpu_in_turn, in_own_process, installed, one_thread

one_thread()

import numpy as np  # noqa: E402

import tensorgrad as tg  # noqa: E402
from benchmarks.floors import by_numpy, by_torch  # noqa: E402
from tensorgrad import models, optim  # noqa: E402

ROUNDS = 11
LOSSES_AGREE = 1e-4
SGD = ("SGD", {"lr": 0.01, "momentum": 0.9, "weight_decay": 5e-4})
ADAM = ("Adam", {"lr": 1e-3})
CIFAR = {"num_classes": 10, "stem": "cifar"}


def torch_mlp():
    from torch import nn

    layers = {"layer1": nn.Linear(784, 512), "1": nn.ReLU(), "layer2": nn.Linear(512, 512), "2": nn.ReLU(), "layer3": nn.Linear(512, 10)}
    return nn.Sequential(OrderedDict(layers))


def torch_cnn():
    from torch import nn

    layers = {
        **{"conv1": nn.Conv2d(1, 16, 3, padding=1), "1": nn.ReLU(), "2": nn.MaxPool2d(2)},
        **{"conv2": nn.Conv2d(16, 32, 3, padding=1), "3": nn.ReLU(), "4": nn.MaxPool2d(2), "5": nn.Flatten()},
        **{"fc1": nn.Linear(1568, 128), "6": nn.ReLU(), "fc2": nn.Linear(128, 10)},
    }
    return nn.Sequential(OrderedDict(layers))


def torch_resnet(block, *sizes):
    from tests.tensorgrad.models import torch_resnet

    return torch_resnet.ResNet(getattr(torch_resnet, block), *sizes)


def recurrent(library, kind):
    """Return a network of tensorgrad or torch that classifies a sequence by the last step of a recurrent layer."""
    nn = import_module(f"{library}.nn")

    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = getattr(nn, kind)(128, 128, batch_first=True)
            self.head = nn.Linear(128, 10)

        def forward(self, x):
            return self.head(self.body(x)[0][:, -1])

    return Classifier()


def torch_gpt():
    from tests.tensorgrad.models.torch_gpt import GPT

    return GPT(65, 64, 4, 4, 128)


RESNET_18 = (
    partial(models.resnet18, **CIFAR),
    partial(torch_resnet, "BasicBlock", (2, 2, 2, 2), 10),
)
RESNET_50 = (
    partial(models.resnet50, **CIFAR),
    partial(torch_resnet, "Bottleneck", (3, 4, 6, 3), 10),
)
IMAGE = (3, 32, 32)

# name: ours, PyTorch's, batch, shape of an example (None: 64 tokens), optimiser, target for ours / PyTorch's
NETWORKS = {
    "MLP 784-512-512-10, b 128": (partial(models.MLP, (784, 512, 512, 10)), torch_mlp, 128, (784,), ADAM, 0.92),
    "CNN 28×28, b 64": (models.CNN, torch_cnn, 64, (1, 28, 28), SGD, 1.05),
    "ResNet-20, b 32": (models.resnet20, partial(torch_resnet, "BasicBlock", (3, 3, 3), 10, (16, 32, 64)), 32, IMAGE, SGD, 1.20),
    "ResNet-18, b 16": (*RESNET_18, 16, IMAGE, SGD, 1.05),
    "ResNet-18, b 8": (*RESNET_18, 8, IMAGE, SGD, 1.05),
    "ResNet-50, b 8": (*RESNET_50, 8, IMAGE, SGD, 1.03),
    **{
        f"{kind} 128, T 64, b 32": (
            *[partial(recurrent, library, kind) for library in ("tensorgrad", "torch")],
            32,
            (64, 128),
            ADAM,
            target,
        )
        for kind, target in (("LSTM", 1.20), ("GRU", 1.00), ("RNN", 0.80))
    },
    "GPT 4×128×4, T 64, b 8": (partial(models.GPT, 65, 64, 4, 4, 128), torch_gpt, 8, None, ADAM, 1.15),
}


def batch(shape, count):
    """Return an input of so many examples, and a class for each row of scores."""
    dice = np.random.default_rng(0)
    if shape is None:
        return dice.integers(0, 65, (count, 64)), dice.integers(0, 65, count * 64)
    return dice.standard_normal((count, *shape)).astype(np.float32), dice.integers(0, 10, count)


# One step of each


def our_step(model, x, classes, optimiser=None):
    """Return a function that makes one step and returns the loss before it."""

    def step():
        if optimiser is not None:
            optimiser.zero_grad()
        scores = model(x)
        loss = tg.cross_entropy(scores.reshape(len(classes), -1), classes)
        del scores
        loss.backward()
        if optimiser is not None:
            optimiser.step()
        return loss.item()

    return step


def their_step(model, x, classes, optimiser=None):
    import torch

    x, classes = torch.tensor(x), torch.tensor(classes)

    def step():
        if optimiser is not None:
            optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x).reshape(len(classes), -1), classes)
        loss.backward()
        if optimiser is not None:
            optimiser.step()
        return loss.item()

    return step


def pair(name):
    """Return our model and PyTorch's with the same weights, and the batch."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    make, make_theirs, count, shape, *_ = NETWORKS[name]
    ours, theirs = make(), make_theirs().train()
    ours.load_state_dict({entry: array.numpy() for entry, array in theirs.state_dict().items()})
    return ours, theirs, *batch(shape, count)


def contestants(name):
    """Return our step, the two floors and PyTorch's step, after a check that the first losses agree."""
    import torch

    ours, theirs, x, classes = pair(name)
    kind, options = NETWORKS[name][4]
    shapes = products_of(theirs, torch.tensor(x))
    given = tg.Tensor(x, keep_grad=False) if x.dtype.kind == "f" else x
    ours = our_step(ours, given, classes, getattr(optim, kind)(ours.parameters(), **options))
    theirs = their_step(theirs, x, classes, getattr(torch.optim, kind)(theirs.parameters(), **options))
    first, expected = ours(), theirs()
    assert abs(first - expected) <= LOSSES_AGREE * expected, f"{name}: the first losses are {first} and {expected}"
    pairs = products(shapes)
    return ours, by_numpy(pairs), by_torch(pairs), theirs


# The floor


def products_of(model, x):
    """Return (rows, inner, columns) of the product of each linear layer and convolution in the forward pass of PyTorch's model."""
    import torch

    found, hooks = [], []

    def note(layer, inputs, output):
        if isinstance(layer, torch.nn.RNNBase):
            steps, rows, out = inputs[0].shape[1], inputs[0].shape[0], len(layer.weight_hh_l0)
            found.extend([(steps * rows, layer.input_size, out), *[(rows, layer.hidden_size, out)] * steps])
            return
        out, *rest = layer.weight.shape
        found.append((output.numel() // out, prod(rest), out))

    for layer in model.modules():
        if isinstance(layer, torch.nn.Linear | torch.nn.Conv2d | torch.nn.RNNBase):
            hooks.append(layer.register_forward_hook(note))
    state = {entry: array.clone() for entry, array in model.state_dict().items()}
    model(x)
    model.load_state_dict(state)  # batch norm has counted
    for hook in hooks:
        hook.remove()
    return found


def products(shapes):
    """Return the pairs of the products of all layers, forward and backward; the first layer's input needs no gradient."""
    dice, arrays = np.random.default_rng(0), {}

    def array(*shape):
        if shape not in arrays:
            arrays[shape] = dice.random(shape, dtype=np.float32)
        return arrays[shape]

    pairs = []
    for i, (n, k, m) in enumerate(shapes):
        x, w, g = array(n, k), array(k, m), array(n, m)
        pairs += [(x, w), (x.T, g), *[(g, w.T)] * (i > 0)]
    return pairs


def show_times(names):
    print(f"forward, backward and optimiser, float32, one thread; CPU ms and ratios to PyTorch's, medians of {ROUNDS} paired rounds")
    print(f"{'':26} {'ours':>8} {'PyTorch':>8} {'ratio':>7} {'target':>7} {'floor: NumPy':>14} {'PyTorch':>9}")
    for name in names:
        theirs, ratio, *least = cpu_in_turn(contestants(name), ROUNDS)
        target = NETWORKS[name][-1]
        missed, floors = "  missed" * (ratio > target), f"{least[0]:14.2f} {least[1]:9.2f}"
        print(
            f"{name:26} {theirs * ratio * 1e3:8.1f} {theirs * 1e3:8.1f} {ratio:7.2f} {target:7.2f} {floors}{missed}",
            flush=True,
        )


# Memory

MEASURED = {  # name of a row: its network, the batch, options of our model
    "ResNet-18, b 8": ("ResNet-18, b 8", 8, {}),
    "ResNet-18, b 32": ("ResNet-18, b 8", 32, {}),
    "ResNet-50, b 8": ("ResNet-50, b 8", 8, {}),
    "ResNet-50, b 16": ("ResNet-50, b 8", 16, {}),
    "ResNet-50, b 16, blocks": ("ResNet-50, b 8", 16, {"recompute": "blocks"}),
    "ResNet-50, b 16, stages": ("ResNet-50, b 8", 16, {"recompute": "stages"}),
}


def memory_of(row, whose):
    """Return the bytes that one step takes at its highest point, above those of the process before it."""
    network, count, options = MEASURED[row]
    make, make_theirs, _, shape, *_ = NETWORKS[network]
    if whose == "ours":
        model = make(**options)
        step = lambda x, classes: our_step(model, tg.Tensor(x, keep_grad=False), classes)
    else:
        import torch

        torch.set_num_threads(1)
        model = make_theirs().train()
        step = lambda x, classes: their_step(model, x, classes)
    step(*batch(shape, 2))()
    model.zero_grad()
    measured = step(*batch(shape, count))
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # give back what the first step freed
    Path("/proc/self/clear_refs").write_text("5")  # the highest point so far is now the present one
    before = in_bytes("VmRSS")
    measured()
    return in_bytes("VmHWM") - before


def in_bytes(what):
    lines = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines[what].split()[0]) * 1024


def show_memory():
    print("peak memory of a step above the model, MiB (PyTorch's without recomputing)")
    print(f"{'':26} {'ours':>8} {'PyTorch':>8} {'ratio':>7}")
    for row in MEASURED:
        mib = lambda whose, row=row: in_own_process("benchmarks.networks", f"{row}|{whose}") / 2**20
        ours, theirs = mib("ours"), mib("theirs")
        print(f"{row:26} {ours:8.0f} {theirs:8.0f} {ours / theirs:7.2f}", flush=True)


def main(arguments):
    if arguments[:1] == ["--alone"]:
        print(memory_of(*arguments[1].split("|")))
        return 0
    if not installed("torch", "pip install torch"):
        return 0
    names = [name for name in NETWORKS if not arguments or any(name.startswith(a) for a in arguments)]
    if not names and arguments != ["memory"]:
        print(f"unknown network; choose from: {'; '.join([*NETWORKS, 'memory'])}", file=sys.stderr)
        return 2
    if names:
        show_times(names)
    if not arguments or "memory" in arguments:
        show_memory()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

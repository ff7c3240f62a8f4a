"""The time and the memory of training ResNet-50 on images of CIFAR-10's size, and the time of a full run.

    python -m benchmarks.resnet50_training

A step is the forward and the backward pass and SGD with momentum, on one thread. `peak` is the most memory above the model's that the
step takes. `recompute` says whether the network computes its blocks or its stages again in the backward pass. With PyTorch, the last
column is its time for the same step, divided by ours. The recipe is that of many published runs: 200 epochs, batches of 128, images moved
by up to 4 pixels and mirrored, SGD with a rate of 0.1 that falls along a cosine, momentum 0.9 and weight decay 5e-4.

The last lines are the numbers of the book's chapter on ResNet-50, as Python code. `products` gives the floor: the multiplications a second
in a large product of matrices.

Needs: torch, for the last column.
"""

import platform
import re
import sys
import tracemalloc
from pathlib import Path

from benchmarks.rounds import CPU, installed, median, ratio, run

ROUNDS, BATCH = 3, 32
EPOCHS, IMAGES = 200, 50_000
CPUINFO = Path("/proc/cpuinfo")


def ours(recompute):
    """Return the CPU seconds and the peak of memory, in MiB, of one step."""
    import numpy as np

    import tensorgrad as tg
    from tensorgrad import models, optim

    net = models.resnet50(10, stem="cifar", recompute=recompute, generator=np.random.default_rng(0))
    optimiser = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    x = np.random.default_rng(1).standard_normal((BATCH, 3, 32, 32)).astype(np.float32)

    def step():
        optimiser.zero_grad()
        tg.cross_entropy(net(x), np.arange(BATCH) % 10).backward()
        optimiser.step()

    step()
    with CPU() as spent:
        step()
    optimiser.zero_grad()
    tracemalloc.start()
    step()
    return {"seconds": spent.seconds, "peak": tracemalloc.get_traced_memory()[1] / 2**20}


def pytorch():
    """Return the CPU seconds of PyTorch's step of the same network."""
    import torch

    from tests.tensorgrad.models.torch_resnet import Bottleneck, ResNet

    torch.set_num_threads(1)
    net = ResNet(Bottleneck, (3, 4, 6, 3), 10)
    optimiser = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    x, labels = torch.randn(BATCH, 3, 32, 32), torch.arange(BATCH) % 10

    def step():
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(net(x), labels).backward()
        optimiser.step()

    step()
    with CPU() as spent:
        step()
    return {"seconds": spent.seconds}


def product(size=2048, times=4):
    """Return the multiplications a second of a large product of matrices."""
    import numpy as np

    matrix = np.ones((size, size), np.float32)
    matrix @ matrix
    with CPU() as spent:
        for _ in range(times):
            matrix @ matrix
    return {"rate": times * size**3 / spent.seconds}


def processor():
    """Return the name of the processor as Linux gives it, or what Python knows."""
    if CPUINFO.exists() and (found := re.search(r"model name\s*: (.*)", CPUINFO.read_text())):
        return found[1]
    return platform.processor()


def in_the_book(found, theirs, products):
    """Return the measured numbers as the chapter on ResNet-50 has them."""
    rows = (f'    "{name}": ({median(found[name], "seconds"):.2f}, {median(found[name], "peak"):.0f}),' for name in ("None", "blocks"))
    return "\n".join(
        [
            f"# medians of {ROUNDS} runs on one thread, {processor()}",
            f"measured = {{  # recompute: (CPU seconds of a step of {BATCH} images, peak MiB above the model)",
            *rows,
            "}",
            *([f"pytorch = {median(theirs, 'seconds'):.2f}  # CPU seconds of the same step"] if theirs else []),
            f"products = {median(products, 'rate') / 1e9:.0f}e9  # multiplications a second in a large product of matrices",
        ]
    )


def main():
    programs = {str(recompute): lambda recompute=recompute: ours(recompute) for recompute in (None, "blocks", "stages")}
    programs["products"] = product
    if installed("torch", "python -m pip install torch"):
        programs["PyTorch"] = pytorch
    found = run("benchmarks.resnet50_training", programs, ROUNDS)
    theirs, products = found.pop("PyTorch", None), found.pop("products")
    print(f"\nResNet-50 with the stem for CIFAR-10, batch {BATCH}, float32; medians of {ROUNDS} runs (Python {sys.version.split()[0]})")
    print(f"{'recompute':12}{'CPU s / step':>14}{'ms / image':>12}{'peak MiB':>10}{'days for the recipe':>21}{'PyTorch / ours':>16}")
    for name, each in found.items():
        image, versus = median(each, "seconds") / BATCH, f"{ratio(theirs, each, 'seconds'):.2f}" if theirs else "-"
        print(
            f"{name:12}{median(each, 'seconds'):14.2f}{1000 * image:12.1f}{median(each, 'peak'):10.0f}"
            f"{image * IMAGES * EPOCHS / 86_400:21.1f}{versus:>16}"
        )
    print("\n" + in_the_book(found, theirs, products))
    return median(found["blocks"], "peak") > 0.5 * median(found["None"], "peak")


if __name__ == "__main__":
    raise SystemExit(main())

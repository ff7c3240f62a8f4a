"""What recording a PyTorch program costs: ResNet-18 and a block of a GPT, recorded and alone, in turns, on one thread.

python -m benchmarks.torch_recording

Needs: torch.
"""

import gc
import sys
import time
from functools import partial

from benchmarks.rounds import installed, one_thread

one_thread()
if not installed("torch", "python -m pip install torch", "there is nothing to record"):
    sys.exit()

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

from tensorgrad import from_torch  # noqa: E402


class Residual(nn.Module):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer)
        self.conv2, self.bn2 = nn.Conv2d(outer, outer, 3, 1, 1, bias=False), nn.BatchNorm2d(outer)
        self.relu, self.down = nn.ReLU(inplace=True), nn.Identity()
        if stride != 1 or inner != outer:
            self.down = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += self.down(x)
        return self.relu(y)


def resnet18():
    """ResNet-18 for images of 128 x 128, a batch of 8."""
    widths = [(64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1), (256, 512, 2), (512, 512, 1)]
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)]
    model = nn.Sequential(*stem, *[Residual(*width) for width in widths], *head)
    x, y = torch.randn(8, 3, 128, 128), torch.randint(10, (8,))
    return lambda: F.cross_entropy(model(x), y)


class Block(nn.Module):
    def __init__(self, width=128, heads=4):
        super().__init__()
        self.heads, self.ln_1, self.ln_2 = heads, nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.fc, self.out = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = self.qkv(self.ln_1(x)).split(x.shape[-1], dim=2)
        q, k, v = [t.unflatten(2, (self.heads, -1)).transpose(1, 2) for t in (q, k, v)]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).flatten(2))
        return x + self.out(F.gelu(self.fc(self.ln_2(x))))


def block():
    model, x = Block(), torch.randn(4, 64, 128)
    return lambda: model(x).pow(2).mean()


def seconds(run):
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def main():
    torch.set_num_threads(1)
    for make in (resnet18, block):
        program = make()
        program()
        alone, recorded = [min(times) for times in zip(*[(seconds(program), seconds(partial(from_torch, program))) for _ in range(5)])]
        calls = len(from_torch(program).calls)
        print(f"{make.__name__}: alone {alone:.3f} s, recorded {recorded:.3f} s, {recorded / alone:.1f} times; {calls} calls")


if __name__ == "__main__":
    main()

"""A layer with a gate and a way around it. With the gate shut, the layer should give what came in. It gives zeros."""

import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.out = nn.Linear(4, 6), nn.Linear(6, 3)
        self.gate = nn.Parameter(torch.zeros(6))

    def forward(self, x):
        h = self.into(x)
        around = h[:, :3]
        h *= torch.tanh(self.gate)
        return self.out(h) + around


torch.manual_seed(0)
model, x, y = Gated(), torch.randn(5, 4), torch.randn(5, 3)


def loss():
    return ((model(x) - y) ** 2).mean()

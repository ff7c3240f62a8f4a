"""Thirty steps of descent. The loss falls, rises, falls and rises again: is the rate too large?"""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.rand(64, 2) * 2 - 1
y = x[:, :1] * x[:, 1:]
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)


def loss():
    return F.mse_loss(model(x), y)


for _ in range(30):
    loss().backward()
    optimiser.step()

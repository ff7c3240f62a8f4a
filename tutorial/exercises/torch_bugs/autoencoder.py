"""An autoencoder. Its loss falls at first, and then stays high, however long it is trained."""

import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 6), nn.Tanh(), nn.Linear(6, 2))
        self.decoder = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 8))

    def forward(self, x):
        code = self.encoder(x)
        self.code = code = code.detach()  # for the plot after training
        return self.decoder(code)


torch.manual_seed(0)
model, x = Autoencoder(), torch.randn(32, 8)


def loss():
    return ((model(x) - x) ** 2).mean()

"""Programs of PyTorch's users: what tests record. Each function makes a program, a function of no arguments that returns its loss."""

import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.drop, self.fc = nn.Dropout(0.3), nn.Linear(36, 5)

    def forward(self, x):
        h = self.conv(x)
        h = F.relu(self.bn(h), inplace=True)
        h = self.drop(F.max_pool2d(h, 2).flatten(1))
        h += 1
        return self.fc(h)


def classifier():
    model, x, y = Classifier(), torch.randn(2, 1, 8, 8), torch.tensor([1, 3])
    return lambda: F.cross_entropy(model(x), y)


def encoder():
    model, x = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), torch.randn(2, 5, 8)
    return lambda: model(x).pow(2).mean()


def recurrent():
    model, x = nn.LSTM(3, 4), torch.randn(5, 2, 3)
    return lambda: model(x)[0].sum()


def views():
    w = torch.randn(2, dtype=torch.float64, requires_grad=True)

    def program():
        b = torch.zeros(3, dtype=torch.float64)
        v = b[1:]
        v.copy_(w)
        v *= 2
        b[0] = w[0]
        return (b * torch.arange(3)).sum() + v[0]

    return program


def without_counterpart():
    w = torch.rand(3, dtype=torch.float64, requires_grad=True)
    return lambda: (torch.special.zeta(w.new_tensor(2), w + 1) * w).sum()


PROGRAMS = [classifier, encoder, recurrent, views, without_counterpart]

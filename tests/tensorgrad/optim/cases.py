"""One case per optimiser and choice of options, with PyTorch's numbers after three steps in float64.

`python -m tests.tensorgrad.optim.cases` computes the numbers with PyTorch and prints them.
"""

from typing import NamedTuple

import numpy as np
import pytest

from tensorgrad import optim

START = [1.0, -2.0, 0.5, 3.0]
GRADIENTS = [[0.5, -1.0, 2.0, 0.0], [-0.25, 1.5, 1.0, 1e-3], [1.0, 0.125, -3.0, -2.0]]  # of the three steps


class Case(NamedTuple):
    """An optimiser, its options, and the parameters after three steps that start at START."""

    optimiser: str
    options: dict
    expected: list

    def __str__(self):
        return f"{self.optimiser}({', '.join(f'{name}={x}' for name, x in self.options.items())})"

    def ours(self, params):
        return getattr(optim, self.optimiser)(params, **self.options)

    def theirs(self, params):
        """Return PyTorch's optimiser. A case of an optimiser that only we have is skipped."""
        import torch

        if not hasattr(torch.optim, self.optimiser):
            pytest.skip(f"PyTorch has no {self.optimiser}")
        return getattr(torch.optim, self.optimiser)(params, **self.options)


CASES = [
    Case("SGD", {"lr": 0.1}, [0.875, -2.0625, 0.5, 3.1999]),
    Case("SGD", {"lr": 0.1, "momentum": 0.9}, [0.812, -2.0265, 0.068, 3.19981]),
    Case(
        "SGD",
        {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.05},
        [0.80473182625, -1.8909686525, 0.026091894375, 3.06900331125],
    ),
    Case(
        "SGD",
        {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.05},
        [0.668016518875, -2.00897803775, 0.1033196263125, 3.260036332875],
    ),
    Case(
        "SGD", {"lr": 0.1, "momentum": 0.5, "maximize": True, "weight_decay": 0.05}, [1.128226125, -1.89445225, 0.6859299375, 2.736699125]
    ),
    Case("Adam", {}, [0.9980755513968, -1.9994829332596, 0.4981497971696, 2.9998943997454]),
    Case(
        "Adam",
        {"lr": 0.1, "betas": (0.8, 0.95), "eps": 0.001, "weight_decay": 0.05},
        [0.7965980254839, -1.9411331933605, 0.3242945823908, 2.8623430809678],
    ),
    Case("Adam", {"lr": 0.1, "betas": (0.5, 0.6), "amsgrad": True}, [0.8246589454977, -1.9795686875524, 0.3638269377936, 2.9956536558237]),
    Case("Adam", {"lr": 0.1, "maximize": True}, [1.1924448603229, -2.0517066740393, 0.6850202830444, 3.0105600254647]),
    Case("AdamW", {"lr": 0.1}, [0.8047846723764, -1.9424744537773, 0.3137743344179, 2.9805233841655]),
    Case(
        "AdamW",
        {"lr": 0.1, "betas": (0.5, 0.6), "weight_decay": 0.3, "amsgrad": True, "maximize": True},
        [1.0821040546205, -1.841365849794, 0.5840697401238, 2.7398355540478],
    ),
    Case("AdamW", {"lr": 0.1, "betas": (0.8, 0.95), "eps": 0.01}, [0.8110772485521, -1.9521514259743, 0.3250213281983, 3.0544414137784]),
    Case("RMSprop", {}, [0.8574273783929, -1.9902958301941, 0.4355348608637, 3.0000099816251]),
    Case(
        "RMSprop",
        {"lr": 0.1, "alpha": 0.8, "eps": 0.001, "weight_decay": 0.05, "momentum": 0.9},
        [0.3608615982088, -1.7486856289032, -0.122545843165, 2.3220952179851],
    ),
    Case(
        "RMSprop",
        {"lr": 0.1, "alpha": 0.8, "momentum": 0.9, "centered": True},
        [0.3032847160799, -1.7116002921718, -0.2371210803402, 2.774986849086],
    ),
    Case("RMSprop", {"lr": 0.1, "centered": True, "maximize": True}, [2.4355418716441, -2.10170192688, 1.1537628556802, 2.9999042000899]),
    Case("Adagrad", {"lr": 0.1}, [0.8574342034752, -1.9901221740774, 0.4354570130286, 2.999999997495]),
    Case("Adagrad", {}, [0.9857434203475, -1.9990122174077, 0.4935457013029, 2.9999999997495]),
    Case("Adagrad", {"lr": 0.1, "eps": 0.01}, [0.8593643589629, -1.9906152137919, 0.4359399204784, 3.0904115660954]),
    Case(
        "Adagrad",
        {"lr": 0.1, "lr_decay": 0.2, "weight_decay": 0.05, "initial_accumulator_value": 0.1, "maximize": True},
        [1.1010293478456, -2.0141238622976, 0.577504091713, 2.85456302583],
    ),
]


def after_three_steps(optimiser, p):
    """Return the parameters after three steps of our optimiser."""
    for g in GRADIENTS:
        p.grad = np.array(g, p.dtype)
        optimiser.step()
    return p.data


def with_torch(case, dtype):
    """Return the parameters after three steps of PyTorch's optimiser."""
    import torch

    p = torch.tensor(START, dtype=getattr(torch, dtype), requires_grad=True)
    optimiser = case.theirs([p])
    for g in GRADIENTS:
        p.grad = torch.tensor(g, dtype=p.dtype)
        optimiser.step()
    return p.detach().numpy()


if __name__ == "__main__":
    for one in CASES:
        print(f"    Case({one.optimiser!r}, {one.options}, {with_torch(one, 'float64').round(13).tolist()}),")

"""The layers of PyTorch at the numbers of a case. Needs torch."""

import numpy as np
import pytest

from tests.tensorgrad.nn.case import pattern, several

torch = pytest.importorskip("torch")
CALLED = {"axis": "dim"}


def layer(case, dtype=np.float64):
    """Return PyTorch's layer with the parameters and buffers of ours."""
    options = {CALLED.get(name, name): as_theirs(x) for name, x in case.theirs.items()}
    kind = torch.float64 if dtype == np.float64 else torch.float32
    found = getattr(torch.nn, case.kind)(*case.args, **options).to(kind)
    ours = case.layer(dtype).state_dict()
    found.load_state_dict({name: torch.as_tensor(array) for name, array in ours.items()})
    return found.eval() if case.evaluated else found


def run(case, dtype=np.float64):
    """Return {name: array} as LayerCase.run does, from PyTorch."""
    module = layer(case, dtype)
    inputs = [torch.tensor(x, requires_grad=variable) for x, variable in zip(case.inputs(dtype), case.variables())]
    outputs = several(module(*inputs, **{name: as_theirs(x) for name, x in case.call.items()}))
    sum((y * torch.as_tensor(pattern(tuple(y.shape), 9 + i).astype(dtype))).sum() for i, y in enumerate(outputs)).backward()
    found = {f"y{i}": y.detach() for i, y in enumerate(outputs)} | {f"x{i}": x.grad for i, x in enumerate(inputs) if x.requires_grad}
    found |= {name: p.grad for name, p in module.named_parameters()} | dict(module.named_buffers())
    return {name: a.numpy() for name, a in found.items() if a is not None}


def as_theirs(x):
    return torch.as_tensor(x) if isinstance(x, np.ndarray) else x

"""The layers of PyTorch at the numbers of a case. Needs torch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
CALLED = {"axis": "dim"}


def layer(case, dtype=np.float64):
    """Return PyTorch's layer with the parameters and buffers of ours."""
    options = {CALLED.get(name, name): x for name, x in case.theirs.items()}
    kind = torch.float64 if dtype == np.float64 else torch.float32
    found = getattr(torch.nn, case.kind)(*case.args, **options).to(kind)
    ours = case.layer(dtype).state_dict()
    found.load_state_dict({name: torch.as_tensor(array) for name, array in ours.items()})
    return found.eval() if case.evaluated else found


def run(case, dtype=np.float64):
    """Return {name: array} as LayerCase.run does, from PyTorch."""
    from tests.tensorgrad.nn.case import pattern

    module = layer(case, dtype)
    inputs = [torch.tensor(x, requires_grad=x.dtype.kind == "f") for x in case.inputs(dtype)]
    y = module(*inputs, **case.call)
    y.backward(torch.as_tensor(pattern(tuple(y.shape), 9).astype(dtype)))
    found = {"y": y.detach()} | {f"x{i}": x.grad for i, x in enumerate(inputs) if x.requires_grad}
    found |= {name: p.grad for name, p in module.named_parameters()} | dict(module.named_buffers())
    return {name: a.numpy() for name, a in found.items()}

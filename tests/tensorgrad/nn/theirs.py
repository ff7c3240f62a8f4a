"""The layers of PyTorch at the numbers of a case. Needs torch."""

import numpy as np
import pytest

from tests.tensorgrad.nn.case import AFTER, SGD, STEPS, has_parameters, of, pattern, several

torch = pytest.importorskip("torch")


def layer(case, dtype=np.float64):
    """Return PyTorch's layer with the parameters and buffers of ours."""
    options = {name: as_theirs(x) for name, x in case.theirs.items()}
    kind = torch.float64 if dtype == np.float64 else torch.float32
    found = getattr(torch.nn, case.kind)(*map(as_theirs, case.args), **options).to(kind)
    ours = case.layer(dtype).state_dict()
    found.load_state_dict({name: torch.as_tensor(array) for name, array in ours.items()})
    return found.eval() if case.evaluated else found


def run(case, dtype=np.float64):
    """Return {name: array} as LayerCase.run does, from PyTorch."""
    module = layer(case, dtype)
    inputs = [torch.tensor(x, requires_grad=variable) for x, variable in zip(case.inputs(dtype), case.variables())]
    sgd = torch.optim.SGD(module.parameters(), **SGD) if has_parameters(module) else None
    found: dict = {}
    for _ in range(STEPS if sgd else 1):
        module.zero_grad()
        outputs = several(module(*case.arguments(inputs), **{name: as_theirs(x, dtype) for name, x in case.call.items()}))
        sum((y * torch.as_tensor(pattern(tuple(y.shape), 9 + i).astype(dtype))).sum() for i, y in enumerate(outputs)).backward()
        found = found or numbers_of(module, inputs, outputs)
        if sgd:
            sgd.step()
    found |= {f"{name} {AFTER}": array for name, array in module.state_dict().items()}
    return {name: a.numpy() for name, a in found.items() if a is not None}


def numbers_of(module, inputs, outputs):
    found = {f"y{i}": y.detach() for i, y in enumerate(outputs)}
    found |= {f"x{i}": x.grad.clone() for i, x in enumerate(inputs) if x.requires_grad}
    return found | {name: p.grad.clone() for name, p in module.named_parameters()}


def as_theirs(x, dtype=None):
    """Return an argument for PyTorch: an array as a tensor, one of floats in the given dtype."""
    if isinstance(x, np.ndarray):
        return torch.as_tensor(x.astype(dtype) if dtype and x.dtype.kind == "f" else x)
    return of(torch.nn, x)

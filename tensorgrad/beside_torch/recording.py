"""A recording of a PyTorch program: the loss as a tensor of ours, the calls, and the gradients of both."""

from collections import Counter

import torch

from tensorgrad.beside_torch.names import TorchWitness
from tensorgrad.beside_torch.own_functions import watched
from tensorgrad.beside_torch.recorder import OURS, OWN, THEIRS, Recorder


class Recording:
    """What `from_torch` saw: `z`, the loss as our tensor, for draw, play, explore, memory and check; `calls`; `leaves`.

    `leaves` are the tensors that the graph begins at: pairs of PyTorch's and ours. `loss` is PyTorch's own result.
    """

    def __init__(self, recorder, loss):
        self.loss, self.calls = loss, recorder.calls
        self.z, self.leaves = recorder.variables[loss], recorder.variables.leaves

    def __graph__(self):
        """Return what pictures and pages show of a recording in the place of a variable."""
        return self.z

    def __repr__(self):
        by = Counter(call.by for call in self.calls)
        return f"<recording of {len(self.calls)} calls: " + ", ".join(f"{by[who]} by {who}" for who in (OURS, THEIRS, OWN)) + ">"


def recorded(program):
    """Run a program and return its Recording."""
    recorder = Recorder()
    witness = TorchWitness(recorder.variables)
    recorder.observers.append(witness.see)
    with torch.enable_grad(), recorder.modules.watched(), watched(recorder), recorder:
        loss = program()
    if not isinstance(loss, torch.Tensor):
        raise TypeError(f"from_torch: the function returned {type(loss).__name__}; it must return the loss, a tensor of PyTorch")
    if loss.numel() != 1:
        raise TypeError(f"from_torch: the function returned a tensor of shape {tuple(loss.shape)}; it must return a loss of one entry")
    if not loss.requires_grad:
        raise RuntimeError("from_torch: the loss does not require grad: it depends on no tensor that does, or it was cut off on the way")
    name_leaves(recorder)
    witness.look_at_last()
    witness.name_constants()
    z = recorder.variables[loss].node
    z.name = str(z.name or "loss")
    for call in recorder.calls:
        for v in call.results:
            if v.node.scope:
                v.node.scope = recorder.modules.without_root(v.node.scope)
    return Recording(recorder, loss)


def name_leaves(recorder):
    names = recorder.modules.names()
    for t, x in recorder.variables.leaves:
        if t in names:
            x.name = names[t]

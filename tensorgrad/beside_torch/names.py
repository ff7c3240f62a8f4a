"""The names that the program's locals give to tensors of PyTorch, found as `named` finds those of our variables."""

from types import SimpleNamespace

from scalargrad.local_names import Local, Witness
from tensorgrad.beside_torch.variables import Variables


class TorchWitness(Witness):
    """Sees each tensor that a recorded call made, and gives our variable for it the name of the local that holds the tensor."""

    def __init__(self, variables: Variables):
        super().__init__(SimpleNamespace(most=None, leaves={}))
        self.variables, self.current = variables, None
        self.call_inputs: list = []

    def see(self, call, given, results):
        for t in results:
            self.current, self.call_inputs = t, [x for x in given if x.requires_grad and x.grad_fn is None]
            self(t)

    def inputs_of(self, t):
        return self.call_inputs if t is self.current else () if t.grad_fn is None else (t,)

    def give_name(self, t, name):
        self.variables[t].node.name = name

    def may_name(self, t):
        """Return whether a tensor has no name of its own, from the module tree."""
        return t in self.variables and type(self.variables[t].node.name or Local("")) is Local

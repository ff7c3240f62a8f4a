"""The names that the program's locals give to tensors of PyTorch, found as `named` finds those of our variables."""

from types import SimpleNamespace

from scalargrad.user_names.array_names import name_arrays, same
from scalargrad.user_names.local_names import Local, Witness
from tensorgrad.beside_torch.variables import Variables
from tensorgrad.tensor import Tensor, array_of


class TorchWitness(Witness):
    """Sees each tensor that a recorded call made or was given, and gives our variable for it the name of the local that holds it."""

    def __init__(self, variables: Variables):
        super().__init__(SimpleNamespace(most=None, leaves={}))
        self.variables, self.current = variables, None
        self.call_inputs: list = []
        self.of_constants: dict = {}  # {id of a constant or an array: (it, its name)}
        self.of_variables: set = set()

    def see(self, call, given, results):
        for t in results:
            self.current, self.call_inputs = t, [x for x in given if self.variables.is_leaf(x)]
            self(t)
        for v in call.results:
            self.see_arrays(v.node)

    def inputs_of(self, t):
        return self.call_inputs if t is self.current else () if self.variables.is_leaf(t) else (t,)

    def give_name(self, t, name):
        if (variable := self.variables.current(t)) is not None:
            variable.node.name = name
            self.of_variables.add(name)
        else:
            held = self.variables.constants[t]
            self.of_constants[id(held)] = held, name

    def name_of(self, t):
        variable = self.variables.current(t)
        return None if variable is None else variable.node.name

    def may_name(self, t):
        """Return whether a tensor has no name of its own, from the module tree."""
        variable = self.variables.current(t)
        return t in self.variables.constants if variable is None else type(variable.node.name or Local("")) is Local

    def note_line(self, t):
        """Do nothing: the recorder notes the lines of our variables."""

    def name_constants(self, variables):
        """Give constants their names: x; x_0 where a variable is called x, too. A constant without a name may be one with other axes."""
        named = [(held, f"{name}_0" if name in self.of_variables else str(name)) for held, name in self.of_constants.values()]
        for held, name in named:
            if type(held) is Tensor:
                held.name = name
        for c in [c for v in variables for c in v.constants if c.name is None and c.size > 1]:
            alike = {name for held, name in named if same(c._data, array_of(held))}
            c.name = alike.pop() if len(alike) == 1 else None
        name_arrays(self.arrays, [(name, held) for held, name in named])

"""A variable as the graph remembers it: the function that made it, its inputs, and what that function's rule saved.

A node knows its inputs and nothing that points back at it, and it does not hold the tensor's data: an array lives on only
where a rule has saved it or the user holds the tensor.
"""

from weakref import ref


class Node:
    """One variable of a graph of tensors.

    `edges` lists (input node, slot, what is saved for the pull of that slot); it is () for a leaf, None once released.
    `arguments` are what the function was called with: nodes, and constants where it had any; `options` are its settings.
    """

    __slots__ = (
        *("rule", "edges", "arguments", "options", "shape", "dtype", "aux"),
        *("keep_grad", "grad", "name", "scope", "hooks"),
        *("_tensor", "_pending", "_total", "__weakref__"),
    )

    def __init__(self, tensor, rule=None, edges=(), arguments=(), options=()):
        data = tensor._data
        self.rule = rule
        self.edges = edges
        self.arguments = arguments
        self.options = options
        self.shape = data.shape
        self.dtype = data.dtype
        self._tensor = ref(tensor)
        self.keep_grad = False
        self.aux = self.grad = self.name = self.scope = self.hooks = None
        self._pending = 0
        self._total = None

    @property
    def inputs(self):
        """The variables that the function took, each as often as it was used; constants are not among them."""
        return tuple([x for x, _, _ in self.edges or ()])

    @property
    def released(self):
        """Whether a backward pass has let go of what this variable was made from."""
        return self.edges is None

    @property
    def data(self):
        """The array, where the user still holds the tensor; None where it has been freed."""
        tensor = self._tensor()
        return None if tensor is None else tensor.data

    @property
    def node(self):
        return self

    def __eq__(self, other):
        return self is getattr(other, "node", None)  # so a dictionary of nodes can be asked with the tensor itself

    __hash__ = object.__hash__

    def __repr__(self):
        made = f", made by {self.rule.name}" if self.rule else ""
        name = f"{self.name!r}, " if self.name else ""
        return f"Node({name}shape {self.shape}{made})"

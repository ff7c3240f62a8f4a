"""Name scopes and listeners; no_grad, detect_anomaly and the others are scalargrad's own and hold for tensors too."""

from contextvars import ContextVar

from scalargrad.modes import Mode

path: ContextVar = ContextVar("scope", default=())
listener: ContextVar = ContextVar("listener", default=None)


class scope(Mode):
    """In this block variables are made in a part of the graph that has a name; scopes nest, and drawings can fold them.

    >>> from tensorgrad import Tensor
    >>> with scope("block"), scope("conv"): y = Tensor([1.0, 2.0]) * 2
    >>> y.node.scope
    ('block', 'conv')
    """

    setting = path

    def __init__(self, name):
        super().__init__()
        self.name = name

    @property
    def value(self):
        return (*path.get(), self.name)

    def _recreate_cm(self):
        return scope(self.name)


def scope_path():
    """The names of the open scopes, the outermost first."""
    return path.get()


class telling(Mode):
    """In this block every new variable is handed to `listener`, as soon as it is recorded; None: to nobody."""

    setting = listener

    def __init__(self, listener):
        super().__init__()
        self.value = listener

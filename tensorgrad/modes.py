"""Listeners; scope, no_grad, detect_anomaly and the others are scalargrad's own and hold for tensors too."""

from contextvars import ContextVar

from scalargrad.modes import Mode, scope, scope_path

__all__ = ["again", "computing_again", "listener", "scope", "scope_path", "telling"]

listener: ContextVar = ContextVar("listener", default=None)
computing_again: ContextVar = ContextVar("computing_again", default=False)


class again(Mode):
    """In this block a function is computed a second time, by a checkpoint: nothing that remembers shall take note of it twice."""

    setting = computing_again


class telling(Mode):
    """In this block every new variable is handed to `listener`, as soon as it is recorded; None: to nobody."""

    setting = listener

    def __init__(self, listener):
        super().__init__()
        self.value = listener

"""Listeners to new variables. The other modes, such as scope and no_grad, are scalargrad's and also work on tensors."""

from contextvars import ContextVar

from scalargrad.modes import Mode, scope, scope_path

__all__ = ["again", "computing_again", "listener", "scope", "scope_path", "telling"]

listener: ContextVar = ContextVar("listener", default=None)
computing_again: ContextVar = ContextVar("computing_again", default=False)


class again(Mode):
    """Say that a function is computed a second time, so that nothing counts or remembers it twice."""

    setting = computing_again


class telling(Mode):
    """Call `listener` in this block with every new variable, as soon as it is recorded. None stops any listener."""

    setting = listener

    def __init__(self, listener):
        super().__init__()
        self.value = listener

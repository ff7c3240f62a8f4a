"""Hooks: functions that see the output of a module after each call, and may replace it."""

from scalargrad.messages.errors import wrong_type


class Handle:
    """What registering a hook returns: `remove()` takes the hook away again. As a block, it does so at the end.

    >>> from tensorgrad import nn
    >>> layer, seen = nn.ReLU(), []
    >>> with layer.register_forward_hook(lambda module, args, output: seen.append(output.shape)): y = layer([1.0, 2.0])
    >>> y = layer([3.0]); seen
    [(2,)]
    """

    def __init__(self, hooks, hook, with_kwargs):
        if not callable(hook):
            raise wrong_type("register_forward_hook", "hook", hook, "a function of module, args and output")
        self._hooks = hooks
        hooks[self] = hook, with_kwargs

    def remove(self) -> None:
        """Take the hook away. A second call does nothing."""
        self._hooks.pop(self, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def hooked(module, args, options, y):
    """Return the output after all hooks of a module, in the order in which they were registered."""
    for hook, with_kwargs in [*module._forward_hooks.values()]:
        found = hook(module, args, options, y) if with_kwargs else hook(module, args, y)
        y = y if found is None else found
    return y

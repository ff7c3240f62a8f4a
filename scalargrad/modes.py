"""Ways of running the engine, switched on for a block: no_grad, detect_anomaly, scope (per thread and task) and gc_paused.

`active` counts the blocks that are open in any thread. While it is 0, which is nearly always, making a variable asks no
further question; otherwise the variable asks here what holds in its own thread and task.
"""

import gc
import os
from contextlib import ContextDecorator
from contextvars import ContextVar
from threading import Lock

active = 0
_counting = Lock()


def _count_anew():
    """In the child of a fork the lock is free, whatever another thread was about."""
    global _counting
    _counting = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_anew)


class Mode(ContextDecorator):
    """A block (or a decorated function) in which a setting has a value; what held before holds again after it."""

    setting: ContextVar
    value = True

    def __init__(self):
        self._tokens = []

    def __enter__(self):
        global active
        with _counting:
            active += 1
        self._tokens.append(self.setting.set(self.value))
        return self

    def __exit__(self, *exc):
        global active
        try:
            self.setting.reset(self._tokens.pop())
        finally:
            with _counting:
                active -= 1

    def _recreate_cm(self):  # a decorated function may run in several threads at once: each call has its own block
        return type(self)()


recording_off = ContextVar("recording_off", default=False)
anomalies_on = ContextVar("anomalies_on", default=False)
open_scopes: ContextVar[tuple] = ContextVar("open_scopes", default=())


class no_grad(Mode):
    """In this block nothing is recorded: results are constants.

    Nested, safe under exceptions, and not seen by other threads or tasks. Also a decorator.

    >>> from scalargrad import Value
    >>> x = Value(3.0)
    >>> with no_grad(): y = x * x
    >>> y.inputs
    ()
    """

    setting = recording_off


class recording(Mode):
    """In this block everything is recorded, also inside no_grad: the functions that differentiate need it for themselves.

    >>> from scalargrad import Value
    >>> with no_grad(), recording(): y = Value(3.0) * 2
    >>> len(y.inputs)
    1
    """

    setting = recording_off
    value = False


class detect_anomaly(Mode):
    """In this block the first function, forward or backward, that makes inf or nan raises AnomalyError with its source line.

    >>> from scalargrad import Value
    >>> with detect_anomaly(): Value(0.0, name="x").log()
    Traceback (most recent call last):
        ...
    scalargrad.modes.AnomalyError: log made -inf in the forward pass at <doctest ...>:1: log(0.0), where x = 0.0
    """

    setting = anomalies_on


class scope(Mode):
    """In this block variables are made in a part of the graph that has a name; scopes nest, and drawings can fold them.

    >>> from scalargrad import Value
    >>> with scope("layer1"), scope("neuron3"): y = Value(3.0) * 2
    >>> y.scope
    ('layer1', 'neuron3')
    """

    setting = open_scopes

    def __init__(self, name):
        super().__init__()
        if not isinstance(name, str) or not name:
            raise TypeError(f"scope: name={name!r:.60} must be non-empty text; write scope({str(name) or 'layer1'!r:.60})")
        self.name = name

    @property
    def value(self):
        return (*open_scopes.get(), self.name)

    def _recreate_cm(self):
        return scope(self.name)


def scope_path():
    """The names of the open scopes, the outermost first."""
    return open_scopes.get()


class AnomalyError(ArithmeticError):
    """A function made a number that is not finite while detect_anomaly was on."""


class gc_paused:
    """In this block Python's cyclic garbage collector rests, in all threads, and is then as it was.

    A graph holds no cycles and is freed without the collector, which only costs time while a large graph is alive
    (half of it, for 10⁶ operations). Nested blocks are fine.

    >>> import gc
    >>> with gc_paused(): gc.isenabled()
    False
    """

    def __init__(self):
        self._was_enabled = []

    def __enter__(self):
        self._was_enabled.append(gc.isenabled())
        gc.disable()

    def __exit__(self, *exc):
        if self._was_enabled.pop():
            gc.enable()

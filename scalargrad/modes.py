"""Modes of the engine, each for a block of code: no_grad, detect_anomaly and scope (in one thread and task), and gc_paused.

`active` counts the open blocks of all threads. While it is 0, which is nearly always, a new variable does not look at the modes.
Otherwise it looks up the settings of its own thread and task.
"""

import gc
import os
from contextlib import ContextDecorator
from contextvars import ContextVar
from threading import Lock

active = 0
_counting = Lock()


def _count_anew():
    """Free the lock in a forked child: another thread of the parent may have held it."""
    global _counting
    _counting = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_anew)


class Mode(ContextDecorator):
    """A block, or a decorated function, in which a setting has a value. After it the setting has its former value again."""

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

    def _recreate_cm(self):  # each call of a decorated function has its own block, since several threads may call it
        return type(self)()


recording_off = ContextVar("recording_off", default=False)
anomalies_on = ContextVar("anomalies_on", default=False)
open_scopes: ContextVar[tuple] = ContextVar("open_scopes", default=())
witness: ContextVar = ContextVar("witness", default=None)  # called with each new variable; see local_names.py


class no_grad(Mode):
    """Record nothing in this block: the results of functions are constants.

    Blocks may be nested, and an exception ends a block as usual. Other threads and tasks do not see it. It is also a decorator.

    >>> from scalargrad import Value
    >>> x = Value(3.0)
    >>> with no_grad(): y = x * x
    >>> y.inputs
    ()
    """

    setting = recording_off


class recording(Mode):
    """Record everything in this block, even inside no_grad. The functions that return derivatives need it.

    >>> from scalargrad import Value
    >>> with no_grad(), recording(): y = Value(3.0) * 2
    >>> len(y.inputs)
    1
    """

    setting = recording_off
    value = False


class detect_anomaly(Mode):
    """Raise AnomalyError for the first function that makes inf or nan in this block, with the source line of its call.

    It watches the forward pass and the backward pass. It accepts a -inf from a function that was given an infinity, because
    a program masks scores so.

    >>> from scalargrad import Value
    >>> with detect_anomaly(): Value(0.0, name="x").log()
    Traceback (most recent call last):
        ...
    scalargrad.modes.AnomalyError: log made -inf in the forward pass at <doctest ...>:1: log(0.0), where x = 0.0
    """

    setting = anomalies_on


class scope(Mode):
    """Give a name to the part of the graph that is made in this block. Scopes may be nested, and drawings can fold them.

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


def called_in(names, function, args, options):
    """Return function(*args, **options), called with the scopes `names` open. It does what a block `scope` does, in less time."""
    global active
    token = open_scopes.set(open_scopes.get() + names)
    with _counting:
        active += 1
    try:
        return function(*args, **options)
    finally:
        open_scopes.reset(token)
        with _counting:
            active -= 1


def show_to_witness(v):
    """Call the witness of an open block `named` with a new variable."""
    if (sees := witness.get()) is not None:
        sees(v)


def scope_path():
    """Return the names of the open scopes, the outermost first."""
    return open_scopes.get()


class AnomalyError(ArithmeticError):
    """A function made inf or nan while detect_anomaly was on."""


class gc_paused:
    """Pause Python's cyclic garbage collector in all threads; restore its state after the block.

    A graph has no reference cycles, so Python frees it without the collector. While a large graph is alive, the collector only
    takes time: about half of it, for 10⁶ operations. Blocks may be nested.

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

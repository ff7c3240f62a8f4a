"""Ctrl-C at any moment, for tests of what it leaves behind."""

import gc
import signal
from contextlib import contextmanager

import pytest

AGAIN = 10  # seconds after which Ctrl-C is pressed again, so that no loop runs for ever


@contextmanager
def interrupted(delay):
    """Press Ctrl-C after so many seconds. The block ends with it; what `pytest.raises` gives holds the error.

    The garbage collector rests: Python drops an error in what the collector calls.
    """
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no interval timer")
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()
    try:
        with pytest.raises(KeyboardInterrupt) as stopped:
            signal.setitimer(signal.ITIMER_REAL, delay, AGAIN)
            yield stopped
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        gc.enable()

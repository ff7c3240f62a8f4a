"""NumPy as kernels need it: no warnings, so that 1/0 is silently inf and 0/0 nan, and short buffers. The user's own settings stay.

A pass over rows that repeats a row or a column, such as x - mean, goes through buffers if a row is shorter than they are. NumPy copies
all entries into them, in 8,192 at a time, so the pass takes 2.5 times as long. Here rows of 256 entries and more need no copy; shorter
buffers make passes that also convert numbers slower.
"""

from contextvars import Context

import numpy as np

BUFFER = 256  # entries; results have the same bits for any number, except sums over arrays with gaps

silence = Context()  # empty, so that a block that is open during this import does not stay open in it
silence.run(np.seterr, all="ignore")  # NumPy keeps these settings per context; entering a context costs a tenth of np.errstate
silence.run(np.setbufsize, BUFFER)


def quietly(kernel, *args):
    """Return kernel(*args) without NumPy's warnings. For kernels only: functions in it do not see the caller's context variables.

    >>> quietly(np.divide, 1.0, np.zeros(1))
    array([inf])
    """
    return silence.copy().run(kernel, *args)  # several threads may enter a copy each, and a kernel another

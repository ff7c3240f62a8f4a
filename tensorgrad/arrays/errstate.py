"""NumPy without warnings: 1/0 is silently inf and 0/0 nan. The user's own np.errstate stays as it is."""

from contextvars import Context

import numpy as np

silence = Context()  # empty, so that a block that is open during this import does not stay open in it
silence.run(np.seterr, all="ignore")  # NumPy keeps this setting per context; entering a context costs a tenth of np.errstate


def quietly(kernel, *args):
    """Return kernel(*args) without NumPy's warnings. For kernels only: functions in it do not see the caller's context variables.

    >>> quietly(np.divide, 1.0, np.zeros(1))
    array([inf])
    """
    return silence.copy().run(kernel, *args)  # several threads may enter a copy each, and a kernel another

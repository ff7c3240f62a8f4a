"""NumPy without warnings: 1/0 is inf and 0/0 is nan, in silence. The user's own setting stays as it is."""

from contextvars import Context

import numpy as np

silence = Context()  # an empty one: no block that is open while this is imported lives on in it
silence.run(np.seterr, all="ignore")  # NumPy keeps this setting per context; to enter one costs a tenth of np.errstate


def quietly(kernel, *args):
    """kernel(*args), while NumPy warns of nothing. For kernels only: what they call sees no setting of the caller's context.

    >>> quietly(np.divide, 1.0, np.zeros(1))
    array([inf])
    """
    return silence.copy().run(kernel, *args)  # a copy may be entered by several threads, and again from within

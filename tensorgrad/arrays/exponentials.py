"""exp in float32, by the functions that NumPy computes fastest on this processor.

With AVX-512, NumPy for Linux takes half of exp's time for exp2, and two thirds of it for expm1: it has Intel's library SVML for them.
Elsewhere both take longer than exp.
"""

import math
import sys

import numpy as np
from numpy.lib.introspect import opt_func_info

SINGLE = np.dtype(np.float32)


def vectors(name):
    """Return the kind of vectors with which NumPy computes its function of this name in float32."""
    return opt_func_info(f"^{name}$", "float32").get(name, {}).get("ff", {}).get("current", "baseline")


WIDE = sys.platform == "linux" and "baseline" not in vectors("exp") and vectors("exp") == vectors("exp2") == vectors("expm1")
#: {dtype: (function, c)}, where function(c · x) is exp(x). For x <= 0 its error is 1e-7 in float32; a small exp(x) has fewer right digits
NEAR_EXP = {SINGLE: (np.exp2, 1 / math.log(2)) if WIDE else (np.exp, 1), np.dtype(np.float64): (np.exp, 1)}


def one_plus_exp(out, x):
    """1 + exp(x), which is also expm1(x) + 2"""
    if WIDE and x.dtype == SINGLE:
        np.expm1(x, out=out)
        out += 2
        return
    np.exp(x, out=out)
    out += 1

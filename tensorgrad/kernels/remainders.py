"""The steps of remainders, for large arrays: NumPy's take 10 to 20 ns for each entry. Legend: that of activations.py.

In float64 the quotient of two numbers of float32 is so near that it is rounded to the right integer, and the remainder is exact.
"""

import numpy as np

LARGEST_QUOTIENT = 2.0**28  # 24 bits of b and 28 of the quotient make a product that is exact in float64


def exact_quotient(a, b, rounded):
    """Return (a, b, the rounded quotient) in float64; None if they are of float64, not finite, or too far apart."""
    if a.dtype != np.float32:
        return None
    a, b = a.astype(float), b.astype(float)
    q = a / b
    if not (np.dot(q, q) < LARGEST_QUOTIENT**2 and np.isfinite(np.dot(b, b))):
        return None
    return a, b, rounded(q, out=q)


def fmod(out, a, b):
    """a - b trunc(a / b), with the sign of a"""
    found = exact_quotient(a, b, np.trunc)
    if found is None:
        np.fmod(a, b, out=out)
        return
    wide, b, q = found
    q *= b
    np.subtract(wide, q, out=q)
    np.copysign(q, wide, out=out, casting="same_kind")


def remainder(out, a, b):
    """a - b ⌊a / b⌋, with the sign of b"""
    found = exact_quotient(a, b, np.floor)
    if found is None:
        np.remainder(a, b, out=out)
        return
    wide, b, q = found
    q *= b
    np.subtract(wide, q, out=q)
    np.copysign(q, b, out=out, casting="same_kind")


def remainder_b_vjp(out, g, a, b):
    """-g ⌊a / b⌋"""
    found = exact_quotient(a, b, np.floor)
    np.multiply(g, np.floor_divide(a, b) if found is None else found[2], out=out, casting="same_kind")
    np.negative(out, out=out)

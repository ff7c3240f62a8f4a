"""The error function of arrays, which NumPy lacks, by rational approximations.

float64: W. J. Cody, "Rational Chebyshev approximations for the error function", Mathematics of Computation 23 (1969). It is x
P(x²)/Q(x²) up to 1/2 and 1 - exp(-x²) P(x)/Q(x) beyond; the error is below 1e-15. float32: tanh(x P(x²)), whose polynomial
minimises the relative error of erf, 1e-7. It grows without bound, so tanh gives ±1 far from 0.
"""

import numpy as np

from tensorgrad.kernels.blocks import ROOMS, in_blocks

EDGE = 0.5  # between the two approximations
FAR = 6.0  # beyond, erf is 1 to the last bit of a float64


def in_arrays(dtype, *numbers):
    """Return each number as an array, which NumPy's functions take in half the time."""
    return [np.array(c, dtype) for c in numbers]


# fmt: off
NEAR_P = in_arrays(np.float64, 3.20937758913846947e03, 3.77485237685302021e02, 1.13864154151050156e02, 3.16112374387056560e00,
                   1.85777706184603153e-1)
NEAR_Q = in_arrays(np.float64, 2.84423683343917062e03, 1.28261652607737228e03, 2.44024637934444173e02, 2.36012909523441209e01, 1.0)
FAR_P  = in_arrays(np.float64, 1.23033935479799725e03, 2.05107837782607147e03, 1.71204761263407058e03, 8.81952221241769090e02,
                   2.98635138197400131e02, 6.61191906371416295e01, 8.88314979438837594e00, 5.64188496988670089e-1, 2.15311535474403846e-8)
FAR_Q  = in_arrays(np.float64, 1.23033935480374942e03, 3.43936767414372164e03, 4.36261909014324716e03, 3.29079923573345963e03,
                   1.62138957456669019e03, 5.37181101862009858e02, 1.17693950891312499e02, 1.57449261107098347e01, 1.0)
SINGLE = in_arrays(np.float32, 1.12837927, 0.102769055, -0.00019182694, -0.000619789544, 8.76398524e-05, -5.66902477e-06, 1.41893504e-07)
# fmt: on


def erf(x):
    """Return the error function of an array of floats, in its shape and dtype; any other dtype becomes float64.

    >>> erf(np.array([0.0, 0.5, -30.0, np.inf])).round(6)
    array([ 0.    ,  0.5205, -1.    ,  1.    ])
    """
    x = np.asarray(x)
    if x.dtype not in (np.float32, np.float64):
        x = x.astype(np.float64)
    return in_blocks(erf_steps, x)


def erf_steps(out, x):
    """Fill `out`, which may be x itself, with erf(x)."""
    if x.dtype == np.float64:
        out[...] = double(x)
        return
    y = polynomial(SINGLE, np.multiply(x, x, out=ROOMS.like(x)), ROOMS.like(x, 1))
    y *= x
    np.tanh(y, out=out)


def double(x):
    size = np.abs(x)
    far = size > EDGE
    if not far.any():
        return near(x)
    size = np.minimum(size, FAR)
    y = polynomial(FAR_P, size)
    y /= polynomial(FAR_Q, size)
    y *= np.exp(-size * size)
    y = np.copysign(1 - y, x)
    here = np.flatnonzero(~far)
    y[here] = near(x[here])
    return y


def near(x):
    t = x * x
    y = polynomial(NEAR_P, t)
    y *= x
    y /= polynomial(NEAR_Q, t)
    return y


def polynomial(coefficients, t, out=None):
    """Return c0 + c1 t + c2 t² + ..., by Horner's rule."""
    y = np.multiply(t, coefficients[-1], out=out)
    for c in coefficients[-2:0:-1]:
        y += c
        y *= t
    y += coefficients[0]
    return y

"""The numbers of each figure of the book once more, from the engines and NumPy: {figure: a function of the figure's state}."""

from scalargrad import Value


def tangent(x, zoom, **window):
    f = lambda x: x * x + 3 * x
    nudge, at = float(f"{2 * 10**-zoom:.2g}"), Value(x)
    z = f(at)
    z.backward()
    rise = f(x + nudge) - f(x)
    return dict(x=x, z=z.data, nudge=nudge, rise=rise, ratio=rise / nudge, slope=at.grad)


NUMBERS = dict(tangent=tangent)

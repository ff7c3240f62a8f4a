"""Special functions that NumPy lacks. PyTorch computes their values; their derivatives are rules here, made of the same functions."""

import math
from functools import cache

import numpy as np
import torch

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import beside, rule, unopened
from tensorgrad.rule import Rule


def elementwise(name, derivative, formula):
    """Return a rule of one input whose value is that of PyTorch's torch.special function, and whose vjp is G · derivative(x, y)."""
    function = getattr(torch.special, name)

    def value(x):
        return function(torch.tensor(x)).numpy()

    def vjp(G, x, y):
        return G * derivative(x, y)

    value.__doc__, vjp.__doc__ = f"{name}(x), elementwise", f"dz/dx = dz/dy · {formula}"
    return rule(value, vjp, name=name, entries=unopened(name))


@cache
def polygamma_of(order):
    def value(x):
        return torch.special.polygamma(order, torch.tensor(x)).numpy()

    def vjp(G, x):
        return G * polygamma(order + 1, x)

    value.__doc__, vjp.__doc__ = f"polygamma({order}, x), elementwise", f"dz/dx = dz/dy · polygamma({order + 1}, x)"
    return rule(value, vjp, name="polygamma", entries=unopened("polygamma"))


@beside("polygamma", "special.polygamma")
def polygamma(n, input=None):
    """Tensor.polygamma takes the tensor first."""
    n, input = (input, n) if isinstance(n, tg.Tensor) else (n, input)
    return polygamma_of(n)(input)


def ratio(a, b, at_zero):
    """Return a / b, and `at_zero` where b is 0."""
    zero = np.asarray(getattr(b, "data", b)) == 0
    return tg.where(zero, at_zero, a / tg.where(zero, 1.0, b))


ROOT = math.sqrt(math.pi)
lgamma: Rule = elementwise("gammaln", lambda x, y: digamma(x), "digamma(x)")
digamma: Rule = elementwise("digamma", lambda x, y: polygamma(1, x), "polygamma(1, x)")
erfinv: Rule = elementwise("erfinv", lambda x, y: ROOT / 2 * np.exp(y * y), "√π/2 · exp(y²)")
i0: Rule = elementwise("i0", lambda x, y: i1(x), "i1(x)")
i0e: Rule = elementwise("i0e", lambda x, y: i1e(x) - y * np.sign(x), "i1e(x) - y sign(x)")
i1: Rule = elementwise("i1", lambda x, y: i0(x) - ratio(y, x, 0.5), "(i0(x) - y / x), and ½ at 0")
i1e: Rule = elementwise("i1e", lambda x, y: i0e(x) - y * np.sign(x) - ratio(y, x, 0.5), "(i0e(x) - y (sign(x) + 1 / x)), and ½ at 0")
ndtr: Rule = elementwise("ndtr", lambda x, y: np.exp(-x * x / 2) / math.sqrt(2 * math.pi), "exp(-x²/2) / √(2π)")
ndtri: Rule = elementwise("ndtri", lambda x, y: math.sqrt(2 * math.pi) * np.exp(y * y / 2), "√(2π) exp(y²/2)")
erfcx: Rule = elementwise("erfcx", lambda x, y: 2 * x * y - 2 / ROOT, "(2 x y - 2/√π)")
log_ndtr: Rule = elementwise("log_ndtr", lambda x, y: math.sqrt(2 / math.pi) / erfcx(x * -math.sqrt(0.5)), "√(2/π) / erfcx(-x/√2)")


def of_one(rule):
    return lambda input: rule(input)


for ours, *names in [
    (lgamma, "lgamma", "special.gammaln"), (digamma, "digamma", "special.digamma", "special.psi"), (erfinv, "erfinv", "special.erfinv"),
    (i0, "i0", "special.i0"), (i0e, "special.i0e"), (i1, "special.i1"), (i1e, "special.i1e"), (ndtr, "special.ndtr"),
    (ndtri, "special.ndtri"), (erfcx, "special.erfcx"), (log_ndtr, "special.log_ndtr"),
]:  # fmt: skip
    beside(*names)(of_one(ours))


@beside("mvlgamma", "special.multigammaln")
def mvlgamma(input, p):
    """log of π^(p (p - 1) / 4) times the product of gamma(x - j / 2) for j below p"""
    return tg.sum(lgamma(tg.unsqueeze(input, -1) - np.arange(p) / 2), -1) + p * (p - 1) / 4 * math.log(math.pi)

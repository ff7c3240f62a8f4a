"""A graph of numbers: the inductive chain rule, one variable at a time. Imports nothing but Python."""

from typing import TYPE_CHECKING

from scalargrad.backpropagation import backpropagation
from scalargrad.check import check
from scalargrad.derivatives import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from scalargrad.differences import documented
from scalargrad.foreign_names import SCALARGRAD, answering
from scalargrad.function import function
from scalargrad.graph import CycleError, Graph, OrderError, ancestors, topological_order
from scalargrad.modes import AnomalyError, detect_anomaly, gc_paused, no_grad, scope
from scalargrad.options import clamp, gelu, round, softplus, sqrt
from scalargrad.program import program
from scalargrad.rules import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    ceil,
    copysign,
    cos,
    cosh,
    div,
    dot,
    elu,
    erf,
    exp,
    exp2,
    expm1,
    floor,
    floor_divide,
    fmax,
    fmin,
    fmod,
    hypot,
    leaky_relu,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logaddexp2,
    logsumexp,
    max,
    maximum,
    minimum,
    mul,
    neg,
    pow,
    reciprocal,
    relu,
    remainder,
    rsqrt,
    sigmoid,
    sign,
    silu,
    sin,
    sinc,
    sinh,
    square,
    sub,
    sum,
    tan,
    tanh,
    trunc,
    where,
    xlogy,
)
from scalargrad.trace import Trace
from scalargrad.value import Constant, Value

# abs, max, pow, round and sum are left out: `from scalargrad import *` must not hide Python's own.
# fmt: off
__all__ = [
    "Value", "Constant", "function",
    "Graph", "ancestors", "topological_order", "CycleError", "OrderError",
    "backpropagation", "Trace", "check", "program",
    "grad", "value_and_grad", "jacobian", "hessian", "vjp", "jvp", "hvp",
    "scope", "no_grad", "detect_anomaly", "AnomalyError", "gc_paused",
    "add", "sub", "mul", "div", "neg", "square", "reciprocal", "sqrt", "rsqrt", "cbrt", "hypot", "exp", "expm1", "exp2",
    "log", "log1p", "log2", "log10", "logaddexp", "logaddexp2", "xlogy",
    "sin", "cos", "tan", "sinc", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "sigmoid", "relu", "softplus", "erf", "gelu", "silu", "leaky_relu", "elu",
    "sign", "maximum", "minimum", "fmax", "fmin", "copysign", "where", "clamp",
    "floor", "ceil", "trunc", "floor_divide", "remainder", "fmod", "dot", "logsumexp",
]

if not TYPE_CHECKING:  # to a type checker a name that is not here stays an error
    __getattr__ = answering(__name__, SCALARGRAD)

__doc__ = documented(__doc__)

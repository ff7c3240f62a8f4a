"""A graph of numbers: the inductive chain rule, one variable at a time. Imports nothing but Python."""

from scalargrad.checking import check
from scalargrad.derivatives import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from scalargrad.functions import function
from scalargrad.graph import CycleError, Graph, OrderError, ancestors, topological_order
from scalargrad.modes import AnomalyError, detect_anomaly, gc_paused, no_grad
from scalargrad.programs import program
from scalargrad.pseudocode import backpropagation
from scalargrad.rules import (
    abs,
    acos,
    add,
    asin,
    atan,
    clamp,
    cos,
    cosh,
    div,
    dot,
    erf,
    exp,
    expm1,
    gelu,
    log,
    log1p,
    logsumexp,
    max,
    maximum,
    minimum,
    mul,
    neg,
    pow,
    reciprocal,
    relu,
    sigmoid,
    sign,
    sin,
    sinh,
    softplus,
    sqrt,
    square,
    sub,
    sum,
    tan,
    tanh,
    where,
)
from scalargrad.trace import Trace
from scalargrad.value import Constant, Value

# abs, max, pow and sum are left out: `from scalargrad import *` must not hide Python's own.
# fmt: off
__all__ = [
    "Value", "Constant", "function",
    "Graph", "ancestors", "topological_order", "CycleError", "OrderError",
    "backpropagation", "Trace", "check", "program",
    "grad", "value_and_grad", "jacobian", "hessian", "vjp", "jvp", "hvp",
    "no_grad", "detect_anomaly", "AnomalyError", "gc_paused",
    "add", "sub", "mul", "div", "neg", "square", "reciprocal", "sqrt", "exp", "expm1", "log", "log1p",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "sigmoid", "relu", "softplus", "erf", "gelu", "sign", "maximum", "minimum", "where", "clamp", "dot", "logsumexp",
]

"""A graph of numbers: the inductive chain rule, one variable at a time. It imports only Python's standard library."""

import builtins
from typing import TYPE_CHECKING

import scalargrad.fast.quick
from scalargrad.backpropagation import backpropagation
from scalargrad.checking.check import check
from scalargrad.custom_function import function
from scalargrad.fast.value import Constant, Value
from scalargrad.graph import CycleError, Graph, OrderError, ancestors, topological_order
from scalargrad.messages.differences import documented
from scalargrad.messages.foreign_names import SCALARGRAD, answering
from scalargrad.modes import AnomalyError, detect_anomaly, gc_paused, no_grad, scope
from scalargrad.options import FUNCTIONS
from scalargrad.program import program
from scalargrad.tracing.trace import Trace
from scalargrad.transformations import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from scalargrad.user_names.local_names import named

# fmt: off
__all__ = [
    "Value", "Constant", "function",
    "Graph", "ancestors", "topological_order", "CycleError", "OrderError",
    "backpropagation", "Trace", "check", "program",
    "grad", "value_and_grad", "jacobian", "hessian", "vjp", "jvp", "hvp",
    "scope", "named", "no_grad", "detect_anomaly", "AnomalyError", "gc_paused",
    *[name for name in FUNCTIONS if not hasattr(builtins, name)],  # `from scalargrad import *` must not hide Python's own
]

if TYPE_CHECKING:  # here a type checker and an editor find the names of FUNCTIONS
    from scalargrad.options import *
    from scalargrad.rules import *  # type: ignore[assignment]
else:  # to a type checker a name that is not here stays an error
    globals().update(FUNCTIONS)
    __getattr__ = answering(__name__, SCALARGRAD)

__doc__ = documented(__doc__)

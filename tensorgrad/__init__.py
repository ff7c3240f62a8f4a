"""The chain rule for whole arrays: a graph of arrays on NumPy. It imports scalargrad and NumPy.

Write `import tensorgrad as tg`, or call NumPy's own functions: np.sum(np.tanh(A @ B)) of tensors is a tensor.
"""

from typing import TYPE_CHECKING

import tensorgrad.functions.operators
import tensorgrad.inspection.trace_values
import tensorgrad.program.array_program
import tensorgrad.statements.statement_graph
import tensorgrad.transformations.copying
from scalargrad.messages.differences import documented
from scalargrad.messages.foreign_names import answering
from scalargrad.modes import AnomalyError, detect_anomaly, gc_paused, no_grad
from scalargrad.user_names.local_names import named
from tensorgrad.beside_torch import from_torch
from tensorgrad.checking.check import check
from tensorgrad.errors.errors import GradientNotKeptWarning
from tensorgrad.errors.foreign_names import TENSORGRAD
from tensorgrad.errors.numpy_meanings import documented as with_meanings
from tensorgrad.families import PUBLIC
from tensorgrad.inspection.memory import memory
from tensorgrad.inspection.zoom import zoom
from tensorgrad.kernels.threads import threads
from tensorgrad.modes import scope
from tensorgrad.rule import rule
from tensorgrad.tensor import Tensor
from tensorgrad.transformations.checkpoint import checkpoint
from tensorgrad.transformations.custom_function import function
from tensorgrad.transformations.derivatives import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp

# fmt: off
#: what `from tensorgrad import *` gives: all but the names that would hide Python's own
__all__ = [
    "Tensor", "rule", "function", "scope", "named", "no_grad", "detect_anomaly", "AnomalyError", "gc_paused", "GradientNotKeptWarning",
    "grad", "value_and_grad", "jacobian", "hessian", "vjp", "jvp", "hvp", "zoom", "check", "checkpoint", "memory", "threads",
    "from_torch",
    *sorted(PUBLIC.keys() - {"abs", "all", "any", "max", "min", "pow", "round", "sum"}),
]

if TYPE_CHECKING:  # here a type checker and an editor find the names of PUBLIC
    from tensorgrad.families import *  # type: ignore[assignment]
else:  # to a type checker a name that is not here stays an error
    globals().update(PUBLIC)
    __getattr__ = answering(__name__, TENSORGRAD)

__doc__ = documented(with_meanings(__doc__))

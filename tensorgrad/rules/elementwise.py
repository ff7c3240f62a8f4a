"""Functions of single entries: the rows of scalargrad's table, lifted, with NumPy's kernels where it has them."""

import numpy as np

from scalargrad import rules as rows
from tensorgrad.lift import Elementwise

__all__ = ["add", "sub", "mul", "div", "neg", "pow", "square", "reciprocal", "sqrt", "exp", "log", "tanh"]
METHODS = ["square", "reciprocal", "sqrt", "exp", "log", "tanh"]

# fmt: off
add        = Elementwise(rows.add,    np.add)
sub        = Elementwise(rows.sub,    np.subtract)
mul        = Elementwise(rows.mul,    np.multiply)
div        = Elementwise(rows.div,    np.divide)
neg        = Elementwise(rows.neg,    np.negative)
pow        = Elementwise(rows.pow,    np.power)

square     = Elementwise(rows.square, np.square)
reciprocal = Elementwise(rows.reciprocal)
sqrt       = Elementwise(rows.sqrt,   np.sqrt)
exp        = Elementwise(rows.exp,    np.exp)
log        = Elementwise(rows.log,    np.log)
tanh       = Elementwise(rows.tanh,   np.tanh)
# fmt: on

NUMPY = {
    np.subtract: sub,
    np.multiply: mul,
    np.divide: div,
    np.negative: neg,
    np.power: pow,
}  # by another name there

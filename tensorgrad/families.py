"""The families of public functions, and PUBLIC: each function by its name."""

from scalargrad.messages.foreign_names import answer
from tensorgrad import numpy_dispatch
from tensorgrad.errors.foreign_names import TENSOR
from tensorgrad.functions import (
    activations,
    adaptive_pooling,
    arrangements,
    attention,
    averages,
    blends,
    class_losses,
    comparisons,
    differences,
    elementwise_options,
    losses,
    normalisation,
    partial_reductions,
    pooling,
    products,
)
from tensorgrad.methods import attach
from tensorgrad.rules import (
    convolution,
    decompositions,
    dtypes,
    einsum,
    elementwise,
    extrema,
    gathering,
    indexing,
    joining,
    linear,
    moving,
    norms,
    reductions,
    resampling,
    scans,
    shapes,
    sorting,
    spectral,
    unfolding,
)
from tensorgrad.tensor import Tensor

# fmt: off
FAMILIES = [
    elementwise, elementwise_options, dtypes, comparisons, blends,
    reductions, extrema, norms, partial_reductions, scans, differences, sorting, averages,
    shapes, moving, joining, arrangements, indexing, gathering,
    linear, einsum, decompositions, spectral, products,
    convolution, unfolding, pooling, adaptive_pooling, resampling,
    activations, normalisation, attention, losses, class_losses,
]
# fmt: on

PUBLIC = {name: getattr(family, name) for family in FAMILIES for name in family.__all__}
attach(PUBLIC)
answer(Tensor, TENSOR)
numpy_dispatch.open_for(PUBLIC)

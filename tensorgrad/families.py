"""The families of public functions, and PUBLIC: each function by its name."""

# ruff: noqa: F403  (importers of this file, type checkers too, find every public function)
from scalargrad.messages.foreign_names import answer
from tensorgrad import functions, numpy_dispatch, rules
from tensorgrad.errors.foreign_names import TENSOR
from tensorgrad.functions.activations import *
from tensorgrad.functions.arrangements import *
from tensorgrad.functions.averages import *
from tensorgrad.functions.blends import *
from tensorgrad.functions.class_losses import *
from tensorgrad.functions.comparisons import *
from tensorgrad.functions.differences import *
from tensorgrad.functions.elementwise_options import *
from tensorgrad.functions.losses import *
from tensorgrad.functions.normalisation import *
from tensorgrad.functions.partial_reductions import *
from tensorgrad.functions.pooling import *
from tensorgrad.functions.products import *
from tensorgrad.functions.sequences.attention import *
from tensorgrad.functions.softmax import *
from tensorgrad.methods import attach
from tensorgrad.rules import images, linear_algebra
from tensorgrad.rules.dtypes import *
from tensorgrad.rules.elementwise import *
from tensorgrad.rules.extrema import *
from tensorgrad.rules.gathering import *
from tensorgrad.rules.images.convolution import *
from tensorgrad.rules.images.resampling import *
from tensorgrad.rules.images.unfolding import *
from tensorgrad.rules.indexing import *
from tensorgrad.rules.joining import *
from tensorgrad.rules.linear_algebra.decompositions import *
from tensorgrad.rules.linear_algebra.einsum import *
from tensorgrad.rules.linear_algebra.linear import *
from tensorgrad.rules.linear_algebra.norms import *
from tensorgrad.rules.linear_algebra.spectral import *
from tensorgrad.rules.moving import *
from tensorgrad.rules.reductions import *
from tensorgrad.rules.scans import *
from tensorgrad.rules.shapes import *
from tensorgrad.rules.sorting import *
from tensorgrad.tensor import Tensor

# fmt: off
FAMILIES = [
    rules.elementwise, functions.elementwise_options, rules.dtypes, functions.comparisons, functions.blends,
    rules.reductions, rules.extrema, linear_algebra.norms, functions.partial_reductions, rules.scans, functions.differences, rules.sorting,
    functions.averages, rules.shapes, rules.moving, rules.joining, functions.arrangements, rules.indexing, rules.gathering,
    linear_algebra.linear, linear_algebra.einsum, linear_algebra.decompositions, linear_algebra.spectral, functions.products,
    images.convolution, images.unfolding, functions.pooling, images.resampling,
    functions.activations, functions.softmax, functions.normalisation, functions.sequences.attention,
    functions.losses, functions.class_losses,
]
# fmt: on

PUBLIC = {name: getattr(family, name) for family in FAMILIES for name in family.__all__}
attach(PUBLIC)
answer(Tensor, TENSOR)
numpy_dispatch.open_for(PUBLIC)

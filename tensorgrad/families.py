"""The families of public functions, and PUBLIC: each function by its name."""

# ruff: noqa: F403  (importers of this file, type checkers too, find every public function)
from scalargrad.messages.foreign_names import answer
from tensorgrad import functions as f
from tensorgrad import numpy_dispatch
from tensorgrad import rules as r
from tensorgrad.errors.foreign_names import TENSOR
from tensorgrad.functions.activations import *
from tensorgrad.functions.adaptive_pooling import *
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
from tensorgrad.methods import attach
from tensorgrad.rules import images as i
from tensorgrad.rules import linear_algebra as m
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
    r.elementwise, f.elementwise_options, r.dtypes, f.comparisons, f.blends,
    r.reductions, r.extrema, m.norms, f.partial_reductions, r.scans, f.differences, r.sorting, f.averages,
    r.shapes, r.moving, r.joining, f.arrangements, r.indexing, r.gathering,
    m.linear, m.einsum, m.decompositions, m.spectral, f.products,
    i.convolution, i.unfolding, f.pooling, f.adaptive_pooling, i.resampling,
    f.activations, f.normalisation, f.sequences.attention, f.losses, f.class_losses,
]
# fmt: on

PUBLIC = {name: getattr(family, name) for family in FAMILIES for name in family.__all__}
attach(PUBLIC)
answer(Tensor, TENSOR)
numpy_dispatch.open_for(PUBLIC)

"""Conventions where a derivative is a choice: at kinks, ties, nan, ±inf and empty arrays. The docstring must state each."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tests.each import each

inf, nan = np.inf, np.nan

TIES = [[1.0, nan, 2], [1.0, 1, nan]]
ZERO = [0.0, 0]

# name, words of its docstring, options, inputs, result, derivatives of the sum of the result's entries
CONVENTIONS = [
    ("max", "equally large share the gradient evenly", {}, [[1.0, 3, 3]], 3, [[0, 0.5, 0.5]]),
    ("max", "also where they are infinite", {}, [[inf, inf, 1]], inf, [[0.5, 0.5, 0]]),
    ("max", "Where the result is nan, so are the", {}, [[1.0, nan, 3]], nan, [[nan, nan, nan]]),
    ("min", "equally small share the gradient evenly", {}, [[1.0, 3, 1]], 1, [[0.5, 0, 0.5]]),
    ("min", "Where the result is nan, so are the", {}, [[1.0, nan]], nan, [[nan, nan]]),
    ("max_pool", "share its gradient evenly", {"kernel_size": (2,)}, [[2.0, 2, 1, 3]], [2, 3], [[0.5, 0.5, 0, 1]]),
    ("max_pool", "its entries get gradients of nan", {"kernel_size": (2,)}, [[2.0, nan, 1, 3]], [nan, 3], [[nan, nan, 0, 1]]),
    ("max_pool", "so do zeros of the padding", {"kernel_size": (2,), "padding": 1, "total": True}, [[0.0, -1]], [0, 0], [[0.5, 0]]),
    ("adaptive_max_pool", "share its gradient evenly", {"output_size": (1, 1)}, [[[2.0, 2]]], [[2]], [[[0.5, 0.5]]]),
    ("sort", "equal entries keep their order", {}, [[1.0, nan, 0]], [0, 1, nan], [[1, 1, 1]]),
    ("maximum", "for a tie both partials are 1/2; if a or b is nan they are 0", {}, TIES, [1, nan, nan], [[0.5, 0, 0]] * 2),
    ("minimum", "for a tie both partials are 1/2; if a or b is nan they are 0", {}, TIES, [1, nan, nan], [[0.5, 0, 0]] * 2),
    ("relu", "0 at 0, as in PyTorch; for nan it is 0, in PyTorch 1", {}, [[0.0, nan, inf]], [0, nan, inf], [[0, 0, 1]]),
    ("leaky_relu", "the slope at 0, as in PyTorch", {}, [[0.0]], [0], [[0.01]]),
    ("prelu", "The derivative at 0 is the slope", {"weight": 0.5}, [[0.0]], [0], [[0.5]]),
    ("elu", "alpha at 0, as in PyTorch", {"alpha": 2.0}, [[0.0]], [0], [[2]]),
    ("selu", "The derivative at 0 is scale · alpha", {}, [[0.0]], [0], [[1.0507009873554805 * 1.6732632423543772]]),
    ("celu", "smooth at 0 for every alpha", {"alpha": 2.0}, [[0.0]], [0], [[1]]),
    ("relu6", "The derivative on both is 0", {}, [[0.0, 6]], [0, 6], [[0, 0]]),
    ("hardtanh", "The derivative on both is 0, and for nan", {}, [[-1.0, 1, nan]], [-1, 1, nan], [[0, 0, 0]]),
    ("hardsigmoid", "The derivative at ±3 is 0", {}, [[-3.0, 3]], [0, 1], [[0, 0]]),
    ("hardswish", "The derivative is 0 at -3 and 1 at 3", {}, [[-3.0, 3]], [0, 3], [[0, 1]]),
    ("softsign", "The derivative at 0 is 1; at ±inf and for nan it is 0", {}, [[0.0, inf, nan]], [0, 1, nan], [[1, 0, 0]]),
    ("gelu", "At inf it is inf and its derivative 1, at -inf both are 0", {}, [[inf, -inf]], [inf, 0], [[1, 0]]),
    ("silu", "At inf it is inf and its derivative 1, at -inf both are 0", {}, [[inf, -inf]], [inf, 0], [[1, 0]]),
    ("mish", "At inf it is inf and its derivative 1, at -inf both are 0", {}, [[inf, -inf]], [inf, 0], [[1, 0]]),
    ("hardswish", "At -inf the value is 0", {}, [[inf, -inf]], [inf, 0], [[1, 0]]),
    ("partition", "if place k holds nan, all entries after it are nan", {"kth": 1}, [[nan, 1.0, nan]], [1, nan, nan], [[1, 1, 1]]),
    ("diff", "are joined to x first, unless n is 0", {"n": 0, "prepend": 7.0}, [[1.0, 3.0]], [1, 3], [[1, 1]]),
    ("masked_fill", "it may have its own gradient", {}, [[1.0, 2.0], [True, False], [5.0, 6.0]], [5, 2], [[0, 1], None, [1, 0]]),
    ("softplus", "> threshold, the value is x and the derivative is 1", {"threshold": 0.0}, [[0.0, 1]], [np.log(2), 1], [[0.5, 1]]),
    ("abs", "0 at 0", {}, [[0.0, -0.0]], [0, 0], [[0, 0]]),
    ("sign", "0 at 0 too", {}, [[0.0]], [0], [[0]]),
    ("sqrt", "inf at 0, as in PyTorch", {}, [[0.0]], [0], [[inf]]),
    ("sqrt", "With total=True the derivative is 0 for all x <= 0", {"total": True}, [[0.0]], [0], [[0]]),
    ("clamp", "∂y/∂x is 1 on the closed interval", {"min": 0, "max": 1}, [[0.0, 1]], [0, 1], [[1, 1]]),
    ("clamp", "With total=True the derivative is 0 on a bound", {"min": 0, "max": 1, "total": True}, [[0.0, 1]], [0, 1], [[0, 0]]),
    ("round", "0 at the jumps too", {}, [[0.5, 2.0]], [0, 2], [[0, 0]]),
    ("std", "Where all entries are equal, the derivative is taken as 0", {}, [[2.0, 2]], 0, [[0, 0]]),
    ("logsumexp", "all entries are -inf, the derivative is taken as 0", {}, [[-inf, -inf]], -inf, [[0, 0]]),
    ("logsumexp", "at an entry of inf it is nan", {}, [[inf, 1.0]], inf, [[nan, 0]]),
    ("softmax", "all are -inf all results are 0", {}, [[-inf, -inf]], [0, 0], [[0, 0]]),
    ("softmax", "Beside inf all are nan", {}, [[inf, 1.0]], [nan, nan], [[nan, nan]]),
    ("vector_norm", "length is 0, the derivative is taken as 0", {}, [[0.0, 0]], 0, [[0, 0]]),
    ("vector_norm", "For ord=±inf, equal |x| share the gradient evenly", {"ord": inf}, [[1.0, -1, 0]], 1, [[0.5, -0.5, 0]]),
    ("vector_norm", "an entry is infinite, its derivative is nan", {}, [[inf, 1.0]], inf, [[nan, 0]]),
    ("vector_norm", "an entry is nan, all derivatives are", {}, [[nan, 1.0]], nan, [[nan, nan]]),
    ("binary_cross_entropy", "100 at p = 0 and -100 at p = 1", {"reduction": "none"}, [[0.0, 1], [0, 1.0]], [0, 0], [[0, 0], [100, -100]]),
    ("prod", "correct for one zero and for several", {}, [[0.0, 2, 3]], 0, [[6, 0, 0]]),
    ("nan_to_num", "The derivative is 0 where an entry was replaced", {"posinf": 9.0}, [[nan, 1.0, inf]], [0, 1, 9], [[0, 1, 0]]),
    ("xlogy", "both partials are 0 where a = 0 and b <= 0", {}, [[0.0], [0.0]], [0], [[0], [0]]),
    ("logaddexp", "for two inputs of inf both partials are 1/2", {}, [[inf, -inf], [inf, -inf]], [inf, -inf], [[0.5, 0]] * 2),
    ("atan2", "Its partials at 0, 0 are nan", {}, [[0.0], [0.0]], [0], [[nan], [nan]]),
    ("l1_loss", "The derivative is 0 where both are equal", {}, [[1.0], [1.0]], 0, [[0], [0]]),
    ("kl_div", "At t = 0 the derivative in t is -input", {}, [[0.25], [0.0]], 0, [[0], [-0.25]]),
    ("hinge_embedding_loss", "at x = margin is -1", {"target": -1}, [[1.0]], 0, [[-1]]),
    ("gaussian_nll_loss", "Below eps its derivative is 0", {"eps": 1.0}, [[1.0], [1.0], [0.5]], 0, [[0], [0], [0]]),
    ("normalize", "the gradient there is dz/dy / eps", {"axis": 0, "eps": 0.5}, [[0.0, 0]], [0, 0], [[2, 2]]),
    ("cosine_similarity", "Where a vector is 0 the derivative of its length", {"axis": 0}, [ZERO, [1.0, 0]], 0, [[1e8, 0], ZERO]),
    ("fmod", "the partials are those of the piece to the right", {}, [[4.0], [2.0]], [0], [[1], [-2]]),
    ("remainder", "the partials are those of the piece to the right", {}, [[4.0], [2.0]], [0], [[1], [-2]]),
    ("floor", "0 at the jumps too", {}, [[2.0]], [2], [[0]]),
    ("sum", "0 if there are no entries", {}, [[]], 0, [[]]),
    ("mean", "nan if there are no entries", {}, [[]], nan, [[]]),
    ("prod", "1 if there are no entries", {}, [[]], 1, [[]]),
    ("var", "or nan if all entries are equal", {}, [[]], nan, [[]]),
    ("var", "or nan if all entries are equal", {"ddof": 1}, [[2.0]], nan, [[nan]]),
    ("logsumexp", "-inf if there are no entries", {}, [[]], -inf, [[]]),
    ("poisson_nll_loss", "at 1 its", {"full": True}, [[0.0], [1.0]], 1, [[0], [0]]),
]  # fmt: skip


@each(("name", "words", "options", "inputs", "result", "slopes"), CONVENTIONS, ids=lambda x: x if isinstance(x, str) else "")
def test_the_docstring_states_the_convention_and_the_code_follows_it(name, words, options, inputs, result, slopes):
    function = getattr(tg, name, None) or tg.families.PUBLIC[name]
    assert words in " ".join(function.__doc__.split())
    tensors = [np.array(x) if np.array(x).dtype == bool else Tensor(np.array(x, dtype=float)) for x in inputs]
    y = function(*tensors, **options)
    np.testing.assert_allclose(y.data, result, rtol=1e-12, atol=1e-12)
    y.backward(np.ones(y.shape))
    for x, slope in zip(tensors, slopes, strict=True):
        if slope is not None:  # of a mask
            np.testing.assert_allclose(x.grad, slope, rtol=1e-12, atol=1e-12)


@each("name", ["max", "min", "amax", "amin", "argmax", "argmin"])
def test_an_empty_array_has_no_extreme_entry(name):
    function = tg.families.PUBLIC[name]
    assert "Raises ValueError if there is no entry" in " ".join(function.__doc__.split())
    for x in (np.ones((0,)), Tensor(np.ones((0, 3)))):
        with pytest.raises(ValueError, match=f"^{function.__name__}: shape .* has no entry to choose from"):
            function(x)

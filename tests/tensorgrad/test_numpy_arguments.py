"""NumPy's functions on tensors: what NumPy means by a name and by the place of an argument, or an error."""

import inspect

import numpy as np
import pytest

from tensorgrad import Tensor
from tensorgrad.numpy_dispatch import DISPATCH, LOOKS, THEIRS
from tests.each import each

T = Tensor(np.array([1.0, np.nan, 3.0]))


@each(
    ("call", "said"),
    [
        (lambda: np.sum(T, 0, np.float32), "np.sum: dtype=<class 'numpy.float32'> has no meaning here"),
        (lambda: np.std(T, 0, None, None, 1), "np.std: dtype=None has no meaning here"),
        (lambda: np.nan_to_num(T, True), "np.nan_to_num: copy=True has no meaning here"),
        (lambda: np.take(T, [0], 0, None), "np.take: out=None has no meaning here"),
        (lambda: np.reshape(T, (3, 1), "F"), "np.reshape: order='F' has no meaning here"),
        (lambda: np.select([T > 1], [T, T]), "np.select: 1 conditions and 2 choices"),
    ],
)
def test_an_argument_in_the_place_of_another_is_refused(call, said):
    with pytest.raises((TypeError, ValueError)) as refusal:
        call()
    assert str(refusal.value).startswith(said)


def test_every_argument_that_a_function_has_no_place_for_is_refused_where_numpy_takes_it():
    checked = 0
    for function in DISPATCH.keys() - set(LOOKS):
        if not isinstance(function, np.ufunc) and function not in (np.astype, np.pad):
            parameters = inspect.signature(function).parameters.values()
            names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
            ours = list(inspect.signature(DISPATCH[function]).parameters)
            for i, name in enumerate(names):
                if name in THEIRS and ours[i : i + 1] != [name]:
                    with pytest.raises(TypeError, match="has no meaning here|there is no out|out="):
                        function(*[T, *[0] * (i - 1)], 7)
                    checked += 1
                    break
    assert checked > 20


def test_select_is_numpys():
    x = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -5.0]])
    t = Tensor(x)
    y = np.select([t > 2, t > 0], [t * 10, t * 100], default=-1)
    assert np.array_equal(y.data, np.select([x > 2, x > 0], [x * 10, x * 100], default=-1))
    y.sum().backward()
    assert t.grad.tolist() == [[100.0, 0.0, 10.0], [100.0, 10.0, 0.0]]


@each("shape", [(-2, 3), (3, -2), -6, (-1, -1), (-2, -3), [-3, 2]])
def test_a_shape_has_no_negative_length_but_one_that_is_left(shape):
    for x in (np.ones(6), Tensor(np.ones(6))):
        with pytest.raises(ValueError, match="^reshape: shape .* has 6 entries, which do"):
            np.reshape(Tensor(x), shape) if type(x) is np.ndarray else x.reshape(shape)

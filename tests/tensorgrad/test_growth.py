"""Costs grow in proportion to the number of variables and inputs: CPU time at n and 4n (4 if linear, 16 if quadratic).

They measure CPU time, and are slow ones, which .ci/run runs.
"""

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import backpropagation
from tensorgrad import Tensor
from tests.clock import assert_linear
from tests.each import each

pytestmark = pytest.mark.slow


def pieces(n, shape=(2,)):
    return [Tensor(np.ones(shape)) for _ in range(n)]


@each(
    "join",
    [
        tg.concatenate,
        tg.stack,
        tg.hstack,
        tg.vstack,
        lambda xs: tg.concatenate(xs, axis=None),
        lambda xs: tg.stack(xs, axis=1),
        lambda xs: tg.concatenate([*[x.data for x in xs], *xs]),
        lambda xs: tg.concatenate([*[[1, 2] for x in xs], *xs]),
    ],
    ids=["concatenate", "stack", "hstack", "vstack", "flattened", "columns", "beside arrays", "beside lists"],
)
def test_joining(join):
    assert_linear(lambda xs: join(xs).sum().backward(), pieces, 500)


@each("part", [lambda x, i: x[i], lambda x, i: x[[i]], lambda x, i: x[i : i + 1, ::2]], ids=["rows", "lists", "slices"])
def test_reading_a_large_array_in_parts(part):
    def loss(n):
        x = Tensor(np.ones((n, 512)))
        return sum(part(x, i).sum() for i in range(n)), x

    assert_linear(lambda made: made[0].backward(), loss, 200)


def test_differentiating_twice_through_the_rows_of_a_large_array():
    def loss(n):
        x = Tensor(np.ones((n, 512)))
        return sum((x[i] ** 3).sum() for i in range(n)), x

    def twice(made):
        z, x = made
        (tg.grad(z, x, create_graph=True) ** 2).sum().backward()
        assert x.grad[0, 0] == 36  # the derivative of (3x²)² at 1

    assert_linear(twice, loss, 200)


def chain(n):
    x, w = Tensor(np.ones(2)), Tensor(np.ones(2))
    z = x
    for _ in range(n):
        z = z * w + 1.0
    return z, [x, w]


def sum_of_leaves(n):
    xs = pieces(n)
    z = xs[0]
    for x in xs[1:]:
        z = z * x
    return z, xs


def joined(n):
    xs = pieces(n)
    return tg.concatenate([x * 2.0 for x in xs]), xs


def joined_arrays(n):
    x = Tensor(np.ones(2))
    return tg.concatenate([x, *[np.ones(2) for _ in range(n)]]), [x]


@pytest.mark.parametrize("graph", [chain, sum_of_leaves, joined, joined_arrays], ids=lambda graph: graph.__name__)
def test_the_report_of_memory(graph):
    def loss(n):
        z, leaves = graph(n)
        return z.sum(), leaves

    assert_linear(lambda made: str(tg.memory(made[0])), loss, 200)


def test_the_teaching_loop_through_a_function_of_many_inputs():
    assert_linear(lambda made: backpropagation(made[0]), lambda n: (joined(n)[0].sum(),), 400)

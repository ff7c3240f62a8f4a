"""The graph of all entries: each is one function of entries, and its derivatives are those of the tensors."""

import math

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.each import each
from tutorial.graphs.matrices import fan_out

RNG = np.random.default_rng(3)


def leaves(**shapes):
    return [Tensor(RNG.normal(size=shape).round(1), name=name) for name, shape in shapes.items()]


def matrices():
    v = fan_out()
    return v["z"], [v[name] for name in "ABD"]


def softmax_with_cross_entropy():
    (X,) = leaves(X=(2, 3))
    return -(np.array([[0.0, 1, 0], [0, 0, 1]]) * np.log(tg.softmax(X, axis=1))).sum(), [X]


def attention():
    Q, K, V = leaves(Q=(3, 2), K=(3, 2), V=(3, 2))
    return (tg.softmax(Q @ K.T / math.sqrt(2), axis=1) @ V).sum(), [Q, K, V]


def convolution():
    X, K = leaves(X=(1, 1, 5, 5), K=(1, 1, 3, 3))
    return tg.relu(tg.conv2d(X, K)).sum(), [X, K]


@each("graph", [matrices, softmax_with_cross_entropy, attention, convolution])
def test_the_derivatives_of_the_entries_are_the_entries_of_the_gradient(graph):
    z, inputs = graph()
    trace = Trace(z)
    entries = trace.on.entries()
    inner = Trace(entries[trace.graph.z].item(), names={})
    assert {id(v) for v in inner.graph.variables} <= {id(x) for array in entries.values() for x in array.flat}  # nothing else
    z.backward()
    for X in inputs:
        found = [[inner.computed[x].number if x in inner.computed else 0.0 for x in entries[X.node].flat]]
        np.testing.assert_allclose(np.reshape(found, X.shape), X.grad, rtol=1e-12, atol=1e-12)


def test_the_entries_are_known_after_a_backward_pass_too():
    (A,) = leaves(A=(2, 2))
    z = ((A @ np.ones((2, 2))) ** 2).sum()
    z.backward()
    trace = Trace(z)
    inner = Trace(trace.on.entries()[trace.graph.z].item(), names={})
    assert [inner.computed[a].number for a in inner.graph.variables if not a.inputs] == pytest.approx(A.grad.reshape(-1).tolist())


def test_an_entry_that_is_only_moved_stays_the_same_variable():
    (A,) = leaves(A=(2, 3))
    B = A.T
    entries = Trace((B * B).sum()).on.entries()
    assert entries[B.node][2, 1] is entries[A.node][1, 2] and entries[A.node][1, 2].name == "a23"


def test_an_entry_that_depends_on_no_input_is_a_number():
    (A,) = leaves(A=(2, 2))
    B = np.pad(A, 1)
    entries = Trace(B.sum()).on.entries()[B.node]
    assert not isinstance(entries[0, 0], Value) and isinstance(entries[1, 1], Value)


def test_the_entries_of_a_tensor_with_a_number_in_its_name_are_told_apart():
    W1, W11 = leaves(W1=(2, 2), W11=(2,))
    entries = Trace((W1 * W11).sum()).on.entries()
    assert entries[W1.node][0, 1].name == "W1[0,1]" and entries[W11.node][1].name == "W11[1]"

"""Programs that published engines of this kind get wrong or crash on; each is right here, on numbers and on arrays.

They come from a comparison of nine engines. The numbers in a test's name are the right result, and a wrong one that was found.
"""

import numpy as np
import pytest

import scalargrad
import tensorgrad
from scalargrad import Value
from tensorgrad import Tensor
from tests.each import each

ROOMS = {"scalargrad": Value, "tensorgrad": Tensor}
BOTH = pytest.mark.parametrize("leaf", ROOMS.values(), ids=ROOMS)


@BOTH
def test_diamond_over_an_intermediate_variable(leaf):
    x = leaf(3.0)
    y = x * x
    (y + y).backward()
    assert x.grad == 12.0


@BOTH
@pytest.mark.parametrize("height", [16, 60])
def test_stacked_diamonds_take_one_visit_per_edge(leaf, height):
    x = leaf(1.0)
    y = x
    for _ in range(height):
        y = y + y
    y.backward()
    assert x.grad == 2.0**height  # 2**60 paths would take centuries


@BOTH
def test_a_chain_of_5000_functions(leaf):
    x = leaf(2.0)
    y = x
    for _ in range(2500):
        y = y * 1.0 + 0.5
    y.backward()
    assert x.grad == 1.0
    del y


@BOTH
def test_an_unused_branch_leaves_the_gradient_at_4_and_not_0(leaf):
    x = leaf(2.0)
    y = x * x
    dead = y * 10.0
    y.backward()
    assert x.grad == 4.0 and dead.data == 40.0


@BOTH
def test_two_backward_passes_give_216_and_not_324(leaf):
    x = leaf(3.0)
    y = x * x
    z = y * y
    z.backward(**({"retain_graph": True} if leaf is Tensor else {}))
    assert x.grad == 108.0
    z.backward()
    assert x.grad == 216.0
    x.grad = None if leaf is Tensor else 0
    ((x * x) * (x * x)).backward()
    assert x.grad == 108.0


def test_a_pass_through_a_released_graph_is_an_error_and_not_a_silent_no_op():
    x = Tensor(3.0)
    z = x * x
    z.backward()
    with pytest.raises(RuntimeError, match="was released by an earlier backward pass"):
        z.backward()
    assert x.grad == 6.0


@BOTH
def test_a_leaf_that_is_changed_before_backward_gives_2_and_not_200(leaf):
    x = leaf(1.0)
    z = x * x
    x.data = 100.0
    z.backward()
    assert x.grad == 2.0


def test_the_array_that_a_leaf_was_made_from_is_changed_before_backward():
    a = np.array([1.0])
    x = Tensor(a)
    z = (x * x).sum()
    a[:] = 100.0
    with pytest.raises(ValueError, match="read-only"):
        x.data[:] = 100.0
    z.backward()
    assert x.grad.tolist() == [2.0]


@each("name", ["add", "sub", "mul", "div", "pow"])
@each(("a", "b"), [((3, 1), (4,)), ((3, 4), (4,)), ((3, 4), ()), ((2, 1, 4), (3, 1)), ((1,), (3, 4)), ((1, 1), ())])
def test_gradients_of_broadcast_inputs_have_their_shapes(name, a, b):
    rng = np.random.default_rng(0)
    x, y = Tensor(1 + rng.random(a)), Tensor(1 + rng.random(b))
    z = getattr(tensorgrad, name)(x, y).sum()
    seen = tensorgrad.zoom(z)
    z.backward()
    seen.z.backward()
    for t in (x, y):
        assert t.grad.shape == t.shape
        np.testing.assert_allclose(t.grad, np.reshape([v.grad for v in seen[t].ravel()], t.shape))


@each(
    ("a", "b"),
    [
        ((2, 3, 4), (4, 5)),
        ((3, 4), (2, 4, 5)),
        ((3, 4), (4,)),
        ((4,), (4, 5)),
        ((4,), (4,)),
        ((2, 3, 4), (4,)),
        ((4,), (2, 4, 5)),
        ((2, 1, 3, 4), (6, 4, 5)),
    ],
)
def test_products_of_stacks_of_matrices_and_of_vectors(a, b):
    rng = np.random.default_rng(0)
    A, B = Tensor(rng.random(a)), Tensor(rng.random(b))
    C = A @ B
    assert C.shape == np.matmul(A.data, B.data).shape
    G = rng.random(C.shape)
    C.backward(G)
    for t in (A, B):
        assert t.grad.shape == t.shape
        for _ in range(3):  # the product is linear in each input
            line = rng.random(t.shape)
            moved = np.matmul(line, B.data) if t is A else np.matmul(A.data, line)
            assert (t.grad * line).sum() == pytest.approx((moved * G).sum())


@each("index", [[0, 0, 1], np.array([0, 0, 1]), np.array([0, -4, 1])])
def test_an_index_that_repeats_gives_2_1_0_0_and_not_1_1_0_0(index):
    x = Tensor([5.0, 6.0, 7.0, 8.0])
    x[index].sum().backward()
    assert x.grad.tolist() == [2.0, 1.0, 0.0, 0.0]


@each("left", [np.array([1.0, 2.0]), np.float64(2.0), np.float32(2.0), np.array(2.0), np.array([1, 2])])
def test_an_array_times_a_tensor_stays_a_tensor(left):
    x = Tensor([3.0, 4.0])
    z = left * x
    assert type(z) is Tensor and z.dtype == np.float64
    z.sum().backward()
    assert x.grad.tolist() == np.broadcast_to(left, 2).astype(float).tolist()


def test_backward_of_several_entries_without_an_upstream_gradient_is_an_error_that_says_what_to_do():
    x = Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match=r"it has shape \(2,\); write z\.sum\(\)\.backward\(\), or pass upstream="):
        (x * x).backward()
    assert x.grad is None


def test_both_engines_agree_on_a_program_with_all_of_it():
    def program(x, tanh):
        y = x * x
        dead = y * 3.0
        for _ in range(20):
            y = y * 0.5 + x
        return tanh(y + y) * y, dead

    found = []
    for leaf, room in ((Value, scalargrad), (Tensor, tensorgrad)):
        x = leaf(0.25)
        z, _ = program(x, room.tanh)
        z.backward()
        found.append(float(x.grad))
    assert found[0] == pytest.approx(found[1], rel=1e-14)

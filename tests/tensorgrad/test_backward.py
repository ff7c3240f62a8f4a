"""backward() on tensors: accumulation, kept gradients, release, errors half-way, derivatives of derivatives."""

import copy
import gc
import re
import subprocess
import sys
import tracemalloc
import weakref
from contextvars import ContextVar
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensorgrad as tg
from scalargrad import CycleError, Graph, Value, backpropagation
from scalargrad import grad as scalar_grad
from tensorgrad import Tensor, backward, checkpoint, function, grad, matmul, no_grad, tanh, zoom
from tensorgrad.rule import rule
from tests.each import each, swept
from tests.examples import at_most
from tests.interrupted import interrupted
from tests.tensorgrad.case import Case
from tests.tensorgrad.cases import every_case

ROOT = Path(__file__).parent.parent.parent


@st.composite
def graphs(draw):
    """Make a graph of 2×2 arrays of small integers: leaves, then functions of earlier variables."""
    numbers = st.integers(-3, 3)
    arrays = draw(st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=1, max_size=4))
    variables = [Tensor(np.reshape(a, (2, 2)), name=f"x{i}") for i, a in enumerate(arrays)]
    functions = [
        lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a @ b * 0.25, lambda a, b: a + b.sum(axis=0) * 0.5,
        lambda a, b: a * b.sum(axis=1, keepdims=True) * 0.125, lambda a, b: -a, lambda a, b: a * 2,
    ]  # fmt: skip
    for _ in range(draw(st.integers(1, 12))):
        f, i, j = (draw(st.integers(0, n - 1)) for n in (len(functions), len(variables), len(variables)))
        variables.append(functions[f](variables[i], variables[j]))
    return variables


@given(graphs())
@at_most(100)
def test_backward_agrees_with_the_pseudocode(variables):
    z = variables[-1].sum()
    expected = backpropagation(z)  # the loop that gathers
    met = [v for v in variables if v.node in expected]
    for v in met:
        v.keep_grad = True
    z.backward()
    for v in met:
        np.testing.assert_array_equal(v.grad, expected[v.node], strict=True)
    assert all(v.grad is None for v in variables if v.node not in expected)  # branches that z does not use


@given(graphs())
@at_most(30)
def test_backward_agrees_with_the_scalar_graph(variables):
    leaves = [v for v in variables if v.rule is None]
    z = variables[-1].sum()
    seen = zoom(z)
    seen.z.backward()
    z.backward()
    for x in leaves:
        if x.node in seen.values:
            np.testing.assert_allclose(x.grad, [[v.grad for v in row] for row in seen[x]], rtol=1e-12, atol=1e-12)


# Accumulation


def test_a_variable_used_twice_by_one_function_gets_both_contributions():
    x = Tensor([1.0, 2.0])
    (x + x).backward([1.0, 10.0])
    assert x.grad.tolist() == [2.0, 20.0]


def test_each_variable_of_stacked_diamonds_is_processed_once():
    x = Tensor([1.0, 2.0])
    y = x
    for _ in range(22):
        y = y + y
    y.sum().backward()
    assert x.grad.tolist() == [2.0**22] * 2


def test_paths_that_meet_again_add_up():
    x = Tensor([1.0, 2.0, 3.0])
    y = x * x
    z = (y * y + y).sum()
    z.backward()
    assert x.grad.tolist() == [4 * a**3 + 2 * a for a in (1, 2, 3)]


def test_gradients_of_several_calls_add_up_until_zero_grad():
    x, w = Tensor([1.0, 2.0]), Tensor(3.0)
    for calls in (1, 2, 3):
        (x * w).sum().backward()
        assert x.grad.tolist() == [3.0 * calls] * 2 and w.grad == 3.0 * calls
    z = (x * w).sum()
    z.zero_grad()
    assert x.grad is None and w.grad is None
    z.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_zero_grad_of_a_leaf_clears_that_leaf_only():
    x, w = Tensor([1.0]), Tensor([2.0])
    (x * w).sum().backward()
    x.zero_grad()
    assert x.grad is None and w.grad.tolist() == [1.0]


def test_accumulating_makes_a_new_array_and_leaves_the_old_one_unchanged():
    x = Tensor([1.0, 2.0])
    (x * 3).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    assert first.tolist() == [3.0, 3.0] and x.grad.tolist() == [6.0, 6.0]


def test_two_results_of_shared_variables_accumulate_without_stale_gradients():
    x = Tensor([3.0])
    y = x * x
    y.keep_grad = True
    a, b = (y * 2).sum(), (y * y).sum()
    a.backward(retain_graph=True)
    b.backward()
    assert x.grad == 12.0 + 108.0 and y.grad == 2.0 + 18.0


# Upstream gradients


def test_an_upstream_gradient_has_the_shape_of_z():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    y = x * 2
    y.backward([[1, 10], [100, 1000]])
    assert x.grad.tolist() == [[2, 20], [200, 2000]]


@each("shape", [(), (1,), (1, 1, 1)])
def test_a_z_of_one_entry_starts_from_1(shape):
    x = Tensor(np.full(shape, 3.0))
    (x * x).backward()
    assert x.grad.shape == shape and x.grad.item() == 6.0


def test_backward_may_start_at_a_leaf():
    x = Tensor(3.0)
    x.backward()
    x.backward(upstream=4.0)
    assert x.grad == 5.0 and x.grad.shape == ()


def test_the_upstream_gradient_may_be_a_tensor_and_gradients_are_still_arrays():
    x = Tensor([1.0, 2.0])
    (x * x).backward(Tensor([1.0, 10.0]))
    assert type(x.grad) is np.ndarray and x.grad.tolist() == [2.0, 40.0]


def test_float32_leaves_get_float32_gradients_in_mixed_graphs():
    x, w = Tensor([1.0, 2.0], dtype=np.float32), Tensor([3.0, 4.0])
    (x * w).sum().backward()
    assert x.grad.dtype == np.float32 and w.grad.dtype == np.float64


# Every gradient has an array of its own


X = np.array([1.0, 2.0])
UPSTREAM = {
    "none": lambda t: t.sum(),
    "an array": lambda t: (t, np.array([1.0, 10.0])),
    "a broadcast array": lambda t: (t, np.broadcast_to(1.0, 2)),
    "a read-only array": lambda t: (t, Tensor([1.0, 10.0]).data),
    "a list": lambda t: (t, [1, 10]),
    "a tensor": lambda t: (t, Tensor([1.0, 10.0])),
    "a tensor of float32": lambda t: (t, Tensor([1.0, 10.0], dtype=np.float32)),
    "a computed tensor": lambda t: (t, Tensor([1.0, 10.0]) * 1),
    "a constant": lambda t: (t, Tensor([1.0, 10.0], keep_grad=False)),
}
FUNCTIONS = {
    "itself": lambda x: x, "+ 0": lambda x: x + 0, "reshape": lambda x: x.reshape(2, 1).reshape(2), "repeated": lambda x: x + x,
    "broadcast": lambda x: (x[None] * 2).sum(axis=0), "checkpoint": lambda x: checkpoint(lambda t: t + 0, x),
    "function": lambda x: function(lambda t: t + 0)(x), "transposed": lambda x: x.T, "relu": tg.relu, "indexed": lambda x: x[:],
}  # fmt: skip
HOOKS = [[], [lambda G: None], [lambda G: G * 1], [lambda G: Tensor([5.0, 6.0])]]


@each("f", FUNCTIONS.values(), ids=FUNCTIONS)
@each("upstream", UPSTREAM.values(), ids=UPSTREAM)
def test_every_gradient_is_a_writable_array_of_its_own(upstream, f):
    for dtype, hook in product([np.float64, np.float32], HOOKS):
        x = Tensor(X, dtype=dtype)
        x.hooks.extend(hook)
        y = f(x)
        y = y.reshape(2) if y.shape != (2,) else y
        y.keep_grad = True
        z, *given = found if type(found := upstream(y)) is tuple else (found,)
        arrays = [a for t in (x, y, *given) for a in [getattr(t, "_data", t)] if type(a) is np.ndarray]
        for _ in range(2):
            z.backward(*given, retain_graph=True)
            kept = [x.grad] if y is x else [x.grad, y.grad]
            for i, g in enumerate(kept):
                assert type(g) is np.ndarray and g.flags.writeable and g.dtype == dtype and g.shape == (2,)
                assert not any(np.shares_memory(g, a) for a in [*arrays, *kept[:i]])
                g[:] = 0.0


def test_with_create_graph_no_gradient_is_the_upstream_tensor_or_another_gradient():
    x, w, upstream = Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), Tensor([1.0, 10.0], dtype=np.float32)
    z = x + w
    with no_grad():
        z.backward(upstream, create_graph=True)
    assert len({id(t) for t in (x.grad, w.grad, upstream)}) == 3
    assert x.grad.tolist() == w.grad.tolist() == [1.0, 10.0] and x.grad.dtype == np.float64
    (x.grad * x.grad + w.grad).sum().backward()  # both depend on the upstream gradient
    assert upstream.grad.tolist() == [3.0, 21.0]
    upstream.data = [0.0, 0.0]
    assert x.grad.tolist() == [1.0, 10.0]
    g = grad((x + w).sum() * 1, [x, w], upstream=(one := Tensor(1.0)), create_graph=True)
    assert g[0] is not g[1] and one not in [t.node for t in g]


def test_the_upstream_tensor_is_not_changed():
    x, upstream = Tensor([1.0, 2.0]), Tensor([5.0, 6.0])
    for z in (x, x + 0, (x + 0).reshape(2)):
        x.grad = None
        z.backward(upstream)
        x.grad[0] = -1.0
        assert upstream.tolist() == [5.0, 6.0]


@each("f", [lambda x: x + 0, lambda x: x.reshape(-1), lambda x: x.T, lambda x: x[None]])
def test_backward_copies_the_upstream_array_once(f):
    x = Tensor(np.ones((256, 256)))
    z, G = f(x), np.ones(f(x).shape)
    tracemalloc.start()
    try:
        z.backward(G)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert G.nbytes <= most < 1.5 * G.nbytes


SHAPED = {
    "(-1,)": lambda x: x.reshape(-1),
    "expand_dims": lambda x: tg.expand_dims(x, 1),
    "twice": lambda x: tg.expand_dims(x, 1).squeeze(),
}


def most_memory(z, given):
    """Start a backward pass with the array that only the list `given` holds. Return the most bytes that the pass has needed at once."""
    tracemalloc.start()
    try:
        z.backward(given.pop())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@each("f", SHAPED.values(), ids=SHAPED)
def test_an_upstream_array_that_nothing_else_refers_to_becomes_the_gradient_without_a_copy(f):
    x = Tensor(np.ones((256, 256)))
    z, given = f(x), [np.full(f(x).shape, 3.0)]
    most = most_memory(z, given)
    assert most < 0.5 * x.grad.nbytes and (x.grad == 3).all() and x.grad.flags.writeable


@each("f, kept", [(tg.vstack, False), (tg.stack, False), (tg.hstack, True), (lambda xs: tg.vstack(xs[:1] * 2), True)])
def test_the_parts_of_an_upstream_array_become_gradients_if_they_lie_apart_and_fill_it(f, kept):
    xs = [Tensor(np.ones((128, 256))) for _ in range(2)]
    z = f(xs)
    given = [np.arange(float(z.size)).reshape(z.shape)]
    expected = [np.array(part) for part in (given[0] if z.ndim == 3 else np.split(given[0], 2, 1 if z.shape[0] == 128 else 0))]
    most = most_memory(z, given)
    assert (most > 0.9 * xs[0].grad.nbytes) == kept
    if xs[1].grad is not None:
        assert all(np.array_equal(x.grad, part) and x.grad.flags.writeable for x, part in zip(xs, expected))
        xs[0].grad[:] = -1.0
        assert np.array_equal(xs[1].grad, expected[1])


@each("f", SHAPED.values(), ids=SHAPED)
@each("holder", [lambda G: G, lambda G: G[:2], memoryview, lambda G: [G], lambda G: G.T])
def test_a_gradient_stays_when_an_upstream_array_changes_that_anything_refers_to(f, holder):
    x = Tensor(np.ones((3, 4)))
    z = f(x)
    given = [np.full(z.shape, 3.0)]
    address, held = given[0].__array_interface__["data"][0], holder(given[0])
    z.backward(given.pop())
    assert held is not None and x.grad.__array_interface__["data"][0] != address


def test_a_gradient_with_a_graph_does_not_change_with_the_upstream_array():
    for dz_dx in (lambda z, x, G: z.backward(G, create_graph=True) or x.grad, lambda z, x, G: grad(z, x, upstream=G, create_graph=True)):
        x, G = Tensor([1.0, 2.0]), np.array([5.0, 6.0])
        found = dz_dx(x * x, x, G)
        G[:] = 0.0
        assert found.tolist() == [10.0, 24.0]
        assert grad(found.sum(), x).tolist() == [10.0, 12.0]


def test_the_upstream_array_is_not_changed():
    x, upstream = Tensor([1.0, 2.0]), np.array([5.0, 6.0])
    x.backward(upstream)
    x.grad[0] = -1.0
    assert upstream.tolist() == [5.0, 6.0]
    upstream[1] = 0.0
    assert x.grad.tolist() == [-1.0, 6.0]


@each(
    "z",
    [
        lambda x, y: ((x + y) * 2.0).sum(),
        lambda x, y: (x + y).sum(),
        lambda x, y: ((x - y) * x).sum(),
        lambda x, y: ((x + 0) + (y + 0)).sum(),
        lambda x, y: (x.reshape(2, 1) + y.reshape(2, 1)).sum(),
        lambda x, y: (x.transpose() + y.transpose()).sum(),
    ],
)
def test_two_leaves_never_share_one_gradient_array(z):
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    z(x, y).backward()
    expected = y.grad.copy()
    x.grad[...] = 1000.0
    assert y.grad.tolist() == expected.tolist()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [1001.0, 1001.0] and y.grad.tolist() == expected.tolist()


def test_only_a_gradient_that_something_else_shows_is_copied(monkeypatch):
    copied, another = [], backward.another
    monkeypatch.setattr(backward, "another", lambda *given: copied.append(given) or another(*given))
    n = backward.LARGE  # a copy of fewer entries takes less time than to find out whether it is needed
    x, G = Tensor(np.ones((n // 4, 4))), np.ones(n)
    for f, upstream, count in [
        (tg.tril, np.ones((n // 4, 4)), 0),  # its new array is an array of integers, seen as floats
        (lambda x: tg.layer_norm(x, 4).reshape(n), np.ones(n), 0),
        (lambda x: x.reshape(n), G, 1),
        (lambda x: tg.broadcast_to(x, x.shape), np.ones((n // 4, 4)), 1),
    ]:
        x.grad = None
        copied.clear()
        f(x).backward(upstream)
        assert len(copied) == count and x.grad.flags.writeable
    x.grad = None
    x.reshape(n).backward(G)
    G[...] = 1000.0
    assert (x.grad == 1).all()


def test_a_kept_variable_and_the_leaf_below_it_do_not_share_an_array():
    x = Tensor([1.0, 2.0])
    y = x + 0
    y.keep_grad = True
    (y * 3).sum().backward()
    y.grad[...] = 1000.0
    assert x.grad.tolist() == [3.0, 3.0]


CASES = every_case()


@each("case", [c for c in CASES if isinstance(c, Case)], ids=repr)
def test_no_other_variable_shares_a_gradient_array(case):
    tensors = [Tensor(a) for a in case.arrays()]
    y = case(*tensors)
    if y.rule is None:  # a constant, or x itself
        return
    y.keep_grad = True
    y.backward(np.ones(y.shape), retain_graph=True)
    held = [y._data, *[t._data for t in tensors], *y.node.rule.saved(y.node).values()]
    held += [a for a in (y.node.aux if isinstance(y.node.aux, tuple) else [y.node.aux]) if type(a) is np.ndarray]
    kept = [t.grad for t in [*tensors, y] if t.grad is not None]
    for i, g in enumerate(kept):
        assert g.flags.writeable
        assert not any(np.shares_memory(g, a) for a in [*held, *kept[:i]] if a.size), f"{case.name}: a gradient shares memory"


# Kept gradients


def test_gradients_start_at_none_and_intermediate_variables_keep_none():
    x = Tensor([1.0, 2.0])
    y = x * x
    z = y.sum()
    assert x.grad is y.grad is z.grad is None
    z.backward()
    assert x.grad is not None and y.node.grad is None and z.node.grad is None


def test_a_constant_has_no_gradient_and_does_not_change_that_of_others():
    x, c = Tensor([1.0, 2.0]), Tensor([3.0, 4.0], keep_grad=False)
    (x * c).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0] and c.grad is None and c.node is None


def test_a_detached_variable_and_no_grad_cut_the_graph():
    x = Tensor([1.0, 2.0])
    (x * x.detach()).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]
    with no_grad():
        y = x * x
    assert y.node is None
    (x * y).sum().backward()
    assert x.grad.tolist() == [2.0, 6.0]


def test_branches_that_z_does_not_use_are_harmless():
    x = Tensor(2.0)
    y = x * x
    dead = [y * 3, y + 1, (y * y) * 2]
    (y + x).backward()
    assert x.grad == 5.0
    assert all(d.node._pending == 0 for d in dead)
    with pytest.raises(RuntimeError, match="released"):
        dead[0].backward()


# Release


def test_the_pass_releases_saved_arrays_as_it_goes():
    freed_before = []

    def watched_vjp(G, x):
        """dz/dx = dz/dy · 2 x"""
        freed_before.append([r() is None for r in saved])
        return G * x * 2

    @rule(watched_vjp)
    def watched(x):
        return x * x

    x = Tensor(np.ones(3))
    saved = []
    y = x
    for _ in range(4):
        y = watched(y)
        saved.append(weakref.ref(y._data))
    z = y.sum()
    del y
    z.backward()
    assert freed_before == [[False, False, False, True], [False, False, True, True], [False, True, True, True], [True] * 4]


def test_a_graph_is_freed_with_z_and_by_backward_without_the_garbage_collector():
    gc.collect()
    gc.disable()
    try:
        x = Tensor([1.0, 2.0])
        y = tanh(x * x + x)
        z = (y @ y).sum() if y.ndim == 2 else (y * y).sum()
        nodes = [weakref.ref(n) for n in (y.node, z.node)]
        del y, z
        assert [n() for n in nodes] == [None, None]
        z = (tanh(x * 2) * x).sum()
        z.backward()
        z.backward(retain_graph=True) if not z.node.released else None
        del z
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_second_pass_says_that_the_graph_was_released_and_changes_nothing():
    x = Tensor([1.0, 2.0], name="x")
    z = (x * x).sum()
    z.backward()
    with pytest.raises(RuntimeError, match=r"backward\(\): z \(made by sum\) was released .*retain_graph=True"):
        z.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_a_graph_whose_lower_half_was_released_is_refused_before_anything_changes():
    x = Tensor([1.0, 2.0])
    y = x * x
    a, b = y.sum(), (y * 3 + x).sum()
    a.backward()
    before = x.grad.copy()
    with pytest.raises(RuntimeError, match=r"y \(made by mul\) was released"):
        b.backward()
    assert x.grad.tolist() == before.tolist()
    assert not b.node.released and all(n._pending == 0 for n in Graph(b).variables)


def test_retain_graph_allows_any_number_of_passes():
    x = Tensor([1.0, 2.0])
    z = (x * x).sum()
    for calls in (1, 2, 3):
        z.backward(retain_graph=True)
        assert x.grad.tolist() == [2.0 * calls, 4.0 * calls]
    z.backward()
    with pytest.raises(RuntimeError, match="released"):
        z.backward()


# Depth


@swept("keep", [True, False], every=2, ids=["leaf kept", "all interior"])
def test_a_chain_of_100_000_functions_needs_no_recursion(keep):
    gc.collect()
    gc.disable()
    try:
        limit = sys.getrecursionlimit()
        x = Tensor(1.0)
        y = x
        for _ in range(100_000):
            y = y + 0.5
        bottom = weakref.ref(y.node)
        y.backward(retain_graph=keep)
        assert x.grad == 1.0 and y.data == 50_001.0
        repr(y)
        del y
        assert bottom() is None and gc.collect() == 0
        assert sys.getrecursionlimit() == limit
    finally:
        gc.enable()


def test_a_sum_of_10_000_terms_has_all_its_gradients():
    x = Tensor(2.0)
    total = sum([x * i for i in range(10_000)])
    total.backward()
    assert x.grad == sum(range(10_000))


# Errors in the middle of a pass


def failing(error):
    """A function whose vjp raises."""

    def failing_vjp(G):
        """dz/dx = dz/dy"""
        if error is not None:
            raise error
        return G

    @rule(failing_vjp)
    def fails(x):
        return x * 1.0

    return fails


@each("error", [KeyboardInterrupt(), ZeroDivisionError("in a vjp"), MemoryError()], ids=lambda e: type(e).__name__)
def test_a_vjp_that_raises_changes_no_gradient_and_the_next_pass_works(error):
    x, w = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    x.grad = np.array([5.0, 5.0])
    y = failing(error)(x * w)
    z = (y * w + w).sum()
    with pytest.raises(type(error)):
        z.backward(retain_graph=True)
    assert x.grad.tolist() == [5.0, 5.0] and w.grad is None
    assert all((n._pending, n._total) == (0, None) for n in Graph(z).variables)
    (x * w).sum().backward()
    assert x.grad.tolist() == [8.0, 9.0] and w.grad.tolist() == [1.0, 2.0]


@swept("delay", [0.001, 0.005, 0.02], every=3)
def test_after_ctrl_c_at_any_moment_the_next_pass_works(delay):
    x = Tensor(1.0)
    y = x
    for _ in range(20_000):
        y = y + 1.0
    with interrupted(delay):
        while True:
            y.backward(retain_graph=True)
    y.zero_grad()
    y.backward(retain_graph=True)
    assert x.grad == 1.0


def take_too(y, x):
    """Make x an input of y by hand."""
    y.node.edges = (*y.node.edges, (x.node, 0, y.node.edges[0][2]))
    y.node.arguments = (*y.node.arguments, x.node)


def test_the_error_for_a_cycle_names_its_variables():
    x = Tensor([1.0], name="x")
    y = x * 2
    y.name = "y"
    z = y.sum()
    z.name = "z"
    take_too(y, z)
    with pytest.raises(CycleError, match="the graph has a cycle: .*y.*z.*a variable cannot be its own ancestor"):
        z.backward()
    assert x.grad is None
    own = Tensor([1.0], name="own") * 2
    own.name = "own"
    take_too(own, own)
    with pytest.raises(CycleError, match="own -> own"):
        own.backward()


def test_a_cycle_that_does_not_contain_z_is_an_error_and_loses_no_gradient():
    x, w = Tensor([1.0], name="x"), Tensor([2.0], name="w")
    u = x * 2
    v = u * 3
    z = (v + w).sum()
    for t, name in ((u, "u"), (v, "v"), (z, "z")):
        t.name = name
    take_too(u, v)
    with pytest.raises(CycleError, match="u -> v -> u|v -> u -> v"):
        z.backward()
    assert x.grad is None and w.grad is None
    assert {n._pending for n in (x.node, w.node, u.node, v.node, z.node)} == {0}


def test_hooks_see_the_total_and_may_replace_it():
    x, seen = Tensor([1.0, 2.0]), []
    y = x * 2
    y.hooks.append(lambda G: seen.append(G.copy()))
    y.hooks.append(lambda G: G * 10)
    (y + y * 2).sum().backward()
    assert seen[0].tolist() == [3.0, 3.0] and x.grad.tolist() == [60.0, 60.0]


# Derivatives of derivatives


def derivatives(f, x, many):
    """Return f, f', f'', ... at the array x, each by differentiating the one before."""
    t = Tensor(x)
    y = f(t)
    found = [y.data]
    for _ in range(many):
        (y,) = grad(y.sum(), [t], create_graph=True)
        found.append(y.data)
    return found


def test_repeated_derivatives_of_a_power_end_at_zero():
    x = np.array([1.0, 2.0, -3.0])
    found = derivatives(lambda t: t * t * t * t + 2 * t * t, x, 4)
    for got, expected in zip(found, [x**4 + 2 * x**2, 4 * x**3 + 4 * x, 12 * x**2 + 4, 24 * x, np.full(3, 24.0)]):
        np.testing.assert_allclose(got, expected, rtol=1e-13)


def test_four_derivatives_of_tanh_agree_with_the_scalar_graph():
    points = [-1.5, 0.0, 0.25, 2.0]
    found = derivatives(lambda t: tanh(t * t) * t, np.array(points), 4)
    for i, point in enumerate(points):
        v = Value(point)
        y = (v * v).tanh() * v
        for order in range(5):
            assert found[order][i] == pytest.approx(getattr(y, "data", y), rel=1e-11, abs=1e-11)
            if order < 4:
                (y,) = scalar_grad(y, [v], create_graph=True)


def test_the_hessian_of_a_quadratic_form_is_its_symmetric_matrix():
    dice = np.random.default_rng(3)
    M = dice.standard_normal((3, 3))
    x = Tensor(dice.standard_normal((3, 1)))
    z = (x * matmul(M, x)).sum()
    (first,) = grad(z, [x], create_graph=True)
    np.testing.assert_allclose(first.data, (M + M.T) @ x.data)
    rows = [grad((first * np.eye(3)[i].reshape(3, 1)).sum(), x, retain_graph=True).ravel() for i in range(3)]
    np.testing.assert_allclose(rows, M + M.T)


def test_create_graph_gives_gradients_that_are_variables_and_retains_the_graph():
    x = Tensor([2.0, 3.0])
    z = (x * x * x).sum()
    z.backward(create_graph=True)
    assert type(x.grad) is Tensor and x.grad.node is not None
    first, x.grad = x.grad, None
    first.sum().backward(retain_graph=True)
    assert x.grad.tolist() == [12.0, 18.0]
    z.backward()  # it was retained
    assert x.grad.tolist() == [24.0, 45.0]


def test_a_gradient_penalty_reaches_every_weight():
    dice = np.random.default_rng(0)
    x, W = Tensor(dice.standard_normal((4, 3))), Tensor(dice.standard_normal((3, 2)))

    def penalty(W_data):
        (slope,) = grad(tanh(x @ W_data).sum(), [x], create_graph=True)
        return (slope * slope).sum()

    got = grad(penalty(W), W)
    for place in np.ndindex(3, 2):
        sides = []
        for step in (1e-6, -1e-6):
            moved = W.data.copy()
            moved[place] += step
            sides.append(penalty(Tensor(moved)).item())
        assert got[place] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-5)


# grad() leaves .grad alone


def test_grad_leaves_every_grad_unchanged():
    x, w = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    y = x * w
    dy, dx = grad((y * y).sum(), [y, x])
    assert dy.tolist() == [6.0, 16.0] and dx.tolist() == [18.0, 64.0]
    assert x.grad is w.grad is y.grad is None


def test_grad_takes_one_variable_twice_in_the_list():
    x = Tensor([1.0, 2.0])
    a, b = grad((x * x).sum(), [x, x])
    assert a.tolist() == b.tolist() == [2.0, 4.0]


# Copies


def test_a_copied_leaf_is_independent():
    x = Tensor([1.0, 2.0], name="x")
    (x * 3).sum().backward()
    other = copy.deepcopy(x)
    assert other.node is not x.node and other.name == "x" and other.node.data.tolist() == [1.0, 2.0]
    (other * 5).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    other.data = [7.0, 8.0]
    assert x.data.tolist() == [1.0, 2.0] and other.node.data.tolist() == [7.0, 8.0]


@each("shape", [(3, 2), (1, 3), (6,), (2, 3, 1)])
def test_a_contribution_that_cannot_be_summed_to_its_variable_is_refused(shape):
    def vjp(G):
        """dz/dx, in a wrong shape"""
        return np.ones(shape)

    @rule(vjp)
    def wrong(x):
        return x * 2

    x = Tensor(np.ones((2, 3)), name="x")
    with pytest.raises(ValueError, match=rf"wrong: .* returned shape {re.escape(str(shape))}, .* of x"):
        wrong(x).sum().backward()
    assert x.grad is None


def test_hooks_see_the_context_of_the_caller():
    seen, lesson = [], ContextVar("lesson", default="none")
    x = Tensor([1.0])
    x.hooks.append(lambda G: seen.append((lesson.get(), np.geterr()["divide"])))
    lesson.set("five")
    (x * x).sum().backward()
    assert seen == [("five", np.geterr()["divide"])]


@pytest.mark.processes
def test_importing_within_an_open_block_leaves_nothing_open_in_the_kernels():
    program = """
import scalargrad
with scalargrad.no_grad():
    import tensorgrad
x = tensorgrad.Tensor([3.0])
g = tensorgrad.grad((x * x * x).sum(), x, create_graph=True)
print(tensorgrad.grad(g.sum(), x))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[18.]"


UNARY = "relu relu6 sigmoid tanh silu gelu exp sqrt softplus logsigmoid hardswish hardsigmoid selu elu leaky_relu softmax log_softmax"
HARD = [0.0, -0.0, 3.0, -3.0, 6.0, np.inf, -np.inf, np.nan, 1e-40, 80.0]


@each("name", [*UNARY.split(), "gelu, tanh", "times", "layer_norm", "huber_loss"])
@each("dtype", [np.float32, np.float64])
def test_a_vjp_that_writes_over_the_upstream_array_gives_the_same_bits(name, dtype):
    """The array is the caller's once, and nobody's once: then the kernel writes the gradient over it."""
    draw, given = np.random.default_rng(0), []
    function = {
        "gelu, tanh": lambda x: tg.gelu(x, approximate="tanh"),
        "times": lambda x: x * 2.5 * np.float64(2) * x.data[0] * x.data,
        "layer_norm": lambda x: tg.layer_norm(x, 96),
        "huber_loss": lambda x: tg.huber_loss(x, np.zeros_like(x.data), reduction="none"),
    }
    start, G = draw.standard_normal((2, 100, 96)).astype(dtype)
    start.flat[: len(HARD)], G.flat[3 : 3 + len(HARD)] = HARD, HARD
    for upstream in (lambda: given.append(G.copy()) or given[0], G.copy):
        x = Tensor(start)
        y = function.get(name, getattr(tg, name, None))(x)
        y.backward(upstream())
        given.append(x.grad)
    np.testing.assert_array_equal(given[0], G, "the caller's array has changed")
    np.testing.assert_array_equal(given[1], given[2])


def test_a_total_that_a_gradient_or_another_input_still_needs_is_not_written_over():
    x, w = Tensor(np.full((100, 100), 2.0)), Tensor(np.full((100, 100), 3.0))
    y = tg.exp(x)
    (2 * y + w).sum().backward(retain_graph=True)
    y.keep_grad = True
    z = tg.sigmoid(y) + w
    z.backward(np.ones((100, 100)))
    s = 1 / (1 + np.exp(-np.exp(2.0)))
    assert np.allclose(y.grad, s * (1 - s)) and np.allclose(w.grad, 2) and np.allclose(x.grad, np.exp(2.0) * (2 + s * (1 - s)))

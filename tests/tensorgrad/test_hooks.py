"""Hooks on gradients: called once with the complete total; replacements; leaves and intermediate variables; create_graph; removal."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, grad


def test_a_hook_gets_the_complete_total_once():
    x, seen = Tensor([1.0, 2.0]), []
    y = x * 3
    for t in (x, y):
        t.hooks.append(lambda G, t=t: seen.append((t is x, G.tolist())))
    (y * y + y + x).sum().backward()
    assert seen == [(False, [7.0, 13.0]), (True, [22.0, 40.0])]
    assert x.grad.tolist() == [22.0, 40.0]


def test_each_hook_gets_what_the_hook_before_returned():
    x = Tensor([1.0, 2.0])
    y = x * 3
    y.hooks.extend([lambda G: G * 10, lambda G: None, lambda G: G.clip(max=15.0)])
    z = (y * Tensor([1.0, 2.0])).sum()
    z.hooks.append(lambda G: 2 * G)
    z.backward()
    assert x.grad.tolist() == [45.0, 45.0]


def test_a_hook_on_a_leaf_changes_its_grad_and_no_other():
    x, w = Tensor([1.0]), Tensor([5.0])
    x.hooks.append(lambda G: np.zeros(1))
    for _ in range(2):
        (x * w).sum().backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([0.0], [2.0])
    assert grad((x * w).sum(), [x, w])[0].tolist() == [0.0]


def test_a_hook_can_remove_itself_while_it_runs():
    x = Tensor([1.0])
    calls = []

    def once(G):
        calls.append(1)
        x.hooks.remove(once)

    x.hooks.extend([once, lambda G: calls.append(2)])
    for _ in range(2):
        (x * 2).sum().backward()
    assert calls == [1, 2, 2]


def test_a_hook_gets_a_read_only_array():
    x, y = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])

    def doubled(G):
        G *= 2

    x.hooks.append(doubled)
    with pytest.raises(ValueError, match="read-only"):
        (x + y).sum().backward()
    assert x.grad is y.grad is None
    x.hooks.clear()
    (x + y).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_replacement_is_copied_to_the_dtype_of_the_gradient_and_must_have_its_shape():
    x, mine = Tensor([1.0, 2.0], dtype=np.float32, name="x"), np.array([7.0, 7.0], dtype=np.float32)
    x.hooks.append(lambda G: mine)
    (x * 1).sum().backward()
    mine[:] = 0
    assert x.grad.tolist() == [7.0, 7.0] and x.grad.dtype == np.float32
    x.hooks[0] = lambda G: G.sum()
    with pytest.raises(ValueError, match=r"a hook of x returned an array of shape \(\) for a gradient of shape \(2,\)"):
        (x * 1).sum().backward()
    x.hooks[0] = lambda G: Tensor([3.0, 4.0])
    x.zero_grad()
    (x * 1).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0] and type(x.grad) is np.ndarray


def test_after_an_error_in_a_hook_the_next_pass_is_right():
    x = Tensor([2.0])
    y = x * x

    def wrong(G):
        raise ZeroDivisionError

    y.hooks.append(wrong)
    z = (y * 3 + x).sum()
    with pytest.raises(ZeroDivisionError):
        z.backward(retain_graph=True)
    y.hooks.clear()
    z.backward()
    assert x.grad.tolist() == [13.0]


def test_with_create_graph_hooks_get_tensors_and_are_differentiated():
    x, seen = Tensor([2.0]), []
    y = x * x
    y.hooks.extend([lambda G: seen.append(type(G)), lambda G: G * G * y])
    first = grad((y * y).sum(), x, create_graph=True)  # (2y)² y · 2x = 8 x⁷
    y.hooks.clear()
    assert seen == [Tensor] and first.tolist() == [8 * 2.0**7]
    assert grad(first.sum(), x).tolist() == [56 * 2.0**6]
    y = x * x
    y.hooks.append(lambda G: np.array([5.0]))
    first = grad((y * y).sum(), x, create_graph=True)
    y.hooks.clear()
    assert type(first) is Tensor and first.tolist() == [20.0] and grad(first.sum(), x).tolist() == [10.0]


def test_hooks_run_inside_functions_and_on_variables_of_a_checkpoint():
    w, seen = Tensor([3.0]), []
    w.hooks.append(lambda G: seen.append(G.tolist()))

    def inside(x):
        h = x * 2
        h.hooks.append(lambda G: G * 10)
        return h

    x = Tensor([1.0])
    tg.function(inside)(x).backward()
    assert x.grad.tolist() == [20.0]
    (tg.checkpoint(lambda x: x * w, x) + w).backward()
    assert seen == [[2.0]]


def test_a_hook_may_run_backward_over_variables_of_its_own_pass():
    w, found = Tensor(2.0, name="w"), []
    y = w * 3
    y.name = "y"
    h = y * 1
    h.hooks.append(lambda G: found.append((grad(w * w, w), grad(y * w, [w, y], retain_graph=True))))
    h.hooks.append(lambda G: (w * w).backward())
    z = h * y + w  # while h is processed, w and y have the contribution of one of their children
    z.backward(retain_graph=True)
    assert found == [(4.0, [12.0, 2.0])] and w.grad == 4.0 + 18.0 * 2 + 1
    h.hooks[:] = [lambda G: y.backward()]
    w.grad = None
    with pytest.raises(RuntimeError, match=r"y \(made by mul\) was released"):
        z.backward()  # and no contribution is lost silently
    assert w.grad == 3.0
    (w * w).backward()
    assert w.grad == 7.0


def test_a_constant_has_no_hooks():
    with pytest.raises(ValueError, match="is a constant"):
        _ = Tensor([1.0], keep_grad=False).hooks


def test_an_array_that_a_hook_kept_does_not_change_with_the_gradient():
    x, kept = Tensor([1.0, 2.0]), []
    x.hooks.append(kept.append)
    (x * 2).sum().backward()
    x.grad += 5
    assert kept[0].tolist() == [2.0, 2.0]

"""backward() releases all saved arrays and leaves the skeleton of the graph; reading a gradient that it did not keep warns."""

import copy
import gc
import pickle
import sys
import warnings
import weakref

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Graph
from scalargrad.formulas.symbols import render
from scalargrad.graph import inputs_first
from tensorgrad import GradientNotKeptWarning, Tensor, checkpoint, function, grad
from tensorgrad.inspection import formulas, trace_values
from tensorgrad.inspection.saved_arrays import arrays_in, memory_owner
from tests.each import each, swept
from tests.tensorgrad.case import Case
from tests.tensorgrad.cases import every_case


def held_arrays(node):
    """Return the arrays that a node references, without gradients, by the block of memory of each."""
    return [memory_owner(a) for v in inputs_first(node) for a in arrays_in([v.edges, v.arguments, v.options, v.aux])]


CASES = [case for case in every_case() if isinstance(case, Case)]


@swept("case", CASES, every=7, ids=repr)
def test_release_drops_every_array_and_keeps_the_skeleton(case):
    tensors = [Tensor(a) for a in case.arrays()]
    y = case(*tensors)
    if y.rule is None:  # a constant, or x itself
        return
    skeleton = lambda: [(v, v.rule, v.inputs, v.shape, v.dtype, v.scope) for v in inputs_first(y.node)]
    mine, before = {id(memory_owner(t._data)) for t in (y, *tensors)}, skeleton()
    saved = [weakref.ref(a) for a in held_arrays(y.node) if id(a) not in mine]
    y.backward(case.weights(y.shape))
    assert [a for a in saved if a() is not None] == [] == held_arrays(y.node) and skeleton() == before
    for v in inputs_first(y.node):
        for slot in range(len(v.inputs)):  # a drawing shows them all
            assert (
                render(formulas.function_formula(v, lambda a: a.name or "a")) and formulas.of_edge(v, slot, lambda a: "a", "z") is not None
            )


@function
def scaled(x, table, *, by):
    return x * table["a"] * by


def test_inputs_of_a_user_function_or_a_checkpoint_are_released_too():
    class Batch(dict):
        """A dictionary that can be watched."""

    table, x = Batch(a=np.ones(3)), Tensor([1.0, 2.0, 3.0], name="x")
    by, w = np.full(3, 2.0), Tensor(np.ones(3))
    watched = [weakref.ref(table), weakref.ref(by)]
    z = (scaled(x, table, by=by) + checkpoint(lambda x: x * w, x)).sum()
    del table, by
    z.backward()
    assert [r() for r in watched] == [None, None] and x.grad.tolist() == [3.0, 3.0, 3.0]
    assert [v.rule.name for v in inputs_first(z.node) if v.rule] == ["scaled", "checkpoint", "add", "sum"]


def test_a_constant_is_freed_with_its_tensor_while_z_lives():
    x, c = Tensor([1.0, 2.0], name="x"), Tensor([3.0, 4.0], keep_grad=False, name="c")
    array = weakref.ref(c._data)
    z = (x * c).sum()
    z.backward()
    assert z.inputs[0].constants == [c]
    del c
    assert array() is None and z.inputs[0].constants == []


def test_zero_grad_of_a_released_graph_reaches_every_ancestor():
    x, w = Tensor([1.0, 2.0], name="x"), Tensor([3.0, 4.0], name="w")
    y = x * w
    y.keep_grad = True
    z = (y * y).sum()
    z.backward()
    assert x.grad is not None and w.grad is not None and y.grad is not None
    z.zero_grad()
    assert x.grad is w.grad is y.grad is z.grad is None


def test_in_a_training_loop_zero_grad_of_the_loss_starts_each_step_anew():
    w, found = Tensor(1.0), []
    for _ in range(3):
        loss = w * 2
        loss.zero_grad()
        loss.backward()
        found.append(w.grad.item())
        loss.zero_grad()
    assert found == [2.0, 2.0, 2.0] and w.grad is None


def test_a_loop_of_10_000_steps_does_not_grow_memory():
    w, x = Tensor(np.ones(3)), np.ones(3)

    def steps(n):
        for _ in range(n):
            loss = ((w * x).tanh() * Tensor(x, keep_grad=False)).sum()
            w.grad = None
            loss.backward()
        return loss

    gc.collect()
    gc.disable()
    try:
        loss = steps(100)
        assert gc.collect() == 0  # and Python's own free lists are empty
        before = sys.getallocatedblocks()
        loss = steps(10_000)  # a leak of one block a step would be 10,000; other threads of a test run allocate some
        assert gc.collect() == 0 and loss.node.released and sys.getallocatedblocks() - before < 1_000
    finally:
        gc.enable()


@pytest.mark.sweep
def test_a_deep_released_graph_is_freed_without_recursion_and_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        x = Tensor(1.0)
        y = x
        for _ in range(100_000):
            y = y + 0.5
        first = weakref.ref(inputs_first(y.node)[1])
        y.backward()
        y.zero_grad()
        assert x.grad is None and len(Graph(y).variables) == 100_001
        del y
        assert first() is None and gc.collect() == 0
    finally:
        gc.enable()


def test_a_hook_lives_as_long_as_its_variable_can_be_reached():
    def hook(G):
        return None

    x = Tensor([1.0])
    y = x * 2
    y.hooks.append(hook)
    gone = y * 3
    gone.hooks.append(hook)
    node, z = gone.node, (gone * 4).sum()
    del gone
    z.backward()
    assert node.hooks is None and y.hooks == [hook]
    y.hooks.remove(hook)


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda v: pickle.loads(pickle.dumps(v))}


@each("copied", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_released_graph_has_the_skeleton_and_is_released(copied):
    x, c = Tensor([1.0, 2.0], name="x"), Tensor([3.0, 4.0], keep_grad=False, name="c")
    z = (x * c + np.ones(2)).sum(axis=0)
    z.backward()
    x2, z2 = copied([x, z])
    ours, theirs = inputs_first(z.node), inputs_first(z2.node)
    assert [(v.rule, v.shape, v.name) for v in ours] == [(v.rule, v.shape, v.name) for v in theirs] and theirs[0] is x2.node
    with pytest.raises(RuntimeError, match="released"):
        z2.backward()
    z2.zero_grad()
    assert x2.grad is None and x.grad.tolist() == [3.0, 4.0]


def test_every_second_pass_is_refused_with_the_function_and_the_remedy():
    x = Tensor([1.0, 2.0], name="x")
    z = (x * x).sum()
    z.backward()
    ways = {
        "backward()": z.backward, "zoom": lambda: tg.zoom(z), "memory": lambda: tg.memory(z), "check": lambda: tg.check(z),
    }  # fmt: skip
    for who, way in ways.items():
        with pytest.raises(RuntimeError, match=rf"^{who.replace('()', '..')}: z \(made by sum\) was released .*retain_graph=True"):
            way()


# Gradients that backward() does not keep


def test_reading_a_gradient_that_backward_did_not_keep_warns_once_and_says_what_to_write():
    x = Tensor([1.0, 2.0], name="x")
    y = x * x
    y.name = "y"
    z = y.sum()
    assert y.grad is z.grad is None  # before backward() there is no warning
    z.backward()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            assert y.grad is None
    (warning,) = caught
    assert warning.category is GradientNotKeptWarning and warning.filename == __file__
    assert str(warning.message).startswith("y.grad is None: y was made by mul") and "y.keep_grad = True before" in str(warning.message)
    with pytest.warns(GradientNotKeptWarning, match="^z.grad is None: z was made by sum"):
        assert z.grad is None


@each("how", [{}, {"retain_graph": True}, {"create_graph": True}], ids=str)
def test_every_kind_of_pass_leads_to_the_warning(how):
    x = Tensor([1.0, 2.0])
    y = x * x
    z = y.sum()
    z.backward(**how)
    with pytest.warns(GradientNotKeptWarning, match="y.grad is None"):
        assert y.grad is None
    z.zero_grad()
    assert y.grad is None


def test_an_update_that_makes_a_leaf_an_intermediate_variable_is_warned_of():
    w = Tensor(1.0)
    for step in range(2):
        (w * w).backward()
        if step == 0:
            w = w - 0.1 * w.grad
    with pytest.warns(GradientNotKeptWarning, match=r"w.grad is None: w was made by sub, .* assign to w.data"):
        assert w.grad is None


def test_printing_drawing_and_copying_do_not_warn():
    x, c = Tensor([1.0, 2.0], name="x"), Tensor([1.0, 2.0], keep_grad=False)
    y = x * c
    y.hooks.append(lambda G: None)
    kept = y + 0
    kept.keep_grad = True
    z = (kept * y).sum()
    graph = Graph(z)
    z.backward()
    assert repr(y) and repr(y.node) and format(z) and c.grad is None and kept.grad is not None
    for t in (copy.deepcopy(z), copy.copy(y), pickle.loads(pickle.dumps(z))):
        assert t.shape == () or t is y
    trace_values.quantities(z.node, graph, {v: "v" for v in graph.variables}).gradients()
    y.hooks.clear()
    z.zero_grad()
    assert z.grad is y.grad is None


def test_a_pass_of_grad_alone_does_not_lead_to_the_warning():
    x = Tensor([1.0, 2.0])
    y = x * x
    grad((y * y).sum(), x)
    assert y.grad is None

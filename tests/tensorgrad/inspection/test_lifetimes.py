"""memory(z).lifetimes(): when each array is made and freed; predicted equals measured at every step; it really takes that much memory."""

import gc

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, grad, memory
from tests.clock import assert_linear
from tests.each import each
from tests.peak import peak_of
from tests.tensorgrad.cases import every_case
from tests.tensorgrad.inspection.test_memory import PROGRAMS, network
from tests.viz.networks import resnet50


def pooled():
    x, w = Tensor(np.linspace(-1, 1, 128).reshape(2, 1, 8, 8), keep_grad=False), Tensor(np.ones((3, 1, 3, 3)))
    W = Tensor(np.ones((27, 3)))
    pooled = tg.max_pool2d(tg.relu(tg.conv2d(x, w)), 2)  # not in C order, so reshape copies it
    return (x, w, W), tg.cross_entropy(pooled.reshape(2, -1) @ W, np.array([0, 2]))


def attention():
    x, W = Tensor(np.ones((4, 6)), keep_grad=False), [Tensor(np.linspace(-1, 1, 36).reshape(6, 6)) for _ in range(4)]
    heads = [(x @ w).reshape(4, 2, 3).transpose(1, 0, 2) for w in W[:3]]
    y = tg.scaled_dot_product_attention(*heads).transpose(1, 0, 2).reshape(4, 6) @ W[3]
    return (x, W), (tg.layer_norm(x + y, 6) ** 2).sum()


def by_name(found):
    return {a.name: a for a in found.arrays}


@pytest.fixture(autouse=True)
def without_the_garbage_collector():
    gc.disable()
    yield
    gc.enable()


@each("retain_graph", [False, True])
@each("program", [*PROGRAMS, pooled, attention], ids=lambda p: p.__name__)
def test_predicted_arrays_equal_measured_arrays(program, retain_graph):
    mine, z = program()
    found = memory(z).lifetimes(retain_graph)
    assert found.arrays == found.measured().arrays and found.bytes == found.measured().bytes


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.sweep)])
def test_predicted_bytes_equal_measured_bytes_at_every_step_for_every_function(every):
    _cases = {case.name: case for case in reversed(every_case()) if () not in map(np.shape, case.arrays())}  # names are not looked for in _
    for k, case in enumerate([*_cases.values()][::every]):
        inputs = [Tensor(a) for a in case.arrays()]
        try:
            z = case.loss([x * 2.0 for x in inputs] if k % 2 else inputs)
        except ValueError:
            continue  # twice a probability is none
        if z.node is not None:
            found = memory(z).lifetimes()
            assert found.bytes == found.measured().bytes, case
    assert len(_cases) > 250


def test_predicted_arrays_of_a_resnet_equal_measured_arrays():
    z, *_ = resnet50(channels=2, size=32)
    found = memory(z).lifetimes()
    assert len(found.arrays) > 700 and found.arrays == found.measured().arrays


def test_the_lifetimes_of_a_small_graph_by_hand():
    x, W = Tensor([[1.0, 2.0]], keep_grad=False), Tensor([[1.0], [1.0]])
    z = np.tanh(x @ W).sum()
    found = memory(z).lifetimes()
    assert [(s.phase, s.function) for s in found.steps] == [
        ("before", ""), ("forward", "matmul"), ("forward", "tanh"), ("forward", "sum"),
        ("backward", "sum"), ("backward", "tanh"), ("backward", "matmul"), ("after", ""),
    ]  # fmt: skip
    assert [(a.name, a.kind, a.size, a.made, a.freed) for a in found.arrays] == [
        ("W", "parameter", 16, 0, None),
        ("x", "constant", 16, 0, None),
        ("v1", "value", 8, 1, 2),
        ("v2", "saved", 8, 2, 5),
        ("z", "value", 8, 3, None),
        ("dz/dz", "gradient", 8, 4, 4),
        ("dz/dv2", "gradient", 8, 4, 5),
        ("dz/dv1", "gradient", 8, 5, 6),
        ("dz/dW", "gradient", 16, 6, None),
    ]
    assert found.turn[z.node] == 4 and found.turn[W.node] == 6
    assert found.bytes[0] == 32 and found.bytes[-1] == 16 + 16 + 8 + 16 and found.peak == max(found.bytes)


def test_parameters_and_their_gradients_stay_and_the_arrays_of_a_batch_do_not():
    x, weights, loss = network()
    z = loss()
    found = memory(z).lifetimes()
    mine = {w.node for w in weights}
    for a in found.arrays:
        stays = a.variable in mine or a.kind == "constant" or a.name == "z"
        assert (a.freed is None) == stays, a


def test_an_array_is_freed_at_the_turn_of_the_last_function_that_saved_it():
    x = Tensor(np.ones(100))
    y = tg.exp(x)
    z = (tg.tanh(y * y) * y).sum()
    del y
    found = memory(z).lifetimes()
    saved, exp = by_name(found)["v1"], next(s.variable for s in found.steps if s.function == "exp")
    assert saved.kind == "saved" and saved.freed == found.turn[exp]


def test_a_value_that_nothing_saved_is_freed_after_its_last_use_unless_the_program_holds_it():
    x = Tensor(np.ones(10))
    held = x + 1.0
    z = ((held + 1.0) + 1.0).sum()
    found = by_name(memory(z).lifetimes())
    assert (found["held"].made, found["held"].freed) == (1, None)
    assert (found["v1"].made, found["v1"].freed) == (2, 3)


def test_the_gradient_of_an_intermediate_variable_stays_with_keep_grad():
    x = Tensor(np.ones(10))
    y = x * 2.0
    assert by_name(memory((y * y).sum()).lifetimes())["dz/dy"].freed is not None
    y.keep_grad = True
    found = memory((y * y).sum()).lifetimes()
    assert by_name(found)["dz/dy"].freed is None and found.arrays == found.measured().arrays


def test_with_retain_graph_saved_arrays_stay():
    x = Tensor(np.ones(10))
    report = memory(tg.exp(x * 2.0).sum())
    freed = [a.freed for a in report.lifetimes().arrays if a.kind == "saved"]
    retained = [a.freed for a in report.lifetimes(retain_graph=True).arrays if a.kind == "saved"]
    assert None not in freed and set(retained) == {None}


def test_a_gradient_that_a_sum_passes_unchanged_shares_its_memory():
    x, b = Tensor(np.ones((20, 30))), Tensor(np.ones(30))
    z = tg.tanh(x * 2.0 + b).sum()
    found = memory(z).lifetimes()
    shared = next(a for a in found.arrays if "dz/dv1" in a.others)
    assert shared.name == "dz/dv2" and found.arrays == found.measured().arrays


def test_a_graph_of_second_derivatives():
    x, W = Tensor(np.ones((4, 3))), Tensor(np.linspace(-1, 1, 6).reshape(3, 2))
    (g,) = grad(tg.tanh(x @ W).sum(), [W], create_graph=True)
    z = (g * g).sum()
    found = memory(z).lifetimes()
    assert len(found.arrays) > 20 and found.arrays == found.measured().arrays


def test_measuring_leaves_the_graph_its_gradients_and_its_hooks_as_they_are():
    x, seen = Tensor(np.ones(3)), []
    y = x * x
    y.hooks.append(lambda G: seen.append(G.sum()))
    z = y.sum()
    memory(z).lifetimes().measured()
    assert x.grad is None and not seen
    z.backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0] and seen == [3.0]


def test_graphs_that_are_released_or_whose_leaf_is_lost():
    z = (Tensor(np.ones(3)) + 1.0).sum()
    found = memory(z).lifetimes()
    with pytest.raises(ValueError, match="memory: the array of v1 is gone; keep the tensor"):
        found.measured()
    x = Tensor(np.ones(3))
    z = (x * x).sum()
    report = memory(z)
    z.backward()
    with pytest.raises(RuntimeError, match="released"):
        report.lifetimes()
    assert [a.name for a in memory(x).lifetimes().arrays] == ["x", "dx/dx"]


def test_both_passes_really_take_the_predicted_memory():
    _, _, loss = network(layers=10, batch=2000)
    z = loss()
    found = memory(z).lifetimes()
    predicted = found.peak - found.bytes[0]
    del z, found
    assert 0.9 * predicted < peak_of(lambda: loss().backward()) < 1.1 * predicted


def test_the_text_shows_a_bar_for_each_array_and_keeps_its_width():
    _, _, loss = network(layers=30)
    text = str(memory(loss()).lifetimes()).splitlines()
    assert max(map(len, text)) <= 82
    assert text[0].startswith("215 arrays take at most ")
    weight = next(line for line in text if line.startswith("W0 "))
    assert weight.endswith("=" * 40 + ">") and "parameter   3.2 kB" in weight
    assert text[-1] == "... and 155 more"


def chain(n):
    x, w = Tensor(np.ones(2)), Tensor(np.ones(2))
    y = x
    for _ in range(n):
        y = tg.tanh(y * w + 1.0)
    return x, w, y.sum()


def test_predicting_and_measuring_grow_with_the_graph():
    assert_linear(lambda mine: memory(mine[-1]).lifetimes().measured(), chain, 100)

"""memory(z): saved arrays, what pruning avoided, when each is freed; predicted equals measured; the peak of a training step."""

import gc

import numpy as np
import pytest

import tensorgrad as tg
from benchmarks.tensor_memory import LIMIT, work
from scalargrad.graph import Graph
from scalargrad.user_names.names import name_all
from tensorgrad import Tensor, memory
from tensorgrad.rule import Fast
from tests.each import each
from tests.peak import peak_of

ENTRY = 8  # bytes of a float64


def network(layers=4, batch=100, width=20):
    rng = np.random.default_rng(0)
    x = Tensor(rng.standard_normal((batch, width)), keep_grad=False)
    weights = [Tensor(rng.standard_normal((width, width)), name=f"W{i}") for i in range(layers)]

    def loss():
        h = x
        for W in weights:
            h = tg.tanh(h @ W + 1.0)
        return (h * h).mean()

    return x, weights, loss


def diamonds():
    x = Tensor(np.random.default_rng(1).standard_normal((50, 3)))
    a = tg.exp(x)
    return x, (a * a + tg.tanh(a) * x + a.reshape(150)[:, None].sum(axis=0)).sum()


def with_constants():
    x, c = Tensor(np.ones((20, 5))), np.arange(100.0).reshape(20, 5)
    return x, (tg.exp(x * c) / (c + 1.0)).sum(axis=1).mean()


def indexed():
    x = Tensor(np.ones((20, 5)))
    return x, (tg.exp(x)[np.array([1, 1, 3])] * np.ones(5)).sum()


def joined():
    x = Tensor(np.ones((20, 5)))
    return x, (np.concatenate([tg.exp(x), x * 2]) ** 2).sum()


def custom():
    x = Tensor(np.ones((20, 5)))
    return x, tg.exp(tg.function(lambda a: tg.tanh(a) * a)(x * 2)).sum()


def checkpointed():
    x = Tensor(np.ones((20, 5)))
    return x, tg.exp(tg.checkpoint(lambda a: tg.tanh(a) * a, x * 2)).sum()


def relus():
    x = Tensor(np.linspace(-1, 1, 100).reshape(20, 5))
    return x, tg.relu(tg.softmax(tg.relu(x * 2) + x, axis=1) - 0.2).sum()


def deep():
    x, weights, loss = network()
    return (x, weights), loss()


def windows():
    x, w = Tensor(np.random.default_rng(2).standard_normal((2, 3, 8, 8))), Tensor(np.ones((4, 3, 3, 3)))
    h = tg.conv2d(x, w, padding=1)
    return (x, w), tg.max_pool2d(tg.batch_norm(h, training=True), 2).sum()


def classified():
    x = Tensor(np.random.default_rng(2).standard_normal((20, 5)))
    return x, tg.cross_entropy(tg.tanh(x * 2), np.arange(20) % 5)


PROGRAMS = [deep, windows, classified, diamonds, with_constants, indexed, joined, custom, checkpointed, relus]


@each("program", PROGRAMS, ids=lambda p: p.__name__)
def test_predicted_bytes_equal_measured_bytes(program):
    mine, z = program()
    report = memory(z)
    assert report.saved > 0 and any(row.freed for row in report.rows)
    gc.disable()
    try:
        assert report.live == report.measured()
    finally:
        gc.enable()


def test_the_report_of_a_network_by_hand():
    x, weights, loss = network()
    z = loss()
    report = memory(z)
    layer, weight = x.data.nbytes, weights[0].data.nbytes
    # each tanh saves its output; the products save the batch and the weights, except those that only the batch depends on
    assert report.saved == 4 * layer + layer + 3 * weight
    assert report.yours == layer + 3 * weight
    assert report.avoided == weight  # the batch needs no gradient, so the first weights need not be saved for it
    assert [row.function for row in report.rows] == ["mean", "mul", *["tanh", "add", "matmul"] * 4]
    first, last = report.rows[2], report.rows[-1]
    assert (first.saved, first.freed, first.live) == ({first.name: layer}, layer, report.saved)
    assert (last.saved, last.avoided, last.inputs) == ({"x": layer}, {"W0": weight}, ("W0",))
    assert report.live[-1] == report.yours


def test_an_array_that_several_functions_saved_is_counted_once_and_freed_last():
    x = Tensor(np.ones(1000))
    y = tg.exp(x)
    z = (y.sum() + tg.tanh(y * y) @ y.reshape(1000)).sum()
    report = memory(z)
    assert report.saved == 2 * 1000 * ENTRY and report.yours == 1000 * ENTRY  # y, which the program holds too, and tanh
    exp = report.rows[-1]
    assert exp.function == "exp" and exp.saved == {"y": 8000} and exp.name == "y" and exp.freed == 0
    del y
    report = memory(z)
    assert report.yours == 0 and report.rows[-1].freed == 1000 * ENTRY and report.live == report.measured()


def test_arrays_of_fast_kernels_and_array_options_are_counted():
    def vjp(G, x):
        """dz/dx = dz/dy · 2 x"""
        return G * 2 * x

    fast = Fast(lambda slots, x: (x * x, (2 * x, None)), lambda G, aux, slots: [G * aux[0]])
    squared = tg.rule(vjp, fast=fast)(lambda x: x * x)
    x = Tensor(np.ones(100))
    rows = memory(squared(x * 1.0)[np.zeros(50, dtype=np.int64)].sum()).rows
    assert rows[2].saved == {"v1": 800, "kernel1": 800} and rows[1].function == "getitem" and 400 in rows[1].saved.values()
    assert (rows[1].freed, rows[2].freed) == (400, 1600)


def test_reports_of_graphs_that_saved_nothing_or_are_released():
    x = Tensor(np.ones(10))
    assert memory(x).rows == [] and memory(x).live == [0] and memory((x + 1).sum()).saved == 0
    z = (x * x).sum()
    report = memory(z)
    report.measured()
    assert x.grad is None
    with pytest.raises(RuntimeError, match=r"memory: z \(made by sum\) was released"):
        memory(z)
    with pytest.raises(RuntimeError, match="released"):
        z.backward()
    with pytest.raises(ValueError, match="is a constant"):
        memory(x.detach())


def test_measuring_leaves_hooks_unchanged():
    x = Tensor(np.ones(3))
    y, seen = x * x, []
    y.hooks.append(lambda G: seen.append(G.sum()))
    memory(y.sum()).measured()
    assert seen == [3.0] and len(y.hooks) == 1


def test_the_table_shows_the_sizes_and_keeps_its_width():
    _, _, loss = network(layers=30)
    h = loss()
    text = str(memory(h))
    assert max(map(len, text.splitlines())) <= 80
    assert "functions saved" in text and "= tanh(" in text and "16.0 kB" in text and "... and 32 more" in text


def test_the_peak_is_predicted():
    _, _, loss = network(layers=10, batch=2000)
    z = loss()
    report = memory(z)
    predicted = report.peak - report.yours
    del z, report
    gc.collect()
    assert 0.85 * predicted < peak_of(lambda: loss().backward()) < 1.05 * predicted


@each("activation", ["tanh", "relu"])
def test_the_peak_of_a_deep_network_is_close_to_what_it_saves(activation):
    assert work(activation, 50, 64, 512)["ratio"] < LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_the_peak_of_50_layers_of_width_512_is_close_to_what_they_save(activation):
    assert work(activation)["ratio"] < LIMIT


def test_saved_arrays_have_their_program_names_in_report_and_drawing():
    x, weight, shift = Tensor(np.ones((4, 3)), name="x"), Tensor(np.ones(3), name="scale"), Tensor(np.zeros(3), name="shift")
    square = x * x
    normed = tg.batch_norm(square, training=True, weight=weight, bias=shift)
    z = normed.sum()
    rows = {row.name: row for row in memory(z).rows}
    kernels = [name for name in rows["normed"].saved if name.startswith("kernel")]
    assert list(rows["normed"].saved) == ["square", "scale", *kernels] and kernels
    assert rows["square"].saved == {"x": 96}  # one array, once
    graph = Graph(z)
    steps = z.quantities(graph, name_all(graph))
    for t in (square, normed):
        assert {str(name): array.nbytes for name, array in steps.saved(t.node)} == rows[name_all(graph)[t]].saved


def test_two_arrays_of_one_name_are_both_counted():
    x = Tensor(np.ones(10))
    row = memory(tg.where(np.arange(10) > 4, x, np.arange(10.0)).sum()).rows[1]
    assert row.saved == {"array": 10, "array (2)": 80}

"""The largest arrays use memory again: what does, what may not, and that users and graphs cannot tell."""

import gc
import tracemalloc
from threading import Thread

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.arrays import memory
from tensorgrad.arrays.memory import LINE, WAITING, Room, aligned, new_like
from tensorgrad.kernels import blocks
from tensorgrad.tensor import made
from tests.each import each

LEAST = 1 << 16  # bytes from which memory is used again in these tests
N = LEAST // 4  # entries


@pytest.fixture(autouse=True)
def small_arrays_count_as_the_largest(monkeypatch):
    monkeypatch.setattr(memory, "LARGEST", LEAST)
    monkeypatch.setattr(blocks, "LARGEST", LEAST)
    gc.collect()
    WAITING.clear()
    yield
    WAITING.clear()


def place(x):
    return x.__array_interface__["data"][0]


LAYOUTS = {
    "rows": np.zeros((4, N // 4), "f"),
    "columns": np.zeros((N // 4, 4)).T,
    "channels last": np.zeros((2, 5, 7, N // 16)).transpose(0, 3, 1, 2),
    "with gaps": np.zeros((4, N))[:, ::2],
    "backwards": np.zeros((4, N))[::-1],
    "one number": np.broadcast_to(np.float32(3), (4, N)),
    "one row": np.zeros((1, N)),
}


@each("name", LAYOUTS)
def test_a_new_array_has_the_layout_that_numpy_would_give_it_and_begins_at_a_line(name):
    x = LAYOUTS[name]
    y, numpys = new_like(x), np.empty_like(x)
    assert (type(y), y.shape, y.dtype, y.strides) == (np.ndarray, x.shape, x.dtype, numpys.strides)
    assert place(y) % LINE == 0 and y.flags.writeable
    y[...] = 5
    assert np.array_equal(y, np.full(x.shape, 5)) and (type(y.base) is Room) == (x.nbytes >= LEAST)


def test_a_vector_for_the_cache_begins_at_a_line():
    for dtype in ("f4", "f8"):
        v = aligned(100, dtype)
        assert (v.shape, v.dtype) == ((100,), np.dtype(dtype)) and place(v) % LINE == 0


def test_memory_is_used_again_when_nothing_refers_to_it():
    y = new_like(np.zeros(N, "f"))
    before = place(y)
    del y
    assert place(new_like(np.zeros(N, "f"))) == before
    assert place(new_like(np.zeros((2, N // 4)))) == before  # other shapes and dtypes of as many bytes


VIEWS = {
    "a part": lambda y: y[1:3],
    "another shape": lambda y: y.reshape(2, -1),
    "a view of a view": lambda y: y[::2].reshape(2, -1).T[5:],
    "bytes": lambda y: y.view(np.uint8),
    "a buffer": memoryview,
    "a tensor's data": lambda y: made(y).data,
    "a part of a tensor's data": lambda y: made(y).data[3:].reshape(-1, 1),
    "numpy's own wrapper": lambda y: np.asarray(memoryview(y))[2:],
}


@each("what", VIEWS)
def test_memory_that_a_view_shows_is_not_used_again(what):
    y = new_like(np.zeros(N, "f"))
    y[:] = 7
    view = VIEWS[what](y)
    seen = bytes(np.ascontiguousarray(view))
    del y
    gc.collect()
    others = [new_like(np.zeros(N, "f")) for _ in range(3)]
    for other in others:
        other[:] = 1
    assert bytes(np.ascontiguousarray(view)) == seen and not WAITING
    del view
    gc.collect()
    assert len(WAITING) == 1


def test_one_room_waits_and_none_if_another_size_is_asked_for(monkeypatch):
    monkeypatch.setattr(memory, "MOST", 4 * N + LINE)
    arrays = [new_like(np.zeros(N, "f")) for _ in range(3)]
    last = place(arrays[-1])
    while arrays:
        arrays.pop(0)
    assert len(WAITING) == 1
    assert place(new_like(np.zeros(N, "f"))) == last
    larger = new_like(np.zeros(4 * N, "f"))
    assert not WAITING
    small = new_like(np.zeros(N, "f"))
    del small, larger  # which is too large to wait
    assert [room.size for room in WAITING] == [4 * N + LINE]


def peak(work):
    """Return the most bytes that NumPy held at once in the second of two calls."""
    work()
    tracemalloc.start()
    work()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def fresh(monkeypatch):
    """From now on, let no array count as one of the largest."""
    monkeypatch.setattr(memory, "LARGEST", 1 << 40)
    monkeypatch.setattr(blocks, "LARGEST", 1 << 40)


def test_a_room_that_does_not_fit_is_freed_before_another_is_made():
    smaller, larger = np.zeros(8 * N, "f"), np.zeros(9 * N, "f")
    tracemalloc.start()
    y = new_like(smaller)
    del y
    assert len(WAITING) == 1
    y = new_like(larger)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1.01 * y.nbytes


def test_waiting_memory_adds_one_array_to_the_peak_at_most(monkeypatch):
    def steps():
        for n in (8 * N, 9 * N, 7 * N):
            x = Tensor(np.ones(n, "f"))
            tg.tanh(x * x + x).sum().backward()

    again = peak(steps)
    fresh(monkeypatch)
    assert again <= 1.01 * peak(steps) + 9 * 4 * N


GRAPHS = {
    "a chain": lambda x, y: tg.tanh(x * y + x) - 2 * y / (1 + x * x),
    "in place": lambda x, y: tg.sigmoid(tg.relu(tg.silu(tg.gelu(x)))) * 3,
    "shapes": lambda x, y: (x * y).reshape(4, -1).T[3:] * 2,
    "broadcast": lambda x, y: x * y[:1] - y / 3,
    "another order": lambda x, y: (x.T * y.T) / (y.T + 5),
    "joined": lambda x, y: tg.concatenate([x * 2, y, x + y]) * 0.5,
}


def gradients(f, kind):
    dice = np.random.default_rng(0)
    x, y = [Tensor(dice.standard_normal((64, N // 32)).astype(kind)) for _ in range(2)]
    z = f(x, y)
    z.backward(np.ones(z.shape, kind))
    return [a for a in (z.data, x.grad, y.grad) if a is not None]


@each("kind", ["f4", "f8"])
@each("name", GRAPHS)
def test_results_have_the_bits_of_fresh_memory_step_after_step(monkeypatch, name, kind):
    found = [gradients(GRAPHS[name], kind) for _ in range(3)]
    fresh(monkeypatch)
    for step in found:
        for ours, plain in zip(step, gradients(GRAPHS[name], kind), strict=True):
            assert ours.tobytes() == plain.tobytes() and ours.strides == plain.strides and ours.dtype == plain.dtype


def test_gradients_belong_to_the_user_and_not_to_each_other():
    x, y = Tensor(np.ones(N, "f")), Tensor(np.ones(N, "f"))
    h = x + y
    h.keep_grad = True
    tg.tanh(h * 1).sum().backward()
    right = h.grad.copy()
    x.grad[:] = 3
    assert np.array_equal(y.grad, right) and np.array_equal(h.grad, right)
    y.grad[:] = 4
    assert np.array_equal(h.grad, right) and (x.grad == 3).all()


@each("shape", [None, (4, N // 4)])
def test_a_total_that_nothing_else_refers_to_is_written_over_and_becomes_the_gradient(shape):
    for _ in range(2):  # the first time makes the memory that each thread keeps
        x = Tensor(np.ones(N, "f"))
        h = x.reshape(shape) if shape else x
        for _ in range(20):
            h = tg.tanh(h)
        z = h.sum()
        WAITING.clear()
        tracemalloc.start()
        z.backward()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < 1.5 * x.data.nbytes
    assert type(x.grad.base.base if shape else x.grad.base) is Room


def test_the_vjps_of_a_product_use_memory_again():
    x, y = Tensor(np.ones(N, "f")), Tensor(np.full(N, 2, "f"))
    (x * y).backward(np.full(N, 3, "f"))
    assert type(x.grad.base) is type(y.grad.base) is Room and (x.grad == 6).all() and (y.grad == 3).all()


OPERANDS = {
    "two arrays": lambda x: (x, x + 1),
    "an array and a number": lambda x: (x, 3),
    "a number of another dtype": lambda x: (x, np.float64(0.1)),
    "integers": lambda x: (x.astype("i4"), x.astype("i4")),
    "integers and a fraction": lambda x: (x.astype("i4"), 0.5),
    "truth values": lambda x: (x, x > 0),
    "numbers of as many bytes": lambda x: (x, np.ones(x.shape, "i4")),
    "floats of two dtypes": lambda x: (x, x.astype("f8")),
    "one row": lambda x: (x, x[:1]),
    "one column": lambda x: (x[:, :1], x),
    "gaps": lambda x: (x[:, ::2], x[:, ::2]),
    "rows and columns": lambda x: (x, np.asfortranarray(x)),
    "columns and rows": lambda x: (np.asfortranarray(x), x),
    "one number everywhere": lambda x: (np.broadcast_to(np.float32(3), x.shape), x),
}


@each("what", OPERANDS)
def test_a_product_is_that_of_numpy(what):
    a, b = OPERANDS[what](np.random.default_rng(0).standard_normal((64, N // 8)).astype("f"))
    found, expected = blocks.product(a, b), a * b
    assert (found.dtype, found.shape, found.strides) == (expected.dtype, expected.shape, expected.strides)
    assert found.tobytes() == expected.tobytes()


def test_memory_reports_count_arrays_and_not_what_is_below_them(monkeypatch):
    def reported():
        x = Tensor(np.ones((4, N), "f"))
        h = tg.relu(x * x)
        z = (h[1:] * h.reshape(4, -1)[:3]).sum()
        report = tg.memory(z)
        return str(report), report.saved, report.peak

    found = reported()
    fresh(monkeypatch)
    assert found == reported()


def test_threads_do_not_share_memory_that_waits():
    wrong = []

    def work(number):
        for i in range(200):
            y = new_like(np.zeros(N, "f"))
            y[:] = number + i
            z = new_like(y)
            z[:] = -1
            if not (y == number + i).all():
                wrong.append(number)

    threads = [Thread(target=work, args=(1000 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

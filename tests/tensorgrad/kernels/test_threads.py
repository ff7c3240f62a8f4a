"""Threads of kernels: the same bits for any number of them, none before they are needed, and none left behind."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, nn, optim
from tensorgrad.arrays import blas
from tensorgrad.kernels import threads as pool
from tensorgrad.kernels.compiled.calls import library
from tensorgrad.kernels.registry import KERNELS
from tensorgrad.kernels.threads import each, quotas, threads
from tests.each import each as cases
from tests.each import swept


def numbers(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def images(n, channels, size):
    return np.ascontiguousarray(numbers(n, size, size, channels)).transpose(0, 3, 1, 2)


def convolution(channels, out, size, kernel=3, **options):
    groups = options.get("groups", 1)
    return [images(8, channels, size), numbers(out, channels // groups, kernel, kernel, seed=1)], lambda x, w: tg.conv2d(x, w, **options)


COMPILED = KERNELS["layer_norm"].by == "compiled"

# fmt: off
CASES = {  # arrays, and a function of them; each has at least two parts
    "max_pool":       lambda: ([images(8, 64, 33)], lambda x: tg.max_pool2d(x, 2)),
    "gelu, softmax, layer norm": lambda: (
        [numbers(2100, 1000), numbers(1000, seed=1)], lambda x, w: tg.layer_norm(tg.softmax(tg.gelu(tg.tanh(x))), 1000, w, w)),
    **({"rows in C": lambda: ([numbers(300, 500)], lambda x: tg.layer_norm(tg.log_softmax(x), 500))} if COMPILED else {}),
    "batch_norm":     lambda: ([numbers(10, 30, 120, 120)], lambda x: tg.batch_norm(x, training=True)),
    "batch_norm_relu, channels last": lambda: ([images(10, 32, 120)], lambda x: tg.batch_norm_relu(x, training=True)),
    "tanh":           lambda: ([numbers(2100, 1000)], tg.tanh),
    "relu":           lambda: ([numbers(600, 1000)], tg.relu),
    "a sum of contributions": lambda: ([numbers(600, 1000)], lambda x: x * 2 + x * 3),
    "exp, transposed": lambda: ([numbers(2100, 1000).T], tg.exp),
    "matmul, rows":   lambda: ([numbers(1100, 200), numbers(200, 300)], tg.matmul),
    "matmul, columns": lambda: ([numbers(100, 300), numbers(300, 1300)], tg.matmul),
    "matmul, sums":   lambda: ([numbers(90, 1500), numbers(1500, 120)], tg.matmul),
    "matmul, a stack": lambda: ([numbers(2, 16, 100, 110), numbers(16, 110, 120)], tg.matmul),
    "linear":         lambda: ([numbers(4, 600, 150), numbers(140, 150)], tg.linear),
    "attention":      lambda: ([numbers(8, 4, 128, 64, seed=i) for i in range(3)], tg.scaled_dot_product_attention),
    "pointwise":      lambda: convolution(96, 128, 20, 1),
    "winograd, many tiles": lambda: convolution(96, 96, 16, padding=1),
    "winograd, few tiles": lambda: convolution(128, 192, 8, padding=1),
    "kernel rows":    lambda: convolution(16, 24, 24, padding=1),
    "kernel rows, strided": lambda: convolution(24, 48, 33, stride=2),
    "im2col":         lambda: convolution(64, 70, 9, padding=1),
    "im2col, grouped": lambda: convolution(64, 64, 16, groups=4),
    "few channels":   lambda: convolution(3, 64, 32, padding=1),
    **({"depthwise": lambda: convolution(128, 128, 33, groups=128)} if COMPILED else {}),
}
# fmt: on


def results(name):
    """Return y, its derivatives, and how many parts were computed beside the first thread."""
    arrays, function = CASES[name]()
    tensors = [Tensor(a) for a in arrays]
    y = function(*tensors)
    tg.sum(y * numbers(*y.shape, seed=9)).backward()
    return [y.data, *[t.grad for t in tensors]]


@pytest.fixture
def asked(monkeypatch):
    """How many threads beside the caller's each kernel was computed on: those of Python, and those of kernels in C."""
    found = []
    submit = pool.POOL.submit
    monkeypatch.setattr(pool.POOL, "submit", lambda n, work: found.append(n) or submit(n, work))
    if COMPILED:
        run = library().run
        monkeypatch.setattr(library(), "run", lambda *args: found.append(min(args[-2:]) - 1) or run(*args))
    return found


@swept("name", CASES, every=16)
def test_the_bits_are_the_same_for_1_2_and_3_threads(name, asked):
    found = []
    for n in (1, 2, 3):
        with threads(n):
            found.append(results(name))
    assert 1 in asked, f"{name} used one thread"
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other)), name


@cases("kind", [optim.Adam, optim.AdamW, optim.SGD, optim.RMSprop, optim.Adagrad], ids=lambda kind: kind.__name__)
def test_an_optimiser_makes_the_same_step_on_any_number_of_threads(kind):
    found = []
    for n in (1, 2, 3):
        w = Tensor(numbers(300_000))
        step = kind([w], lr=0.1)
        with threads(n):
            for i in range(2):
                w.grad = numbers(300_000, seed=i)
                step.step()
        found.append(w.data)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_results_are_passed_on_in_the_order_of_the_parts_whoever_finishes_first():
    order, late = [], threading.Event()

    def work(part):
        if part:
            late.set()
        else:
            late.wait(60)  # the first part ends after another
        return part

    with threads(3):
        each(range(20), work, order.append)
    assert order == list(range(20))


def test_an_error_in_a_part_is_raised_and_the_next_kernel_works():
    def work(part):
        if part == 3:
            raise KeyError(part)

    for n in (1, 2, 3):
        with threads(n), pytest.raises(KeyError):
            each(range(8), work)
        assert blas.one_blas_thread.depth == 0
    with threads(2):
        assert tg.exp(numbers(2100, 1000)).shape == (2100, 1000)


def test_numpys_settings_of_the_caller_hold_in_every_thread():
    seen = []
    with threads(3), np.errstate(divide="raise"):
        each(range(8), lambda part: seen.append(np.geterr()["divide"]))
    assert seen == ["raise"] * 8


def test_kernels_within_a_part_use_no_further_threads(asked):
    with threads(2):
        each(range(4), lambda part: tg.gelu(tg.exp(numbers(2100, 1000))))
    assert asked[0] == 1 and not any(asked[1:])


def test_small_arrays_start_no_thread(asked):
    with threads(4):
        x = Tensor(numbers(32, 32))
        layer = nn.Linear(32, 32)
        tg.sum(tg.softmax(tg.gelu(layer(x)))).backward()
    assert not any(asked)


@pytest.mark.skipif(blas.setting() is None, reason="nothing here sets the threads of BLAS")
def test_products_use_one_thread_of_blas_meanwhile_and_as_many_as_before_afterwards():
    get, set_ = blas.setting()
    before = get()
    try:
        set_(2)
        seen = []
        with threads(2):
            each(range(4), lambda part: seen.append(get()))
        assert seen == [1] * 4 and get() == 2
    finally:
        set_(before)


def test_the_number_is_set_until_the_block_ends_or_from_now_on():
    before = threads().n
    with threads(3) as three:
        assert threads().n == three.n == 3
        with threads(2):
            assert threads().n == 2
        assert threads().n == 3
    assert threads().n == before
    inner = threads(5)
    assert threads().n == 5
    inner.__exit__()
    assert threads().n == before


@cases("wrong", [(0, ValueError), (-1, ValueError), (1.5, TypeError), ("2", TypeError), (True, TypeError)])
def test_a_number_of_threads_that_is_none_is_refused(wrong):
    before = threads().n
    with pytest.raises(wrong[1], match="^threads: n"):
        threads(wrong[0])
    assert threads().n == before


def test_the_default_is_what_the_process_may_use(monkeypatch):
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    pool.default.cache_clear()
    assert 1 <= pool.default() <= cores
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    pool.default.cache_clear()
    assert pool.default() == 1
    pool.default.cache_clear()


def test_quotas_of_control_groups_are_read(tmp_path):
    group = tmp_path / "proc"
    group.write_text("4:memory:/x\n0::/a/b\n3:cpu,cpuacct:/c\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "cpu,cpuacct" / "c").mkdir(parents=True)
    (tmp_path / "a" / "cpu.max").write_text("250000 100000\n")  # two and a half cores
    (tmp_path / "a" / "b" / "cpu.max").write_text("max 100000\n")
    (tmp_path / "cpu,cpuacct" / "c" / "cpu.cfs_quota_us").write_text("50000\n")
    (tmp_path / "cpu,cpuacct" / "c" / "cpu.cfs_period_us").write_text("100000\n")
    assert list(quotas(group, tmp_path)) == [3, 1]
    assert list(quotas(tmp_path / "none", tmp_path)) == []


def test_a_block_that_has_ended_leaves_no_thread():
    with threads(3):
        each(range(6), lambda part: None)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tensorgrad")]


PROGRAM = """
import atexit, os, threading, sys
atexit.register(lambda: print("end", np.array_equal(tg.exp(x), right), threading.active_count()))
import numpy as np, tensorgrad as tg
assert threading.active_count() == 1  # an import starts none
tg.threads(2)
x = np.linspace(-2, 2, 2_100_000)
right = tg.exp(x)
assert threading.active_count() == 2
child = os.fork()
assert threading.active_count() == 1
assert np.array_equal(tg.exp(x), right)
if not child:
    print("child", flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("parent", flush=True)
"""


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_no_thread_starts_at_import_is_there_at_a_fork_or_is_left_at_the_end():
    done = subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM], capture_output=True, text=True, timeout=100)
    assert (done.stdout.split("\n"), done.stderr) == (["child", "parent", "end True 1", ""], "")

"""The kernels in C, beside those of NumPy: float32 and float64, inf and nan, no entries, gaps in memory, 0-d arrays.

They run where the library was built: python -m tensorgrad.kernels.compiled
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ctypes import CDLL
from inspect import getmodulename
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, no_grad, optim
from tensorgrad.kernels import registry, running, using
from tensorgrad.kernels.compiled import calls, library
from tensorgrad.kernels.compiled.build import LEVELS, path_of
from tensorgrad.kernels.threads import threads
from tests.each import each

pytestmark = pytest.mark.skipif("compiled" not in registry.SETS, reason="python -m tensorgrad.kernels.compiled was not run")
DTYPES = [np.float32, np.float64]
CLOSE = {np.float32: 2e-5, np.float64: 1e-12}


def numbers(shape, dtype, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype) * 2


def plain(x):
    return x


def with_inf(x):
    x.reshape(-1)[[3, 70]] = np.inf, -np.inf
    return x


def with_nan(x):
    x.reshape(-1)[[5, 90]] = np.nan
    return x


def of_minus_inf(x):
    x[:2] = -np.inf
    return x


def far_from_0(x):
    return x + x.dtype.type(1e4)


def huge(x):
    return x * x.dtype.type(1e18)


def with_gaps(x):
    return np.repeat(x, 2, 0)[::2]


def transposed(x):
    return np.ascontiguousarray(x.swapaxes(0, -1)).swapaxes(0, -1)


def reversed_(x):
    return x[::-1]


def channels_last(x):
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 1, -1)), -1, 1)


def attended(q, k, which):
    """Return attention that sees all keys, those before a query, or those but the first; then the first query has none."""
    seen = None if which != "first" else np.tri(q.shape[-2], k.shape[-2], -1, dtype=bool)
    return tg.scaled_dot_product_attention(q, k, W(k.shape, k.dtype), seen, causal=which == "causal")


KINDS = [plain, with_inf, with_nan, of_minus_inf, far_from_0, huge, with_gaps, transposed, reversed_, channels_last]
W = lambda n, dtype: numbers(n, dtype, 1)
# fmt: off
CASES = {  # a function of x, and shapes: with whole vectors and rests of them, small and large, and without entries
    "gelu":       (lambda x: tg.gelu(x), [(96, 100), (9, 11)]),
    "gelu_tanh":  (lambda x: tg.gelu(x, "tanh"), [(96, 100), (9, 11)]),
    "a sum of contributions": (lambda x: x * 2 + x * W(x.shape, x.dtype), [(300, 300)]),
    "softmax":    (lambda x: tg.softmax(x), [(96, 100), (1200, 9), (4, 3001), (9, 11)]),
    "log_softmax": (lambda x: tg.log_softmax(x), [(1320, 100), (14600, 9), (44, 3001)]),
    "cross_entropy": (lambda x: tg.cross_entropy(x, np.arange(len(x)) % x.shape[1], reduction="none"), [(1320, 100), (9, 41)]),
    "attention": (lambda q: attended(q, W(q.shape, q.dtype), None), [(3, 20, 9), (70, 33), (2, 3, 65, 16)]),
    "attention, keys": (lambda k: attended(W((*k.shape[:-2], 70, k.shape[-1]), k.dtype), k, None), [(3, 20, 9), (70, 33)]),
    "attention, causal": (lambda q: attended(q, W(q.shape, q.dtype), "causal"), [(3, 20, 9), (2, 3, 100, 16), (8, 4, 73, 9)]),
    "attention, hidden": (lambda q: attended(q, W(q.shape, q.dtype), "first"), [(3, 20, 9), (70, 33)]),
    "layer_norm": (lambda x: tg.layer_norm(x, x.shape[-1], W(x.shape[-1], x.dtype), W(x.shape[-1], x.dtype)),
                   [(96, 100), (1200, 9), (9, 11)]),
    "layer_norm of two axes": (lambda x: tg.layer_norm(x, x.shape[1:]), [(20, 8, 63), (9, 3, 11)]),
    "group_norm": (lambda x: tg.group_norm(x, 2, W(x.shape[1], x.dtype)), [(20, 6, 63), (9, 4, 11)]),
    "instance_norm": (lambda x: tg.instance_norm(x), [(20, 6, 63)]),
    "batch_norm": (lambda x: tg.batch_norm(x, weight=W(x.shape[1], x.dtype), bias=W(x.shape[1], x.dtype), training=True),
                   [(96, 100), (6, 5, 17, 19), (3, 200, 3, 3), (2, 3, 300, 301)]),
    "depthwise":  (lambda x: tg.conv2d(x, W((x.shape[1], 1, 3, 2), x.dtype), stride=(2, 1), padding=1, dilation=(1, 2), groups=x.shape[1]),
                   [(3, 20, 9, 12), (4, 35, 17, 8)]),
    "depthwise, one axis": (lambda x: tg.conv1d(x, W((x.shape[1], 1, 3), x.dtype), groups=x.shape[1]), [(4, 20, 30)]),
    "winograd":   (lambda x: tg.conv2d(x, W((104, x.shape[1], 3, 3), x.dtype), padding=(1, 2)), [(3, 99, 8, 6)]),
    "winograd, few tiles of many channels": (lambda x: tg.conv2d(x, W((140, x.shape[1], 3, 3), x.dtype), padding=1), [(2, 130, 4, 4)]),
    "depthwise, its kernel": (lambda w: tg.conv2d(W((3, len(w), 9, 12), w.dtype), w, stride=(2, 1), padding=1, groups=len(w)),
                              [(40, 1, 3, 2)]),
    "winograd, its kernel": (lambda w: tg.conv2d(W((3, w.shape[1], 8, 6), w.dtype), w, padding=(1, 2)), [(104, 99, 3, 3)]),
    "kernel rows": (lambda x: tg.conv2d(x, W((48, x.shape[1], 3, 3), x.dtype), padding=1), [(3, 16, 9, 13), (2, 24, 12, 8), (2, 32, 3, 9)]),
    "kernel rows, with a stride": (lambda x: tg.conv2d(x, W((16, x.shape[1], 3, 2), x.dtype), stride=(2, 1), padding=(1, 0)),
                                   [(3, 16, 9, 13), (2, 40, 12, 18)]),
    "kernel rows, a last column that no window covers": (lambda x: tg.conv2d(x, W((16, x.shape[1], 3, 3), x.dtype), stride=3, padding=1),
                                                         [(2, 16, 9, 27)]),
    "kernel rows, its kernel": (lambda w: tg.conv2d(W((3, w.shape[1], 9, 12), w.dtype), w, padding=(2, 1)),
                                [(32, 16, 3, 3), (16, 48, 2, 5)]),
    "kernel rows of images": (lambda x: tg.conv2d(x, W((16, x.shape[1], 3, 3), x.dtype), padding=(1, 2)), [(3, 1, 9, 13), (2, 3, 11, 8)]),
    "kernel rows of images, their kernel": (lambda w: tg.conv2d(W((3, w.shape[1], 20, 27), w.dtype), w, stride=2, padding=3),
                                            [(16, 1, 5, 4), (64, 3, 7, 7), (32, 2, 3, 3)]),
    "kernel rows, its kernel with a stride": (lambda w: tg.conv2d(W((3, w.shape[1], 9, 21), w.dtype), w, stride=2), [(32, 16, 3, 3)]),
    "max_pool, channels last": (lambda x: tg.max_pool2d(tg.permute(x, (0, 3, 1, 2)), 2), [(3, 8, 12, 20), (2, 4, 9, 3), (5, 6, 8, 33)]),
    "max_pool of other windows": (lambda x: tg.max_pool2d(tg.permute(x, (0, 3, 1, 2)), (2, 3)), [(3, 8, 12, 20), (5, 6, 9, 33)]),
    "batch_norm_relu": (lambda x: tg.batch_norm_relu(x, training=True, residual=x * 0.5), [(96, 100), (6, 5, 17, 19)]),
}
# fmt: on


def results(function, x, G):
    """Return y and dz/dx of z = Σ G y; without G, it is drawn."""
    x = Tensor(x)
    y = function(x)
    tg.sum(y * (numbers(y.shape, x.dtype, 2) if G is None else G)).backward()
    return [y.data, x.grad]


def differ(one, other, close):
    """Return whether two arrays differ, beyond rounding, also in where they are inf or nan."""
    finite = np.isfinite(other)
    size = np.abs(other[finite]).max(initial=1)
    same = np.array_equal(np.isfinite(one), finite) and np.array_equal(one[~finite], other[~finite], equal_nan=True)
    return not same or np.abs(one[finite] - other[finite]).max(initial=0) > close * size


def test_batch_norm_may_change_its_kernels_before_the_backward_pass():
    for first, then in (("numpy", "compiled"), ("compiled", "numpy")):
        found = []
        for backward in (first, then):
            x = Tensor(numbers((3, 5, 17, 19), np.float64))
            with using(first):
                y = tg.batch_norm_relu(x, training=True)
            with using(backward):
                y.backward(numbers(y.shape, np.float64, 2))
            found.append(x.grad)
        np.testing.assert_allclose(*found, rtol=0, atol=1e-13)


@each("name", CASES)
def test_a_kernel_in_c_gives_what_numpy_gives(name):
    function, shapes = CASES[name]
    for shape in shapes:
        for dtype in DTYPES:
            for kind in KINDS:
                x = kind(numbers(shape, dtype))
                found = {}
                for by in ("numpy", "compiled"):
                    with using(by):
                        found[by] = results(function, x, None)
                for what, one, other in zip(("y", "dz/dx"), found["compiled"], found["numpy"]):
                    assert one.dtype == other.dtype == dtype and one.shape == other.shape
                    assert one.strides == other.strides or "images" in name  # which NumPy convolves by another algorithm
                    loose = 100 if kind in (far_from_0, huge) else 1
                    assert not differ(one, other, CLOSE[dtype] * loose), f"{name} of {kind.__name__} {shape} {dtype.__name__}: {what}"


@each("name", CASES)
def test_a_kernel_in_c_gives_the_same_in_parts_on_several_threads(name, monkeypatch):
    function, shapes = CASES[name]
    for shape in shapes:
        x = numbers(shape, np.float32)
        found = {}
        for share in (1 << 60, 64):
            monkeypatch.setattr(calls, "SHARE", share)
            monkeypatch.setattr(library, "SHARE", share)
            with using("compiled"), threads(3):
                found[share] = results(function, x, None)
        for what, one, other in zip(("y", "dz/dx"), *found.values()):
            assert not differ(one, other, CLOSE[np.float32]), f"{name} {shape}: {what}"


def tasks():
    """Return how many threads this process has, also those that Python does not know."""
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells how many threads there are")
def test_the_threads_of_c_end_with_the_block():
    x, before = numbers(300_000, np.float32), tasks()
    for n in (3, 2):
        with using("compiled"), threads(n):
            tg.gelu(x)
            assert tasks() == before + n - 1
        assert tasks() == before


IN_A_CHILD = """
import os, sys
os.register_at_fork(before=lambda: tg.gelu(x))  # after the threads were ended: as another thread of Python might
import numpy as np
import tensorgrad as tg
tg.threads(2)
x = np.linspace(-3, 3, 300_000)
right = tg.gelu(x)
child = os.fork()
for _ in range(100):
    assert np.array_equal(tg.gelu(x), right)
if not child:
    os._exit(len(os.listdir("/proc/self/task")))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.processes
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells how many threads there are")
def test_a_child_of_a_fork_has_threads_of_its_own():
    done = subprocess.run([sys.executable, "-c", IN_A_CHILD], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_several_threads_of_python_may_call_kernels_at_once():
    x = numbers(300_000, np.float32)
    with using("compiled"), threads(2), ThreadPoolExecutor(3) as pool:
        right = tg.gelu(x)
        for found in pool.map(lambda _: tg.gelu(x), range(60)):
            assert np.array_equal(found, right)


def empty_and_0d(dtype):
    """Return calls on arrays without entries and on numbers, and of a gradient that is one number for all entries."""
    x = numbers((96, 100), dtype)
    yield from (lambda shape=shape: results(tg.gelu, np.ones(shape, dtype), np.ones(shape, dtype)) for shape in ((0, 5), (3, 0), ()))
    for shape in ((0, 5), (3, 0)):
        yield lambda shape=shape: results(tg.softmax, np.ones(shape, dtype), np.ones(shape, dtype))
        yield lambda shape=shape: results(tg.log_softmax, np.ones(shape, dtype), np.ones(shape, dtype))
        yield lambda shape=shape: results(lambda t: tg.layer_norm(t, t.shape[-1]), np.ones(shape, dtype), np.ones(shape, dtype))
    yield lambda: results(tg.softmax, np.array(3.0, dtype), np.array(2.0, dtype))
    for function in (tg.gelu, lambda t: tg.gelu(t, "tanh"), tg.softmax, lambda t: tg.layer_norm(t, 100)):
        yield lambda function=function: results(function, x, dtype(1.5))


@each("dtype", DTYPES)
def test_arrays_without_entries_and_single_numbers_give_what_numpy_gives(dtype):
    for number, call in enumerate(empty_and_0d(dtype)):
        with using("numpy"):
            right = call()
        with using("compiled"):
            found = call()
        for one, other in zip(found, right):
            assert one.shape == other.shape and one.dtype == other.dtype and not differ(one, other, CLOSE[dtype]), number


def test_special_numbers_have_the_values_and_derivatives_of_the_rules():
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 40.0, -40.0, 1e300, -1e300])
    for approximate in ("none", "tanh"):
        with using("compiled"):
            y, dx = results(lambda t, approximate=approximate: tg.gelu(t, approximate), x, np.ones(9))
        assert y[[0, 1, 5, 6]].tolist() == [np.inf, 0, 40, 0] and np.isnan(y[2]) and y[7] == 1e300 and y[8] == 0
        assert dx[[0, 1, 3, 4, 5, 6, 7, 8]].tolist() == [1, 0, 0.5, 0.5, 1, 0, 1, 0] and np.isnan(dx[2])


MEMORY = {"C": lambda a: a, "Fortran": np.asfortranarray, "gaps": lambda a: np.repeat(a, 2, 0)[::2]}


@each("amsgrad", [False, True])
@each("dtype", DTYPES)
def test_a_step_of_adam_in_c_is_that_of_numpy(amsgrad, dtype):
    for memory in MEMORY.values():
        found = {}
        for by in ("numpy", "compiled"):
            w = Tensor(memory(numbers((300, 700), dtype)))
            adam = optim.AdamW([w], lr=0.1, amsgrad=amsgrad)
            with using(by), no_grad():
                for step in range(3):
                    w.grad = memory(numbers((300, 700), dtype, step + 3))
                    adam.step()
            found[by] = [w.data, *[a for a in adam.state[w].values() if np.ndim(a)]]
        for one, other in zip(found["compiled"], found["numpy"]):
            assert not differ(one, other, CLOSE[dtype] / 10)


OF_SGD = [{}, {"weight_decay": 0.3, "maximize": True}, {"momentum": 0.9, "dampening": 0.2, "weight_decay": 0.3}]


@each("options", [*OF_SGD, {"momentum": 0.9, "nesterov": True}])
@each("dtype", DTYPES)
def test_a_step_of_sgd_in_c_has_the_bits_of_numpys(options, dtype):
    for memory in MEMORY.values():
        found = {}
        for by in ("numpy", "compiled"):
            w = Tensor(memory(numbers((300, 703), dtype)))
            sgd = optim.SGD([w], lr=0.1, **options)
            with using(by), no_grad():
                for step in range(3):
                    w.grad = memory(numbers((300, 703), dtype, step + 3))
                    sgd.step()
            found[by] = [w.data, *sgd.state.get(w, {}).values()]
        for one, other in zip(found["compiled"], found["numpy"], strict=True):
            assert (one == other).all()


def test_all_kernels_of_the_library_are_used():
    with using("compiled"):
        assert {name for name, by in running().items() if by == "compiled"} == registry.SETS["compiled"][0].keys()


@pytest.mark.skipif(library.MALLOC_TOLD or not hasattr(CDLL(None), "mallopt"), reason="another malloc, or one that is told what to do")
def test_the_memory_of_freed_arrays_serves_the_next_ones_without_new_pages():
    def faults():
        before = getrusage(RUSAGE_SELF).ru_minflt
        arrays = [np.ones(1 << 20) for _ in range(8)]
        del arrays
        return getrusage(RUSAGE_SELF).ru_minflt - before

    assert min(faults() for _ in range(3)) < 100  # 64 MiB have 16,384 pages


def test_no_walk_through_the_modules_takes_a_library_for_one():
    assert path_of(0).exists() and not any(getmodulename(path_of(level)) for level in LEVELS)


def test_a_library_of_an_older_source_is_not_used(monkeypatch):
    monkeypatch.setattr(calls, "checksum", lambda: 1)
    assert calls.library.__wrapped__() is None

"""Threads and tasks: each has its own modes, and no contribution is lost if several run backward into one variable."""

import asyncio
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from scalargrad import modes
from tensorgrad import Tensor, grad, no_grad, tanh
from tensorgrad.modes import scope, scope_path
from tests.each import each
from tests.threads import in_threads


def test_ten_threads_add_into_one_leaf_and_the_sum_is_exact():
    w = Tensor(np.zeros(50_000))  # while so many are added up, NumPy lets other threads run
    own = [Tensor(np.full(50_000, float(i + 1)), keep_grad=False) for i in range(10)]

    def work(i):
        for _ in range(20):
            (w * own[i]).sum().backward()

    in_threads(10, work)
    assert set(w.grad) == {20.0 * sum(range(1, 11))}


def test_threads_run_backward_over_graphs_that_share_their_lower_half():
    x = Tensor([1.0, 2.0])
    shared = x
    for _ in range(30):
        shared = shared + 0.0
    tops = []
    for i in range(4):
        z = shared
        for _ in range(50):
            z = z + x
        tops.append((z * (i + 1.0)).sum())

    def work(i):
        for _ in range(25):
            tops[i].backward(retain_graph=True)

    in_threads(4, work)
    assert x.grad.tolist() == [25.0 * 51 * (1 + 2 + 3 + 4)] * 2


def test_threads_build_and_differentiate_graphs_of_their_own():
    def work(i):
        x = Tensor(np.full((3, 3), i + 1.0))
        y = x
        for _ in range(200):
            y = y * 0.5 + x
        return grad(tanh(y).sum(), x)

    alone = [work(i) for i in range(4)]
    for got, expected in zip(in_threads(4, work), alone):
        np.testing.assert_array_equal(got, expected)


def test_a_graph_built_in_one_thread_can_be_differentiated_in_another():
    x = Tensor([1.0, 2.0])
    z = (x * x).sum()
    in_threads(1, lambda i: z.backward())
    assert x.grad.tolist() == [2.0, 4.0]


def test_of_several_threads_with_one_graph_one_differentiates_it_and_the_others_get_an_error():
    x = Tensor([1.0, 2.0])
    z = (x * x).sum()

    def work(i):
        try:
            z.backward()
        except RuntimeError as told:
            return str(told)

    answers = in_threads(4, work)
    assert answers.count(None) == 1 and all("released" in told for told in answers if told)
    assert x.grad.tolist() == [2.0, 4.0]


BLOCKED = {  # a leaf w, and a z whose pass waits for `go` after w got one of its two contributions
    "tensorgrad": """
from tensorgrad import Tensor
w = Tensor(2.0)
y = w * 3
y.hooks.append(lambda G: wait())
""",
    "scalargrad": """
from scalargrad import Value
class Slow:
    def __rmul__(self, upstream):
        wait()
        return upstream * 3
w = Value(2.0)
y = w * 3
y.partials = (Slow(),)
""",
}
FORK = """
import os, signal, threading
inside, go = threading.Event(), threading.Event()
def wait():
    inside.set()
    go.wait(60)
{blocked}
z = y * w
thread = threading.Thread(target=z.backward)
thread.start()
inside.wait()
child = os.fork()
if not child:
    signal.alarm(30)  # a deadlock ends the child
    y.zero_grad()
    (w * w).backward()
    print("child", w.grad, flush=True)
    os._exit(0)
print("ended", os.waitpid(child, 0)[1])
go.set()
thread.join()
print("parent", w.grad)
"""


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("room", BLOCKED)
def test_after_a_fork_during_a_pass_of_another_thread_the_child_works(room):
    program = FORK.format(blocked=BLOCKED[room])
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.splitlines() == ["child 4.0", "ended 0", "parent 12.0"]


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_after_a_fork_within_a_pass_both_processes_finish_it():
    program = """
import os
from tensorgrad import Tensor
w, children = Tensor(2.0), []
y = w * 3
y.hooks.append(lambda G: children.append(os.fork()))
(y * w).backward()
(w * w).backward()
if children[0]:
    assert os.waitpid(children[0], 0)[1] == 0
print(w.grad, flush=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.split() == ["16.0", "16.0"]


def test_no_grad_in_one_thread_is_not_seen_in_another():
    x = Tensor([1.0])
    inside, done = threading.Barrier(2), threading.Barrier(2)

    def work(i):
        if i == 0:
            with no_grad():
                inside.wait()
                y = x * x
                done.wait()
        else:
            inside.wait()
            y = x * x
            done.wait()
        return y.node is None

    assert in_threads(2, work) == [True, False]
    assert modes.active == 0


def test_a_scope_in_one_thread_is_not_seen_in_another():
    with scope("outer"):
        assert in_threads(1, lambda i: scope_path()) == [()]


def test_no_grad_in_one_task_is_not_seen_in_another():
    x = Tensor([1.0])

    async def without(inside, done):
        with no_grad(), scope("block"):
            inside.set()
            await done.wait()
            return (x * x).node is None, scope_path()

    async def with_gradients(inside, done):
        await inside.wait()
        y = x * x
        done.set()
        return y.node is None, scope_path()

    async def both():
        events = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(without(*events), with_gradients(*events))

    assert asyncio.run(both()) == [(True, ("block",)), (False, ())]


@each("setting", ["ignore", "raise"])
def test_the_users_own_numpy_settings_are_kept_in_every_thread(setting):
    def work(i):
        with np.errstate(all=setting):
            x = Tensor([0.0, 1.0])
            z = (x / x).sum()  # 0/0, silently
            z.backward()
            return np.geterr()["divide"]

    assert in_threads(3, work) == [setting] * 3

"""CPU time: a cost that other programs do not change, measured without the garbage collector."""

import gc
import os
from time import process_time


def cpu_seconds(work):
    """Return the CPU time of work() and of the processes that it starts and waits for, and the result of work()."""
    gc.collect()
    gc.disable()
    try:
        here, children = process_time(), _children()
        found = work()
        return process_time() - here + _children() - children, found
    finally:
        gc.enable()


def _children():
    times = os.times()  # resolution 1/100 s: enough for a process, too coarse for a function
    return times.children_user + times.children_system


def assert_linear(work, make, n, most=8, rounds=5):
    """Assert that `work(make(4n))` takes less than `most` times the CPU time of `work(make(n))`: 4 is linear, 16 quadratic.

    The fastest of up to `rounds` rounds counts, because a busy machine only slows a round down.
    """
    once = fourfold = float("inf")
    for _ in range(rounds):
        once = min(once, _seconds(work, make(n)))
        fourfold = min(fourfold, _seconds(work, make(4 * n)))
        if fourfold < most * once:
            return
    raise AssertionError(f"n = {n}: {once:.4f} s, n = {4 * n}: {fourfold:.4f} s of CPU time")


def _seconds(work, made):
    return cpu_seconds(lambda: work(made))[0]

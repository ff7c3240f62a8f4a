"""Bytes for each variable of a graph after the forward pass and after the backward pass, and what `del z` leaves.

python -m benchmarks.scalar_memory

The bytes include all that belongs to a variable: its number, its gradient, its inputs, its partials, its rule and its name.
`requested` counts the bytes that Python requested (tracemalloc). `resident` is the growth of the process (Linux only).
"""

import gc
import sys
import tracemalloc
from pathlib import Path

from benchmarks.rounds import median, run

ROUNDS, VARIABLES = 3, 300_000
STATM = Path("/proc/self/statm")


def resident():
    return int(STATM.read_text().split()[1]) * 4096


def requested():
    return tracemalloc.get_traced_memory()[0]


def multiply_and_add(x, w, c):
    for _ in range(VARIABLES // 2):
        x = x * w + c
    return x


def multiply(x, w, c):
    for _ in range(VARIABLES):
        x = x * w
    return x


def add(x, w, c):
    for _ in range(VARIABLES):
        x = x + c
    return x


def work(build, size):
    """Return bytes for each variable after the forward and the backward pass, and the number of objects that only the collector frees."""
    from scalargrad import Value

    x, w, c = Value(1.0), Value(0.999999), Value(0.001)
    gc.collect()
    gc.disable()
    if size is requested:
        tracemalloc.start()
    start = size()
    z = build(x, w, c)
    forward = size()
    z.backward()
    backward = size()
    del z
    return {"forward": (forward - start) / VARIABLES, "backward": (backward - start) / VARIABLES, "left": gc.collect()}


BUILDS = {"x * w and x + c in turn": multiply_and_add, "x * w": multiply, "x + c": add}
SIZES = {"requested": requested} | ({"resident": resident} if STATM.exists() else {})


def main():
    contestants = {
        f"{shape}; {how}": lambda build=build, size=size: work(build, size)
        for shape, build in BUILDS.items()
        for how, size in SIZES.items()
    }
    found = run("benchmarks.scalar_memory", contestants, ROUNDS)
    print(f"\nBytes for each of {VARIABLES:,} variables with two inputs, medians of {ROUNDS} runs (Python {sys.version.split()[0]})")
    print(f"{'':38}{'after forward':>14}{'after backward':>16}")
    for name, ours in found.items():
        print(f"{name:38}{median(ours, 'forward'):14.0f}{median(ours, 'backward'):16.0f}")
        assert all(one["left"] == 0 for one in ours), f"the collector found {ours[0]['left']} objects after `del z`"
    print("After `del z`, gc.collect() found 0 objects in every run.")


if __name__ == "__main__":
    raise SystemExit(main())

"""Compare programs on a noisy machine: in turn, each in its own process, with ratios taken within a round.

A benchmark gives `run` a dictionary {name: function}; each function does the work and returns {quantity: number}. The program
calls itself once per name and round, so no program affects the memory of another. Times are CPU times.
"""

import json
import os
import statistics
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from time import perf_counter, process_time
from timeit import timeit

ONE_THREAD = dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1")


def run(module, contestants, rounds):
    """Return {name: a list with one {quantity: number} per round}. In a child process, do the work of one program and exit."""
    if len(sys.argv) == 3 and sys.argv[1] == "--alone":
        print(json.dumps(contestants[sys.argv[2]]()))
        sys.exit()
    found = {name: [] for name in contestants}
    for _ in range(rounds):
        for name in contestants:
            found[name].append(in_own_process(module, name))
    return found


def in_own_process(module, name):
    done = subprocess.run(
        [sys.executable, "-m", module, "--alone", name], env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def median(found, what):
    return statistics.median(one[what] for one in found)


def ratio(peer, ours, what):
    """Return the median over rounds of peer / ours, each pair from the same round: how many times as fast ours is."""
    return statistics.median(a[what] / b[what] for a, b in zip(peer, ours, strict=True))


def installed(package, advice, so="there is nothing to compare with"):
    """Return whether a peer is installed; if it is not, print what to install, and what follows from that."""
    if find_spec(package):
        return True
    if "--alone" not in sys.argv:
        print(f"{package} is not installed, so {so}: {advice}")
    return False


class CPU:
    """Measure the CPU seconds of a block.

    >>> with CPU() as spent: _ = sum(range(1000))
    >>> spent.seconds >= 0
    True
    """

    def __enter__(self):
        self._start = process_time()
        return self

    def __exit__(self, *exc):
        self.seconds = process_time() - self._start


def one_thread():
    """Set one thread per library. Call this before importing NumPy or a peer: several threads slow down when other programs run."""
    os.environ.update(ONE_THREAD)


def cpu_in_turn(steps, rounds):
    """Run the steps in turn; return the median CPU seconds of the last, and the medians of each other step's time / the last's."""
    found = []
    for _ in range(rounds):
        found.append([])
        for step in steps:
            with CPU() as spent:
                step()
            found[-1].append(spent.seconds)
    return statistics.median(r[-1] for r in found), *[statistics.median(r[i] / r[-1] for r in found) for i in range(len(steps) - 1)]


def in_turn(ours, theirs, rounds=25, least=0.02, timer=perf_counter):
    """Return (median seconds of ours, of theirs, median of ours / theirs), called in turn in one process.

    In each round, both are called as often as fits into `least` seconds, and the ratio of the two is taken.
    timer=process_time takes CPU seconds, which other programs do not disturb. A function may have `ready(calls)`, which prepares so many
    calls outside the measured time.
    """
    ours(), theirs()
    start = perf_counter()
    ours(), theirs()
    calls = max(1, round(least / (perf_counter() - start)))
    ready = {f: partial(getattr(f, "ready", int), calls) for f in (ours, theirs)}
    pairs = [[timeit(f, ready[f], timer, calls) / calls for f in (ours, theirs)] for _ in range(rounds)]
    return (*map(statistics.median, zip(*pairs)), statistics.median(a / b for a, b in pairs))


def report(title, rows):
    """Print a table of measurements, from rows of (case, seconds ours, seconds theirs, ours / theirs, target)."""
    print(title)
    print(f"{'':34}{'ours':>12}{'theirs':>12}{'ratio':>8}{'target':>8}")
    for case, ours, theirs, ratio, target in rows:
        print(f"{case:34}{ours * 1e6:9.1f} us{theirs * 1e6:9.1f} us{ratio:8.3f}{target:>8}", flush=True)

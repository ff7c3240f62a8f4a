"""Compare programs fairly on a noisy machine: in turn, each in a process of its own, ratios taken within a round.

A benchmark gives `run` a dictionary {name: function}; each function does the work and returns {what: number}. The program
calls itself once for each name and round, so that no contestant sees another's memory, and the numbers are CPU times.
"""

import json
import os
import statistics
import subprocess
import sys
from importlib.util import find_spec
from time import perf_counter, process_time
from timeit import timeit

ONE_THREAD = dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1")


def run(module, contestants, rounds):
    """{name: one {what: number} for each round}; in a child process, do the one contestant's work and leave."""
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
    """The median over rounds of peer / ours, each pair from the same round: how many times as fast ours is."""
    return statistics.median(a[what] / b[what] for a, b in zip(peer, ours, strict=True))


def installed(package, advice):
    """Whether a peer is there; if not, say what to install."""
    if find_spec(package):
        return True
    if "--alone" not in sys.argv:
        print(f"{package} is not installed, so there is nothing to compare with: {advice}")
    return False


class CPU:
    """CPU seconds spent in a block.

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
    """Call this before NumPy or a peer is imported: several threads collapse when anything else runs on the machine."""
    os.environ.update(ONE_THREAD)


def in_turn(ours, theirs, rounds=25, least=0.02):
    """Seconds of one call of each, taken in turn in one process: (median ours, median theirs, median of ours / theirs).

    Within a round each is called as often as fills `least` seconds, and the ratio is taken of the two.
    """
    ours(), theirs()
    start = perf_counter()
    ours(), theirs()
    calls = max(1, round(least / (perf_counter() - start)))
    pairs = [(timeit(ours, number=calls) / calls, timeit(theirs, number=calls) / calls) for _ in range(rounds)]
    return (*map(statistics.median, zip(*pairs)), statistics.median(a / b for a, b in pairs))


def report(title, rows):
    """A table of measurements: rows of (case, seconds ours, seconds theirs, ours / theirs, target)."""
    print(title)
    print(f"{'':34}{'ours':>12}{'theirs':>12}{'ratio':>8}{'target':>8}")
    for case, ours, theirs, ratio, target in rows:
        print(f"{case:34}{ours * 1e6:9.1f} us{theirs * 1e6:9.1f} us{ratio:8.3f}{target:>8}", flush=True)

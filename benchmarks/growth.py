"""Growth of costs: CPU seconds and bytes at n, 2n and 4n, and which of them grow faster than linearly.

    python -m benchmarks.growth              every line
    python -m benchmarks.growth draw trace   the lines whose names start with these

Each measurement runs in its own process, with its helpers such as the layout engine. It stops after LIMIT seconds of CPU time.
Bytes are the size of the written file, or else the growth of the process's peak memory. The exponent is the power of n from n
to 4n; 1 is linear. "above linear" means an exponent above MOST, which allows for caches and noise.
"""

import json
import math
import os
import signal
import subprocess
import sys
from time import process_time

from benchmarks.rounds import ONE_THREAD, one_thread

one_thread()

from benchmarks.growth_lines import LINES  # noqa: E402

try:
    import resource
except ImportError:  # Windows
    resource = None

LIMIT = 20  # CPU seconds for one measurement
MOST = 1.4  # larger exponents are above linear
SMALL = 2**22  # bytes at 4n; a smaller peak shows pages of memory, not growth
REPEATS, ENOUGH = 3, 0.3  # take the fastest of so many runs, or of as many as fit into so many seconds


def cpu_seconds():
    """Return the CPU seconds of this process and of those that it has waited for."""
    if resource is None:
        return process_time()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + used.ru_utime + used.ru_stime


def peak():
    if resource is None:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def alone(name, n):
    """Return (CPU seconds, bytes) of one line at n. It runs in a process of its own."""
    prepare = LINES[name][1]
    work = prepare(n)
    if resource is not None:
        used = math.ceil(cpu_seconds())
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT + used, LIMIT + used + 1))
    before, spent = peak(), []
    while not spent or (len(spent) < REPEATS and sum(spent) < ENOUGH):
        if spent:
            work = prepare(n)
        start = cpu_seconds()
        written = work()
        spent.append(cpu_seconds() - start)
        if len(spent) == 1:
            size = written if type(written) is int else peak() - before
    return min(spent), size


def measured(name, n):
    """Return (seconds, bytes) of one line at n, or a sentence that says why the measurement failed."""
    command = [sys.executable, "-m", "benchmarks.growth", "--alone", name, str(n)]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if resource is not None and (done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or "SIGXCPU" in done.stderr):
        return f"stopped: more than {LIMIT} s at n = {n:,}"
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return f"failed at n = {n:,}: {last:.100}"


def exponent(first, last):
    """Return the power of n with which a cost grew from n to 4n."""
    return math.log(last / first, 4) if first > 0 and last > 0 else 0.0


def show(name):
    """Measure one line and print it; return whether it is above linear."""
    sizes, found, stopped = LINES[name][0], [], None
    for n in sizes:
        one = measured(name, n)
        if isinstance(one, str):
            stopped = one
            break
        found.append(one)
    seconds = [f"{s * 1e3:,.0f} ms" for s, _ in found] + ["-"] * (3 - len(found))
    sizes_in_bytes = [f"{b / 1e6:,.1f} MB" for _, b in found] + ["-"] * (3 - len(found))
    print(f"{name:24}{' '.join(f'{n:,}' for n in sizes):>22} |{''.join(f'{s:>11}' for s in seconds)}", end="")
    if stopped:
        print(f" |{''.join(f'{b:>10}' for b in sizes_in_bytes)} | {stopped}", flush=True)
        return True
    time, size = exponent(found[0][0], found[-1][0]), exponent(found[0][1], found[-1][1])
    above = time > MOST or (size > MOST and found[-1][1] > SMALL)
    print(f"{time:6.2f} |{''.join(f'{b:>10}' for b in sizes_in_bytes)}{size:6.2f} |{' above linear' * above}", flush=True)
    return above


def main(arguments):
    if arguments[:1] == ["--alone"]:
        print(json.dumps(alone(arguments[1], int(arguments[2]))))
        return 0
    unknown = [a for a in arguments if not any(name.startswith(a) for name in LINES)]
    if unknown:
        print(f"unknown line {', '.join(map(repr, unknown))}; choose from: {'; '.join(LINES)}", file=sys.stderr)
        return 2
    names = [name for name in LINES if not arguments or any(name.startswith(a) for a in arguments)]
    print(f"{'':24}{'n, 2n, 4n':>22} |{'CPU time':>33}{'power':>6} |{'bytes':>30}{'power':>6} |")
    above = [name for name in names if show(name)]
    print(f"above linear: {'; '.join(above)}" if above else "nothing is above linear")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Data parallel on this machine: bytes, latency and bandwidth of MPI, and the seconds of a step with 1 and 2 processes.

python -m benchmarks.parallel

Each number of processes runs in turn, for several rounds. What was measured on one and two processes goes into `StepCost`, which
then says on paper how long a step takes on more machines, over connections of other kinds, and up to how many of them pay.

Needs: mpi4py.
"""

import json
import os
import statistics
import subprocess
import sys
from time import perf_counter

from benchmarks.rounds import ONE_THREAD, installed

ROUNDS, STEPS, EXAMPLES, SHARDS = 5, 8, 128, 8
MESSAGE = 1 << 24  # bytes, for the bandwidth
CONNECTIONS = {"1 Gbit/s": (5e-5, 1.25e8), "10 Gbit/s": (3e-5, 1.25e9), "100 Gbit/s": (5e-6, 1.25e10)}  # typical, not measured


def network():
    """Return an MLP 784-512-512-10 as a list of parameters, and its loss."""
    import numpy as np

    import tensorgrad as tg

    rng = np.random.default_rng(0)
    sizes = [(784, 512), (512, 512), (512, 10)]
    weights = [tg.Tensor((rng.standard_normal(s) / s[0] ** 0.5).astype(np.float32)) for s in sizes]

    def loss_of(x, y):
        for W in weights[:-1]:
            x = tg.relu(x @ W)
        return tg.cross_entropy(x @ weights[-1], y)

    return weights, loss_of


def measured(shards):
    """Return what one process measures: seconds of a step with so many shards, of the update, and of messages."""
    import numpy as np

    from tensorgrad import optim, parallel

    weights, loss_of = network()
    optimiser = optim.SGD(weights, lr=0.01)
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((EXAMPLES, 784)).astype(np.float32), rng.integers(0, 10, EXAMPLES)
    with parallel.open(shards=shards) as group:
        group.backward(weights, loss_of, x, y), optimiser.step()
        sent, steps, updates = group.bytes_sent, [], []
        for _ in range(STEPS):
            optimiser.zero_grad()
            start = perf_counter()
            group.backward(weights, loss_of, x, y)
            between = perf_counter()
            optimiser.step()
            steps.append(between - start)
            updates.append(perf_counter() - between)
        found = {"backward": min(steps), "update": min(updates), "bytes": (group.bytes_sent - sent) / STEPS}
        found["gradients"] = sum(p.grad.nbytes for p in weights)
        if group.size == 2:
            found |= {"latency": exchange_seconds(group, 8, 200), "large": exchange_seconds(group, MESSAGE, 5)}
        return found | {"rank": group.rank}


def exchange_seconds(group, nbytes, times):
    """Return the seconds that a message of so many bytes takes from one process to the other, which sends it back."""
    import numpy as np

    found, array, other = [], np.zeros(nbytes, np.uint8), 1 - group.rank
    for _ in range(times):
        start = perf_counter()
        if group.rank == 0:
            group.comm.send(other, array, 0)
        group.comm.receive(other, 0, array)
        if group.rank == 1:
            group.comm.send(other, array, 0)
        group.comm.finish_sends()
        found.append((perf_counter() - start) / 2)
    return statistics.median(found)


def run(processes, shards=SHARDS):
    """Run this program in so many processes, and return what rank 0 has measured."""
    from tests.tensorgrad.parallel import launcher

    start = [launcher.mpirun(), "-n", str(processes)] if processes > 1 else []
    command = [*start, sys.executable, "-m", "benchmarks.parallel", "--alone", str(shards)]
    lines = subprocess.run(command, env=os.environ | ONE_THREAD | launcher.ANYWHERE, stdout=subprocess.PIPE, text=True, check=True).stdout
    return next(one for one in map(json.loads, lines.splitlines()) if one["rank"] == 0)


def main():
    if "--alone" in sys.argv:
        return sys.stdout.write(json.dumps(measured(int(sys.argv[-1]))) + "\n")
    if not installed("mpi4py", "pip install 'gradsteps[distributed]'"):
        return None
    rounds = [(run(1, shards=1), run(1), run(2)) for _ in range(ROUNDS)]
    whole, one, two = ({key: statistics.median(r[i][key] for r in rounds) for key in rounds[0][i]} for i in range(3))
    bandwidth = MESSAGE / (two["large"] - two["latency"])
    print(f"MLP 784-512-512-10, {EXAMPLES} examples in {SHARDS} shards; gradients {one['gradients'] / 1e6:.2f} MB")
    for name, found in ("1 process, whole batch", whole), ("1 process", one), ("2 processes", two):
        print(f"  {name}: backward {found['backward'] * 1e3:.2f} ms, update {found['update'] * 1e3:.2f} ms")
    print(f"  each of 2 processes sends {two['bytes'] / 1e6:.2f} MB in a step")
    print(f"  a message needs {two['latency'] * 1e6:.0f} us, and {MESSAGE / 1e6:.0f} MB move at {bandwidth / 1e9:.2f} GB/s")
    return on_paper(one, {"this machine": (two["latency"], bandwidth)} | CONNECTIONS)


def on_paper(one, connections):
    """Print the seconds of a step, and up to how many processes at least half of their time is of use."""
    from tensorgrad.parallel import Link, StepCost

    step = StepCost(64, one["backward"] / SHARDS, one["update"], one["gradients"])
    print("on paper, ms of a step of 64 such shards; the last column: processes of whose time half is of use")
    print(f"{'':14}" + "".join(f"{n:>9}" for n in (1, 2, 4, 8, 16, 32, 64)))
    for name, link in connections.items():
        row = [step.seconds(n, Link(*link)) * 1e3 for n in (1, 2, 4, 8, 16, 32, 64)]
        print(f"{name:14}" + "".join(f"{ms:9.2f}" for ms in row) + f"{step.most_processes(Link(*link)):>6}")


if __name__ == "__main__":
    main()

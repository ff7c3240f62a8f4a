"""Chains of x = x * w + c: up to 10⁵ operations compared with PyTorch's 0-d tensors, and 10⁶ operations alone.

python -m benchmarks.scalar_chain

One thread, CPU time. Each run builds the chain, runs backward() and frees the graph. An operation is one multiplication or addition.

Needs: torch, for the comparison.
"""

import importlib
import json
from contextlib import nullcontext

from benchmarks.rounds import CPU, installed, median, ratio, run

ROUNDS, LENGTHS, AT_LEAST, MILLION = 3, (10**3, 10**4, 10**5), 10**5, 10**6


def variables(engine):
    if engine == "torch":
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
        return [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (1.0, 0.999999, 0.001)]
    return [importlib.import_module("scalargrad").Value(x) for x in (1.0, 0.999999, 0.001)]


def work(engine, operations, repeats=1, block=nullcontext):
    """Return CPU seconds of one chain: forward pass, backward pass and freeing. dz/dw shows that the engines computed the same."""
    x, w, c = variables(engine)
    spent = dict.fromkeys(["forward", "backward", "freeing"], 0.0)
    with block():
        for _ in range(repeats):
            w.grad = c.grad = x.grad = None if engine == "torch" else 0
            with CPU() as forward:
                z = x
                for _ in range(operations // 2):
                    z = z * w + c
            with CPU() as backward:
                z.backward()
            with CPU() as freeing:
                del z
            for name, part in ("forward", forward), ("backward", backward), ("freeing", freeing):
                spent[name] += part.seconds / repeats
    return {**spent, "total": sum(spent.values()), "dz/dw": float(w.grad)}


def paused():
    return importlib.import_module("scalargrad").gc_paused()


def contestants(engines):
    chains = {
        f"{engine} {n}": lambda engine=engine, n=n: work(engine, n, repeats=max(1, AT_LEAST // n)) for n in LENGTHS for engine in engines
    }
    million = {
        "a million": lambda: work("scalargrad", MILLION),
        "a million, gc_paused": lambda: work("scalargrad", MILLION, block=paused),
    }
    return chains | million


def main():
    engines = ["scalargrad", "torch"] if installed("torch", "python -m pip install torch") else ["scalargrad"]
    found = run("benchmarks.scalar_chain", contestants(engines), ROUNDS)
    print(f"\nA chain of multiplications and additions, CPU nanoseconds for each operation, medians of {ROUNDS} rounds")
    print(f"{'':20}{'forward':>9}{'backward':>9}{'freeing':>9}{'total':>9}   times as fast")
    for n in LENGTHS:
        for engine in engines:
            ours = found[f"{engine} {n}"]
            parts = "".join(f"{median(ours, part) / n * 1e9:9.0f}" for part in ("forward", "backward", "freeing", "total"))
            peer = found.get(f"torch {n}")
            print(f"{engine:11}{n:9,}{parts}" + (f"{ratio(peer, ours, 'total'):12.1f}" if peer else ""))
            if peer:
                assert abs(ours[0]["dz/dw"] / peer[0]["dz/dw"] - 1) < 1e-9, f"the engines disagree: {json.dumps(ours[0])}"
    print(f"\n{MILLION:,} operations, CPU seconds, medians of {ROUNDS} rounds")
    for name in ("a million", "a million, gc_paused"):
        ours = found[name]
        print(f"{name:22}" + "".join(f"  {part} {median(ours, part):.2f}" for part in ("forward", "backward", "freeing", "total")))


if __name__ == "__main__":
    raise SystemExit(main())

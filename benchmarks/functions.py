"""Every public function that PyTorch has too: forward, and forward and backward, against PyTorch and HIPS autograd.

    python -m benchmarks.functions                     every function, on arrays of 4², 256² and 2048² entries
    python -m benchmarks.functions --only cumsum tanh  these functions
    python -m benchmarks.functions --sizes 4 256       these sizes
    python -m benchmarks.functions --quick             fewer rounds
    python -m benchmarks.functions --write             puts the table into benchmarks/RESULTS.md too, for this machine

Needs: torch, pytest; with autograd it compares with HIPS autograd too.

CPU times in float32 on one thread. Ours and a peer run in turn in one process. A ratio is the median over the rounds of our time / the
peer's, so below 1 we are faster. For each size there are three: forward alone against PyTorch, forward and backward against PyTorch, and
against autograd. The functions of products have their floor below them: the same products alone, without a graph, by NumPy's BLAS and by
PyTorch's library, also as a part of PyTorch's time.

Each call gets an upstream gradient of its own, made outside the measured time, which nothing else refers to, as in
z.backward(np.ones(n)): neither copies it. A function that only changes the shape has a line for a caller who keeps it. There PyTorch's
gradient of x shares its memory, so that both change together; ours is a copy, which a later change of the caller's array cannot reach.
"""

import argparse
import datetime
import os
import platform
import re
import statistics
import sys
from pathlib import Path
from time import process_time

from benchmarks.rounds import in_turn, installed, one_thread

one_thread()

import numpy as np  # noqa: E402

import tensorgrad as tg  # noqa: E402
from benchmarks.floors import by_numpy, by_torch  # noqa: E402
from tensorgrad import Tensor  # noqa: E402
from tensorgrad.families import PUBLIC  # noqa: E402
from tensorgrad.numpy_dispatch import DISPATCH  # noqa: E402

RESULTS = Path(__file__).with_name("RESULTS.md")
SIZES = [4, 256, 2048]
ROUNDS, QUICK = {"rounds": 9, "least": 0.01}, {"rounds": 5, "least": 0.002}
SLOW = 1.2  # times PyTorch's time
PRODUCTS = {"matmul", "mm", "bmm", "linear", "addmm", "baddbmm", "inner", "einsum"}
BY_OPERATOR = {"getitem", "pow"}
AUTOGRAD_LACKS = {"partition", "sort"}  # beyond one axis
SHARED = {"reshape", "ravel", "flatten", "unflatten", "squeeze", "unsqueeze", "expand_dims"}  # PyTorch's gradient shows a kept G
OTHER_VALUE = {"median"}  # PyTorch takes the lower of the middle two


class Autograd:
    """HIPS autograd's functions by the names of ours, as attributes."""

    def __init__(self):
        import autograd.numpy as anp

        for name, function in PUBLIC.items():
            theirs = [
                getattr(home, f.__name__)
                for f, ours in DISPATCH.items()
                if ours is function
                for home in (anp, anp.linalg)
                if hasattr(home, f.__name__)
            ]
            if theirs:
                setattr(self, name, theirs[0])

    def has(self, name):
        """Return whether autograd has a derivative of the function, which is a primitive or made of some."""
        from autograd.core import primitive_vjps

        theirs = getattr(self, name, None)
        return name in BY_OPERATOR or (
            theirs is not None and name not in AUTOGRAD_LACKS and (theirs in primitive_vjps or theirs.__module__ != "autograd.tracer")
        )


class Both:
    """Forward and backward pass, with upstream gradients that upstream() gives; `ready(n)` fetches those of the next n calls."""

    def __init__(self, forward, tensors, upstream):
        self.forward, self.tensors, self.upstream, self.given = forward, tensors, upstream, []

    def ready(self, n):
        self.given = [self.upstream() for _ in range(n)]

    def __call__(self):
        for t in self.tensors:
            t.grad = None
        self.forward().backward(self.given.pop() if self.given else self.upstream())
        return [t.grad for t in self.tensors]


def ours(f, arrays, G, keeps=False):
    """Return our forward pass, and our forward and backward pass, as functions that return the output and the gradients."""
    tensors = [Tensor(a) for a in arrays]
    forward = lambda: f(tg, *tensors)
    return forward, Both(forward, tensors, (lambda: G) if keeps else G.copy)


def torchs(f, arrays, G, keeps=False):
    import torch

    tensors, G = [torch.tensor(a, requires_grad=True) for a in arrays], torch.tensor(G)
    forward = lambda: f(*tensors)
    return forward, Both(forward, tensors, (lambda: G) if keeps else G.clone)


def autograds(f, arrays, G, autograd):
    """Return autograd's forward and backward pass."""
    from autograd.core import make_vjp

    given = tuple(arrays) if len(arrays) > 1 else arrays[0]
    called = (lambda xs: f(autograd, *xs)) if len(arrays) > 1 else (lambda x: f(autograd, x))
    return lambda: make_vjp(called, given)[0](G)


def checked(what, found, expected):
    for i, (a, b) in enumerate(zip(found, expected)):
        a, b = np.zeros(b.shape) if a is None else a, np.asarray(b)
        scale = np.abs(b).max(initial=1e-3)
        assert what in OTHER_VALUE or np.abs(a - b).max(initial=0) <= 1e-2 * scale, f"{what}: the gradients of input {i} differ"


def products(what, arrays, G):
    """Return the pairs of the products in a function, forward and backward."""
    A, B = arrays[1:] if what in ("addmm", "baddbmm") else arrays[:2]
    B = B.swapaxes(-1, -2) if what in ("linear", "inner", "einsum") else B
    return [(A, B), (G, B.swapaxes(-1, -2)), (A.swapaxes(-1, -2), G)]


def measured(what, case, autograd, pace):
    """Return the ratios of a case: forward to PyTorch's, both passes to PyTorch's and to autograd's (None without), and those below it."""
    f, theirs, draw = case
    arrays = draw()
    G = np.random.default_rng(1).standard_normal(f(tg, *map(Tensor, arrays)).shape).astype(np.float32)
    ahead, both = ours(f, arrays, G)
    their_ahead, their_both = torchs(theirs, arrays, G)
    checked(what, both(), their_both())
    ratio = lambda mine, peer: in_turn(mine, peer, timer=process_time, **pace)[-1]
    found = [ratio(ahead, their_ahead), ratio(both, their_both), None]
    if autograd and autograd.has(what.partition(",")[0]):
        found[-1] = ratio(both, autograds(f, arrays, G, autograd))
    below, pairs = {}, products(what, arrays, G) if what in PRODUCTS else []
    for name, floor in {"its products by NumPy's BLAS": by_numpy, "its products by PyTorch's library": by_torch}.items() if pairs else ():
        below[name] = ratio(floor(pairs), their_both)
    if what in SHARED:
        below["the upstream gradient is kept"] = ratio(*[make(g, arrays, G, keeps=True)[1] for make, g in ((ours, f), (torchs, theirs))])
    return found, below


def chosen(cases, only):
    """Return the cases whose function is among `only`, or all if it is empty; exit if there is no such function."""
    names = {what.partition(",")[0] for what in cases}
    if unknown := [name for name in only if name not in names]:
        sys.exit(f"--only {unknown[0]}: not a function that is measured; choose from: {', '.join(sorted(names))}")
    return {what: case for what, case in cases.items() if not only or what.partition(",")[0] in only}


def table(sizes, only, pace, autograd):
    """Yield the lines of the table, each when it is measured, and then those of the summary."""
    import torch

    from benchmarks.function_cases import every

    cases = {n: chosen(every(n, torch), only) for n in sizes}
    seen = {n: {} for n in sizes}
    yield f"| function | {' | '.join(f'{n}²: forward | both | autograd' for n in sizes)} |"
    yield "|---|" + "--:|" * 3 * len(sizes)
    for what in cases[sizes[0]]:
        found = {n: measured(what, cases[n][what], autograd, pace) for n in sizes}
        yield row(what, [r for n in sizes for r in found[n][0]])
        for name in found[sizes[0]][1]:
            yield row(f"↳ {name}", [r for n in sizes for r in (None, found[n][1][name], None)])
        for n in sizes:
            seen[n][what] = found[n][0]
    yield ""
    for n in sizes:
        yield summary(n, seen[n])


def row(what, ratios):
    return f"| {what} | " + " | ".join("" if r is None else f"{r:.2f}" for r in ratios) + " |"


def summary(n, found):
    """Return the sentence on one size, from {what: the three ratios}."""
    both = {what: ratios[1] for what, ratios in found.items()}
    worst, slow = max(both, key=both.get), sum(r > SLOW for r in both.values())
    autograd = [ratios[2] for ratios in found.values() if ratios[2] is not None]
    beside = f"; {statistics.median(autograd):.2f} of autograd's in {len(autograd)}" if autograd else ""
    return (
        f"- {n}²: the median of {len(both)} is {statistics.median(both.values()):.2f} of PyTorch's time; {slow} are above {SLOW}, "
        f"the slowest is {worst} ({both[worst]:.1f}){beside}."
    )


def machine():
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*: *(.+)", info.read_text(), re.M) if info.exists() else None
    return named[1] if named else platform.processor() or platform.machine()


def versions():
    from importlib.metadata import PackageNotFoundError, version

    def of(package):
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    return f"Python {platform.python_version()}, " + ", ".join(f"{name} {of(name)}" for name in ("numpy", "torch", "autograd"))


def busy():
    """Return how many processes want a processor, before the program itself does."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"load {load} on {os.cpu_count()} processors"


def placed(text, title, section):
    """Return RESULTS.md with the section of a machine in the place of the old one, or before all others."""
    head, *sections = re.split(r"(?m)^(?=## )", text)
    name = title.rpartition(", ")[0]  # without the date
    others = [one for one in sections if not one.startswith(f"{name}, ")]
    return "\n\n".join(part.strip() for part in (head, f"{title}\n\n{section}", *others)) + "\n"


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.functions", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="names of functions")
    parser.add_argument(
        "--sizes", nargs="+", type=int, default=SIZES, metavar="N", help="arrays have about N² entries; powers of 2, from 4 on"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/RESULTS.md too")
    options = parser.parse_args(arguments)
    if odd := [n for n in options.sizes if n < 4 or n & (n - 1)]:
        parser.error(f"--sizes {odd[0]}: must be a power of 2, at least 4")
    if options.write and options.only:
        parser.error("--write: the table has every function; leave out --only")
    if not installed("torch", "python -m pip install torch"):
        return
    if not installed("pytest", "python -m pip install pytest", "there are no cases"):
        return
    import torch

    torch.set_num_threads(1)
    autograd = Autograd() if installed("autograd", "python -m pip install autograd", "it is not compared") else None
    title, pace = f"## {machine()}, {datetime.date.today()}", QUICK if options.quick else ROUNDS
    lines = [f"{versions()}; medians of {pace['rounds']} rounds; {busy()}.", ""]
    print("\n".join([title, "", *lines]), flush=True)
    for line in table(options.sizes, options.only, pace, autograd):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        RESULTS.write_text(placed(RESULTS.read_text(encoding="utf-8"), title, "\n".join(lines)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

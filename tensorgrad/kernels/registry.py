"""The registry of kernels: each can be replaced as a whole, by its name. NumPy's function stays, as the oracle of the others.

A kernel is a function of plain arrays: one block of gelu, a product of matrices, a convolution. `@kernel(name)` above NumPy's function
registers it. A set of kernels that do the same in another way, such as those in C, is `offered` under a name of its own.
"""

from functools import update_wrapper

from scalargrad.messages.errors import brief
from tensorgrad.kernels.threads import each, number

KERNELS: dict = {}  # {name: Kernel}
SETS: dict = {"numpy": ({}, 1)}  # {name of a set: ({name of a kernel: its function}, how large its blocks are)}


class Kernel:
    """A kernel: calls go to `run`. It is `numpy`, NumPy's function, unless a set that is in use has another.

    `larger` says how many times as many entries a block may have as one of NumPy, whose intermediate results must fit the cache.
    """

    chosen = "numpy"  # the set in use

    def __init__(self, name, function):
        update_wrapper(self, function)
        self.name, self.numpy = name, function
        KERNELS[name] = self
        self.choose(Kernel.chosen)

    def __call__(self, *args):
        return self.run(*args)

    def choose(self, name):
        functions, larger = SETS[name]
        found = self.name in functions
        own = getattr(self.numpy, "larger", 1)
        self.run, self.larger, self.by = (functions[self.name], larger, name) if found else (self.numpy, own, "numpy")
        self.over = not found and getattr(self.numpy, "over", False)  # whether `out` may be its first input

    def each(self, calls, cut=None, then=None, pays=True, large=True):
        """Call the kernel with each tuple of arguments, on several threads if that `pays`; with `then`, call then(result) in their order.

        Kernels in C have their own threads, and cut their arguments themselves. Those of NumPy take the tuples that cut(*arguments) gives.
        """
        in_c = getattr(self.run, "together", None)
        found, left = in_c(calls, number() if pays else 1) if in_c else ([[] for _ in calls], range(len(calls)))
        function = self.numpy if in_c else self.run
        parts = [(i, part) for i in left for part in ([calls[i]] if cut is None else cut(*calls[i]))]
        if parts and not any(found):
            each(parts, lambda part: function(*part[1]), then, pays, large)
            return
        if parts:  # their results go between those of the others
            each(parts, lambda part: (part[0], function(*part[1])), lambda result: found[result[0]].append(result[1]), pays, large)
        if then is not None:
            for one in found:
                for result in one:
                    then(result)

    def __reduce__(self):  # a node may keep a kernel, and nodes are copied and pickled
        return named, (self.name,)


def named(name):
    return KERNELS[name]


def kernel(name):
    """Register NumPy's function of a kernel."""
    return lambda function: Kernel(name, function)


def offered(name, functions, larger=1):
    """Offer a set of kernels: {name: a function that takes what NumPy's takes, and fills or returns the same}."""
    SETS[name] = functions, larger


class using:
    """Compute with the kernels of a set, "numpy" or "compiled"; those that it lacks stay NumPy's. As a context manager until its end.

    Raises ValueError for a set that is not there. The choice holds for all threads.

    >>> with using("numpy"):
    ...     set(running().values())
    {'numpy'}
    """

    def __init__(self, name):
        if name not in SETS:
            built = "; python -m tensorgrad.kernels.compiled builds them" if name == "compiled" else ""
            raise ValueError(f"kernels.using: there are no kernels {brief(name)} here, only {', '.join(SETS)}{built}")
        self.before = Kernel.chosen
        choose(name)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        choose(self.before)


def choose(name):
    Kernel.chosen = name
    for one in KERNELS.values():
        one.choose(name)


def running():
    """Return {name of a kernel: the set that computes it}.

    >>> running()["convolution"]
    'numpy'
    """
    return {name: KERNELS[name].by for name in sorted(KERNELS)}

"""The work whose growth benchmarks/growth.py measures: LINES has one line for each kind of work, by name.

A line imports what it needs when it runs, because each runs in a process of its own.
"""

import tempfile
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

LINES = {}  # name: (sizes, function of n that prepares the work and returns it)


def line(name, *sizes):
    """Register a line of the table. The decorated function of n prepares the work (not measured) and returns it as a function."""

    def added(prepare):
        LINES[name] = (sizes, prepare)
        return prepare

    return added


# Graphs


def chain(n):
    """Return z = z·w + c, repeated n times, from z = x."""
    from scalargrad import Value

    z, w, c = Value(1.0, name="x"), Value(0.999, name="w"), Value(0.001, name="c")
    for _ in range(n):
        z = z * w + c
    return z


def chain_of_tensors(n, shape=(2,)):
    """Return the same chain of arrays, summed, and its leaves, which the caller must keep alive."""
    import numpy as np

    from tensorgrad import Tensor

    x, w, c = leaves = [Tensor(np.full(shape, number), name=name) for name, number in zip("xwc", (1.0, 0.999, 0.001))]
    z = x
    for _ in range(n):
        z = z * w + c
    return z.sum(), leaves


def pieces(n):
    from tensorgrad import Tensor

    return [Tensor([1.0, 2.0]) for _ in range(n)]


def scalars(n):
    from scalargrad import Value

    return [Value(i % 97 / 100) for i in range(n)]


# Pictures


@line("draw", 25, 50, 100)
def draw(n):
    import viz

    z = chain(n)
    return lambda: len(viz.draw(z, max_nodes=10_000).pipe(format="svg"))


@line("draw, folded", 2_500, 5_000, 10_000)
def draw_folded(n):
    import viz

    z = chain(n)
    return lambda: len(viz.draw(z).pipe(format="svg"))


@line("play", 1_000, 2_000, 4_000)
def play(n):
    import viz

    z = chain(n)
    return lambda: len(viz.play(z).html)


@line("walk", 250, 500, 1_000)
def walk(n):
    import viz

    z, out = chain(n), StringIO()

    def work():
        with redirect_stdout(out):
            viz.walk(z)

    return work


# Traces


@line("trace topological", 2_500, 5_000, 10_000)
def trace(n, schedule="topological"):
    from scalargrad import Trace

    z = chain(n)
    return lambda: Trace(z, schedule=schedule)


@line("trace counting", 2_500, 5_000, 10_000)
def trace_counting(n):
    return trace(n, "counting")


@line("trace tape", 2_500, 5_000, 10_000)
def trace_tape(n):
    return trace(n, "tape")


@line("trace paths", 1_000, 2_000, 4_000)
def trace_paths(n):
    import scalargrad
    from scalargrad import Trace, Value

    x = Value(0.5, name="x")
    z = scalargrad.sum(*[x * i for i in range(n)])  # as many paths as products
    return lambda: Trace(z, schedule="paths")


@line("to_json", 500, 1_000, 2_000)
def to_json(n):
    from scalargrad import Trace

    trace = Trace(chain(n))
    return lambda: len(trace.to_json())


@line("to_json, tensors", 250, 500, 1_000)
def to_json_tensors(n):
    from scalargrad import Trace

    z, leaves = chain_of_tensors(n)
    trace = Trace(z)
    return lambda: (len(trace.to_json()), leaves)[0]


# Programs, the command line


@line("program, numbers", 1_000, 2_000, 4_000)
def program(n, number=float):
    from scalargrad import program

    def f(x, w, c):
        for _ in range(n):
            x = x * w + c
        return x

    numbers = list(map(number, (1.0, 0.999, 0.001)))
    return lambda: program(f)(*numbers)


@line("program, arrays", 1_000, 2_000, 4_000)
def program_arrays(n):
    import numpy as np

    return program(n, lambda x: np.full(3, x))


@line("command line", 1_000, 2_000, 4_000)
def command_line(n):
    from tutorial.cli.main import main

    def work():
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()) as printed, chdir(folder):
            main([f"sum({','.join(['x'] * n)})", "x=1"])
            return len(printed.getvalue())

    return work


@line("command line, page", 1_000, 2_000, 4_000)
def command_line_page(n):
    from tutorial.cli.main import main

    def work():
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
            file = Path(folder, "z.html")
            main([f"sum({','.join(['x'] * n)})", "x=1", "-o", str(file)])
            return file.stat().st_size

    return work


# Engines


@line("backward, numbers", 50_000, 100_000, 200_000)
def backward(n):
    z = chain(n)
    return z.backward


@line("backward, tensors", 5_000, 10_000, 20_000)
def backward_tensors(n):
    z, leaves = chain_of_tensors(n)
    return lambda: (z.backward(), leaves)


@line("check, numbers", 500, 1_000, 2_000)
def check(n):
    from scalargrad import check

    z = chain(n)
    return lambda: check(z)


@line("check, tensors", 100, 200, 400)
def check_tensors(n):
    from tensorgrad import check

    z, leaves = chain_of_tensors(n)
    return lambda: (check(z), leaves)


@line("zoom", 500, 1_000, 2_000)
def zoom(n):
    from tensorgrad import zoom

    z, leaves = chain_of_tensors(n)
    return lambda: (zoom(z), leaves)


@line("memory", 2_000, 4_000, 8_000)
def memory(n):
    from tensorgrad import memory

    z, leaves = chain_of_tensors(n)
    return lambda: (str(memory(z)), leaves)


# Functions of many inputs


def on_scalars(name):
    @line(f"{name} of scalars", 20_000, 40_000, 80_000)
    def prepare(n):
        import scalargrad

        xs = scalars(n)
        return lambda: getattr(scalargrad, name)(*xs).backward()


for name in ("sum", "max", "logsumexp"):
    on_scalars(name)


def on_pieces(name, *sizes):
    @line(name, *sizes)
    def prepare(n):
        import tensorgrad as tg

        xs = pieces(n)
        return lambda: getattr(tg, name)(xs).sum().backward()


for name in ("concatenate", "stack", "hstack", "vstack"):
    on_pieces(name, 5_000, 10_000, 20_000)


def cut(name, *arguments):
    @line(name, 1_000, 2_000, 4_000)
    def prepare(n):
        import tensorgrad as tg

        (x,) = pieces(1)
        x = tg.Tensor(tg.tile(x, n).data)
        return lambda: tg.stack([y.sum() for y in getattr(tg, name)(x, *[a(n) for a in arguments])]).sum().backward()


cut("split", lambda n: n)
cut("chunk", lambda n: n)
cut("unbind")


@line("rows of an array", 256, 512, 1_024)
def rows_of_an_array(n):
    import numpy as np

    from tensorgrad import Tensor

    x = Tensor(np.ones((n, 1_000)))
    z = sum(x[i].sum() for i in range(n))
    return lambda: (z.backward(), x)


@line("rows, differentiated twice", 256, 512, 1_024)
def rows_differentiated_twice(n):
    import numpy as np

    import tensorgrad as tg

    x = tg.Tensor(np.ones((n, 1_000)))
    z = sum((x[i] ** 3).sum() for i in range(n))
    return lambda: ((tg.grad(z, x, create_graph=True) ** 2).sum().backward(), x)


# Steps of training, by the number of examples


def step_of(name, make, shape, *sizes):
    @line(f"step of {name}", *sizes)
    def prepare(n):
        import numpy as np

        import tensorgrad as tg
        from tensorgrad import models, nn, optim

        nn.seed(0)
        model = make(models)
        dice = np.random.default_rng(0)
        x = (
            dice.integers(0, 65, (n, 64))
            if shape is None
            else tg.Tensor(dice.standard_normal((n, *shape)), keep_grad=False, dtype="float32")
        )
        sgd = optim.SGD(model.parameters(), lr=0.01)

        def work():
            scores = model(x)
            scores = scores.reshape(-1, scores.shape[-1])
            tg.cross_entropy(scores, np.zeros(len(scores), int)).backward()
            sgd.step()

        return work


step_of("an MLP", lambda models: models.MLP((784, 512, 512, 10)), (784,), 512, 1024, 2048)
step_of("a CNN", lambda models: models.CNN(), (1, 28, 28), 64, 128, 256)
step_of("ResNet-20", lambda models: models.resnet20(), (3, 32, 32), 16, 32, 64)
step_of("ResNet-50", lambda models: models.resnet50(num_classes=10, stem="cifar"), (3, 32, 32), 2, 4, 8)
step_of("a GPT", lambda models: models.GPT(65, 64, 4, 4, 128), None, 8, 16, 32)

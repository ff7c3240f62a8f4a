"""The numbers of the figures from chapter 14 on, from the engines and NumPy: {figure: a function of the figure's state}."""

import numpy as np

from scalargrad import Trace, Value, named
from tensorgrad import Tensor, checkpoint, memory


def float_grid(format, size, offset, h, times, **window):
    number = np.dtype(format).type
    x = total = number(2**size + offset)
    for _ in range(times):
        total += number(h)
    moved = float(total) - float(x)
    return dict(x=x, gap=np.spacing(x), sum=total, moved=moved, ratio=moved / (times * h))


def saved_arrays(segments, turn):
    """The peak of the engine's report: of all layers, or of a segment's layers beside the inputs of the other segments."""
    x, runs = Tensor(np.ones((8, 8)), name="x"), []

    def layers(x, count):
        for _ in range(count):
            runs.append(x)
            x = np.tanh(x)
        return x

    def peak(z):
        return memory(z).lifetimes().peak // x.data.nbytes - 1  # without x, which the program holds

    if not segments:
        return dict(peak=peak(layers(x, 16).sum()), runs=len(runs))
    y, inputs, size = x, [], 16 // segments
    for _ in range(segments):
        inputs.append(y)
        y = checkpoint(layers, y, size)
    y.sum().backward()
    kept = [y for y in inputs if y is not x]
    return dict(runs=len(runs), peak=len(kept) + peak(layers(x, size).sum()))


def counts(queue, order, step, asked):
    """What each variable has, and how many contributions it misses, after some turns of counting. The tape has made as many turns."""
    a = Value(2, name="a")
    with named():
        h = a * a
        p = 3 * h
        q = h * h
        d = 5 * h
        r = p + q
        z = r + h
    variables = {v.name: v for v in (h, p, q, d, r, z)}
    tape = [v for v in variables.values() if v is not d or queue == "dead"]
    missing = {v: sum(y.inputs.count(v) for y in tape) for v in variables.values()}

    def pass_on(y, total):
        for x, partial in zip(y.inputs, y.partials):
            if y in total:
                total[x] = total.get(x, 0) + total[y] * partial

    total, read = {z: 1}, {z: 1}
    for y in (variables[name] for name in order):
        assert missing[y] == 0
        pass_on(y, total)
        missing |= {x: missing[x] - y.inputs.count(x) for x in y.inputs if x is not a}
    for y in tape[::-1][:step]:
        pass_on(y, read)
    if queue != "dead":
        run = Trace(z, schedule="counting", queue={"oldest": "fifo", "newest": "lifo"}[queue])
        assert order == [turn.y.name for turn in run if turn.act == "take"][:step]
        missing[d] = 0
    return dict(counted=[total.get(v, 0) for v in missing], missing=[*missing.values()], a=total.get(a, 0), on_tape=read.get(a, 0))


NUMBERS = {f.__name__: f for f in (float_grid, saved_arrays, counts)}

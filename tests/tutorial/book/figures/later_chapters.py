"""The numbers of the figures from chapter 14 on, from the engines and NumPy: {figure: a function of the figure's state}."""

import math
from functools import reduce
from itertools import accumulate

import numpy as np

import scalargrad
import tensorgrad as tg
from scalargrad import Graph, Trace, Value, cos, named, sin
from tensorgrad import Tensor, batch_norm, checkpoint, memory, models
from tensorgrad.parallel import shards
from tutorial.graphs.recorded_engine import run


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


def museum_arms(arms, **guesses):
    """How far each arm is from the cup, and what its engine gives there. Its angles are those of its steps from the same start."""

    def in_turns(z, uses, grad, take=lambda grad, x, term: grad[x] + term):
        for y in reversed(Graph(z).variables):
            for x, partial in uses(y) if y.inputs else ():
                grad[x] = take(grad, x, grad[y] * partial)

    def overwriting(z, uses, grad):
        in_turns(z, uses, grad, take=lambda grad, x, term: term)

    def depth_first(z, uses, grad, seen=None):
        seen = {z} if seen is None else seen
        for x, partial in uses(z):
            grad[x] += grad[z] * partial
        for x in z.inputs:
            if x not in seen:
                seen.add(x)
                depth_first(x, uses, grad, seen)

    def without_factor(z, uses, grad):
        in_turns(z, lambda y: zip(y.inputs, [1] if y.rule.name == "pow" else y.partials), grad)

    def without_sign(z, uses, grad):
        in_turns(z, lambda y: [(x, -partial if y.rule.name == "cos" else partial) for x, partial in uses(y)], grad)

    engines = dict(A=in_turns, B=depth_first, C=in_turns, D=without_factor, E=overwriting, F=without_sign)
    found = {}
    for letter, engine in engines.items():
        angles, slopes, steps = [1.2, -2.0, 1.0], [0.0] * 3, 0
        while True:
            joints = [Value(angle) for angle in angles]
            headings = [joints[0], joints[0] + joints[1]]
            headings.append(headings[1] + joints[2])
            x, y = (scalargrad.sum(*[of(heading) for heading in headings]) for of in (cos, sin))
            z = (x - 1) ** 2 + (y - 2) ** 2
            grad = run(z, engine)
            slopes = [grad[joint] + (before if letter == "A" else 0) for joint, before in zip(joints, slopes)]
            if np.allclose(angles, arms[letter]["angles"], rtol=0, atol=1e-9) or steps == 60:
                break
            angles, steps = [angle - 0.03 * slope for angle, slope in zip(angles, slopes)], steps + 1
        found |= {letter: math.sqrt(z.data), f"slopes of {letter}": slopes}
    return found


def depth(kind, depth, gain):
    """The size of dz/dH at each layer's result H, as parts of that at the last one."""
    first, upstream, *weights = dice(1, 64 * (depth + 2)).reshape(-1, 8, 8)
    results = [Tensor(first)]
    for W in weights:
        H = results[-1]
        sums = H @ (W * gain / math.sqrt(8))
        y = np.tanh(batch_norm(sums, training=True, eps=1e-5) if kind in ("norm", "both") else sums)
        results.append(y + H if kind in ("around", "both") else y)
    grads = tg.grad((results[-1] * upstream).sum(), results)
    return dict(sizes=[float(f"{np.linalg.norm(G) / np.linalg.norm(upstream):.6g}") for G in grads])


def newton(at, steps):
    """The slopes, the Hessian, and the miss along both paths."""

    def miss(p):
        headings = np.stack([p[0], p[0] + p[1]])
        return (1.5 * np.cos(headings).sum() - 1) ** 2 + (1.5 * np.sin(headings).sum() - 2) ** 2

    def path(step, count):
        p, found = np.array(at), []
        for _ in range(count):
            found.append(miss(p))
            p = p - step(p)
        return found

    slopes = tg.grad(miss)
    newton = path(lambda p: np.linalg.solve(tg.hessian(miss, p), slopes(p)), 7)
    H = tg.hessian(miss, np.array(at))
    return dict(slopes=slopes(np.array(at)), H=H, newton=newton, descent=path(lambda p: 0.05 * slopes(p), 13))


def directions(n, m, passes):
    """The columns that passes of forward mode give, and the rows that backward passes give."""
    numbers = dice(2, 180)
    first, second, x = numbers[: 4 * n].reshape(n, 4), numbers[80 : 80 + 4 * m].reshape(m, 4), numbers[160 : 160 + n]
    y = lambda x: second @ np.tanh(x @ first)
    columns = [tg.jvp(y, x, v) for v in np.eye(n)[: int(passes)]]
    rows = [tg.grad(lambda x, v=v: (y(x) * v).sum())(x) for v in np.eye(m)[: int(passes)]]
    return dict(forward=np.transpose(columns), backward=rows)


def dice(seed, count):
    """The numbers that the page throws."""
    throws = accumulate(range(count), lambda last, _: (1664525 * last + 1013904223) % 2**32, initial=seed)
    return np.array(list(throws)[1:]) / 2**31 - 1


def work(layer):
    """Numbers of a ResNet-50 with 2 channels for 64: in its shapes, 2 channels stand for 64, and so on."""
    net = models.ResNet(models.Bottleneck, (3, 4, 6, 3), widths=(2, 4, 8, 16), num_classes=10, stem="cifar")
    functions = [v for v in Graph(net(np.zeros((1, 3, 32, 32), np.float32))).variables if v.rule and v.rule.name in ("conv2d", "linear")]
    shapes = {name.removesuffix(".weight"): p.shape for name, p in net.named_parameters() if len(p.shape) > 1}
    large = lambda shape: math.prod(32 * n if n not in (1, 3, 10) else n for n in shape[:2]) * math.prod(shape[2:])
    weights = {name: large(shape) for name, shape in shapes.items()}
    results = {".".join(v.scope): large(v.shape) for v in functions}
    pixels = {".".join(v.scope): math.prod(v.shape[2:]) for v in functions}
    rows = [[n[name] for name in shapes] for n in (weights, {name: weights[name] * pixels[name] for name in shapes}, results)]
    return dict(zip(("weights", "work", "results"), rows), shares=[sum(row[: layer + 1]) / sum(row) for row in rows])


def tree(way, machines, run):
    """The sums of eight float32 numbers on 1 to 8 machines, as the engine cuts and adds shards, and the additions on the longest way."""
    numbers = (10 * dice(575, 8)).astype(np.float32)

    def added(many):
        """Return the sum and its depth."""
        if way == "tree":
            total = shards.add_shards(0, 8, lambda shard: {"f": numbers[shard : shard + 1].copy()})["f"][0]
            return total, 3
        sums = [reduce(add, [(number, 0) for number in numbers[lo:hi]]) for lo, hi in shards.blocks(8, many)]
        order = np.argsort(dice(run + 1, many)) if way == "arrival" else range(many)
        return reduce(add, [sums[m] for m in order])

    def add(one, other):
        return one[0] + other[0], max(one[1], other[1]) + 1

    return dict(sums=[added(many)[0] for many in range(1, 9)], steps=added(machines)[1])


NUMBERS = {f.__name__: f for f in (float_grid, saved_arrays, counts, museum_arms, depth, newton, directions, work, tree)}

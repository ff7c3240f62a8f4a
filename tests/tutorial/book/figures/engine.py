"""The numbers of each figure of the book once more, from the engines and NumPy: {figure: a function of the figure's state}."""

import math
import random
import re
from ast import literal_eval
from importlib.resources import files
from itertools import accumulate, islice

import numpy as np

import scalargrad
from scalargrad import Graph, Value, backpropagation, cos, function, sin, sqrt
from scalargrad.moons import two_moons
from scalargrad.nn import MLP
from tensorgrad import Tensor, conv2d, grad, optim, relu, scaled_dot_product_attention, softmax
from tutorial.graphs.figure1 import figure1


def tangent(x, zoom, **window):
    f = lambda x: x * x + 3 * x
    nudge, at = float(f"{2 * 10**-zoom:.2g}"), Value(x)
    z = f(at)
    z.backward()
    rise = f(x + nudge) - f(x)
    return dict(x=x, z=z.data, nudge=nudge, rise=rise, ratio=rise / nudge, slope=at.grad)


def arm_race(joints, cup, runs, **arms):
    """After so many runs: the runs that each arm needed, its steps, and how far its hand is from the cup."""
    return dict(slow=race(joints, cup, joints + 1, runs, nudges), fast=race(joints, cup, 3, runs, walk_back))


def race(joints, cup, cost, runs, slopes):
    angles, steps = np.full(joints, 0.9 / joints), 0
    off = lambda: math.sqrt(miss_of(angles, cup))
    while off() >= 0.03 and (steps + 1) * cost <= runs:
        angles, steps = angles - 0.2 / joints * slopes(angles, cup), steps + 1
    return [steps * cost if off() < 0.03 else runs, steps, round(off(), 2)]


def walk_back(angles, cup):
    at = Tensor(angles)
    miss_of(at, cup).backward()
    return at.grad


def nudges(angles, cup):
    return (miss_of(angles + 1e-6 * np.eye(len(angles)), cup) - miss_of(angles, cup)) / 1e-6


def price(unit, k):
    """The runs until an arm of chapter 1 holds the cup, and the seconds that the book's last page states."""
    joints = (3, 10, 20, 60, 200, 1000, 10_000, 100_000)[k]
    _, steps, _ = race(joints, (-1.2, 1.9), 3, math.inf, walk_back)
    page = (files("tutorial.book") / "the-race-again.md").read_text(encoding="utf-8")
    (seconds,) = re.findall(rf"^\| {joints:,} \|.*\| ([\d.]+) s \| ([\d.]+) s \|", page, re.M)
    return dict(runs=[steps * (joints + 1), steps * 3], seconds=list(map(float, seconds)))


def miss_of(angles, cup):
    """The square of the distance from the hand of an arm to the cup. The last axis of the angles are the joints."""
    headings, link = np.cumsum(angles, axis=-1), 3 / angles.shape[-1]
    return (link * np.cos(headings).sum(axis=-1) - cup[0]) ** 2 + (link * np.sin(headings).sum(axis=-1) - cup[1]) ** 2


# The program of the arm with two joints, as three functions of the graph.
across = function(lambda a, h: 1.5 * cos(a) + 1.5 * cos(h))
height = function(lambda a, h: 1.5 * sin(a) + 1.5 * sin(h))
missed_by = lambda x, y: (x - 1) ** 2 + (y - 2) ** 2


def arm_of_two(a, b):
    a, b = Value(a), Value(b)
    h = a + b
    x, y = across(a, h), height(a, h)
    return dict(a=a, b=b, h=h, x=x, y=y, z=function(missed_by)(x, y))


def carried(graph, moved, angles, inputs):
    """The values of all variables; how many an input reaches, and over how many arrows, in the graph of the program."""
    named = arm_of_two(*angles) if graph == "arm" else {x.name: x for x in sorted(figure1(*inputs)[1], key=lambda x: x.name)}
    reached = [y for y in named.values() if any(x is named[moved] for x in Graph(y).variables)]
    arrows = [y for y in named.values() for x in y.inputs if any(x is one for one in reached)]
    return dict(values=[x.data for x in named.values()], reached=len(reached) - 1, arrows=len(arrows))


def two_paths(angles, joint):
    """What the engine says of the joint: the partial derivatives on the way over x and over y, and the slope."""
    of = lambda y, x: backpropagation(y)[x]
    v = arm_of_two(*angles)
    start, ends = v["ab"[joint]], (v["x"], v["y"])
    first, second = [of(end, start) for end in ends], [of(v["z"], end) for end in ends]
    return dict(first=first, second=second, products=np.multiply(first, second), slope=of(v["z"], start), miss=v["z"].data)


def arm_orders(start, steps, **arms):
    """How far each of four arms is from the cup after its steps, and what its engine gives there."""

    def pass_on(y, total):
        for x, partial in zip(y.inputs, y.partials):
            total[x] = total.get(x, 0) + total[y] * partial

    def level_by_level(z, total):
        queue = [z]
        for y in queue:
            pass_on(y, total)
            queue += [x for x in dict.fromkeys(y.inputs) if not any(x is one for one in queue)]

    def depth_first(z, total, seen=None):
        pass_on(z, total)
        seen = [z] if seen is None else seen
        for x in z.inputs:
            if not any(x is one for one in seen):
                seen.append(x)
                depth_first(x, total, seen)

    def without_memory(z, total):
        for x, partial in zip(z.inputs, z.partials):
            total[x] = total.get(x, 0) + total[z] * partial
            without_memory(x, total)

    found = dict(distances=[], slopes=[])
    for walk in (lambda z, total: total.update(backpropagation(z)), level_by_level, depth_first, without_memory):
        angles = start
        for _ in range(steps + 1):
            joints = list(map(Value, angles))
            headings = list(accumulate(joints))
            z = missed_by(*(scalargrad.sum(*map(of, headings)) for of in (cos, sin)))
            total = {z: 1}
            walk(z, total)
            slopes = [total[joint] for joint in joints]
            angles = [angle - 0.05 * slope for angle, slope in zip(angles, slopes)]
        found["distances"].append(math.sqrt(z.data))
        found["slopes"].append(slopes)
    return found


def walks(walk, order, step):
    """What each variable has after some turns, in which it passes on what it has."""
    a = Value(2)
    h = a * a
    m = h * h
    z = h + m
    named, has = dict(a=a, h=h, m=m, z=z), {z: 1, m: 0, h: 0, a: 0}

    def pass_on(y, edges):
        sent = [(x, has[y] * partial) for x, partial in edges]
        for x, amount in sent:
            has[x] += amount

    def recursion(y):
        for edge in zip(y.inputs, y.partials):
            yield pass_on(y, [edge])
            yield from recursion(edge[0])

    def in_turns(names):
        for name in names:
            yield pass_on(named[name], list(zip(named[name].inputs, named[name].partials)))

    turns = dict(yours=order, breadth="zhma", depth="zham", right=[name for x in Graph(z).order for name in named if named[name] is x])
    for _ in islice(recursion(z) if walk == "recursion" else in_turns(turns[walk]), step):
        pass
    if walk == "right" and step == len(named):
        z.backward()
        assert [has[x] for x in named.values()] == [x.grad for x in named.values()]
    return {name: has[x] for name, x in named.items()}


def rate(k, steps):
    """The misses of the arm of two joints, and the losses of the chapter's network, whose numbers are rounded to two decimals."""
    rate = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10)[k]
    angles, misses, losses = Tensor([0.3, 0.3]), [], []
    points, sides = two_moons(40, random.Random(5))
    X, sides = np.round(points, 2), np.array(sides)
    random.seed(1)
    given = np.round([p.data for p in MLP(2, [8, 1]).parameters()], 2)
    parameters = [Tensor(part.copy()) for part in (given[:24].reshape(8, 3), given[24:32], given[32])]
    W, v, c = parameters
    for step in range(steps + 1):
        z = miss_of(angles, (1, 2))
        scores = relu(X @ W[:, :2].T + W[:, 2]) @ v + c
        loss = relu(1 - sides * scores).mean()
        misses.append(z.data.item())
        losses.append(loss.data.item())
        z.backward()
        loss.backward()
        for x in (angles, *parameters) * (step < steps):
            x.data, x.grad = x.data - rate * x.grad, None
    return dict(misses=misses if rate < 0.2 else misses[:5], losses=losses, right=(scores.data * sides > 0).sum())


def product(of, i, j):
    A, B = Tensor([[1.0, 2, 0], [3, -1, 2]]), Tensor([[2.0, 1], [0, 3], [1, -2]])
    G = np.array([[1.0, 2], [3, 4]])
    C = A @ B
    (C * G).sum().backward()
    a, b = A.data, B.data
    terms = a[i] * b[:, j] if of == "C" else b[j] * G[i] if of == "A" else a[:, i] * G[:, j]
    return dict(C=C.data, dA=A.grad, dB=B.grad, value=dict(A=A.grad, B=B.grad, C=C.data)[of][i, j], terms=terms)


def step_size(way, k):
    """The same operations in Python: their rounding errors must be the same."""
    h, x = [float(f"{digit}e-{n}") for n in range(1, 16) for digit in (3, 1)][1:][k], Value(2.0)
    sqrt(x).backward()
    difference = math.sqrt(2 + h) - math.sqrt(2 if way == "forward" else 2 - h)
    ratio = difference / (h if way == "forward" else 2 * h)
    return dict(h=h, difference=difference, ratio=ratio, error=abs(ratio - x.grad), slope=x.grad)


def momentum(x, y, rate, momentum):
    w = Tensor([x, y])
    descent, path, losses = optim.SGD([w], lr=rate, momentum=momentum), [], []
    for _ in range(31):
        loss = (w[0] ** 2 + 25 * w[1] ** 2) / 2
        path.append(w.data.copy())
        losses.append(loss.data.item())
        descent.zero_grad()
        loss.backward()
        descent.step()
    return dict(path=path, losses=losses)


def convolution(padding, stride, **entry):
    square = [[0, 0, 0, 0, 0, 0], [0, 3, 3, 3, 0, 0], [0, 3, 3, 3, 3, 0], [0, 3, 3, 3, 3, 0], [0, 0, 3, 3, 0, 0], [0, 0, 0, 0, 0, 0]]
    X, K = Tensor(np.array([[square]], float)), np.array([[[[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]]])
    Y = conv2d(X, K, padding=padding, stride=stride)
    ((Y * Y).sum() / 2).backward()
    return dict(Y=Y.data[0, 0], dX=X.grad[0, 0])


def attention(i, masked, sharp):
    Q = np.array([[0.5, 1.5], [1, -1], [2, 0.5], [0.5, 2], [0.5, -1]])
    K = np.array([[0.5, -1], [1.5, 1], [-0.5, -1.5], [0, -0.5], [1, 2]])
    of = lambda V: scaled_dot_product_attention(Tensor(sharp * Q), Tensor(K), Tensor(V), causal=masked).data
    return dict(weights=of(np.eye(5)), results=of(np.array([[0.0], [4], [2], [0], [8]]))[:, 0])


def dictionary(order, asked):
    z, variables = figure1()
    z.backward()
    return {x.name: x.grad for x in variables if x.name in ["z", *order]}


def two_pulls(angles, t, way):
    """The contributions to dz/dh over cos and over sin: each is found with the other array as a constant."""

    def pull(of_cos, of_sin):
        h = Tensor(np.cumsum(angles))
        (missed_by(of_cos(np.cos(h)).sum(), of_sin(np.sin(h)).sum())).backward()
        return h.grad

    constant, whole = lambda array: array.data, lambda array: array
    over_cos, over_sin = pull(whole, constant), pull(constant, whole)
    dh = pull(whole, whole) if way == "+=" else over_sin
    return dict(headings=np.cumsum(angles), overCos=over_cos, overSin=over_sin, dh=dh)


def jacobian(f, x, **entry):
    """Row by row: the gradient of each entry of y. Then the gradient of z, whose dz/dy is G."""
    function_of, G, at = dict(tanh=np.tanh, cumsum=np.cumsum, softmax=softmax)[f], np.array([1, -1, 2, 0.5]), Tensor(x)
    of = lambda upstream: grad(lambda x: (function_of(x) * upstream).sum())(np.array(x))
    return dict(y=function_of(at).data, J=[of(row) for row in np.eye(4)], dx=of(G))


def softmax_choice(how, x, **entry):
    """The shares of three cups, their derivatives row by row, and where the arm aims. The largest score takes all, and does not move."""
    cups, x = np.array([[-1.9, 1], [0.1, 2.4], [1.9, 1.2]]), np.array(x, float)
    shares = softmax if how == "softmax" else lambda x: (np.arange(3) == np.argmax(x)) * 1.0 + 0 * x
    y, of = shares(Tensor(x)).data, lambda upstream: grad(lambda x: (shares(x) * upstream).sum())(x)
    return dict(shares=y, J=[of(row) for row in np.eye(3)], target=y @ cups)


def broadcast(shape, way, t):
    size = literal_eval(shape)
    b = Tensor(10 * np.arange(1.0, np.prod(size) + 1).reshape(size))
    Y = np.array([[2.0, 1], [4, 5], [0, 9]]) + b
    (Y * np.array([[1.0, 2], [3, 4], [5, 6]])).sum().backward()
    return dict(Y=Y.data, db=np.ravel(b.grad))


FIGURES = (
    *(arm_race, price, tangent, carried, two_paths, arm_orders, walks),
    *(dictionary, rate, product, two_pulls, broadcast, jacobian, softmax_choice),
    *(step_size, momentum, convolution, attention),
)
NUMBERS = {f.__name__: f for f in FIGURES}

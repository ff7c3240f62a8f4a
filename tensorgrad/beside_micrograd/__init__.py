"""from_micrograd: the graph that an engine like micrograd has made, each function one box whose derivative is the engine's own.

The variables of such an engine have `data`, `grad`, `_backward` and `_prev`, their inputs; also `_op` and `label`, if it likes. The
comparison of engines (`tutorial.exercises.broken_engine`) does not come through here. It runs an engine as a whole, whatever it keeps
in its variables, because the order in which it adds is what it compares. Here our own loop adds what each `_backward` passes.
"""

import re
from contextlib import contextmanager
from functools import partial
from graphlib import CycleError, TopologicalSorter

import numpy as np

from scalargrad import callers
from tensorgrad.beside.call import YOURS, Call
from tensorgrad.beside.recording import Recording
from tensorgrad.rules.elsewhere import OnlyOnce
from tensorgrad.tensor import Tensor

NEEDED = ("data", "grad", "_prev", "_backward")
FUNCTIONS = {  # by `_op`: its name, and what computes it again
    "+": ("add", np.add),
    "*": ("mul", np.multiply),
    "-": ("sub", np.subtract),
    "/": ("div", np.divide),
    "relu": ("relu", lambda x: np.maximum(x, 0)),
    "tanh": ("tanh", np.tanh),
    "exp": ("exp", np.exp),
    "log": ("log", np.log),
    "sigmoid": ("sigmoid", lambda x: 1 / (1 + np.exp(-x))),
}


def from_micrograd(z):
    """Return a Recording of a variable of an engine like micrograd: `z` as a tensor of ours, `leaves` and `calls`.

    `tensorgrad.check(seen.z)` compares each function's own `_backward` with finite differences, if its `_op` is one of + * - / **2 relu
    tanh exp log sigmoid. `seen.check()` compares what our loop computes from them with what the engine's `z.backward()` does, so it
    finds wrong orders and sums. The engine's numbers and gradients stay as they are.

    Raises TypeError if z is not such a variable, and ValueError if its graph has a cycle.

        a = Value(3.0); z = a * a
        from_micrograd(z).check()
    """
    found, stack = {}, [z]
    while stack:
        v = stack.pop()
        if missing := [name for name in NEEDED if not hasattr(v, name)]:
            raise TypeError(
                f"from_micrograd: a {type(v).__name__} has no {', '.join(missing)}; give a variable of an engine like micrograd"
            )
        if id(v) not in found:
            found[id(v)] = v, list({id(x): x for x in v._prev}.values())
            stack.extend(v._prev)
    try:
        order = [found[i] for i in TopologicalSorter({i: map(id, inputs) for i, (_, inputs) in found.items()}).static_order()]
    except CycleError:
        raise ValueError("from_micrograd: the graph has a cycle, so its derivatives are not defined; make a new variable instead") from None
    local_names = {id(x): name for frame in reversed([*callers.callers()]) for name, x in frame.f_locals.items()}
    variables: dict = {}
    leaves: dict = {}
    calls: list = []
    for v, inputs in order:
        name = str(getattr(v, "label", "") or local_names.get(id(v), ""))
        if inputs:
            function_name, function = function_of(str(getattr(v, "_op", "")))
            calls.append(Call(function_name, "", 0))
            results, at = {0: np.array(float(v.data))}, forward_of(v, inputs, function, function_name)
            (y,) = YOURS.boxes(calls[-1], [variables[id(x)] for x in inputs], results, at, backward_of(v, inputs))
            y.name = name or None
        else:
            y = Tensor(float(v.data), name=name if name and name not in leaves else f"x{len(leaves) + 1}")
            leaves[y.name] = v, y
        variables[id(v)] = y
    gradients = partial(engine_gradients, z, [v for v, _ in order], [v for v, _ in leaves.values()])
    return Recording("from_micrograd", YOURS, variables[id(z)], z, {name: y for name, (_, y) in leaves.items()}, calls, gradients)


def function_of(op):
    """Return the name of a function and what computes it, from the engine's name for it; None if that is not known."""
    if power := re.fullmatch(r"\*\*(-?[\d.]+)", op):
        return "pow", lambda x: x ** float(power[1])
    return FUNCTIONS.get(op.lower(), (op or "function", None))


def forward_of(v, inputs, function, name):
    """Return what computes a variable at other numbers. It raises OnlyOnce if no order of the inputs gives the value that it has.

    A set of inputs has no order, and has the factor of a * a once.
    """
    places = [*range(len(inputs))]
    ways = [places, places[::-1], *([[0, 0]] if len(places) == 1 else [])]
    orders = [way for way in ways if gives(v, inputs, function, way)]

    def at(place, *xs):
        if not orders:
            raise OnlyOnce(f"{name}: _op and _prev do not say how to compute it again; _op may be **2 or one of {' '.join(FUNCTIONS)}")
        return np.asarray(function(*[xs[i] for i in orders[0]]))

    return at


def gives(v, inputs, function, places):
    if function is None or len(places) != getattr(function, "nin", 1):
        return False
    return np.isclose(function(*[float(inputs[i].data) for i in places]), float(v.data), rtol=1e-9, equal_nan=True)


def backward_of(v, inputs):
    """Return the vjp of a function: what its `_backward` adds to the gradients of its inputs."""

    def vjp(place, G, xs, slots):
        with kept([v, *inputs]):
            for x in inputs:
                x.grad = 0.0
            v.grad = float(G)
            v._backward()
            return [np.asarray(float(inputs[i].grad)) for i in slots]

    return vjp


def engine_gradients(z, variables, leaves):
    """Return what the engine's own backward() gives for the leaves."""
    with kept(variables):
        for v in variables:
            v.grad = 0.0
        z.backward()
        return [float(v.grad) for v in leaves]


@contextmanager
def kept(variables):
    """Give variables their gradients again at the end of the block."""
    before = [v.grad for v in variables]
    try:
        yield
    finally:
        for v, grad in zip(variables, before):
            v.grad = grad

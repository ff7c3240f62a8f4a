"""A case: a layer with its settings, and inputs at which its output, gradients and buffers are compared."""

from typing import NamedTuple

import numpy as np

import tensorgrad as tg
from tensorgrad import nn, optim

STEPS, SGD, AFTER = 3, {"lr": 0.01, "momentum": 0.9}, "after three steps"


class Part:
    """Hold `kind(*args, **options)`, a layer that is an argument of another."""

    def __init__(self, kind, *args, **options):
        self.kind, self.args, self.options = kind, args, options

    def __repr__(self):
        return f"{self.kind}({','.join([*map(str, self.args), *[f'{name}={x}' for name, x in self.options.items()]])})"

    def of(self, package):
        return getattr(package, self.kind)(*self.args, **self.options)


class LayerCase:
    """Hold `kind(*args, **options)` and its inputs. A shape, or Within, stands for a variable; an array is a constant.

    `call` are further arguments of the call. The last `paired` inputs are given as one tuple. `evaluated` compares after eval().
    `theirs` are PyTorch's options where they differ.
    `exact` is False where PyTorch computes in float64 with constants of float32.
    """

    def __init__(self, kind, *args, x, call=None, paired=0, evaluated=False, theirs=None, exact=True, **options):
        self.kind, self.args, self.options, self.x = kind, args, options, x if isinstance(x, list) else [x]
        self.call, self.paired, self.evaluated, self.exact = call or {}, paired, evaluated, exact
        self.theirs = options if theirs is None else theirs

    def __repr__(self):
        given = [*map(str, self.args), *map(shape_text, self.x)]
        given += [f"{name}={shape_text(x) if hasattr(x, 'shape') else x}" for name, x in (self.options | self.call).items()]
        return f"{self.kind}({', '.join(given)}){'.eval()' * self.evaluated}".replace(" ", "")

    def layer(self, dtype=np.float64):
        """Return the layer, with a fixed pattern of numbers as its parameters and buffers."""
        options = {name: of(nn, x) for name, x in self.options.items()}
        layer = getattr(nn, self.kind)(*[of(nn, x) for x in self.args], **options).astype(dtype)
        layer.load_state_dict(self.state(layer))
        return layer.eval() if self.evaluated else layer

    def state(self, layer):
        """Return entries for the parameters and buffers of a layer: a variance is positive, a count is 3."""
        found = {}
        for i, (name, array) in enumerate(layer.state_dict().items(), 2):
            numbers = 1.5 + pattern(array.shape, i) if name.endswith("running_var") else pattern(array.shape, i)
            found[name] = np.asarray(numbers, array.dtype) if array.dtype.kind == "f" else np.full_like(array, 3)
        return found

    def inputs(self, dtype=np.float64):
        """Return the inputs as arrays, of which `dtype` stands for every kind of floats."""
        found = [x if isinstance(x, np.ndarray) else x.numbers(i) if isinstance(x, Within) else pattern(x, i) for i, x in enumerate(self.x)]
        return [x.astype(dtype) if x.dtype.kind == "f" else x for x in found]

    def variables(self):
        """Return for each input whether it is a variable."""
        return [not isinstance(x, np.ndarray) for x in self.x]

    def arguments(self, inputs):
        """Return the inputs as the arguments of the call."""
        return [*inputs[: -self.paired], tuple(inputs[-self.paired :])] if self.paired else inputs

    def tensors(self, dtype=np.float64):
        """Return the inputs as the layer gets them: variables as tensors, constants as arrays."""
        pairs = zip(self.inputs(dtype), self.variables())
        return [tg.Tensor(x, name=f"x{i}") if variable else x for i, (x, variable) in enumerate(pairs)]

    def run(self, dtype=np.float64):
        """Return {name: array} of the output, of the gradients of the inputs and parameters, and of the state after three steps."""
        layer, inputs = self.layer(dtype), self.tensors(dtype)
        sgd = optim.SGD(layer.parameters(), **SGD) if has_parameters(layer) else None
        found: dict = {}
        for _ in range(STEPS if sgd else 1):
            layer.zero_grad()
            outputs = several(layer(*self.arguments(inputs), **self.call))
            weighted(outputs).backward()
            found = found or numbers_of(layer, inputs, outputs)
            if sgd:
                sgd.step()
        return found | {f"{name} {AFTER}": array for name, array in layer.state_dict().items()}


def of(package, x):
    """Return the layer that a Part stands for; anything else as it is."""
    return x.of(package) if isinstance(x, Part) else x


def has_parameters(layer):
    return next(iter(layer.parameters()), None) is not None


def numbers_of(layer, inputs, outputs):
    """Return {name: array} of the outputs, and of the gradients of the inputs and parameters."""
    found = {f"y{i}": y.data if isinstance(y, tg.Tensor) else y for i, y in enumerate(outputs)}
    found |= {f"x{i}": x.grad.copy() for i, x in enumerate(inputs) if isinstance(x, tg.Tensor)}
    return found | {name: p.grad.copy() for name, p in layer.named_parameters()}


class Within(NamedTuple):
    """A variable of this shape with entries between two numbers."""

    shape: tuple
    low: float
    high: float

    def numbers(self, k):
        return self.low + (self.high - self.low) * (0.5 + pattern(self.shape, k) / 3)


def several(y):
    """Return the outputs of a layer that gives one or several, also nested; None is left out."""
    return [one for part in y for one in several(part)] if isinstance(y, tuple) else [y] * (y is not None)


def weighted(outputs):
    """Return the sum of all entries of the outputs, each with its own weight."""
    return sum((y * pattern(y.shape, 9 + i).astype(y.dtype)).sum() for i, y in enumerate(outputs))


def pattern(shape, k):
    """Return numbers between -1.4 and 1.4 that no library's random numbers can change, no two of them equal."""
    i = np.arange(np.prod(shape, dtype=int))
    return (1.3 * np.sin(1.7 * i * (1 + 0.1 * k) + k) + 0.1 * np.cos(i + 2 * k)).reshape(shape)


def shape_text(x):
    return "x".join(map(str, getattr(x, "shape", x))) or "0d"

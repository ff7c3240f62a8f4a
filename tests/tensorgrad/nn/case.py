"""A case: a layer with its settings, and inputs at which its output, gradients and buffers are compared."""

import numpy as np

import tensorgrad as tg
from tensorgrad import nn


class LayerCase:
    """Hold `kind(*args, **options)` and its inputs. A shape stands for an array of floats; an array stands for itself.

    `call` are further arguments of the call. `evaluated` compares after eval(). `theirs` are PyTorch's options where their names
    differ. `kinked` says that the inputs lie where finite differences do not exist.
    """

    def __init__(self, kind, *args, x, call=None, evaluated=False, theirs=None, kinked=False, **options):
        self.kind, self.args, self.options, self.x = kind, args, options, x if isinstance(x, list) else [x]
        self.call, self.evaluated, self.kinked = call or {}, evaluated, kinked
        self.theirs = options if theirs is None else theirs

    def __repr__(self):
        given = [*map(str, self.args), *(f"{name}={x}" for name, x in self.options.items()), *map(shape_text, self.x)]
        return f"{self.kind}({', '.join(given)}){'.eval()' * self.evaluated}".replace(" ", "")

    def layer(self, dtype=np.float64):
        """Return the layer, with a fixed pattern of numbers as its parameters and buffers."""
        layer = getattr(nn, self.kind)(*self.args, **self.options).astype(dtype)
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
        """Return the inputs as arrays."""
        return [x if isinstance(x, np.ndarray) else pattern(x, i).astype(dtype) for i, x in enumerate(self.x)]

    def run(self, dtype=np.float64):
        """Return {name: array} of the output, of the gradients of the inputs and parameters, and of the buffers afterwards."""
        layer = self.layer(dtype)
        inputs = [tg.Tensor(x, name=f"x{i}") if x.dtype.kind == "f" else x for i, x in enumerate(self.inputs(dtype))]
        y = layer(*inputs, **self.call)
        y.backward(pattern(y.shape, 9).astype(dtype))
        found = {"y": y.data} | {f"x{i}": x.grad for i, x in enumerate(inputs) if isinstance(x, tg.Tensor)}
        return found | {name: p.grad for name, p in layer.named_parameters()} | dict(layer.named_buffers())


def pattern(shape, k):
    """Return numbers between -1.4 and 1.4 that no library's random numbers can change, no two of them equal."""
    i = np.arange(np.prod(shape, dtype=int))
    return (1.3 * np.sin(1.7 * i * (1 + 0.1 * k) + k) + 0.1 * np.cos(i + 2 * k)).reshape(shape)


def shape_text(x):
    return "x".join(map(str, np.shape(x) if isinstance(x, np.ndarray) else x)) or "0d"

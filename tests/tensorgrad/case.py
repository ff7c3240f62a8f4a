"""A case: a function of arrays at one point, and the oracles that check its derivatives."""

import functools

import numpy as np

from scalargrad import Value, dot
from tensorgrad import Tensor, zoom


class Case:
    """Hold `function(*arrays, **options)`, with arrays drawn from a seed.

    `shapes` are the shapes of the tensors; an array stands for itself (points at ties or kinks, for example). `domain` maps
    standard normal numbers to where the function is smooth. `smooth=False` omits finite differences and second order (at a
    kink). `zoomed=False` omits the scalar graph. `label` distinguishes cases of one function.
    """

    def __init__(self, function, *shapes, domain=lambda a: a, smooth=True, second=True, zoomed=True, label="", **options):
        self.function, self.shapes, self.options, self.domain = function, shapes, options, domain
        self.smooth, self.second, self.zoomed, self.label = smooth, second, zoomed, label

    @property
    def name(self):
        return getattr(self.function, "name", self.function.__name__)

    def __repr__(self):
        shapes = ",".join("x".join(map(str, np.shape(s) if isinstance(s, np.ndarray) else s)) or "0d" for s in self.shapes)
        options = ",".join(f"{k}={v}" for k, v in self.options.items() if not isinstance(v, np.ndarray))
        return f"{self.name}({shapes}{',' * bool(options)}{options}){self.label and ':' + self.label}".replace(" ", "")

    def arrays(self):
        rng = np.random.default_rng(sum(map(ord, self.name)))
        return [s if isinstance(s, np.ndarray) else np.asarray(self.domain(rng.standard_normal(s))) for s in self.shapes]

    def __call__(self, *tensors):
        return self.function(*tensors, **self.options)

    @staticmethod
    @functools.cache
    def weights(shape):
        """Return the weights of the entries of an array, the same at every call, and read-only."""
        made = np.asarray(np.random.default_rng(7).standard_normal(shape))
        made.setflags(write=False)
        return made

    def loss(self, tensors):
        """Return a weighted sum of the entries of the output; each entry has its own weight."""
        y = self(*tensors)
        return (y * self.weights(y.shape).astype(y.dtype)).sum()

    def gradients(self, arrays, differentiable=False):
        """Return the tensors and the gradients of the loss. The upstream gradient is the weights, so only the function's own rules
        run.
        """
        tensors = [Tensor(a) for a in arrays]
        y = self(*tensors)
        y.backward(self.weights(y.shape), create_graph=differentiable)
        return tensors, [t.grad for t in tensors]


def zoomed_gradients(case, arrays):
    """Return the gradients that scalargrad computes in the scalar graph."""
    tensors = [Tensor(a) for a in arrays]
    seen = zoom(case(*tensors))
    weights = case.weights(seen.entries.shape)
    loss = dot(*seen.entries.ravel(), *weights.ravel().tolist())
    if isinstance(loss, Value):  # an output without entries has no graph
        loss.backward()
    found = [np.array([v.grad for v in seen[t].ravel()], dtype=float) if t.node in seen.values else np.zeros(t.shape) for t in tensors]
    return [g.reshape(t.shape) for g, t in zip(found, tensors)]


STEP = 1e-5


def differences(f, arrays):
    """Return df/d(each entry) by central differences."""
    moved, found = [np.array(a) for a in arrays], []
    for a in moved:
        slope = np.zeros(a.shape)
        for place in np.ndindex(a.shape):
            sides, middle = [], a[place]
            for h in (STEP, -STEP):
                a[place] = middle + h
                sides.append(f(moved))
            a[place] = middle
            slope[place] = (sides[0] - sides[1]) / (2 * STEP)
        found.append(slope)
    return found


def difference_along(f, arrays, along):
    """Return the derivatives of the arrays that f returns, if its arguments move along the arrays `along`, by central differences."""
    sides = [f([a + h * v for a, v in zip(arrays, along)]) for h in (STEP, -STEP)]
    return [(after - before) / (2 * STEP) for after, before in zip(*sides)]


def assert_close(got, expected, tolerance, what):
    scale = max([1.0, *(np.abs(e[np.isfinite(e)]).max(initial=0.0) for e in expected)])
    for i, (g, e) in enumerate(zip(got, expected)):
        g = np.zeros(e.shape) if g is None else getattr(g, "data", g)
        assert np.shape(g) == np.shape(e), f"{what}: input {i} has shape {np.shape(e)} and its gradient {np.shape(g)}"
        np.testing.assert_allclose(g, e, rtol=tolerance, atol=tolerance * scale, err_msg=f"{what}, input {i}")

"""A case: a function of arrays at one point, and the oracles that check its derivatives."""

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

    def weights(self, shape):
        return np.asarray(np.random.default_rng(7).standard_normal(shape))

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


def differences(f, arrays, step=1e-5):
    """Return df/d(each entry) by central differences."""
    found = []
    for i, a in enumerate(arrays):
        slope = np.zeros(a.shape)
        for place in np.ndindex(a.shape):
            sides = []
            for h in (step, -step):
                moved = [np.array(b) for b in arrays]
                moved[i][place] += h
                sides.append(f(moved))
            slope[place] = (sides[0] - sides[1]) / (2 * step)
        found.append(slope)
    return found


def assert_close(got, expected, tolerance, what):
    scale = max([1.0, *(np.abs(e[np.isfinite(e)]).max(initial=0.0) for e in expected)])
    for i, (g, e) in enumerate(zip(got, expected)):
        g = np.zeros(e.shape) if g is None else getattr(g, "data", g)
        assert np.shape(g) == np.shape(e), f"{what}: input {i} has shape {np.shape(e)} and its gradient {np.shape(g)}"
        np.testing.assert_allclose(g, e, rtol=tolerance, atol=tolerance * scale, err_msg=f"{what}, input {i}")

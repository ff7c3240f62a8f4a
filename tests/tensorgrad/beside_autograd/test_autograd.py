"""A program of HIPS autograd is a graph of ours, whose gradients are autograd's."""

import inspect

import numpy
import pytest

autograd = pytest.importorskip("autograd")
pytest.importorskip("scipy")  # for autograd.scipy

import autograd.numpy as np  # noqa: E402
import autograd.numpy.random as npr  # noqa: E402
from autograd.extend import defvjp, primitive  # noqa: E402
from autograd.misc.flatten import flatten  # noqa: E402
from autograd.scipy import special  # noqa: E402

import tensorgrad as tg  # noqa: E402
import viz  # noqa: E402
from scalargrad.graph import ancestors  # noqa: E402
from tensorgrad.beside.call import OURS  # noqa: E402
from tensorgrad.beside_autograd import from_autograd  # noqa: E402

pytestmark = pytest.mark.torch  # with the tests of other libraries


def numbers(*shape):
    return npr.RandomState(sum(shape)).randn(*shape)


def tanh(x):
    return (1.0 - np.exp(-2 * x)) / (1.0 + np.exp(-2 * x))


INPUTS = np.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
TARGETS = np.array([True, True, False, True])


def logistic_regression(weights):
    predictions = 0.5 * (np.tanh(np.dot(INPUTS, weights) / 2) + 1)
    label_probabilities = predictions * TARGETS + (1 - predictions) * (1 - TARGETS)
    return -np.sum(np.log(label_probabilities))


def taylor_sine(x):
    ans = currterm = x
    i = 0
    while np.abs(currterm) > 0.001:
        currterm = -currterm * x**2 / ((2 * i + 3) * (2 * i + 2))
        ans = ans + currterm
        i += 1
    return ans


def neural_net(params):
    inputs = INPUTS
    for W, b in params:
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    log_probabilities = outputs - np.logaddexp(outputs[:, :1], outputs[:, 1:2])
    squared = np.dot(flatten(params)[0], flatten(params)[0])
    return -np.sum(log_probabilities * numpy.eye(2)[[0, 1, 0, 1]]) + 0.1 * squared


def recurrent(params):
    hidden = np.repeat(params["init hiddens"], 2, axis=0)
    outputs = []
    for t in range(3):
        hidden = np.tanh(np.dot(np.hstack((INPUTS[:2] + t, hidden, np.ones((2, 1)))), params["change"]))
        outputs.append(np.dot(hidden, params["predict"]))
    return np.mean(np.array(outputs) ** 2) + np.std(hidden)


def variational(params):
    mean, log_std = params[:3], params[3:]
    samples = numbers(10, 3) * np.exp(log_std) + mean
    return -np.mean(np.sum(-0.5 * samples**2 - np.cos(samples), axis=-1)) - 0.5 * 3 - np.sum(log_std)


def gaussian_process(params):
    diffs = np.expand_dims(INPUTS / np.exp(params[1:]), 1) - np.expand_dims(INPUTS / np.exp(params[1:]), 0)
    covariance = np.exp(params[0]) * np.exp(-0.5 * np.sum(diffs**2, axis=2)) + 0.1 * np.eye(4)
    y = INPUTS[:, 0]
    return 0.5 * np.dot(y, np.linalg.solve(covariance, y)) + 0.5 * np.linalg.slogdet(covariance)[1]


def rosenbrock(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def fluid(velocity):
    for _ in range(3):
        velocity = (np.roll(velocity, 1, axis=0) + np.roll(velocity, -1, axis=1)) / 2 + np.where(velocity > 0, velocity, 0)
    return np.sum(np.maximum(velocity, 0.1) * np.einsum("ij,jk->ik", velocity, velocity))


def mixture(params):
    log_weights = params["log proportions"] - np.log(np.sum(np.exp(params["log proportions"])))
    distances = [np.sum((INPUTS - mean) ** 2, axis=1) for mean in params["means"]]
    return -np.sum(np.log(np.dot(np.exp(log_weights), np.vstack([np.exp(-d) for d in distances]))))


def gradient_of_gradient(x):
    return autograd.grad(lambda v: np.sum(np.tanh(v) ** 2 * v[1]))(x)[0]


def eigenvectors(x):
    return np.sum(np.linalg.eigh(x @ x.T)[1] ** 4)


PROGRAMS = {  # name: (function, arguments, the calls that are boxes)
    "tanh of the README": (tanh, (1.0,), []),
    "logistic regression of the README": (logistic_regression, (np.array([0.1, -0.2, 0.3]),), []),
    "taylor sine": (taylor_sine, (1.5,), []),
    "neural net": (neural_net, ([(numbers(3, 4), numbers(4)), (numbers(4, 2), numbers(2))],), []),
    "recurrent net": (recurrent, ({"init hiddens": numbers(1, 4), "change": numbers(8, 4), "predict": numbers(4, 2)},), []),
    "variational inference": (variational, (numbers(6),), []),
    "gaussian process": (gaussian_process, (numbers(4),), []),
    "rosenbrock": (rosenbrock, (np.array([0.3, -0.4]),), []),
    "fluid": (fluid, (numbers(3, 3),), []),
    "mixture": (mixture, ({"log proportions": numbers(2), "means": numbers(2, 3)},), []),
    "gradient of a gradient": (gradient_of_gradient, (numbers(2),), []),
    "a function that differs": (eigenvectors, (numbers(3, 3),), ["eigh"]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_our_gradients_are_those_of_autograd(name):
    f, args, boxes = PROGRAMS[name]
    seen = from_autograd(f, *args)
    assert seen.check() and seen.z.data == pytest.approx(float(f(*args)), rel=1e-12)
    assert [call.name for call in seen.calls if call.by != OURS] == boxes


def test_leaves_variables_and_lines_are_those_of_the_program():
    seen = from_autograd(*PROGRAMS["neural net"][:1], *PROGRAMS["neural net"][1])
    assert list(seen.leaves) == ["params.0.0", "params.0.1", "params.1.0", "params.1.1"]
    lines = {inspect.getsource(neural_net).splitlines()[call.line - neural_net.__code__.co_firstlineno].strip() for call in seen.calls}
    assert {"outputs = np.dot(inputs, W) + b", "inputs = np.tanh(outputs)"} <= lines
    assert {"outputs", "inputs", "log_probabilities", "squared"} <= {str(v.name) for v in ancestors(seen.z.node)}
    assert "squared" in viz.mermaid(seen)


def test_a_function_without_a_counterpart_is_a_box_with_the_reason():
    runs = []

    @primitive
    def half(x):
        runs.append(x)
        return x / 2

    defvjp(half, lambda ans, x: lambda g: 3 * g)  # not its derivative: what the program defines is what counts
    seen = from_autograd(lambda x: np.sum(special.gammaln(x) * half(x)), np.array([1.0, 2.5]))
    box, own = [call for call in seen.calls if call.by != OURS]
    assert len(runs) == 1  # as without the recording
    assert (box.name, box.by) == ("gammaln", "autograd's own derivative") and box.why.startswith("our gammaln raised TypeError")
    assert (own.name, own.by) == ("half", "a function of your own") and seen.check()
    kinds = {v.rule.name: v.rule.elsewhere.kind for v in ancestors(seen.z.node) if v.rule and v.rule.elsewhere}
    assert kinds == {"gammaln": "theirs", "half": "own"}
    assert repr(seen) == ("<recording of 4 calls: 2 by a rule of tensorgrad, 1 by autograd's own derivative, 1 by a function of your own>")


def test_a_box_is_computed_again_at_other_numbers():
    seen = from_autograd(lambda x: np.sum(special.gammaln(x)), np.array([1.5, 2.5]))
    assert tg.check(seen.z)  # finite differences


def test_what_is_constant_gets_no_gradient_and_numbers_stay_as_they_are():
    x = np.array([1.0, 3.0])
    seen = from_autograd(lambda x, k: np.sum(x[np.argmax(x)] * np.floor(x)) * k, x, 2)
    seen.z.backward()
    assert list(seen.leaves) == ["x"] and seen.leaves["x"].grad.tolist() == [0, 8]
    assert x.tolist() == [1, 3] and type(seen.value) is np.float64


def test_what_cannot_be_recorded_is_refused_with_what_to_do():
    x = np.array([1.0, 2.0])
    with pytest.raises(RuntimeError, match=r"multiply at test_autograd.py:\d+ makes complex numbers, .*; record a part"):
        from_autograd(lambda x: np.sum(np.real(x * 1j)), x)
    with pytest.raises(RuntimeError, match="sparse_add at .* takes a list of arrays"):
        from_autograd(lambda x, y: autograd.grad(lambda p: np.sum(p[0] * p[1]))([x, y])[0].sum(), x, x)
    with pytest.raises(TypeError, match=r"returned an array of shape \(2,\); it must return the loss, one number"):
        from_autograd(lambda x: x * 2, x)
    with pytest.raises(RuntimeError, match="does not depend on a float or an array of floats"):
        from_autograd(lambda n: np.sum(np.ones(n)), 2)
    with pytest.raises(NotImplementedError, match=r"VJP of deg2grad .*not defined"):
        from_autograd(lambda x: np.sum(primitive(deg2grad)(x)), x)


def deg2grad(x):
    return x / 0.9

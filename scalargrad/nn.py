"""Neurons, layers, multi-layer perceptrons, and the optimiser that trains them.

The calls are micrograd's, the graph is smaller: a neuron is one `dot` variable, w·x + b, and one `relu`, however many
inputs it has. Layers and neurons are scopes, which drawings fold. Legend: w weights, x inputs, b bias.
"""

import random
from operator import mul
from typing import TYPE_CHECKING

from scalargrad import rules
from scalargrad.foreign_names import LAYERS, MODULE, answer, answering
from scalargrad.graph import show
from scalargrad.modes import scope_path
from scalargrad.value import Constant, Value, applied, number_of


class Module:
    """Something with parameters: the variables that training changes."""

    def parameters(self) -> list[Value]:
        """The parameters, always in the same order."""
        return []

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for p in self.parameters():
            p.grad = 0


class Neuron(Module):
    """relu(w·x + b), or only w·x + b with nonlin=False; the weights start uniform in [-1, 1], the bias at 0.

    ValueError if it is called with another number of inputs than it has weights.

    >>> n = Neuron(2); n.w[0].data, n.w[1].data = 3, -1
    >>> n([2, 4]), n.parameters()
    (Value(2), [Value(3), Value(-1), Value(0)])
    """

    def __init__(self, nin: int, nonlin: bool = True):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0)
        self.nonlin = nonlin

    def __call__(self, x) -> Value:
        x = x if type(x) is Inputs else Inputs(x)
        if len(x) != len(self.w):
            raise ValueError(f"{self} has {len(self.w)} weights and got {len(x)} inputs; give it one number for each weight")
        y = weighted_sum(self.w, x, self.b)
        if self.nonlin:
            y = y.relu()
            if isinstance(y, Value):
                y._scope = x.scope
        return y

    def parameters(self):
        return [*self.w, self.b]

    def __repr__(self):
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    """Neurons side by side, all with the same inputs; called, the list of their outputs, or the output of the only one.

    >>> Layer(2, 3)
    Layer of [ReLUNeuron(2), ReLUNeuron(2), ReLUNeuron(2)]
    """

    def __init__(self, nin: int, nout: int, nonlin: bool = True):
        self.neurons = [Neuron(nin, nonlin) for _ in range(nout)]
        self._scopes: tuple[tuple, list] = (), []

    def __call__(self, x):
        x = inputs_of(x)
        y = []
        for neuron, scope in zip(self.neurons, self.scopes(x.scope)):
            x.scope = scope
            y.append(neuron(x))
        return y[0] if len(y) == 1 else y

    def scopes(self, outer):
        """The scope of each neuron; made anew only where the layer stands elsewhere than at the last call."""
        made_for, scopes = self._scopes
        if made_for != outer or len(scopes) != len(self.neurons):
            scopes = [(*outer, f"neuron{i}") for i in range(1, len(self.neurons) + 1)]
            self._scopes = outer, scopes
        return scopes

    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]

    def __repr__(self):
        return f"Layer of [{', '.join(map(repr, self.neurons))}]"


class MLP(Module):
    """A multi-layer perceptron: `nin` inputs, then one layer for each number in `nouts`; relu in all but the last.

    >>> model = MLP(2, [16, 16, 1]); len(model.parameters())
    337
    >>> model([1.0, -2.0]).backward(); model.layers[2].neurons[0].b.grad
    1.0
    """

    def __init__(self, nin: int, nouts: list[int]):
        sizes = [nin, *nouts]
        self.layers = [Layer(a, b, nonlin=i < len(nouts)) for i, (a, b) in enumerate(zip(sizes, nouts), 1)]

    def __call__(self, x):
        for i, layer in enumerate(self.layers, 1):
            x = inputs_of(x)
            x.scope = (*scope_path(), f"layer{i}")
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self):
        return f"MLP of [{', '.join(map(repr, self.layers))}]"


class SGD:
    """Stochastic gradient descent: step() moves each parameter p by -lr · v, where v is its gradient with some memory.

    As in PyTorch: g = dz/dp + weight_decay · p; v = g at the first step, then momentum · v + g.
    ValueError where a parameter is not a variable that training could move.

    >>> x = Value(3.0); sgd = SGD([x], lr=0.25)
    >>> (x * x).backward(); sgd.step(); x.data
    1.5
    """

    def __init__(self, parameters, lr, momentum=0.0, weight_decay=0.0):
        self.parameters = list(parameters)
        refuse_parameters(self.parameters)
        for name, x in ("lr", lr), ("momentum", momentum), ("weight_decay", weight_decay):
            if not x >= 0:
                raise ValueError(f"SGD: {name}={x} is out of range; it must be 0 or more")
        self.lr, self.momentum, self.weight_decay = lr, momentum, weight_decay
        self._velocity = [0] * len(self.parameters)

    def step(self) -> None:
        """Move every parameter against its gradient."""
        for i, p in enumerate(self.parameters):
            v = number_of(p.grad)  # a variable, after backward(create_graph=True)
            if self.weight_decay:
                v += self.weight_decay * p.data
            if self.momentum:
                v += self.momentum * self._velocity[i]
                self._velocity[i] = v
            p.data -= self.lr * v

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for p in self.parameters:
            p.grad = 0


class Inputs(tuple):
    """What the neurons of a layer have in common: x, looked through once for all of them, with its numbers if all are variables.

    `scope` is where the neuron that is called next stands. It is handed on here, since opening a block for each neuron would
    take a third of the time that going forward takes.
    """

    def __init__(self, x):
        self.scope = scope_path()
        self.numbers = [v._data for v in self] if all_variables(self) else None


def inputs_of(x):
    return x if type(x) is Inputs else Inputs([x] if isinstance(x, Value) else x)  # a lone variable is a layer's only output


def all_variables(xs):
    return [*map(type, xs)].count(Value) == len(xs) or all(isinstance(x, Value) for x in xs)  # nearly always the first, at half the cost


def weighted_sum(w, x, b):
    """rules.dot of w, x and b; where all are variables the variable is made at once, as the operators make theirs."""
    numbers = x.numbers
    if numbers is None or type(b) is not Value or not all_variables(w):
        y = applied(rules.dot, *w, *x, b)
    else:
        weights = [v._data for v in w]
        y = Value(sum(map(mul, weights, numbers), b.data), (*w, *x, b), (*numbers, *weights, 1), rules.dot)
    if isinstance(y, Value):
        y._scope = x.scope
    return y


def refuse_parameters(parameters):
    """ValueError if step() could not move one of them: nothing to train, a constant, an intermediate result, a duplicate."""
    if not parameters:
        raise ValueError("SGD: there are no parameters to train; give it model.parameters()")
    for i, p in enumerate(parameters):
        if not isinstance(p, Value):
            raise ValueError(f"SGD: parameter {i} is a {type(p).__name__}, not a Value; give it model.parameters()")
        if isinstance(p, Constant):
            raise ValueError(f"SGD: parameter {i}, {show(p)}, is a constant: no gradient ever reaches it; leave it out")
        if p.inputs:
            raise ValueError(f"SGD: parameter {i}, {show(p)}, was made by {p.rule.name}; give it the variables that it was made from")
    if len(set(parameters)) < len(parameters):
        raise ValueError("SGD: a parameter is listed more than once and would move more than once a step; list each once")


answer(Module, MODULE)

if not TYPE_CHECKING:
    __getattr__ = answering(__name__, LAYERS)

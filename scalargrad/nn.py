"""Neurons, layers, multi-layer perceptrons, and the optimiser that trains them.

The classes are called as in micrograd, but the graph is smaller. A neuron is two variables for any number of inputs: one `dot`,
w·x + b, and one `relu`. Layers and neurons are scopes, which drawings fold. Legend: w weights, x inputs, b bias.
"""

import random
from collections.abc import Iterable
from numbers import Real
from operator import mul
from typing import TYPE_CHECKING

from scalargrad import rules
from scalargrad.fast.comparing import number_of
from scalargrad.fast.quick import made
from scalargrad.fast.value import Constant, Value
from scalargrad.graph import show
from scalargrad.messages.errors import brief, must_be_integers, shortened, wrong_type
from scalargrad.messages.foreign_names import LAYERS, MODULE, answer, answering
from scalargrad.modes import scope_path
from scalargrad.user_names import names


class Module:
    """A part of a model. Its parameters are the variables that training changes."""

    def parameters(self) -> list[Value]:
        """Return the parameters, always in the same order."""
        return []

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for p in self.parameters():
            p.grad = 0


class Neuron(Module):
    """A neuron, which computes relu(w·x + b), or w·x + b with nonlin=False.

    The weights start at random numbers, uniform in [-1, 1], and the bias at 0. Raises TypeError if nin is not an integer, and
    ValueError if it is less than 1. A call raises ValueError if the number of inputs is not the number of weights.

    >>> n = Neuron(2); n.w[0].data, n.w[1].data = 3, -1
    >>> n([2, 4]), n.parameters()
    (Value(2), [Value(3, name='w1'), Value(-1, name='w2'), Value(0, name='b')])
    """

    def __init__(self, nin: int, nonlin: bool = True):
        must_be_integers("Neuron", 1, nin=nin)
        self.w = [Value(random.uniform(-1, 1), name=f"w{j}") for j in range(1, nin + 1)]
        self.b = Value(0, name="b")
        self.nonlin = nonlin

    def __call__(self, x) -> Value:
        x = inputs_of(x)
        if len(x) != len(self.w):
            raise wrong_inputs(self, len(self.w), x)
        a = weighted_sum(self.w, x, self.b)
        if not self.nonlin:
            return a
        y = a.relu()
        if isinstance(y, Value):
            y._scope = x.scope
        return y

    def parameters(self):
        return [*self.w, self.b]

    def __repr__(self):
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    """A layer of neurons with the same inputs. A call returns the list of their outputs, or the output of a single neuron.

    Neuron i has the bias b_i and the weight w_ij for input j, or w_i,j in a layer of ten or more.
    Raises TypeError if nin or nout is not an integer, and ValueError if it is less than 1.

    >>> Layer(2, 3)
    Layer of [ReLUNeuron(2), ReLUNeuron(2), ReLUNeuron(2)]
    """

    def __init__(self, nin: int, nout: int, nonlin: bool = True):
        must_be_integers("Layer", 1, nin=nin, nout=nout)
        self.neurons = [Neuron(nin, nonlin) for _ in range(nout)]
        between = "," if max(nin, nout) > 9 else ""
        for i, neuron in enumerate(self.neurons, 1):
            neuron.b.name = f"b{i}"
            for j, w in enumerate(neuron.w, 1):
                w.name = f"w{i}{between}{j}"
        self._scopes: tuple[tuple, list] = (), []

    def __call__(self, x):
        x = inputs_of(x)
        y = []
        for neuron, scope in zip(self.neurons, self.scopes(x.scope)):
            x.scope = scope
            y.append(neuron(x))
        return y[0] if len(y) == 1 else y

    def scopes(self, outer):
        """Return the scope of each neuron. The list is made again only if the layer's own scope has changed since the last call."""
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
    """A multi-layer perceptron: `nin` inputs, then one layer for each number in `nouts`, with relu in all layers but the last.

    Raises TypeError if the sizes are not integers, and ValueError if one is less than 1 or if there is no layer. A call raises
    ValueError if the number of inputs is not `nin`.

    >>> model = MLP(2, [16, 16, 1]); len(model.parameters())
    337
    >>> model([1.0, -2.0]).backward(); model.layers[2].neurons[0].b.grad
    1.0
    """

    def __init__(self, nin: int, nouts: list[int]):
        if not isinstance(nouts, Iterable):
            raise TypeError(f"MLP: nouts={brief(nouts)} is not a list of layer sizes; write MLP({brief(nin)}, [{brief(nouts)}])")
        nouts = list(nouts)
        if not nouts:
            raise ValueError(f"MLP: nouts=[] has no layer; write MLP({brief(nin)}, [1])")
        must_be_integers("MLP", 1, nin=nin, **{f"nouts[{i}]": n for i, n in enumerate(nouts)})
        sizes = [nin, *nouts]
        self.layers = [Layer(a, b, nonlin=i < len(nouts)) for i, (a, b) in enumerate(zip(sizes, nouts), 1)]

    def __call__(self, x):
        for i, layer in enumerate(self.layers, 1):
            x = inputs_of(x)
            if i == 1 and layer.neurons and len(x) != len(layer.neurons[0].w):
                raise wrong_inputs("MLP", len(layer.neurons[0].w), x)
            x.scope = (*scope_path(), f"layer{i}")
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self):
        return f"MLP of [{', '.join(map(repr, self.layers))}]"


class SGD:
    """Stochastic gradient descent: step() adds -lr · v to each parameter p, where v is its gradient with momentum.

    As in PyTorch, g is dz/dp + weight_decay · p. In the first step v is g; in later steps it is momentum · v + g.
    Raises TypeError if the parameters are not a list or an option is not a number. Raises ValueError if a parameter is not a leaf
    that training can change.

    >>> x = Value(3.0); sgd = SGD([x], lr=0.25)
    >>> (x * x).backward(); sgd.step(); x.data
    1.5
    """

    def __init__(self, parameters, lr=None, momentum=0.0, weight_decay=0.0):
        self.parameters = parameter_list(parameters)
        refuse_parameters(self.parameters)
        if lr is None:
            raise TypeError("SGD: lr, the learning rate, is missing; write SGD(model.parameters(), lr=0.1)")
        for name, x in ("lr", lr), ("momentum", momentum), ("weight_decay", weight_decay):
            if not isinstance(x, Real):
                raise wrong_type("SGD", name, x, "a number")
            if not x >= 0:
                raise ValueError(f"SGD: {name}={x} is out of range; it must be 0 or more")
        self.lr, self.momentum, self.weight_decay = lr, momentum, weight_decay
        self._velocity = [0] * len(self.parameters)

    def step(self) -> None:
        """Move every parameter against its gradient. A frozen one (keep_grad = False) does not move."""
        for i, p in enumerate(self.parameters):
            if type(p) is Constant:
                continue
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
    """The inputs x that the neurons of a layer share, and their numbers if all inputs are variables.

    `scope` is the scope of the neuron that is called next. It is passed here, because a block for each neuron would take a third of
    the time of the forward pass.
    """

    def __init__(self, x):
        self.scope = scope_path()
        self.numbers = [v._data for v in self] if all_variables(self) else None


def inputs_of(x):
    """Return x, a list of numbers or a single number, as inputs of a neuron. Raises TypeError for anything else."""
    if type(x) is Inputs:
        return x
    if type(x) is list:  # nearly always
        return Inputs(x)
    if isinstance(x, Value | Real):  # the output of a layer with one neuron, or the input of a model with one
        return Inputs([x])
    if hasattr(type(x), "node"):
        what = shortened(names.called_one(x))
        raise TypeError(f"scalargrad.nn: {what} is a Tensor, but these neurons take numbers; write {what}.tolist()")
    if isinstance(x, str) or not isinstance(x, Iterable):
        raise TypeError(f"scalargrad.nn: {brief(x)} is not a list of numbers; give a model one number for each input: model([1.0, 2.0])")
    return Inputs(x)


def wrong_inputs(module, nin, x):
    """Return the ValueError for a number of inputs that is not `nin`."""
    several = any(isinstance(row, Iterable) for row in x)
    advice = "give it one example at a time: [model(x) for x in xs]" if several else "give it one number for each input"
    return ValueError(f"{module}: takes {nin} input{'s' * (nin != 1)}, got {len(x)}; {advice}")


def all_variables(xs):
    """Return whether all xs are variables. The first test nearly always decides, in half the time."""
    return [*map(type, xs)].count(Value) == len(xs) or all(isinstance(x, Value) for x in xs)


def weighted_sum(w, x, b):
    """Return rules.dot of w, x and b. If all are variables, make the result directly, as quick.py does."""
    numbers = x.numbers
    if numbers is None or type(b) is not Value or not all_variables(w):
        a = rules.dot(*w, *x, b)
    else:
        weights = [v._data for v in w]
        a = made(sum(map(mul, weights, numbers), b.data), (*w, *x, b), (*numbers, *weights, 1), None, None, rules.dot)
    if isinstance(a, Value):
        a._scope = x.scope
    return a


def parameter_list(parameters):
    """Return the parameters as a list. Raises TypeError, which says what to write, if they are not one."""
    if isinstance(parameters, Value):
        raise TypeError(f"SGD: {show(parameters)} is one parameter; write a list: [{names.called_one(parameters)}]")
    if not isinstance(parameters, Iterable):
        what = "a method" if callable(parameters) and not isinstance(parameters, Module) else brief(parameters)
        raise TypeError(f"SGD: {what} is not a list of parameters; write model.parameters()")
    return list(parameters)


def refuse_parameters(parameters):
    """Raise ValueError for an empty list, and for a constant, an intermediate variable or a duplicate in it: step() cannot train them."""
    if not parameters:
        raise ValueError("SGD: there are no parameters to train; give it model.parameters()")
    for i, p in enumerate(parameters):
        if not isinstance(p, Value):
            raise ValueError(f"SGD: parameter {i} is a {type(p).__name__}, not a Value; give it model.parameters()")
        if isinstance(p, Constant):
            raise ValueError(f"SGD: parameter {i}, {show(p)}, is a constant, which gets no gradient; leave it out")
        if p.inputs:
            raise ValueError(f"SGD: parameter {i}, {show(p)}, was made by {p.rule.name}; give it the variables that it was made from")
    if len(set(parameters)) < len(parameters):
        raise ValueError("SGD: a parameter is listed more than once; list each once")


answer(Module, MODULE)

if not TYPE_CHECKING:
    __getattr__ = answering(__name__, LAYERS)

"""Recurrent layers: RNN, LSTM and GRU over sequences, and their cells for one step.

Legend: L steps, n samples, H features of the state, D directions (2 with bidirectional=True, else 1), K layers (num_layers).
"""

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from math import prod
from typing import NamedTuple

import numpy as np

from scalargrad.messages.errors import brief, must_be_integers, must_be_one_of, number
from scalargrad.modes import scope
from tensorgrad.functions.normalisation import dropout
from tensorgrad.functions.sequences import recurrent as functions
from tensorgrad.nn import random
from tensorgrad.nn.initial import by_fan_in
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.sizes import float_dtype
from tensorgrad.rules.joining import concatenate, stack
from tensorgrad.rules.linear_algebra.linear import linear
from tensorgrad.rules.moving import flip
from tensorgrad.tensor import Tensor

__all__ = ["RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"]

LARGE = 1 << 10  # entries of an output, (L, n, H) or (n, H), from which all steps, or the gates of one, are one function


class Parts(NamedTuple):
    """The weights and biases of one layer in one direction, under the beginnings of PyTorch's names."""

    weight_ih: Tensor
    weight_hh: Tensor
    bias_ih: Tensor | None
    bias_hh: Tensor | None
    weight_hr: Tensor | None = None


class Unit(Module):
    """What layers and cells share: the number of gates, the number of arrays in a state, one step, and all steps as one function."""

    gates = 1
    states = 1
    hidden_size: int
    _first: str  # the name of a parameter
    _step: Callable
    _whole: Callable

    def _draw(self, ending, inputs, outputs, bias, projected, dtype, generator):
        """Make the parameters of one layer in one direction. All start uniform within ±1/√H."""
        rows, H = self.gates * self.hidden_size, self.hidden_size
        shapes = {"weight_ih": (rows, inputs), "weight_hh": (rows, outputs)}
        shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if bias else {}
        for name, shape in (shapes | ({"weight_hr": (outputs, H)} if projected else {})).items():
            setattr(self, name + ending, Parameter(by_fan_in(shape, H, dtype, generator)))
        for name in () if bias else ("bias_ih", "bias_hh"):
            setattr(self, name + ending, None)

    def _parts(self, ending=""):
        return Parts(*[self.__dict__.get(name + ending) for name in Parts._fields])

    def _stepped(self, a, state, parts):
        """Return the state after one step; with proj_size, h is multiplied by weight_hr."""
        h, *rest = self._step(a, state, parts.weight_hh, parts.bias_hh)
        return (h if parts.weight_hr is None else linear(h, parts.weight_hr), *rest)

    def _input(self, x):
        """Return the input in the dtype of the parameters."""
        if hasattr(x, "batch_sizes"):
            raise TypeError("packed sequences are not supported; pad the sequences, and leave out the outputs beyond the length of each")
        return of_dtype(x, self._dtype())

    def _dtype(self):
        return self.__dict__[self._first]._data.dtype

    def _state(self, hx, shapes):
        """Return the arrays of a state: zeros if hx is None. Raises ValueError if they do not have these shapes."""
        if hx is None:
            return tuple([np.zeros(shape, self._dtype()) for shape in shapes])
        given = (hx,) if self.states == 1 else hx
        if not isinstance(given, tuple | list) or len(given) != self.states:
            raise TypeError(f"hx={brief(hx)} is not a pair; write (h, c)")
        found = [of_dtype(x, self._dtype()) for x in given]
        for name, x, shape in zip("hc", found, shapes):
            if np.shape(x) != shape:
                raise ValueError(f"{name} of hx has shape {np.shape(x)}; {shape} is needed")
        return tuple(found)


# Sequences


class Recurrent(Unit):
    """What RNN, LSTM and GRU share: layers, directions, and the axes of inputs and states."""

    proj_size = 0
    _first = "weight_ih_l0"

    def _make(self, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype, generator):
        kind = type(self).__name__
        must_be_integers(kind, 1, input_size=input_size, hidden_size=hidden_size, num_layers=num_layers)
        self.input_size, self.hidden_size, self.num_layers, self.bias = input_size, hidden_size, num_layers, bias
        self.batch_first, self.bidirectional, self.dropout = batch_first, bidirectional, number(kind, "dropout", dropout, 0, 1)
        if dropout and num_layers == 1:
            warnings.warn(f"{kind}: dropout={dropout} has no effect with num_layers=1: it stands between layers", stacklevel=3)
        self.generator = None if generator is None else random.generator_or_default(kind, generator)
        dtype, generator = float_dtype(kind, dtype), random.generator_or_default(kind, generator)
        outputs, directions = self.proj_size or hidden_size, 1 + bidirectional
        for layer in range(num_layers):
            for ending in self._endings(layer):
                inputs = outputs * directions if layer else input_size
                self._draw(ending, inputs, outputs, bias, self.proj_size, dtype, generator)

    def _endings(self, layer):
        """Return the endings of the names of a layer's parameters, one for each direction."""
        return [f"_l{layer}", *[f"_l{layer}_reverse"] * self.bidirectional]

    def forward(self, input, hx=None):
        x = self._input(input)
        alone = len(np.shape(x)) == 2
        if np.shape(x)[-1:] != (self.input_size,) or len(np.shape(x)) not in (2, 3):
            batch = "(n, L, input_size)" if self.batch_first else "(L, n, input_size)"
            raise ValueError(f"input has shape {np.shape(x)}; {batch} or (L, input_size) is needed, with input_size={self.input_size}")
        x = x[:, None] if alone else x.swapaxes(0, 1) if self.batch_first else x
        if not x.shape[0]:
            raise ValueError(f"input has shape {np.shape(input)}; a sequence needs one step or more")
        runs = self.num_layers * (1 + self.bidirectional)
        of_one = [(self.proj_size or self.hidden_size,), (self.hidden_size,)][: self.states]
        state = self._state(hx, [(runs, *([] if alone else [x.shape[1]]), *shape) for shape in of_one])
        state = [s[:, None] if alone else s for s in state]  # (K · D, n, H)
        y, state = self._layers(x, state)
        y = y[:, 0] if alone else y.swapaxes(0, 1) if self.batch_first else y
        state = tuple([s[:, 0] if alone else s for s in state])
        return y, state if self.states > 1 else state[0]

    def _layers(self, x, state):
        """Return the output of the last layer, (L, n, D · H), and the last state of each layer and direction."""
        last: list = []
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                x = dropout(x, self.dropout, rng=self.generator or random.default_generator())
            endings = self._endings(layer)
            states = [[s[len(last) + k] for s in state] for k in range(len(endings))]
            with scope(f"layer{layer}") if self.num_layers > 1 else nullcontext():
                x, ends = self._layer(x, states, endings)
            last += ends
        return x, [stack(ends) for ends in zip(*last)]

    def _layer(self, x, states, endings):
        """Return the output of one layer, (L, n, D · H), and its last state in each direction."""
        if not self.bidirectional:
            y, end = self._one(x, states[0], self._parts(endings[0]))
            return y, [end]
        with scope("forward"):
            y, end = self._one(x, states[0], self._parts(endings[0]))
        with scope("reverse"):
            y_reverse, end_reverse = self._one(flip(x, 0), states[1], self._parts(endings[1]))
            y_reverse = flip(y_reverse, 0)
        return concatenate([y, y_reverse], -1), [end, end_reverse]

    def _one(self, x, state, parts):
        """Return the outputs of one layer in one direction, (L, n, H), and its last state."""
        a = linear(x, parts.weight_ih, parts.bias_ih)
        if prod(a.shape) >= LARGE * self.gates and parts.weight_hr is None:
            return self._at_once(a, state, parts)
        ys = []
        for t in range(a.shape[0]):
            with scope(f"step{t}"):
                state = self._stepped(a[t], state, parts)
            ys.append(state[0])
        return stack(ys), state

    def _at_once(self, a, state, parts):
        """Return the outputs and the last state, computed by one function of the graph."""
        y = self._whole(a, *state, parts.weight_hh, parts.bias_hh)
        return y, (y[-1],)

    def flatten_parameters(self) -> None:
        """Do nothing: PyTorch's programs call it, and here the parameters need no order in memory."""

    def extra_repr(self):
        others = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False, "proj_size": 0}
        shown = [f"{name}={getattr(self, name)}" for name, usual in others.items() if getattr(self, name) != usual]
        return ", ".join([str(self.input_size), str(self.hidden_size), *shown])


class RNN(Recurrent):
    """Return (output, h_n) of a simple recurrent network over the steps of a sequence: h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    With nonlinearity="relu" the relu takes the place of tanh. The input has shape (L, n, input_size), (n, L, input_size) with
    batch_first=True, or (L, input_size). The output has D · H features: h of the last layer after each step. hx, the first state, and
    h_n, the last, have shape (K · D, n, H) or (K · D, H); without hx the first state is 0. In training, `dropout` is the probability
    with which an entry between two layers is set to 0. From 1024 numbers in the output of a layer on, its steps are one function of
    the graph, which is faster. All parameters start uniform within ±1/√H. Raises ValueError if the shapes do not fit. Source: Elman,
    "Finding Structure in Time", 1990.

    >>> import numpy as np; from tensorgrad import nn
    >>> output, h_n = nn.RNN(3, 4)(np.ones((5, 2, 3))); output.shape, h_n.shape
    ((5, 2, 4), (1, 2, 4))
    """

    def __init__(
        self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False,
        *, dtype=None, generator=None,
    ):  # fmt: skip
        super().__init__()
        self.nonlinearity = known_nonlinearity("RNN", nonlinearity)
        self._make(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype, generator)

    def _step(self, *args):
        return functions.rnn_step(*args, self.nonlinearity)

    def _whole(self, *args):
        return functions.rnn(*args, self.nonlinearity)


class LSTM(Recurrent):
    """Return (output, (h_n, c_n)) of a long short-term memory over the steps of a sequence.

    c' = f c + i g and h' = o tanh(c'). W_ih x + b_ih + W_hh h + b_hh has four parts, in the order i, f, g, o: i, f and o are their
    sigmoids, g is a tanh. Shapes and settings are those of RNN. hx is a pair (h, c). With proj_size=P, h' is multiplied by weight_hr
    and has P features. Raises ValueError if the shapes do not fit. Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997.

    >>> import numpy as np; from tensorgrad import nn
    >>> output, (h_n, c_n) = nn.LSTM(3, 4, bidirectional=True)(np.ones((5, 2, 3))); output.shape, c_n.shape
    ((5, 2, 8), (2, 2, 4))
    """

    gates, states = 4, 2
    _step = staticmethod(functions.lstm_step)
    _whole = staticmethod(functions.lstm)

    def __init__(
        self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0,
        *, dtype=None, generator=None,
    ):  # fmt: skip
        super().__init__()
        if proj_size:
            must_be_integers("LSTM", 1, proj_size=proj_size, hidden_size=hidden_size)
            if proj_size >= hidden_size:
                raise ValueError(f"LSTM: proj_size={proj_size} must be smaller than hidden_size={hidden_size}")
        self.proj_size = proj_size
        self._make(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype, generator)

    def _at_once(self, a, state, parts):
        y = self._whole(a, *state, parts.weight_hh, parts.bias_hh)  # the last entry is c
        return y[:-1], (y[-2], y[-1])


class GRU(Recurrent):
    """Return (output, h_n) of gated recurrent units over the steps of a sequence.

    h' = (1 - z) n + z h. The weights have three parts, in the order r, z, n: r and z are sigmoids of W_ih x + b_ih + W_hh h + b_hh, and
    n = tanh(W_in x + b_in + r (W_hn h + b_hn)). Shapes and settings are those of RNN. Raises ValueError if the shapes do not fit.
    Source: Cho and others, "Learning Phrase Representations using RNN Encoder-Decoder", 2014.

    >>> import numpy as np; from tensorgrad import nn
    >>> output, h_n = nn.GRU(3, 4, num_layers=2, batch_first=True)(np.ones((2, 5, 3))); output.shape, h_n.shape
    ((2, 5, 4), (2, 2, 4))
    """

    gates = 3
    _step = staticmethod(functions.gru_step)
    _whole = staticmethod(functions.gru)

    def __init__(
        self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
        *, dtype=None, generator=None,
    ):  # fmt: skip
        super().__init__()
        self._make(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype, generator)


# One step


class Cell(Unit):
    """What RNNCell, LSTMCell and GRUCell share."""

    _first = "weight_ih"

    def __init__(self, input_size, hidden_size, bias=True, *, dtype=None, generator=None):
        super().__init__()
        kind = type(self).__name__
        must_be_integers(kind, 1, input_size=input_size, hidden_size=hidden_size)
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        dtype, generator = float_dtype(kind, dtype), random.generator_or_default(kind, generator)
        self._draw("", input_size, hidden_size, bias, False, dtype, generator)

    def forward(self, input, hx=None):
        x = self._input(input)
        if np.shape(x)[-1:] != (self.input_size,) or len(np.shape(x)) not in (1, 2):
            raise ValueError(
                f"input has shape {np.shape(x)}; (n, input_size) or (input_size,) is needed, with input_size={self.input_size}"
            )
        state = self._state(hx, [(*np.shape(x)[:-1], self.hidden_size)] * self.states)
        parts = self._parts()
        a = linear(x, parts.weight_ih, parts.bias_ih)
        if self.gates > 1 and a.ndim == 2 and prod(a.shape) >= LARGE * self.gates:
            found = tuple(self._whole(a[None], *state, parts.weight_hh, parts.bias_hh))  # h, and of an LSTM c
        else:
            found = self._stepped(a, state, parts)
        return found if self.states > 1 else found[0]

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}{', bias=False' * (not self.bias)}"


class RNNCell(Cell):
    """Return h' = tanh(W_ih x + b_ih + W_hh h + b_hh), with nonlinearity="relu" its relu: one step of an RNN.

    The input has shape (n, input_size) or (input_size,); hx, the state h, and the result have shape (n, H) or (H,). Without hx, h is 0.
    Raises ValueError if the shapes do not fit.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.RNNCell(3, 4)(np.ones((2, 3))).shape
    (2, 4)
    """

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", *, dtype=None, generator=None):
        super().__init__(input_size, hidden_size, bias, dtype=dtype, generator=generator)
        self.nonlinearity = known_nonlinearity("RNNCell", nonlinearity)

    def _step(self, *args):
        return functions.rnn_step(*args, self.nonlinearity)


class LSTMCell(Cell):
    """Return (h', c') after one step of an LSTM. hx is a pair (h, c). Shapes are those of RNNCell.

    From 1024 numbers in h' on, the step is one function of the graph, which is faster.

    >>> import numpy as np; from tensorgrad import nn
    >>> h, c = nn.LSTMCell(3, 4)(np.ones((2, 3))); h.shape, c.shape
    ((2, 4), (2, 4))
    """

    gates, states = 4, 2
    _step = staticmethod(functions.lstm_step)
    _whole = staticmethod(functions.lstm)


class GRUCell(Cell):
    """Return h' after one step of a GRU. Shapes are those of RNNCell.

    From 1024 numbers in h' on, the step is one function of the graph, which is faster.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.GRUCell(3, 4)(np.ones((2, 3))).shape
    (2, 4)
    """

    gates = 3
    _step = staticmethod(functions.gru_step)
    _whole = staticmethod(functions.gru)


def known_nonlinearity(kind, nonlinearity):
    """Return the nonlinearity. Raises ValueError if it is not "tanh" or "relu"."""
    must_be_one_of(kind, functions.SQUASHES, nonlinearity=nonlinearity)
    return nonlinearity

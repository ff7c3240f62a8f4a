"""Recurrent layers and their cells, of padded and of packed sequences: torch.lstm and its like, which the modules call."""

from contextlib import nullcontext
from itertools import accumulate
from math import prod

import numpy as np
import torch
import torch.nn.functional as F

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import beside
from tensorgrad.functions.sequences import recurrent as functions
from tensorgrad.modes import scope

LARGE = 1 << 10  # entries of an output from which all steps are one function of the graph, as in tensorgrad.nn


def rnn_step(nonlinearity):
    return lambda *args: functions.rnn_step(*args, nonlinearity)


def rnn_whole(nonlinearity):
    return lambda *args: functions.rnn(*args, nonlinearity)


# name: (one step, all steps as one function, gates)
KINDS = {
    "rnn_tanh": (rnn_step("tanh"), rnn_whole("tanh"), 1),
    "rnn_relu": (rnn_step("relu"), rnn_whole("relu"), 1),
    "gru": (functions.gru_step, functions.gru, 3),
    "lstm": (functions.lstm_step, functions.lstm, 4),
}


@beside("torch.lstm", "torch.gru", "torch.rnn_tanh", "torch.rnn_relu", theirs=True)
def recurrent(x, *args, theirs, **options):
    """The masks of dropout between layers are what F.dropout makes of ones."""
    packed = isinstance(args[0], np.ndarray)
    sizes, args = (args[0], args[1:]) if packed else (None, args)
    hx, params, biases, layers, dropout, training, both_ways, *batch_first = args
    name = theirs.function.__name__
    state = list(hx) if name == "lstm" else [hx]
    alone = not packed and x.ndim == 2
    if alone:
        x, state = tg.unsqueeze(x, 1), [tg.unsqueeze(s, 1) for s in state]
    turned = not packed and batch_first[0] and not alone
    x = tg.swapaxes(x, 0, 1) if turned else x
    per = len(params) // (layers * (1 + both_ways))
    masks, last = masks_of(x, state, layers, dropout * training, both_ways, theirs), []
    for layer in range(layers):
        if layer and dropout and training:
            x = x * next(masks)
        with scope(f"layer{layer}") if layers > 1 else nullcontext():
            ys = []
            for way in range(1 + both_ways):
                weights = params[len(last) * per : (len(last) + 1) * per]
                with scope(("forward", "reverse")[way]) if both_ways else nullcontext():
                    y, end = one_way(name, x, sizes, [s[len(last)] for s in state], weights, biases, way)
                ys.append(y)
                last.append(end)
            x = tg.concatenate(ys, -1) if both_ways else ys[0]
    ends = [tg.stack(found) for found in zip(*last)]
    if alone:
        x, ends = tg.squeeze(x, 1), [tg.squeeze(s, 1) for s in ends]
    return tg.swapaxes(x, 0, 1) if turned else x, *ends


def masks_of(x, state, layers, dropout, both_ways, theirs):
    """Return an iterator over the masks of dropout between layers, drawn as PyTorch draws them."""
    if not dropout:
        return iter(())
    wide = (*x.shape[:-1], state[0].shape[-1] * (1 + both_ways))
    dtype = theirs.first.dtype
    return iter(theirs.again(lambda: [F.dropout(torch.ones(wide, dtype=dtype), dropout).numpy() for _ in range(layers - 1)]))


def one_way(name, x, sizes, state, weights, biases, reverse):
    """Return the outputs of one layer in one direction, and its last state."""
    W_ih, W_hh, *more = weights
    b_ih, b_hh, *W_hr = more if biases else (None, None, *more)
    step, whole, gates = KINDS[name]
    a = tg.linear(x, W_ih, b_ih)
    if sizes is None and not W_hr and prod(a.shape) >= LARGE * gates:
        y = whole(tg.flip(a, 0) if reverse else a, *state, W_hh, b_hh)
        y, end = (y[:-1], (y[-2], y[-1])) if name == "lstm" else (y, (y[-1],))
        return tg.flip(y, 0) if reverse else y, end

    def stepped(a, state):
        h, *rest = step(a, state, W_hh, b_hh)
        return (tg.linear(h, W_hr[0]) if W_hr else h, *rest)

    if sizes is None:
        ys = []
        for t in reversed(range(len(a))) if reverse else range(len(a)):
            with scope(f"step{t}"):
                state = stepped(a[t], state)
            ys.append(state[0])
        return tg.stack(ys[::-1] if reverse else ys), state
    return packed_way(stepped, a, sizes, state, reverse)


def packed_way(stepped, a, sizes, first, reverse):
    """The same for packed sequences: step t has the rows of the sizes[t] sequences, the longest first, that are not at their end."""
    starts = [0, *accumulate(int(n) for n in sizes)]
    ys, ended = [], []  # the states of sequences that are at their end, the longest last
    state = [s[: int(sizes[-1])] for s in first] if reverse else first
    for t in reversed(range(len(sizes))) if reverse else range(len(sizes)):
        n, rows = int(sizes[t]), state[0].shape[0]
        if n > rows:
            state = [tg.concatenate([s, f[rows:n]]) for s, f in zip(state, first)]
        elif n < rows:
            ended.append([s[n:] for s in state])
            state = [s[:n] for s in state]
        with scope(f"step{t}"):
            state = stepped(a[starts[t] : starts[t + 1]], state)
        ys.append(state[0])
    y = tg.concatenate(ys[::-1] if reverse else ys)
    return y, [tg.concatenate(parts) for parts in zip(state, *ended[::-1])] if ended else state


@beside("torch.lstm_cell")
def lstm_cell(x, hx, W_ih, W_hh, b_ih=None, b_hh=None):
    return functions.lstm_step(tg.linear(x, W_ih, b_ih), tuple(hx), W_hh, b_hh)


beside("torch.gru_cell")(lambda x, h, W_ih, W_hh, b_ih=None, b_hh=None: functions.gru_step(tg.linear(x, W_ih, b_ih), (h,), W_hh, b_hh))
beside("torch.rnn_tanh_cell")(lambda x, h, W_ih, W_hh, b_ih=None, b_hh=None: functions.rnn_step(tg.linear(x, W_ih, b_ih), (h,), W_hh, b_hh))


@beside("torch.rnn_relu_cell")
def rnn_relu_cell(x, h, W_ih, W_hh, b_ih=None, b_hh=None):
    return functions.rnn_step(tg.linear(x, W_ih, b_ih), (h,), W_hh, b_hh, "relu")

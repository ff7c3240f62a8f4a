"""Recurrent layers: each step computes the next state from the input of this step and the state before it. Many steps are one function.

Legend: a (L, n, gates · H) is the part of the gates that comes from the input, W_ih x + b_ih, for L steps and n samples; h and c, of
shape (n, H), are the state before the first step; W (gates · H, H) and b (gates · H,), or None, belong to the state. Sources: Elman,
"Finding Structure in Time", 1990; Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997; Cho and others, "Learning Phrase
Representations using RNN Encoder-Decoder", 2014, in the form of PyTorch, which multiplies by r after the product with W.
"""

from tensorgrad.kernels import recurrent as kernels
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import relu, sigmoid, tanh
from tensorgrad.rules.joining import chunk, concatenate, stack
from tensorgrad.rules.linear_algebra.linear import linear
from tensorgrad.tensor import array_of

SQUASHES = {"tanh": tanh, "relu": relu}

# One step


def rnn_step(a, state, W, b, nonlinearity="tanh"):
    """Return (h',) with h' = tanh(a + W h + b), or relu of it."""
    return (SQUASHES[nonlinearity](a + linear(state[0], W, b)),)


def lstm_step(a, state, W, b):
    """Return (h', c') with c' = f c + i g and h' = o tanh(c'); the gates i, f, o are sigmoids of a + W h + b, and g is a tanh."""
    h, c = state
    i, f, g, o = lstm_gates(a, h, W, b)
    c = f * c + i * g
    return o * tanh(c), c


def lstm_gates(a, h, W, b):
    i, f, g, o = chunk(a + linear(h, W, b), 4, -1)
    return sigmoid(i), sigmoid(f), tanh(g), sigmoid(o)


def gru_step(a, state, W, b):
    """Return (h',) with h' = n + z (h - n): n is a tanh of a + r (W h + b), and the gates r, z are sigmoids of a + W h + b."""
    (h,) = state
    _, z, n, _ = gru_gates(a, h, W, b)
    return (n + z * (h - n),)


def gru_gates(a, h, W, b):
    """Return r, z, n and the part of n that r multiplies."""
    (a_r, a_z, a_n), (u_r, u_z, u_n) = chunk(a, 3, -1), chunk(linear(h, W, b), 3, -1)
    r, z = sigmoid(a_r + u_r), sigmoid(a_z + u_z)
    return r, z, tanh(a_n + r * u_n), u_n


def run(step, a, state, *weights):
    """Yield the state after each step."""
    for t in range(a.shape[0]):
        state = step(a[t], state, *weights)
        yield state


# All steps of a simple layer as one function


def rnn_totals(G, W, y, nonlinearity):
    """Return dz/da and dz/dh."""
    slopes = 1 - y * y if nonlinearity == "tanh" else array_of(y) > 0
    da, dh = [], 0
    for t in reversed(range(y.shape[0])):
        da.append((G[t] + dh) * slopes[t])
        dh = da[-1] @ W
    return stack(da[::-1]), dh


def rnn_a(G, W, y, nonlinearity):
    """dz/da = g (1 - y²), or with relu, g where y > 0, with g = dz/dy plus the total of a in the next step times W"""
    return rnn_totals(G, W, y, nonlinearity)[0]


def rnn_h(G, W, y, nonlinearity):
    """dz/dh = g W, with g = the total of a in the first step"""
    return rnn_totals(G, W, y, nonlinearity)[1]


def rnn_weight(G, h, W, y, nonlinearity):
    """dz/dW = Σ gᵀ h over the steps, with g = the total of a, and the state h before each step"""
    return product(rnn_totals(G, W, y, nonlinearity)[0], stack(before(h, y, y.shape[0])))


def rnn_bias(G, W, y, nonlinearity):
    """dz/db = Σ g over steps and samples, with g = the total of a"""
    return rnn_totals(G, W, y, nonlinearity)[0].sum((0, 1))


def before(h, y, steps):
    """Return the state h before each step."""
    return [h, *[y[t] for t in range(steps - 1)]]


def product(G, h):
    """Return Σ G_tᵀ h_t over the steps."""
    return G.reshape(-1, G.shape[-1]).T @ h.reshape(-1, h.shape[-1])


@rule(rnn_a, rnn_h, rnn_weight, rnn_bias, fast=Fast(kernels.rnn_forward, kernels.rnn_backward))
def rnn(a, h, W, b=None, nonlinearity="tanh"):
    """Return y (L, n, H), the state h after each step."""
    return stack([state for (state,) in run(rnn_step, a, (h,), W, b, nonlinearity)])


# All steps of an LSTM


def lstm_totals(G, a, h, c, W, b, y):
    """Return dz/da, dz/dh and dz/dc."""
    seen = []
    for t, held in enumerate(before(h, y, a.shape[0])):
        i, f, g, o = lstm_gates(a[t], held, W, b)
        seen.append((i, f, g, o, c, tanh(f * c + i * g)))
        c = f * c + i * g
    da, dh, dc = [], 0, G[len(seen)]
    for t, (i, f, g, o, c, squashed) in reversed([*enumerate(seen)]):
        dh = G[t] + dh
        dc = dc + dh * o * (1 - squashed * squashed)
        parts = [dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g), dh * squashed * o * (1 - o)]
        da.append(concatenate(parts, -1))
        dh, dc = da[-1] @ W, dc * f
    return stack(da[::-1]), dh, dc


def lstm_a(G, a, h, c, W, b, y):
    """dz/da = the totals of the gates, each times the slope of its sigmoid or tanh"""
    return lstm_totals(G, a, h, c, W, b, y)[0]


def lstm_h(G, a, h, c, W, b, y):
    """dz/dh = g W, with g = the total of a in the first step"""
    return lstm_totals(G, a, h, c, W, b, y)[1]


def lstm_c(G, a, h, c, W, b, y):
    """dz/dc = g times the forget gate of the first step, with g = the total of c after this step"""
    return lstm_totals(G, a, h, c, W, b, y)[2]


def lstm_weight(G, a, h, c, W, b, y):
    """dz/dW = Σ gᵀ h over the steps, with g = the total of a, and the state h before each step"""
    return product(lstm_totals(G, a, h, c, W, b, y)[0], stack(before(h, y, a.shape[0])))


def lstm_bias(G, a, h, c, W, b, y):
    """dz/db = Σ g over steps and samples, with g = the total of a"""
    return lstm_totals(G, a, h, c, W, b, y)[0].sum((0, 1))


@rule(lstm_a, lstm_h, lstm_c, lstm_weight, lstm_bias, fast=Fast(kernels.lstm_forward, kernels.lstm_backward))
def lstm(a, h, c, W, b=None):
    """Return y (L + 1, n, H): the state h after each step, and last the state c after the last step."""
    states = [*run(lstm_step, a, (h, c), W, b)]
    return stack([*[h for h, _ in states], states[-1][1]])


# All steps of a GRU


def gru_totals(G, a, h, W, b, y):
    """Return dz/da, dz/dh and dz/d(W h + b)."""
    held = before(h, y, a.shape[0])
    da, du, dh = [], [], 0
    for t in reversed(range(len(held))):
        r, z, n, u = gru_gates(a[t], held[t], W, b)
        dh = G[t] + dh
        dn = dh * (1 - z) * (1 - n * n)
        gates = [dn * u * r * (1 - r), dh * (held[t] - n) * z * (1 - z)]
        da.append(concatenate([*gates, dn], -1))
        du.append(concatenate([*gates, dn * r], -1))
        dh = dh * z + du[-1] @ W
    return stack(da[::-1]), dh, stack(du[::-1])


def gru_a(G, a, h, W, b, y):
    """dz/da = the totals of both gates and of the new state, each times the slope of its sigmoid or tanh"""
    return gru_totals(G, a, h, W, b, y)[0]


def gru_h(G, a, h, W, b, y):
    """dz/dh = the total of h after the first step, times its update gate, plus g W, with g = the total of W h + b"""
    return gru_totals(G, a, h, W, b, y)[1]


def gru_weight(G, a, h, W, b, y):
    """dz/dW = Σ gᵀ h over the steps, with g = the total of W h + b, and the state h before each step"""
    return product(gru_totals(G, a, h, W, b, y)[2], stack(before(h, y, a.shape[0])))


def gru_bias(G, a, h, W, b, y):
    """dz/db = Σ g over steps and samples, with g = the total of W h + b"""
    return gru_totals(G, a, h, W, b, y)[2].sum((0, 1))


@rule(gru_a, gru_h, gru_weight, gru_bias, fast=Fast(kernels.gru_forward, kernels.gru_backward))
def gru(a, h, W, b=None):
    """Return y (L, n, H), the state h after each step."""
    return stack([state for (state,) in run(gru_step, a, (h,), W, b)])

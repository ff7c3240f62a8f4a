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
from tensorgrad.rules.linear import linear
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


def rnn_totals(G, a, h, W, b, nonlinearity):
    """Return dz/da, dz/dh and h before each step."""
    after = [state for (state,) in run(rnn_step, a, (h,), W, b, nonlinearity)]
    slopes = [1 - y * y if nonlinearity == "tanh" else array_of(y) > 0 for y in after]
    da, dh = [], 0
    for t in reversed(range(len(after))):
        da.append((G[t] + dh) * slopes[t])
        dh = da[-1] @ W
    return stack(da[::-1]), dh, stack([h, *after[:-1]])


def rnn_a(G, a, h, W, b, nonlinearity):
    """dz/da_t = (dz/dy_t + dz/da_t₊₁ W) (1 - y_t²), or with relu, where y_t > 0"""
    return rnn_totals(G, a, h, W, b, nonlinearity)[0]


def rnn_h(G, a, h, W, b, nonlinearity):
    """dz/dh = dz/da₁ W"""
    return rnn_totals(G, a, h, W, b, nonlinearity)[1]


def rnn_weight(G, a, h, W, b, nonlinearity):
    """dz/dW = Σ dz/da_tᵀ y_t₋₁ over the steps"""
    da, _, before = rnn_totals(G, a, h, W, b, nonlinearity)
    return product(da, before)


def rnn_bias(G, a, h, W, b, nonlinearity):
    """dz/db = Σ dz/da_t over steps and samples"""
    return rnn_totals(G, a, h, W, b, nonlinearity)[0].sum((0, 1))


def product(G, h):
    """Return Σ G_tᵀ h_t over the steps."""
    return G.reshape(-1, G.shape[-1]).T @ h.reshape(-1, h.shape[-1])


@rule(rnn_a, rnn_h, rnn_weight, rnn_bias, fast=Fast(kernels.rnn_forward, kernels.rnn_backward))
def rnn(a, h, W, b=None, nonlinearity="tanh"):
    """Return y (L, n, H), the state h after each step."""
    return stack([state for (state,) in run(rnn_step, a, (h,), W, b, nonlinearity)])


# All steps of an LSTM


def lstm_totals(G, a, h, c, W, b):
    """Return dz/da, dz/dh, dz/dc and h before each step."""
    seen, before = [], []
    for t in range(a.shape[0]):
        i, f, g, o = lstm_gates(a[t], h, W, b)
        seen.append((i, f, g, o, c, tanh(f * c + i * g)))
        before.append(h)
        h, c = o * seen[-1][-1], f * c + i * g
    da, dh, dc = [], 0, G[len(seen)]
    for t, (i, f, g, o, c, squashed) in reversed([*enumerate(seen)]):
        dh = G[t] + dh
        dc = dc + dh * o * (1 - squashed * squashed)
        parts = [dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g), dh * squashed * o * (1 - o)]
        da.append(concatenate(parts, -1))
        dh, dc = da[-1] @ W, dc * f
    return stack(da[::-1]), dh, dc, stack(before)


def lstm_a(G, a, h, c, W, b):
    """dz/da_t = (dz/dc_t g i (1 - i), dz/dc_t c_t₋₁ f (1 - f), dz/dc_t i (1 - g²), dz/dh_t tanh(c_t) o (1 - o)), gates of step t"""
    return lstm_totals(G, a, h, c, W, b)[0]


def lstm_h(G, a, h, c, W, b):
    """dz/dh = dz/da₁ W"""
    return lstm_totals(G, a, h, c, W, b)[1]


def lstm_c(G, a, h, c, W, b):
    """dz/dc = dz/dc₁ f, with f of the first step"""
    return lstm_totals(G, a, h, c, W, b)[2]


def lstm_weight(G, a, h, c, W, b):
    """dz/dW = Σ dz/da_tᵀ h_t₋₁ over the steps"""
    da, _, _, before = lstm_totals(G, a, h, c, W, b)
    return product(da, before)


def lstm_bias(G, a, h, c, W, b):
    """dz/db = Σ dz/da_t over steps and samples"""
    return lstm_totals(G, a, h, c, W, b)[0].sum((0, 1))


@rule(lstm_a, lstm_h, lstm_c, lstm_weight, lstm_bias, fast=Fast(kernels.lstm_forward, kernels.lstm_backward))
def lstm(a, h, c, W, b=None):
    """Return y (L + 1, n, H): the state h after each step, and last the state c after the last step."""
    states = [*run(lstm_step, a, (h, c), W, b)]
    return stack([*[h for h, _ in states], states[-1][1]])


# All steps of a GRU


def gru_totals(G, a, h, W, b):
    """Return dz/da, dz/dh, dz/d(W h + b) and h before each step."""
    seen, before = [], []
    for t in range(a.shape[0]):
        seen.append(gru_gates(a[t], h, W, b))
        before.append(h)
        _, z, n, _ = seen[-1]
        h = n + z * (h - n)
    da, du, dh = [], [], 0
    for t, (r, z, n, u) in reversed([*enumerate(seen)]):
        dh = G[t] + dh
        dn = dh * (1 - z) * (1 - n * n)
        gates = [dn * u * r * (1 - r), dh * (before[t] - n) * z * (1 - z)]
        da.append(concatenate([*gates, dn], -1))
        du.append(concatenate([*gates, dn * r], -1))
        dh = dh * z + du[-1] @ W
    return stack(da[::-1]), dh, stack(du[::-1]), stack(before)


def gru_a(G, a, h, W, b):
    """dz/da_t = (dn u r (1 - r), dz/dh_t (h_t₋₁ - n) z (1 - z), dn), with dn = dz/dh_t (1 - z) (1 - n²) and u the part that r multiplies"""
    return gru_totals(G, a, h, W, b)[0]


def gru_h(G, a, h, W, b):
    """dz/dh = dz/dh₁ z + du₁ W, with du = dz/da but r dn in the place of dn"""
    return gru_totals(G, a, h, W, b)[1]


def gru_weight(G, a, h, W, b):
    """dz/dW = Σ du_tᵀ h_t₋₁ over the steps, with du = dz/da but r dn in the place of dn"""
    _, _, du, before = gru_totals(G, a, h, W, b)
    return product(du, before)


def gru_bias(G, a, h, W, b):
    """dz/db = Σ du_t over steps and samples, with du = dz/da but r dn in the place of dn"""
    return gru_totals(G, a, h, W, b)[2].sum((0, 1))


@rule(gru_a, gru_h, gru_weight, gru_bias, fast=Fast(kernels.gru_forward, kernels.gru_backward))
def gru(a, h, W, b=None):
    """Return y (L, n, H), the state h after each step."""
    return stack([state for (state,) in run(gru_step, a, (h,), W, b)])

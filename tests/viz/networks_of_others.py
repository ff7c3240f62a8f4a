"""Ten networks as they stand in lectures, each a function that returns z: the tests of pages of networks play them all."""

import numpy as np

import tensorgrad as tg
from tensorgrad import nn


def drawn(dice, name, *shape, scale=0.3):
    return tg.Tensor(dice.standard_normal(shape) * scale, name=name)


def moons():
    """A perceptron with two hidden layers separates two half moons of a hundred points."""
    dice = np.random.default_rng(3)
    t = dice.uniform(0, np.pi, 50)
    X = np.concatenate([np.c_[np.cos(t), np.sin(t)], np.c_[1 - np.cos(t), 0.5 - np.sin(t)]]) + 0.1 * dice.standard_normal((100, 2))
    signs = np.repeat([-1.0, 1.0], 50)
    W1, W2, W3 = drawn(dice, "W1", 2, 16, scale=0.7), drawn(dice, "W2", 16, 16), drawn(dice, "W3", 16, 1)
    b1, b2 = tg.Tensor(np.zeros(16), name="b1"), tg.Tensor(np.zeros(16), name="b2")
    h1 = tg.relu(X @ W1 + b1)
    h2 = tg.relu(h1 @ W2 + b2)
    scores = (h2 @ W3).reshape(100)
    return tg.log(1 + tg.exp(-signs * scores)).mean()


def characters():
    """A recurrent network reads letters and predicts the next one, step by step."""
    dice, V, H = np.random.default_rng(4), 6, 12
    Wxh, Whh, Why = drawn(dice, "Wxh", H, V), drawn(dice, "Whh", H, H), drawn(dice, "Why", V, H)
    bh, by = tg.Tensor(np.zeros(H), name="bh"), tg.Tensor(np.zeros(V), name="by")
    h, loss, text = np.zeros(H), 0, [0, 3, 1, 4, 2, 5]
    for now, then in zip(text, text[1:]):
        h = tg.tanh(Wxh @ np.eye(V)[now] + Whh @ h + bh)
        y = Why @ h + by
        loss = loss - tg.log(tg.exp(y)[then] / tg.exp(y).sum())
    return loss


def attention():
    dice, T, C = np.random.default_rng(5), 6, 8
    X = drawn(dice, "X", T, C, scale=1.0)
    Wq, Wk, Wv = [drawn(dice, name, C, C) for name in ("Wq", "Wk", "Wv")]
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    A = tg.softmax(Q @ K.T / np.sqrt(C), axis=-1)
    return ((A @ V) ** 2).mean()


def block():
    """A block of a transformer, written out: layer norm, causal attention of two heads, a network of two layers."""
    dice, T, C = np.random.default_rng(6), 5, 8
    x, visible = drawn(dice, "x", T, C, scale=1.0), np.tril(np.ones((T, T))) > 0
    W, P, U, D = drawn(dice, "W", C, 3 * C), drawn(dice, "P", C, C), drawn(dice, "U", C, 4 * C), drawn(dice, "D", 4 * C, C)
    gain, shift = tg.Tensor(np.ones(C), name="gain"), tg.Tensor(np.zeros(C), name="shift")
    n = tg.layer_norm(x, C, gain, shift)
    q, k, v = [part.reshape(T, 2, C // 2).swapaxes(0, 1) for part in tg.split(n @ W, 3, axis=1)]
    scores = tg.where(visible, q @ k.swapaxes(-1, -2) / 2, -1e9)
    y = x + (tg.softmax(scores, axis=-1) @ v).swapaxes(0, 1).reshape(T, C) @ P
    out = y + tg.gelu(tg.layer_norm(y, C, gain, shift) @ U) @ D
    return (out * out).sum()


def recommender():
    """Matrix factorisation with missing entries, and a penalty."""
    dice = np.random.default_rng(7)
    R, known = dice.integers(1, 6, (12, 10)).astype(float), dice.random((12, 10)) < 0.4
    U, V = drawn(dice, "U", 12, 4, scale=0.5), drawn(dice, "V", 10, 4, scale=0.5)
    error = (U @ V.T - R) * known
    return (error**2).sum() / known.sum() + 0.01 * (U**2).sum() + 0.01 * (V**2).sum()


def images():
    """A convolutional network with batch norm, in four bytes."""
    dice = np.random.default_rng
    first = nn.Conv2d(3, 4, 3, padding=1, generator=dice(1)), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)
    second = nn.Conv2d(4, 8, 3, padding=1, generator=dice(2)), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(2)
    net = nn.Sequential(*first, *second, nn.Flatten(), nn.Linear(32, 10, generator=dice(3)))
    x = tg.Tensor(dice(0).standard_normal((2, 3, 8, 8)).astype(np.float32), keep_grad=False, name="images")
    return tg.cross_entropy(net(x), [3, 7])


def words():
    """A language model of embeddings, as by Bengio and others in 2003."""
    dice, V, D, H, n = np.random.default_rng(8), 27, 10, 40, 3
    C, W1, W2 = drawn(dice, "C", V, D, scale=1.0), drawn(dice, "W1", n * D, H, scale=0.2), drawn(dice, "W2", H, V, scale=0.1)
    b1, b2 = drawn(dice, "b1", H, scale=0.01), tg.Tensor(np.zeros(V), name="b2")
    seen, next_ = dice.integers(0, V, (8, n)), dice.integers(0, V, 8)
    emb = C[seen]
    h = tg.tanh(emb.reshape(8, -1) @ W1 + b1)
    return tg.cross_entropy(h @ W2 + b2, next_)


def autoencoder():
    dice = np.random.default_rng(9)
    X, W = dice.random((5, 64)), drawn(dice, "W", 64, 8, scale=0.2)
    b, c = tg.Tensor(np.zeros(8), name="b"), tg.Tensor(np.zeros(64), name="c")
    code = tg.relu(X @ W + b)
    return tg.mse_loss(tg.sigmoid(code @ W.T + c), X)


def digits():
    """Softmax regression on images of 8 times 8 points, from zero weights."""
    dice = np.random.default_rng(10)
    W, b = tg.Tensor(np.zeros((64, 10)), name="W"), tg.Tensor(np.zeros(10), name="b")
    return tg.cross_entropy(dice.random((20, 64)) @ W + b, dice.integers(0, 10, 20))


def variational():
    """A variational autoencoder, with its noise."""
    dice = np.random.default_rng(11)
    X, noise = (dice.random((4, 20)) > 0.5) * 1.0, dice.standard_normal((4, 3))
    W, M, S, D = drawn(dice, "W", 20, 12), drawn(dice, "M", 12, 3), drawn(dice, "S", 12, 3), drawn(dice, "D", 3, 20)
    h = tg.relu(X @ W)
    mu, logvar = h @ M, h @ S
    out = tg.sigmoid((mu + tg.exp(0.5 * logvar) * noise) @ D)
    likely = (X * tg.log(out) + (1 - X) * tg.log(1 - out)).sum() / 4
    return -likely - 0.5 * (1 + logvar - mu**2 - tg.exp(logvar)).sum() / 4


OTHERS = {f.__name__: f for f in (moons, characters, attention, block, recommender, images, words, autoencoder, digits, variational)}

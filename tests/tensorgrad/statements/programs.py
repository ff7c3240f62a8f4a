"""Programs of arrays with loops, as they stand in lectures."""

import numpy as np

import tensorgrad as tg
from tensorgrad import Tensor


def numbers(*shape, seed=0):
    return np.round(np.random.default_rng(seed + 7 * len(shape)).normal(size=shape), 2)


def given(*shape, seed=0):
    return Tensor(numbers(*shape, seed=seed))


def rnn():
    x, w, u, b = given(9, 2), given(3, 3), given(2, 3, seed=1), given(3)
    h = Tensor(np.zeros(3))
    for t in range(9):
        h = np.tanh(h @ w + x[t] @ u + b)
    loss = (h**2).sum()
    return loss


def lstm():
    wf, wi, wo, wc = (given(5, 3, seed=k) for k in range(4))
    xs = [given(2, seed=k) for k in range(6)]
    h, c = Tensor(np.zeros(3)), Tensor(np.zeros(3))
    for x in xs:
        hx = np.concatenate([h, x])
        forget, write, out = tg.sigmoid(hx @ wf), tg.sigmoid(hx @ wi), tg.sigmoid(hx @ wo)
        c = forget * c + write * np.tanh(hx @ wc)
        h = out * np.tanh(c)
    loss = (h**2).sum()
    return loss


def ridge():
    x, y = numbers(6, 3), numbers(6)
    w, decay = given(3), Tensor(0.1)
    for _ in range(20):
        r = x @ w - y
        g = (r @ x) / 6 + decay * w
        w = w - 0.3 * g
    loss = ((x @ w - y) ** 2).mean()
    return loss


def power_iteration():
    a = given(3, 3)
    s, v = a @ a.T, Tensor(np.ones(3))
    for _ in range(12):
        u = s @ v
        v = u / np.sqrt((u * u).sum())
    return v @ (s @ v)


def k_means():
    points, centres = numbers(8, 2), given(3, 2)
    for _ in range(6):
        d = ((points[:, None] - centres) ** 2).sum(axis=2)
        a = tg.softmax(-5 * d, axis=1)
        centres = (a.T @ points) / a.sum(axis=0).reshape(3, 1)
    return ((points - a @ centres) ** 2).sum()


def layers():
    x = given(3, 4)
    for k in range(8):
        w, b = given(4, 4, seed=k), given(4, seed=k)
        x = tg.relu(x @ w + b)
    loss = (x**2).mean()
    return loss


def kalman():
    """The loss does not depend on the last variance: the last pass is shorter."""
    F, H, Q, R = Tensor([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]]), Tensor(np.eye(2) * 0.01), Tensor([[0.1]])
    x, P = Tensor([0.0, 1.0]), Tensor(np.eye(2))
    for z in (0.11, 0.19, 0.32, 0.38, 0.52):
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (z - H @ x)
        P = P - K @ H @ P
    return (x**2).sum()


LOOPS = {rnn: 9, lstm: 6, ridge: 20, power_iteration: 12, k_means: 6, layers: 8, kalman: 5}  # the passes of each

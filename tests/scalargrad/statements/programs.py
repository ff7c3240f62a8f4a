"""Programs as they stand in lectures: functions without arguments that return z. They are written for no picture."""

import math
import random

from scalargrad import Value, cos, exp, log, relu, sigmoid, sin, softplus, sqrt, tanh
from scalargrad import max as max_of


def perceptron():
    w11, w12, b1 = Value(0.3), Value(-0.6), Value(0.1)
    w21, w22, b2 = Value(0.8), Value(0.1), Value(-0.2)
    v1, v2, c = Value(0.7), Value(-0.4), Value(0.05)
    h1 = tanh(w11 * 0.5 + w12 * -1 + b1)
    h2 = tanh(w21 * 0.5 + w22 * -1 + b2)
    out = v1 * h1 + v2 * h2 + c
    loss = (out - 1) ** 2
    return loss


def newton():
    a, x = Value(2.0), Value(1.0)
    for _ in range(4):
        x = x - (x * x - a) / (2 * x)
    return x


def taylor():
    x = Value(0.5)
    return x - x**3 / 6 + x**5 / 120 - x**7 / 5040


def recurrent_network():
    wx, wh, b, h = Value(0.5), Value(0.9), Value(0.1), Value(0.0)
    for x in (1.0, -0.5, 0.25, 2.0, -1.0):
        h = tanh(wx * x + wh * h + b)
    loss = (h - 0.3) ** 2
    return loss


def logistic():
    w1, w2, b = Value(0.4), Value(-0.3), Value(0.1)
    p1 = sigmoid(w1 * 0.5 + w2 * 1.0 + b)
    p2 = sigmoid(w1 * 1.5 + w2 * -1.0 + b)
    p3 = sigmoid(w1 * -1.0 + w2 * 0.5 + b)
    return -(log(p1) + log(p2) + log(1 - p3)) / 3


def spring():
    k, m, x, v = Value(4.0), Value(1.0), Value(1.0), Value(0.0)
    for _ in range(20):
        a = -k * x / m
        v = v + 0.05 * a
        x = x + 0.05 * v
    error = (x - 0.5) ** 2
    return error


def k_means():
    """The distance of four points to two soft centres."""
    c1, c2 = Value(0.0), Value(3.0)
    total = 0
    for p in (-0.5, 0.4, 2.5, 3.5):
        d1, d2 = (p - c1) ** 2, (p - c2) ** 2
        e1, e2 = exp(-d1), exp(-d2)
        total = total + (e1 * d1 + e2 * d2) / (e1 + e2)
    return total


def page_rank():
    damping, a, b, c = Value(0.85), Value(1 / 3), Value(1 / 3), Value(1 / 3)
    for _ in range(6):
        rest = (1 - damping) / 3
        a, b, c = rest + damping * c, rest + damping * (a / 2), rest + damping * (a / 2 + b)
    return a


def lstm_cell():
    x, h, c = Value(0.5), Value(0.1), Value(-0.2)
    wf, uf, wi, ui, wo, uo, wg, ug = (Value(0.1 * k - 0.3) for k in range(8))
    f = sigmoid(wf * x + uf * h)
    i = sigmoid(wi * x + ui * h)
    o = sigmoid(wo * x + uo * h)
    g = tanh(wg * x + ug * h)
    c = f * c + i * g
    h = o * tanh(c)
    return h


def black_scholes():
    spot, strike, rate, vol, years = Value(100.0), Value(95.0), Value(0.03), Value(0.2), Value(1.5)
    normal = lambda x: (1 + (x / math.sqrt(2)).erf()) / 2
    d1 = (log(spot / strike) + (rate + vol * vol / 2) * years) / (vol * sqrt(years))
    d2 = d1 - vol * sqrt(years)
    price = spot * normal(d1) - strike * exp(-rate * years) * normal(d2)
    return price


def bezier():
    p0, p1, p2, p3 = Value(0.0), Value(1.0), Value(3.0), Value(4.0)
    loss = 0
    for t, y in ((0.25, 1.0), (0.5, 2.0), (0.75, 3.5)):
        s = 1 - t
        q = s**3 * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t**3 * p3
        loss = loss + (q - y) ** 2
    return loss


def two_link_arm():
    a, b, l1, l2 = Value(0.4), Value(0.9), Value(1.0), Value(0.8)
    x = l1 * cos(a) + l2 * cos(a + b)
    y = l1 * sin(a) + l2 * sin(a + b)
    return (x - 1) ** 2 + (y - 0.5) ** 2


def ising():
    """The energy of a ring of six soft spins."""
    coupling, field = Value(1.0), Value(0.2)
    angles = [Value(0.3 * k) for k in range(6)]
    spins = [tanh(a) for a in angles]
    energy = 0
    for left, right in zip(spins, spins[1:] + spins[:1]):
        energy = energy - coupling * left * right - field * left
    return energy


def epidemic():
    beta, gamma, s, i = Value(0.4), Value(0.1), Value(0.99), Value(0.01)
    for _ in range(12):
        new = beta * s * i
        s, i = s - new, i + new - gamma * i
    return i


def logistic_map():
    r, x = Value(3.2), Value(0.4)
    for _ in range(10):
        x = r * x * (1 - x)
    return x


def heat_equation():
    rod = [Value(float(k == 2)) for k in range(5)]
    alpha = Value(0.2)
    for _ in range(3):
        rod = [rod[0], *(b + alpha * (a - 2 * b + c) for a, b, c in zip(rod, rod[1:], rod[2:])), rod[-1]]
    return rod[2] * rod[2]


def batch_norm():
    xs = [Value(x) for x in (1.0, 2.0, 4.0, 5.0)]
    gain, shift = Value(1.5), Value(0.1)
    mean = sum(xs) / 4
    variance = sum((x - mean) ** 2 for x in xs) / 4
    out = [gain * (x - mean) / sqrt(variance + 1e-5) + shift for x in xs]
    return out[0] * out[3]


def deep_relu():
    x, w, b = Value(1.5), Value(0.9), Value(-0.1)
    for _ in range(8):
        x = relu(w * x + b)
    return x


def compound_interest():
    rate, saved = Value(0.03), Value(100.0)
    for year in range(15):
        saved = saved * (1 + rate) + 10 * year
    return saved


def support_vectors():
    w1, w2, b, strength = Value(0.5), Value(-0.5), Value(0.0), Value(0.1)
    hinge = 0
    for x1, x2, y in ((1, 2, -1), (2, 0, 1), (0, 1, -1), (3, 1, 1)):
        hinge = hinge + relu(1 - y * (w1 * x1 + w2 * x2 + b))
    return hinge / 4 + strength * (w1 * w1 + w2 * w2)


def thin_lens():
    f, object_distance, height = Value(0.05), Value(0.3), Value(0.02)
    image_distance = 1 / (1 / f - 1 / object_distance)
    magnification = -image_distance / object_distance
    return magnification * height


def attention_of_numbers():
    q, k1, k2, k3, u1, u2, u3 = (Value(0.2 * k) for k in range(7))
    s1, s2, s3 = exp(q * k1), exp(q * k2), exp(q * k3)
    return (s1 * u1 + s2 * u2 + s3 * u3) / (s1 + s2 + s3)


def rotation():
    w, x, y, z, p, q = Value(0.8), Value(0.2), Value(0.4), Value(0.4), Value(1.0), Value(2.0)
    n = sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / n, x / n, y / n, z / n
    u = (1 - 2 * (y * y + z * z)) * p + 2 * (x * y - w * z) * q
    v = 2 * (x * y + w * z) * p + (1 - 2 * (x * x + z * z)) * q
    return u * u - v


def autoregression():
    a, b, sigma = Value(0.6), Value(0.2), Value(0.5)
    data = [0.1, 0.4, 0.3, 0.9, 0.7, 1.1]
    likelihood = 0
    for before, last, now in zip(data, data[1:], data[2:]):
        residual = now - a * last - b * before
        likelihood = likelihood - residual * residual / (2 * sigma * sigma) - log(sigma)
    return likelihood


def softplus_chain():
    x = Value(0.3)
    return sin(cos(softplus(exp(tanh(sin(cos(sqrt(exp(x)))))))))


def at_infinity():
    x, y = Value(0.0), Value(2.0)
    root = sqrt(x * y)
    return root * root + log(x + y)


# Written after the folding was done


def gru():
    wz, uz, wr, ur, wh, uh, h = (Value(0.1 * k) for k in range(1, 8))
    for x in (0.5, -1.0, 0.2, 0.9, -0.4, 0.3):
        z = sigmoid(wz * x + uz * h)
        r = sigmoid(wr * x + ur * h)
        c = tanh(wh * x + uh * (r * h))
        h = (1 - z) * h + z * c
    return h


def mlp_lists():
    r = random.Random(1)
    W1 = [[Value(r.uniform(-1, 1)) for _ in range(3)] for _ in range(4)]
    b1 = [Value(0.1) for _ in range(4)]
    W2 = [Value(r.uniform(-1, 1)) for _ in range(4)]
    x = [0.5, -1, 2]
    hidden = [tanh(sum(w * xi for w, xi in zip(row, x)) + b) for row, b in zip(W1, b1)]
    out = sum(w * h for w, h in zip(W2, hidden))
    loss = (out - 1) ** 2
    return loss


def kepler():
    gm, x, y, vx, vy, dt = Value(1.0), Value(1.0), Value(0.0), Value(0.0), Value(1.0), 0.05
    for _ in range(12):
        r3 = (x * x + y * y) ** 1.5
        vx = vx - dt * gm * x / r3
        vy = vy - dt * gm * y / r3
        x = x + dt * vx
        y = y + dt * vy
    return x * x + y * y


def runge_kutta():
    k, y, h = Value(0.7), Value(1.0), 0.1
    f = lambda y: -k * y * y
    for _ in range(5):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def markov():
    p, q = Value(0.3), Value(0.6)
    a, b = Value(1.0), Value(0.0)
    for _ in range(8):
        a, b = (1 - p) * a + q * b, p * a + (1 - q) * b
    return -(a * log(a) + b * log(b))


def adam():
    w, m, v, lr = Value(1.0), 0.0, 0.0, Value(0.1)
    for t in range(1, 6):
        g = 2 * (w - 3)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        w = w - lr * (m / (1 - 0.9**t)) / (sqrt(v / (1 - 0.999**t)) + 1e-8)
    return w


def ridge():
    w = [Value(0.1 * i) for i in range(5)]
    lam = Value(0.01)
    X = [[((i * 7 + j * 3) % 5) - 2 for j in range(5)] for i in range(6)]
    ys = [1, 0, 2, -1, 0.5, 1]
    loss = 0
    for row, y in zip(X, ys):
        pred = sum(wi * xi for wi, xi in zip(w, row))
        loss += (pred - y) ** 2
    loss = loss / len(ys) + lam * sum(wi * wi for wi in w)
    return loss


def geometric():
    q, s, t = Value(0.5), 0, 1
    for _ in range(10):
        s = s + t
        t = t * q
    return s


def softmax_of_four():
    scores = [Value(float(k)) for k in range(4)]
    m = max_of(*scores)
    e = [exp(x - m) for x in scores]
    s = sum(e)
    return -log(e[2] / s)


def projectile():
    v, angle, drag = Value(20.0), Value(0.8), Value(0.02)
    vx, vy = v * cos(angle), v * sin(angle)
    x, y, dt = 0.0, 0.0, 0.1
    for _ in range(25):
        speed = sqrt(vx * vx + vy * vy)
        vx = vx - drag * speed * vx * dt
        vy = vy - (9.81 + drag * speed * vy) * dt
        x = x + vx * dt
        y = y + vy * dt
    return x


def hidden_markov():
    stay, emit = Value(0.8), Value(0.9)
    a, b = 0.5, 0.5
    for o in (1, 1, 0, 1, 0, 0, 1):
        pa = emit if o else 1 - emit
        pb = 1 - emit if o else emit
        a, b = (stay * a + (1 - stay) * b) * pa, ((1 - stay) * a + stay * b) * pb
    return log(a + b)


# Written after lines of the program were cut later


def mixture():
    mu1, mu2, s, weight = Value(-1.0), Value(2.0), Value(1.0), Value(0.4)
    likelihood = 0
    for x in (-1.2, -0.7, 1.8, 2.4):
        a = weight * exp(-((x - mu1) ** 2) / (2 * s**2))
        b = (1 - weight) * exp(-((x - mu2) ** 2) / (2 * s**2))
        likelihood = likelihood + log(a + b)
    return -likelihood


def kalman():
    q, r, x, p = Value(0.01), Value(0.1), Value(0.0), Value(1.0)
    for z in (0.9, 1.1, 0.95, 1.05, 1.2):
        p = p + q
        k = p / (p + r)
        x = x + k * (z - x)
        p = (1 - k) * p
    return (x - 1) ** 2 + p


def viterbi():
    states = ("rain", "sun")
    start = {"rain": Value(0.6), "sun": Value(0.4)}
    trans = {"rain": {"rain": Value(0.7), "sun": Value(0.3)}, "sun": {"rain": Value(0.4), "sun": Value(0.6)}}
    emit = {"rain": {"walk": Value(0.1), "shop": Value(0.4)}, "sun": {"walk": Value(0.6), "shop": Value(0.3)}}
    best = {s: log(start[s]) + log(emit[s]["walk"]) for s in states}
    for seen in ("shop", "walk", "walk"):
        best = {s: max_of(*[best[r] + log(trans[r][s]) for r in states]) + log(emit[s][seen]) for s in states}
    return max_of(*best.values())


# fmt: off
SIZES = {  # program: its operations and its statements, inputs included
    perceptron:           (25, 13),
    newton:               (22, 6),
    taylor:               (10, 2),
    recurrent_network:    (31, 10),
    logistic:             (26, 7),
    spring:               (146, 13),
    k_means:              (58, 13),
    page_rank:            (51, 22),
    lstm_cell:            (32, 17),
    black_scholes:        (33, 11),
    bezier:               (34, 9),
    two_link_arm:         (21, 7),
    ising:                (44, 20),
    epidemic:             (75, 11),
    logistic_map:         (32, 5),
    heat_equation:        (42, 14),
    batch_norm:           (37, 11),
    deep_relu:            (27, 6),
    compound_interest:    (47, 5),
    support_vectors:      (42, 10),
    thin_lens:            (10, 6),
    attention_of_numbers: (21, 11),
    rotation:             (44, 14),
    autoregression:       (47, 11),
    softplus_chain:       (10, 3),
    at_infinity:          (8, 5),
    gru:                  (109, 16),
    mlp_lists:            (62, 26),
    kepler:               (200, 20),
    runge_kutta:          (127, 19),
    markov:               (74, 11),
    adam:                 (80, 13),
    ridge:                (97, 14),
    geometric:            (19, 7),
    softmax_of_four:      (20, 11),
    projectile:           (377, 15),
    hidden_markov:        (81, 24),
    mixture:              (85, 14),
    kalman:               (47, 14),
    viterbi:              (59, 31),
}
# fmt: on

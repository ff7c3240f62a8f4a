"""Programs as people bring them, from lectures and notebooks: functions without arguments that return z. Nothing is tuned for pictures.

A page is play(perceptron): the function is called, and its variables have the names that they have in it.
"""

import math

import numpy as np

import tensorgrad as tg
from scalargrad import Value, exp, log, scope, sin, tanh
from tensorgrad import models, nn


def perceptron():
    """A perceptron with two inputs, two hidden neurons and one output, and its loss."""
    w11, w12, w21, w22 = Value(0.3), Value(-0.2), Value(0.5), Value(0.8)
    b1, b2 = Value(0.1), Value(-0.3)
    v1, v2, c = Value(0.7), Value(-0.4), Value(0.2)
    x1, x2, target = 0.5, -1.0, 1.0
    h1 = tanh(w11 * x1 + w12 * x2 + b1)
    h2 = tanh(w21 * x1 + w22 * x2 + b2)
    y = tanh(v1 * h1 + v2 * h2 + c)
    loss = (y - target) ** 2
    return loss


def logistic_regression():
    """Logistic regression on three points: the mean of the losses."""
    w, b = Value(0.8), Value(-0.5)
    points = [(0.5, 0), (1.5, 1), (2.5, 1)]
    total = 0
    for x, y in points:
        p = 1 / (1 + exp(-(w * x + b)))
        total = total - (y * log(p) + (1 - y) * log(1 - p))
    loss = total / 3
    return loss


def newton():
    """The square root of a by four steps of Newton's method."""
    a = Value(2.0)
    x = a / 2
    for _ in range(4):
        x = x - (x * x - a) / (2 * x)
    return x


def taylor_sine():
    """The sine's Taylor series up to the seventh power."""
    x = Value(0.9)
    term = x
    total = x
    for k in range(1, 4):
        term = -term * x * x / ((2 * k) * (2 * k + 1))
        total = total + term
    return total


def rnn():
    """A recurrent network of one number over five steps."""
    wx, wh, b, wy = Value(0.6), Value(0.9), Value(-0.1), Value(1.2)
    xs = [0.5, -0.3, 0.8, 0.1, -0.6]
    h = Value(0.0)
    for x in xs:
        h = tanh(wx * x + wh * h + b)
    y = wy * h
    loss = (y - 0.7) ** 2
    return loss


def spring():
    """A mass on a spring with friction, twenty steps of time."""
    k, friction, x, v = Value(4.0), Value(0.3), Value(1.0), Value(0.0)
    dt = 0.05
    for _ in range(20):
        force = -k * x - friction * v
        v = v + force * dt
        x = x + v * dt
    return x


def softmax_cross_entropy():
    """Cross-entropy of a softmax over three scores."""
    a, b, c = Value(1.0), Value(2.0), Value(0.5)
    ea, eb, ec = exp(a), exp(b), exp(c)
    total = ea + eb + ec
    p = eb / total
    loss = -log(p)
    return loss


def horner():
    """A polynomial of degree five by Horner's rule."""
    coefficients = [Value(c) for c in (2.0, -1.0, 0.5, 3.0, -2.0, 1.0)]
    x = Value(1.1)
    y = coefficients[0]
    for c in coefficients[1:]:
        y = y * x + c
    return y


def hub():
    """A line through thirty points: all thirty errors depend on its two parameters."""
    slope, intercept = Value(0.5), Value(0.1)
    loss = 0
    for k in range(30):
        x = k / 10
        error = slope * x + intercept - math.sin(x)
        loss = loss + error * error
    return loss


def two_losses():
    """A loss of data and a penalty on the weights, added."""
    w1, w2, b = Value(1.5), Value(-0.7), Value(0.2)
    prediction = w1 * 2.0 + w2 * 1.0 + b
    data_loss = (prediction - 3.0) ** 2
    penalty = 0.1 * (w1 * w1 + w2 * w2)
    loss = data_loss + penalty
    return loss


def long_names():
    """A calculation of costs whose variables have names as in an office."""
    price_per_kilowatt_hour = Value(0.31)
    consumption_of_the_household_per_year = Value(3500.0)
    base_fee_of_the_provider = Value(120.0)
    discount_for_new_customers_in_percent = Value(15.0)
    energy_costs_before_discount = price_per_kilowatt_hour * consumption_of_the_household_per_year
    total_costs_of_the_first_year = base_fee_of_the_provider + energy_costs_before_discount * (
        1 - discount_for_new_customers_in_percent / 100
    )
    return total_costs_of_the_first_year


def matrix_product():
    """A product of two matrices of numbers, and the sum of the squares of its entries."""
    a = [[Value(1.0), Value(2.0)], [Value(-1.0), Value(0.5)]]
    b = [[Value(0.5), Value(-2.0)], [Value(3.0), Value(1.0)]]
    c = [[a[i][0] * b[0][j] + a[i][1] * b[1][j] for j in range(2)] for i in range(2)]
    total = 0
    for row in c:
        for entry in row:
            total = total + entry * entry
    return total


def kalman_step():
    """One step of a Kalman filter in one dimension: predict, then correct by a measurement; the squared error."""
    position, velocity, variance = Value(0.0), Value(1.0), Value(0.5)
    noise_q, noise_r = Value(0.1), Value(0.4)
    predicted = position + velocity * 0.1
    predicted_variance = variance + noise_q
    gain = predicted_variance / (predicted_variance + noise_r)
    innovation = 0.25 - predicted
    corrected = predicted + gain * innovation
    corrected_variance = (1 - gain) * predicted_variance
    error = (corrected - 0.2) ** 2 + corrected_variance
    return error


def descent():
    """Six steps of gradient descent with momentum on a parabola, unrolled: how does the result depend on the rate?"""
    rate, momentum, start = Value(0.1), Value(0.8), Value(3.0)
    w, v = start, 0.0
    for _ in range(6):
        gradient = 2 * (w - 1)
        v = momentum * v - rate * gradient
        w = w + v
    return w


def affine():
    """The determinant of an affine map and the image of a point."""
    a, b, c, d = Value(1.0), Value(0.5), Value(-0.5), Value(2.0)
    tx, ty = Value(3.0), Value(-1.0)
    x, y = 2.0, 1.0
    u = a * x + b * y + tx
    v = c * x + d * y + ty
    area = a * d - b * c
    z = u * u + v * v + area
    return z


def mixture():
    """The log-likelihood of two points under a mixture of two normal distributions."""
    m1, m2, s1, s2, weight = Value(-1.0), Value(2.0), Value(1.0), Value(0.7), Value(0.4)
    total = 0
    for x in (-0.5, 1.8):
        p1 = exp(-((x - m1) ** 2) / (2 * s1 * s1)) / s1
        p2 = exp(-((x - m2) ** 2) / (2 * s2 * s2)) / s2
        total = total + log(weight * p1 + (1 - weight) * p2)
    return total


def rosenbrock():
    """Rosenbrock's function in four dimensions."""
    x1, x2, x3, x4 = Value(-1.2), Value(1.0), Value(0.8), Value(0.5)
    xs = [x1, x2, x3, x4]
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(xs, xs[1:]))


def predator_and_prey():
    """Eight steps of Lotka and Volterra's equations: both populations change both."""
    alpha, beta, gamma, delta = Value(1.1), Value(0.4), Value(0.4), Value(0.1)
    prey, predators = Value(10.0), Value(5.0)
    for _ in range(8):
        growth = alpha * prey - beta * prey * predators
        change = delta * prey * predators - gamma * predators
        prey = prey + 0.02 * growth
        predators = predators + 0.02 * change
    return prey + predators


def four_hundred():
    """A perceptron of numbers with about four hundred variables, written with loops."""
    numbers = iter(math.sin(37 * k) for k in range(1000))
    inputs = [0.5, -1.0, 0.25]
    sizes = [3, 9, 9, 1]
    for n_in, n_out in zip(sizes, sizes[1:]):
        outputs = []
        for _ in range(n_out):
            s = Value(next(numbers))
            for i in range(n_in):
                s = s + Value(next(numbers)) * inputs[i]
            outputs.append(tanh(s))
        inputs = outputs
    loss = (inputs[0] - 1) ** 2
    return loss


def pendulum():
    """A pendulum, ten steps of time: its height at the end."""
    length, angle, speed = Value(1.2), Value(0.6), Value(0.0)
    for _ in range(10):
        speed = speed - 9.81 / length * sin(angle) * 0.02
        angle = angle + speed * 0.02
    height = length * sin(angle / 2) ** 2
    return height


def linear_regression():
    """Linear regression in arrays."""
    X = tg.Tensor(np.linspace(-1, 1, 12).reshape(4, 3))
    w = tg.Tensor([0.5, -1.0, 2.0])
    b = tg.Tensor(0.1)
    y = np.array([1.0, 0.0, -1.0, 2.0])
    residual = X @ w + b - y
    loss = (residual**2).mean()
    return loss


def attention():
    """Scaled attention of four words, with its three projections."""
    dice = np.random.default_rng(0)
    x = tg.Tensor(dice.standard_normal((4, 6)))
    Wq, Wk, Wv = (tg.Tensor(dice.standard_normal((6, 3)) / 2) for _ in range(3))
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.T / math.sqrt(3)
    weights = tg.softmax(scores, axis=-1)
    out = weights @ v
    loss = (out**2).sum()
    return loss


def convolution():
    """A small convolutional network and its loss."""
    dice = np.random.default_rng(0)
    images = tg.Tensor(dice.standard_normal((2, 1, 6, 6)))
    kernel, bias = tg.Tensor(dice.standard_normal((2, 1, 3, 3)) / 3), tg.Tensor(np.zeros(2))
    W, b = tg.Tensor(dice.standard_normal((8, 3)) / 3), tg.Tensor(np.zeros(3))
    h = tg.relu(tg.conv2d(images, kernel, bias))
    pooled = tg.max_pool2d(h, 2)
    scores = pooled.reshape(2, 8) @ W + b
    loss = tg.cross_entropy(scores, [0, 2])
    return loss


def gpt_block():
    """A GPT with one block, from the models that are there."""
    model = models.GPT(vocab_size=5, block_size=4, n_layer=1, n_head=2, n_embd=4, generator=np.random.default_rng(0), dtype="float64")
    return model.loss(np.array([[1, 3, 2]]), np.array([[3, 2, 0]]))


def residual_network():
    """A ResNet of two blocks in arrays, with scopes by hand."""
    dice = np.random.default_rng(0)
    h = tg.Tensor(dice.standard_normal((4, 5)), name="batch")
    for block in range(2):
        with scope(f"block{block + 1}"):
            W1 = tg.Tensor(dice.standard_normal((5, 5)) / 3)
            W2 = tg.Tensor(dice.standard_normal((5, 5)) / 3)
            h = h + tg.relu(h @ W1) @ W2
    with scope("head"):
        W = tg.Tensor(dice.standard_normal((5, 2)) / 2)
        scores = h @ W
    loss = tg.cross_entropy(scores, [0, 1, 1, 0])
    return loss


def perceptron_of_layers():
    """A perceptron of layers, as in a first notebook with modules."""
    dice = np.random.default_rng(0)
    first, second = nn.Linear(3, 4, generator=dice, dtype="float64"), nn.Linear(4, 1, generator=dice, dtype="float64")
    x = np.array([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])
    hidden = tg.tanh(first(x))
    output = second(hidden)
    loss = ((output - 1) ** 2).mean()
    return loss


def gaussian_process():
    """The negative log likelihood of a Gaussian process: seven boxes in a row, some of them wide arrays."""
    x, y = np.array([0.0, 0.7, 1.5, 2.2]), np.array([0.1, 0.8, 0.9, 0.2])
    log_length, log_amp, log_noise = tg.Tensor(0.0), tg.Tensor(0.0), tg.Tensor(-2.0)
    length, amp, noise = np.exp(log_length), np.exp(log_amp), np.exp(log_noise)
    far = (x[:, None] - x[None, :]) ** 2
    K = amp**2 * np.exp(-0.5 * far / length**2) + noise**2 * np.eye(len(x))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(K, y)
    fit = 0.5 * np.dot(y, alpha)
    complexity = np.sum(np.log(np.diagonal(L)))
    return fit + complexity


def recursive_filter():
    """The energy of a recursive filter's output: each value is used by the next two, and at the end."""
    a1, a2, b0 = Value(0.6), Value(-0.2), Value(0.5)
    y1 = y2 = 0.0
    energy = 0.0
    for x in [1.0, 0.0, 0.5, -0.5, 0.2, 0.0]:
        y = b0 * x + a1 * y1 + a2 * y2
        energy = energy + y * y
        y1, y2 = y, y1
    return energy


NUMBERS = (
    perceptron, logistic_regression, newton, taylor_sine, rnn, spring, softmax_cross_entropy, horner, hub, two_losses, long_names,
    matrix_product, kalman_step, descent, affine, mixture, rosenbrock, predator_and_prey, four_hundred, pendulum, recursive_filter,
)  # fmt: skip
ARRAYS = linear_regression, attention, convolution, gpt_block, residual_network, perceptron_of_layers, gaussian_process
PROGRAMS = {program.__name__: program for program in (*NUMBERS, *ARRAYS)}

import math


def local_pow(x, n, out):
    return n * out / x


def local_exp(x, out):
    return math.exp(x)


def local_log(x, out):
    return math.exp(-out)


def local_tanh(x, out):
    return 1 / math.cosh(x) ** 2


def local_sigmoid(x, out):
    return math.exp(-x) / (1 + math.exp(-x)) ** 2


def local_relu(x, out):
    return float(out > 0)

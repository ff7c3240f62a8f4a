"""Other right answers."""


def add_backward(upstream):
    return upstream, upstream


def subtract_backward(upstream):
    return upstream, -upstream


def accumulate(x, G):
    if x.grad is None:
        x.grad = G.copy()
    else:
        x.grad += G


# ---


def add_backward(upstream):
    return upstream.copy(), upstream.copy()


def subtract_backward(upstream):
    return upstream.copy(), -upstream


def accumulate(x, G):
    if x.grad is None:
        x.grad = G
    else:
        x.grad += G

def train_step(params, loss_fn, lr):
    loss = loss_fn(params)
    for p in params:
        p.grad = 0
    loss.backward()
    for p in params:
        p.data = p.data - p.grad * lr
    return loss.data


# ---
def train_step(params, loss_fn, lr):
    loss = loss_fn(params)
    before = loss.data
    loss.backward()
    for p in params:
        p.data += -lr * p.grad
        p.grad = 0
    return before

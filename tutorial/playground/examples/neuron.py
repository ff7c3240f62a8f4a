"""A neuron that learns: ten steps of gradient descent"""

from scalargrad import Value, tanh

w, b = Value(0.5), Value(-1.0)

for step in range(10):
    y = tanh(w * 2.0 + b)
    loss = (y - 0.8) ** 2
    loss.backward()
    print(f"step {step}: y = {y.data:.3f}, loss = {loss.data:.4f}")
    w.data -= 0.1 * w.grad
    b.data -= 0.1 * b.grad
    w.grad = b.grad = 0  # else the next backward() adds to them

y = tanh(w * 2.0 + b)
loss = (y - 0.8) ** 2
loss

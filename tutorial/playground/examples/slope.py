"""A slope: how much does z grow if x grows a little?"""

from scalargrad import Value


def f(x):
    return x * x + 3 * x


for nudge in (1, 0.1, 0.01, 0.001):
    print(f"nudge {nudge}: z grows {(f(2 + nudge) - f(2)) / nudge:.4f} times as much")

x = Value(2)
z = f(x)
z.backward()
print("dz/dx =", x.grad)
z

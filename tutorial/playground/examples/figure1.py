"""Figure 1: a variable with two children"""

from scalargrad import Value

x1, x2, x3, x4 = Value(3), Value(1), Value(-2), Value(4)
y1 = x1 + x2 + x3 + x4
y2 = x4**2
z = x1 * y1 + y2

z.backward()
print("dz/dx1 =", x1.grad)
print("dz/dx4 =", x4.grad)
z

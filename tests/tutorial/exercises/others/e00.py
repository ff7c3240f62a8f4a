def slope(f, x, h):
    before = f(x)
    after = f(x + h)
    return (after - before) / h


# ---
slope = lambda f, x, h: 1 / h * f(x + h) - f(x) / h

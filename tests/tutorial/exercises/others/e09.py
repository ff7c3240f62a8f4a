from fractions import Fraction


def local_add(a, b):
    return (Fraction(1), Fraction(1))


def local_sub(a, b):
    return [1, -1]


def local_mul(a, b):
    return (a * b / a, a * b / b)


def local_div(a, b):
    out = a / b
    return 1 / b, -out / b


def local_neg(a):
    return [-1]

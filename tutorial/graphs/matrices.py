"""The tutorial's second half: A and B are matrices, C = A B, E = B + D, W = C + E, z = sum(W), and the chain rule in bulk."""

from tensorgrad import Tensor

# fmt: off
A = [[3, 7],
     [2, 5]]
B = [[2, 0],
     [0, 4]]
D = [[5, 3],
     [1, 9]]
# fmt: on


def product():
    """Return the variables of z = sum(A B) by name, where dz/dA = dz/dC Bᵀ and dz/dB = Aᵀ dz/dC.

    >>> v = product(); v["z"].backward(); v["z"].item(), v["B"].grad.tolist()
    (58.0, [[5.0, 5.0], [12.0, 12.0]])
    """
    a, b = Tensor(A, name="A"), Tensor(B, name="B")
    c = a @ b
    return with_names(A=a, B=b, C=c, z=c.sum())


def fan_out():
    """Return the variables of z = sum(A B + (B + D)) by name. B is an input of two functions, so dz/dB = G_BC + G_BE.

    >>> v = fan_out(); v["z"].backward(); v["z"].item(), v["B"].grad.tolist()
    (82.0, [[6.0, 6.0], [13.0, 13.0]])
    """
    a, b, d = Tensor(A, name="A"), Tensor(B, name="B"), Tensor(D, name="D")
    c, e = a @ b, b + d
    w = c + e
    return with_names(A=a, B=b, C=c, D=d, E=e, W=w, z=w.sum())


def with_names(**variables):
    """Name each variable, and return them all."""
    for name, v in variables.items():
        v.name = name
    return variables

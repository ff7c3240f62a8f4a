"""tensorgrad against HIPS autograd: forward and backward of the functions that both have, in float64, in turn in one process.

    python -m benchmarks.tensor_autograd

At 512 x 512 both spend much time on memory that the allocator returns to the system and requests again. These environment
variables avoid that: MALLOC_TRIM_THRESHOLD_=100000000 MALLOC_MMAP_THRESHOLD_=100000000

Needs: autograd.
"""

from benchmarks.rounds import in_turn, installed, one_thread, report

one_thread()

import numpy as plain  # noqa: E402

import tensorgrad as tg  # noqa: E402
from tensorgrad import Tensor  # noqa: E402

SIZES = [4, 512]


def cases(np, n):
    """Return {case: a function of (x, y, b)}: x and y are (n, n), b is (n,); `np` is the library with the functions."""
    rng = plain.random.default_rng(3)
    rows, mask = rng.integers(0, n, n), rng.standard_normal((n, n)) > 0
    eye = n * plain.eye(n)
    linalg = getattr(np, "linalg", np)
    return {
        "tanh(x*y + b)": lambda x, y, b: np.sum(np.tanh(x * y + b)),
        "x - y / (y*y + 1)": lambda x, y, b: np.sum(x - y / (y * y + 1.0)),
        "x + b": lambda x, y, b: np.sum(x + b),
        "exp": lambda x, y, b: np.sum(np.exp(x)),
        "log": lambda x, y, b: np.sum(np.log(x * x + 1.0)),
        "sin": lambda x, y, b: np.sum(np.sin(x)),
        "sqrt": lambda x, y, b: np.sum(np.sqrt(x * x + 1.0)),
        "x ** 3": lambda x, y, b: np.sum(x**3),
        "power": lambda x, y, b: np.sum((x * x + 1.0) ** y),
        "abs": lambda x, y, b: np.sum(np.abs(x)),
        "maximum": lambda x, y, b: np.sum(np.maximum(x, y)),
        "where": lambda x, y, b: np.sum(np.where(mask, x, y)),
        "clip": lambda x, y, b: np.sum(np.clip(x, -1.0, 1.0)),
        "logaddexp": lambda x, y, b: np.sum(np.logaddexp(x, y)),
        "sum over axis 0": lambda x, y, b: np.sum(np.sum(x, axis=0) * b),
        "sum over axis 1": lambda x, y, b: np.sum(np.sum(x, axis=1) * b),
        "mean": lambda x, y, b: np.sum(np.mean(x, axis=1) * b),
        "max over axis 1": lambda x, y, b: np.sum(np.max(x, axis=1) * b),
        "min": lambda x, y, b: np.min(x),
        "prod over axis 1": lambda x, y, b: np.sum(np.prod(x, axis=1) * b),
        "var over axis 0": lambda x, y, b: np.sum(np.var(x, axis=0) * b),
        "std": lambda x, y, b: np.std(x),
        "logsumexp": lambda x, y, b: np.sum(logsumexps[np](x, axis=1) * b),
        "cumsum": lambda x, y, b: np.sum(np.cumsum(x, axis=0) * y),
        "sort": lambda x, y, b: np.sum(np.sort(b) * b),
        "reshape": lambda x, y, b: np.sum(np.reshape(x, (2, -1)) * np.reshape(y, (2, -1))),
        "transpose": lambda x, y, b: np.sum(np.transpose(x) * y),
        "concatenate": lambda x, y, b: np.sum(np.concatenate([x, y], axis=1) ** 2),
        "stack": lambda x, y, b: np.sum(np.stack([x, y]) ** 2),
        "repeat": lambda x, y, b: np.sum(np.repeat(x, 2, axis=0) ** 2),
        "tile": lambda x, y, b: np.sum(np.tile(x, (2, 1)) ** 2),
        "x[::-1]": lambda x, y, b: np.sum(x[::-1] * y),
        "roll": lambda x, y, b: np.sum(np.roll(x, 1, axis=0) * y),
        "tril": lambda x, y, b: np.sum(np.tril(x) * y),
        "diagonal": lambda x, y, b: np.sum(np.diagonal(x, 0, -1, -2) * b),
        "trace": lambda x, y, b: np.trace(x),
        "x[1:, ::2]": lambda x, y, b: np.sum(x[1:, ::2] ** 2),
        "x[1]": lambda x, y, b: np.sum(x[1] * b),
        "x[rows]": lambda x, y, b: np.sum(x[rows] * y),
        "x[rows, rows]": lambda x, y, b: np.sum(x[rows, rows] * b),
        "x[mask]": lambda x, y, b: np.sum(x[mask] ** 2),
        "dot": lambda x, y, b: np.dot(b, b),
        "x @ b": lambda x, y, b: np.sum(np.matmul(x, b) * b),
        "x @ y": lambda x, y, b: np.sum(np.matmul(x, y)),
        "outer": lambda x, y, b: np.sum(np.outer(b, b) * x),
        "einsum ij,jk->ik": lambda x, y, b: np.sum(np.einsum("ij,jk->ik", x, y)),
        "einsum ij,ij->i": lambda x, y, b: np.sum(np.einsum("ij,ij->i", x, y) * b),
        "tensordot": lambda x, y, b: np.sum(np.tensordot(x, y, axes=1)),
        "norm": lambda x, y, b: linalg.norm(x),
        "inv": lambda x, y, b: np.sum(linalg.inv(x + eye) * y),
        "solve": lambda x, y, b: np.sum(linalg.solve(x + eye, y)),
        "det": lambda x, y, b: linalg.slogdet(x + eye)[1],
        "cholesky": lambda x, y, b: np.sum(linalg.cholesky(np.matmul(x, np.transpose(x)) + eye)),
    }


logsumexps = {tg: tg.logsumexp}


def arrays(n):
    rng = plain.random.default_rng(0)
    return rng.standard_normal((n, n)), rng.standard_normal((n, n)), rng.standard_normal(n)


def ours(f, n):
    tensors = [Tensor(a) for a in arrays(n)]

    def step():
        for t in tensors:
            t.grad = None
        f(*tensors).backward()
        return [t.grad for t in tensors]

    return step


def autograds(f, n):
    from autograd import grad

    slope, given = grad(lambda xyb: f(*xyb)), arrays(n)
    return lambda: slope(given)


def same(found, expected):
    """Return whether both found the same gradients (ours has None where theirs is 0)."""
    return all(plain.allclose(0 if a is None else a, b, rtol=1e-6, atol=1e-6) for a, b in zip(found, expected))


def log_sum_exp(x, axis):
    """Compute logsumexp with autograd's functions, because autograd's own needs SciPy."""
    import autograd.numpy as anp
    from autograd.tracer import getval

    m = plain.max(getval(x), axis=axis, keepdims=True)
    return anp.log(anp.sum(anp.exp(x - m), axis=axis)) + plain.squeeze(m, axis)


def main():
    if not installed("autograd", "pip install autograd"):
        return
    import autograd.numpy as anp

    logsumexps[anp] = log_sum_exp
    for n in SIZES:
        found = []
        for (name, f), g in zip(cases(tg, n).items(), cases(anp, n).values()):
            mine, theirs = ours(f, n), autograds(g, n)
            assert same(mine(), theirs()), f"{name}: the two do not agree"
            found.append((name, *in_turn(mine, theirs, rounds=9), "1.0"))
        report(f"{n} x {n}, forward and backward, against autograd", found)


if __name__ == "__main__":
    main()

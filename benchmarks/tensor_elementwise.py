"""(x*y + b).tanh().sum(), forward and backward: tensorgrad against PyTorch and HIPS autograd, in turn in one process, by CPU time.

python -m benchmarks.tensor_elementwise

Needs: torch, autograd; without one, it compares with the other.
"""

from time import process_time

from benchmarks.rounds import in_turn, installed, one_thread, report

one_thread()

import numpy as np  # noqa: E402

from tensorgrad import Tensor  # noqa: E402

SIZES = [(4, "float32"), (4, "float64"), (64, "float32"), (512, "float32"), (3163, "float32")]  # 3163² is about 10⁷


def arrays(n, kind):
    return [np.random.default_rng(i).standard_normal((n, n)).astype(kind) for i in range(3)]


def ours(n, kind):
    x, y, b = map(Tensor, arrays(n, kind))

    def step():
        x.grad = y.grad = b.grad = None
        (x * y + b).tanh().sum().backward()

    return step


def torchs(n, kind):
    import torch

    torch.set_num_threads(1)
    x, y, b = [torch.tensor(a, requires_grad=True) for a in arrays(n, kind)]

    def step():
        x.grad = y.grad = b.grad = None
        (x * y + b).tanh().sum().backward()

    return step


def autograds(n, kind):
    import autograd.numpy as anp
    from autograd import grad

    slope, given = grad(lambda xyb: anp.sum(anp.tanh(xyb[0] * xyb[1] + xyb[2]))), tuple(arrays(n, kind))
    return lambda: slope(given)


def main():
    rows = {"torch": torchs, "autograd": autograds}
    for peer, make in rows.items():
        if installed(peer, f"pip install {peer}"):
            targets = {4: "0.33", 3163: "0.33"} if peer == "torch" else {4: "0.20"}
            found = [
                (f"{n} x {n}, {kind}", *in_turn(ours(n, kind), make(n, kind), timer=process_time), targets.get(n, "1.0"))
                for n, kind in SIZES
            ]
            report(f"(x*y + b).tanh().sum(), forward and backward, CPU time, against {peer}", found)


if __name__ == "__main__":
    main()

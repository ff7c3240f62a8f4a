"""Batch norm, residual and relu against PyTorch's: time of forward and backward in training, one thread, float32.

Both run in turn in one process; the ratio is the median over the rounds of ours / theirs. Ours runs on both memory layouts.
PyTorch computes relu(batch_norm(x) + residual) with channels first, and with channels last for comparison.

    python -m benchmarks.tensor_batch_norm

Needs: torch.
"""

from benchmarks.rounds import in_turn, installed, one_thread

one_thread()

import numpy as np  # noqa: E402

ROUNDS = 15
TARGET = 0.9
SIZES = [(16, 64, 32, 32), (16, 256, 16, 16), (16, 256, 8, 8), (16, 1024, 8, 8), (16, 512, 4, 4), (128, 16, 32, 32), (16, 256, 32, 32)]


def contestants(shape):
    """Return {name: a step}, after a check that the results agree."""
    import torch
    import torch.nn.functional as F

    from tensorgrad import Tensor, batch_norm_relu, transpose

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    x, r, G = [rng.standard_normal(shape).astype(np.float32) for _ in range(3)]
    w, b = rng.random((2, shape[1])).astype(np.float32)

    def ours(last):
        """Return a step on variables in one memory layout, which the upstream gradient shares."""
        order, back = ((0, 2, 3, 1), (0, 3, 1, 2)) if last else ((0, 1, 2, 3), (0, 1, 2, 3))
        upstream = np.ascontiguousarray(G.transpose(order)).transpose(back)
        image, residual = [transpose(Tensor(v.transpose(order)), back) for v in (x, r)]
        weight, bias = Tensor(w), Tensor(b)
        mean, var = np.zeros(shape[1], np.float32), np.ones(shape[1], np.float32)

        def step():
            y = batch_norm_relu(image, mean, var, weight, bias, residual, training=True)
            dx, dw, db, dr = y.rule.contributions(y.node, upstream)
            return y.data, dx, dr, dw, db

        return step

    def theirs(layout):
        image, residual, upstream = [torch.tensor(v).to(memory_format=layout) for v in (x, r, G)]
        leaves = [v.requires_grad_() for v in (image, residual, torch.tensor(w), torch.tensor(b))]
        mean, var = torch.zeros(shape[1]), torch.ones(shape[1])

        def step():
            for v in leaves:
                v.grad = None
            y = F.relu(F.batch_norm(image, mean, var, leaves[2], leaves[3], True) + residual)
            y.backward(upstream)
            return y.detach().numpy(), *[v.grad.numpy() for v in leaves]

        return step

    steps = {
        "torch": theirs(torch.contiguous_format),
        "torch, channels last": theirs(torch.channels_last),
        "channels last": ours(True),
        "channels first": ours(False),
    }
    expected = steps["torch"]()
    for name in ("channels last", "channels first"):
        for got, right in zip(steps[name](), expected):
            assert np.linalg.norm(got - right) <= 1e-3 * np.linalg.norm(right), "ours and torch's numbers differ"
    return steps


def main():
    if not installed("torch", "pip install torch"):
        return
    print(f"relu(batch_norm(x) + residual), forward + backward, float32, one thread; ours / torch, medians of {ROUNDS} paired rounds")
    print(f"{'shape':>17} {'torch ms':>9} {'channels last':>14} {'channels first':>15} {'target':>7} {'both channels last':>19}")
    for shape in SIZES:
        steps = contestants(shape)
        _, theirs, last = in_turn(steps["channels last"], steps["torch"], ROUNDS)
        _, _, first = in_turn(steps["channels first"], steps["torch"], ROUNDS)
        _, _, both = in_turn(steps["channels last"], steps["torch, channels last"], ROUNDS)
        missed = "" if max(last, first) <= TARGET else "  missed"
        name = "×".join(map(str, shape))
        print(f"{name:>17} {theirs * 1000:9.2f} {last:14.2f} {first:15.2f} {TARGET:7.2f} {both:19.2f}{missed}", flush=True)


if __name__ == "__main__":
    main()

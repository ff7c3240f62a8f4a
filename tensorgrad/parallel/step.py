"""One step over all shards: each process computes its own shards, and the sums reach every process."""

from collections.abc import Mapping
from contextlib import contextmanager
from numbers import Real

import numpy as np

from scalargrad.messages.errors import wrong_result
from scalargrad.modes import no_grad
from tensorgrad.parallel import shards as cut
from tensorgrad.parallel.communicator import more_of
from tensorgrad.parallel.exchange import add_over_workers
from tensorgrad.parallel.mismatch import checksum, packed, unpacked
from tensorgrad.parallel.state import end_shards, start_shard
from tensorgrad.tensor import Tensor, added


class Plan:
    """How a batch is cut: the examples of each shard, its share of them, its weight, and the shards that this process computes."""

    def __init__(self, comm, batch, shards, reduction="mean"):
        examples = cut.length(batch)
        self.cuts = cut.bounds(examples, shards)
        self.shares = [(hi - lo) / examples for lo, hi in self.cuts]
        self.weights = self.shares if reduction == "mean" else [1.0] * len(self.cuts)  # of losses, gradients and metrics
        self.workers = min(comm.size, len(self.cuts))
        self.own = cut.blocks(len(self.cuts), self.workers)[comm.rank] if comm.rank < self.workers else None
        self.batch = batch

    def part(self, i):
        lo, hi = self.cuts[i]
        return [array[lo:hi] for array in self.batch]


def mean_over_shards(comm, plan, measure, mark):
    """Return the weighted mean of measure(*part), a number or {name: number}, over all shards. Nothing is recorded."""

    def shard(i):
        with no_grad():
            found = measure(*plan.part(i))
        return found if isinstance(found, Mapping) else {"": found}, []

    names, _, numbers = Sum(comm, plan, Layout([]), 0, mark).over(shard)
    return numbers[0].item() if names == [""] else dict(zip(names, numbers.tolist()))


def backward_over_shards(comm, plan, state, loss_of, mark, keys):
    """Add the gradients of all shards to the parameters, and set the buffers. Return the loss, or (loss, {name: number})."""
    before = state.buffers()

    def shard(i):
        state.set_buffers(before)
        start_shard(keys, i)
        loss, metrics = loss_and_metrics(loss_of(*plan.part(i)))
        loss.backward(np.full(loss.shape, plan.weights[i], loss.dtype))
        return {"": loss.item()} | metrics, changes_of(before, state.buffers())

    with set_aside(state, before, keys):
        found = Sum(comm, plan, Layout(state.parameters), sum(a.size for _, a in before), mark).over(shard)
    names, grads, numbers = found
    for p, grad in grads:
        p.grad = grad if p.grad is None else added(p.grad, grad)
    state.set_buffers(with_changes(before, numbers[len(names) :]))
    loss, *metrics = numbers[: len(names)].tolist()
    return (loss, dict(zip(names[1:], metrics))) if metrics else loss


def loss_and_metrics(result):
    """Return the loss and {name: number} of what loss_of has returned."""
    loss, metrics = result if isinstance(result, tuple) and len(result) == 2 else (result, {})
    if not isinstance(loss, Tensor) or loss.size != 1 or not isinstance(metrics, Mapping):
        raise wrong_result("loss_of", result, "a tensor of one entry, or (loss, {name: number})")
    return loss, metrics


def changes_of(before, now):
    """Return how much each entry of the buffers has changed."""
    return [(new.astype(NUMBERS) - old).ravel() for (_, new), (_, old) in zip(now, before)]


def with_changes(before, changes):
    """Return [(name, array)], the buffers after their mean change over the shards. Integers are rounded."""
    found, start = [], 0
    for name, old in before:
        new = old + changes[start : start + old.size].reshape(old.shape)
        found.append((name, np.asarray(np.rint(new) if old.dtype.kind in "iu" else new).astype(old.dtype)))
        start += old.size
    return found


class Sum:
    """The sum over all shards of gradients, numbers and `more` further floats."""

    def __init__(self, comm, plan, layout, more, mark):
        self.comm, self.plan, self.layout, self.more, self.mark = comm, plan, layout, more, mark
        self.names: list = []

    def over(self, shard):
        """Return the names of the numbers, the gradients and the numbers, each added over the shards."""
        if self.plan.own:
            vectors = cut.add_shards(*self.plan.own, lambda i: self.weighted(i, *shard(i)))
        self.tell_names()
        if not self.plan.own:
            vectors = self.layout.vectors(len(self.names) + self.more + len(self.layout.places))
        mark = more_of(self.mark, checksum(packed(self.names)))
        for vector in vectors.values():
            add_over_workers(self.comm, vector, self.plan.workers, mark)
        return self.names, *self.layout.unpacked(vectors)

    def weighted(self, i, numbers, more):
        """Return the vectors of one shard: its gradients, which have their weight from the upstream gradient; its numbers times their
        weight; and the changes of the buffers times its share of the examples."""
        if self.names and self.names != [*numbers]:
            raise ValueError(f"shard {i + 1} has the numbers {[*numbers]}, another shard {self.names}; return the same names for each")
        self.names = [*numbers]
        found = self.plan.weights[i] * np.array([plain_number(x) for x in numbers.values()], NUMBERS)
        return self.layout.packed(np.concatenate([found, *(self.plan.shares[i] * change for change in more)]))

    def tell_names(self):
        """Tell the processes that have no shard of this batch which numbers there are."""
        if self.comm.rank == 0:
            for rank in range(self.plan.workers, self.comm.size):
                self.comm.send(rank, packed(self.names), self.mark)
        if not self.plan.own:
            self.names = unpacked(self.comm.receive(0, self.mark))


def plain_number(x):
    """Return a number, or the number of an array or tensor of one entry."""
    if isinstance(x, (Real, np.ndarray, np.generic, Tensor)) and np.size(getattr(x, "_data", x)) == 1:
        return float(x if isinstance(x, Real) else np.asarray(getattr(x, "_data", x)).item())
    raise wrong_result("a function of a shard", x, "a number, or {name: number}")


@contextmanager
def set_aside(state, before, keys):
    """Within this block the parameters have no gradients. After it, gradients and buffers are as before, and generators go on."""
    kept = [(p, p.grad) for p in state.parameters]
    for p, _ in kept:
        p.grad = None
    try:
        yield
    finally:
        for p, grad in kept:
            p.grad = grad
        state.set_buffers(before)
        end_shards(keys)


NUMBERS = np.dtype(np.float64)  # the dtype of the loss, of counts, metrics and changes of buffers


class Layout:
    """The places of gradients in the vectors: for each parameter its dtype and where it begins. `numbers` further floats come last."""

    def __init__(self, parameters):
        self.sizes: dict = {}
        self.places = []
        for p in parameters:
            start = self.sizes.get(p.dtype, 0)
            self.sizes[p.dtype] = start + p.size
            self.places.append((p, slice(start, start + p.size)))

    def vectors(self, numbers):
        """Return {dtype: vector of zeros} with room for the gradients and for so many numbers."""
        sizes = self.sizes | {NUMBERS: self.sizes.get(NUMBERS, 0) + numbers}
        return {dtype: np.zeros(size, dtype) for dtype, size in sizes.items()}

    def packed(self, numbers):
        """Return the vectors that hold the gradients of the parameters, and drop these; then the numbers, and which gradients there are."""
        there = [p.grad is not None for p, _ in self.places]
        vectors = self.vectors(len(numbers) + len(there))
        for p, place in self.places:
            if p.grad is not None:
                vectors[p.dtype][place] = p.grad.reshape(-1)
                p.grad = None
        vectors[NUMBERS][self.sizes.get(NUMBERS, 0) :] = [*numbers, *there]
        return vectors

    def unpacked(self, vectors):
        """Return [(parameter, gradient)] for those that have one, and the numbers."""
        numbers = vectors[NUMBERS][self.sizes.get(NUMBERS, 0) :]
        there = numbers[len(numbers) - len(self.places) :]
        found = [(p, vectors[p.dtype][place].reshape(p.shape)) for (p, place), count in zip(self.places, there) if count]
        return found, numbers[: len(numbers) - len(self.places)]

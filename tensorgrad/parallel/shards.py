"""Shards: the fixed parts of a batch, the tree that adds their gradients, and which process computes which shard.

Nothing here depends on the number of processes, except `blocks`. A tree node covers the shards lo to hi; its children cover the halves.
"""

from scalargrad.messages.errors import integer, wrong_type
from scalargrad.modes import scope

LEAST = 2  # examples of a shard


def middle(lo, hi):
    """Return where a node of the tree is cut into its two children."""
    return (lo + hi) // 2


def blocks(shards, workers):
    """Return the shards (lo, hi) of each worker. Each block is one node of the tree, so a worker adds its own shards alone.

    >>> blocks(8, 2), blocks(8, 3)
    ([(0, 4), (4, 8)], [(0, 4), (4, 6), (6, 8)])
    """

    def cut(lo, hi, count):
        if count == 1:
            return [(lo, hi)]
        return cut(lo, middle(lo, hi), count // 2) + cut(middle(lo, hi), hi, count - count // 2)

    return cut(0, shards, workers)


def bounds(examples, shards):
    """Return the examples (lo, hi) of each shard. The first shards have one more where the batch does not divide evenly.

    A small batch has fewer shards: each has two examples at least, since batch norm cannot normalise a single one.

    >>> bounds(7, 3), bounds(4, 3), bounds(1, 3)
    ([(0, 3), (3, 5), (5, 7)], [(0, 2), (2, 4)], [(0, 1)])
    """
    shards = max(1, min(shards, examples // LEAST))
    size, more = divmod(examples, shards)
    ends = [i * size + min(i, more) for i in range(shards + 1)]
    return [*zip(ends, ends[1:])]


def add_shards(lo, hi, contribution):
    """Return the sum of contribution(i), a dictionary {dtype: vector}, for the shards lo to hi, in the order of the tree."""
    if hi - lo == 1:
        return contribution(lo)
    left, right = add_shards(lo, middle(lo, hi), contribution), add_shards(middle(lo, hi), hi, contribution)
    for dtype, vector in left.items():
        vector += right[dtype]
    return left


def length(arrays):
    """Return the number of examples of a batch: the length of all its arrays."""
    if not arrays:
        raise TypeError("a batch needs at least one array; write group.backward(model, loss_of, x, y)")
    for array in arrays:
        if not hasattr(array, "__len__") or not hasattr(array, "__getitem__"):
            raise wrong_type("shards", "batch", array, "an array whose first axis counts the examples")
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise ValueError(f"the arrays of a batch have {lengths} examples; give each the same number")
    if not lengths[0]:
        raise ValueError("the batch has no examples; leave it out on all processes")
    return lengths[0]


def graph_of_shards(loss_of, *batch, shards: int = 2):
    """Return the mean loss of a batch as one graph: shard 1, shard 2 ... are scopes that share the parameters.

    Draw it, play it, check it. Its backward pass gives what `Group.backward` computes on several processes: the contributions of the
    shards are added at the parameters, by the chain rule. A batch of fewer than 2 examples for each shard has fewer shards.

    >>> import numpy as np
    >>> from tensorgrad import Tensor
    >>> w = Tensor([2.0], name="w")
    >>> z = graph_of_shards(lambda x: (w * x).mean(), np.array([1.0, 2.0, 4.0, 5.0]), shards=2)
    >>> z.backward(); z.item(), w.grad
    (6.0, array([3.]))
    """
    examples = length(batch)
    cuts = bounds(examples, integer("graph_of_shards", "shards", shards, 1))

    def part(i):
        lo, hi = cuts[i]
        with scope(f"shard {i + 1}"):
            return loss_of(*[array[lo:hi] for array in batch]) * ((hi - lo) / examples)

    def total(lo, hi):
        return part(lo) if hi - lo == 1 else total(lo, middle(lo, hi)) + total(middle(lo, hi), hi)

    return total(0, len(cuts))

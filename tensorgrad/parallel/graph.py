"""The graph of a whole step over shards: the sum of the shards' losses, in which each parameter has a child in each shard."""

from scalargrad.modes import scope
from tensorgrad.parallel.shards import bounds, length, middle, require_count


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
    cuts = bounds(examples, require_count("shards", shards, "graph_of_shards"))

    def part(i):
        lo, hi = cuts[i]
        with scope(f"shard {i + 1}"):
            return loss_of(*[array[lo:hi] for array in batch]) * ((hi - lo) / examples)

    def total(lo, hi):
        return part(lo) if hi - lo == 1 else total(lo, middle(lo, hi)) + total(middle(lo, hi), hi)

    return total(0, len(cuts))

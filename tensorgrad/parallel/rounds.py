"""Who sends which piece to whom, so that every sum is one node of the fixed tree, and all processes share the adding.

A vector is cut into pieces. Each piece has a home, a worker, at every node of the tree: there the piece's sum over the workers of this
node is made. The pieces have different homes, so no process adds or receives everything. For 2, 4, 8 ... workers each sends half of
its vector, then a quarter, then an eighth ("recursive halving": Rabenseifner, "Optimization of Collective Reduction Operations", 2004).
"""

from typing import NamedTuple


class Round(NamedTuple):
    """What a worker does at one level of the tree: pieces to send as (to, piece), pieces to receive as (sender, piece)."""

    sends: list
    receives: list
    is_left: bool  # whether its own sum stands on the left of what it receives


def rounds(rank, workers, pieces):
    """Return the rounds of a worker, the lowest level of the tree first.

    >>> rounds(0, 2, 2)
    [Round(sends=[(1, 1)], receives=[(1, 0)], is_left=True)]
    """
    found, node, homes = [], (0, workers), {piece: piece % workers for piece in range(pieces)}
    while node[1] - node[0] > 1:
        mine, others = halves(node, rank)
        sends, receives, below = [], [], {}
        for piece, home in homes.items():
            if mine[0] <= home < mine[1]:
                below[piece] = home
                if home == rank:
                    receives.append((partner(home, mine, others), piece))
            else:
                below[piece] = partner(home, others, mine)
                if below[piece] == rank:
                    sends.append((home, piece))
        found.append(Round(sends, receives, mine < others))
        node, homes = mine, below
    return found[::-1]


def halves(node, rank):
    """Return the two children of a node of workers, that of the rank first. They cut as `shards.blocks` does."""
    lo, hi = node
    middle = lo + (hi - lo) // 2
    return ((lo, middle), (middle, hi)) if rank < middle else ((middle, hi), (lo, middle))


def partner(home, its, other):
    """Return the worker of the other child that sums the piece whose home is in the first."""
    return other[0] + (home - its[0]) % (other[1] - other[0])

"""Add the vectors of all workers in the fixed tree, and give the total to every process.

Every sum is one node of the tree, and all processes share the adding: a vector is cut into pieces. Each piece has a home, a worker, at
every node of the tree: there the piece's sum over the workers of this node is made. The pieces have different homes, so no process adds
or receives everything. For 2, 4, 8 ... workers each sends half of its vector, then a quarter, then an eighth ("recursive halving":
Rabenseifner, "Optimization of Collective Reduction Operations", 2004).
"""

from typing import NamedTuple

import numpy as np

SMALL = 1 << 14  # bytes: a vector up to this size stays in one piece, because a message costs more than its bytes


def add_over_workers(comm, vector, workers, mark):
    """Return the sum of the workers' vectors, with the same bits on every process. `vector` is changed.

    A process without a shard gives a vector of the same size; its entries do not count.
    """
    if comm.size == 1:
        return vector
    pieces = np.array_split(vector, 1 if vector.nbytes <= SMALL else workers)
    if comm.rank < workers:
        reduce_pieces(comm, pieces, workers, mark)
    spread_pieces(comm, pieces, mark)
    comm.finish_sends()
    return vector


def reduce_pieces(comm, pieces, workers, mark):
    """Make piece number i the sum over all workers, at worker i."""
    for sends, receives, is_left in rounds(comm.rank, workers, len(pieces)):
        for to, i in sends:
            comm.send(to, pieces[i], mark)
        for sender, i in receives:
            other = np.empty_like(pieces[i])
            comm.receive(sender, mark, other)
            np.add(*((pieces[i], other) if is_left else (other, pieces[i])), out=pieces[i])
    comm.finish_sends()  # before a total overwrites a piece that is still being sent


def spread_pieces(comm, pieces, mark):
    """Give each total to all processes. It begins with the next rank, so that not all send to the same one at once."""
    if comm.rank < len(pieces):
        for step in range(1, comm.size):
            comm.send((comm.rank + step) % comm.size, pieces[comm.rank], mark)
    for step in range(1, comm.size):
        sender = (comm.rank - step) % comm.size
        if sender < len(pieces):
            comm.receive(sender, mark, pieces[sender])


# Who sends which piece to whom


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

"""Add the vectors of all workers in the fixed tree, and give the total to every process."""

import numpy as np

from tensorgrad.parallel.rounds import rounds

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

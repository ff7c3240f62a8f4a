"""Simulate the processes of a group by threads, without MPI: for examples and tests. The messages and the bits are the same."""

from contextlib import nullcontext
from queue import Empty, SimpleQueue
from threading import Thread

from scalargrad.messages.errors import integer
from tensorgrad.parallel.communicator import Communicator, tag_of
from tensorgrad.parallel.group import Group
from tensorgrad.parallel.one_thread import one_thread


class Ended(RuntimeError):
    """Another thread of the group has ended with an error."""


class Threads(Communicator):
    """A communicator whose ranks are threads. `boxes` has a queue for each pair (sender, receiver)."""

    timeout = 60.0

    def __init__(self, rank, size, boxes, ended):
        super().__init__()
        self.rank, self.size, self.boxes, self.ended = rank, size, boxes, ended

    def send(self, to, array, mark):
        self.count(array)
        self.boxes[self.rank, to].put((tag_of(mark), array.copy()))

    def receive(self, sender, mark, into=None):
        theirs, array = self.wait(lambda: self.look(sender), f"rank {sender}")
        if into is None:
            self.compare(sender, theirs, mark)
            return array
        self.compare(sender, theirs, mark, array.nbytes, into.nbytes)
        into[...] = array

    def one_thread(self):
        return nullcontext()  # simulate opens one for all

    def look(self, sender):
        """Return the next message of a sender, or None."""
        try:
            return self.boxes[sender, self.rank].get_nowait()
        except Empty:
            if self.ended:
                raise Ended(f"rank {self.ended[0][0]} has ended") from None
            return None


def simulate(program, processes, shards=8):
    """Return [program(group) for each rank], all run at the same time by threads that exchange messages as processes would.

    Each call makes a model, an optimiser and generators of its own. Raises the first error of a program, with a note of its rank.

    >>> import numpy as np
    >>> simulate(lambda group: group.mean(lambda x: x.mean(), np.arange(8.0)), processes=3)
    [3.5, 3.5, 3.5]
    """

    def run(rank, size, boxes, ended):
        with Group(Threads(rank, size, boxes, ended), shards) as group:
            return program(group)

    return run_all(run, integer("simulate", "processes", processes, 1))


def run_all(program, size):
    """Return [program(rank, size, boxes, ended)] of as many threads. Raises the first error, with a note of its rank."""
    boxes: dict = {(a, b): SimpleQueue() for a in range(size) for b in range(size)}
    ended: list = []
    results = [None] * size

    def run(rank):
        try:
            results[rank] = program(rank, size, boxes, ended)
        except BaseException as wrong:
            ended.append((rank, wrong))

    threads = [Thread(target=run, args=(rank,)) for rank in range(size)]
    with one_thread():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if ended:
        rank, wrong = ended[0]
        wrong.add_note(f"on rank {rank} of {size}")
        raise wrong
    return results

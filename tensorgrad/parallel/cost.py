"""The cost of a step on several processes, on paper: from measured times, bytes, latency and bandwidth.

seconds of a step = shards of the busiest process · seconds of a shard + seconds of the exchange - what overlaps + the update
seconds of the exchange = messages · latency + bytes / bandwidth
"""

from math import ceil, log2
from typing import NamedTuple

from tensorgrad.parallel.shards import blocks


class Link(NamedTuple):
    """A connection between processes: seconds for a message without content, and bytes for each second.

    >>> Link(latency=0.25, bandwidth=1e6).seconds(messages=2, nbytes=1e6)
    1.5
    """

    latency: float
    bandwidth: float

    def seconds(self, messages, nbytes):
        """Return the seconds that messages of so many bytes together need, one after the other."""
        return messages * self.latency + nbytes / self.bandwidth


class StepCost(NamedTuple):
    """What one step needs: `shards`, seconds of a shard's forward and backward pass, seconds of the update, bytes of the gradients.

    >>> step = StepCost(shards=8, shard_seconds=0.1, update_seconds=0.01, nbytes=4e6)
    >>> link = Link(latency=1e-3, bandwidth=1e8)
    >>> [round(step.seconds(n, link), 3) for n in (1, 2, 4, 8)]
    [0.81, 0.454, 0.281, 0.204]
    """

    shards: int
    shard_seconds: float
    update_seconds: float
    nbytes: float

    def messages(self, processes):
        """Return how many messages a process sends or awaits one after the other.

        P - 1 for its pieces of the gradients, P - 1 for its total, and as much again for the loss, which travels alone up the tree.
        """
        return 3 * (processes - 1) + ceil(log2(processes))

    def bytes_sent(self, processes):
        """Return the bytes of gradients that each process sends: 2 (P - 1)/P of all, less than twice, however many processes there are."""
        return 2 * self.nbytes * (processes - 1) / processes

    def exchange_seconds(self, processes, link):
        """Return the seconds of the exchange of the gradients."""
        return link.seconds(self.messages(processes), self.bytes_sent(processes))

    def seconds(self, processes, link, overlap=0.0):
        """Return the seconds of a step. `overlap` is the share of the last shard's time in which gradients already travel.

        `Group.backward` sends after its last shard, so its overlap is 0. At most the backward pass can overlap, about two thirds.
        """
        busiest = max(hi - lo for lo, hi in blocks(self.shards, min(processes, self.shards)))
        exchange = max(0.0, self.exchange_seconds(processes, link) - overlap * self.shard_seconds)
        return busiest * self.shard_seconds + exchange + self.update_seconds

    def speedup(self, processes, link, overlap=0.0):
        """Return how many times as fast the step is as on one process."""
        return self.seconds(1, link) / self.seconds(processes, link, overlap)

    def most_processes(self, link, least=0.5, overlap=0.0):
        """Return the largest of 1, 2, 4 ... processes, at most one for each shard, of whose time at least this share is of use.

        That share is the speedup divided by the number of processes. Below a half, more than half of what you pay for waits.
        """
        found = 1
        while 2 * found <= self.shards and self.speedup(2 * found, link, overlap) >= least * 2 * found:
            found *= 2
        return found

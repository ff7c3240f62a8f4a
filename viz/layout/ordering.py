"""In which order the entries of each rank stand, so that few links cross. An entry is a thing, or a gap through which a link passes a rank.

Entries are numbers: first the things, then the gaps. A link is (a, b, line); it comes from outside if a is None, and leads out if b is
None. Links with an equal `line` pass a rank through one gap.
"""

from bisect import bisect
from collections import defaultdict
from math import inf
from typing import NamedTuple

SWEEPS = 6


class Ordered(NamedTuple):
    """The entries of each rank in their order, and for each link its entries from end to end."""

    ranks: list
    chains: list

    def neighbours(self, breaks=()):
        """Return for each entry those before it and those after it on a link, in the same row, if rows begin at the ranks `breaks`."""
        before, after = ([[] for _ in range(sum(map(len, self.ranks)))] for _ in range(2))
        row = {e: bisect(breaks, r) for r, entries in enumerate(self.ranks) for e in entries} if breaks else defaultdict(int)
        for a, b in dict.fromkeys(pair for chain in self.chains for pair in zip(chain, chain[1:]) if row[pair[0]] == row[pair[1]]):
            before[b].append(a)
            after[a].append(b)
        return before, after


def in_order(rank, links, passes=lambda link: True, keys=None, most=inf):
    """Return the entries of all ranks in their order. `rank` holds the rank of each thing, from 0.

    A link that does not pass has no gaps. If there would be more than `most` gaps, no link has any. A rank of things that all have a key
    in `keys` stands in the order of their keys.

    >>> in_order([0, 1, 2], [(0, 1, 0), (1, 2, 1), (0, 2, 0)])
    Ordered(ranks=[[0], [1, 3], [2]], chains=[[0, 1], [1, 2], [0, 3, 2]])
    """
    found: list = [[] for _ in range(max(rank, default=0) + 1)]
    for thing, r in enumerate(rank):
        found[r].append(thing)
    ordered = Ordered(found, with_gaps(found, rank, links, passes, most))
    sweep(found, *ordered.neighbours(), keys or {})
    return ordered


def with_gaps(found, rank, links, passes, most):
    """Add a gap to each rank that a link passes. Return the chain of each link."""
    between = [range(0 if a is None else rank[a] + 1, len(found) if b is None else rank[b]) for a, b, _ in links]
    between = [passed if passes(link) else () for link, passed in zip(links, between)]
    gap = dict.fromkeys((line, r) for (*_, line), passed in zip(links, between) for r in passed)
    if len(gap) > most:
        gap, between = {}, [()] * len(links)
    for entry, (line, r) in enumerate(gap, len(rank)):
        found[r].append(entry)
        gap[line, r] = entry
    ends = lambda end: [] if end is None else [end]
    return [[*ends(a), *(gap[line, r] for r in passed), *ends(b)] for (a, b, line), passed in zip(links, between)]


def sweep(found, before, after, keys):
    """Order each rank by the mean place of the neighbours in the ranks before it, then of those after it, several times."""
    fixed = {r for r, entries in enumerate(found) if keys.keys() >= set(entries)}
    for r in fixed:
        found[r].sort(key=keys.get)
    still = 0  # sweeps that changed nothing
    for k in range(SWEEPS):
        around, at, moved = (after if k % 2 else before), {}, False
        for r in range(len(found))[:: -1 if k % 2 else 1]:
            rank = found[r]
            if len(rank) > 1 and r not in fixed:
                wish = {e: mean([at[n] for n in around[e] if n in at], (i + 0.5) / len(rank)) for i, e in enumerate(rank)}
                ordered = sorted(rank, key=wish.__getitem__)
                moved, rank[:] = moved or ordered != rank, ordered
            for i, e in enumerate(rank):
                at[e] = (i + 0.5) / len(rank)
        still = 0 if moved else still + 1
        if still == 2:
            break


def mean(numbers, otherwise):
    return sum(numbers) / len(numbers) if numbers else otherwise

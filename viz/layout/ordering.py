"""In which order the entries of each rank stand, so that few links cross. An entry is a thing, or a gap through which a link passes a rank.

Entries are numbers: first the things, then the gaps. A link is (a, b); it comes from outside if a is None, and leads out if b is None.
"""

from typing import NamedTuple

SWEEPS = 6
MOST_GAPS, GAPS_OF_EACH = 4000, 12  # for each thing; if there were more, links would have no gaps and pass behind boxes


class Ordered(NamedTuple):
    """The entries of each rank in their order, and for each link its entries from end to end."""

    ranks: list
    chains: list

    def neighbours(self):
        """Return for each entry those before it and those after it on a link."""
        before, after = ([[] for _ in range(sum(map(len, self.ranks)))] for _ in range(2))
        for chain in self.chains:
            for a, b in zip(chain, chain[1:]):
                before[b].append(a)
                after[a].append(b)
        return before, after


def in_order(rank, links, passes=lambda link: True, keys=None):
    """Return the entries of all ranks in their order. `rank` holds the rank of each thing, from 0.

    A link that does not pass has no gaps. A rank of things that all have a key in `keys` stands in the order of their keys.

    >>> in_order([0, 1, 2], [(0, 1), (1, 2), (0, 2)])
    Ordered(ranks=[[0], [1, 3], [2]], chains=[[0, 1], [1, 2], [0, 3, 2]])
    """
    found: list = [[] for _ in range(max(rank, default=0) + 1)]
    for thing, r in enumerate(rank):
        found[r].append(thing)
    ordered = Ordered(found, with_gaps(found, rank, links, passes))
    sweep(found, *ordered.neighbours(), keys or {})
    return ordered


def with_gaps(found, rank, links, passes):
    """Add a gap to each rank that a link passes. Return the chain of each link."""
    between = [range(0 if a is None else rank[a] + 1, len(found) if b is None else rank[b]) if passes((a, b)) else () for a, b in links]
    if sum(map(len, between)) > min(MOST_GAPS, GAPS_OF_EACH * len(rank)):
        between = [()] * len(links)
    chains, entry = [], len(rank)
    for (a, b), ranks_passed in zip(links, between):
        chain = [] if a is None else [a]
        for r in ranks_passed:
            found[r].append(entry)
            chain.append(entry)
            entry += 1
        chains.append(chain if b is None else [*chain, b])
    return chains


def sweep(found, before, after, keys):
    """Order each rank by the mean place of the neighbours in the ranks before it, then of those after it, several times."""
    fixed = {r for r, entries in enumerate(found) if keys.keys() >= set(entries)}
    for r in fixed:
        found[r].sort(key=keys.get)
    for k in range(SWEEPS):
        around, at = (after if k % 2 else before), {}
        for r in range(len(found))[:: -1 if k % 2 else 1]:
            if r not in fixed:
                wish = {entry: mean([at[e] for e in around[entry]], (i + 0.5) / len(found[r])) for i, entry in enumerate(found[r])}
                found[r].sort(key=wish.get)
            at |= {entry: (i + 0.5) / len(found[r]) for i, entry in enumerate(found[r])}


def mean(numbers, otherwise):
    return sum(numbers) / len(numbers) if numbers else otherwise

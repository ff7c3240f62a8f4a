"""In which rank each thing stands. Ranks are columns of a graph from left to right, rows of one from top to bottom.

A link (a, b) leads to a later rank. Its length, in ranks, is at least 1, or that in `lengths`.
"""

from collections import Counter, defaultdict, deque


def ranks(things, links):
    """Return {thing: its rank}: as early as possible; a thing to which no link leads stands just before the first that it leads to.

    >>> ranks("xwyz", ["xy", "yz", "wz"])
    {'x': 0, 'w': 1, 'y': 1, 'z': 2}
    """
    rank, after, sources = longest_paths(things, dict.fromkeys(links))
    for a in sources:
        rank[a] = min((rank[b] - 1 for b in after[a]), default=0)
    return rank


def latest_ranks(things, links):
    """Return {thing: its rank}: as late as possible, so that the last rank holds all ends.

    >>> latest_ranks("xwyz", ["xw", "xy", "yz"])
    {'x': 0, 'w': 2, 'y': 1, 'z': 2}
    """
    to_end, *_ = longest_paths(things, dict.fromkeys((b, a) for a, b in links))
    last = max(to_end.values(), default=0)
    return {a: last - to_end[a] for a in dict.fromkeys(things)}


def ranks_within(things, links, sizes, most):
    """Return {thing: its rank}: as late as possible, but the things of a rank take at most `most` together, if one alone does not.

    >>> ranks_within("abcz", ["az", "bz", "cz"], {"a": 1, "b": 1, "c": 1, "z": 1}, 2)
    {'a': 1, 'b': 1, 'c': 0, 'z': 2}
    """
    late, after, taken, to_end = latest_ranks(things, links), defaultdict(list), defaultdict(float), {}
    for a, b in links:
        after[a].append(b)
    for a in sorted(late, key=late.__getitem__, reverse=True):
        level = max((to_end[b] + 1 for b in after[a]), default=0)
        while taken[level] and taken[level] + sizes[a] > most:
            level += 1
        taken[level] += sizes[a]
        to_end[a] = level
    last = max(to_end.values(), default=0)
    return {a: last - to_end[a] for a in late}


def longest_paths(things, links):
    """Return {thing: the length of the longest path to it}, {thing: the things that it leads to}, and the things to which no link leads."""
    after, waiting = defaultdict(list), Counter(b for _, b in links)
    for a, b in links:
        after[a].append(b)
    sources = [a for a in dict.fromkeys(things) if not waiting[a]]
    rank, ready = dict.fromkeys(sources, 0), deque(sources)
    while ready:
        a = ready.popleft()
        for b in after[a]:
            if rank.get(b, 0) <= rank[a]:
                rank[b] = rank[a] + 1
            waiting[b] -= 1
            if not waiting[b]:
                ready.append(b)
    return rank, after, sources

"""In which rank the layout engine puts each node. Ranks are columns of a drawing from left to right, rows of one from top to bottom."""

from collections import Counter, defaultdict, deque


def ranks(things, links, lengths=None):
    """Return {thing: its rank}, the length of the longest path of links (a, b) to it; a source stands just before what it leads to.

    A link has the length 1, or that in `lengths`.

    >>> ranks("xwyz", ["xy", "yz", "wz"])
    {'x': 0, 'w': 1, 'y': 1, 'z': 2}
    """
    links, lengths = dict.fromkeys(links), lengths or {}
    after, waiting = defaultdict(list), Counter(b for _, b in links)
    for a, b in links:
        after[a].append(b)
    sources = [a for a in dict.fromkeys(things) if not waiting[a]]
    rank, ready = dict.fromkeys(sources, 0), deque(sources)
    while ready:
        a = ready.popleft()
        for b in after[a]:
            rank[b] = max(rank.get(b, 0), rank[a] + lengths.get((a, b), 1))
            waiting[b] -= 1
            if not waiting[b]:
                ready.append(b)
    for a in sources:
        rank[a] = min((rank[b] - lengths.get((a, b), 1) for b in after[a]), default=0)
    return rank

"""Where each node and each scope stands within its scope: in which rank, and in which order.

Every scope is arranged for itself, so that any of them can be open or closed. Scopes are numbered; number 0 is the whole graph, around
all others. A thing is what stands in a scope: a node, numbered from 0, or a scope, with the number -1 - its own. A link joins two things
of one scope. A link (None, thing) comes from outside the scope, (thing, None) leads out.
"""

from collections import Counter, defaultdict
from typing import NamedTuple

from viz.layout.ordering import Ordered, in_order
from viz.layout.ranks import ranks

MOST_GAPS, GAPS_OF_EACH = 4000, 12  # of a scope, for each thing in it; links of a scope with more pass behind other boxes


class Arranged(NamedTuple):
    """What stands in a scope: its things, its links, and their order, whose entries are places of things, then gaps."""

    things: list
    links: list
    order: Ordered

    def entries(self):
        """Return the ranks as lists of things and of gaps, [tail, head]: the link that passes there."""
        gap = {entry: list(link[:2]) for link, chain in zip(self.links, self.order.chains) for entry in chain if entry >= len(self.things)}
        return [[self.things[e] if e < len(self.things) else gap[e] for e in entries] for entries in self.order.ranks]


def arrangement(around, links, parents, line=lambda x, a, b: (a, b), ranked=ranks, keys=None):
    """Return what stands in each scope. `around` is the scope of each node, `links` (node, node), `parents` the scope around each scope.
    `ranked` finds the ranks. A rank of things that all have a key in `keys` is in
    this order.

    A link of nodes is a link (a, b, line) of things in the innermost scope around both, and links that lead there. `line` is the function
    of the first node and the things: links of an equal line are side by side in one gap.
    """
    chains = chains_of(parents)
    things, inside = [{} for _ in parents], [{} for _ in parents]
    for v, scope in enumerate(around):
        for outer, inner in zip(chains[scope], chains[scope][1:]):
            things[outer][-1 - inner] = None
        things[scope][v] = None
    for x, y in links:
        for scope, a, b in pieces(x, chains[around[x]], y, chains[around[y]]):
            inside[scope][a, b, line(x, a, b)] = None
    return [arranged(list(found), list(links), ranked, keys or {}) for found, links in zip(things, inside)]


def chains_of(parents):
    """Return for each scope the scopes around it and itself, the outermost first."""
    found: list = []
    for scope, parent in enumerate(parents):
        found.append([scope] if parent is None else [*found[parent], scope])
    return found


def pieces(x, around_x, y, around_y):
    """Return a link from end to end as [(scope, a, b)]: out of the scopes of x, through the innermost scope around both, to y."""
    k = 0
    while k < min(len(around_x), len(around_y)) and around_x[k] == around_y[k]:
        k += 1
    (a, *out), (b, *into) = ([*(-1 - scope for scope in around[k:]), v] for around, v in ((around_x, x), (around_y, y)))
    if a == b:
        return []
    leaving = [(scope, t, None) for scope, t in zip(around_x[k:], out)]
    return [*leaving[::-1], (around_x[k - 1], a, b), *((scope, None, t) for scope, t in zip(around_y[k:], into))]


def without_cycles(around, links, parents):
    """Return `around` and `parents` with each scope that leads out and back in split, and for each scope the one of which it is a part.

    Nodes stand after those that lead to them. Each link out of or into such a scope leads to a part with a larger number.
    """
    whole = list(range(len(parents)))
    while cyclic := scopes_on_cycles(around, links, parents):
        chains = chains_of(parents)
        outermost = [next((scope for scope in chains[k] if scope in cyclic), None) for k in around]
        part = parts(links, [(scope, v if scope is None else None) for v, scope in enumerate(outermost)])
        number, parents, places = {}, [], []
        for v, k in enumerate(around):
            outer = None
            for scope in chains[k]:
                key = scope, part[v] if cyclic & set(chains[scope]) else 0
                if key not in number:
                    number[key] = len(number)
                    parents.append(outer)
                outer = number[key]
            places.append(outer)
        around, whole = places, [whole[scope] for scope, _ in number]
    return around, parents, whole


def parts(links, groups):
    """Return the number of each node's part: along a link it grows if the groups differ. A node to which no link leads stands with its
    first use.
    """
    found, first = [0] * len(groups), {}
    for x, y in sorted(links, key=lambda link: link[1]):
        found[y] = max(found[y], found[x] + (groups[x] != groups[y]))
    for x, y in links:
        first[x] = min(first.get(x, found[y]), found[y] - (groups[x] != groups[y]))
    led_to = {y for _, y in links}
    return [n if v in led_to else first.get(v, n) for v, n in enumerate(found)]


def scopes_on_cycles(around, links, parents):
    """Return the scopes on cycles of links between things, and those between two cycles."""
    chains = chains_of(parents)
    met = {piece for x, y in links for piece in pieces(x, chains[around[x]], y, chains[around[y]]) if None not in piece}
    found = after_cycles([((scope, a), (scope, b)) for scope, a, b in met]) & after_cycles(
        [((scope, b), (scope, a)) for scope, a, b in met]
    )
    return {-1 - thing for _, thing in found if thing < 0}


def after_cycles(links):
    """Return the things on cycles, and those to which they lead."""
    waiting, after = Counter(b for _, b in links), defaultdict(list)
    for a, b in links:
        after[a].append(b)
    ready = [a for a in after if not waiting[a]]
    while ready:
        for b in after[ready.pop()]:
            waiting[b] -= 1
            if not waiting[b]:
                ready.append(b)
    return {b for b, n in waiting.items() if n}


def arranged(things, links, ranked, keys):
    """Return what stands in a scope. A link back to an earlier thing, within a cycle of scopes, does not count."""
    ends = [(a, b) for a, b, _ in links if a is not None and b is not None]
    before = {t: i for i, t in enumerate(inputs_before(things, ends))}
    inner = [link for link in links if None not in link[:2] and before[link[0]] < before[link[1]]]
    links = inner + [link for link in links if None in link[:2]]
    rank, place = ranked(things, [link[:2] for link in inner]), {t: i for i, t in enumerate(things)} | {None: None}
    low, most = min(rank.values(), default=0), min(MOST_GAPS, GAPS_OF_EACH * len(things))
    lines = [(place[a], place[b], line) for a, b, line in links]
    keys = {place[t]: keys[t] for t in things if t in keys}
    return Arranged(things, links, in_order([rank[t] - low for t in things], lines, keys=keys, most=most))


def inputs_before(things, links):
    """Return the things, each after those that lead to it. In a cycle, the one that was begun first comes first."""
    after, waiting = defaultdict(list), dict.fromkeys(things, 0)
    for a, b in links:
        after[a].append(b)
        waiting[b] += 1
    rest, ready, found = iter(things), [t for t in things if not waiting[t]][::-1], {}
    while len(found) < len(things):
        t = ready.pop() if ready else next(t for t in rest if t not in found)
        if t not in found:
            found[t] = None
            for b in after[t]:
                waiting[b] -= 1
                if not waiting[b]:
                    ready.append(b)
    return list(found)

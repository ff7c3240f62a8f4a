"""What must stay in view: two nodes of a graph with the ways between them, and as much beside these as a window holds.

Knows which nodes take which, not what they show.
"""

from collections import deque
from functools import cache

MOST_BESIDE = 100  # inputs of one node; no window has room for more


def wishes(v, to_z, taken, takers):
    """Return the nodes that a picture of v and z should show too, the most important first.

    They are the nodes of a shortest way from v to z, those of the other ways, and what all these take besides: each the earlier, the
    nearer it is to v or to z. `taken` are the inputs of each node, `takers` the nodes that take it, and `to_z` is distances(z, taken),
    which begins with z. Of a v that does not lead to z, they are the inputs of z.

    >>> taken, takers = [[], [0], [0, 3], [], [1, 2]], [[1, 2], [4], [4], [2], []]
    >>> wishes(0, distances(4, taken), taken, takers)
    [1, 2, 3]
    """
    from_v, z = distances(v, takers), next(iter(to_z))
    if v not in to_z:
        return list(dict.fromkeys(taken[z]))
    near = lambda x: (min(from_v[x], to_z[x]), from_v[x], x)
    way = [v]
    while way[-1] != z:
        way.append(next(y for y in takers[way[-1]] if to_z.get(y) == to_z[way[-1]] - 1))
    ways = dict.fromkeys([*sorted(way, key=near), *sorted(from_v.keys() & to_z.keys(), key=near)])
    beside = [x for y in ways for x in taken[y][:MOST_BESIDE]]
    return [x for x in dict.fromkeys([*ways, *beside]) if x not in (v, z)]


def distances(start, following):
    """Return {node: the length of a shortest way from the start}."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        x = waiting.popleft()
        for y in following[x]:
            if y not in found:
                found[y] = found[x] + 1
                waiting.append(y)
    return found


def rings(starts, following):
    """Yield the nodes at distance 1 from some nodes, then those at distance 2, and so on."""
    ring = known = set(starts)
    while ring := {y for x in ring for y in following[x]} - known:
        known = known | ring
        yield ring


def most(made, wished, misses, guess=0, *, fits, may_fit=None):
    """Return made(found) for the wishes that fit together, taken in their order: made([]) if none fits. After so many `misses` it ends.

    What fits with others fits without them. So the search for the first wish that has no room begins at a `guess`. `may_fit` is a
    test that takes less time; what fits passes it.

    >>> fits = lambda total: total < 20
    >>> most(sum, [5, 9, 30, 4, 7], misses=2, fits=fits), most(sum, [5, 9, 30, 4, 7], misses=2, guess=3, fits=fits)
    (18, 18)
    """
    wished, found, best = list(wished), [], None
    while wished and misses:
        with_first = cache(lambda n, found=found, wished=wished: made([*found, *wished[:n]]))
        n = len(wished)
        for holds in (may_fit or fits, fits):
            n = guess = longest(lambda n, holds=holds, with_first=with_first: holds(with_first(n)), guess, n)
        best = with_first(n) if n else best
        found, wished, misses, guess = found + wished[:n], wished[n + 1 :], misses - 1, 1
    return made([]) if best is None else best


def longest(holds, guess, most):
    """Return the largest n up to `most` for which holds(n), in steps from a guess that double until one is too long, and then halve.
    What holds for n holds for less; 0 always does.

    >>> longest(lambda n: n < 20, 3, 100), longest(lambda n: n < 20, 50, 100)
    (19, 19)
    """
    low, high, step, n = 0, most + 1, 1, min(max(guess, 1), most)
    while n > low:
        if holds(n):
            low = n
        else:
            high = n
        n = min(low + step, most) if high > most else high - step if not low and step < high else (low + high) // 2
        step *= 2
    return low

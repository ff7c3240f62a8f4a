"""What must stay in view: two nodes of a graph with the ways between them, and as much beside these as a window holds.

Knows which nodes take which, not what they show.
"""

from collections import deque

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


def most(made, wished, fits, misses, guess=0):
    """Return made(found) for the wishes that fit together, taken in their order: made([]) if none fits. After so many `misses` it ends.

    What fits with others fits without them. So the search for the first wish that has no room begins at a `guess`, in steps that double
    until one is too long, and then halve. That for the next one begins after it.

    >>> most(sum, [5, 9, 30, 4, 7], lambda total: total < 20, misses=2), most(sum, [5, 9, 30, 4, 7], lambda total: total < 20, 2, guess=3)
    (18, 18)
    """
    wished, found, best = list(wished), [], None
    while wished and misses:
        low, high, step, n = 0, len(wished) + 1, 1, min(guess or 1, len(wished))  # fewer than `high` wishes fit, and `low` of them do
        while n > low:
            more = made([*found, *wished[:n]])
            if fits(more):
                low, best = n, more
            else:
                high = n
            n = min(low + step, len(wished)) if high > len(wished) else high - step if not low and step < high else (low + high) // 2
            step *= 2
        found, wished, misses, guess = found + wished[:low], wished[high:], misses - 1, 1
    return made([]) if best is None else best

"""Lays a small graph out in columns, from left to right. Knows sizes and links, not what they stand for. Fast: for thousands of scenes.

A link that passes a column has a place of its own there, so no link runs through a box; one to or from something minor that is
further away than the next column is only a stub.
"""

from collections import defaultdict

APART, PASSING, CORNER, STUB = 10, 16, 12, 22  # between boxes of a column; the height of a passing link; ends keep off corners
SWEEPS, PITCH = 4, 40  # PITCH: how far apart links stand at the side of a box, where there is room
BEND = 24  # how far the handles of links between the same two boxes are bent apart


def columns(sizes, links, gap, major, earlier=None):
    """The centres of boxes, and the splines (lists of points) of the links (i, j); `gap(i, j)` is how long a link must be.

    A size is (w, h, pad): `pad` is room above and below the box, at which no link ends. The first `major` boxes are not minor; a
    link between two minor ones that are not neighbours has no points. `earlier` says of boxes how many columns further left they stand.

    >>> places, splines = columns([(40, 20, 4), (40, 20, 4)], [(0, 1)], lambda i, j: 60, 2)
    >>> places, splines[0][0], splines[0][-1]
    ([(0.0, 0.0), (100.0, 0.0)], (20.0, 0.0), (80.0, 0.0))
    """
    rank = [r + (earlier or {}).get(i, 0) for i, r in enumerate(ranks(len(sizes), links))]
    far = max(rank, default=0)
    column = [far - r for r in rank]
    sizes, chains = list(sizes), []
    for i, j in links:
        chain = [i]
        for between in range(column[i] + 1, column[j]) if max(i, j) < major else ():
            chain.append(len(sizes))
            sizes.append((0, PASSING, 0))
            column.append(between)
        chains.append([*chain, j])
    steps = [(i, j) for chain in chains for i, j in zip(chain, chain[1:]) if column[j] == column[i] + 1]
    ys = rows(sizes, column, steps)
    wide, room = [0.0] * (far + 1), [0.0] * (far + 1)
    for (w, _, _), c in zip(sizes, column):
        wide[c] = max(wide[c], w)
    for i, j in links:
        last = column[j] - 1  # what a long link needs, it needs before its end
        room[last] = max(room[last], gap(i, j))
        for c in range(column[i], last):
            room[c] = max(room[c], 2 * STUB)
    xs = [0.0]
    for c in range(far):
        xs.append(xs[-1] + wide[c] / 2 + room[c] + wide[c + 1] / 2)
    places = [(xs[c], y) for c, y in zip(column, ys)]
    return places[: len(rank)], splines(chains, places, sizes, wide, column, major)


def ranks(n, links):
    """The longest way from each box to the end of the graph, in links."""
    into, waiting = defaultdict(list), [0] * n
    for i, j in links:
        into[j].append(i)
        waiting[i] += 1
    rank, ready = [0] * n, [j for j in range(n) if not waiting[j]]
    for j in ready:
        for i in into[j]:
            rank[i] = max(rank[i], rank[j] + 1)
            waiting[i] -= 1
            if not waiting[i]:
                ready.append(i)
    return rank


def rows(sizes, column, steps):
    """How high each box stands: near what it is linked to, and never on another one."""
    near = [[] for _ in sizes]
    for i, j in steps:
        near[i].append(j)
        near[j].append(i)
    standing = defaultdict(list)
    for i, c in enumerate(column):
        standing[c].append(i)
    ys = [0.0] * len(sizes)
    for members in standing.values():
        spread(members, sizes, ys, [0.0] * len(members))
    for sweep in range(SWEEPS):
        for c in sorted(standing, reverse=sweep % 2 == 0):
            wished = {i: sum(ys[j] for j in near[i]) / len(near[i]) if near[i] else ys[i] for i in standing[c]}
            if sweep < SWEEPS - 1:
                standing[c].sort(key=lambda i: (wished[i], i))
            spread(standing[c], sizes, ys, [wished[i] for i in standing[c]])
    return ys


def spread(members, sizes, ys, wished):
    """Stand one below the other, in this order, as near to the heights wished for as their sizes let them."""
    low, pushed = None, 0.0
    for i, wish in zip(members, wished):
        half = sizes[i][1] / 2 + sizes[i][2]
        ys[i] = wish if low is None else max(wish, low + APART + half)
        low = ys[i] + half
        pushed += ys[i] - wish
    for i in members:
        ys[i] -= pushed / len(members)


def splines(chains, places, sizes, wide, column, major):
    """The links as splines; where several begin or end at a side of a box they stand below each other, so that few cross."""
    leaving, arriving, between = defaultdict(list), defaultdict(list), defaultdict(list)
    for k, chain in enumerate(chains):
        between[chain[0], chain[-1]].append(k)
        leaving[chain[0]].append((places[chain[1]][1], k))
        arriving[chain[-1]].append((places[chain[-2]][1], k))
    starts, ends = {}, {}
    for found, ports in ((leaving, starts), (arriving, ends)):
        for i, ks in found.items():
            pitch = min(max(sizes[i][1] - 2 * CORNER, 0) / max(len(ks) - 1, 1), PITCH)
            for n, (_, k) in enumerate(sorted(ks)):
                ports[k] = places[i][1] + (n - (len(ks) - 1) / 2) * pitch
    found = []
    for k, chain in enumerate(chains):
        first, last = chain[0], chain[-1]
        if len(chain) == 2 and column[last] - column[first] > 1:
            found.append(stub(first, last, places, sizes, starts[k], ends[k], major))
            continue
        same = between[first, last]
        down = BEND * (same.index(k) - (len(same) - 1) / 2)
        points = [(places[first][0] + sizes[first][0] / 2, starts[k])]
        edge = places[first][0] + wide[column[first]] / 2
        for i in chain[1:]:
            x, half = places[i][0], wide[column[i]] / 2
            y = ends[k] if i == last else places[i][1]
            if edge > points[-1][0]:
                points += straight(points[-1], (edge, points[-1][1]))
            points += curve(points[-1], (x - half, y), down)
            stop = x - sizes[i][0] / 2 if i == last else x + half
            if stop > x - half:
                points += straight(points[-1], (stop, y))
            edge = x + half
        found.append(points)
    return found


def stub(first, last, places, sizes, start, end, major):
    """The end of a long link at its major box."""
    if last < major:
        x = places[last][0] - sizes[last][0] / 2
        return [(x - STUB, end), *straight((x - STUB, end), (x, end))]
    x = places[first][0] + sizes[first][0] / 2
    return [(x, start), *straight((x, start), (x + STUB, start))] if first < major else []


def straight(a, b):
    return [tuple(p + (q - p) * t / 3 for p, q in zip(a, b)) for t in (1, 2)] + [b]


def curve(a, b, down=0):
    """A cubic that leaves and arrives level, or bent down."""
    reach = (b[0] - a[0]) * 0.45
    return [(a[0] + reach, a[1] + down), (b[0] - reach, b[1] + down), b]

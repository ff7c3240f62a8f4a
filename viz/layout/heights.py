"""Where the entries of each rank stand, if their order is known: as near to their neighbours as their sizes allow (least squares)."""

PASSES, LEVELLING = 4, 2  # over all ranks, from the first to the last or back; more with main chains level
STRAIGHT = 3  # how much two gaps of a line count for each other, so that it is straight
SLIGHT = 0.1  # how much a leaf with one link counts: it makes way for others
CENTRE = 0.6  # how much the centre of the graph counts, so that a long graph does not slope
MAIN = 2  # times as much must lead to a main neighbour as to each other
FIRM = 10_000  # how much a thing of a main chain counts while it is made level


def heights(ranks, high, neighbours, things, apart, roomy=0.0):
    """Return the middle of each entry. Entries of a rank are `apart`, those of a rank with room up to `roomy`. The first `things`
    of all entries are things, the others gaps.

    `high` holds the height of each entry, `neighbours` those before it and those after it.

    >>> heights([[0, 1], [2]], [20, 20, 20], ([[], [], [0, 1]], [[2], [2], []]), 3, 10)
    [-15.0, 15.0, 0.0]
    """
    middle, offsets = [0.0] * len(high), spaced(ranks, high, apart, roomy)
    for rank, found in zip(ranks, offsets):
        for entry, offset in zip(rank, found):
            middle[entry] = offset - found[-1] / 2 + (high[rank[0]] - high[rank[-1]]) / 4
    own = [SLIGHT if not before and len(after) == 1 else 1 for before, after in zip(*neighbours)]
    counts = lambda e, other: own[other] * (STRAIGHT if min(e, other) >= things else 1)
    near = [[(other, counts(e, other)) for side in neighbours for other in side[e]] for e in range(len(high))]
    near = [(pairs, CENTRE + sum(count for _, count in pairs)) for pairs in near]
    lines = [(rank, found, [near[e] for e in rank], [own[e] for e in rank]) for rank, found in zip(ranks, offsets)]
    level: dict = {}  # {thing of a main chain: the height of the chain}
    for k in range(PASSES + LEVELLING):
        if k == PASSES:
            chains = main_chains(ranks, neighbours, things)
            level = {e: sum([middle[e] for e in chain]) / len(chain) for chain in chains for e in chain}
            lines = [(rank, found, pairs, [FIRM if e in level else own[e] for e in rank]) for rank, found, pairs, _ in lines]
        for rank, found, near_each, counted in lines[:: -1 if k % 2 else 1]:
            wishes = [sum([count * middle[other] for other, count in pairs]) / weight for pairs, weight in near_each]
            if level:
                wishes = [level.get(entry, wish) for entry, wish in zip(rank, wishes)]
            for entry, y in zip(rank, wishes if len(rank) == 1 else settled(found, wishes, counted)):
                middle[entry] = y
    return middle


def main_chains(ranks, neighbours, things):
    """Return chains of things, each the main neighbour of the next, in both directions.

    A thing is the main neighbour of another if at least MAIN times as much leads to it as to any other neighbour there.

    >>> main_chains([[0, 1], [2, 3], [4]], ([[], [], [0, 1], [], [2, 3]], [[2], [2], [4], [4], []]), 5)
    [[2, 4]]
    """
    before, after = neighbours
    main, following = mains(ranks, before, after, things), mains(ranks[::-1], after, before, things)
    found: dict = {}
    for e in (e for rank in ranks for e in rank):
        b = main.get(e)
        if b is not None and following.get(b) == e:
            found[e] = found.get(b) or [b]
            found[e].append(e)
    return [chain for e, chain in found.items() if chain[-1] == e]


def mains(ranks, before, after, things):
    """Return {thing: its main neighbour in the rank before}. What leads to a thing is shared equally by the links from there."""
    flow, found = [0.0] * len(before), {}
    for e in (e for rank in ranks for e in rank):
        flow[e] = (e < things) + sum([flow[b] / len(after[b]) for b in before[e]])
        if e < things and (among := [b for b in before[e] if b < things]):
            best = max(among, key=flow.__getitem__)
            if all([flow[best] >= MAIN * flow[b] for b in among if b != best]):
                found[e] = best
    return found


def spaced(ranks, high, apart, roomy):
    """Return the offsets of each rank. Entries stand up to `roomy` apart, as long as their rank is not the highest."""
    least = [sum([high[entry] for entry in rank]) + apart * (len(rank) - 1) for rank in ranks]
    most, found = max(least, default=0), []
    for rank, total in zip(ranks, least):
        more = (most - total) / max(len(rank) - 1, 1)
        found.append(offsets_of(rank, high, max(apart, min(roomy, apart + more))))
    return found


def offsets_of(rank, high, apart):
    """Return how far below the first entry of a rank each of its entries stands at least."""
    found = [0.0]
    for a, b in zip(rank, rank[1:]):
        found.append(found[-1] + (high[a] + high[b]) / 2 + apart)
    return found


def settled(offsets, wishes, weights):
    """Return places as near as possible to wishes, each at least so far below the first as its offset: pool adjacent violators.

    >>> settled([0, 10, 20], [3, 5, 30], [1, 1, 1])
    [-1.0, 9.0, 30.0]
    """
    pools: list = []  # (the weighted sum of the wishes for the first of all, their weight, how many)
    for offset, wished, weight in zip(offsets, wishes, weights):
        total, many = weight * (wished - offset), 1
        while pools and pools[-1][0] * weight > total * pools[-1][1]:
            above = pools.pop()
            total, weight, many = total + above[0], weight + above[1], many + above[2]
        pools.append((total, weight, many))
    firsts = [total / weight for total, weight, many in pools for _ in range(many)]
    return [first + offset for first, offset in zip(firsts, offsets)]

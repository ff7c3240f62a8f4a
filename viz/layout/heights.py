"""Where the entries of each rank stand, if their order is known: as near to their neighbours as their sizes allow (least squares)."""

PASSES = 4  # over all ranks, from the first to the last or back
STRAIGHT = 3  # how much two gaps of a line count for each other, so that it is straight
SLIGHT = 0.1  # how much a leaf with one link counts: it makes way for others
CENTRE = 0.6  # how much the centre of the graph counts, so that a long graph does not slope


def heights(ranks, high, neighbours, things, apart):
    """Return the middle of each entry. Entries of a rank are `apart`; the first `things` of all entries are things, the others gaps.

    `high` holds the height of each entry, `neighbours` those before it and those after it.

    >>> heights([[0, 1], [2]], [20, 20, 20], ([[], [], [0, 1]], [[2], [2], []]), 3, 10)
    [-15.0, 15.0, 0.0]
    """
    middle, offsets = [0.0] * len(high), [offsets_of(rank, high, apart) for rank in ranks]
    for rank, found in zip(ranks, offsets):
        for entry, offset in zip(rank, found):
            middle[entry] = offset - found[-1] / 2 + (high[rank[0]] - high[rank[-1]]) / 4
    own = [SLIGHT if not before and len(after) == 1 else 1 for before, after in zip(*neighbours)]
    counts = lambda e, other: own[other] * (STRAIGHT if min(e, other) >= things else 1)
    near = [[(other, counts(e, other)) for side in neighbours for other in side[e]] for e in range(len(high))]
    near = [(pairs, CENTRE + sum(count for _, count in pairs)) for pairs in near]
    for k in range(PASSES):
        way = -1 if k % 2 else 1
        for rank, found in zip(ranks[::way], offsets[::way]):
            wishes = [sum([count * middle[other] for other, count in pairs]) / weight for pairs, weight in map(near.__getitem__, rank)]
            for entry, y in zip(rank, wishes if len(rank) == 1 else settled(found, wishes, [own[entry] for entry in rank])):
                middle[entry] = y
    return middle


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

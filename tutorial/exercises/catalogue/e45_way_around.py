"""A way around each block

A deep network is a chain of blocks. Block $k$ computes $f_k(x)$, or, if it has a way around it, $x + f_k(x)$. The next block gets the
result. To keep it short, each $x$ is one number here.

`through_blocks(slopes, ways, upstream)` returns the list of the derivatives of $z$ with respect to the input of each block, that of the
first block first. `slopes` has the slope of each $f_k$ at its input, and `ways` says for each block whether it has a way around it.
`upstream` is the derivative of $z$ with respect to the result of the last block. For example,
`through_blocks([0.5, 0.25], [True, False], 8)` is `[3.0, 2.0]`.
"""
# meta: unit=D minutes=10 difficulty=1 chapter=normalisation-and-residuals call=through_blocks


def through_blocks(slopes, ways, upstream):
    # BEGIN SOLUTION
    found, G = [], upstream
    for slope, way in zip(reversed(slopes), reversed(ways)):
        # ~ from-the-first M04: for slope, way in zip(slopes, ways):
        # ~ slopes-turned M54: for slope, way in zip(reversed(slopes), ways):
        G = G * slope + (G if way else 0)
        # ~ no-way-around M02: G = G * slope
        # ~ always-around M67: G = G * slope + G
        # ~ only-around M03: G = G * slope if not way else G
        # ~ around-without-upstream M05: G = G * slope + way
        # ~ slope-without-upstream M05: G = slope + G * way
        # ~ only-here M32: G = upstream * (slope + way)
        # ~ mean-of-two M11: G = G * (slope + way) / (1 + way)
        # ~ twice M30: G = G * slope * (1 + way)
        # ~ upstream-around M32: G = G * slope + upstream * way
        # ~ subtracted M66: G = G * slope - G * way
        # ~ added-slopes M30: G = G + slope + way
        found.append(G)
    return found[::-1]
    # ~ from-the-first M04: return found
    # ~ last-first M44: return found
    # ~ of-the-results M09: return [upstream, *found[:-1]][::-1]
    # ~ with-the-last M35: return [*found[::-1], upstream]
    # ~ only-the-first M12: return found[-1]
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Begin with one block with a way around it, y = x + f(x). Which children has x, and with which partial derivatives?",
    "Walk back, the last block first. The derivative with respect to the input of a block is the upstream gradient of the block before it.",
    "A block with a way around multiplies the upstream gradient by 1 plus its slope, one without by its slope alone. Collect the results, "
    "and turn the list round at the end.",
)
PREDICT = (
    "Three blocks have a way around them, each slope is 1, and the upstream gradient is 1. What arrives at the first input?",
    8,
    {
        1: "So much comes through the blocks alone. The ways around them add.",
        4: "You added 1 for each block. Each block multiplies what arrives by 1 + 1.",
        6: "You added 2 for each block. Each block multiplies what arrives by 1 + 1.",
        3: "You added one for each block. Along the chain you multiply.",
    },
)
SEEN = "For the slopes {slopes}, the ways {ways} and the upstream gradient {upstream}, you gave {got}. Expected was {expected}. "
SAID = {
    "from-the-first": SEEN + "You began at the first block. The upstream gradient {upstream} belongs to the result of the last one.",
    "slopes-turned": SEEN + "You took the slopes from the last to the first, and the ways from the first to the last.",
    "no-way-around": SEEN + "You followed the path through f alone. With a way around, x has a second child: the sum.",
    "always-around": SEEN + "You went around each block. Only those with True in {ways} have a way around them.",
    "only-around": SEEN + "You took the way around in place of the way through f. Both are paths, and their contributions add.",
    "around-without-upstream": SEEN + "On the way around you passed on 1. It passes on the upstream gradient of its block.",
    "slope-without-upstream": SEEN + "On the way through f you passed on the slope alone. Multiply it by the upstream gradient.",
    "only-here": SEEN + "You took {upstream} for the upstream gradient of each block. A block gets that of the block behind it.",
    "mean-of-two": SEEN + "You took the mean of two contributions. They add.",
    "twice": SEEN + "You doubled the way through f. The way around has the slope 1, not that of f.",
    "upstream-around": SEEN + "On the way around you passed on {upstream} each time. It passes on the upstream gradient of its block.",
    "subtracted": SEEN + "You subtracted the way around. In x + f(x) both ways have a plus.",
    "added-slopes": SEEN + "You added slopes along the path. Along a path they are multiplied.",
    "last-first": SEEN + "The numbers are right, and stand in the order of the walk back. The first block comes first.",
    "of-the-results": SEEN + "Those are the derivatives with respect to the results of the blocks. Their inputs are asked for.",
    "with-the-last": SEEN + "There is 1 number too many: the derivative of the last result. There is one for each of the inputs.",
    "only-the-first": SEEN + "That is the derivative at the first input alone. A list with one for each block is asked for.",
}
ASKED = {
    **dict.fromkeys(SAID, "Take one block, y = x + f(x), with the slope 0.5. By how much does y grow if x grows by 1?"),
    "from-the-first slopes-turned last-first of-the-results with-the-last": "Which block does the backward pass reach first?",
}


def probes(random):
    """Yield one block, the example, blocks with and without a way around, and longer chains."""
    yield probe([0.5], [True], 8.0, "one block with a way around")
    yield probe([0.5, 0.25], [True, False], 8.0, "the example")
    yield probe([0.25, -0.5, 0.75], [True, True, False], 16.0, "three blocks")
    for blocks in (4, 5):
        slopes = [random.choice((-1, 1)) * random.choice((0.125, 0.25, 0.5, 0.75, 1.5)) for _ in range(blocks)]
        ways = [True, False] + [random.choice((True, False)) for _ in range(blocks - 2)]
        yield probe(slopes, ways, float(random.choice((2, 4, 8))), f"{blocks} blocks")


def probe(slopes, ways, upstream, about):
    return Probe((slopes, ways, upstream), {"slopes": slopes, "ways": ways, "upstream": upstream}, about=about)

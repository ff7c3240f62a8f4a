"""Where a drawing may be broken into rows, and how wide its ranks are. Knows statements and their ranks. Legend: see viz/layout/rows.py."""

from viz.drawing.statements import node_of
from viz.layout.rows import PAGE, Widths, best_breaks, covered

FRAME = 18  # points that a frame takes at its left and at its right


def row_breaks(statements, rank, row_of, between, page=PAGE):
    """Return (the breaks, the width of the drawing), as `best_breaks` does. Frames are torn only if nothing else fits, the outermost first.

    `row_of` gives {node: the node in whose row it stands}; `between` is the distance between ranks in points,
    and `page` the width of a page.
    """
    depths = range(2 + max(statements.depth.values(), default=-1))
    allowed = (possible_breaks(statements, rank, row_of, depth) for depth in depths)
    return best_breaks(widths(statements, rank, row_of, between), allowed, page)


def possible_breaks(statements, rank, row_of, depth):
    """Return the ranks before which one node alone is the tail of all edges, and which lie only in frames less deep than `depth`."""
    reach: dict = {}
    for tail, head, *_ in statements.edges:
        if node_of(tail) not in row_of:
            reach[node_of(tail)] = max(reach.get(node_of(tail), 0), rank[node_of(head)])
    tails = [(rank[name], end) for name, end in reach.items()]
    inner = [[rank[name] for name in names] for frame, names in statements.frames.items() if statements.depth[frame] >= depth]
    last = max(rank.values(), default=0)
    over, torn = covered(tails, last), covered([(min(ranks), max(ranks)) for ranks in inner], last)
    return [r for r in range(1, last + 1) if over[r] == 1 and not torn[r]]


def widths(statements, rank, row_of, between):
    """Return the widths of ranks and gaps. A row begins before its break if a branch that it holds does."""
    end = max(rank.values(), default=0) + 1
    columns, gaps, begin = [0] * end, [between] * end, list(range(end + 1))
    for name, r in rank.items():
        columns[r] = max(columns[r], statements.width[name])
    for tail, head, wide, _ in statements.edges:
        if node_of(tail) not in statements.owner:
            gaps[rank[node_of(head)]] = max(gaps[rank[node_of(head)]], between + wide)
    for names in statements.frames.values():
        at = [rank[name] for name in names]
        gaps[min(at)] += FRAME
        columns[max(at)] += FRAME
    for name, served in row_of.items():
        for r in range(rank[name] + 1, rank[served] + 1):
            begin[r] = min(begin[r], rank[name])
    return Widths(columns, gaps, begin, between)

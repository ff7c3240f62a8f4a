"""Write statements onto a Drawing. A drawing from left to right that is wider than a page is broken into rows, as text is.

Knows nothing of graphs. Legend: see viz/layout/rows.py; `rank` gives {node: its rank}, `row` {node: the number of its row}.
"""

from bisect import bisect
from collections import defaultdict

from viz.drawing.branches import long_chains, move_short_branches, stack
from viz.drawing.row_breaks import row_breaks
from viz.drawing.statements import node_of, put
from viz.layout.rows import PAGE

STRAIGHT = "50"  # how much the layout engine prefers a straight line back to the next row


def write(d, statements, between, page=PAGE):
    """Write statements onto a Drawing, `between` points between ranks, in rows of at most `page` points.

    A drawing with between=None runs downwards and has one piece.
    """
    rank, breaks, row_of = {}, None, {}
    if between:
        rank, breaks, row_of = wrapped(d, statements, between, page)
    statements.place_companions(bool(breaks))
    if breaks and row_of:
        stacks_in_order(statements, rank, breaks, row_of)
        d.attr(remincross="false")
    if breaks or statements.frames:  # without it the engine cannot lay out frames between which edges lead to and fro
        d.attr(newrank="true")
    if breaks:
        write_rows(d, statements, rank, {name: bisect(breaks, rank[row_of.get(name, name)]) - 1 for name in rank})
    else:
        statements.write(d)


def wrapped(d, statements, between, page):
    """Return (rank, breaks, row_of) for the narrowest drawing; branches move if it is still wider than a page."""
    rank, row_of = statements.ranks(), {}
    breaks, wide = row_breaks(statements, rank, row_of, between, page)
    if wide <= page:
        return rank, breaks, row_of
    if chains := long_chains(statements, rank):
        for columns in chains:
            stack(statements, columns)
        d.attr(remincross="false", nodesep="0.08")
        rank = statements.ranks()
    elif not statements.companions or not (row_of := move_short_branches(statements, rank)):
        return rank, breaks, row_of
    return rank, row_breaks(statements, rank, row_of, between, page)[0], row_of


def stacks_in_order(statements, rank, breaks, row_of):
    """Let the stacks of a rank, each a node with its companions, stand one below the other, those of the row's own nodes first."""
    stacks = defaultdict(list)
    for owner in sorted(statements.companions, key=lambda owner: owner not in row_of):
        row = bisect(breaks, rank[row_of.get(owner, owner)])
        stacks[row, rank[owner]].append([statements.companions[owner][0], owner, *statements.companions[owner][1:]])
    for several in stacks.values():
        ends = [name for lower, upper in zip(several[1:], several) for name in (lower[0], upper[-1])]
        if ends:
            statements.items.append(("rank", ends, {}))
        statements.edges += [(lower, upper, 0, {"style": "invis"}) for lower, upper in zip(ends[::2], ends[1::2])]


def write_rows(d, statements, rank, row):
    """Write each row into a frame of its own that is not seen, then the edges; an edge to another row takes the lines between them."""
    rows = 1 + max(row.values())
    for n, items in enumerate(items_of_rows(statements, row, rows)):
        d.body.append(f'\tsubgraph cluster_row{n} {{\n\t\tgraph [peripheries=0 margin=0 id=row{n} class=row tooltip=""]\n')
        for item in items:
            put(d, *item)
        d.body.append("\t}\n")
    begins = first_nodes(statements, rank, row)
    put(d, "column", [f"back{n}" for n in range(1, rows)], {})
    put(d, "column", begins[0] + [name for n, begin in enumerate(begins[1:], 1) for name in (f"turn{n}", *begin)], {})
    for n, edges in write_edges(d, statements.edges, row).items():
        line_between_rows(d, n, edges, statements.line)


def items_of_rows(statements, row, rows):
    """Return the statements of each row. A frame that goes on in another row is opened there too."""
    found: list = [[] for _ in range(rows)]
    for kind, name, look in statements.items:
        if kind in ("open", "close"):
            for n, at in enumerate(sorted({row[each] for each in statements.frames[name]})):
                found[at].append((kind, f"{name}_{at}" if n else name, look))
        else:
            found[row[name if kind == "node" else name[0]]].append((kind, name, look))
    return found


def first_nodes(statements, rank, row):
    """Return, for each row, its nodes of the lowest rank."""
    lowest: dict = {}
    for name, n in row.items():
        lowest[n] = min(rank[name], lowest.get(n, rank[name]))
    firsts: list = [[] for _ in lowest]
    for name, n in row.items():
        if rank[name] == lowest[n] and name not in statements.owner:
            firsts[n].append(name)
    return firsts


def write_edges(d, edges, row):
    """Write the edges. Return {row: [(tail, look) of each edge that comes into it by the line from the row before]}."""
    lines: dict = defaultdict(list)
    for tail, head, _, look in edges:
        over = range(row[node_of(tail)] + 1, row[node_of(head)] + 1)
        for n in over:
            lines[n].append((tail if n == over[0] else f"back{n - 1}", look))
        if over:
            d.edge(f"back{over[-1]}:s", f"{node_of(head)}:w", tailclip="false", **look)
        else:
            d.edge(tail, head, **look)
    return lines


def line_between_rows(d, n, edges, colour):
    """Write the line from the end of row n - 1 to the beginning of row n; it looks as its edges do."""
    look = next((look for _, look in edges if "penwidth" in look), edges[0][1])
    look = {key: look[key] for key in ("color", "penwidth", "style", "tooltip", "class") if key in look}
    colour = look.get("color", colour)
    outline = f"{float(look.get('penwidth', 1)) - 1:.1f}"  # it makes a flat box as thick as the line
    flat = {"fillcolor": colour, "color": colour, "penwidth": outline, "class": look["class"], "tooltip": look.get("tooltip", "")}
    for side in ("back", "end"):
        d.node(f"{side}{n}", shape="point", width="0.01", style="invis")
    d.node(f"turn{n}", shape="box", style="filled", width="0.04", height="0.015", label="", id=f"turn{n}", **flat)  # no gap in the line
    look |= {"arrowhead": "none", "headclip": "false"}
    for k, tail in enumerate(dict.fromkeys(node_of(tail) for tail, _ in edges)):
        d.edge(f"{tail}:e", f"end{n}:n", id=f"end{n}_{k}", **look)
    d.edge(f"back{n}", f"turn{n}", id=f"back{n}_turn", weight=STRAIGHT, tailclip="false", **look)
    d.edge(f"turn{n}", f"end{n}", id=f"turn{n}_end", weight=STRAIGHT, tailclip="false", **look)

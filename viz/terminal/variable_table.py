"""The stepper's table of variables: marks for x and its children, names, values, total derivatives so far, children."""

from functools import lru_cache
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from viz.terminal.array_lines import in_a_cell
from viz.terminal.style import CHILD, DIM, HEAD, X, Y, cut
from viz.text.array_text import DIGITS
from viz.text.formatter import name_of
from viz.text.narration import distinct_children
from viz.text.schedule_table import columns_of, gradients, heading_of_gradients, rows_in_order

NAME = 16  # most columns of a name
BEFORE_TABLE = 6  # columns for the marks
TOTAL = NAME - 2  # most columns of a total derivative; a mark may follow it
SHORTEST = 7  # columns of a value or a gradient
MANY = 100  # the widths of the columns are measured on so many variables


def neighbourhood(order, near, rows):
    """Return the variables of `order` that fit into `rows` lines: those of `near` first, then those around the first of them.

    A number replaces so many variables that are left out.

    >>> neighbourhood("abcdefghij", "ea", 6)
    ['a', 2, 'd', 'e', 'f', 4]
    """
    if len(order) <= rows:
        return list(order)
    place = {v: k for k, v in enumerate(order)}
    near = [place[v] for v in near]
    centre = near[0] if near else 0
    around = range(max(0, centre - 2 * rows), min(len(order), centre + 2 * rows))
    chosen = {centre}
    for k in [*near[: 2 * rows], *sorted(around, key=lambda k: abs(k - centre))]:
        if len(_with_gaps(order, chosen | {k})) <= rows:
            chosen.add(k)
    return _with_gaps(order, chosen)[:rows] if rows > 2 else [order[centre]] * min(1, rows)


def _with_gaps(order, chosen):
    """Return the variables of `order` at the `chosen` places, and how many are left out between them. A single one is not left out."""
    found = []
    for before, k in pairwise([-1, *sorted(chosen), len(order)]):
        if k - before == 2:
            found.append(order[before + 1])
        elif k - before > 2:
            found.append(k - before - 1)
        found += [order[k]] if k < len(order) else []
    return found


def _near(trace, i, asked):
    """Return x, the active child, and the other children."""
    s = trace[i]
    if asked is not None:
        return [asked, *distinct_children(trace, asked)]
    found = [v for v in (s.x, s.y) if v is not None]
    found += distinct_children(trace, s.x) if s.x is not None else []
    return [v for v in found if v in trace.graph.children]


def _columns(trace, formatter):
    return ["node", "value", heading_of_gradients(trace, formatter), *[column.title for column in columns_of(trace)]]


def _cells(trace, i, v, formatter, shown):
    value = in_a_cell(trace.on.data(v), formatter, NAME) if v in trace.graph.children else ""
    return [name_of(trace, v, formatter), value, shown, *[formatter(column.text(trace, i, v, formatter)) for column in columns_of(trace)]]


@lru_cache(maxsize=1)
def widths_of(trace, formatter, width, code=0):
    """Return the widths of the columns on a screen of `width` columns: the same for the whole run, so that nothing moves between steps.

    The pseudocode takes `code` columns beside the table if it fits there.
    """
    longest = [cell_len(title) for title in _columns(trace, formatter)]
    for v in rows_in_order(trace)[:MANY]:
        final = in_a_cell(trace.computed[v].number, formatter, TOTAL) + formatter(" …") if v in trace.computed else ""
        for i in (0, len(trace) - 1):
            longest = [max(a, cell_len(b)) for a, b in zip(longest, _cells(trace, i, v, formatter, final))]
    if len(trace.graph.order) > MANY:
        longest[1:3] = (max(w, DIGITS + 6) for w in longest[1:3])
    widths = [min(w, NAME) for w in longest[:-1]] + [min(longest[-1], columns_of(trace)[-1].widest)]
    spare = width - BEFORE_TABLE - sum(w + 2 for w in widths) + 2
    if "nodes" in trace.schedule.keeps:
        return _narrowed(widths, -spare)
    beside = spare - 3 - code
    return _widened(widths, longest, spare if beside < 0 else beside)


def _widened(widths, longest, spare):
    """Return the widths with as much of `spare` as the cells need: names of children first, which are cut else."""
    for k in (len(widths) - 1, *range(len(widths) - 1)):
        more = max(0, min(spare, longest[k] - widths[k]))
        widths, spare = [*widths[:k], widths[k] + more, *widths[k + 1 :]], spare - more
    return widths


def _narrowed(widths, excess):
    """Return the widths with values and gradients, which stand below in full, cut by `excess`: what becomes of each node fits then."""
    for k in (1, 2):
        taken = max(0, min(excess, widths[k] - SHORTEST))
        widths, excess = [*widths[:k], widths[k] - taken, *widths[k + 1 :]], excess - taken
    return widths


def rows_of(trace, i, widths, rows, formatter, asked, marked=()):
    """Return the lines of the table: its head, then a line per variable. A child of a `marked` edge has the mark !."""
    if not rows:
        return []
    s, known = trace[i], gradients(trace, i)
    x = s.x if asked is None else asked
    children = {id(y) for y in distinct_children(trace, x)} if x is not None else set()
    lines = [Text(" " * BEFORE_TABLE + _row(_columns(trace, formatter), widths, formatter), HEAD)]
    for v in neighbourhood(rows_in_order(trace), _near(trace, i, asked), rows - 1):
        if isinstance(v, int):
            lines.append(Text(formatter(f"      … {v} more"), DIM))
            continue
        mark, style = ("", None if v in known else DIM)
        if v is x:
            mark, style = "x ▶", X
        elif v is s.y and asked is None:
            mark, style = "y →", Y
        elif id(v) in children:
            mark, style = "y", CHILD
        if any(v is y for y, _ in marked):
            mark, style = "y !", X
        shown = "None" if "nodes" in trace.schedule.keeps and v is not asked else "?"
        if v in known and v is not asked:
            total, final = known[v]
            shown = in_a_cell(total.number, formatter, TOTAL) + ("" if final else formatter(" …"))
        lines.append(Text(f" {formatter(mark):<5}{_row(_cells(trace, i, v, formatter, shown), widths, formatter)}", style or ""))
    return lines


def _row(cells, widths, formatter):
    """Return cells in columns. Numbers are aligned right; the first and the last cell are aligned left."""
    padded = []
    for k, (cell, w) in enumerate(zip(cells, widths)):
        cell = cut(cell, w, formatter)
        space = " " * (w - cell_len(cell))
        padded.append(cell + space if k in (0, len(widths) - 1) else space + cell)
    return "  ".join(padded)

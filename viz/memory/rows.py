"""The rows of a picture of memory: an array has its own row, unless there are too many; then a row is a scope or a kind."""

from typing import NamedTuple

from scalargrad.graph import by_key
from scalargrad.tracing.byte_counts import bytes_at_steps, readable
from viz.memory.sheet import LEFT, LINE, MARGIN, RIGHT
from viz.text.formatter import UNICODE

HIGH, HEAD = 13, 9  # pixels: a bar; the head of an arrow, which marks what stays
ROOM = 74  # for the bytes
SMALLER, OTHERS = "smaller", "others"
PLURAL = {"parameter": "parameters", "constant": "constants", "value": "values", "saved": "saved arrays", "gradient": "gradients"}


class Row(NamedTuple):
    """Arrays that are drawn as one bar: `heights` are their bytes at each step, `size` the most of it.

    `label` is the name of the array or the scope, `more` says what it is.
    """

    label: str
    more: str
    kind: str
    arrays: list
    heights: list
    size: int
    first: int
    last: int
    stays: bool


def rows(arrays, steps, scopes, most):
    """Return at most `most` Rows for the arrays, in the order in which they are made. `scopes` is {variable: its scopes}."""
    if len(arrays) <= most:
        return [row_of_group((UNICODE.name(a.name), a.kind), [a], steps) for a in arrays]
    groups = by_scope(arrays, scopes, most) or by_size(arrays, most)
    return sorted((row_of_group(key, group, steps) for key, group in groups.items()), key=lambda r: r.first)


def by_scope(arrays, scopes, most):
    """Return {(scope, kind): arrays} for the finest level of scopes that gives few enough groups; None if scopes do not help."""
    deepest = max(len(scopes.get(a.variable, ())) for a in arrays)
    for depth in range(deepest, 0, -1):
        groups = by_key(((".".join(scopes.get(a.variable, ())[:depth]) or OTHERS, a.kind), a) for a in arrays)
        if len(groups) <= most:
            return groups if len({scope for scope, _ in groups}) > 1 else None
    return None


def by_size(arrays, most):
    """Return groups: one for each of the largest arrays, and one for the smaller ones of each kind."""
    large = set(map(id, sorted(arrays, key=lambda a: -a.size)[: most - len({a.kind for a in arrays})]))
    return by_key(((id(a) if id(a) in large else SMALLER, a.kind), a) for a in arrays)


def row_of_group(key, group, steps):
    """Return the Row of a group, whose key is (the name of an array or a scope, kind)."""
    label, kind = key
    if len(group) == 1:
        label, more = UNICODE.name(group[0].name), kind
    else:
        label, more = UNICODE.words(label), f"{len(group):,} {PLURAL[kind]}"
    heights = bytes_at_steps(group, steps)
    last = steps - 1 if any(a.freed is None for a in group) else max(a.freed for a in group)
    return Row(label, more, kind, group, heights, max(heights), min(a.made for a in group), last, heights[-1] > 0)


def bars(sheet, rows, told):
    """Draw the rows below what the sheet shows so far. `told` says a row in words."""
    for row in rows:
        sheet.y += LINE
        sheet.label(sheet.y, row.label, row.more, LEFT - ROOM - MARGIN)
        sheet.text(LEFT - 10, sheet.y, readable(row.size), "right")
        sheet.path("track", f"M{LEFT} {sheet.y + 4.5:g}H{RIGHT}")
        sheet.path(row.kind, outline(sheet, row, sheet.y - 4 + HIGH / 2), told(row))


def outline(sheet, row, bottom):
    """Return the path of a row: as high as the bytes that exist at each step."""
    path = f"M{sheet.x(row.first):.1f} {bottom:g}"
    for i in range(row.first, row.last + 1):
        high = HIGH * row.heights[i] / (row.size or 1)
        path += f"V{bottom - high:.1f}H{sheet.x(i + 1):.1f}" if i == row.first or row.heights[i] != row.heights[i - 1] else ""
        path += f"H{sheet.x(i + 1):.1f}" if i == row.last else ""
    return path + (f"l{HEAD} {high / 2:.1f}l{-HEAD} {high / 2:.1f}Z" if row.stays else f"V{bottom:g}Z")

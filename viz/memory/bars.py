"""Draw a row for each array, or for each group of arrays: its name, its bytes, and a bar over the steps at which it exists."""

from scalargrad.tracing.byte_counts import readable
from viz.memory.sheet import LEFT, LINE, MARGIN, RIGHT

HIGH, HEAD = 13, 9  # pixels: a bar; the head of an arrow, which marks what stays
ROOM = 74  # for the bytes


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

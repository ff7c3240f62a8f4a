"""Draw arrays at their addresses in an arena: each follows the one that was made before it, and nothing is freed before the rewind."""

from scalargrad.tracing.byte_counts import readable
from viz.drawing.svg.html_label import width
from viz.memory.sheet import LEFT, LINE, MARGIN, RIGHT, TEXT
from viz.text.formatter import UNICODE

HIGH, THINNEST = 230, 0.4  # pixels: the arena, a block
MOST_BLOCKS = 120


def arena(sheet, stay, batch, told):
    """Draw what stays below the mark, and a batch above it until the rewind. `told` says arrays in words."""
    permanent = sum(a.size for a in stay if a.freed is None)
    total = permanent + sum(a.size for a in batch) or 1
    top = sheet.y + LINE
    bottom, end = top + HIGH, sheet.x(sheet.steps - 1)
    level = lambda address: bottom - HIGH * address / total
    sheet.path("frame", f"M{LEFT} {top}V{bottom}H{RIGHT}")
    for block in [*blocks([a for a in stay if a.freed is None], 0), *blocks(batch, permanent)]:
        draw_block(sheet, block, level, RIGHT if block[1] < permanent else end, told)
    mark = level(permanent)
    sheet.path("mark", f"M{LEFT - 8} {mark:.1f}H{RIGHT}")
    sheet.text(LEFT - 12, min(mark + 4, bottom), "mark", "right name")
    sheet.text(LEFT - 12, top + 10, readable(total), "right")
    sheet.text(MARGIN, top + 10, "address", "name")
    sheet.text(MARGIN, bottom - LINE + 4, "below the mark:", "quiet")
    sheet.text(MARGIN, bottom, "parameters, gradients", "quiet")
    sheet.path("rewind", f"M{(end + RIGHT) / 2:.1f} {top}V{mark - 3:.1f}m-4 -7l4 7l4 -7")
    sheet.text(RIGHT, top - 5, "rewind", "right name")
    sheet.y = bottom


def blocks(arrays, address):
    """Return [(arrays, address, next address)] from an address on. If the arrays are many, small neighbours are one block."""
    least = sum(a.size for a in arrays) / MOST_BLOCKS if len(arrays) > MOST_BLOCKS else 0
    found: list = []
    for a in arrays:
        group, start, _ = found[-1] if found else ((), 0, 0)
        if group and address - start + a.size < least:
            found[-1] = ([*group, a], start, address + a.size)
        else:
            found.append(([a], address, address + a.size))
        address += a.size
    return found


def draw_block(sheet, block, level, end, told):
    """Draw arrays from the step that makes them to the step that frees them, and dotted from there to `end`."""
    arrays, start, stop = block
    left, top, high = sheet.x(arrays[0].made), level(stop), max(level(start) - level(stop), THINNEST)
    freed = None if any(a.freed is None for a in arrays) else max(a.freed for a in arrays)
    right = end if freed is None else min(end, sheet.x(freed + 1))
    sheet.box(max(arrays, key=lambda a: a.size).kind, left, top, right - left, high, told(arrays))
    if right < end:
        sheet.box("freed", right, top, end - right, high)
    name = UNICODE.name(arrays[0].name)
    if len(arrays) == 1 and high > TEXT and width(name, TEXT) + 8 <= end - left:
        sheet.text(left + 4, top + high / 2 + 4, name)

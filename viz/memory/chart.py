"""Draw the bytes at each step: an area for the prediction, dots or a dashed line for the measurement, and the passes above it."""

from itertools import groupby

from scalargrad.tracing.byte_counts import readable
from viz.memory.sheet import LEFT, LINE, MARGIN, length, shortened
from viz.text.formatter import UNICODE

HIGH, ROOM = 96, 8  # pixels: the chart, and the room above its highest point
MOST_DOTS = 120  # steps
NARROWEST = 24  # pixels; a narrower step has no name


def chart(sheet, found, measured):
    """Draw the chart below what the sheet shows so far."""
    top = sheet.y + 1.8 * LINE
    bottom = sheet.y = top + HIGH
    phases(sheet, found.steps, top, bottom)
    peak = max(found.peak, *(measured or [0])) or 1
    level = lambda size: bottom - (HIGH - ROOM) * size / peak
    sheet.path("value", f"M{sheet.x(0):.1f} {bottom}{corners(sheet, found.bytes, level)}V{bottom}Z")
    dots = sheet.steps <= MOST_DOTS
    if measured is not None and dots:
        for i, size in enumerate(measured):
            sheet.drawn.append(f'<circle class="dot" cx="{sheet.x(i + 0.5):.1f}" cy="{level(size):.1f}" r="3"/>')
    elif measured is not None:
        sheet.path("measured", f"M{sheet.x(0):.1f} {level(measured[0]):.1f}{corners(sheet, measured, level)}")
    sheet.text(LEFT - 10, top + ROOM + 4, readable(peak), "right")
    sheet.text(LEFT - 10, bottom, "0", "right quiet")
    said = [("bytes at each step", "name"), ("area: predicted", "quiet")]
    said += [(f"{'dots' if dots else 'dashed line'}: measured", "quiet")] * (measured is not None)
    for i, (text, look) in enumerate(said):
        sheet.text(MARGIN, top + 12 + i * LINE, text, look)
    if sheet.wide >= NARROWEST:
        sheet.y += LINE - 4
        for i, step in enumerate(found.steps):
            sheet.text(sheet.x(i + 0.5), sheet.y, shortened(UNICODE.name(step.name), sheet.wide - 3), "middle quiet")


def corners(sheet, heights, level):
    """Return the path of a line that has one level in each step."""
    return "".join(f"V{level(size):.1f}H{sheet.x(i + 1):.1f}" for i, size in enumerate(heights))


def phases(sheet, steps, top, bottom):
    """Draw a line where each pass begins, and its name above it."""
    for phase, group in groupby(range(len(steps)), key=lambda i: steps[i].phase):
        places = list(group)
        sheet.path("rule", f"M{sheet.x(places[0]):.1f} {top - 12}V{bottom}")
        said = f"{phase} pass" if phase in ("forward", "backward") else phase
        if length(said) <= sheet.wide * len(places):
            sheet.text(sheet.x((places[0] + places[-1] + 1) / 2), top - 4, said, "middle quiet")

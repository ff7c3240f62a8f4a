"""Three pictures of the memory of a forward and a backward pass, as one SVG: what stays, what comes and goes, what an arena would need."""

from itertools import groupby

from scalargrad.callers import called_function
from scalargrad.graph import Graph, scopes_of
from scalargrad.tracing.byte_counts import readable
from scalargrad.tracing.quantities import quantities
from scalargrad.tracing.trace import Trace
from scalargrad.user_names.function_result import result_of
from scalargrad.user_names.names import name_all
from viz.document import Picture
from viz.drawing.svg.html_label import width
from viz.memory.rows import bars, rows
from viz.memory.sentences import Sentences
from viz.memory.sheet import LEFT, LINE, MARGIN, RIGHT, TEXT, Sheet, length, shortened
from viz.options import choose, require
from viz.text.formatter import UNICODE
from viz.theme import THEMES

HIGH, ROOM = 96, 8  # pixels: the chart, and the room above its highest point
MOST_DOTS = 120  # steps
NARROWEST = 24  # pixels; a narrower step has no name


def lifetimes(
    z, *, title: str = "Memory of both passes", theme: str = "auto", retain_graph: bool = False, only_bars: bool = False
) -> Picture:
    """Draw which array of a graph of tensors exists when, in step with the forward and the backward pass. `.save("memory.svg")` it.

    Along the x axis stand the steps: each function in the forward pass, then each in the backward pass. The picture has four parts:
    the bytes that exist at each step, predicted from the graph and measured in a real run; parameters and their gradients, which
    stay; the arrays of a batch, which come and go, a bar for each; and the same arrays at their addresses in an arena, which one
    rewind to a mark frees at once. Where there are more than about 40 arrays, a bar stands for those of a scope. With `only_bars`
    the picture has the bars of the batch alone.

    z is a Tensor, a Trace, `memory(z).lifetimes()`, or a function of no arguments that returns a Tensor. To measure, the graph is
    computed again. `retain_graph` is that of `backward()`. `theme` is "light", "dark", or "auto" for what the reader prefers.
    Raises TypeError for a graph of numbers, RuntimeError if backward() has released the graph.

    >>> import tensorgrad
    >>> W = tensorgrad.Tensor([[1.0, 2.0], [3.0, 4.0]], name="W"); z = (W @ W).tanh().sum()
    >>> picture = lifetimes(z); picture.svg.count("<title>") > 10, "measured: the same at every step" in picture.svg
    (True, True)
    """
    require(title=title)
    choose((*THEMES, AUTO), theme=theme)
    found = lifetimes_of(z, retain_graph)
    if only_bars:
        return Picture(z, title, picture_of_bars(found, title, theme))
    measured, why = measured_bytes(found)
    return Picture(z, title, picture(found, measured, why, scopes_of(found.turn), title, theme))


def lifetimes_of(z, retain_graph=False):
    """Return the predicted lifetimes of z, which may have them already. Raises TypeError for a graph of numbers."""
    if hasattr(z, "arrays") and hasattr(z, "turn"):
        return z
    z, leaves = result_of(z)  # the leaves live until `on` has their arrays
    on = z.on if isinstance(z, Trace) else quantities(graph := Graph(z), name_all(graph))
    if not hasattr(on, "lifetimes"):
        raise TypeError(f"{called_function()}: a graph of numbers holds no arrays; draw the memory of a graph of tensors")
    return on.lifetimes(retain_graph)


def measured_bytes(found):
    """Return the bytes at each step of a real run and "", or None and a sentence that says why nothing was measured."""
    try:
        return found.measured().bytes, ""
    except ValueError as gone:
        return None, str(gone)


def picture(found, measured, why, scopes, title, theme):
    """Return the SVG of predicted lifetimes. `measured` are bytes at each step, or None and `why`; `scopes` is {variable: its scopes}."""
    steps, said = len(found.steps), Sentences(found, measured, why)
    stay, batch = parted(found.arrays)
    told = lambda row: said.arrays(row.arrays)
    sheet = Sheet(steps)
    sheet.text(MARGIN, sheet.y, title, "title")
    for sentences in said.summary():
        sheet.paragraph(sentences)
    chart(sheet, found, measured)
    sheet.heading("Parameters and their gradients stay", said.stays(stay))
    bars(sheet, rows(stay, steps, scopes, MOST_STAY), told)
    sheet.heading("A batch's arrays come and go", said.comes_and_goes(batch))
    bars(sheet, rows(batch, steps, scopes, MOST_BATCH), told)
    sheet.heading("In an arena, one rewind to the mark frees a batch", said.arena(batch))
    arena(sheet, stay, batch, said.arrays)
    sheet.legend(dict.fromkeys(a.kind for a in found.arrays))
    return sheet.svg(title, said.alternative(), theme)


def parted(arrays):
    """Return the parameters and their gradients, which stay, and the arrays of a batch."""
    stays = lambda a: a.kind == "parameter" or (a.kind == "gradient" and a.freed is None)
    return [a for a in arrays if stays(a)], [a for a in arrays if not stays(a)]


def picture_of_bars(found, title, theme):
    """Return the SVG of the arrays of a batch alone, a bar for each."""
    said, sheet, (_, batch) = Sentences(found, None, ""), Sheet(len(found.steps)), parted(found.arrays)
    sheet.text(MARGIN, sheet.y, title, "title")
    sheet.y += 1.5 * LINE
    top = sheet.y + 4
    bars(sheet, rows(batch, len(found.steps), scopes_of(found.turn), MOST_BATCH), lambda row: said.arrays(row.arrays))
    phases(sheet, found.steps, top, sheet.y)
    sheet.legend(dict.fromkeys(a.kind for a in batch))
    return sheet.svg(title, said.alternative(), theme)


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


AUTO = "auto"
MOST_STAY, MOST_BATCH = 16, 40  # rows

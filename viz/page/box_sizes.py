"""The sizes of variables' boxes and of edges' labels on the page. Knows texts and fonts, not places."""

import re
from functools import cache
from typing import NamedTuple

from scalargrad.formulas.text import shape_text, shown_in_full
from scalargrad.names import within_scopes
from viz.array_text import entries, statistics
from viz.drawing.html_label import LONGEST_NAME, cut, width
from viz.ink import UNICODE

# Font sizes in pixels of the scene. The fonts of a page may be wider than Arial, by the factor WIDER.
SHAPE, BAND, FORMULA, LABEL, NUMBER, CELL, WIDER = 17, 20, 18, 20, 19, 16, 1.18
HEAD, FOOT = 43, 30  # the line with name and value; the band with the gradient
SIDE, GAP = 14, 18  # room beside a text; between name and value
ABOVE, BELOW = 7, 24  # room above a box for its tag, and below a roomy box for its formula
LABEL_HEIGHT, LABEL_LINE, LABEL_SIDE = 34, 20, 8
DECIMAL, FEW_DIGITS = re.compile(r"(−?)(\d+\.\d+)(e.*)?"), 4
ROW, CELL_SIDE, BLOCK_SPACE = 24, 6, 8
WIDEST_BESIDE = 240  # pixels; in a wider box the array is below the name
SUMMARY = 26  # the height of the line of statistics of a large array
MARK = 22  # the width of the number of an edge, if a function uses a variable twice
FOLD = 50


class Look(NamedTuple):
    """How boxes are built: font sizes, heights, and the room beside texts."""

    name: int
    value: int
    head: int  # the line with name and value
    foot: int  # the band with the gradient
    below: int  # room for the formula
    side: int
    gap: int  # between name and value
    narrowest: int
    widest_formula: int  # a box is as wide as its formula, up to this width; a longer formula is cut, and the tooltip has all of it
    stacked: bool  # labels have two lines
    compact: bool  # numbers have few digits


ROOMY = Look(25, 22, HEAD, FOOT, BELOW, SIDE, GAP, 150, 240, stacked=False, compact=False)
NEAR = ROOMY._replace(stacked=True)
COMPACT = Look(23, 20, 32, 27, 20, 8, 12, 90, 150, stacked=True, compact=True)


def boxes_of(trace, look=ROOMY):
    """Return the boxes of all variables, in the order of the graph."""
    on = with_brief_names(trace)
    found = {v: {} for v in trace.graph.variables}
    for s in trace.steps:
        if s.total is not None and s.x in found:
            found[s.x][id(s.total.number)] = s.total.number
    return [box_of(on, v, list(totals.values()), look) for v, totals in found.items()]


def with_brief_names(trace):
    """Return `trace.on` with names as they are within their scopes, and long names cut."""
    return trace.on.renamed({v: cut(name, LONGEST_NAME) for v, name in within_scopes(trace.names).items()})


def box_of(on, v, totals, look):
    """Return the box of a variable: `w`, `h`, the room `pad` above and below; for an array also the places of its numbers.

    `totals` are all values of v's gradient during the trace.
    """
    formula = wide(UNICODE.formula(on.written(v)), FORMULA) if v.rule else 0
    pad = look.below if v.rule else ABOVE
    name = wide(UNICODE.name(on.name(v)), look.name)
    shape = getattr(v, "shape", ())
    least = max(look.narrowest, min(formula, look.widest_formula))
    if shape:
        return array_box(on, v, totals, name, least, pad)
    value = wide(written(on.data(v), look), look.value)
    w = max(least, look.side + name + look.gap + value + look.side, max(band_widths(on, v, totals, look)) + look.side)
    return {"w": rounded(w), "h": look.head + look.foot, "pad": pad, **({"head": look.head} if look.compact else {})}


def band_widths(on, v, totals, look):
    named = "" if look.compact else f"{UNICODE.formula(on.total(v))} = "
    return [wide(f"{named}{text}", BAND) for text in ["?", *(f"{written(n, look)} …" for n in totals)]]


def written(number, look):
    """Return a number as a box shows it; a compact box shows at most four digits. The page (graph.js: brief) does the same."""
    text = UNICODE.number(number)
    found = DECIMAL.fullmatch(text) if look.compact else None
    if not found:
        return text
    sign, digits, exponent = found.groups("")
    return min(text, f"{sign}{float(digits):#.{max(FEW_DIGITS, digits.index('.'))}g}{exponent}", key=len)


def array_box(on, v, totals, name, least, pad):
    """Return the box of an array: its numbers above, those of its gradient below, each beside its name, or below it if they are wide."""
    shape = v.shape
    named = SIDE + name + GAP + wide(shape_text(shape), SHAPE) + SIDE
    banded = SIDE + wide(UNICODE.formula(on.total(v)), BAND) + SIDE
    arrays = [a for a in (on.data(v), *totals) if hasattr(a, "tolist") and getattr(a, "shape", None) == shape]
    if arrays and shown_in_full(shape):
        grids = [entries(a, UNICODE) for a in arrays]
        columns = [max(wide(grid[i][j], CELL) for grid in grids for i in range(len(grid))) + 2 * CELL_SIDE for j in range(len(grids[0][0]))]
        inner, tall = sum(columns), ROW * len(grids[0])
        if (w := max(least, max(named, banded) + inner + SIDE)) <= WIDEST_BESIDE:
            block = max(HEAD, tall + 2 * BLOCK_SPACE)
            return blocks(w, 2 * block, w - SIDE - inner, [(block - tall) / 2, block + (block - tall) / 2], columns, inner, tall, pad)
    else:
        columns, tall = [], SUMMARY
        inner = max([wide(statistics(a, UNICODE), CELL) for a in arrays], default=0)
    w, block = max(least, named, banded, inner + 2 * SIDE), tall + BLOCK_SPACE
    return blocks(w, HEAD + block + FOOT + block, (w - inner) / 2, [HEAD, HEAD + block + FOOT], columns, inner, tall, pad)


def blocks(w, h, x, ys, columns, inner, tall, pad):
    """Return a box with two arrays: the value and the gradient."""
    value, total = ({"x": rounded(x), "y": y, "w": rounded(inner), "h": tall} for y in ys)
    return {"w": rounded(w), "h": h, "pad": pad, "value": value, "total": total, "columns": [rounded(c) for c in columns]}


def label_of(on, y, slot, several, look=ROOMY):
    """Return the size of an edge's label: ∂y/∂x = 3, or G_XY between arrays. `several` edges between the same variables are numbered."""
    lines = [UNICODE.formula(on.ratio(y, slot))]
    number = on.on_edge(y, slot, {})
    if number is not None:
        lines.append(f"= {written(number, look)}")
    if look.stacked and number is not None:
        inner = max(width(lines[0], LABEL), wide(lines[1], NUMBER))  # the page brings the font of the first line
        return rounded(inner + 2 * LABEL_SIDE + MARK * several), 2 * LABEL_LINE + 4
    return rounded(wide(" ".join(lines), LABEL) + 2 * LABEL_SIDE + MARK * several), LABEL_HEIGHT


def wide(text, size):
    return width(text, size) * WIDER


def rounded(number):
    return round(number, 1)


def lines_of(count, noun):
    """Return the two lines in a fold: the number of variables that are not shown, and what they are."""
    nouns = {"child": "children", "z": "up to z"}
    return [f"{count:,} more", noun if count == 1 else nouns.get(noun, noun + "s")]


@cache
def size_of_fold(count, noun):
    return rounded(max(wide(line, CELL) for line in lines_of(count, noun)) + SIDE), FOLD, 0

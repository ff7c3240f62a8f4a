"""The sizes of variables' boxes and of edges' labels on the page. Knows texts and fonts, not places."""

import re
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

from scalargrad.formulas.text import shape_text, shown_in_full
from scalargrad.user_names.names import without_frames
from viz.array_picture import picture
from viz.drawing.svg.html_label import LONGEST_NAME, cut, width
from viz.page.scenes.text_sizes import NUMBER, ROOMY
from viz.text.array_text import entries, statistics
from viz.text.formatter import FREED, UNICODE
from viz.text.short_names import short_names

WIDER = 1.18  # the sans-serif font of a page may be wider than Arial
MATH_FONT = 1.15  # the page brings its font of formulas, in which =, / and ∂ are wider
FORMULA_LINE, BREAK = 1.25, re.compile(r" [+−/] |·|, ")  # the height of a second line of a formula, in font sizes; where it may begin
WITHIN = 5  # letters: as in formula_lines.js, which breaks the formula at the same place
LABEL_HEIGHT, LABEL_LINE, LABEL_SIDE = 1.65, 1.0, 8  # the height of a label and of a line in it, in font sizes; room beside its text
WIDER_COMPACT, WIDER_FORMULA, LONGEST_FORMULA = 1.15, 1.1, 300  # a formula may be so much wider than its box, or so wide: as in nodes.js
DECIMAL, FEW_DIGITS = re.compile(r"(−?)(\d+\.\d+)(e.*)?"), 4
MOST_NUMBERS = 20_000  # that are kept: several looks write the same
CELL_SIDE, BLOCK_SPACE = 6, 8
LIKELY = ["−8.8"]  # a column of an array has room for such a number: a nudge changes the entries
WIDEST_BESIDE = 1.6  # times the narrowest box; in a wider box the array is below the name
WIDEST_LOW = 3  # the same if entries have no numbers
SUMMARY, NOTE = 1.4, 1.15  # the heights of the numbers of a scale, or of words in their place, and of a note below them, in font sizes
# Between matrices; of the bar of a scale, with room around it. picture.js has both.
MATRIX_GAP, BAR_HEIGHT = 4, 14
SMALLEST_CELL, FEWEST_CELLS = 2, 6  # units; a cell is at most a sixth of the picture's height
WIDER_PICTURE = 1.4  # times the height of a picture
FUNCTION_HEIGHT, TO_OUTPUT = 1.6, 26  # of the node of a function, in font sizes; the arrow from there to the box of its output
WIDEST_TURNED = 380  # units of a box with two pictures side by side in a turned graph, which is as wide as a phone
MARK = 1.1  # the width of the number of an edge, if a function uses a variable twice, in font sizes
FOLD = 2.8  # the height of a fold, in font sizes
FACTOR, FACTOR_HEIGHT = 5.4, 1.5  # the size of a factor, × 0.25, at most, in font sizes
AROUND_FACTOR, FIGURE, NARROW_FIGURES = 1.8, 0.7, {".": 0.39, "−": 0.92}  # as in factorMark of live_marks.js: its ×, and its letters
UNDER = 0.8  # the height of a value that stands under its name, in heads


class Texts:
    """What boxes and labels of a trace say, written once for all looks. `gradients` are all values of a variable's gradient during the
    trace; those of numbers, their `values` and `partials` are texts.
    """

    def __init__(self, trace):
        self.on = on = with_brief_names(trace)
        gradients, edges = {v: {} for v in trace.graph.variables}, [edge for edges in trace.graph.children.values() for edge in edges]
        for s in trace.steps:
            if s.total is not None and s.x in gradients:
                gradients[s.x][id(s.total.number)] = s.total.number
        self.names = {v: UNICODE.name(on.name(v)) for v in gradients}
        self.totals = {v: UNICODE.formula(on.total(v)) for v in gradients}
        self.formulas = {v: UNICODE.formula(on.written(v)) for v in gradients if v.rule}
        self.values = {v: UNICODE.number(on.data(v)) for v in gradients if not getattr(v, "shape", ())}
        self.gradients = {
            v: list(map(UNICODE.number, found.values()) if v in self.values else found.values()) for v, found in gradients.items()
        }
        self.ratios = {edge: UNICODE.formula(on.ratio(*edge)) for edge in edges}
        self.partials = {edge: UNICODE.number(number) for edge in edges if (number := on.on_edge(*edge, {})) is not None}


TEXTS: WeakKeyDictionary = WeakKeyDictionary()


def texts_of(trace):
    """Return the Texts of a trace."""
    if trace not in TEXTS:
        TEXTS[trace] = Texts(trace)
    return TEXTS[trace]


def boxes_of(trace, look=ROOMY):
    """Return the boxes of all variables, in the order of the graph."""
    texts = texts_of(trace)
    return [with_function(box_of(texts, v, look), v, look) for v in trace.graph.variables]


def with_function(box, v, look):
    """Return a box with the node of v's function before it, if functions are nodes: the sizes of the node, and the room before the box."""
    if not (look.functions and v.rule):
        return box
    w, h = in_math_font(cut(v.rule.name, LONGEST_NAME), look.formula) + 2 * look.side, FUNCTION_HEIGHT * look.formula
    along, long = ("h", h) if look.turned else ("w", w)
    before = rounded(long + TO_OUTPUT)
    return {**box, along: rounded(box[along] + before), "function": {"w": rounded(w), "h": rounded(h), "before": before}}


def with_brief_names(trace):
    """Return `trace.on` with names without scopes where that is enough, and short forms of long names."""
    names = without_frames(trace.names)
    short = short_names(names.values())
    return trace.on.renamed({v: short.get(name, name) for v, name in names.items()})


def box_of(texts, v, look):
    """Return the box of a variable: `w`, `h`, the room `pad` above and below; for an array also the places of its numbers. The value of
    a number with a long name stands `under` it, by so much.
    """
    formula, lines = formula_below(texts.formulas[v], look) if v.rule and not look.functions and not look.bare else (0, 1)
    pad = look.below + (lines - 1) * FORMULA_LINE * look.formula if v.rule else look.above
    name = in_math_font(texts.names[v], look.name)
    shape = getattr(v, "shape", ())
    least = max(look.narrowest, min(formula, look.widest_formula))
    if shape and not look.entries:
        lines = name + look.gap + wide(shape_text(shape), look.shape), in_math_font(texts.totals[v], look.total)
        return {"w": rounded(max(least, max(lines) + 2 * look.side)), "h": look.head + look.foot, "pad": pad}
    if shape:
        return array_box(texts, v, name, least, pad, look)
    value = max(wide(text, look.value) for text in (brief(texts.values[v], look), *look.changed))
    band = max(band_widths(texts, v, look)) if look.foot else 0
    beside = max(least, look.side + name + look.gap + value + look.side, band + look.side)
    under = max(least, max(name, value) + 2 * look.side, band + look.side)
    is_under = look.compact and not look.turned and beside - under >= look.saved  # a row of boxes is wide, not high
    w, h = (under, rounded((1 + UNDER) * look.head) + look.foot) if is_under else (beside, look.head + look.foot)
    found = {"w": rounded(w), "h": h, "pad": rounded(pad)} | ({"lines": lines} if lines > 1 else {})
    return found | ({"under": rounded(UNDER * look.head)} if is_under else {})


def formula_below(text, look):
    """Return the width of a formula below a box, and the number of its lines: a long formula below a compact box has two.

    >>> from viz.page.scenes.text_sizes import COMPACT
    >>> formula_below("wx + b", COMPACT)[1], formula_below("tanh(wx·0.5 + wh·h1 + b)", COMPACT)[1]
    (1, 2)
    """
    whole = in_math_font(text, look.formula)
    if whole <= look.widest_formula or not look.compact:
        return whole, 1
    within = lambda k: WITHIN * (text[:k].count("(") - text[:k].count(")"))
    k = min((m.start() for m in BREAK.finditer(text)), key=lambda k: abs(k - len(text) / 2) + within(k), default=0)
    return (max(in_math_font(part, look.formula) for part in (text[:k], text[k:])), 2) if k else (whole, 1)


def painted_formula(texts, v, box, look):
    """Return the width of the formula that the page paints below a box, as formulaBelow in nodes.js; 0 if there is none."""
    if not v.rule or look.functions or look.bare:
        return 0
    room = box["w"] if look.turned else WIDER_COMPACT * box["w"] if look.compact else max(WIDER_FORMULA * box["w"], LONGEST_FORMULA)
    return min(formula_below(texts.formulas[v], look)[0], room)


def band_widths(texts, v, look):
    equals, more = ("=", "…") if look.turned else (" = ", " …")
    named = 0 if look.compact else in_math_font(f"{texts.totals[v]}{equals}", look.total)
    return [named + wide(text, NUMBER * look.total) for text in ["?", *(f"{brief(n, look)}{more}" for n in texts.gradients[v])]]


def brief(text, look):
    """Return a number as a box shows it; a compact box shows at most four digits. The page (brief_numbers.js) does the same."""
    return four_digits(text) if look.compact else text


@lru_cache(maxsize=MOST_NUMBERS)
def four_digits(text):
    """Return a number with at most four digits."""
    found = DECIMAL.fullmatch(text)
    if not found:
        return text
    sign, digits, exponent = found.groups("")
    return min(text, f"{sign}{float(digits):#.{max(FEW_DIGITS, digits.index('.'))}g}{exponent}", key=len)


def array_box(texts, v, name, least, pad, look):
    """Return the box of an array: its numbers above, those of its gradient below, each beside its name, or below it if they are wide."""
    shape = v.shape
    named = look.side + name + look.gap + wide(shape_text(shape), look.shape) + look.side
    banded = bool(look.foot) * (look.side + in_math_font(texts.totals[v], look.total) + look.side)
    arrays = [a for a in (texts.on.data(v), *texts.gradients[v]) if hasattr(a, "tolist") and getattr(a, "shape", None) == shape]
    if arrays and shown_in_full(shape):
        grids = [entries(a, UNICODE) for a in arrays]
        columns = [look.swatch] * len(grids[0][0]) if look.swatch else columns_of(grids, look)
        inner, tall = sum(columns), look.row * len(grids[0])
        if (w := max(least, max(named, banded) + inner + look.side)) <= (WIDEST_LOW if look.swatch else WIDEST_BESIDE) * look.narrowest:
            block = max(look.head, tall + 2 * BLOCK_SPACE)
            above = (block - tall) / 2
            return blocks(look, w, [block, 2 * block], w - look.side - inner, [above, block + above], columns, inner, tall, pad)
    elif pictures := [found for a in arrays if (found := picture(a))]:
        return picture_box(pictures, named, banded, least, pad, look)
    else:
        columns, tall = [], SUMMARY * look.cell
        inner = wide(statistics(arrays[0], UNICODE) if arrays else FREED, look.cell)
    w, high = max(least, named, banded, inner + 2 * look.side), look.head + tall + BLOCK_SPACE
    heights = high, high + look.foot + tall + BLOCK_SPACE
    return blocks(look, w, heights, (w - inner) / 2, [look.head, high + look.foot], columns, inner, tall, pad)


def columns_of(grids, look):
    """Return the widths of the columns of a grid that holds the numbers of several."""
    return [
        max(wide(row[j], look.cell) for row in [LIKELY * len(grids[0][0]), *(row for grid in grids for row in grid)]) + 2 * CELL_SIDE
        for j in range(len(grids[0][0]))
    ]


def picture_box(pictures, named, banded, least, pad, look):
    """Return the box of an array that is a picture.

    The picture of its gradient is at the right; below, if the graph is turned or the look is upright.

    `cell` is the size of a cell; `split` is where the right half begins.
    """
    first, room = pictures[0], look.picture
    gaps = [MATRIX_GAP * (n - 1) for n in (first.across, first.down)]
    most = (WIDER_PICTURE * room - gaps[0]) / (first.across * first.columns), (room - gaps[1]) / (first.down * first.rows)
    cell = max(SMALLEST_CELL, rounded(min(room / FEWEST_CELLS, *most)))
    noted = any(found.note for found in pictures)
    tall = first.down * first.rows * cell + gaps[1]
    if not look.swatch:
        tall += BAR_HEIGHT + (SUMMARY + NOTE * noted) * look.cell
    scales = [] if look.swatch else [scale_width(found, look) for found in pictures]
    inner = max([first.across * first.columns * cell + gaps[0], *scales])
    block = {"cell": cell}
    if not look.foot or look.upright or look.turned and (not look.swatch or 2 * max(named, banded) > WIDEST_TURNED):
        w, high = max(least, named, banded, inner + 2 * look.side), look.head + tall + BLOCK_SPACE
        heights = high, high + look.foot + tall + BLOCK_SPACE
        return blocks(look, w, heights, (w - inner) / 2, [look.head, high + look.foot], [], inner, tall, pad) | block
    half = max(least / 2, named, banded, inner + 2 * look.side)
    found = blocks(look, 2 * half, [look.head + tall + BLOCK_SPACE] * 2, (half - inner) / 2, [look.head] * 2, [], inner, tall, pad) | block
    found["total"]["x"] = rounded(found["value"]["x"] + half)
    return found | {"split": rounded(half)}


def scale_width(found, look):
    """Return the width of the numbers below the bar of a picture's scale, or of its note."""
    labels = [*found.labels, *["0"] * (found.zero is not None)]
    numbers = sum(wide(label, look.cell) for label in labels) + look.cell * (len(labels) - 1) * 0.75
    return max(numbers, wide(found.note, look.cell))


def blocks(look, w, heights, x, ys, columns, inner, tall, pad):
    """Return a box with two arrays, the value and the gradient; its `heights` are up to each of them. In a box without a foot only the
    value is shown.
    """
    h = heights[bool(look.foot)]
    value, total = ({"x": rounded(x), "y": rounded(y), "w": rounded(inner), "h": rounded(tall)} for y in ys)
    return {"w": rounded(w), "h": rounded(h), "pad": pad, "value": value, "total": total, "columns": [rounded(c) for c in columns]}


def label_of(texts, y, slot, several, look=ROOMY):
    """Return the size of an edge's label: ∂y/∂x = 3, or G_XY between arrays. `several` edges between the same variables are numbered."""
    ratio, number = in_math_font(texts.ratios[y, slot], look.label), texts.partials.get((y, slot))
    rest = 0 if number is None else in_math_font(" = ", look.label) + wide(brief(number, look), NUMBER * look.label)
    around = 2 * LABEL_SIDE + MARK * look.label * several
    if look.stacked and number is not None:
        return rounded(max(ratio, rest) + around), rounded(2 * LABEL_LINE * look.label + 4)
    return rounded(ratio + rest + around), rounded(LABEL_HEIGHT * look.label)


def factor_width(number, look):
    """Return the width of the label of a factor; `number` is its text, or None between arrays.

    >>> from viz.page.scenes.text_sizes import COMPACT
    >>> factor_width("1", COMPACT) < factor_width("−0.3442", COMPACT) == factor_width(None, COMPACT)
    True
    """
    letters = FACTOR if number is None else AROUND_FACTOR + sum(NARROW_FIGURES.get(figure, FIGURE) for figure in brief(number, look))
    return rounded(min(letters, FACTOR) * look.label)


def wide(text, size):
    return width(text, size) * WIDER


def in_math_font(text, size):
    return width(text, size) * MATH_FONT


def rounded(number):
    return round(number, 1)


def lines_of(count, noun, z):
    """Return the two lines in a fold: the number of variables that are not shown, and what they are; for z alone its name, `z`."""
    nouns = {"child": "children", "z": f"up to {z}"}
    if (count, noun) == (1, "z"):
        return ["on to", z]
    return [f"{count:,} more", noun if count == 1 else nouns.get(noun, noun + "s")]


@cache
def size_of_fold(count, noun, z, look):
    """Return the width and the height of a fold."""
    return rounded(max(wide(line, look.cell) for line in lines_of(count, noun, z)) + ROOMY.side), rounded(FOLD * look.cell)

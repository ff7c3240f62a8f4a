"""Draw the graph of a difference: a wrong box has a thick red frame and two halves, what the engine got and what is right."""

import re
from fractions import Fraction

from tutorial.exercises.broken_engine.facts import number_text
from viz.drawing.box_contents import in_four_digits
from viz.drawing.svg.graphviz_engine import Drawing
from viz.drawing.svg.html_label import FONT, Line, apart, frame, gap, row, rows, space, table, tip
from viz.theme import DARK, LIGHT

SHORT = 6  # letters of a fraction
NAME, NUMBER, EDGE = 16, 13, 12  # font sizes
MARGIN, THICK = 8, 3  # points
LEAST, CSS_PIXELS = 0.75, 4 / 3  # of its size; of a point
COLOURS = (
    *("ink", "quiet", "line", "paper", "input_fill", "child", "child_fill", "not_finite", "not_finite_fill"),
    *("partial", "function_fill", "positive_fill", "negative_fill", "zero_fill"),
)


def picture(found) -> Drawing:
    """Return the graph of a difference, in light colours."""
    d = Drawing("graph", format="svg")
    d.attr(rankdir="LR", bgcolor="transparent", pad="0.1", ranksep="0.75", nodesep="0.25", id="graph", tooltip=" ")
    d.attr("node", shape="plain", fontname=FONT)
    d.attr("edge", color=LIGHT.line, arrowsize="0.7", fontname=FONT, fontsize=str(EDGE), fontcolor=LIGHT.partial)
    rows_of = {r.name: r for r in found.rows}
    for name in found.numbers.made:
        d.node(name, label=f"<{box(found, name, rows_of.get(name))}>", tooltip=tip(sentence(found, name, rows_of.get(name))))
    for y in found.numbers.made:
        for x, partial in zip(found.numbers.inputs[y], found.numbers.partials[y]):
            d.edge(x, y, label=f" {short(partial)} ", tooltip=tip(f"∂{y}/∂{x} = {number_text(partial)}"))
    return d


def box(found, name, r):
    """Return the box of a variable: its name and its value, below them a tick or the two halves."""
    wrong = r is not None and r.wrong
    heading = Line(name, NAME, LIGHT.ink, italic=True), Line(short(found.numbers.values[name]), NAME, LIGHT.ink, bold=True)
    below = halves(r) if wrong else tick(r)
    wide = max(heading[0].width + heading[1].width + 5 * MARGIN, below[1] + 2 * MARGIN)
    inside = rows(space(2), apart(*heading, wide, MARGIN), space(2), centre(*below, wide), space(2))
    fill = LIGHT.function_fill if found.numbers.inputs[name] else LIGHT.input_fill
    return frame(inside, fill, LIGHT.not_finite if wrong else LIGHT.line, border=THICK if wrong else 1, room=THICK)


def halves(r):
    """Return the two halves of a wrong box, and their width."""
    got = Line(f"got {short(r.got)}", NUMBER, LIGHT.not_finite, bold=True)
    right = Line(f"is {short(r.expected)}", NUMBER, LIGHT.child, bold=True)
    cells = "".join(
        f'<TD BGCOLOR="{fill}">{padded(line, 2 * MARGIN)}</TD>' for line, fill in ((got, LIGHT.not_finite_fill), (right, LIGHT.child_fill))
    )
    return table(f"<TR>{cells}</TR>"), got.width + right.width + 6 * MARGIN


def tick(r):
    """Return the line below a right variable, and its width; empty if the engine has nothing for it that could be wrong."""
    line = Line("" if r is None or r.got is None else f"✓ {short(r.got)}", NUMBER, LIGHT.child)
    return padded(line), line.width + 2 * MARGIN


def padded(line, right=MARGIN):
    return row(gap(MARGIN, line.height), line.cell(), gap(right, line.height))


def short(x):
    """Return a number in four digits at most, or a fraction if it is short; `nothing` for None."""
    text = number_text(x)
    return text if x is None or isinstance(x, str) or isinstance(x, Fraction) and len(text) <= SHORT else in_four_digits(float(x))


def centre(inner, inner_wide, wide):
    left = (wide - inner_wide) // 2
    return row(gap(left, 1), f"<TD>{inner}</TD>", gap(wide - inner_wide - left, 1))


def sentence(found, name, r):
    """Return the tooltip of a variable."""
    said = f"{name} = {number_text(found.numbers.values[name])}"
    if r is None:
        return said
    return f"{said}, got {number_text(r.got)}" + (f", right is {number_text(r.expected)}" if r.wrong else ", which is right")


def style_of(svg):
    """Return CSS for a drawing in a page: it follows the theme of the page, and on a narrow one it scrolls before it gets too small."""
    pairs = {getattr(LIGHT, name): getattr(DARK, name) for name in COLOURS}
    colours = (
        f'svg [{part}="{light}"] {{ {part}: light-dark({light}, {dark}); }}' for light, dark in pairs.items() for part in ("fill", "stroke")
    )
    smallest = LEAST * CSS_PIXELS * float(re.search(r'width="([\d.]+)pt"', svg)[1])
    return "\n".join([f"figure svg {{ min-width: {smallest:.0f}px; }}", *colours])

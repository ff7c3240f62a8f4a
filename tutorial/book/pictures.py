"""Pictures of chapters as SVG that follows the page's colours: curves over an axis, levels of a function with paths, small images."""

from html import escape
from itertools import groupby
from math import ceil, floor, log10
from textwrap import wrap

from tutorial.graphs.axis import Axis

COLOURS = ("var(--positive, #d55e00)", "var(--negative, #0072b2)", "currentColor", "currentColor")
DASHES = ("", "7 4", "2 4", "9 3 2 3")
WIDE, HIGH, LEFT, RIGHT, TOP, BELOW = 480, 272, 62, 92, 26, 44  # the picture, and the least space around its frame
GLYPH = 9  # the width of a letter, at most
GAP, CAPTION, LETTER = 14, 16, 16  # between images, a line below each, and for the name of a row or of a column
CELLS, LOWEST = 90, 0.05  # of a landscape, in a row and in a column; below this number is one band
BANDS = 2  # for each factor of 10
SHADES = (0.04, 0.22)  # of its bands, in turns


class Curves:
    """Lines over one axis, {name: [(x, y), …]}; `log` makes the y axis logarithmic. The name of each line stands at its right end.

    >>> Curves({"loss": [(0, 2.0), (10, 0.5)]}, x="step", y="loss")
    <loss over step: loss from 2 to 0.5>
    """

    def __init__(self, lines, x="", y="", log=False):
        self.lines, self.x, self.y = lines, x, y
        every = [point for line in lines.values() for point in line]
        up = [v for _, v in every]
        self.right = WIDE - max(RIGHT, GLYPH * max(map(len, lines)) + 10)  # the end of the frame, before the names
        self.across = Axis(min(u for u, _ in every), max(u for u, _ in every), LEFT, self.right)
        self.up = Axis(min(up), max(up), HIGH - BELOW, TOP, log) if log else Axis(min(0, *up), max(up), HIGH - BELOW, TOP)

    def __repr__(self):
        ends = (f"{name} from {line[0][1]:.4g} to {line[-1][1]:.4g}" for name, line in self.lines.items())
        return f"<{self.y} over {self.x}: {'; '.join(ends)}>"

    def _repr_html_(self):
        parts = [*self.grid(), *self.curves(), text(self.right, HIGH - 4, self.x, "end"), text(0, TOP - 14, self.y)]
        return svg(WIDE, HIGH, repr(self)[1:-1], parts)

    def grid(self):
        for tick in self.up.ticks():
            y = self.up(tick)
            yield f'<path d="M{LEFT} {y:.1f}H{self.right}" stroke="currentColor" opacity=".2"/>'
            yield text(LEFT - 6, y + 4, tick_text(tick), "end")
        for tick in self.across.ticks():
            yield text(self.across(tick), HIGH - BELOW + 18, tick_text(tick), "middle")

    def curves(self):
        last = [max(line) for line in self.lines.values()]  # the point at the right, wherever the line begins
        ends = spread([self.up(v) for _, v in last])
        for k, (name, line) in enumerate(self.lines.items()):
            points = [(self.across(u), self.up(v)) for u, v in line]
            yield polyline(points, k)
            yield text(self.across(last[k][0]) + 6, ends[k] + 4, name)


class Landscape:
    """The levels of a function of two numbers, and {name: [(x, y), …]}: paths over them. Two neighbouring bands differ by a factor.

    >>> Landscape(lambda x, y: x * x + y * y, (-1, 1), (-1, 1), {"descent": [(1, 1), (0.5, 0.5)]})
    <levels of a function; descent: 1 step>
    """

    def __init__(self, f, across, up, paths):
        self.f, self.paths, self.ends = f, paths, (*across, *up)
        size = WIDE - 156
        self.across, self.up = Axis(*across, 30, 30 + size), Axis(*up, 8 + size, 8)

    def __repr__(self):
        steps = (f"{name}: {len(path) - 1} step{'s' * (len(path) != 2)}" for name, path in self.paths.items())
        return f"<levels of a function; {'; '.join(steps)}>"

    def _repr_html_(self):
        parts = [f'<g shape-rendering="crispEdges">{"".join(self.bands())}</g>']
        for k, (name, path) in enumerate(self.paths.items()):
            points = [(self.across(x), self.up(y)) for x, y in path]
            parts += [polyline(points, k), *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" style="fill: {COLOURS[k]}"/>' for x, y in points)]
            parts.append(
                f'<path d="M{WIDE - 118} {24 + 22 * k}h20" style="stroke: {COLOURS[k]}" stroke-width="2" stroke-dasharray="{DASHES[k]}"/>'
            )
            parts.append(text(WIDE - 94, 28 + 22 * k, name))
        low, high, bottom, top = self.ends
        base = self.up(bottom)
        parts += [text(self.across(tick), base + 18, tick_text(tick), "middle") for tick in self.across.ticks()]
        parts += [text(24, self.up(tick) + 4, tick_text(tick), "end") for tick in self.up.ticks()]
        return svg(WIDE, base + 26, repr(self)[1:-1], parts)

    def bands(self):
        """Give the cells of the plane row by row. Neighbours in the same band are one rectangle."""
        low, high, bottom, top = self.ends
        wide, tall = (self.across(high) - self.across(low)) / CELLS, (self.up(bottom) - self.up(top)) / CELLS
        for j in range(CELLS):
            y = top - (j + 0.5) * (top - bottom) / CELLS
            levels = [floor(BANDS * log10(max(self.f(low + (i + 0.5) * (high - low) / CELLS, y), LOWEST))) for i in range(CELLS)]
            i = 0
            for level, run in groupby(levels):
                many = len(list(run))
                x = self.across(low) + i * wide
                yield (
                    f'<rect x="{x:.1f}" y="{self.up(top) + j * tall:.1f}" width="{many * wide:.1f}" height="{tall:.1f}" '
                    f'fill="currentColor" opacity="{SHADES[level % 2]}"/>'
                )
                i += many


class Images:
    """Small images beside one another, [(caption, rows of numbers), …]. The largest number of an image has the strongest colour.

    An image without negative numbers is drawn in one colour, any other in two. `letters` names the rows and columns of square images.

    >>> Images([("an edge", [[0, 1], [0, 1]]), ("a kernel", [[-1, 1]])])
    <2 images: an edge; a kernel>
    """

    def __init__(self, images, across=5, letters=""):
        self.images = [(caption, [list(map(float, row)) for row in rows]) for caption, rows in images]
        self.across, self.letters = across, letters

    def __repr__(self):
        return f"<{len(self.images)} image{'s' * (len(self.images) != 1)}: {'; '.join(caption for caption, _ in self.images)}>"

    def _repr_html_(self):
        room, parts, edge = WIDE / self.across, [], LETTER if self.letters else 0
        wide, tallest = room - GAP - edge, max(len(rows) / len(rows[0]) for _, rows in self.images)
        captions = [wrap(caption, int(room / GLYPH), break_long_words=False) for caption, _ in self.images]
        high = wide * tallest + CAPTION * max(map(len, captions)) + GAP + edge
        for k, (_, rows) in enumerate(self.images):
            x, y = room * (k % self.across) + edge, high * (k // self.across) + edge
            low = y + wide * len(rows) / len(rows[0])
            parts += [*pixels(x, y, wide, rows), *(text(x, low + CAPTION * n, said) for n, said in enumerate(captions[k], 1))]
            for n, letter in enumerate(self.letters):
                at = (n + 0.5) * wide / len(self.letters)
                parts += [text(x + at, y - 4, letter, "middle"), text(x - 4, y + at + 4, letter, "end")]
        return svg(WIDE, high * ceil(len(self.images) / self.across), repr(self)[1:-1], parts)


def pixels(x, y, wide, rows):
    """Give a frame, and a square for each number of an image that is not 0. Squares of the same colour are one path."""
    side, largest = wide / len(rows[0]), max((abs(n) for row in rows for n in row), default=0) or 1
    signed = any(n < 0 for row in rows for n in row)
    frame = f'width="{wide:.1f}" height="{side * len(rows):.1f}" fill="none" stroke="currentColor" opacity=".3"'
    yield f'<rect x="{x:.1f}" y="{y:.1f}" {frame}/>'
    squares: dict = {}
    for i, row in enumerate(rows):
        for j, n in enumerate(row):
            squares.setdefault((n < 0, f"{abs(n) / largest:.2f}"), []).append(f"M{j} {i}h1v1h-1z")
    yield f'<g transform="translate({x:.1f} {y:.1f}) scale({side:.4f})" shape-rendering="crispEdges">'
    for (negative, opacity), found in squares.items():
        if float(opacity):
            colour = COLOURS[negative] if signed else "currentColor"
            yield f'<path style="fill: {colour}" opacity="{opacity}" d="{"".join(found)}"/>'
    yield "</g>"


def tick_text(number):
    """Return a tick as text.

    >>> [tick_text(n) for n in (2.0, 0.5, -1.0, 1e-06, 40000.0)]
    ['2', '0.5', '−1', '1e−06', '40000']
    """
    return (f"{number:g}").replace("-", "−")


def spread(places, apart=17):
    """Return the heights of texts at these heights, moved down where two would overlap.

    >>> spread([10, 50, 12])
    [10, 50, 27]
    """
    found = list(places)
    order = sorted(range(len(found)), key=found.__getitem__)
    for above, below in zip(order, order[1:]):
        found[below] = max(found[below], found[above] + apart)
    return found


def polyline(points, k):
    listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{listed}" fill="none" style="stroke: {COLOURS[k]}" stroke-width="2" stroke-dasharray="{DASHES[k]}"/>'


def text(x, y, said, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def svg(wide, high, label, parts):
    """Return a picture that is as wide as the page, up to 36 rem."""
    style = "width: 100%; max-width: 36rem; color: inherit; font-size: 14px"
    head = f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {wide} {high:.0f}" style="{style}" fill="currentColor">'
    return f"{head}{''.join(parts)}</svg>"

"""The plots of the page of a run: lines in an SVG, and images as PNG. Needs no other library. terminal_progress.py has the terminal's."""

import base64
import math
import struct
import zlib

import numpy as np

from scalargrad.formulas.text import escape, short
from tutorial.graphs.axis import Axis

WIDTH, HEIGHT = 640, 280  # of the plane, in units of the picture
LEFT, BOTTOM, TOP, RIGHT = 76, 46, 14, 14  # margins for labels
MOST_POINTS = 400  # of a line
MOST_TICKS = 6  # about
COLOURS = ("child", "current", "total", "partial", "not-finite", "quiet")
DASHES = ("", "6 4", "2 3", "10 3 2 3")


def plot(lines, x_label, y_label, logarithmic=False, percent=False):
    """Return an SVG of lines, {name: ([x], [y])}, with a legend; every line has its own colour and dash."""
    lines = {name: thinned(*points) for name, points in lines.items()}
    xs = [x for line in lines.values() for x in line[0]]
    ys = [y for line in lines.values() for y in line[1] if y is not None and (y > 0 or not logarithmic)]
    if not xs or not ys:
        return "<p>There is nothing to draw yet.</p>"
    across, up = Axis(min(xs), max(xs), LEFT, LEFT + WIDTH), Axis(min(ys), max(ys), TOP + HEIGHT, TOP, logarithmic)
    marks = [horizontal_mark(across(x), number(x)) for x in across.ticks(MOST_TICKS, least=1)]  # epochs or steps
    marks += [vertical_mark(up(y), f"{100 * y:g} %" if percent else power(y) if logarithmic else number(y)) for y in up.ticks(MOST_TICKS)]
    drawn = [path(i, [(across(x), up(y)) for x, y in zip(*line) if y is not None and (y > 0 or not logarithmic)])
             for i, line in enumerate(lines.values())]  # fmt: skip
    size = f"0 0 {LEFT + WIDTH + RIGHT} {TOP + HEIGHT + BOTTOM}"
    said = f"{y_label} by {x_label}: " + ", ".join(f"{name} ends at {number(line[1][-1])}" for name, line in lines.items() if len(line[1]))
    axes = (
        f'<text class="axis" x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">{escape(x_label)}</text>'
        f'<text class="axis" transform="translate(14 {TOP + HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    )
    inner = "".join(marks) + axes + "".join(drawn)
    return f'<figure><svg viewBox="{size}" role="img" aria-label="{escape(said)}">{inner}</svg>{legend(lines)}</figure>'


def thinned(xs, ys):
    """Return at most MOST_POINTS points: the mean of each part."""
    if len(xs) <= MOST_POINTS:
        return [*xs], [*ys]
    return tuple([float(np.mean(part)) for part in np.array_split(np.asarray(values, float), MOST_POINTS)] for values in (xs, ys))


def number(x):
    return "–" if x is None else short(x) if isinstance(x, int) else f"{x:.3g}"


def power(y):
    """Return a power of ten as text; another number, or one near 1, without an exponent.

    >>> power(1e-5), power(0.01), power(0.5)
    ('10⁻⁵', '0.01', '0.5')
    """
    exponent = round(math.log10(y))
    if abs(exponent) < 4 or abs(math.log10(y) - exponent) > 1e-9:
        return f"{y:.3g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def horizontal_mark(x, text):
    y = TOP + HEIGHT
    return f'<path class="tick" d="M{x:.1f} {TOP}V{y}"/><text x="{x:.1f}" y="{y + 18}" text-anchor="middle">{escape(text)}</text>'


def vertical_mark(y, text):
    line = f'<path class="tick" d="M{LEFT} {y:.1f}H{LEFT + WIDTH}"/>'
    return f'{line}<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>'


def path(i, points):
    """Return line number i; a single point is a circle."""
    if len(points) == 1:
        return f'<circle class="c{i % len(COLOURS)} dot" cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="3"/>'
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="c{i % len(COLOURS)} d{i // len(COLOURS) % len(DASHES)}" points="{places}"/>'


def legend(lines):
    return f'<ul class="legend">{"".join(key(i, name) for i, name in enumerate(lines))}</ul>'


def key(i, name):
    """Return the key of line number i."""
    line = f'<path class="c{i % len(COLOURS)} d{i // len(COLOURS) % len(DASHES)}" d="M0 4H26"/>'
    return f'<li><svg viewBox="0 0 26 8" aria-hidden="true">{line}</svg>{escape(name)}</li>'


def png(pixels):
    """Return a PNG of pixels as the data of a URL: uint8 of shape (height, width) for grey, or (height, width, 3) for colours."""
    height, width = pixels.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)  # each row begins with its filter, none
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)), chunk(b"IEND", b"")]
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

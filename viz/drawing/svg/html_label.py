"""Write text in boxes as the layout engine's HTML-like tables. Any text stays text.

The engine cannot measure ₁, − or ∂ without the fonts, and fonts differ between machines. Every cell therefore has a fixed
size, from the widths of Arial, and text starts at its left edge. A drawing is the same everywhere.
"""

from functools import lru_cache
from xml.etree import ElementTree

import graphviz

from scalargrad.formulas.text import END_ISOLATE, ISOLATE, escape, legal, printable

FONT = "Arial,Helvetica,sans-serif"  # Arial, Helvetica and Liberation Sans have the same widths
ROOM = 2  # points beside a text, for rounding
LONGEST, LONGEST_NAME = 40, 20  # characters of a label; of a variable's name


class Widths(dict):
    """Widths of letters in thousandths of the font size. A letter that is not listed counts as ELSE, a wide one (中) as WIDE."""

    def __missing__(self, letter):
        return ELSE if ord(letter) < 0x1100 or 0x2000 <= ord(letter) < 0x2E80 else WIDE


ELSE, WIDE = 600, 1000
LISTED = {  # of Arial
    letter: width
    for width, letters in {
        222: "'ijl|",
        278: " !,./:;I[\\]ft·",
        333: '"()-`r*{}₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹',
        500: "Jckvsxyz∂^",
        556: "0123456789#$?L_abdeghnopqu",
        584: "+<=>~−",
        611: "FTZ",
        667: "&ABEKPSVXY",
        722: "CDHNRUw",
        778: "GOQ",
        833: "Mm",
        889: "%",
        944: "W",
        1000: "@…",
        0: f"{ISOLATE}{END_ISOLATE}",
    }.items()
    for letter in letters
}
WIDTHS = Widths(LISTED)


def cut(text, longest=LONGEST):
    """Return one line of at most `longest` characters, shortened between words or factors if possible.

    A character that cannot be printed is �.

    >>> cut("loss = first_output·second_output + … + b", 24), cut("one two three", 10)
    ('loss = first_output·…', 'one two …')
    """
    if len(text) > longest:
        text = text[: longest - 2]
        space, dot = text.rfind(" "), text.rfind("·")
        if max(space, dot) > longest // 2:
            text = text[: dot + 1] if dot > space else text[: space + 1].rstrip(" …") + " "
        text = text.rstrip() + ("…" if text.endswith("·") else " …")
    return printable(text) if ISOLATE not in text else "".join(c if c in (ISOLATE, END_ISOLATE) else printable(c) for c in text)


@lru_cache(maxsize=20_000)
def width(text, size, bold=False):
    """Return the width of a text in points, with a little room."""
    thousandths = sum(map(WIDTHS.__getitem__, text))
    return round(thousandths * size * (1.06 if bold else 1) / 1000) + ROOM


def markup(text):
    """Return text for an HTML-like label. The engine would otherwise expand \\N, \\G and similar sequences."""
    return escape(text).replace("\\", "\\\\")


def tip(text):
    """Return text for a tooltip, in which the engine expands \\N and similar sequences twice, and keeps &amp;."""
    return graphviz.nohtml(legal(text).replace("\\", "\\" * 4).replace("&", "&amp;"))


class Line:
    """A line of text in one font, whose size is known before it is drawn."""

    def __init__(self, text, size, color, bold=False, italic=False):
        self.text, self.size, self.color, self.bold, self.italic = text, size, color, bold, italic
        self.width, self.height = width(text, size, bold), round(size * 1.3)

    def cell(self):
        inside = markup(self.text)
        inside = f"<B>{inside}</B>" if self.bold else f"<I>{inside}</I>" if self.italic else inside
        font = f'<FONT POINT-SIZE="{self.size}" COLOR="{self.color}">{inside}</FONT>'
        return f"{sized(self.width, self.height)}{font}</TD>" if self.text else gap(self.width, self.height)


def sized(wide, high):
    return f'<TD FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="{high}" ALIGN="LEFT" BALIGN="LEFT">'


def gap(wide, high):
    return f"{sized(max(wide, 1), max(high, 1))}</TD>"


def row(*cells):
    """Return cells side by side."""
    return table(f"<TR>{''.join(cells)}</TR>")


def rows(*inner):
    """Return tables one above the other, the first at the top."""
    return table("".join(f"<TR><TD>{each}</TD></TR>" for each in inner))


def table(inside, attributes='BORDER="0" CELLPADDING="0"'):
    return f'<TABLE {attributes} CELLBORDER="0" CELLSPACING="0">{inside}</TABLE>'


def space(high):
    """Return an empty line."""
    return row(gap(1, high))


def around(inner, wide, inner_wide):
    """Return a table in the middle of a row that is `wide` points wide."""
    left = (wide - inner_wide) // 2
    return row(gap(left, 1), f"<TD>{inner}</TD>", gap(wide - inner_wide - left, 1))


def centred(line, wide):
    """Return a line in the middle of a row that is `wide` points wide."""
    return around(row(line.cell()), wide, line.width)


def apart(left, right, wide, margin):
    """Return a row with one line at its left and one at its right."""
    high = max(left.height, right.height)
    middle = wide - 2 * margin - left.width - right.width
    return row(gap(margin, high), left.cell(), gap(middle, high), right.cell(), gap(margin, high))


def frame(inside, fill, color, border=1, style="ROUNDED", room=1):
    """Return a rounded box around a table. Border and padding together take `room` points, for any width of the border."""
    look = f'BORDER="{border}" STYLE="{style}" BGCOLOR="{fill}" COLOR="{color}" CELLPADDING="{room - border}"'
    return table(f"<TR><TD>{inside}</TD></TR>", look)


@lru_cache(512)  # a drawing that is made again, at another step or width, has the same labels
def size_of(label):
    """Return the width and the height in points that the engine gives to a label, <...>, whose cells have fixed sizes.

    >>> size_of(f"<{frame(row(gap(20, 10), gap(5, 12)), 'white', 'black', room=3)}>")
    (31, 18)
    """
    return size_of_table(ElementTree.fromstring(label[1:-1]))


def size_of_table(found):
    border, padding, spacing = (int(found.get(name, 0)) for name in ("BORDER", "CELLPADDING", "CELLSPACING"))
    lines = [[size_of_cell(cell, padding) for cell in line] for line in found]
    wide = [max(w for w, _ in column) for column in zip(*lines, strict=True)]
    high = [max(h for _, h in line) for line in lines]
    return tuple(sum(sizes) + spacing * (len(sizes) + 1) + 2 * border for sizes in (wide, high))


def size_of_cell(cell, padding):
    if cell.get("FIXEDSIZE"):
        return int(cell.get("WIDTH")), int(cell.get("HEIGHT"))
    return tuple(size + 2 * padding for size in size_of_table(cell[0]))

"""Give each text of a drawing the width for which its box has room, also where Arial is missing and another font is wider.

The boxes are made from the widths of Arial, before anyone knows which font the reader has. With `textLength` the reader's program
fits the letters of its own font into that width.
"""

import re
from html import unescape

from viz.drawing.svg.html_label import FONT, ROOM, width

NAMED = f' font-family="{FONT}"'
TEXT = re.compile(r'<text(?P<before>(?: [\w:-]+="[^"]*")*?) font-size="(?P<size>[\d.]+)"(?P<after>[^>]*)>(?P<said>[^<]*)</text>')


def with_widths(svg: str) -> str:
    """Return the text of an SVG in which each text has the width that it has in Arial. Its font is named once, at the top.

    >>> with_widths('<svg><text font-family="Arial,Helvetica,sans-serif" font-size="10.00">a = b</text>').partition("<text")[2]
    ' font-size="10.00" textLength="23" lengthAdjust="spacingAndGlyphs">a = b</text>'
    """
    return TEXT.sub(of_one_text, re.sub("<svg[^>]*", rf"\g<0>{NAMED}", svg.replace(NAMED, ""), count=1))


def of_one_text(text):
    """Return a text with its width; a single letter stays as it is."""
    said = unescape(text["said"]).replace("\N{NO-BREAK SPACE}", " ")
    if len(said) < 2:
        return text[0]
    wide = width(said, float(text["size"]), 'font-weight="bold"' in text["before"] + text["after"]) - ROOM
    return text[0].replace(">", f' textLength="{wide}" lengthAdjust="spacingAndGlyphs">', 1)

"""Rewrite the SVG of the layout engine: each text gets the width for which its box has room, and the rest is said in fewer letters.

The boxes are made from the widths of Arial, before anyone knows which font the reader has. With `textLength` the reader's program
fits the letters of its own font into that width. An outline is joined with its filling.
"""

import re
from html import unescape

from viz.drawing.svg.html_label import FONT, ROOM, width

NAMED = f' font-family="{FONT}"'
TEXT = re.compile(r'<text(?P<before>(?: [\w:-]+="[^"]*")*?) font-size="(?P<size>[\d.]+)"(?P<after>[^>]*)>(?P<said>[^<]*)</text>')
FILLED = re.compile(r'<(path|polygon) fill="([^"]+)" stroke="none" ((?:d|points)="[^"]+")/>\n<\1 fill="none" ([^>]+?) \3/>')
SPACES = re.compile(r' xml:space="preserve"(?=[^>]*>(?! )(?:(?!  )[^<])*(?<! )<)')  # of a text in which no spaces are lost without it


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


def shorter(svg: str) -> str:
    """Return the text of an SVG in which each box is one path.

    >>> shorter('<path fill="#eee" stroke="none" d="M0,0"/>\\n<path fill="none" stroke="red" d="M0,0"/>')
    '<path fill="#eee" stroke="red" d="M0,0"/>'
    """
    return SPACES.sub("", FILLED.sub(r'<\1 fill="\2" \4 \3/>', svg)).replace(' text-anchor="start"', "")

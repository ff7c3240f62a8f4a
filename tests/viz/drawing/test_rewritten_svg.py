"""Each text of a drawing has the width that its box was made for, whatever its font."""

import re

from scalargrad import Value
from viz import draw
from viz.drawing.svg.html_label import FONT, ROOM, width
from viz.drawing.svg.rewritten_svg import with_widths

TEXT = '<svg><text font-family="Arial,Helvetica,sans-serif" {}>{}</text></svg>'


def test_every_text_of_several_letters_has_its_width_and_one_letter_has_none():
    x = Value(3.0, name="x")
    svg = draw(x * x + 12.5).svg
    texts = re.findall(r'<text[^>]*?(?: textLength="(\d+)" lengthAdjust="spacingAndGlyphs")?>([^<]*)</text>', svg)
    assert {bool(wide) for wide, said in texts if len(said) > 1} == {True} and {wide for wide, said in texts if len(said) == 1} == {""}


def test_a_width_follows_size_and_weight_and_counts_a_reference_as_one_letter():
    wide = lambda look, said: int(re.search(r'textLength="(\d+)"', with_widths(TEXT.format(look, said)))[1])
    assert wide('font-size="20.00"', "sum") == width("sum", 20) - ROOM
    assert wide('font-weight="bold" font-size="20.00"', "sum") == width("sum", 20, bold=True) - ROOM
    assert wide('font-size="20.00"', "a&#160;&lt;") == width("a <", 20) - ROOM


def test_the_font_is_named_once():
    x = Value(3.0, name="x")
    assert draw(x * x).svg.count(FONT) == 1

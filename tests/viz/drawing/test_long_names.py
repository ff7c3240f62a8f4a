"""Long names in drawings: both ends stand in the box, no two boxes look alike, and the whole name is in the tooltip."""

from rich.cells import cell_len

from tests.each import each
from tests.viz.drawing.test_draw import Shown
from tests.viz.names_of_others import NAMES, named
from viz import draw, mermaid
from viz.drawing.svg.html_label import LONGEST_NAME
from viz.text.formatter import UNICODE
from viz.text.short_names import LARGER

TOOLTIP = "{http://www.w3.org/1999/xlink}title"


@each("names", NAMES.values(), ids=list(NAMES))
def test_boxes_have_short_names_that_are_told_apart_and_tooltips_whole_ones(names):
    trace = named(*names)
    drawing = draw(trace)
    found = Shown(drawing)
    assert len(found.nodes) == len(names)
    assert all(cell_len(name) <= LONGEST_NAME + max(LARGER) for name in found.nodes)
    tips = [element.get(TOOLTIP) for element in found.root.iter() if element.get(TOOLTIP)]
    assert all(any(UNICODE.name(name) in tip for tip in tips) for name in names)


@each("names", NAMES.values(), ids=list(NAMES))
def test_the_other_pictures_tell_them_apart_too(names):
    trace = named(*names)
    boxes = [line for line in mermaid(trace).splitlines() if "[" in line and "-->" not in line]
    assert len(set(line.partition("[")[2] for line in boxes)) >= len(names)

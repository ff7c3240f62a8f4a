"""The places of boxes, edges and labels, in CSS pixels, from left to right, inputs at the left. Knows nothing of how the page paints them.

A graph that is readable on one screen has one scene. A larger graph has a scene for each variable that a step visits, and an overview.
"""

from viz.page.neighbourhood_scenes import neighbourhood_scenes
from viz.page.whole_graph import whole_graph


def scene(trace):
    """Return the places of the variables and edges of a trace.

    width, height    of the picture
    nodes            [{variable, x, y, w, h, pad}]: the centre and the size of a variable's box. `pad` pixels above it have room for a tag,
                     and `pad` pixels below it for its formula. An array has two places in its box, `value` and `total` {x, y, w, h} from
                     the top left corner, for its entries and its gradient, and `columns`, the widths of its columns
    compact, tall    whether boxes are small, with numbers of four digits (then `head` pixels are above the gradient);
                     whether the page should give the graph more of its height, so that it is readable
    edges            [{edge, path, label, number}]: SVG path data from the input to the tip of the arrow at the output; {x, y, w, h} of
                     the label, with its centre; `number` is 1, 2, ... if a function uses a variable more than once, else null
    `variable` and `edge` are places in the lists of `page_data`. A graph that is not readable on one screen has more than 25 variables
    or 60 edges, or is too wide, too high or too dense. Its `nodes` and `edges` are empty, and it has
    scenes           [{variable, layout, nodes, edges, folds}]: the neighbourhood of a variable; `nodes` are places of variables, `edges` of
                     edges, and `folds` [{count, lines}] replace the other variables. `layout` is the place of its layout in
    layouts          [{width, height, nodes: [{x, y}], edges: [{path, label}], folds: [{x, y, w, h}], links: [{path}]}], in the same
                     order. Links lead to and from folds; long links are stubs. The label of an edge is null unless a step at the variable
                     visits the edge. All layouts have one size, and the variable stands at the same place, as far as possible
    boxes            for each variable the other fields of `nodes`
    numbers          [[edge, number]] of the edges that have one
    at               for each step, the scene that shows it
    of               for each variable, a scene that shows it
    overview         the place of every variable on a small map: see `overview`

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); found = scene(Trace(x * x, names={}))
    >>> [edge["number"] for edge in found["edges"]], found["nodes"][0]["x"] < found["nodes"][1]["x"]
    ([1, 2], True)
    """
    return whole_graph(trace) or neighbourhood_scenes(trace)

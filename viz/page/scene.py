"""Where everything of a trace stands: boxes, edges and their labels, in CSS pixels, from left to right, inputs at the left.

The page paints it in its own way. A graph that can be read at once has one scene; of a larger one there is a scene for each
variable that a step looks at, and a small map of the whole.
"""

from viz.page.neighbourhoods import neighbourhoods
from viz.page.whole_graph import at_once


def scene(trace):
    """Where the variables and edges of a trace stand.

    width, height    of the picture
    nodes            [{variable, x, y, w, h, pad}]: the centre and size of a variable's box. There is room for a tag above it, and
                     for its formula below it, `pad` pixels each. Of an array, within the box, from its corner at the top left:
                     `value` and `total` {x, y, w, h}, where the array and its gradient stand, and `columns`, the widths of its columns
    compact, tall    whether boxes are small (above the gradient, `head` pixels), with numbers of four digits; whether a page should
                     give the graph more of its height, so that it can be read
    edges            [{edge, path, label, number}]: SVG path data from the input to the tip of the arrow at the output; the label's
                     {x, y, w, h}, x and y its centre; `number` is 1, 2, ... where a function uses a variable more than once, else null
    `variable` and `edge` are places in to_dict()'s lists. Of a graph that could not be read at once, with more than
    25 variables or 60 edges, too wide, too high or too dense, there are instead, `nodes` and `edges` being empty,
    scenes           [{variable, layout, nodes, edges, folds}]: the neighbourhood of a variable, which has one place in all of them,
                     as far as can be, and they one size, so that nothing jumps from step to step; `nodes` are places of variables,
                     `edges` of edges, `folds` [{count, lines}] stand for the variables that are not shown; where they stand, in
                     the same order, says place `layout` in
    layouts          [{width, height, nodes: [{x, y}], edges: [{path, label}], folds: [{x, y, w, h}], links: [{path}]}]: links lead to
                     and from folds, short ones to where there is no room for more; only edges that a step at this variable
                     looks at have a label, others null
    boxes            for each variable what else `nodes` say of it
    numbers          [[edge, number]] of edges that have one
    at               for each step the scene that shows it
    of               for each variable a scene that shows it
    overview         the place of every variable in the whole: see `overview`

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); found = scene(Trace(x * x, names={}))
    >>> [edge["number"] for edge in found["edges"]], found["nodes"][0]["x"] < found["nodes"][1]["x"]
    ([1, 2], True)
    """
    return at_once(trace) or neighbourhoods(trace)

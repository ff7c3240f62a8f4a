"""The places of boxes, edges and labels, in units of a scene. Knows nothing of how the page paints them."""

from viz.page.scenes.neighbourhood_scenes import DOWN, neighbourhood_scenes
from viz.page.scenes.ways import scenes_of_ways
from viz.page.scenes.whole_graph import MIDDLE, PANEL, PHONE, narrow_graph, whole_graph

WITH_NEIGHBOURHOODS = 12  # variables; in a smaller graph the neighbourhood of a variable is hardly less than the whole graph


def scene(trace, entries=False, functions=False):
    """Return the places of the variables and edges of a trace, for each way to show them; None for a way that the graph does not need.

    With `entries` the variables are entries of arrays, and stand in the order of rows and columns. With `functions` each function has
    a node of its own, `function` {w, h, before} of the box of its output: `before` is the room that node and arrow take from the box.

    whole, narrow    the whole graph from left to right; from top to bottom, for a narrow page
    near             parts of the graph, from left to right: the neighbourhood of each variable. A window in which not all can be read
                     shows these in the backward pass
    nearNarrow       the same from top to bottom, for a narrow page
    ways             parts of the graph for several sizes of windows, the largest first: the ways from each input to z, in rows. A window in
                     which not all can be read shows the first ones that it has room for, and a narrow page the last ones

    The scene of a whole graph:
    width, height    of the picture
    nodes            [{variable, x, y, w, h, pad}]: the centre and the size of a variable's box. `pad` units above it have room for a tag,
                     and `pad` units below it for its formula. An array has two places in its box, `value` and `total` {x, y, w, h} from
                     the top left corner, for its entries and its gradient, and `columns`, the widths of its columns
    edges            [{edge, path, label, number}]: SVG path data from the input to the tip of the arrow at the output; {x, y, w, h} of
                     the label, with its centre; `number` is 1, 2, ... if a function uses a variable more than once, else null
    frames           [{name, x, y, w, h}]: the frames of scopes, the outer ones first, if the graph has scopes
    look             the sizes of fonts and of the parts of boxes: see `looks.Look.for_page`
    apart            whether no two labels overlap. If false, labels that are shown together still do not overlap
    tall             whether the page should give the graph more of its height, so that it is readable
    `variable` and `edge` are places in the lists of `page_data`.

    The parts:
    scenes           [{variable, layout, nodes, edges, folds}]: the neighbourhood of a variable, or ways if `variable` is null; `nodes` are
                     places of variables, `edges` of edges, and `folds` [{count, lines}] replace the other variables. `layout` is the place
                     of its layout in
    layouts          [{width, height, nodes: [{x, y}], edges: [{path, label}], folds: [{x, y, w, h}], links: [{path, from, to}]}], in the
                     same order. Links lead to and from folds: `from` and `to` are places in `nodes`, or -1 - that of a fold. Long links are
                     stubs. The label of an edge is null unless a step at the variable visits the edge, or the edge lies on a way. All
                     neighbourhoods have one size, and the variable stands at the same place, as far as possible; all ways have one size
    boxes            for each variable the other fields of `nodes`
    numbers          [[edge, number]] of the edges that have one
    at               for each step, the scene that shows it: inputs of the same functions share scenes
    of               for each variable, a scene that shows it
    overview         the place of every variable on a small map: see `overview`
    In place of the last three, ways have
    ways             [[input, the scene of its ways to z]]
    told             [[function, the scene in which the act Question tells of it]]: those that are not among the ways of that act's input

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); found = scene(Trace(x * x, names={}))["whole"]
    >>> [edge["number"] for edge in found["edges"]], found["nodes"][0]["x"] < found["nodes"][1]["x"]
    ([1, 2], True)
    """
    found = in_whole(trace, entries, functions)
    near, narrow = wide_parts(trace, found["whole"], functions), narrow_parts(trace, found["narrow"], functions)
    ways = {"ways": scenes_of_ways(trace, (found["whole"], found["narrow"]), functions)} if near or narrow else {}
    return {**found, "near": near, "nearNarrow": narrow, **ways}


LEGEND = 21  # pixels below small boxes: a line, and what the page's rounded rows take


def scene_of_inner(trace, entries=False, functions=False):
    """Return the scene of a graph that opens from a box: without its parts, if it can be shown whole on a wide and on a narrow page."""
    found = in_whole(trace, entries, functions)
    return found if found["whole"] and found["narrow"] else scene(trace, entries, functions)


def in_whole(trace, entries=False, functions=False):
    """Return the scenes of the whole graph alone."""
    whole, narrow = whole_graph(trace, entries, functions), narrow_graph(trace, entries, functions)
    return {"whole": whole, "narrow": narrow, "near": None, "nearNarrow": None}


def wide_parts(trace, whole, functions=False):
    """Return the parts from left to right; None if a page needs none beside the scene of the whole graph."""
    small = len(trace.graph.variables) < WITH_NEIGHBOURHOODS
    legend = LEGEND if whole and whole["look"]["compact"] else 0
    fits = small and whole and all(panel._replace(height=panel.height - legend).holds(whole) for panel in (PANEL, MIDDLE))
    return None if fits else neighbourhood_scenes(trace, functions=functions)


def narrow_parts(trace, narrow, functions=False):
    """Return the parts from top to bottom; None if a narrow page needs none beside the scene of the whole graph."""
    return None if narrow and PHONE.holds(narrow) else neighbourhood_scenes(trace, DOWN, functions)

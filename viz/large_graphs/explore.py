"""One HTML file to look around in a graph of any size: `explore(z)`. It needs no library and no network."""

from collections.abc import Mapping

from scalargrad.modes import gc_paused
from scalargrad.tracing.trace import Trace
from scalargrad.user_names.function_result import result_of
from viz.document import Page, asset, bundle, filled
from viz.drawing.captions import Captions
from viz.drawing.draw import FUNCTIONS
from viz.drawing.highlight import NOTHING
from viz.drawing.selection import select
from viz.large_graphs.graph_data import graph_data
from viz.options import choose, require
from viz.page.columns import as_script, packed
from viz.theme import LIGHT, custom_properties

COLOURS = [name for name in vars(LIGHT) if name != "deepest"]
MOST = 10**9  # variables: all


def explore(z, *, title: str = "Explore a computation graph", names: Mapping | None = None, functions: str | None = None) -> Page:
    """Return a Page to look around in the graph of z. `.save("net.html")` or `.open()` it; a notebook shows it.

    z is whatever `draw` takes: a Value, a Tensor, a Graph, a Trace or a list of Values. The page shows each scope as a box. A
    click or Enter opens and closes it. You can search by name, function or shape, pan, pinch and zoom. The variable that you
    choose shows its shape, its numbers, its gradient, what its function saved for the backward pass and how many bytes that
    takes. All its paths to z are lit. Gradients are those after backward(); those of a Trace are its total derivatives.
    `names` is a dictionary {variable: name}. `functions="nodes"` shows each function as a node: A → matmul → C.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); page = explore(x * x); page.html[:15]
    '<!doctype html>'
    """
    require(title=title, names=names)
    choose((None, *FUNCTIONS), functions=functions)
    z, leaves = result_of(z)  # the leaves live until the captions have their arrays
    gradients = None
    if isinstance(z, Trace):
        names, gradients = {**z.names, **(names or {})}, {x: total.number for x, total in z.computed.items()}
    with gc_paused():
        captions = Captions(select(z, MOST), NOTHING, LIGHT, names=names, gradients=gradients, saved=True, functions=functions)
        return Page(z, title, explore_page(captions, title))


def explore_page(captions, title):
    data_type, data = packed(as_script(graph_data(captions)))
    return filled(
        "explore.html",
        title=title,
        style=f":root {{ color-scheme: light dark; {custom_properties(COLOURS)} }}\n" + asset("arrays/picture.css") + asset("explore.css"),
        scripts=[bundle("explore.js")],
        data_type=data_type,
        data=data,
    )

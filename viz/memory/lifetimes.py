"""Three pictures of the memory of a forward and a backward pass, as one SVG: what stays, what comes and goes, what an arena would need."""

from scalargrad.callers import called_function
from scalargrad.graph import Graph, scopes_of
from scalargrad.tracing.quantities import quantities
from scalargrad.tracing.trace import Trace
from scalargrad.user_names.local_names import result_of
from scalargrad.user_names.names import name_all
from viz.document import Picture
from viz.memory.arena import arena
from viz.memory.chart import chart
from viz.memory.rows import bars, rows
from viz.memory.sentences import Sentences
from viz.memory.sheet import MARGIN, Sheet
from viz.options import choose, require
from viz.theme import THEMES

AUTO = "auto"
MOST_STAY, MOST_BATCH = 16, 40  # rows


def lifetimes(z, *, title: str = "Memory of both passes", theme: str = "auto", retain_graph: bool = False) -> Picture:
    """Draw which array of a graph of tensors exists when, in step with the forward and the backward pass. `.save("memory.svg")` it.

    Along the x axis stand the steps: each function in the forward pass, then each in the backward pass. The picture has four parts:
    the bytes that exist at each step, predicted from the graph and measured in a real run; parameters and their gradients, which
    stay; the arrays of a batch, which come and go, a bar for each; and the same arrays at their addresses in an arena, which one
    rewind to a mark frees at once. Where there are more than about 40 arrays, a bar stands for those of a scope.

    z is a Tensor, a Trace, `memory(z).lifetimes()`, or a function of no arguments that returns a Tensor. To measure, the graph is
    computed again. `retain_graph` is that of `backward()`. `theme` is "light", "dark", or "auto" for what the reader prefers.
    Raises TypeError for a graph of numbers, RuntimeError if backward() has released the graph.

    >>> import tensorgrad
    >>> W = tensorgrad.Tensor([[1.0, 2.0], [3.0, 4.0]], name="W"); z = (W @ W).tanh().sum()
    >>> picture = lifetimes(z); picture.svg.count("<title>") > 10, "measured: the same at every step" in picture.svg
    (True, True)
    """
    require(title=title)
    choose((*THEMES, AUTO), theme=theme)
    found = lifetimes_of(z, retain_graph)
    measured, why = measured_bytes(found)
    return Picture(z, title, picture(found, measured, why, scopes_of(found.turn), title, theme))


def lifetimes_of(z, retain_graph=False):
    """Return the predicted lifetimes of z, which may have them already. Raises TypeError for a graph of numbers."""
    if hasattr(z, "arrays") and hasattr(z, "turn"):
        return z
    z, leaves = result_of(z)  # the leaves live until `on` has their arrays
    on = z.on if isinstance(z, Trace) else quantities(graph := Graph(z), name_all(graph))
    if not hasattr(on, "lifetimes"):
        raise TypeError(f"{called_function()}: a graph of numbers holds no arrays; draw the memory of a graph of tensors")
    return on.lifetimes(retain_graph)


def measured_bytes(found):
    """Return the bytes at each step of a real run and "", or None and a sentence that says why nothing was measured."""
    try:
        return found.measured().bytes, ""
    except ValueError as gone:
        return None, str(gone)


def picture(found, measured, why, scopes, title, theme):
    """Return the SVG of predicted lifetimes. `measured` are bytes at each step, or None and `why`; `scopes` is {variable: its scopes}."""
    steps, said = len(found.steps), Sentences(found, measured, why)
    stay = [a for a in found.arrays if a.kind == "parameter" or (a.kind == "gradient" and a.freed is None)]
    staying = set(map(id, stay))
    batch = [a for a in found.arrays if id(a) not in staying]
    told = lambda row: said.arrays(row.arrays)
    sheet = Sheet(steps)
    sheet.text(MARGIN, sheet.y, title, "title")
    for sentences in said.summary():
        sheet.paragraph(sentences)
    chart(sheet, found, measured)
    sheet.heading("Parameters and their gradients stay", said.stays(stay))
    bars(sheet, rows(stay, steps, scopes, MOST_STAY), told)
    sheet.heading("A batch's arrays come and go", said.comes_and_goes(batch))
    bars(sheet, rows(batch, steps, scopes, MOST_BATCH), told)
    sheet.heading("In an arena, one rewind to the mark frees a batch", said.arena(batch))
    arena(sheet, stay, batch, said.arrays)
    sheet.legend(dict.fromkeys(a.kind for a in found.arrays))
    return sheet.svg(title, said.alternative(), theme)

"""One file out of any graph: what it becomes is told by the file's name, or by a word."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scalargrad.trace import Trace
from viz.animation import animate
from viz.drawing.draw import draw
from viz.files import write_file
from viz.handout import handout
from viz.mermaid import mermaid
from viz.options import choose, require
from viz.page.play import play


def export(z, path, kind: str | None = None, **options) -> str:
    """Write the graph of z (or a Trace) into a file; the path.

    The ending says as what: .html is the page that plays, .svg and .png are the drawing (of a Trace with every partial and
    total derivative), .gv and .dot its DOT text, .mmd is Mermaid text, .json the trace. `kind` "handout" makes of .html the
    sheet for class, "animation" of .svg the whole pass. `options` are those of the function that makes that kind: play,
    draw, mermaid, Trace, handout or animate.

    >>> import tempfile
    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); path = export(x * x, tempfile.mkdtemp() + "/square.mmd")
    >>> Path(path).read_text()[:12]
    'flowchart LR'
    """
    require(path=path)
    choose((None, *KINDS), kind=kind)
    path = Path(path)
    kind = kind or kind_of(path)
    if path.suffix.lower() not in KINDS[kind].endings:
        raise ValueError(f"kind {kind!r} needs the extension {' or '.join(KINDS[kind].endings)}, got {path.name!r}")
    return write_file(path, KINDS[kind].content(z, path.suffix[1:].lower(), options))


def kind_of(path):
    """What a file of this name is, unless one says so."""
    kind = next((kind for kind in KINDS if path.suffix.lower() in KINDS[kind].endings), None)
    if kind is None:
        known = dict.fromkeys(ending for kind in KINDS.values() for ending in kind.endings)
        raise ValueError(f"cannot tell the file type of {path.name!r}; use one of the extensions {', '.join(known)}")
    return kind


def finished(z, options):
    """The drawing of z; of a trace with every partial and total derivative."""
    if not isinstance(z, Trace) or "step" in options:
        return draw(z, **options)
    totals = {x: total.number for x, total in z.computed.items()}
    return draw(z.graph.z, **{"names": z.names, "gradients": totals, "partials": "both", **options})


class Kind(NamedTuple):
    """What a file can be."""

    endings: tuple  # of the file's name; the first kind in the table that has an ending is chosen by it
    content: Callable  # a function of (z, ending without its point, options)


# fmt: off
KINDS = {
    "page":      Kind((".html", ".htm"),    lambda z, ending, options: play(z, **options).html),
    "drawing":   Kind((".svg", ".png"),     lambda z, ending, options: finished(z, options).pipe(ending)),
    "dot":       Kind((".gv", ".dot"),      lambda z, ending, options: finished(z, options).source),
    "mermaid":   Kind((".mmd", ".mermaid"), lambda z, ending, options: mermaid(z, **options)),
    "trace":     Kind((".json",),           lambda z, ending, options: Trace.of(z, **options).to_json(indent=1)),
    "handout":   Kind((".html", ".htm"),    lambda z, ending, options: handout(z, **options).html),
    "animation": Kind((".svg",),            lambda z, ending, options: animate(z, **options).svg),
}
# fmt: on

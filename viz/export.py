"""Write any graph to a file. The extension of the file's name, or a word, selects the format."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scalargrad.tracing.trace import Trace
from viz.animation import animate
from viz.drawing.draw import draw
from viz.graphs.detail import trace_of
from viz.handout import handout
from viz.large_graphs.explore import explore
from viz.memory.lifetimes import lifetimes
from viz.mermaid import mermaid
from viz.options import choose, require
from viz.page.play import play
from viz.slides import slides
from viz.whole_files import write_file


def export(z, path, kind: str | None = None, **options) -> str:
    """Write the graph of z (or a Trace) to a file and return its path.

    The extension selects the format. .html is the page, .svg and .png are the drawing, .gv and .dot are its DOT text, .mmd is
    Mermaid text, and .json is the trace. The drawing of a Trace shows every partial and total derivative.
    With `kind` "handout" an .html file is the handout for a class, with "slides" a lesson, with "explore" a page to look around in
    a large graph; with "animation" an .svg file shows the whole pass, with "memory" which array of a graph of tensors exists when.
    `options` are those of the function that makes the file: play, draw, mermaid, Trace, handout, slides, explore, animate or
    lifetimes.
    Raises ValueError if the extension is unknown or does not fit `kind`, OSError if the file cannot be written.

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
    if path.suffix.lower() not in KINDS[kind].extensions:
        raise ValueError(f"kind {kind!r} needs the extension {' or '.join(KINDS[kind].extensions)}, got {path.name!r}")
    return write_file(path, KINDS[kind].content(z, path.suffix[1:].lower(), options))


def kind_of(path):
    """Return the kind that the extension of a path selects."""
    kind = next((kind for kind in KINDS if path.suffix.lower() in KINDS[kind].extensions), None)
    if kind is None:
        known = dict.fromkeys(extension for kind in KINDS.values() for extension in kind.extensions)
        raise ValueError(f"cannot tell the file type of {path.name!r}; use one of the extensions {', '.join(known)}")
    return kind


def finished(z, options):
    """Return the drawing of z. That of a trace shows every partial and total derivative, unless a step is given."""
    if not isinstance(z, Trace) or "step" in options:
        return draw(z, **options)
    totals = {x: total.number for x, total in z.computed.items()}
    return draw(z.graph.z, **{"names": z.names, "gradients": totals, "partials": "both", "detail": "operations", **options})


class Kind(NamedTuple):
    """A kind of file."""

    extensions: tuple  # an extension selects the first kind in the table that has it
    content: Callable  # a function of (z, extension without its dot, options)


# fmt: off
KINDS = {
    "page":      Kind((".html", ".htm"),    lambda z, extension, options: play(z, **options).html),
    "drawing":   Kind((".svg", ".png"),     lambda z, extension, options: finished(z, options).pipe(extension)),
    "dot":       Kind((".gv", ".dot"),      lambda z, extension, options: finished(z, options).source),
    "mermaid":   Kind((".mmd", ".mermaid"), lambda z, extension, options: mermaid(z, **options)),
    "trace":     Kind((".json",),           lambda z, extension, options: trace_of(z, **options).to_json(indent=1)),
    "handout":   Kind((".html", ".htm"),    lambda z, extension, options: handout(z, **options).html),
    "explore":   Kind((".html", ".htm"),    lambda z, extension, options: explore(z, **options).html),
    "slides":    Kind((".html", ".htm"),    lambda z, extension, options: slides(z, **options).html),
    "animation": Kind((".svg",),            lambda z, extension, options: animate(z, **options).svg),
    "memory":    Kind((".svg",),            lambda z, extension, options: lifetimes(z, **options).svg),
}
# fmt: on

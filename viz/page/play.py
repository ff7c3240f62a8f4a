"""One self-contained HTML file that plays backpropagation through any graph, step by step: no library, no network."""

import base64
import json
import re
import zlib

from scalargrad.formulas.text import escape
from scalargrad.trace import Trace
from viz.document import Page, asset, filled
from viz.drawing.draw import draw
from viz.drawing.graphviz_engine import NoEngine
from viz.finite import warning_of
from viz.options import require
from viz.page.mathml import MATH, SENTENCE, is_short, wrapped
from viz.page.page_data import page_data
from viz.page.transcript import transcript

PANELS = ("graph", "overview", "panels", "sum", "equation", "bar", "beside")
SCRIPTS = ("dom", "places", "run", *PANELS, "predict", "stops", "zoom", "controls", "main")
LONGEST_PLAIN = 1_000_000  # characters of data; more are compressed, which takes the browser a moment to undo
MOST_FUNCTIONS, MOST_IN_PICTURE = 6, 40  # in the heading; variables in the drawing for pages without scripts


def play(z, *, title: str = "Backpropagation, step by step", beside: Trace | None = None, **options) -> Page:
    """A page that plays backpropagation from z (or a Trace): a Page, to `.save("z.html")`, to `.open()`, or shown in a notebook.

    `options` are those of `Trace`: order, schedule, names, steps. `beside` is another trace of the same graph, by a loop that may be
    wrong, Trace(z, steps=loop): both step together, and stop where they first differ.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); page = play(x * x); page.html[:15]
    '<!doctype html>'
    """
    require(title=title)
    trace = Trace.of(z, **options)
    return Page(trace, title, page(trace, title, beside))


def page(trace, title, beside=None):
    """The text of a page; `beside` is another trace of the same graph."""
    data_type, data = packed(as_script(page_data(trace, beside)))
    return filled(
        "page.html",
        title=title,
        style=asset("player.css"),
        script="(() => {\n" + "\n".join(asset(f"{name}.js") for name in SCRIPTS) + "})();\n",
        warning=f'<p id="warning" role="note">{said}</p>' if (said := warning_of(trace, SENTENCE)) else "",
        functions="".join(f"<span>{wrapped(equation)}</span>" for equation in functions(trace)),
        picture=picture(trace),
        transcript=transcript(trace),
        data_type=data_type,
        data=data,
    )


def as_script(data):
    """JSON that can stand in a script element: a `<` that does not begin a tag of MathML is written as a number."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub("<(?!/?m[a-z])", r"\\u003c", text)


def packed(text):
    """The type and the text of a script element that holds JSON: as it is, or compressed where it is long."""
    if len(text) <= LONGEST_PLAIN:
        return "application/json", text
    return "application/zlib", base64.b64encode(zlib.compress(text.encode())).decode()


def functions(trace):
    """The graph's functions as equations for the heading, where they are few."""
    made = [v for v in trace.graph.variables if v.rule]
    written = [(v, trace.on.written(v)) for v in made[: MOST_FUNCTIONS + 1]]
    if len(made) > MOST_FUNCTIONS or not all(is_short(formula) for _, formula in written):
        return []
    return [f"{MATH.name(trace.names[v])}<mo>=</mo>{MATH.formula(formula)}" for v, formula in written]


def picture(trace):
    """The graph as a drawing, for pages without scripts; nothing where there is no layout engine."""
    try:
        return draw(trace, max_nodes=MOST_IN_PICTURE).svg
    except NoEngine as none:
        return f"<p>{escape(str(none))}</p>"

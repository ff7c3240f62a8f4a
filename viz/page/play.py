"""One self-contained HTML file that plays backpropagation through any graph, step by step: no library, no network."""

import base64
import hashlib
import html
import json
import re
import tempfile
import webbrowser
import zlib
from importlib import resources
from pathlib import Path
from string import Template

from scalargrad.formulas.text import escape
from scalargrad.trace import Trace
from viz.drawing.draw import draw
from viz.drawing.graphviz_engine import NoEngine
from viz.files import write_file
from viz.finite import warning_of
from viz.options import require
from viz.page.mathml import MATH, SENTENCE, is_short, wrapped
from viz.page.page_data import page_data
from viz.page.transcript import transcript

PANELS = ("graph", "whole", "panels", "sum", "equation", "bar", "beside")
SCRIPTS = ("dom", "places", "run", *PANELS, "predict", "stops", "zoom", "controls", "main")
FONT = "math.woff2"
LONGEST_PLAIN = 1_000_000  # characters of data; more are compressed, which takes the browser a moment to undo
FRAME_HEIGHT = 640  # pixels, in a notebook
MOST_FUNCTIONS, MOST_IN_PICTURE = 6, 40  # in the heading; variables in the drawing for pages without scripts


def play(z, *, title: str = "Backpropagation, step by step", beside: Trace | None = None, **options) -> "Page":
    """A page that plays backpropagation from z (or a Trace): a Page, to `.save("z.html")`, to `.open()`, or shown in a notebook.

    `options` are those of `Trace`: order, schedule, names, steps. `beside` is another trace of the same graph, by a loop that may be
    wrong, Trace(z, steps=loop): both step together, and stop where they first differ.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); page = play(x * x); page.html[:15]
    '<!doctype html>'
    """
    require(title=title)
    return Page(Trace.of(z, **options), title, beside)


class Page:
    """The page of a trace; `.html` is its text."""

    def __init__(self, trace, title, beside=None):
        self.trace, self.title, self.beside = trace, title, beside
        self.html = page(trace, title, beside)

    def __repr__(self):
        return f"<page of {self.trace!r}: {len(self.html):,} characters>"

    def save(self, path) -> str:
        """Write the page to a file and return its path."""
        return write_file(path, self.html)

    def open(self) -> str:
        """Write the page to a temporary file and show it in the browser; the path."""
        with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="backpropagation-", delete=False, encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return file.name

    def _repr_html_(self):
        """The page in a frame of its own, so that neither page nor notebook can change the other."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-forms" title="{html.escape(self.title)}" '
            f'width="100%" height="{FRAME_HEIGHT}" style="border:0"></iframe>'
        )


def page(trace, title, beside=None):
    """The text of a page; `beside` is another trace of the same graph."""
    style = asset("player.css").replace("MATH_FONT", font())
    data_type, data = packed(as_script(page_data(trace, beside)))
    script = "(() => {\n" + "\n".join(asset(f"{name}.js") for name in SCRIPTS) + "})();\n"
    return Template(asset("page.html")).substitute(
        title=escape(title),
        policy=policy(script, style),
        style=style,
        warning=f'<p id="warning" role="note">{said}</p>' if (said := warning_of(trace, SENTENCE)) else "",
        functions="".join(f"<span>{wrapped(equation)}</span>" for equation in functions(trace)),
        picture=picture(trace),
        transcript=transcript(trace),
        data_type=data_type,
        data=data,
        script=script,
    )


def asset(name):
    return resources.files("viz").joinpath("page", "assets", name).read_text(encoding="utf-8")


def font():
    """The mathematical font as the data of a URL."""
    return base64.b64encode(resources.files("viz").joinpath("page", "assets", FONT).read_bytes()).decode()


def policy(script, style):
    """The Content-Security-Policy: this script and this style, fonts within the page, and nothing from outside."""
    allowed = [f"script-src '{digest(script)}'", f"style-src '{digest(style)}'", "font-src data:"]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def digest(text):
    """What a Content-Security-Policy calls an inline script or style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


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
        return draw(trace, max_nodes=MOST_IN_PICTURE).svg()
    except NoEngine as none:
        return f"<p>{escape(str(none))}</p>"

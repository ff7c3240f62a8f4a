"""A sheet for class, to be printed: the graph and the tutorial's numbered list with a blank for every number; then the solution."""

from html import escape as attribute
from pathlib import Path
from string import Template

from scalargrad.spelling import escape, shape_text, shown_in_full
from scalargrad.trace import Trace
from viz.draw import draw
from viz.layout import NoEngine
from viz.mathml import SentenceInk, wrapped
from viz.play import asset, digest, font, functions
from viz.transcript import transcript
from viz.words import name_of

BLANK = '<span class="blank">____</span>'
UNKNOWN = " = ?</text>"  # what a drawing says of a derivative that is not known yet
HEIGHT = 640  # pixels, in a notebook


class Handout:
    """A page to print; `html` is its text, `save` writes it, and a notebook shows it."""

    def __init__(self, html):
        self.html = html

    def save(self, path) -> str:
        """Write it into a file; the path."""
        Path(path).write_text(self.html, encoding="utf-8")
        return str(path)

    def _repr_html_(self):
        return (
            f'<iframe srcdoc="{attribute(self.html)}" sandbox="" title="handout" width="100%" height="{HEIGHT}" style="border:0"></iframe>'
        )


def handout(z, *, title: str = "Backpropagation by hand", solution: bool = True, **options) -> Handout:
    """A sheet on which a class does backpropagation from z (or a Trace) by hand, and, on a new page, its solution.

    What is given are the graph with its values, the order, and every formula; each number is a blank, each small array an
    empty grid. `options` are those of `Trace`: order, schedule, names. It is HTML: open it in a browser and print it.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); sheet = handout(x * x, solution=False); sheet.html.count("____")
    12
    """
    trace = z if isinstance(z, Trace) else Trace(z, **options)
    style = asset("handout.css").replace("MATH_FONT", font())
    sheets = [sheet(trace, title, BlankInk(), 0)]
    if solution:
        sheets.append(sheet(trace, f"{title}: solution", FullInk(), len(trace) - 1))
    return Handout(
        Template(asset("handout.html")).substitute(
            title=escape(title),
            policy=f"default-src 'none'; style-src '{digest(style)}'; font-src data:; base-uri 'none'; form-action 'none'",
            style=style,
            hint=" The solution begins on a page of its own." if solution else "",
            sheets="\n".join(sheets),
        )
    )


def sheet(trace, title, ink, step):
    """The task or the solution: heading, graph as it is at a step, list."""
    asked = isinstance(ink, BlankInk)
    who = '<p class="who"><span>Name</span><span>Date</span></p>' if asked else ""
    made = "".join(map(wrapped, functions(trace)))
    task = "Fill in every blank: the derivatives in the graph and the numbers below." if asked else ""
    if asked and trace.schedule == "topological":
        task += f" The order is {', '.join(name_of(trace, v, ink) for v in trace.graph.order)}."
    return f"""<section class="{"task-sheet" if asked else "solution"}">
<h1>{escape(title)}</h1>
{who}
<p class="functions">{made}</p>
<figure class="graph">{picture(trace, step)}</figure>
<p class="task">{task}</p>
<ol>
{transcript(trace, ink)}
</ol>
</section>"""


def picture(trace, step):
    """The graph, with room for what is not known yet."""
    try:
        svg = draw(trace, step=step).pipe("svg", encoding="utf-8")
    except NoEngine as none:
        return escape(str(none))
    return svg[svg.index("<svg") :].replace(UNKNOWN, " =</text>").replace(' id="', f' id="s{step}-')


class FullInk(SentenceInk):
    """What a solution is written with: arrays in full, as long as they are small."""

    def has_room_for(self, array):
        return shown_in_full(array.shape)


class BlankInk(SentenceInk):
    """What a task is written with: names and formulas as they are, a blank for each number, a grid for each small array."""

    def number(self, x):
        shape = getattr(x, "shape", ())
        if not shape:
            return BLANK
        if not shown_in_full(shape):
            return f"{BLANK} ({shape_text(shape)})"
        rows, columns = shape if len(shape) == 2 else (1, *shape)
        cells = f"<mtr>{'<mtd></mtd>' * columns}</mtr>" * rows
        return wrapped(f'<mtable class="grid">{cells}</mtable>')

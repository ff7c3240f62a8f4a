"""A handout to print for a class: the graph, the tutorial's numbered list with a blank for every number, and then the solution."""

import re

from scalargrad.formulas.text import escape, shape_text, short, shown_in_full
from scalargrad.trace import Trace
from viz.document import Page, asset, filled
from viz.drawing.draw import draw
from viz.drawing.graphviz_engine import NoEngine
from viz.ink import name_of
from viz.options import require
from viz.page.mathml import SentenceInk, wrapped
from viz.page.play import functions
from viz.page.transcript import transcript

BLANK = '<span class="blank">____</span>'
UNKNOWN = " = ?</text>"  # a derivative that a drawing does not know yet
WIDE, HIGH, HIGHEST = 510, 325, 600  # points: the width of a sheet; the height of a graph above the list, and of one on its own
SMALLEST = 0.5  # scale; a graph that would be smaller above the list has a sheet of its own


class Handout(Page):
    """A page to print. A notebook runs no script in it."""

    sandbox = ""


def handout(z, *, title: str = "Backpropagation by hand", solution: bool = True, **options) -> Handout:
    """Return a handout for backpropagation from z (or of a Trace) by hand, with the solution on a new page.

    The handout gives the graph with its values, the order, and every formula. Each number is a blank, each small array an
    empty grid. `options` are those of `Trace`: order, schedule, names. The handout is HTML: open it in a browser and print it.
    With solution=False it has no solution.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); sheet = handout(x * x, solution=False); sheet.html.count("____")
    12
    """
    require(title=title)
    trace = Trace.of(z, **options)
    sheets = [sheet(trace, title, BlankInk(), 0)]
    if solution:
        sheets.append(sheet(trace, f"{title}: solution", FullInk(), len(trace) - 1))
    text = filled(
        "handout.html",
        title=title,
        style=asset("handout.css") + room(trace),
        hint=" The solution starts on a new page." if solution else "",
        sheets="\n".join(sheets),
    )
    return Handout(trace, title, text)


def sheet(trace, title, ink, step):
    """Return the task or the solution: a heading, the graph at a step, the list."""
    asked = isinstance(ink, BlankInk)
    who = '<p class="who"><span>Name</span><span>Date</span></p>' if asked else ""
    made = "".join(map(wrapped, functions(trace)))
    graph, large = picture(trace, step)
    task = "Fill in every blank: the derivatives in the graph and the numbers below." if asked else ""
    if asked and trace.schedule.gathers:
        task += f" The order is {', '.join(name_of(trace, v, ink) for v in trace.graph.order)}."
    return f"""<section class="{"task-sheet" if asked else "solution"}">
<h1>{escape(title)}</h1>
{who}
<p class="functions">{made}</p>
<figure class="graph{" large" * large}">{graph}</figure>
<p class="task">{task}</p>
<ol>
{transcript(trace, ink).replace(" · ", "&nbsp;·&nbsp;")}
</ol>
</section>"""


def room(trace):
    """Return the style that makes every blank as wide as the longest number, so that no blank gives away the length of its number."""
    numbers = [n for step in trace for q in (step.partial, step.total) if q is not None for n in entries(q.number)]
    longest = max((len(short(n)) for n in numbers), default=1)
    return f":root {{ --blank: {max(3.4, 0.6 * longest + 0.6):.3g}em; --cell: {max(2.1, 0.5 * longest):.3g}em; }}\n"


def entries(x):
    """Return the numbers of an array, or a number, as a list."""
    return x.ravel().tolist() if hasattr(x, "ravel") else [] if x is None else [x]


def picture(trace, step):
    """Return the graph, with room for the unknown derivatives, and whether it has a sheet of its own. It may then run downwards."""
    try:
        svg = draw(trace, step=step).svg
        if large := scale(svg, HIGH) < SMALLEST:
            svg = max(svg, draw(trace, step=step, direction="TB").svg, key=lambda svg: scale(svg, HIGHEST))
    except NoEngine as none:
        return escape(str(none)), False
    return svg.replace(UNKNOWN, " =</text>").replace(' id="', f' id="s{step}-'), large


def scale(svg, high):
    """Return the scale of a drawing on a sheet with so much height for it; 1 is its own size."""
    width, height = map(float, re.search(r' viewBox="\S+ \S+ (\S+) (\S+)"', svg).groups())
    return min(1, WIDE / width, high / height)


class FullInk(SentenceInk):
    """Writes a solution: small arrays in full."""

    def has_room_for(self, array):
        return shown_in_full(array.shape)


class BlankInk(SentenceInk):
    """Writes a task: names and formulas as they are, a blank for each number, an empty grid for each small array."""

    def number(self, x):
        shape = getattr(x, "shape", ())
        if not shape:
            return BLANK
        if not shown_in_full(shape):
            return f"{BLANK} ({shape_text(shape)})"
        rows, columns = shape if len(shape) == 2 else (1, *shape)
        cells = f"<mtr>{'<mtd></mtd>' * columns}</mtr>" * rows
        return wrapped(f'<mtable class="grid">{cells}</mtable>')

"""A handout to print for a class: the graph, the tutorial's numbered list with blanks for numbers, and then the solution."""

import re
from collections import deque
from collections.abc import Iterable
from itertools import chain, islice
from numbers import Integral

from scalargrad.formulas.symbols import names_in
from scalargrad.formulas.text import escape, printable, shape_text, short, shown_in_full
from scalargrad.messages.errors import brief, is_integer
from scalargrad.modes import gc_paused
from viz.blanks import facts_to_find, short_list
from viz.document import Page, asset, filled
from viz.drawing.draw import draw_part
from viz.drawing.svg.graphviz_engine import NoEngine
from viz.drawing.svg.html_label import LONGEST_NAME
from viz.graphs.detail import trace_of
from viz.graphs.inputs import asked_input
from viz.options import count, require
from viz.page.play import equations
from viz.page.transcript import as_items, transcript
from viz.questions.variant import variant
from viz.text.array_text import numbers_of
from viz.text.formatter import name_of
from viz.text.mathml import SentenceFormatter, ShortNames, is_readable, wrapped
from viz.text.short_names import short_names

SHORT = 5  # characters of the shortest line to write on in a box
BLANK = '<span class="blank">____</span>'
WIDE, HIGHEST = 510, 600  # points: the width of a sheet; the height of a graph on a sheet of its own
ABOVE_FEW, ABOVE_ALL = 187, 325  # points: the height of a graph above a list with few blanks, and above one of all steps (handout.css)
# The scale of letters of 8 points: of a graph that would be smaller, or has more variables, the sheet shows a part.
READABLE, MOST_BOXES = 0.67, 40
SHARES = 1, 0.9, 0.8, READABLE  # of its size, at which a drawing in rows is as wide as a sheet
SMALLEST, ON_ONE_PAGE = READABLE, 0.5  # scale: smaller graphs have a sheet of their own; where each learner gets one page


class Handout(Page):
    """A page to print. A notebook runs no script in it."""

    sandbox = ""


def handout(
    z,
    *,
    title: str = "Backpropagation by hand",
    solution: bool = True,
    blanks: int | str | None = 12,
    symbols: bool = False,
    seed=None,
    **options,
) -> Handout:
    """Return a handout for backpropagation from z (or of a Trace) by hand, with the solution on a new page.

    The handout gives the graph with its values, the order, and every formula. About `blanks` numbers are blank, chosen so that they
    take about twenty minutes: total derivatives first, then partials other than 0, 1 and −1. With blanks="all" every number is blank,
    and `computed` is written out; so it is for schedules other than the tutorial's. An array is an empty grid, with a blank for each entry.
    Of a graph that no sheet can show in readable letters, the handout has the part with the ways from the asked input to z, and says so.
    With symbols=True the formulas that lead to a blank are blank too. With solution=False the handout leaves out the solution.
    `seed` is an integer, or several, such as range(1, 26): each makes a sheet of the same graph with other numbers, small integers,
    one for each learner; the solutions come last. It needs a graph of Values.
    `options` are those of `Trace`: order, schedule, names, detail, opened. The handout is HTML: open it in a browser and print it.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); sheet = handout(x * x, solution=False); sheet.html.count(">____<")
    4
    """
    require(title=title)
    blanks = None if blanks == "all" else blanks
    if blanks is not None:
        count(blanks=blanks)
    trace = trace_of(z, **options)
    traces = [(title, trace)] if seed is None else [(f"{title}, variant {k}", variant(trace, k)) for k in seeds(seed)]
    part = part_for(trace) if is_short(trace, blanks) else range(len(trace.graph.variables))
    least = SMALLEST if seed is None else ON_ONE_PAGE
    with gc_paused():
        tasks = [sheet(one, name, Task(one, blanks, part, symbols), least) for name, one in traces]
        solutions = [sheet(one, f"{name}: solution", Solution(one, blanks, part), least) for name, one in traces] if solution else []
    text = filled(
        "handout.html",
        title=title,
        style=asset("handout.css") + room([one for _, one in traces]),
        hint=f" The solution{'s start' if len(traces) > 1 else ' starts'} on a new page." if solution else "",
        sheets="\n".join(unique_ids([*tasks, *solutions])),
    )
    return Handout(trace, title, text)


def seeds(seed):
    """Return the seeds as a list. Raises TypeError if they are not integers, ValueError if there are none."""
    found = [seed] if isinstance(seed, Integral) else list(seed) if isinstance(seed, Iterable) and not isinstance(seed, str) else [None]
    if not all(map(is_integer, found)):
        raise TypeError(f"handout: seed={brief(seed)} is not an integer, nor integers such as range(1, 26)")
    if not found:
        raise ValueError("handout: seed= is empty; give one integer for each learner, for example range(1, 26)")
    return found


def is_short(trace, blanks):
    """Return whether the list of a sheet has only a few blanks, and an item of two lines for each variable."""
    return blanks is not None and trace.schedule.gathers


class Solution:
    """What a sheet shows of a trace: every number."""

    who = task = ""
    kind, step = "solution", -1

    def __init__(self, trace, blanks, part):
        self.trace, self.step = trace, len(trace) - 1
        self.few = is_short(trace, blanks)
        self.part = [trace.graph.variables[i] for i in part]
        self.order = [v for v in trace.graph.order if v in {*self.part}]
        self.short = short_names(trace.names.values(), LONGEST_NAME)  # as in the drawing
        self.hidden, self.full, self.symbols = set(), FullFormatter(ShortNames(self.short)), False
        self.blank = self.full

    @property
    def names(self):
        """Say which names the short forms stand for."""
        said = "; ".join(f"{self.full.name(name)} stands for {escape(printable(name))}" for name in self.short)
        return f'<p class="task">{said}.</p>\n' if said else ""

    def list(self):
        if not self.few:
            return transcript(self.trace, self.blank)
        return as_items(short_list(self.trace, self.order[1:], self.hidden, self.full, self.blank, self.symbols))


class Task(Solution):
    """What a sheet shows of a trace: blanks in place of the numbers that the learner finds."""

    kind = "task-sheet"
    who = '<p class="who"><span>Name</span><span>Date</span></p>'

    def __init__(self, trace, blanks, part, symbols):
        super().__init__(trace, blanks, part)
        self.step, self.blank, self.symbols = 0, BlankFormatter(self.full.notation), symbols
        self.hidden = facts_to_find(trace, self.order[1:], blanks) if self.few else set()

    @property
    def task(self):
        found = "Fill in every blank: the derivatives in the graph and the numbers below."
        if self.few and not self.hidden:
            found = "The arrays of this graph are too large to compute by hand, so every number is given."
        if self.trace.schedule.gathers:
            found += f" The order is {', '.join(name_of(self.trace, v, self.full) for v in self.order)}."
        return found + said_of_part(self.trace, self.part, self.full)


def sheet(trace, title, content, least):
    """Return the task or the solution: a heading, the graph at a step, the list."""
    graph, large = picture(trace, content.part, content.step, ABOVE_FEW if content.few else ABOVE_ALL, least)
    return f"""<section class="{content.kind}{" few" * content.few}">
<h1>{escape(title)}</h1>
{content.who}
<p class="functions">{"".join(map(wrapped, equations(trace)))}</p>
<figure class="graph{" large" * large}">{graph}</figure>
{content.names}<p class="task">{content.task}</p>
<ol>
{content.list().replace(" · ", "&nbsp;·&nbsp;")}
</ol>
</section>"""


def unique_ids(sheets):
    """Return the sheets with ids that none of the others has: each sheet has a drawing."""
    return [text.replace(' id="', f' id="s{k}-') for k, text in enumerate(sheets)]


def room(traces):
    """Return the style that makes every blank as wide as the longest number, so that no blank gives away the length of its number."""
    numbers = [n for trace in traces for step in trace for q in (step.partial, step.total) if q is not None for n in entries(q.number)]
    longest = max((len(short(n)) for n in numbers), default=1)
    return f":root {{ --blank: {max(3.4, 0.6 * longest + 0.6):.3g}em; --cell: {max(2.1, 0.5 * longest):.3g}em; }}\n"


def blank_in_box(trace):
    """Return a line as long as the longest derivative of a number, at least as a short number."""
    return "_" * max(SHORT, *(len(short(q.number)) for x, q in trace.computed.items() if not getattr(x, "shape", ())), 0)


def entries(x):
    """Return the numbers of an array, or a number, as a list."""
    return [] if x is None else numbers_of(x)


def part_for(trace):
    """Return the places of the variables that a sheet can show, all of them if possible: see `largest_part`."""

    def holds(variables):
        return len(variables) <= MOST_BOXES and any(scale(svg, HIGHEST) >= 0.99 * READABLE for svg in drawings(trace, variables, 0, SHARES))

    try:
        part = {*largest_part(trace, holds)}
    except NoEngine:
        part = {*trace.graph.variables}
    return [i for i, v in enumerate(trace.graph.variables) if v in part]


def said_of_part(trace, part, formatter):
    """Return the sentence about a sheet that shows a part of the graph; "" if it shows all."""
    everything = len(trace.graph.variables)
    if len(part) == everything:
        return ""
    ends = (name_of(trace, v, formatter) for v in (asked_input(trace), trace.graph.z))
    shown = f"This sheet shows {len(part):,} of the graph's {everything:,} variables"
    return f" {shown}: first those on the ways from {' to '.join(ends)}, then what their partials need."


def drawings(trace, part, step, shares):
    """Yield drawings of a part of the graph as SVG, as wide as a sheet at each of these scales."""
    for share in shares:
        yield draw_part(trace, part, step, WIDE / share, (READABLE, HIGHEST), blank_in_box(trace)).svg


def picture(trace, part, step, high, least):
    """Return the graph, with room for the unknown derivatives, and whether it has a sheet of its own: it is at most so `high` else,
    and would be smaller than `least`.
    """
    try:
        drawn: list = []
        for share, svg in zip(SHARES, drawings(trace, part, step, SHARES)):
            drawn.append(svg)
            if scale(svg, high) >= share:
                break  # a wider one would be smaller
    except NoEngine as none:
        return escape(str(none)), False
    large = max(scale(svg, high) for svg in drawn) < least
    svg = max(drawn, key=lambda svg: scale(svg, HIGHEST if large else high))
    return svg, large


def scale(svg, high):
    """Return the size of the texts of a drawing on a sheet with so much height for it; 1 is their usual size."""
    width, height = map(float, re.search(r' viewBox="\S+ \S+ (\S+) (\S+)"', svg).groups())
    return float(re.search(r'"scale\((\S+)', svg)[1]) * min(1, WIDE / width, high / height)


class FullFormatter(SentenceFormatter):
    """Writes a solution: small arrays in full."""

    def has_room_for(self, array):
        return shown_in_full(array.shape)

    def quantity(self, q):
        return (
            f"{self.formula(q.symbol)} = {self.number(q.number)}" if q.number is not None and is_readable(q.symbol) else super().quantity(q)
        )


class BlankFormatter(SentenceFormatter):
    """Writes a task: names and formulas as they are, a blank for each number, an empty grid for each small array."""

    def number(self, x):
        shape = getattr(x, "shape", ())
        if not shape:
            return BLANK
        if not shown_in_full(shape):
            return f"{BLANK} {shape_text(shape)}" if len(shape) == 1 else f"{BLANK} ({shape_text(shape)})"
        rows, columns = shape if len(shape) == 2 else (1, *shape)
        cells = f"<mtr>{'<mtd></mtd>' * columns}</mtr>" * rows
        return wrapped(f'<mtable class="grid">{cells}</mtable>')


def largest_part(trace, holds):
    """Return the variables of the largest part that a picture holds, inputs before outputs: all of them, if `holds(variables)`.

    It always has z and the asked input. The others are added way by way, so that each stands on a way of the part; then what the partials
    on the ways name, and the rest.
    """
    variables = trace.graph.variables
    if holds(variables):
        return variables
    place = {v: i for i, v in enumerate(variables)}
    ends = place[asked_input(trace)], place[trace.graph.z]
    wished = [*islice(ways_between(*ends, [[place[y] for y, _ in trace.graph.children[v]] for v in variables]), MOST_BOXES)]
    found = {*ends, *chain(*wished)}
    wished += [[i] for i in dict.fromkeys([*(place[v] for v in factors(trace)), *range(len(variables))]) if i not in found]
    part = lambda count: [variables[i] for i in sorted({*ends, *chain(*wished[:count])})]
    few, many = 0, len(wished)
    while many - few > 1:
        count = (few + many) // 2
        few, many = (count, many) if holds(part(count)) else (few, count)
    return part(few)


def ways_between(x, z, takers):
    """Yield the nodes between x and z: those of a shortest way, then each time those of a shortest way between nodes that are there
    already, through others. `takers` are the nodes that take each node.

    >>> list(ways_between(0, 4, [[1, 4], [2, 3], [4], [4], []]))
    [[1, 2], [3]]
    """
    shown = {x, z}
    while True:
        waiting, seen = deque([y] for s in sorted(shown) for y in takers[s]), set()
        while waiting:
            way = waiting.popleft()
            if way[-1] in shown and len(way) > 1:
                break
            if way[-1] not in shown and way[-1] not in seen:
                seen.add(way[-1])
                waiting.extend([*way, y] for y in takers[way[-1]])
        else:
            return
        yield way[:-1]
        shown.update(way)


def factors(trace):
    """Yield the variables that the partials on the ways from the asked input to z name."""
    reached = {asked_input(trace)}
    for y in trace.graph.variables:
        for slot, x in enumerate(y.inputs):
            if x in reached:
                reached.add(y)
                named = names_in(trace.on.partial(y, slot).symbol)
                yield from (v for v in (y, *y.inputs) if trace.names[v] in named)

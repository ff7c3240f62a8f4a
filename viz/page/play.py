"""One HTML file that plays backpropagation step by step through any graph. It needs no library and no network."""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from scalargrad.formulas.text import escape
from scalargrad.modes import gc_paused
from scalargrad.tracing.trace import Trace
from viz.document import Page, asset, bundle, filled, lean_style
from viz.drawing.draw import FUNCTIONS, draw
from viz.drawing.svg.graphviz_engine import NoEngine
from viz.graphs.detail import trace_of
from viz.graphs.finite import warning_of
from viz.memory.page_data import memory_data
from viz.options import choose, require
from viz.page.columns import as_script, columns, graphs_of, packed
from viz.page.inner_graphs import live_passes
from viz.page.live.numbers import LiveNumbers
from viz.page.live.program import JavaScript, NotLive, Writer, script_of, writer_of
from viz.page.network_data import network_data
from viz.page.page_data import SCENES, page_data
from viz.page.scalar_graphs import entries, graph_at, opened_loops, openings_within, scalar_graphs
from viz.page.scenes.slide_scenes import MOVES, slide_scenes
from viz.page.transcript import transcript
from viz.text.mathml import MATH, SENTENCE, in_a_line, is_short, wrapped

ACTS = ("question", "nudge", "backward", "use")
NEEDED_FOR = {  # style sheets, only in pages whose data have the key; "tall": see is_tall; "wide": not all graphs can be shown whole
    "beside": ("panels/comparison",),
    "table": ("panels/entries",),
    "memory": ("panels/memory",),
    "tensors": ("arrays/tables",),
    "entryGraph": ("arrays/picker",),
    "arrays": ("arrays/picture", "arrays/all_numbers"),
    "folded": ("folded_graph",),
    "functionNodes": ("function_nodes",),
    "network": ("network",),
    "marks": ("marks",),
    "loops": ("loops",),
    "slides": ("slides",),
    "tall": ("tall",),
    "wide": ("wide",),
}
ADDED = "beside", "folded", "loops", "network", "slides"  # keys of the data: a page that has one needs its script too, play_KEY.js
LONGEST_PICTURE = 500_000  # characters of the drawing
FILLED_CELL, SHORTEST_CELL = "BGCOLOR", 70  # in the text for the engine; characters of its polygon in the drawing at least
MOST_FUNCTIONS = 6  # in the heading
MOST_IN_PICTURE, OF_LARGER = 40, 16  # variables in the drawing for pages without scripts; of a graph that has more, which is cut, so many


class Lesson(NamedTuple):
    """The slides of a graph, and inside(trace), those of a graph that opens in it."""

    whole: list
    inside: Callable

    def scenes_of_whole(self, trace, *_):
        return slide_scenes(trace, steps_of(self.whole))

    def scenes_of_inner(self, trace, *_):
        return slide_scenes(trace, steps_of(self.inside(trace)))


def steps_of(slides):
    """Return the step of the backward pass that each slide shows; MOVES for the step of descent; None for a slide of another act."""
    return [slide["step"] if slide["act"] == "backward" else {"use": MOVES}.get(slide["act"]) for slide in slides]


def play(
    z,
    *,
    title: str = "Backpropagation, step by step",
    beside: Trace | None = None,
    start=None,
    functions: str | None = None,
    **options,
) -> Page:
    """Return a Page that plays backpropagation from z, or of a Trace. `.save("z.html")` or `.open()` it; a notebook shows it.

    play(lambda: loss(w, x)) calls the function, and shows its variables under the names that they have in it.
    `options` are those of `Trace`: order, schedule, names, steps, detail, opened. A graph of more than ten variables is shown in
    statements, unless arrays of it are in scopes.
    `beside` is a trace of the same graph by another loop that may be wrong, Trace(z, steps=loop). Both step together and stop at the
    first difference. `start` is the act at which the page opens, "question", "nudge", "backward" or "use", or a variable: the page opens
    where the backward pass comes to it. Without `start` that is the question, or with `beside` the backward pass. functions="nodes"
    draws each function as a node of its own, A → matmul → C, except where scopes are folded. Raises ValueError for another act, and for
    a variable to which the backward pass does not come.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); page = play(x * x); page.html[:15]
    '<!doctype html>'
    """
    require(title=title)
    choose((None, *FUNCTIONS), functions=functions)
    if isinstance(start, str) and start not in ACTS:
        raise ValueError(f"play: there is no act {start!r:.40}; start at one of {', '.join(ACTS)}")
    trace = trace_of(z, beside, start, **options)
    with gc_paused():
        return Page(trace, title, player_page(trace, title, beside, start, functions=functions))


def player_page(trace, title, beside=None, start=None, slides=None, functions=None):
    """Return the text of a page; `beside` is another trace of the graph, `start` an act or a variable, `slides` a Lesson."""
    data, programs = with_programs(trace, beside, functions, slides)
    if slides:
        data = {key: value for key, value in data.items() if key != "folded"} | {"slides": slides.whole}
    else:
        data |= {"memory": memory} if (memory := memory_data(trace)) else {}
    graphs = [*graphs_of(data)]
    shapes = {
        "tensors": data["tensors"],
        "tall": any(map(is_tall, graphs)),
        "wide": data["scene"].get("near"),
        "entryGraph": any("entryGraph" in each for each in graphs),
    }
    needed = [key for key in NEEDED_FOR if shapes.get(key, key in data)]
    data_type, text = packed(as_script(columns(data)))
    return filled(
        "page.html",
        title=title,
        start=opening(trace, beside, start),
        style="\n".join(map(lean_asset, styles(needed))),
        own=f"const programsOf = functions => {{\n{programs}return programs;\n}};\n",
        scripts=map(bundle, ["play.js", *(f"play_{key}.js" for key in ADDED if key in needed)]),
        functions="".join(f"<span>{wrapped(equation)}</span>" for equation in equations(trace)),
        picture=picture(trace, functions),
        warning=f'<p id="warning" role="note">{said}</p>' if (said := warning_of(trace, SENTENCE)) else "",
        transcript=transcript(trace),
        data_type=data_type,
        data=text,
    )


def opening(trace, beside, start):
    """Return the act at which a page opens, and the number of the step; for a variable, that at which the backward pass comes to it."""
    if start is None or isinstance(start, str):
        return f"{start or ('backward' if beside else 'question')} 1"
    own = start, getattr(start, "node", start)  # a tensor stands for its node
    own = own if trace.statements is None else (trace.statements.variable.get(start),)
    at = next((k for k, step in enumerate(trace, 1) if step.x is not None and any(step.x is y for y in own)), None)
    if at is None:
        raise ValueError(f"play: start is {start!r:.60}; give an act ({', '.join(ACTS)}) or a variable to which the backward pass comes")
    return f"backward {at}"


def with_programs(trace, beside, functions=None, slides=None):
    """Return the data of a page, and the script of the live programs of its graphs. In the data, each graph names its program."""
    notation = JavaScript()
    inner, loops = scalar_graphs(trace), opened_loops(trace)
    writers = {"z": writer_of(trace, notation)}
    openings = dict(openings_within(trace, inner))
    for path, each in openings.items() if not slides else ():  # what opens on a slide is not nudged
        of = each.entries
        writers[path] = Writer(of.trace, notation, of.inputs) if of else writer_of(each.trace, notation)
    of_entries, network, functions_of_network = None, None, []
    if hasattr(trace.on, "entries"):
        try:
            of_entries = entries(trace)
            writers["entries"] = Writer(of_entries.trace, notation, of_entries.inputs)
        except NotLive as reason:
            writers["z"], of_entries = reason, None
            network, functions_of_network = network_data(trace, notation)
    replays = isinstance(writers["z"], Writer) and not beside and not trace.is_user_defined
    shown = trace.run_on(LiveNumbers(trace, writers["z"])) if replays else trace
    scenes = (slides.scenes_of_whole, slides.scenes_of_inner) if slides else SCENES
    data = page_data(shown, beside, inner, loops, of_entries, functions, scenes, slides and slides.inside)
    data |= {"network": network} if network else {}
    programs = {"network": f"[{', '.join(functions_of_network)}]"} if functions_of_network else {}
    for key, writer in writers.items():
        found = data if key == "z" else data["entryGraph"] if key == "entries" else graph_at(data, key)
        found = found["entryGraph"] if key in openings and openings[key].entries else found
        if isinstance(writer, NotLive):
            found["notLive"] = str(writer)
        else:
            found["program"] = key
            programs[key] = writer.source(shown.on.ledger if replays and key == "z" else None)
    for own, loop in zip(data.get("loops", ()), loops) if not slides else ():
        own["live"] = live_passes(loop.passes.values(), notation, programs)
    return data, script_of(programs, notation)


def is_tall(graph):
    """Return whether a graph gets more height on the page."""
    return bool((graph["scene"].get("whole") or graph.get("folded") or {}).get("tall"))


@cache
def lean_asset(name):
    """Return a style sheet as the page holds it."""
    return lean_style(asset(name))


def styles(needed):
    """Return the page's style sheets. A panel has its own; those for narrow windows and for paper override all others."""
    around = ["controls.css", "predict.css", "zoom.css", "explain.css", "dialogs.css", "narrow.css", "print.css"]
    some = [f"{name}.css" for key in needed for name in NEEDED_FOR[key]]
    return ["surfaces.css", "page.css", *(f"panels/{name}.css" for name in panels()), *some, *around]


def panels():
    """Return the names of the panels that every page has, in the order of page.html."""
    some = {name for names in NEEDED_FOR.values() for name in names}
    return [name for name in re.findall(r'data-panel="(\w+)"', asset("page.html")) if f"panels/{name}" not in some]


def equations(trace):
    """Return the graph's functions as equations for the heading; none if they are many or long."""
    made = [v for v in trace.graph.variables if v.rule]
    written = [(v, trace.on.written(v)) for v in made[: MOST_FUNCTIONS + 1]]
    if len(made) > MOST_FUNCTIONS or not all(is_short(formula) for _, formula in written):
        return []
    passes = lambda v: getattr(v.rule, "times", 1) > 1  # of a loop: "8 more times" is not what x₁₈ equals
    equation = lambda v, formula: f"{MATH.name(trace.names[v])}<mo>=</mo>{in_a_line(formula)}"
    return [MATH.words(f"… {v.rule.times} more times") if passes(v) else equation(v, formula) for v, formula in written]


NAMES = r"<!--.*?-->|<title>\w[^<]*</title>|(?<=<g) id=\"[^\"]*\"| class=\"[^\"]*\"|(?<=\d)\.00(?=\")"  # of the parts; zeros of sizes
EMPTY = r"<g[^>]*><a [^>]*>\s*</a>\s*</g>"  # labels without a text
LIST = r'(?<=<a) xlink:title="[^"]*"(?=>\s*<polygon [^>]*stroke="none")'  # of all variables, at the ground; the transcript has it
LINK = r"<g>\s*(<a\b.*?</a>)\s*</g>"


def lean_drawing(svg):
    """Return a drawing without what nobody sees in it: names of its parts, empty labels, hundredths of a point.

    >>> lean_drawing('<g id="v1" class="node"><!-- v1 --> <title>v1</title> <path d="M94.83,-619C94.83,-619"/></g>')
    '<g><path d="M95,-619C95,-619"/></g>'
    """
    svg = re.sub(NAMES, "", svg)
    svg = re.sub(LINK, r"\1", re.sub(LIST, "", re.sub(EMPTY, "", svg)), flags=re.DOTALL)
    svg = re.sub(r' (d|points)="([^"]*)"', lambda found: f' {found[1]}="{rounded(found[2])}"', svg)
    return re.sub(r"(?<=>)\s+(?=<)", "", svg).replace("\n", " ")


def rounded(path):
    """Return a path whose points are integers."""
    return re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.0f}", path)


def picture(trace, functions):
    """Return a drawing of the graph, for pages without scripts; without a layout engine, a message.

    Each cell of the pictures of arrays is a polygon. A drawing of too many cells is not laid out.
    """
    most = OF_LARGER if len(trace.graph.variables) > MOST_IN_PICTURE else MOST_IN_PICTURE
    try:
        for options in {"functions": functions}, {"depth": 1}:
            drawing = draw(trace, max_nodes=most, **options)
            if SHORTEST_CELL * drawing.source.count(FILLED_CELL) > LONGEST_PICTURE:
                continue
            if len(found := lean_drawing(drawing.svg)) <= LONGEST_PICTURE:
                return found
        return "<p>The arrays of this graph are too large for a drawing without scripts.</p>"
    except NoEngine as none:
        return f"<p>{escape(str(none))}</p>"
